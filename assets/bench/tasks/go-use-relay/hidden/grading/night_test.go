package grading

import (
	"os"
	"strings"
	"testing"
	"time"

	"relay/internal/config"
	"relay/internal/journal"
	"relay/internal/message"
	"relay/internal/replay"
	"relay/internal/retry"
	"relay/internal/route"
)

func load(t *testing.T) *config.Config {
	t.Helper()
	c, err := config.Load("../conf/site.conf")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// night checks all messages of the night with one of these letters.
func night(t *testing.T, letters, place string, count int) {
	t.Helper()
	file, err := os.Open("../incidents/night.journal")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := journal.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, fate := range replay.Run(load(t), records) {
		if !strings.Contains(letters, fate.Message.ID[:1]) {
			continue
		}
		count--
		if fate.Place() != place {
			t.Errorf("%s goes to %s", fate.Message.ID, fate.Place())
		}
	}
	if count != 0 {
		t.Errorf("%d messages are missing", count)
	}
}

func TestReadingsOfTheNight(t *testing.T)       { night(t, "r", "@@READINGS@@", 20) }
func TestAlarmsOfTheNight(t *testing.T)         { night(t, "a", "@@ALARMS@@", 7) }
func TestDumpsAndTrialsOfTheNight(t *testing.T) { night(t, "dt", "(dropped)", 6) }
func TestTheRestOfTheNight(t *testing.T)        { night(t, "x", "unsorted", 10) }

type sample struct {
	topic   string
	size    int
	headers string
}

func elsewhere(t *testing.T, place string, samples ...sample) {
	t.Helper()
	table := route.NewTable(load(t))
	for _, s := range samples {
		m := &message.Message{ID: "m-1", Topic: s.topic, Body: make([]byte, s.size), Headers: map[string]string{}}
		for _, word := range strings.Fields(s.headers) {
			name, value, _ := strings.Cut(word, "=")
			m.SetHeader(name, value)
		}
		if got := (replay.Fate{Message: m, Decision: table.Route(m)}).Place(); got != place {
			t.Errorf("%+v goes to %s", s, got)
		}
	}
}

func TestReadingsFromElsewhere(t *testing.T) {
	elsewhere(t, "@@READINGS@@",
		sample{"meters.west.cold", 4, "kind=reading fw=1.8"},
		sample{"meters.west.hall.7", 4, "kind=reading fw=1.8"},
		sample{"meters.west.warm", 4, "kind=Reading fw=2.0"},
		sample{"meters.west.yard.pump.5", 4, "kind=Reading fw=2.0"},
		sample{"meters.west.history", 5000, "kind=reading fw=1.8"},
		sample{"meters.north.hall.9", 5000, "kind=Reading fw=2.0"},
		sample{"meters.west.warm", 4, "kind=reading test=no"},
	)
}

func TestAlarmsFromElsewhere(t *testing.T) {
	elsewhere(t, "@@ALARMS@@",
		sample{"plant.crane.alarm", 9, "level=1"},
		sample{"plant.crane.alarm", 9, "level=1 test=no"},
		sample{"meters.west.alarm.12", 9, "fw=1.8"},
		sample{"meters.west.alarm", 9, ""},
		sample{"meters.west.alarm.yard.3", 9, "fw=2.0"},
		sample{"meters.north.alarm.1", 9, "test=no"},
	)
}

func TestTheRestFromElsewhere(t *testing.T) {
	elsewhere(t, "unsorted",
		sample{"docs.alarm.plan", 9, ""},
		sample{"meters.west.cold", 9, "kind=misreading"},
		sample{"meters.west.hall.1", 9, "kind=status"},
		sample{"meters.west.cold", 9, "fw=2.0"},
		sample{"books.club.morning", 9, "kind=reading"},
		sample{"plant.crane.count", 9, ""},
	)
	elsewhere(t, "(dropped)",
		sample{"meters.west.cold", 4, "kind=reading test=yes"},
		sample{"plant.crane.alarm", 4, "test=yes"},
		sample{"meters.north.hall.5", 5000, "kind=dump"},
	)
}

func TestQueuesAreAsBefore(t *testing.T) {
	c := load(t)
	if c.Relay != (config.Relay{Name: "site", Data: "./data", Journal: true, MaxBody: 64 << 10, Unrouted: "unsorted"}) {
		t.Errorf("%+v", c.Relay)
	}
	readings := config.Queue{
		Name: "@@READINGS@@", Store: config.Disk, Limit: 20000, Dead: "dead-letters",
		Retry: retry.Policy{Kind: retry.Exponential, First: time.Second, Factor: 2, Max: 5 * time.Minute, Attempts: 6},
		Sink:  config.Sink{Kind: "file", Target: "out/@@READINGS@@.txt"},
	}
	got, _ := c.Queue("@@READINGS@@")
	got.Line = 0
	if got != readings || len(c.Queues) != 4 {
		t.Errorf("%+v", c.Queues)
	}
	if alarms, _ := c.Queue("@@ALARMS@@"); alarms.Store != config.Disk || alarms.Retry.Attempts != 0 || alarms.Retry.Kind != retry.Fixed {
		t.Errorf("%+v", alarms)
	}
	if unsorted, _ := c.Queue("unsorted"); unsorted.Limit != 500 || unsorted.Store != config.Memory {
		t.Errorf("%+v", unsorted)
	}
}
