package meshing

import (
	"fmt"
	"slices"

	"github.com/terrane/terrane/internal/progress"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// Options say what to make a mesh of, and how. They are the flags of terrane mesh for its input.
type Options struct {
	Input   string   `arg:"" help:"A volume, a heightmap, a world or a document; - is standard input."`
	Name    string   `help:"What to take standard input for, where its content does not say, like x_256x256x128_uint8.raw." placeholder:"FILE"`
	Iso     string   `default:"auto" help:"Value of a volume's surface, above which it is solid; auto parts the values in two (Otsu) and prints where (default auto)." placeholder:"V"`
	Mesher  string   `default:"marching" help:"For volumes: ${meshers} (default marching)." placeholder:"NAME"`
	Cap     bool     `help:"For volumes: close the surface where it leaves the volume, as though the lowest value lay all around."`
	Base    *float64 `help:"For heightmaps: make a solid block down to this height, for printing." placeholder:"Z"`
	Scale   *float64 `help:"For heightmaps: enlarge heights, not distances (default 1)." placeholder:"S"`
	Nodata  string   `default:"hole" help:"For heightmaps: leave samples without a height out (hole), fill them from their neighbors (fill), or give them this height (default hole)." placeholder:"hole|fill|V"`
	Crop    string   `help:"Part to read, in samples as inspect counts them, ends not included: columns and rows of a heightmap from its northwest corner, like 100:300,0:200, or the three axes of a volume, like 10:90,:,40:." placeholder:"X0:X1,Y0:Y1[,Z0:Z1]"`
	Box     string   `default:"${box}" help:"For worlds and documents: the part to make, in meters along x and z, or along x, y and z; every chunk of 32 m that it touches is made (default ${default})." placeholder:"X0:X1[,Y0:Y1],Z0:Z1"`
	Max     int      `name:"max-samples" help:"How many samples are read (default: as the memory allows, of heightmaps at most 16777216). Of a larger GeoTIFF an overview is." placeholder:"N"`
	Dims    string   `help:"Size of a file without a header, where its name does not say: columns and rows of a heightmap, or the three axes of a volume, the fastest first." placeholder:"X,Y[,Z]"`
	Type    string   `help:"Kind of its samples: int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32 or float64." placeholder:"KIND"`
	Endian  string   `default:"auto" help:"Its byte order: little, big, or auto, which is the one that looks more like measurements (default auto)." placeholder:"ORDER"`
	Threads int      `help:"Threads that march through a volume (default: one for each core)." placeholder:"N"`
}

// A Report is the result of terrane mesh, and its JSON.
type Report struct {
	Input       string   `json:"input"`
	Output      string   `json:"output"`
	Format      string   `json:"format"` // of the input
	Dims        []int    `json:"dims"`
	Low         float32  `json:"low"`
	High        float32  `json:"high"`
	Voids       int      `json:"nans"`
	Iso         *float32 `json:"iso,omitempty"`
	Unit        string   `json:"unit,omitempty"` // of lengths
	Triangles   int      `json:"triangles"`
	Vertices    int      `json:"vertices"`
	Closed      bool     `json:"closed"`             // every edge borders two triangles
	Open        int      `json:"open_edges"`         // those that border one
	NonManifold int      `json:"non_manifold_edges"` // those that border more than two
	Volume      *float64 `json:"volume,omitempty"`   // that it encloses, in the unit cubed
	Seconds     float64  `json:"seconds"`
	Notes       []string `json:"notes,omitempty"` // what had to be decided
}

// Make makes the mesh of what was read.
func (c *Options) Make(p Env, from Source, report *Report) (Part, error) {
	defer progress.Start(p.Stderr, "meshing "+from.Name, 0).End()
	made, err := Part{}, error(nil)
	if g := from.ground; g != nil {
		made, err = c.meshGround(p, g, report)
	} else if v := from.volume; v != nil {
		report.Format, report.Dims, report.Unit, report.Notes = v.Format, []int{v.NX, v.NY, v.NZ}, v.Unit, v.Notes
		report.Low, report.High, report.Voids, _ = v.Range()
		if report.Voids > 0 {
			report.Notes = append(report.Notes, fmt.Sprintf("%d of %d samples are NaN, which counts as air", report.Voids, len(v.Samples)))
		}
		made, err = c.meshVolume(p, v, report)
	} else {
		h := from.heights
		report.Format, report.Dims, report.Notes = h.Format, []int{h.Width, h.Height}, h.Notes
		report.Low, report.High, report.Voids, _ = h.Range()
		if h.MetersX > 0 {
			report.Unit = "m"
		}
		if report.Voids > 0 {
			does := map[string]string{"hole": "are left out", "fill": "get one from their neighbors"}[c.Nodata]
			if does == "" {
				does = "get " + c.Nodata
			}
			report.Notes = append(report.Notes, fmt.Sprintf("%d of %d samples have no height and %s", report.Voids, len(h.Values), does))
		}
		made, err = c.meshHeights(h)
	}
	return made, err
}

// Measure reports what there is to know about a mesh.
func (c *Options) Measure(m *mesh.Mesh, report *Report) error {
	facts, err := c.stats(m)
	if err != nil {
		return fmt.Errorf("the mesh of %s: %w", c.Input, err)
	}
	report.Triangles, report.Vertices, report.Closed = facts.Triangles, m.Vertices(), facts.Closed()
	report.Open, report.NonManifold = facts.Open, facts.NonManifold
	if facts.Open == 0 && facts.Balanced() {
		report.Volume = &facts.Volume
	}
	return nil
}

// stats returns the statistics of a mesh. Where a mesher shares no vertices, so that edges are sharp,
// whether it is closed shows once equal positions are one vertex.
func (c *Options) stats(m *mesh.Mesh) (mesh.Stats, error) {
	if kind, err := mesher.ParseKind(c.Mesher); err == nil && !kind.SharesVertices() {
		m = &mesh.Mesh{Positions: slices.Clone(m.Positions), Indices: slices.Clone(m.Indices)}
		m.Weld()
	}
	return m.Check()
}

// Check refuses what is wrong whatever the input is, before it is read.
func (c *Options) Check() error {
	if c.Threads < 0 || c.Threads > MaxThreads {
		return usage.Errorf("--threads %d is outside 0 … %d", c.Threads, MaxThreads)
	}
	if _, err := mesher.ParseKind(c.Mesher); err != nil {
		return usage.Errorf("--mesher %s is none of %s", c.Mesher, mesher.KindNames("and"))
	}
	return nil
}
