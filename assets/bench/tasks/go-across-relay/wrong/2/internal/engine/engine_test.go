package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"relay/internal/clock"
	"relay/internal/config"
	"relay/internal/journal"
	"relay/internal/queue"
)

const text = `relay {
  name t
  data DATA
  journal yes
  max-body 100
}
queue work {
  store disk
  limit 5
  retry fixed first 1m attempts 3
  dead lost
  sink reject "nobody is there"
}
queue log {
  sink memory
}
queue lost {
}
rule jobs {
  match jobs.#
  to work, log
  set via t
}
rule logs {
  match logs.*
  to log
}
`

type scene struct {
	*Engine
	clock  *clock.Manual
	config *config.Config
}

func start(t *testing.T) *scene {
	t.Helper()
	c, err := config.Parse(strings.Replace(text, "DATA", filepath.Join(t.TempDir(), "data"), 1))
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{clock: clock.NewManual(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)), config: c}
	s.open(t)
	t.Cleanup(func() { s.Close() })
	return s
}

func (s *scene) open(t *testing.T) {
	t.Helper()
	e, err := New(s.config, Options{Clock: s.clock})
	if err != nil {
		t.Fatal(err)
	}
	s.Engine = e
}

func (s *scene) publish(t *testing.T, topic string) string {
	t.Helper()
	id, _, err := s.Publish(topic, nil, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (s *scene) pump(t *testing.T, want int) {
	t.Helper()
	if count, err := s.Pump(); count != want || err != nil {
		t.Fatalf("pumped %d, not %d: %v", count, want, err)
	}
}

func TestFromPublishToTheDeadQueue(t *testing.T) {
	s := start(t)
	id := s.publish(t, "jobs.a")
	s.pump(t, 2)
	for i := 0; i < 2; i++ {
		s.pump(t, 0)
		s.clock.Advance(time.Minute)
		s.pump(t, 1)
	}
	dead, err := s.Peek("lost", 9)
	if err != nil || len(dead) != 1 || dead[0].ID != id || dead[0].Headers[DeadReason] != "nobody is there" || dead[0].Headers["via"] != "t" {
		t.Fatalf("%v, %v", dead, err)
	}
	want := "[{work 0 0 0 2 1 0} {log 0 0 1 0 0 0} {lost 1 0 0 0 0 0}]"
	if got := fmt.Sprint(s.Queues()); got != want {
		t.Error(got)
	}
	if count, err := s.Requeue("lost"); count != 1 || err != nil {
		t.Error(count, err)
	}
	if back, _ := s.Peek("work", 9); len(back) != 1 || back[0].Attempts != 0 || back[0].Headers[DeadFrom] != "" {
		t.Errorf("%+v", back)
	}
}

func TestMessagesSurviveARestart(t *testing.T) {
	s := start(t)
	first := s.publish(t, "jobs.a")
	s.pump(t, 2)
	s.Close()
	s.open(t)
	if waiting, _ := s.Peek("work", 9); len(waiting) != 1 || waiting[0].ID != first || waiting[0].Attempts != 1 {
		t.Errorf("%+v", waiting)
	}
	if second := s.publish(t, "jobs.b"); second <= first {
		t.Error(second)
	}
	file, err := os.Open(filepath.Join(s.config.Relay.Data, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	report, err := journal.Check(file)
	if err != nil || report.Kinds[journal.Accepted] != 2 || report.Kinds[journal.Failed] != 1 || len(report.Problems) != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestAllQueuesOrNone(t *testing.T) {
	s := start(t)
	for i := 0; i < 5; i++ {
		s.publish(t, "jobs.a")
	}
	if _, _, err := s.Publish("jobs.a", nil, nil); !errors.Is(err, queue.ErrFull) {
		t.Error(err)
	}
	if waiting, _ := s.Peek("log", 99); len(waiting) != 5 {
		t.Error(len(waiting))
	}
}

func TestWhatIsNotTaken(t *testing.T) {
	s := start(t)
	if _, _, err := s.Publish("jobs.a", nil, make([]byte, 101)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	for _, topic := range []string{"", "a..b", "a.*", "a b"} {
		if _, _, err := s.Publish(topic, nil, nil); !errors.Is(err, ErrTopic) {
			t.Errorf("%q: %v", topic, err)
		}
	}
	s.publish(t, "other")
	if !strings.Contains(s.Metrics(), "dropped_total 1\n") {
		t.Error(s.Metrics())
	}
	if _, err := s.Purge("none"); !errors.Is(err, ErrNoQueue) {
		t.Error(err)
	}
}

func TestNextDue(t *testing.T) {
	s := start(t)
	if _, found := s.NextDue(); found {
		t.Error("something is due in an empty relay")
	}
	s.publish(t, "jobs.a")
	s.pump(t, 2)
	if due, found := s.NextDue(); !found || !due.Equal(s.clock.Now().Add(time.Minute)) {
		t.Error(due, found)
	}
}
