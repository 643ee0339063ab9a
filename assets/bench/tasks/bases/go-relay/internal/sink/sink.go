// Package sink has the places messages are delivered to.
package sink

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"relay/internal/config"
	"relay/internal/message"
)

// Sink takes messages. An error means that it did not take this one, now.
type Sink interface {
	Deliver(m *message.Message) error
}

// Factory makes the sink of a queue. A nil sink means that messages of the queue
// just wait there.
type Factory func(c config.Sink) (Sink, error)

// FromConfig makes sinks as the config says.
func FromConfig(c config.Sink) (Sink, error) {
	switch c.Kind {
	case "discard":
		return nil, nil
	case "memory":
		return &Memory{}, nil
	case "file":
		return &File{path: c.Target}, nil
	case "reject":
		return Reject{reason: c.Target}, nil
	}
	return nil, fmt.Errorf("there is no sink %q", c.Kind)
}

// Memory keeps what it gets.
type Memory struct {
	mu       sync.Mutex
	messages []*message.Message
}

// Deliver keeps a copy.
func (s *Memory) Deliver(m *message.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, m.Clone())
	return nil
}

// IDs gives the IDs of all messages so far.
func (s *Memory) IDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, m := range s.messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// File adds a line to a file: ID, topic and body, with tabs between. Line ends in
// bodies become blanks.
type File struct {
	mu   sync.Mutex
	path string
}

// Deliver writes the line. The file is opened each time, so that it can be moved away.
func (s *File) Deliver(m *message.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	body := strings.ReplaceAll(string(m.Body), "\n", " ")
	_, err = fmt.Fprintf(file, "%s\t%s\t%s\n", m.ID, m.Topic, body)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

// Reject takes nothing.
type Reject struct{ reason string }

// Deliver fails with the reason.
func (s Reject) Deliver(*message.Message) error { return errors.New(s.reason) }
