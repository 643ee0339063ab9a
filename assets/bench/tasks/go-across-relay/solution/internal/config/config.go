// Package config reads the config file of a relay.
//
//	relay {
//	    name north
//	    data ./data
//	    unrouted unsorted
//	}
//	queue readings {
//	    store disk
//	    retry exponential first 1s factor 2 max 5m attempts 6
//	    dead dead-letters
//	    sink file out/readings.txt
//	}
//	rule cold {
//	    match meters.*.cold
//	    when kind == "reading"
//	    to readings, audit
//	}
package config

import (
	"os"
	"time"

	"relay/internal/filter"
	"relay/internal/pattern"
	"relay/internal/retry"
)

// Config is a config that was read and checked.
type Config struct {
	Relay  Relay
	Queues []Queue
	Rules  []Rule
}

// Relay has what concerns the relay as a whole.
type Relay struct {
	Name string
	// Data is the folder of queues on disk and of the journal.
	Data string
	// Journal says whether events are written to a journal.
	Journal bool
	// MaxBody is the largest body that is taken, in bytes.
	MaxBody int
	// Unrouted is the queue of messages that no rule wants; without it they are dropped.
	Unrouted string
}

// Queue is where messages wait for their delivery.
type Queue struct {
	Name  string
	Store Store
	// Limit is how many messages fit; 0 for no limit.
	Limit int
	Retry retry.Policy
	// Dead is the queue of messages that were given up; without it they are dropped.
	Dead string
	Sink Sink
	// MaxAge is when messages are too old to be delivered; 0 for never.
	MaxAge time.Duration
	// Line is where the queue stands in the file.
	Line int
}

// Store is where a queue keeps its messages.
type Store string

const (
	// Memory forgets everything at the end.
	Memory Store = "memory"
	// Disk keeps messages over a restart.
	Disk Store = "disk"
)

// Sink is where the messages of a queue are delivered to.
type Sink struct {
	Kind string
	// Target is the file, or why everything is refused.
	Target string
}

// Rule says which messages go to which queues.
type Rule struct {
	Name  string
	Match pattern.Pattern
	When  filter.Filter
	To    []string
	// Priority: rules with a higher one are asked first.
	Priority int
	// Set has headers that the message gets on the way.
	Set []Header
	// Stop ends the search for further rules.
	Stop bool
	// Drop throws the message away; there is no To then.
	Drop bool
	Line int
}

// Header is a header with its value.
type Header struct{ Name, Value string }

// Load reads a config file.
func Load(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(string(text))
}

// Queue finds a queue by name.
func (c *Config) Queue(name string) (Queue, bool) {
	for _, queue := range c.Queues {
		if queue.Name == name {
			return queue, true
		}
	}
	return Queue{}, false
}
