package lru

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A cache does what a list in order of use does.
func TestCache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.IntRange(0, 20).Draw(t, "budget")
		c := New[int, int](budget)
		type item struct{ key, value, cost int }
		var list []item // the one used least recently first
		for step := range rapid.IntRange(0, 60).Draw(t, "steps") {
			k := rapid.IntRange(0, 6).Draw(t, "key")
			i := slices.IndexFunc(list, func(it item) bool { return it.key == k })
			if rapid.Bool().Draw(t, "put") {
				it := item{k, step, rapid.IntRange(0, 12).Draw(t, "cost")}
				if c.Put(k, it.value, it.cost); i >= 0 {
					list = slices.Delete(list, i, i+1)
				}
				list = append(list, it)
			} else {
				v, ok := c.Get(k)
				if ok != (i >= 0) || ok && v != list[i].value {
					t.Fatalf("key %d: %v, %v; want index %d of %v", k, v, ok, i, list)
				}
				if ok {
					it := list[i]
					list = append(slices.Delete(list, i, i+1), it)
				}
			}
			cost := 0
			for _, it := range list {
				cost += it.cost
			}
			for cost > budget && len(list) > 1 {
				cost, list = cost-list[0].cost, list[1:]
			}
			if c.Len() != len(list) || c.Cost() != cost {
				t.Fatalf("%d values of %d; want %v", c.Len(), c.Cost(), list)
			}
		}
	})
}
