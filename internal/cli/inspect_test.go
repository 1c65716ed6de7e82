package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInspect(t *testing.T) {
	dir := t.TempDir()
	world := filepath.Join(dir, "a.terrane")
	if s := serve(t, "--seed", "7", world); s.stop() != statusOK {
		t.Fatal(s.stderr)
	}
	data := filepath.Join("..", "..", "ingest", "testdata")
	for _, c := range []struct {
		file string
		says []string
	}{
		{world, []string{"a world", "name         a\n", "--template hills --seed 7", "entries      0"}},
		{alps, []string{"a heightmap: SRTM .hgt, 3 arc seconds", "1201×1201 of int16", "388 … 2937 m", "62.672 × 92.766 m"}},
		{filepath.Join(data, "dem_nodata_int16.dem"), []string{"GeoTIFF, int16", "voids        96", "557880.4615 m east, 5121897 m north"}},
		{bowl, []string{"PNG, 8-bit color", "129×129", "luma"}},
		{filepath.Join(data, "southup_allnodata_720x360.tif"), []string{"all samples are void", "south side up"}},
		{filepath.Join(data, "BallBinary30x30x30.nhdr"), []string{"a volume: NRRD, int16, raw", "30×30×30", "0 … 257", "spacing      1 × 1 × 1 (the file has no unit)\n", "first sample at (0, 0, 0)\n"}},
		{filepath.Join(data, "nib_anatomical_be_int16.nii"), []string{"NIfTI-1", "2 × 2 × 2 mm, along (-2, 0, 0) and (0, 2, 0) and (0, 0, 2)", "first sample at (32, -40, -16) mm", "mirrored     yes"}},
	} {
		status, out, stderr := command("inspect", c.file)
		if status != statusOK || stderr != "" {
			t.Errorf("%s: %d, %q", c.file, status, stderr)
		}
		for _, want := range c.says {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is not in:\n%s", c.file, want, out)
			}
		}
	}
	pointer := filepath.Join(dir, "nature.vox")
	if err := os.WriteFile(pointer, []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, says := range map[string]string{
		pointer:                                 "git lfs pull",
		filepath.Join(dir, "none"):              "there is no file",
		dir:                                     dir,
		filepath.Join(data, "tiff"):             "tiff",
		filepath.Join(data, "../doc.go"):        "known are",
		filepath.Join(data, "nifti2_4d.nii.gz"): "NIfTI-2",
		filepath.Join(data, "BallBinary30x30x30.raw"): "needs the kind of its samples",
	} {
		if status, out, stderr := command("inspect", file); status != statusInput || out != "" || !strings.Contains(stderr, says) {
			t.Errorf("%s: %d, %q, %q", file, status, out, stderr)
		}
	}
}
