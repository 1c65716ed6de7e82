package rows

//go:generate go run ./gen

// rowFrom returns the row of count that begins at i, or the one row that stands for all of them.
func rowFrom(rows []float32, i, count int) []float32 {
	if len(rows) == count {
		return rows
	}
	return rows[i:][:count]
}
