package budget

import "testing"

func TestBudget(t *testing.T) {
	var b Budget
	if b.Spend(1) || !b.Exhausted() {
		t.Error("the zero value has something left")
	}
	b.Reset(3)
	if !b.Spend(2) || b.Exhausted() {
		t.Error("2 of 3 units are too much")
	}
	if !b.Spend(100) || !b.Exhausted() || b.Spend(1) {
		t.Error("the last unit buys any piece of work, once")
	}
	b.AtLeast(2)
	if b.Exhausted() || !b.Spend(1) || !b.Spend(1) || b.Spend(1) {
		t.Error("AtLeast(2) left other than 2 units")
	}
	b.Reset(5)
	b.AtLeast(2)
	for range 5 {
		if !b.Spend(1) {
			t.Fatal("AtLeast lowered a budget")
		}
	}
}
