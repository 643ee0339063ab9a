package queue

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"relay/internal/message"
)

var start = time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)

func put(t *testing.T, q Queue, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := q.Put(&message.Message{ID: id, Topic: "t", Born: start, Due: start}); err != nil {
			t.Fatal(err)
		}
	}
}

func next(t *testing.T, q Queue, now time.Time) string {
	t.Helper()
	if m, found := q.Next(now); found {
		return m.ID
	}
	return ""
}

// each runs a test with both kinds of queues.
func each(t *testing.T, test func(t *testing.T, q Queue)) {
	t.Run("memory", func(t *testing.T) { test(t, NewMemory(3)) })
	t.Run("disk", func(t *testing.T) {
		q, err := OpenDisk(filepath.Join(t.TempDir(), "q.log"), 3)
		if err != nil {
			t.Fatal(err)
		}
		defer q.Close()
		test(t, q)
	})
}

func TestFirstInFirstOut(t *testing.T) {
	each(t, func(t *testing.T, q Queue) {
		put(t, q, "a", "b", "c")
		if got := next(t, q, start) + next(t, q, start) + next(t, q, start) + next(t, q, start); got != "abc" {
			t.Error(got)
		}
		if waiting, out := q.Len(); waiting != 0 || out != 3 {
			t.Error(waiting, out)
		}
	})
}

func TestLimitAndDuplicates(t *testing.T) {
	each(t, func(t *testing.T, q Queue) {
		put(t, q, "a", "b", "c")
		if err := q.Put(&message.Message{ID: "a"}); !errors.Is(err, ErrDuplicate) {
			t.Error(err)
		}
		if err := q.Put(&message.Message{ID: "d"}); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
		next(t, q, start)
		if err := q.Ack("a"); err != nil {
			t.Error(err)
		}
		put(t, q, "d")
	})
}

func TestRetriedOnesWait(t *testing.T) {
	each(t, func(t *testing.T, q Queue) {
		put(t, q, "a", "b")
		next(t, q, start)
		if err := q.Retry("a", start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if due, _ := q.NextDue(); !due.Equal(start) {
			t.Error(due)
		}
		if got := next(t, q, start.Add(time.Second)) + next(t, q, start.Add(time.Second)); got != "b" {
			t.Error(got)
		}
		m, found := q.Next(start.Add(time.Minute))
		if !found || m.Attempts != 1 {
			t.Errorf("%+v", m)
		}
		if err := q.Release("a"); err != nil {
			t.Error(err)
		}
		if err := q.Ack("a"); !errors.Is(err, ErrUnknown) {
			t.Error(err)
		}
		if shown := q.Peek(5); len(shown) != 1 || shown[0].Attempts != 1 {
			t.Error(shown)
		}
	})
}

func TestPurge(t *testing.T) {
	each(t, func(t *testing.T, q Queue) {
		put(t, q, "a", "b", "c")
		next(t, q, start)
		if count, err := q.Purge(); count != 2 || err != nil {
			t.Error(count, err)
		}
		if waiting, out := q.Len(); waiting != 0 || out != 1 {
			t.Error(waiting, out)
		}
		put(t, q, "b")
	})
}

func TestDiskIsThereAfterRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	q, err := OpenDisk(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	put(t, q, "a", "b", "c", "d")
	next(t, q, start)
	next(t, q, start)
	next(t, q, start)
	if err := q.Ack("b"); err != nil {
		t.Fatal(err)
	}
	if err := q.Retry("c", start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	q.Close()
	q, err = OpenDisk(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if got := next(t, q, start) + next(t, q, start) + next(t, q, start); got != "ad" {
		t.Error(got)
	}
	if m, found := q.Next(start.Add(time.Hour)); !found || m.ID != "c" || m.Attempts != 1 {
		t.Errorf("%+v", m)
	}
}

func TestDiskLogStaysSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	q, err := OpenDisk(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	put(t, q, "first")
	for i := 0; i < 500; i++ {
		id := fmt.Sprintf("m-%d", i)
		put(t, q, id)
		for {
			m, _ := q.Next(start)
			if m.ID == id {
				break
			}
			defer q.Release(m.ID)
		}
		if err := q.Ack(id); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 100 || !strings.Contains(string(text), `"first"`) {
		t.Errorf("%d lines", lines)
	}
}

func TestDiskForgivesHalfALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	whole := "put " + message.Encode(&message.Message{ID: "a"}) + "\n"
	if err := os.WriteFile(path, []byte(whole+"put \"b\"\t\"t"), 0o644); err != nil {
		t.Fatal(err)
	}
	q, err := OpenDisk(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	put(t, q, "c")
	q.Close()
	if err := os.WriteFile(path, []byte("nonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenDisk(path, 0); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
}
