package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/open"
)

type repairCmd struct {
	World string `arg:"" help:"The damaged world's file."`
}

// Help is printed by `terrane repair --help`.
func (repairCmd) Help() string {
	return `Serving a damaged world is refused, since edits that people were told are safe would be missing. This command puts a
new world in its place with every entry that can still be read, and says which are lost. The damaged files are
kept beside it under another name.

  terrane repair world.terrane`
}

// Run repairs the world, unless it is whole.
func (c repairCmd) Run(p *program) error {
	store, err := open.World(c.World, true)
	if err == nil {
		head := store.Head()
		if err := store.Close(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.stdout, "%s is whole: %d entries. Nothing was changed.\n", c.World, head)
		return err
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, worldlog.ErrInUse) || errors.Is(err, worldlog.ErrNotWorld) || errors.Is(err, worldlog.ErrVersion) {
		return worldfile.OpenError(err)
	}
	p.log.Info("damaged", "err", err)
	done, err := open.Repair(c.World)
	if err != nil {
		return usage.Errorf("%w", err)
	}
	for _, d := range done.Lost {
		fmt.Fprintf(p.stdout, "lost: %v\n", d)
	}
	_, err = fmt.Fprintf(p.stdout, "%s is a new world of %d entries; the damaged one is kept as %s\n", c.World, done.Entries, done.Aside)
	return err
}
