package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"relay/internal/clock"
	"relay/internal/message"
)

func TestJournalsGoOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	now := clock.NewManual(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))
	for i := 0; i < 2; i++ {
		w, err := Open(path, now)
		if err != nil {
			t.Fatal(err)
		}
		m := &message.Message{ID: "m-1", Topic: "a\tb", Body: []byte("line\nend"), Headers: map[string]string{}}
		if err := w.Append(Accepted, "", "m-1", "rule a", m); err != nil {
			t.Fatal(err)
		}
		if err := w.Append(Delivered, "q", "m-1", "", nil); err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, err := Read(strings.NewReader(string(text)))
	if err != nil || len(records) != 4 {
		t.Fatal(len(records), err)
	}
	if r := records[2]; r.Number != 3 || r.Queue != "-" || r.Detail != "rule a" || string(r.Message.Body) != "line\nend" {
		t.Errorf("%+v", r)
	}
	report, err := Check(strings.NewReader(string(text)))
	if err != nil || report.Last != 4 || report.Kinds[Delivered] != 2 || len(report.Problems) != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestProblemsAreTold(t *testing.T) {
	first := Record{Number: 1, Kind: Dropped, Queue: "-", ID: "a"}.line()
	third := Record{Number: 3, Kind: Dropped, Queue: "-", ID: "b"}.line()
	strange := Record{Number: 4, Kind: "lost", Queue: "-", ID: "b"}.line()
	report, err := Check(strings.NewReader(first + "\n" + strings.Replace(third, "b", "c", 1) + "\n" + third + "\n" + strange + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"line 2: not a record: the checksum is wrong",
		"line 3: record 3 follows 1",
		"line 4: not a record: kind lost",
	}
	if strings.Join(report.Problems, "|") != strings.Join(want, "|") {
		t.Error(report.Problems)
	}
}

func TestNoJournalIsFine(t *testing.T) {
	var w *Writer
	if err := w.Append(Dropped, "", "a", "", nil); err != nil || w.Close() != nil {
		t.Error(err)
	}
}
