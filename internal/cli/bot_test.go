package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/bot"
)

// Bots dig in a served world, and what they report is what the server says.
func TestBot(t *testing.T) {
	s := serve(t, "--template", "flat", filepath.Join(t.TempDir(), "a.terrane"))
	status, out, stderr := command("bot", s.url, "-n", "2", "--edits", "12", "--edits-per-second", "100", "--builders", "1", "--at", "100,-40", "--json")
	var r bot.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK {
		t.Fatalf("%d, %q, %q: %v", status, out, stderr, err)
	}
	if r.Bots != 2 || r.Acked != 24 || r.Refused != 0 || r.Edits != 24 {
		t.Errorf("%+v, want 24 edits of 2 bots, all acknowledged", r)
	}
	if w := worldState(t, s.url); w.Entries != 24 {
		t.Errorf("%+v, want 24 entries", w)
	}
	status, out, stderr = command("bot", s.url, "--edits-per-second", "0", "--for", "300ms")
	if status != statusOK || !strings.Contains(out, "0 made") {
		t.Errorf("%d, %q, %q", status, out, stderr)
	}
}

func TestBotRefused(t *testing.T) {
	refuses(t, []string{"bot"}, []refusal{
		{[]string{"http://127.0.0.1:1", "--for", "100ms"}, "no server answered"},
		{[]string{"here"}, "like http://127.0.0.1:8080"},
		{[]string{"ftp://x"}, "like http://127.0.0.1:8080"},
		{[]string{"-n", "0"}, "--count 0"},
		{[]string{"--at", "1"}, "--at takes x,z"},
		{[]string{"--at", "1,1e300"}, "--at takes x,z"},
		{[]string{"--edits-per-second", "-1"}, "--edits-per-second -1"},
		{[]string{"--for", "-1s"}, "not negative"},
		{[]string{"--radius", "99"}, "--radius 99"},
		{[]string{"--spread", "NaN"}, "--spread NaN"},
	})
}
