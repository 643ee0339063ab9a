// Package message has the message that goes through the relay.
package message

import (
	"sort"
	"time"
)

// Message is a body with a topic, and what is known about its delivery.
type Message struct {
	// ID is unique in a relay.
	ID string
	// Topic says what it is about, in parts with dots between: "meters.north.cold".
	Topic string
	// Headers are for rules and receivers.
	Headers map[string]string
	Body    []byte
	// Born is when the relay took it.
	Born time.Time
	// Attempts counts deliveries that failed.
	Attempts int
	// Due is the earliest time of the next delivery.
	Due time.Time
}

// Clone gives a copy that shares nothing.
func (m *Message) Clone() *Message {
	copied := *m
	copied.Body = append([]byte(nil), m.Body...)
	copied.Headers = make(map[string]string, len(m.Headers))
	for name, value := range m.Headers {
		copied.Headers[name] = value
	}
	return &copied
}

// HeaderNames gives the names of the headers in order.
func (m *Message) HeaderNames() []string {
	names := make([]string, 0, len(m.Headers))
	for name := range m.Headers {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// SetHeader sets a header, whether there are any yet or not.
func (m *Message) SetHeader(name, value string) {
	if m.Headers == nil {
		m.Headers = map[string]string{}
	}
	m.Headers[name] = value
}
