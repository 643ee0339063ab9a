package jobs

import (
	"reflect"
	"testing"
)

func drain(q *Queue) []string {
	var names []string
	for {
		name, _, found := q.Next()
		if !found {
			return names
		}
		names = append(names, name)
	}
}

func TestInOrder(t *testing.T) {
	var q Queue
	q.Add("mail", 20)
	q.Add("backup", 10)
	q.Add("report", 20)
	if q.Add("mail", 5) {
		t.Error("mail was added twice")
	}
	if got := drain(&q); !reflect.DeepEqual(got, []string{"backup", "mail", "report"}) {
		t.Errorf("got %v", got)
	}
}

func TestTakingOneOut(t *testing.T) {
	var q Queue
	for i, due := range []int{0, 50, 10, 60, 55, 20, 25, 70, 75, 56} {
		q.Add(string(rune('a'+i)), due)
	}
	q.@@REMOVE@@("e")
	q.@@REMOVE@@("d")
	q.Add("k", 57)
	q.@@REMOVE@@("h")
	if q.Len() != 8 {
		t.Errorf("%d left", q.Len())
	}
	if got := drain(&q); !reflect.DeepEqual(got, []string{"a", "c", "f", "g", "b", "j", "k", "i"}) {
		t.Errorf("got %v", got)
	}
}

func TestAnotherTime(t *testing.T) {
	var q Queue
	q.Add("a", 10)
	q.Add("b", 20)
	q.Add("c", 30)
	q.@@MOVE@@("c", 5)
	if got := drain(&q); len(got) != 3 {
		t.Errorf("got %v", got)
	}
}
