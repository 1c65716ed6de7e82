package brick

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

// dense returns a brick whose samples are all edited.
func dense(id lattice.Brick) *Brick {
	changes := make([]change, MaxLen)
	for i := range changes {
		changes[i] = change{uint16(i), float32(i)*0.37 - 5000}
	}
	return (*Brick)(nil).withDensities(id, changes)
}

// paintedAll returns b with every sample painted.
func paintedAll(b *Brick) *Brick {
	changes := make([]change, MaxLen)
	for i := range changes {
		changes[i] = change{uint16(i), float32(i % 200)}
	}
	return b.withMaterials(b.id, changes)
}

// sealed returns data with the checksum that it should have.
func sealed(data []byte) []byte {
	body := data[:len(data)-crcSize]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, castagnoli))
}

// small is the encoding of a brick with two samples, −1.5 at 2, 1, 3 and 0.25 at 31, 1, 3, by hand.
const small = "5452424b" + "01020000" + "ffffffff" + "00000000" + "07000000" + // magic, version, level, number
	"02000000" + // samples
	"08000000" + "02000000" + "04000080" + // layer 3, row 1, samples 2 and 31
	"0000" + "0000" + "c080" + "bf3e" + // −1.5 = bfc00000, 0.25 = 3e800000, by planes
	"1f0e3f3a"

func TestEncoding(t *testing.T) {
	id := lattice.Brick{X: -1, Y: 0, Z: 7, Level: 2}
	b := (*Brick)(nil).withDensities(id, []change{{3*rows + side + 2, -1.5}, {3*rows + side + 31, 0.25}})
	got := hex.EncodeToString(b.AppendBinary(nil))
	if got[:len(got)-8] != small[:len(small)-8] {
		t.Errorf("encodes as\n%s, want\n%s", got, small)
	}
	if v, ok := b.At(id.Origin().Add(31<<2, 1<<2, 3<<2)); !ok || v != 0.25 {
		t.Errorf("last sample is %v, %v", v, ok)
	}
	for _, s := range []lattice.Sample{{X: 30 << 2, Y: 1 << 2, Z: 3 << 2}, {X: 31<<2 + 1, Y: 1 << 2, Z: 3 << 2}, {X: 63 << 2, Y: 1 << 2, Z: 3 << 2}} {
		if v, ok := b.At(id.Origin().Add(s.X, s.Y, s.Z)); ok {
			t.Errorf("%v from the corner is %v", s, v)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	l := edited(1, 1, 50)
	full := lattice.Brick{X: 9, Y: 9, Z: 9, Level: 1}
	l.Put(paintedAll(dense(full)))
	largest := 0
	for id, b := range l.All() {
		data := b.AppendBinary([]byte("head"))[4:]
		largest = max(largest, len(data))
		got, err := Parse(data)
		if err != nil || got.ID() != id {
			t.Fatalf("%v reads as %v, %v", id, got, err)
		}
		if got.hash != b.hash || got.bounds != b.bounds || got.density.mask != b.density.mask || got.density.start != b.density.start {
			t.Errorf("%v reads differently", id)
		}
		if again := got.AppendBinary(nil); !bytes.Equal(again, data) {
			t.Errorf("%v has two encodings", id)
		}
	}
	if largest != MaxEncoded {
		t.Errorf("a dense brick takes %d bytes, MaxEncoded is %d", largest, MaxEncoded)
	}
}

// TestGoldenBrick holds the encoding of a dug ball: a change of it needs a new version of the format.
func TestGoldenBrick(t *testing.T) {
	l := NewLayer(testground.Ground{Height: 16.5}, 0)
	l.Apply(testground.Ball(edit.Dig, 3, 0, testground.Place(16, 16, 16, 0, 0.5, 0)))
	b := l.Brick(lattice.Brick{})
	data := b.AppendBinary(nil)
	const want = "135a1c52f692c2e05eaf31cedb9d071229cd720289d1c0286d19a282968ef27d"
	if got := hex.EncodeToString(sha256Of(data)); got != want {
		t.Errorf("%d samples, %d bytes, content %s, want %s", b.Len(), len(data), got, want)
	}
	if want := uint64(0x2f096dcbdbaadbe8); b.Hash() != want {
		t.Errorf("hash %#x, want %#x", b.Hash(), want)
	}
}

func sha256Of(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

func TestParseRefuses(t *testing.T) {
	id := lattice.Brick{X: -1, Y: 0, Z: 7, Level: 2}
	good := (*Brick)(nil).withDensities(id, []change{{3*rows + side + 2, -1.5}, {3*rows + side + 31, 0.25}}).AppendBinary(nil)
	with := func(at int, b ...byte) []byte {
		data := bytes.Clone(good)
		copy(data[at:], b)
		return sealed(data)
	}
	values := func(v float32) []byte {
		data := bytes.Clone(good)
		for i := range 4 {
			data[36+2*i] = byte(math.Float32bits(v) >> (8 * i))
		}
		return sealed(data)
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, ErrCorrupt},
		{"magic", with(0, 'X'), ErrCorrupt},
		{"version", with(4, 3), ErrVersion},
		{"level", with(5, lattice.MaxLevel+1), ErrCorrupt},
		{"reserved", with(7, 1), ErrCorrupt},
		{"outside the lattice", with(8, 0, 0, 0, 0x70), ErrCorrupt},
		{"no samples", with(20, 0), ErrCorrupt},
		{"too few samples", with(20, 1), ErrCorrupt},
		{"too many samples", with(20, 3), ErrCorrupt},
		{"no layers", with(24, 0), ErrCorrupt},
		{"more layers", with(24, 0x18), ErrCorrupt},
		{"empty layer", with(28, 0), ErrCorrupt},
		{"empty row", with(32, 0, 0, 0, 0), ErrCorrupt},
		{"more bits", with(32, 5), ErrCorrupt},
		{"NaN", values(float32(math.NaN())), ErrCorrupt},
		{"infinity", values(float32(math.Inf(1))), ErrCorrupt},
		{"negative infinity", values(float32(math.Inf(-1))), ErrCorrupt},
		{"minus zero", values(float32(math.Copysign(0, -1))), ErrCorrupt},
		{"bytes after it", sealed(append(bytes.Clone(good), 0)), ErrCorrupt},
		{"too long", make([]byte, MaxEncoded+1), ErrTooLarge},
	} {
		if b, err := Parse(c.data); !errors.Is(err, c.want) || b != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	for _, v := range []float32{0, math.SmallestNonzeroFloat32, -math.MaxFloat32} {
		if _, err := Parse(values(v)); err != nil {
			t.Errorf("value %v: %v", v, err)
		}
	}
	for n := range good {
		if _, err := Parse(good[:n]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
		flipped := bytes.Clone(good)
		flipped[n] ^= 1 << (n % 8)
		if _, err := Parse(flipped); err == nil {
			t.Errorf("bit %d of byte %d flipped unnoticed", n%8, n)
		}
	}
}

func FuzzParse(f *testing.F) {
	seed, _ := hex.DecodeString(small)
	f.Add(sealed(seed))
	for _, b := range edited(2, 0, 4).All() {
		f.Add(b.AppendBinary(nil))
	}
	f.Add(dense(lattice.Brick{}).AppendBinary(nil))
	for id, b := range edited(2, 0, 1).All() {
		f.Add(b.withMaterials(id, []change{{7, 3}, {9000, 255}}).AppendBinary(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= crcSize {
			data = sealed(data) // a checksum would keep the fuzzer out
		}
		b, err := Parse(data)
		if err != nil {
			return
		}
		id := b.ID()
		if got := b.AppendBinary(nil); !bytes.Equal(got, data) {
			t.Fatalf("%x reads as %v and writes %x", data, id, got)
		}
		n, painted, hash := 0, 0, uint64(0)
		for at := range MaxLen {
			s := b.sample(uint16(at))
			if v, ok := b.At(s); ok {
				n, hash = n+1, hash^mix(s, id.Level, math.Float32bits(v))
			}
			if m, ok := b.Material(s); ok {
				painted, hash = painted+1, hash^mix(s, id.Level, materialBits(m))
			}
		}
		if n != b.Len() || painted != b.Painted() || hash != b.Hash() {
			t.Fatalf("%d samples with hash %x, want %d, %x", b.Len(), b.Hash(), n, hash)
		}
	})
}

// TestMix flips every bit that goes into a sample's hash: about half of the result's bits must flip, and none
// may always or never.
func TestMix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const rounds, inputs = 2000, 3*32 + 4 + 32
	for in := range inputs {
		var flips [64]int
		total := 0
		for range rounds {
			s := lattice.Sample{X: r.Int32N(200) - 100, Y: r.Int32N(200) - 100, Z: r.Int32N(200) - 100}
			level, v := uint8(r.IntN(12)), math.Float32bits(r.Float32()*8-4)
			h := mix(s, level, v)
			switch {
			case in < 32:
				s.X ^= 1 << in
			case in < 64:
				s.Y ^= 1 << (in - 32)
			case in < 96:
				s.Z ^= 1 << (in - 64)
			case in < 100:
				level ^= 1 << (in - 96)
			default:
				v ^= 1 << (in - 100)
			}
			d := h ^ mix(s, level, v)
			total += bits.OnesCount64(d)
			for i := range flips {
				flips[i] += int(d >> i & 1)
			}
		}
		if mean := float64(total) / rounds; mean < 31 || mean > 33 {
			t.Errorf("input bit %d flips %.2f bits of 64", in, mean)
		}
		for i, n := range flips {
			if n < rounds*2/5 || n > rounds*3/5 {
				t.Errorf("input bit %d flips bit %d in %d of %d", in, i, n, rounds)
			}
		}
	}
}
