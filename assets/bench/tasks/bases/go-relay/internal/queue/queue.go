// Package queue has the queues in which messages wait.
package queue

import (
	"errors"
	"time"

	"relay/internal/message"
)

var (
	// ErrFull is given when a queue has reached its limit.
	ErrFull = errors.New("the queue is full")
	// ErrUnknown is given for messages that the queue does not have, or has not given out.
	ErrUnknown = errors.New("no such message was given out")
	// ErrDuplicate is given when a message is put in twice.
	ErrDuplicate = errors.New("the message is there already")
)

// Queue keeps messages until they are delivered. A message that was given out by
// Next stays in the queue until it is acknowledged or given back.
type Queue interface {
	// Put takes a copy of a message.
	Put(m *message.Message) error
	// Next gives out the message that is due for the longest time, if any is.
	Next(now time.Time) (*message.Message, bool)
	// Ack takes a message that was given out away for good.
	Ack(id string) error
	// Retry gives a message back after a failure; it is due again at that time.
	Retry(id string, due time.Time) error
	// Release gives a message back as if it had never been given out.
	Release(id string) error
	// Len counts the messages that wait, and those that are given out.
	Len() (waiting, out int)
	// Peek shows up to n messages that wait, in the order they would be given out.
	Peek(n int) []*message.Message
	// NextDue is the earliest time at which a message is due.
	NextDue() (time.Time, bool)
	// Purge throws away all messages that wait, and counts them.
	Purge() (int, error)
	Close() error
}
