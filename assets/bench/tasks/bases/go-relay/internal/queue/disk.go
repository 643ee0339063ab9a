package queue

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"relay/internal/message"
)

// Disk is a queue that is there again after a restart. It keeps its messages in
// memory, too, and writes every change to a log:
//
//	put MESSAGE
//	ack ID
//	retry ID DUE ATTEMPTS
//
// On opening, the log is read from its beginning. When most of it speaks of messages
// that are gone, it is written anew with the messages that are still there.
type Disk struct {
	mu     sync.Mutex
	memory *Memory
	path   string
	file   *os.File
	// lines has the messages that are there as they stand in a log, so that
	// writing the log anew need not encode them all again.
	lines map[string]string
	// order has the numbers of the messages, in the order they came.
	order map[string]int
	last  int
	// records counts the lines of the log.
	records int
}

// compactFrom is the number of records from which a log may be written anew.
const compactFrom = 64

// OpenDisk opens the queue with this log; there need not be one yet. A line at the
// end that is not complete is what a crash left, and is ignored.
func OpenDisk(path string, limit int) (*Disk, error) {
	q := &Disk{memory: NewMemory(0), path: path, lines: map[string]string{}, order: map[string]int{}}
	if err := q.read(); err != nil {
		return nil, err
	}
	q.memory.limit = limit
	if err := q.rewrite(); err != nil {
		return nil, err
	}
	return q, nil
}

// read goes through the log.
func (q *Disk) read() error {
	text, err := os.ReadFile(q.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	live := map[string]*message.Message{}
	lines := strings.Split(string(text), "\n")
	for index, line := range lines[:len(lines)-1] {
		if err := replay(line, live, q.note); err != nil {
			return fmt.Errorf("%s, line %d: %w", q.path, index+1, err)
		}
	}
	for id := range q.lines {
		if live[id] == nil {
			q.forget(id)
		}
	}
	for _, id := range q.ids() {
		q.lines[id] = message.Encode(live[id])
		if err := q.memory.Put(live[id]); err != nil {
			return err
		}
	}
	return nil
}

// replay does to the live messages what a line of the log says.
func replay(line string, live map[string]*message.Message, note func(*message.Message)) error {
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "put":
		m, err := message.Decode(rest)
		if err != nil {
			return err
		}
		live[m.ID] = m
		note(m)
	case "ack":
		delete(live, rest)
	case "retry":
		words := strings.Fields(rest)
		if len(words) != 3 || live[words[0]] == nil {
			return errors.New("a retry of nothing")
		}
		due, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return err
		}
		attempts, err := strconv.Atoi(words[2])
		if err != nil {
			return err
		}
		live[words[0]].Due = time.UnixMilli(due).UTC()
		live[words[0]].Attempts = attempts
	default:
		return fmt.Errorf("%q is no record", kind)
	}
	return nil
}

// note remembers a message for the next time the log is written anew.
func (q *Disk) note(m *message.Message) {
	if _, known := q.order[m.ID]; !known {
		q.last++
		q.order[m.ID] = q.last
	}
	q.lines[m.ID] = message.Encode(m)
}

func (q *Disk) forget(id string) {
	delete(q.lines, id)
	delete(q.order, id)
}

// ids gives the messages in the order they came.
func (q *Disk) ids() []string {
	ids := make([]string, 0, len(q.order))
	for id := range q.order {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return q.order[ids[i]] < q.order[ids[j]] })
	return ids
}

// rewrite writes the log anew, beside the old one first.
func (q *Disk) rewrite() error {
	beside := q.path + ".new"
	file, err := os.Create(beside)
	if err != nil {
		return err
	}
	writer := bufio.NewWriter(file)
	for _, id := range q.ids() {
		fmt.Fprintf(writer, "put %s\n", q.lines[id])
	}
	if err := writer.Flush(); err != nil {
		file.Close()
		return err
	}
	if err := os.Rename(beside, q.path); err != nil {
		file.Close()
		return err
	}
	if q.file != nil {
		q.file.Close()
	}
	q.file = file
	q.records = len(q.lines)
	return nil
}

func (q *Disk) write(record string) error {
	if _, err := q.file.WriteString(record + "\n"); err != nil {
		return err
	}
	q.records++
	if q.records >= compactFrom && q.records > 2*len(q.lines) {
		return q.rewrite()
	}
	return nil
}

// Put takes a copy of a message.
func (q *Disk) Put(m *message.Message) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if strings.ContainsAny(m.ID, " \n") {
		return fmt.Errorf("%q cannot be an ID", m.ID)
	}
	if err := q.memory.Put(m); err != nil {
		return err
	}
	q.note(m)
	return q.write("put " + q.lines[m.ID])
}

// Next gives out the message that is due for the longest time. The log does not
// say so: what was given out when the relay ended is given out again.
func (q *Disk) Next(now time.Time) (*message.Message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.memory.Next(now)
}

// Ack takes a message that was given out away for good.
func (q *Disk) Ack(id string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.memory.Ack(id); err != nil {
		return err
	}
	q.forget(id)
	return q.write("ack " + id)
}

// Retry gives a message back after a failure.
func (q *Disk) Retry(id string, due time.Time) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	m, err := q.memory.giveBack(id, func(m *message.Message) {
		m.Attempts++
		m.Due = due
	})
	if err != nil {
		return err
	}
	q.note(m)
	return q.write(fmt.Sprintf("retry %s %d %d", id, due.UnixMilli(), m.Attempts))
}

// Release gives a message back as if it had never been given out.
func (q *Disk) Release(id string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.memory.Release(id)
}

// Len counts the messages that wait, and those that are given out.
func (q *Disk) Len() (waiting, out int) { return q.memory.Len() }

// Peek shows up to n messages that wait.
func (q *Disk) Peek(n int) []*message.Message { return q.memory.Peek(n) }

// NextDue is the earliest time at which a message is due.
func (q *Disk) NextDue() (time.Time, bool) { return q.memory.NextDue() }

// Purge throws away all messages that wait.
func (q *Disk) Purge() (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	gone := q.memory.purge()
	for _, id := range gone {
		q.forget(id)
	}
	return len(gone), q.rewrite()
}

// Close ends the log.
func (q *Disk) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.file.Close()
}
