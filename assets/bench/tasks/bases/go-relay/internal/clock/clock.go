// Package clock lets everything that waits be tested without waiting.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time.
type Clock interface {
	Now() time.Time
}

// System is the clock of the machine.
type System struct{}

// Now is the time of the machine.
func (System) Now() time.Time { return time.Now() }

// Manual stands still until it is advanced.
type Manual struct {
	mu  sync.Mutex
	now time.Time
}

// NewManual gives a clock that shows the given time.
func NewManual(now time.Time) *Manual {
	return &Manual{now: now}
}

// Now is the time the clock was set to.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance moves the clock forward. It never goes back.
func (m *Manual) Advance(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if by > 0 {
		m.now = m.now.Add(by)
	}
}
