package grading

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
	"relay/internal/engine"
	"relay/internal/message"
	"relay/internal/queue"
	"relay/internal/sink"
)

var start = time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)

type night struct {
	*queue.Disk
	t    *testing.T
	path string
}

func open(t *testing.T) *night {
	t.Helper()
	n := &night{t: t, path: filepath.Join(t.TempDir(), "q.queue")}
	n.reopen()
	t.Cleanup(func() { n.Close() })
	return n
}

func (n *night) reopen() {
	n.t.Helper()
	if n.Disk != nil {
		n.Close()
	}
	q, err := queue.OpenDisk(n.path, 0)
	if err != nil {
		n.t.Fatal(err)
	}
	n.Disk = q
}

func (n *night) put(id string) {
	n.t.Helper()
	m := &message.Message{ID: id, Topic: "jobs." + id, Body: []byte("body of\n" + id), Headers: map[string]string{"for": id}, Born: start, Due: start}
	if err := n.Put(m); err != nil {
		n.t.Fatal(err)
	}
}

func (n *night) fail(now, due time.Time) string {
	n.t.Helper()
	m, found := n.Next(now)
	if !found {
		n.t.Fatal("nothing is due")
	}
	if err := n.Retry(m.ID, due); err != nil {
		n.t.Fatal(err)
	}
	return m.ID
}

// busy puts in and delivers many other messages.
func (n *night) busy(count int) {
	n.t.Helper()
	for i := 0; i < count; i++ {
		n.put(fmt.Sprintf("other-%d", i))
		m, found := n.Next(start)
		if !found || n.Ack(m.ID) != nil {
			n.t.Fatal("the other message is not there")
		}
	}
}

func (n *night) only(id string) *message.Message {
	n.t.Helper()
	all := n.Peek(9)
	if len(all) != 1 || all[0].ID != id {
		n.t.Fatalf("%d messages", len(all))
	}
	return all[0]
}

func TestAttemptsAreKept(t *testing.T) {
	n := open(t)
	n.put("stuck")
	for i := 0; i < 3; i++ {
		n.fail(start.Add(time.Hour*time.Duration(i)), start.Add(time.Hour*time.Duration(i+1)))
		n.busy(100)
	}
	n.reopen()
	if m := n.only("stuck"); m.Attempts != 3 {
		t.Errorf("%d attempts", m.Attempts)
	}
	n.fail(start.Add(3*time.Hour), start.Add(4*time.Hour))
	n.busy(150)
	n.reopen()
	n.reopen()
	if m := n.only("stuck"); m.Attempts != 4 {
		t.Errorf("%d attempts", m.Attempts)
	}
}

func TestPausesAreKept(t *testing.T) {
	n := open(t)
	n.put("stuck")
	due := start.Add(@@HOURS@@ * time.Hour)
	n.fail(start, due)
	n.busy(200)
	n.reopen()
	if m, found := n.Next(due.Add(-time.Second)); found {
		t.Errorf("%s is given out too early", m.ID)
	}
	if next, found := n.NextDue(); !found || !next.Equal(due) {
		t.Error(next)
	}
	if m, found := n.Next(due); !found || m.ID != "stuck" {
		t.Error("it isn't given out at all")
	}
}

func TestBrokenDevicesEndInTheDeadQueue(t *testing.T) {
	text, err := os.ReadFile("../conf/device.conf")
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Parse(strings.Replace(string(text), "./data", filepath.Join(t.TempDir(), "data"), 1))
	if err != nil {
		t.Fatal(err)
	}
	now := clock.NewManual(start)
	tries := 0
	options := engine.Options{Clock: now, Sinks: func(s config.Sink) (sink.Sink, error) {
		if s.Kind != "reject" {
			return nil, nil
		}
		return deliverer(func(m *message.Message) error {
			if m.Topic == "jobs.stuck" {
				tries++
				return errors.New("broken")
			}
			return nil
		}), nil
	}}
	for day := 0; day < @@TRIES@@; day++ {
		e, err := engine.New(c, options)
		if err != nil {
			t.Fatal(err)
		}
		if day == 0 {
			if _, _, err := e.Publish("jobs.stuck", nil, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		for i := 0; i < 100; i++ {
			if _, err := e.Pump(); err != nil {
				t.Fatal(err)
			}
			if _, _, err := e.Publish("jobs.fine", nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := e.Pump(); err != nil {
			t.Fatal(err)
		}
		e.Close()
		now.Advance(@@HOURS@@ * time.Hour)
	}
	e, err := engine.New(c, options)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	dead, err := e.Peek("given-up", 9)
	if err != nil || len(dead) != 1 || dead[0].Topic != "jobs.stuck" || tries != @@TRIES@@ {
		t.Errorf("%d given up after %d tries, %v", len(dead), tries, err)
	}
	if left, _ := e.Peek("@@DEVICE@@", 9); len(left) != 0 {
		t.Errorf("%d are left", len(left))
	}
}

type deliverer func(m *message.Message) error

func (d deliverer) Deliver(m *message.Message) error { return d(m) }

func TestQuietQueuesAreAsBefore(t *testing.T) {
	n := open(t)
	n.put("stuck")
	n.fail(start, start.Add(time.Hour))
	n.fail(start.Add(time.Hour), start.Add(2*time.Hour))
	n.reopen()
	if m := n.only("stuck"); m.Attempts != 2 || !m.Due.Equal(start.Add(2*time.Hour)) {
		t.Errorf("%+v", m)
	}
	m, _ := n.Next(start.Add(2 * time.Hour))
	if err := n.Release(m.ID); err != nil {
		t.Fatal(err)
	}
	if m := n.only("stuck"); m.Attempts != 2 {
		t.Errorf("%+v", m)
	}
}

func TestOrderAndContentsAreKept(t *testing.T) {
	n := open(t)
	want := ""
	for i := 0; i < 40; i++ {
		n.put(fmt.Sprintf("m%02d", i))
		want += fmt.Sprintf(" m%02d", i)
	}
	var out []string
	for i := 0; i < 40; i++ {
		m, _ := n.Next(start)
		out = append(out, m.ID)
	}
	n.busy(200)
	for _, id := range out {
		if err := n.Release(id); err != nil {
			t.Fatal(err)
		}
	}
	n.busyBehind(200)
	n.reopen()
	got := ""
	for _, m := range n.Peek(99) {
		got += " " + m.ID
		if string(m.Body) != "body of\n"+m.ID || m.Headers["for"] != m.ID || m.Topic != "jobs."+m.ID || !m.Born.Equal(start) {
			t.Errorf("%+v", m)
		}
	}
	if got != want {
		t.Error(got)
	}
}

// busyBehind delivers others while older ones wait: all are given out, and the
// older ones are given back.
func (n *night) busyBehind(count int) {
	n.t.Helper()
	for i := 0; i < count; i++ {
		id := fmt.Sprintf("late-%d", i)
		n.put(id)
		var back []string
		for {
			m, found := n.Next(start)
			if !found {
				break
			}
			if m.ID != id {
				back = append(back, m.ID)
				continue
			}
			if err := n.Ack(id); err != nil {
				n.t.Fatal(err)
			}
		}
		for _, older := range back {
			if err := n.Release(older); err != nil {
				n.t.Fatal(err)
			}
		}
	}
}

func TestWhatIsOutComesBack(t *testing.T) {
	n := open(t)
	n.put("held")
	if m, _ := n.Next(start); m.ID != "held" {
		t.Fatal(m.ID)
	}
	n.busy(200)
	n.reopen()
	if m := n.only("held"); m.Attempts != 0 {
		t.Errorf("%+v", m)
	}
}

func TestTheFileStaysSmall(t *testing.T) {
	n := open(t)
	n.busy(500)
	n.put("stuck")
	now := start
	for i := 0; i < 500; i++ {
		n.fail(now, now.Add(time.Minute))
		now = now.Add(time.Minute)
	}
	text, err := os.ReadFile(n.path)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 100 {
		t.Errorf("%d lines", lines)
	}
}
