// Package engine puts the parts of a relay together.
package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"relay/internal/clock"
	"relay/internal/config"
	"relay/internal/deliver"
	"relay/internal/journal"
	"relay/internal/message"
	"relay/internal/metrics"
	"relay/internal/queue"
	"relay/internal/route"
	"relay/internal/sink"
)

// Headers that the relay itself sets on messages that were given up.
const (
	DeadFrom   = "dead-from"
	DeadReason = "dead-reason"
)

var (
	// ErrTooLarge is given for bodies beyond the limit of the config.
	ErrTooLarge = errors.New("the body is too large")
	// ErrTopic is given for topics with empty parts, blanks, or signs of patterns.
	ErrTopic = errors.New("this is no topic")
	// ErrNoQueue is given for queues that the config does not have.
	ErrNoQueue = errors.New("there is no such queue")
)

// Engine is a running relay. Nothing happens in it by itself: someone publishes,
// and someone pumps.
type Engine struct {
	mu      sync.Mutex
	config  *config.Config
	table   *route.Table
	clock   clock.Clock
	queues  map[string]queue.Queue
	workers []*deliver.Worker
	metrics *metrics.Registry
	journal *journal.Writer
	ids     *ids
}

// Options are what tests replace.
type Options struct {
	Clock clock.Clock
	Sinks sink.Factory
}

// New starts a relay. It has to be closed.
func New(c *config.Config, options Options) (*Engine, error) {
	if options.Clock == nil {
		options.Clock = clock.System{}
	}
	if options.Sinks == nil {
		options.Sinks = sink.FromConfig
	}
	e := &Engine{
		config:  c,
		table:   route.NewTable(c),
		clock:   options.Clock,
		queues:  map[string]queue.Queue{},
		metrics: newMetrics(),
	}
	if err := e.open(options); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *Engine) open(options Options) error {
	folder := ""
	if keeps(e.config) {
		folder = e.config.Relay.Data
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	var err error
	if e.ids, err = openIDs(e.config.Relay.Name, folder); err != nil {
		return err
	}
	if e.config.Relay.Journal {
		if e.journal, err = journal.Open(filepath.Join(folder, "journal"), e.clock); err != nil {
			return err
		}
	}
	for _, q := range e.config.Queues {
		if err := e.openQueue(q, folder, options.Sinks); err != nil {
			return fmt.Errorf("queue %s: %w", q.Name, err)
		}
	}
	return nil
}

func (e *Engine) openQueue(c config.Queue, folder string, sinks sink.Factory) error {
	var q queue.Queue = queue.NewMemory(c.Limit)
	if c.Store == config.Disk {
		disk, err := queue.OpenDisk(filepath.Join(folder, c.Name+".queue"), c.Limit)
		if err != nil {
			return err
		}
		q = disk
	}
	e.queues[c.Name] = q
	target, err := sinks(c.Sink)
	if err != nil {
		return err
	}
	e.workers = append(e.workers, &deliver.Worker{
		Name: c.Name, Queue: q, Sink: target, Policy: c.Retry, Bury: e.bury, Tell: e.tell,
	})
	e.metrics.Gauge("waiting", c.Name, func() int {
		waiting, _ := q.Len()
		return waiting
	})
	return nil
}

// keeps says whether anything of a relay outlives it.
func keeps(c *config.Config) bool {
	for _, q := range c.Queues {
		if q.Store == config.Disk {
			return true
		}
	}
	return c.Relay.Journal
}

// Publish takes a message and puts it into its queues. Either all of them take it
// or none; a queue that is full makes it fail.
func (e *Engine) Publish(topic string, headers map[string]string, body []byte) (string, route.Decision, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	m, err := e.newMessage(topic, headers, body)
	if err != nil {
		return "", route.Decision{}, err
	}
	decision := e.table.Route(m)
	if m.ID, err = e.ids.take(); err != nil {
		return "", decision, err
	}
	original := m.Clone()
	for name, value := range decision.Set {
		m.SetHeader(name, value)
	}
	for index, name := range decision.Queues {
		if err := e.queues[name].Put(m); err != nil {
			e.takeBack(decision.Queues[:index], m.ID)
			e.metrics.Count("refused_total", name)
			return "", decision, fmt.Errorf("queue %s: %w", name, err)
		}
	}
	e.metrics.Count("accepted_total", "")
	detail := "rules " + strings.Join(decision.Rules, ",")
	if err := e.journal.Append(journal.Accepted, "", m.ID, detail, original); err != nil {
		return m.ID, decision, err
	}
	if decision.Dropped {
		e.tell(journal.Dropped, "", m.ID, detail)
	}
	return m.ID, decision, nil
}

func (e *Engine) newMessage(topic string, headers map[string]string, body []byte) (*message.Message, error) {
	if len(body) > e.config.Relay.MaxBody {
		return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, len(body))
	}
	for _, part := range strings.Split(topic, ".") {
		if part == "" || strings.ContainsAny(part, "*# \t\n") {
			return nil, fmt.Errorf("%w: %q", ErrTopic, topic)
		}
	}
	now := e.clock.Now()
	m := &message.Message{Topic: topic, Headers: headers, Body: body, Born: now, Due: now}
	return m.Clone(), nil
}

// takeBack takes a message that was just put in out of some queues again.
func (e *Engine) takeBack(names []string, id string) {
	for _, name := range names {
		q := e.queues[name]
		var others []string
		for {
			m, found := q.Next(e.clock.Now())
			if !found {
				break
			}
			if m.ID == id {
				q.Ack(id)
				break
			}
			others = append(others, m.ID)
		}
		for _, other := range others {
			q.Release(other)
		}
	}
}

// Decide says what would become of a message, without taking it.
func (e *Engine) Decide(topic string, headers map[string]string, body []byte) (route.Decision, error) {
	m, err := e.newMessage(topic, headers, body)
	if err != nil {
		return route.Decision{}, err
	}
	return e.table.Route(m), nil
}

// Pump delivers all that is due, in the order of the queues, and counts deliveries
// and failures.
func (e *Engine) Pump() (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	total := 0
	for _, worker := range e.workers {
		count, err := worker.Drain(e.clock.Now())
		total += count
		if err != nil {
			return total, fmt.Errorf("queue %s: %w", worker.Name, err)
		}
	}
	return total, nil
}

// bury puts a message that was given up into the dead queue of the one it was in.
func (e *Engine) bury(m *message.Message, from, reason string) error {
	c, _ := e.config.Queue(from)
	if c.Dead == "" {
		return nil
	}
	dead := m.Clone()
	dead.Attempts = 0
	dead.Due = e.clock.Now()
	dead.SetHeader(DeadFrom, from)
	dead.SetHeader(DeadReason, reason)
	err := e.queues[c.Dead].Put(dead)
	if errors.Is(err, queue.ErrDuplicate) {
		// The same message was given up by another queue before.
		dead.ID += "/" + from
		err = e.queues[c.Dead].Put(dead)
	}
	return err
}

// Requeue brings all messages of a dead queue back to where they came from, and
// counts them. Messages that never were elsewhere stay.
func (e *Engine) Requeue(name string) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	q, found := e.queues[name]
	if !found {
		return 0, fmt.Errorf("%w: %s", ErrNoQueue, name)
	}
	count := 0
	var stay []string
	for {
		m, found := q.Next(e.clock.Now())
		if !found {
			break
		}
		target, found := e.queues[m.Headers[DeadFrom]]
		if !found {
			stay = append(stay, m.ID)
			continue
		}
		from := m.Headers[DeadFrom]
		id := m.ID
		m.ID = strings.TrimSuffix(m.ID, "/"+from)
		m.Attempts, m.Due = 0, e.clock.Now()
		delete(m.Headers, DeadFrom)
		delete(m.Headers, DeadReason)
		if err := target.Put(m); err != nil {
			stay = append(stay, id)
			continue
		}
		if err := q.Ack(id); err != nil {
			return count, err
		}
		e.tell(journal.Requeued, from, m.ID, "from "+name)
		count++
	}
	for _, id := range stay {
		if err := q.Release(id); err != nil {
			return count, err
		}
	}
	return count, nil
}

// Purge throws away what waits in a queue, and counts it.
func (e *Engine) Purge(name string) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	q, found := e.queues[name]
	if !found {
		return 0, fmt.Errorf("%w: %s", ErrNoQueue, name)
	}
	return q.Purge()
}

// Peek shows the first messages that wait in a queue.
func (e *Engine) Peek(name string, n int) ([]*message.Message, error) {
	q, found := e.queues[name]
	if !found {
		return nil, fmt.Errorf("%w: %s", ErrNoQueue, name)
	}
	return q.Peek(n), nil
}

// NextDue is the earliest time at which a message is due in a queue with a sink.
func (e *Engine) NextDue() (time.Time, bool) {
	var earliest time.Time
	any := false
	for _, worker := range e.workers {
		if worker.Sink == nil {
			continue
		}
		if due, found := worker.Queue.NextDue(); found && (!any || due.Before(earliest)) {
			earliest, any = due, true
		}
	}
	return earliest, any
}

// Close ends the relay. What is on disk stays there.
func (e *Engine) Close() error {
	var first error
	for _, q := range e.queues {
		if err := q.Close(); err != nil && first == nil {
			first = err
		}
	}
	if err := e.journal.Close(); err != nil && first == nil {
		first = err
	}
	return first
}
