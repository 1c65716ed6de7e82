// Package lru keeps what was used most recently, within a budget.
package lru

// A Cache holds values by key, each with a cost, and evicts those that were used least recently once the costs exceed
// its budget. The value put last stays even if it exceeds the budget alone: whoever puts one is about to use it. A Cache
// has one owner.
type Cache[K comparable, V any] struct {
	budget, cost int
	entries      map[K]*entry[K, V]
	root         entry[K, V] // of a ring: its next is the entry used most recently, its prev the one used least
}

type entry[K comparable, V any] struct {
	next, prev *entry[K, V]
	key        K
	value      V
	cost       int
}

// New returns an empty cache. A budget is in whatever unit the costs are.
func New[K comparable, V any](budget int) *Cache[K, V] {
	c := &Cache[K, V]{budget: budget, entries: make(map[K]*entry[K, V])}
	c.root.next, c.root.prev = &c.root, &c.root
	return c
}

// Get returns the value of a key, now the one used most recently. ok is false if there is none.
func (c *Cache[K, V]) Get(k K) (value V, ok bool) {
	e := c.entries[k]
	if e == nil {
		return value, false
	}
	e.unlink()
	c.link(e)
	return e.value, true
}

// Put sets the value of a key and its cost, and evicts others as needed.
func (c *Cache[K, V]) Put(k K, v V, cost int) {
	if old := c.entries[k]; old != nil {
		c.remove(old)
	}
	e := &entry[K, V]{key: k, value: v, cost: cost}
	c.entries[k] = e
	c.link(e)
	for c.cost += cost; c.cost > c.budget && c.root.prev != e; {
		c.remove(c.root.prev)
	}
}

// Len returns the number of values.
func (c *Cache[K, V]) Len() int { return len(c.entries) }

// Cost returns the sum of their costs.
func (c *Cache[K, V]) Cost() int { return c.cost }

func (c *Cache[K, V]) remove(e *entry[K, V]) {
	e.unlink()
	delete(c.entries, e.key)
	c.cost -= e.cost
}

func (c *Cache[K, V]) link(e *entry[K, V]) {
	e.prev, e.next = &c.root, c.root.next
	e.prev.next, e.next.prev = e, e
}

func (e *entry[K, V]) unlink() { e.prev.next, e.next.prev = e.next, e.prev }
