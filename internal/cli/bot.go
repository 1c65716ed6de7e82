package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/terrane/terrane/internal/bot"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/lattice"
)

// maxBots bounds the bots of one process: each has a few goroutines and a copy of the edits round it.
const maxBots = 1000

type botCmd struct {
	URL            string        `arg:"" optional:"" default:"http://${addr}" help:"The server (default ${default})."`
	Count          int           `short:"n" default:"1" help:"How many bots (default 1)." placeholder:"N"`
	EditsPerSecond float64       `default:"2" help:"How often each digs or builds; 0 only looks on (default 2)." placeholder:"R"`
	Edits          int           `help:"Stop after so many edits of each bot (default: go on)." placeholder:"N"`
	For            time.Duration `help:"Stop after so long, like 30s (default: go on)." placeholder:"TIME"`
	At             usage.Numbers `help:"Where they are: x,z in meters (default 0,0)." placeholder:"X,Z"`
	Spread         float64       `default:"32" help:"How far from there each edits, in meters (default 32)." placeholder:"M"`
	Radius         int           `default:"2" help:"View radius of each, in chunks (default 2)." placeholder:"N"`
	Builders       int           `default:"0" help:"Goroutines of each that build meshes; 0 keeps edits only (default 0)." placeholder:"N"`
	JSON           bool          `name:"json" help:"Print the result as one line of JSON."`
}

// Help is printed by `terrane bot --help`.
func (botCmd) Help() string {
	return `Each bot is a client like the page, less the screen: it subscribes, digs and builds, and measures how long the server
takes. It stops at Ctrl-C.

Somebody to dig with:
  terrane bot

Ten that dig fast for half a minute:
  terrane bot -n 10 --edits-per-second 10 --for 30s`
}

// Run runs the bots.
func (c *botCmd) Run(p *program) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	ctx, stop := signalContext(p.ctx)
	defer stop()
	if c.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.For)
		defer cancel()
	}
	if err := c.reach(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	start := time.Now()
	stats, errs := make([]bot.Stats, c.Count), make([]error, c.Count)
	var wait sync.WaitGroup
	for i := range c.Count {
		config := config
		config.Name = fmt.Sprintf("bot %d", i+1)
		config.Log = p.log.With("bot", i+1)
		wait.Go(func() { stats[i], errs[i] = bot.Run(ctx, config) })
	}
	wait.Wait()
	report := bot.Report{Bots: c.Count, Seconds: time.Since(start).Seconds()}
	for i, s := range stats {
		report.Add(s)
		if errs[i] != nil && !errors.Is(errs[i], context.Canceled) && !errors.Is(errs[i], context.DeadlineExceeded) {
			report.Rejected++
			p.log.Error("bot", "bot", i+1, "err", errs[i])
		}
	}
	if !slices.ContainsFunc(stats, func(s bot.Stats) bool { return s.Connects > 0 }) {
		return usage.Errorf("what answers at %s takes no clients: is it terrane serve?", c.URL)
	}
	if c.JSON {
		err = p.printJSON(report)
	} else {
		err = p.facts(report.Facts()...)
	}
	if err != nil {
		return err
	}
	if report.Rejected > 0 {
		return fmt.Errorf("%d of %d bots ended before they should: %w", report.Rejected, c.Count, errors.Join(errs...))
	}
	return nil
}

// patienceForServer is how long a server may take to answer at all.
const patienceForServer = 15 * time.Second

// reach returns an error if no server answers: bots try again and again, for one that is started anew.
func (c *botCmd) reach(ctx context.Context) error {
	first, cancel := context.WithTimeout(ctx, patienceForServer)
	defer cancel()
	r, err := http.NewRequestWithContext(first, http.MethodHead, c.URL, nil)
	if err != nil {
		return usage.Errorf("%s is no address of a server: %w", c.URL, err)
	}
	answer, err := http.DefaultClient.Do(r)
	switch {
	case err == nil:
		return answer.Body.Close()
	case errors.Is(ctx.Err(), context.Canceled):
		return nil // stopped
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return usage.Errorf("no server answered at %s: is terrane serve running there? (%w)", c.URL, err)
}

// config checks the flags and returns what all bots have in common.
func (c *botCmd) config() (bot.Config, error) {
	at := [2]float64{}
	copy(at[:], c.At)
	place, ok := lattice.PlaceAt(at[0], 0, at[1])
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return bot.Config{}, usage.Errorf("%s is no address of a server; it is like http://%s", c.URL, defaultAddr)
	case c.Count < 1 || c.Count > maxBots:
		return bot.Config{}, usage.Errorf("--count %d is outside 1 … %d", c.Count, maxBots)
	case !(c.EditsPerSecond >= 0 && c.EditsPerSecond <= 1000):
		return bot.Config{}, usage.Errorf("--edits-per-second %v is outside 0 … 1000", c.EditsPerSecond)
	case c.Edits < 0 || c.For < 0:
		return bot.Config{}, usage.Errorf("--edits and --for are not negative")
	case len(c.At) != 0 && len(c.At) != 2 || !ok:
		return bot.Config{}, usage.Errorf("--at takes x,z in meters within the world, like 100,-40")
	case !(c.Spread > 0 && c.Spread <= 1e6):
		return bot.Config{}, usage.Errorf("--spread %v is outside 0 … 1000000", c.Spread)
	case c.Radius < 1 || c.Radius > 32:
		return bot.Config{}, usage.Errorf("--radius %d is outside 1 … 32", c.Radius)
	case c.Builders < 0 || c.Builders > 64:
		return bot.Config{}, usage.Errorf("--builders %d is outside 0 … 64", c.Builders)
	}
	return bot.Config{
		URL: c.URL, Place: place, Radius: c.Radius, Builders: c.Builders,
		EditsPerSecond: c.EditsPerSecond, Edits: c.Edits, Spread: c.Spread,
	}, nil
}
