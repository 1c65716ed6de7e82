package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/terrane/terrane/client"
	"github.com/terrane/terrane/internal/groundcheck"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/server"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/internal/worldlog"
)

const defaultAddr = "127.0.0.1:8080"

type serveCmd struct {
	World      string `arg:"" optional:"" default:"${world}" help:"The world's file (default ${default}), made if it is not there; or a document, DOC.yaml, whose world is the file DOC.terrane beside it."`
	Addr       string `default:"${addr}" help:"Address to listen on (default ${default}); port 0 takes a free one. Whoever reaches it can dig." placeholder:"HOST:PORT"`
	ViewRadius int    `default:"8" help:"How far clients are told to see, in chunks of 32 m (default ${default})." placeholder:"N"`

	worldfile.Flags `embed:"" group:"A new world:"`
}

// Help is printed by `terrane serve --help`.
func (serveCmd) Help() string {
	return `The world is one file, which keeps everything: what the ground is made from, every edit, and who made it. Stop the
server with Ctrl-C, or kill it: an edit that was acknowledged is on the disk.

Hills to dig in, on http://127.0.0.1:8080:
  terrane serve

Other hills, in a file of their own, for the whole network:
  terrane serve --seed 7 --addr 0.0.0.0:8080 valley.terrane

The Alps, from an SRTM tile (which says itself how far apart its samples are), at a tenth of their size:
  terrane serve --heightmap N47E009.hgt --scale 0.1 alps.terrane

An island from a 16-bit image, 2 m between its pixels, black at −20 m and white at 180 m:
  terrane serve --heightmap island.png --sample-meters 2 --height-range -20,180 island.terrane

A world of your own, written in a document (terrane new --print prints one to start from):
  terrane serve valley.yaml

A world that is there is served as it is. Flags that ask for another are refused.`
}

// Run serves until it is told to stop.
func (c *serveCmd) Run(p *program) error {
	if c.ViewRadius < 1 || c.ViewRadius > 32 {
		return usage.Errorf("--view-radius %d is outside 1 … 32", c.ViewRadius)
	}
	if importer.IsDocument(c.World) {
		if c.Document != "" {
			return usage.Errorf("%s and --document %s are two documents; give one", c.World, c.Document)
		}
		c.Document = c.World
		c.World = strings.TrimSuffix(c.World, filepath.Ext(c.World)) + ".terrane"
	}
	listener, err := listen(c.Addr) // before the world is made: a taken port leaves nothing behind
	if err != nil {
		return err
	}
	store, err := p.maker().Open(c.World, c.Flags)
	if err != nil {
		listener.Close()
		return err
	}
	ctx, stop := signalContext(p.ctx)
	defer stop()
	err = c.serve(ctx, p, listener, store)
	return errors.Join(err, store.Close())
}

// serve answers requests until ctx is done.
func (c *serveCmd) serve(ctx context.Context, p *program, l net.Listener, store worldlog.Store) error {
	p.warnIfHeavy(store)
	end := p.stage("loading " + c.World)
	srv, err := server.New(ctx, server.Config{
		Store: store, Client: client.Dist(), Log: p.log,
		Version: versionName(p.version), ViewRadius: c.ViewRadius,
	})
	end()
	if err != nil {
		l.Close()
		if ctx.Err() != nil {
			return nil // stopped before it began
		}
		return usage.Errorf("cannot serve %s: %w", c.World, err)
	}
	addr := *l.Addr().(*net.TCPAddr)
	if !addr.IP.IsLoopback() {
		p.log.Warn("other machines can reach this world, and whoever does can dig in it", "address", addr.String())
	}
	if addr.IP.IsUnspecified() { // all of this machine's addresses: print one that a browser takes
		addr.IP = net.IPv4(127, 0, 0, 1)
	}
	fmt.Fprintf(p.stdout, "Serving %s on http://%s\n", c.World, &addr)
	note := context.AfterFunc(ctx, func() { p.log.Info("stopping; a second signal stops at once") })
	defer note()
	err = srv.Serve(ctx, l)
	p.log.Info("stopped", "entries", store.Head())
	return err
}

// warnIfHeavy says so if the world's graph takes long, which neither the server nor browsers bound.
func (p *program) warnIfHeavy(store worldlog.Store) {
	ground, err := replica.Terrain(p.ctx, store)
	if err != nil {
		return // which the server says
	}
	if ns := groundcheck.FillTime(ground, groundcheck.Chunk(ground)); ns >= groundcheck.HeavyChunk {
		p.log.Warn("this world is heavy: browsers will load it slowly, and edits wait for the server; terrane check says what its nodes cost",
			"chunk", time.Duration(ns).Round(time.Millisecond))
	}
}

// listen opens the address, or says what to do instead.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, usage.Errorf("%s is taken by another program (another terrane?); choose another port with --addr, like --addr 127.0.0.1:8081, or --addr 127.0.0.1:0 for any that is free", addr)
	case errors.Is(err, os.ErrPermission):
		return nil, usage.Errorf("%s may not be listened on; ports below 1024 are the system's: choose one above with --addr, like --addr 127.0.0.1:8080", addr)
	case err != nil:
		return nil, usage.Errorf("--addr %s: %w; it is HOST:PORT, like 127.0.0.1:8080", addr, err)
	}
	return l, nil
}
