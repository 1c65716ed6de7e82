package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/progress"
)

// oneLine returns text from a file of other people's so that it stays in its line and its place on a terminal.
func oneLine(s string) string {
	const most = 300
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return document.Visible(strings.NewReplacer("\n", " ", "\t", " ").Replace(s))
}

// facts prints names and values in two columns. It leaves out those without a value.
func (p *program) facts(pairs ...string) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		if _, err := fmt.Fprintf(p.stdout, "%-12s %s\n", pairs[i], document.Visible(pairs[i+1])); err != nil {
			return err
		}
	}
	return nil
}

// printText prints a document byte for byte, but to a terminal without what would control that.
func (p *program) printText(text string) error {
	if progress.Terminal(p.stdout) {
		text = document.Visible(text)
	}
	_, err := io.WriteString(p.stdout, text)
	return err
}

// printJSON prints v as one line.
func (p *program) printJSON(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s\n", line)
	return err
}

// notes says what a reader had to decide, on standard error: a log's times and levels are for what goes on running.
func (p *program) notes(notes []string) {
	for _, n := range notes {
		fmt.Fprintf(p.stderr, "note: %s\n", n)
	}
}
