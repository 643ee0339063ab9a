package shop

import "fmt"

type Till struct{ rows []int }

func (t *Till) Total(limit int) int {
	total := 0
	for _, row := range t.rows {
		if row > limit && row < 9 {
			total += row
		}
	}
	return total
}

func main() { fmt.Println(new(Till).Total(3)) }
