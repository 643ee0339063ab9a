package grading

import (
	"fmt"
	"testing"

	"night/jobs"
)

func drain(q *jobs.Queue) string {
	text := ""
	for {
		name, due, found := q.Next()
		if !found {
			return text
		}
		text += fmt.Sprintf("%s%d ", name, due)
	}
}

func TestFirstInFirstOut(t *testing.T) {
	var q jobs.Queue
	for _, name := range []string{"d", "a", "c", "b"} {
		q.Add(name, 7)
	}
	q.Add("z", 3)
	if got := drain(&q); got != "z3 d7 a7 c7 b7 " {
		t.Errorf("got %s", got)
	}
}

func TestCancelAnywhere(t *testing.T) {
	// every place of every heap of this shape
	dues := []int{1, 40, 2, 50, 60, 3, 4, 70, 80, 90, 100, 5, 6, 7, 8}
	for gone := range dues {
		var q jobs.Queue
		for i, due := range dues {
			q.Add(fmt.Sprintf("j%d-", i), due)
		}
		if !q.@@REMOVE@@(fmt.Sprintf("j%d-", gone)) || q.@@REMOVE@@(fmt.Sprintf("j%d-", gone)) {
			t.Fatalf("job %d", gone)
		}
		last, count := -1, 0
		for {
			_, due, found := q.Next()
			if !found {
				break
			}
			if due < last {
				t.Errorf("without %d: %d after %d", gone, due, last)
			}
			last = due
			count++
		}
		if count != len(dues)-1 {
			t.Errorf("without %d: %d jobs", gone, count)
		}
	}
}

func TestDelayBothWays(t *testing.T) {
	var q jobs.Queue
	for i := 1; i <= 9; i++ {
		q.Add(string(rune('a'+i-1)), i*10)
	}
	if !q.@@MOVE@@("i", 35) || !q.@@MOVE@@("a", 65) || !q.@@MOVE@@("e", 1) || q.@@MOVE@@("x", 1) {
		t.Error("wrong answer")
	}
	if got := drain(&q); got != "e1 b20 c30 i35 d40 f60 a65 g70 h80 " {
		t.Errorf("got %s", got)
	}
}

func TestDelayedGoesBehindEqualOnes(t *testing.T) {
	var q jobs.Queue
	for _, name := range []string{"a", "b", "c", "d"} {
		q.Add(name, 10)
	}
	q.Add("e", 20)
	q.@@MOVE@@("a", 20)
	q.Add("f", 20)
	q.@@MOVE@@("b", 10)
	if got := drain(&q); got != "c10 d10 b10 e20 a20 f20 " {
		t.Errorf("got %s", got)
	}
}

type entry struct {
	name string
	due  int
}

// plain does the same with a list.
type plain []entry

func (p *plain) add(name string, due int) {
	at := 0
	for at < len(*p) && (*p)[at].due <= due {
		at++
	}
	*p = append(*p, entry{})
	copy((*p)[at+1:], (*p)[at:])
	(*p)[at] = entry{name, due}
}

func (p *plain) drop(name string) bool {
	for i, e := range *p {
		if e.name == name {
			*p = append((*p)[:i], (*p)[i+1:]...)
			return true
		}
	}
	return false
}

func TestAgainstPlainList(t *testing.T) {
	var q jobs.Queue
	var p plain
	state := uint32(@@STEP@@)
	next := func(n int) int {
		state = state*1664525 + 1013904223
		return int(state>>16) % n
	}
	for step := 0; step < 4000; step++ {
		name := fmt.Sprintf("n%d", next(60))
		due := next(12)
		switch next(@@STEP@@ + 3) {
		case 0:
			got := q.@@REMOVE@@(name)
			if want := p.drop(name); got != want {
				t.Fatalf("step %d: %v", step, got)
			}
		case 1:
			got := q.@@MOVE@@(name, due)
			want := p.drop(name)
			if want {
				p.add(name, due)
			}
			if got != want {
				t.Fatalf("step %d: %v", step, got)
			}
		case 2:
			name, due, found := q.Next()
			if found != (len(p) > 0) {
				t.Fatalf("step %d: %v", step, found)
			}
			if found {
				if p[0].name != name || p[0].due != due {
					t.Fatalf("step %d: %s due %d instead of %v", step, name, due, p[0])
				}
				p.drop(name)
			}
		default:
			if q.Add(name, due) {
				p.add(name, due)
			}
		}
		if q.Len() != len(p) {
			t.Fatalf("step %d: %d jobs", step, q.Len())
		}
	}
}
