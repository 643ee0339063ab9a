// Package deliver takes messages out of a queue and brings them to its sink.
package deliver

import (
	"time"

	"relay/internal/journal"
	"relay/internal/message"
	"relay/internal/queue"
	"relay/internal/retry"
	"relay/internal/sink"
)

// tooOld is the reason of messages that were not delivered because of their age.
const tooOld = "@@REASON@@"

// Worker delivers the messages of one queue.
type Worker struct {
	Name   string
	Queue  queue.Queue
	Sink   sink.Sink
	Policy retry.Policy
	// MaxAge is when messages are too old to be delivered; 0 for never.
	MaxAge time.Duration
	// Bury puts a message that was given up where such messages go.
	Bury func(m *message.Message, from, reason string) error
	// Tell is told what happened.
	Tell func(kind journal.Kind, queue, id, detail string)
}

// Step delivers one message, if one is due. It says whether there was one.
func (w *Worker) Step(now time.Time) (bool, error) {
	if w.Sink == nil {
		return false, nil
	}
	m, found := w.Queue.Next(now)
	if !found {
		return false, nil
	}
	if w.MaxAge > 0 && now.Sub(m.Born) >= w.MaxAge {
		return true, w.giveUp(m, journal.Expired, tooOld, now)
	}
	failure := w.Sink.Deliver(m)
	if failure == nil {
		w.Tell(journal.Delivered, w.Name, m.ID, "")
		return true, w.Queue.Ack(m.ID)
	}
	failures := m.Attempts + 1
	if w.Policy.Exhausted(failures) {
		return true, w.giveUp(m, journal.Dead, failure.Error(), now)
	}
	w.Tell(journal.Failed, w.Name, m.ID, failure.Error())
	return true, w.Queue.Retry(m.ID, now.Add(w.Policy.Pause(failures)))
}

// giveUp buries a message first and acknowledges it then, so that a crash between
// both leaves it in two places rather than in none.
func (w *Worker) giveUp(m *message.Message, kind journal.Kind, reason string, now time.Time) error {
	if err := w.Bury(m, w.Name, reason); err != nil {
		// There is no room for it; so it stays here and is tried again.
		return w.Queue.Retry(m.ID, now.Add(w.Policy.Pause(m.Attempts+1)))
	}
	w.Tell(journal.Dead, w.Name, m.ID, reason)
	if kind != journal.Dead {
		w.Tell(kind, w.Name, m.ID, reason)
	}
	return w.Queue.Ack(m.ID)
}

// Drain delivers until nothing is due any more, and counts.
func (w *Worker) Drain(now time.Time) (int, error) {
	for count := 0; ; count++ {
		worked, err := w.Step(now)
		if err != nil || !worked {
			return count, err
		}
	}
}
