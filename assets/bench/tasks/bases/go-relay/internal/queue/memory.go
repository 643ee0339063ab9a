package queue

import (
	"container/heap"
	"sort"
	"sync"
	"time"

	"relay/internal/message"
)

// Memory is a queue that forgets everything at the end.
type Memory struct {
	mu      sync.Mutex
	limit   int
	waiting entries
	out     map[string]entry
	known   map[string]bool
	// last numbers messages, so that those due at the same time keep their order.
	last int
}

type entry struct {
	message *message.Message
	number  int
}

// entries is a heap: the first one is due for the longest time.
type entries []entry

func (e entries) Len() int      { return len(e) }
func (e entries) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e entries) Less(i, j int) bool {
	if !e[i].message.Due.Equal(e[j].message.Due) {
		return e[i].message.Due.Before(e[j].message.Due)
	}
	return e[i].number < e[j].number
}
func (e *entries) Push(x any) { *e = append(*e, x.(entry)) }
func (e *entries) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// NewMemory gives an empty queue for so many messages; 0 for no limit.
func NewMemory(limit int) *Memory {
	return &Memory{limit: limit, out: map[string]entry{}, known: map[string]bool{}}
}

// Put takes a copy of a message.
func (q *Memory) Put(m *message.Message) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.known[m.ID] {
		return ErrDuplicate
	}
	if q.limit > 0 && len(q.known) >= q.limit {
		return ErrFull
	}
	q.last++
	q.known[m.ID] = true
	heap.Push(&q.waiting, entry{m.Clone(), q.last})
	return nil
}

// Next gives out a copy of the message that is due for the longest time.
func (q *Memory) Next(now time.Time) (*message.Message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || q.waiting[0].message.Due.After(now) {
		return nil, false
	}
	first := heap.Pop(&q.waiting).(entry)
	q.out[first.message.ID] = first
	return first.message.Clone(), true
}

// Ack takes a message that was given out away for good.
func (q *Memory) Ack(id string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, found := q.out[id]; !found {
		return ErrUnknown
	}
	delete(q.out, id)
	delete(q.known, id)
	return nil
}

// Retry gives a message back after a failure.
func (q *Memory) Retry(id string, due time.Time) error {
	_, err := q.giveBack(id, func(m *message.Message) {
		m.Attempts++
		m.Due = due
	})
	return err
}

// Release gives a message back as if it had never been given out.
func (q *Memory) Release(id string) error {
	_, err := q.giveBack(id, func(*message.Message) {})
	return err
}

// giveBack gives a message back after a change, and shows it as it is now.
func (q *Memory) giveBack(id string, change func(*message.Message)) (*message.Message, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	found, ok := q.out[id]
	if !ok {
		return nil, ErrUnknown
	}
	delete(q.out, id)
	change(found.message)
	heap.Push(&q.waiting, found)
	return found.message.Clone(), nil
}

// Len counts the messages that wait, and those that are given out.
func (q *Memory) Len() (waiting, out int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting), len(q.out)
}

// Peek shows up to n messages that wait.
func (q *Memory) Peek(n int) []*message.Message {
	q.mu.Lock()
	defer q.mu.Unlock()
	ordered := append(entries(nil), q.waiting...)
	sort.Sort(ordered)
	if n < len(ordered) {
		ordered = ordered[:n]
	}
	shown := make([]*message.Message, 0, len(ordered))
	for _, e := range ordered {
		shown = append(shown, e.message.Clone())
	}
	return shown
}

// NextDue is the earliest time at which a message is due.
func (q *Memory) NextDue() (time.Time, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return time.Time{}, false
	}
	return q.waiting[0].message.Due, true
}

// Purge throws away all messages that wait.
func (q *Memory) Purge() (int, error) {
	return len(q.purge()), nil
}

func (q *Memory) purge() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	var gone []string
	for _, e := range q.waiting {
		gone = append(gone, e.message.ID)
		delete(q.known, e.message.ID)
	}
	q.waiting = nil
	return gone
}

// Close does nothing; the messages are gone anyway.
func (q *Memory) Close() error { return nil }
