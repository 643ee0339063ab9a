package deliver

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"relay/internal/journal"
	"relay/internal/message"
	"relay/internal/queue"
	"relay/internal/retry"
)

// flaky fails so many times for each message.
type flaky struct {
	failures int
	seen     map[string]int
}

func (f *flaky) Deliver(m *message.Message) error {
	f.seen[m.ID]++
	if f.seen[m.ID] <= f.failures {
		return errors.New("busy")
	}
	return nil
}

type scene struct {
	worker *Worker
	told   []string
	buried []string
}

func newScene(failures int) *scene {
	s := &scene{}
	s.worker = &Worker{
		Name:   "q",
		Queue:  queue.NewMemory(0),
		Sink:   &flaky{failures, map[string]int{}},
		Policy: retry.Policy{Kind: retry.Fixed, First: time.Minute, Attempts: 3},
		Bury: func(m *message.Message, from, reason string) error {
			s.buried = append(s.buried, m.ID+" "+from+" "+reason)
			return nil
		},
		Tell: func(kind journal.Kind, queue, id, detail string) { s.told = append(s.told, string(kind)+" "+id) },
	}
	return s
}

var start = time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)

func (s *scene) put(ids ...string) {
	for _, id := range ids {
		if err := s.worker.Queue.Put(&message.Message{ID: id, Due: start}); err != nil {
			panic(err)
		}
	}
}

func TestFailuresAreTriedAgain(t *testing.T) {
	s := newScene(1)
	s.put("a", "b")
	for _, want := range []int{2, 0} {
		if count, err := s.worker.Drain(start); count != want || err != nil {
			t.Error(count, err)
		}
	}
	if count, err := s.worker.Drain(start.Add(time.Minute)); count != 2 || err != nil {
		t.Error(count, err)
	}
	if want := []string{"failed a", "failed b", "delivered a", "delivered b"}; !reflect.DeepEqual(s.told, want) {
		t.Error(s.told)
	}
	if waiting, out := s.worker.Queue.Len(); waiting+out != 0 {
		t.Error(waiting, out)
	}
}

func TestHopelessOnesAreGivenUp(t *testing.T) {
	s := newScene(100)
	s.put("a")
	for minute := 0; minute < 5; minute++ {
		if _, err := s.worker.Drain(start.Add(time.Duration(minute) * time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(s.buried, []string{"a q busy"}) || len(s.told) != 3 {
		t.Error(s.buried, s.told)
	}
}

func TestWithoutASinkMessagesWait(t *testing.T) {
	s := newScene(0)
	s.worker.Sink = nil
	s.put("a")
	if count, err := s.worker.Drain(start); count != 0 || err != nil {
		t.Error(count, err)
	}
}
