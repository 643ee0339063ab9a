// Package metrics counts, and shows the counts as text.
package metrics

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Registry has all counters and gauges of a relay.
type Registry struct {
	mu       sync.Mutex
	help     map[string]string
	counters map[string]map[string]int
	gauges   map[string]map[string]func() int
}

// New gives an empty registry.
func New() *Registry {
	return &Registry{
		help:     map[string]string{},
		counters: map[string]map[string]int{},
		gauges:   map[string]map[string]func() int{},
	}
}

// Describe says in a few words what a counter or gauge is for.
func (r *Registry) Describe(name, help string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.help[name] = help
}

// Count adds one to a counter of a queue; the queue may be empty.
func (r *Registry) Count(name, queue string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counters[name] == nil {
		r.counters[name] = map[string]int{}
	}
	r.counters[name][queue]++
}

// Value is what a counter of a queue has reached.
func (r *Registry) Value(name, queue string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counters[name][queue]
}

// Gauge registers a function that is asked each time the metrics are shown.
func (r *Registry) Gauge(name, queue string, value func() int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gauges[name] == nil {
		r.gauges[name] = map[string]func() int{}
	}
	r.gauges[name][queue] = value
}

// Render shows everything, in order of the names:
//
//	# delivered_total messages taken by their sink
//	delivered_total{queue="readings"} 3
func (r *Registry) Render() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	values := map[string]map[string]int{}
	for name, counters := range r.counters {
		values[name] = counters
	}
	for name, gauges := range r.gauges {
		values[name] = map[string]int{}
		for queue, value := range gauges {
			values[name][queue] = value()
		}
	}
	var text strings.Builder
	for _, name := range sorted(values) {
		if help := r.help[name]; help != "" {
			fmt.Fprintf(&text, "# %s %s\n", name, help)
		}
		for _, queue := range sorted(values[name]) {
			label := ""
			if queue != "" {
				label = fmt.Sprintf("{queue=%q}", queue)
			}
			fmt.Fprintf(&text, "%s%s %d\n", name, label, values[name][queue])
		}
	}
	return text.String()
}

func sorted[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
