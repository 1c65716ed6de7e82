package usage

import (
	"fmt"
	"strconv"
	"strings"
)

// Numbers are one number or more, with commas between them.
type Numbers []float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *Numbers) UnmarshalText(text []byte) error {
	for word := range strings.SplitSeq(string(text), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return fmt.Errorf("%q is no number", word)
		}
		*n = append(*n, v)
	}
	return nil
}

// Params are parameters of a document with their values.
type Params map[string]string

// UnmarshalText implements encoding.TextUnmarshaler. It is called for each --set.
func (p *Params) UnmarshalText(text []byte) error {
	name, value, ok := strings.Cut(string(text), "=")
	if !ok {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	if *p == nil {
		*p = Params{}
	}
	(*p)[name] = value
	return nil
}
