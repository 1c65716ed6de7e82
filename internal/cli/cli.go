package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/meshing"
	"github.com/terrane/terrane/internal/progress"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/raster"
)

// Exit statuses.
const (
	statusOK     = 0
	statusFailed = 1
	statusInput  = 2
)

// A program is the environment of a command: its context, streams and log.
type program struct {
	ctx     context.Context
	version string
	stdout  io.Writer
	stderr  io.Writer
	log     *slog.Logger // to standard error

	ends []func() error // see atEnd
}

// atEnd has f called when the command has run.
func (p *program) atEnd(f func() error) { p.ends = append(p.ends, f) }

// stage shows on a terminal, once it takes a while, what is being done, until the function that it returns is called.
func (p *program) stage(what string) (end func()) { return progress.Start(p.stderr, what, 0).End }

// importer returns what reads other people's files.
func (p *program) importer() importer.Importer { return importer.Importer{Log: p.log} }

// maker returns what opens and makes worlds.
func (p *program) maker() worldfile.Maker {
	return worldfile.Maker{Importer: p.importer(), Stage: p.stage}
}

// defaultWorld is the file that is served when none is named.
const defaultWorld = "world.terrane"

// grammar is the command line.
type grammar struct {
	Serve   serveCmd   `cmd:"" help:"Serve a world to browsers, making it first if it is not there."`
	New     newCmd     `cmd:"" help:"Make a world from a template or a document."`
	Check   checkCmd   `cmd:"" help:"Say whether a document is right, and what it costs."`
	Preview previewCmd `cmd:"" help:"Draw a map of a document, a template or a world."`
	Schema  schemaCmd  `cmd:"" help:"Print the JSON Schema of documents, for editors."`
	Mesh    meshCmd    `cmd:"" help:"Make a mesh of a volume, a heightmap, a world or a document."`
	Inspect inspectCmd `cmd:"" help:"Print what a file is: a world, a heightmap or a volume."`
	Repair  repairCmd  `cmd:"" help:"Keep what can be read of a damaged world."`
	Bot     botCmd     `cmd:"" help:"Put a server under load with clients without a screen."`
	Bench   benchCmd   `cmd:"" help:"Measure how fast this build is on this machine."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

const description = `A smooth, editable voxel-terrain engine and world server.

Try:  terrane serve
then open the printed address and dig.`

// runCommand runs a command. That a file which a world's ground is made of is not what it was said to be may come out
// anywhere below, as a panic: it is the world's fault.
func runCommand(run func(...any) error, p *program) (err error) {
	defer func() {
		if v := recover(); v != nil {
			broken, ok := v.(*raster.AssetError)
			if !ok {
				panic(v)
			}
			err = usage.Errorf("a file that the ground is made of: %w", broken)
		}
	}()
	return run(p)
}

// noNumber fits what the parser of flags says of words that stand for numbers.
var noNumber = regexp.MustCompile(`expected an? (?:float|valid \d+ bit u?int) but got ("[^"]*")(?: \(string\))?`)

// Run runs the command that args name until it is done or ctx is, and returns its exit status.
func Run(ctx context.Context, args []string, version string, stdout, stderr io.Writer) int {
	p := &program{ctx: ctx, version: version, stdout: stdout, stderr: stderr, log: slog.New(slog.NewTextHandler(stderr, nil))}
	exit := -1
	parser, err := kong.New(&grammar{},
		kong.Name("terrane"), kong.Description(description),
		kong.Writers(stdout, stderr),
		kong.Vars{"meshers": mesher.KindNames("or")},
		kong.Exit(func(status int) { exit = status }), // after --help
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.WithHyphenPrefixedParameters(true), // --height-range -20,400
		kong.Vars{"world": defaultWorld, "addr": defaultAddr, "box": meshing.DefaultBox, "templates": strings.Join(document.TemplateNames(), ", ")},
	)
	if err != nil {
		panic("cli: " + err.Error()) // the grammar above is wrong
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if exit >= 0 {
		return exit
	}
	if err != nil {
		help := "terrane"
		if e, ok := errors.AsType[*kong.ParseError](err); ok && e.Context.Command() != "" {
			help, _, _ = strings.Cut("terrane "+e.Context.Command(), " <")
		}
		text := noNumber.ReplaceAllString(document.Visible(err.Error()), "$1 is no number")
		fmt.Fprintf(stderr, "terrane: %s\nRun %s --help to see what it understands.\n", text, help)
		return statusInput
	}
	err = runCommand(command.Run, p)
	for _, end := range p.ends {
		err = errors.Join(err, end())
	}
	if err != nil {
		fmt.Fprintf(stderr, "terrane: %s\n", document.Visible(err.Error())) // which may quote other people's files
		if usage.Is(err) {
			return statusInput
		}
		return statusFailed
	}
	return statusOK
}
