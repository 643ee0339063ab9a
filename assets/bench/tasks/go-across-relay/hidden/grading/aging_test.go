package grading

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"relay/internal/admin"
	"relay/internal/clock"
	"relay/internal/config"
	"relay/internal/engine"
	"relay/internal/journal"
	"relay/internal/message"
	"relay/internal/replay"
	"relay/internal/sink"
)

const text = `relay {
  name t
  data DATA
  journal yes
}
queue labels {
  store disk
  retry fixed first 4m attempts 0
  dead late
  @@KEY@@ @@AGE@@m
  sink reject "paper jam"
}
queue plain {
  @@KEY@@ @@AGE@@m
  sink reject "paper jam"
}
queue zero {
  @@KEY@@ 0s
  sink memory
}
queue late {
  store disk
}
rule labels {
  match labels.#
  to labels
}
rule plain {
  match plain.#
  to plain
}
rule zero {
  match zero
  to zero
}
`

const age = @@AGE@@ * time.Minute

// printer takes messages unless it is jammed.
type printer struct {
	jammed bool
	took   []string
	asked  int
}

func (p *printer) Deliver(m *message.Message) error {
	p.asked++
	if p.jammed {
		return errors.New("paper jam")
	}
	p.took = append(p.took, m.Topic)
	return nil
}

type scene struct {
	*engine.Engine
	t       *testing.T
	clock   *clock.Manual
	config  *config.Config
	printer *printer
}

func start(t *testing.T) *scene {
	t.Helper()
	c, err := config.Parse(strings.Replace(text, "DATA", filepath.Join(t.TempDir(), "data"), 1))
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, clock: clock.NewManual(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)), config: c, printer: &printer{}}
	s.open()
	t.Cleanup(func() { s.Close() })
	return s
}

func (s *scene) open() {
	s.t.Helper()
	e, err := engine.New(s.config, engine.Options{Clock: s.clock, Sinks: func(c config.Sink) (sink.Sink, error) {
		if c.Kind == "discard" {
			return nil, nil
		}
		return s.printer, nil
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.Engine = e
}

func (s *scene) publish(topic string) string {
	s.t.Helper()
	id, _, err := s.Publish(topic, map[string]string{"a": "b"}, []byte("x"))
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

func (s *scene) pump() {
	s.t.Helper()
	if _, err := s.Pump(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) waiting(name string, want int) []*message.Message {
	s.t.Helper()
	all, err := s.Peek(name, 99)
	if err != nil || len(all) != want {
		s.t.Fatalf("%d wait in %s, not %d: %v", len(all), name, want, err)
	}
	return all
}

func (s *scene) answer(command string) string {
	s.t.Helper()
	var out strings.Builder
	if err := admin.New(s.Engine, s.clock, &out).Do(command); err != nil {
		s.t.Fatal(err)
	}
	return out.String()
}

func TestYoungOnesAreDelivered(t *testing.T) {
	s := start(t)
	s.publish("labels.a")
	s.clock.Advance(age - time.Millisecond)
	s.pump()
	if len(s.printer.took) != 1 {
		t.Error(s.printer.took)
	}
	s.waiting("late", 0)
}

func TestOldOnesAreNot(t *testing.T) {
	s := start(t)
	id := s.publish("labels.a")
	s.clock.Advance(time.Minute)
	s.publish("labels.b")
	s.clock.Advance(age - time.Minute)
	s.pump()
	if strings.Join(s.printer.took, " ") != "labels.b" || s.printer.asked != 1 {
		t.Error(s.printer.took)
	}
	m := s.waiting("late", 1)[0]
	if m.ID != id || m.Headers[engine.DeadFrom] != "labels" || m.Headers[engine.DeadReason] != "@@REASON@@" || m.Headers["a"] != "b" {
		t.Errorf("%+v", m)
	}
	s.waiting("labels", 0)
	s.clock.Advance(100 * time.Hour)
	s.pump()
	s.waiting("late", 1)
}

func TestAgeCountsThroughFailuresAndRestarts(t *testing.T) {
	s := start(t)
	s.printer.jammed = true
	s.publish("labels.a")
	s.pump()
	s.clock.Advance(4 * time.Minute)
	s.pump()
	if m := s.waiting("labels", 1)[0]; m.Attempts != 2 {
		t.Errorf("%+v", m)
	}
	s.Close()
	s.open()
	s.clock.Advance(age - 4*time.Minute)
	s.pump()
	// It is due only four minutes after the last attempt.
	s.clock.Advance(4 * time.Minute)
	s.pump()
	s.waiting("late", 1)
	s.waiting("labels", 0)
	if s.printer.asked != 2 {
		t.Error(s.printer.asked)
	}
}

func TestWithoutADeadQueueTheyAreThrownAway(t *testing.T) {
	s := start(t)
	s.publish("plain.a")
	s.clock.Advance(2 * age)
	s.pump()
	s.waiting("plain", 0)
	s.waiting("late", 0)
	if s.printer.asked != 0 || !strings.Contains(s.answer("queues"), "plain waiting=0 delivered=0 failed=0 dead=0 @@EVENT@@=1\n") {
		t.Error(s.answer("queues"))
	}
}

func TestRequeuedOnesBeginAnew(t *testing.T) {
	s := start(t)
	s.publish("labels.a")
	s.clock.Advance(age)
	s.pump()
	s.clock.Advance(time.Hour)
	if count, err := s.Requeue("late"); count != 1 || err != nil {
		t.Fatal(count, err)
	}
	s.Close()
	s.open()
	s.clock.Advance(age - time.Second)
	s.pump()
	if len(s.printer.took) != 1 {
		t.Error("it was not delivered")
	}
	s.publish("labels.b")
	s.clock.Advance(age)
	s.pump()
	s.Requeue("late")
	s.clock.Advance(age)
	s.pump()
	s.waiting("late", 1)
}

func TestTheyAreCounted(t *testing.T) {
	s := start(t)
	s.publish("labels.a")
	s.publish("labels.b")
	s.clock.Advance(age)
	s.pump()
	s.publish("labels.c")
	s.pump()
	want := "labels waiting=0 delivered=1 failed=0 dead=0 @@EVENT@@=2\nplain waiting=0 delivered=0 failed=0 dead=0 @@EVENT@@=0\n" +
		"zero waiting=0 delivered=0 failed=0 dead=0 @@EVENT@@=0\nlate waiting=2 delivered=0 failed=0 dead=0 @@EVENT@@=0\n"
	if got := s.answer("queues"); got != want {
		t.Error(got)
	}
	metrics := s.Metrics()
	if !strings.Contains(metrics, "\n@@EVENT@@_total{queue=\"labels\"} 2\n") || !strings.Contains(metrics, "# @@EVENT@@_total ") || strings.Contains(metrics, "dead_total{") {
		t.Error(metrics)
	}
}

func TestTheJournalHasThem(t *testing.T) {
	s := start(t)
	id := s.publish("labels.a")
	s.clock.Advance(age)
	s.pump()
	s.publish("labels.b")
	s.pump()
	s.Close()
	path := filepath.Join(s.config.Relay.Data, "journal")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	report, err := journal.Check(strings.NewReader(string(text)))
	if err != nil || len(report.Problems) != 0 || report.Kinds["@@EVENT@@"] != 1 || report.Kinds[journal.Dead] != 0 || report.Records != 4 {
		t.Errorf("%+v, %v", report, err)
	}
	records, err := journal.Read(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Kind == "@@EVENT@@" && (r.Queue != "labels" || r.ID != id) {
			t.Errorf("%+v", r)
		}
	}
	if fates := replay.Run(s.config, records); len(fates) != 2 {
		t.Error(len(fates))
	}
	// The journal can be gone on with.
	s.open()
	s.publish("labels.c")
	s.Close()
	text, _ = os.ReadFile(path)
	if report, err := journal.Check(strings.NewReader(string(text))); err != nil || len(report.Problems) != 0 || report.Last != 5 {
		t.Errorf("%+v, %v", report, err)
	}
	s.open()
}

func TestTheSettingIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		"queue a {\n  @@KEY@@ soon\n}\n":  `line 2: "soon" is no duration`,
		"queue a {\n\n  @@KEY@@ -3m\n}\n": `line 3: "-3m" is no duration`,
	} {
		if _, err := config.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := config.Parse("queue a {\n  @@KEY@@ 1h30m\n}\n"); err != nil {
		t.Error(err)
	}
}

func TestWithoutTheSettingNothingChanges(t *testing.T) {
	without := strings.ReplaceAll(text, "  @@KEY@@ @@AGE@@m\n", "")
	c, err := config.Parse(strings.Replace(strings.ReplaceAll(without, "  @@KEY@@ 0s\n", ""), "DATA", filepath.Join(t.TempDir(), "data"), 1))
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, clock: clock.NewManual(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)), config: c, printer: &printer{jammed: true}}
	s.open()
	defer s.Close()
	s.publish("labels.a")
	s.publish("plain.a")
	s.pump()
	s.clock.Advance(1000 * time.Hour)
	s.pump()
	if s.printer.asked != 4 {
		t.Error(s.printer.asked)
	}
	s.waiting("labels", 1)
	s.waiting("late", 0)
	metrics := s.Metrics()
	if !strings.Contains(metrics, `failed_total{queue="labels"} 2`) {
		t.Error(metrics)
	}
}
