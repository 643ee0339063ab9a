package engine

import (
	"relay/internal/journal"
	"relay/internal/metrics"
)

// Status is how a queue is doing.
type Status struct {
	Name    string
	Waiting int
	// Out counts messages that are being delivered.
	Out       int
	Delivered int
	Failed    int
	Dead      int
	// Expired counts messages that were too old.
	Expired int
}

// counterOf says which counter goes up when something happens.
var counterOf = map[journal.Kind]string{
	journal.Dropped:   "dropped_total",
	journal.Delivered: "delivered_total",
	journal.Failed:    "failed_total",
	journal.Dead:      "dead_total",
	journal.Requeued:  "requeued_total",
	journal.Expired:   "@@EVENT@@_total",
}

func newMetrics() *metrics.Registry {
	registry := metrics.New()
	registry.Describe("accepted_total", "messages taken by the relay")
	registry.Describe("refused_total", "messages not taken because a queue was full")
	registry.Describe("dropped_total", "messages thrown away by a rule, or wanted by none")
	registry.Describe("delivered_total", "messages taken by the sink of a queue")
	registry.Describe("failed_total", "deliveries that failed and will be tried again")
	registry.Describe("dead_total", "messages that were given up")
	registry.Describe("@@EVENT@@_total", "messages that were too old to be delivered")
	registry.Describe("requeued_total", "messages that came back from a dead queue")
	registry.Describe("waiting", "messages that wait in a queue")
	return registry
}

// tell counts what happened and writes it down. A journal that cannot be written
// to must not stop deliveries, so its errors end here.
func (e *Engine) tell(kind journal.Kind, queue, id, detail string) {
	e.metrics.Count(counterOf[kind], queue)
	_ = e.journal.Append(kind, queue, id, detail, nil)
}

// Queues gives the status of all queues in the order of the config.
func (e *Engine) Queues() []Status {
	var all []Status
	for _, c := range e.config.Queues {
		status := Status{Name: c.Name}
		status.Waiting, status.Out = e.queues[c.Name].Len()
		status.Delivered = e.metrics.Value("delivered_total", c.Name)
		status.Failed = e.metrics.Value("failed_total", c.Name)
		status.Dead = e.metrics.Value("dead_total", c.Name)
		status.Expired = e.metrics.Value("@@EVENT@@_total", c.Name)
		all = append(all, status)
	}
	return all
}

// Metrics shows all counters and gauges.
func (e *Engine) Metrics() string { return e.metrics.Render() }
