package route

import (
	"reflect"
	"testing"

	"relay/internal/config"
	"relay/internal/message"
)

const rules = `relay {
  unrouted rest
}
queue rest {
}
queue a {
}
queue b {
}
rule broad {
  match #
  when not private
  to a
}
rule narrow {
  match meters.*.cold
  to b, a
  set class cold
}
rule marked {
  match meters.#
  when class == cold and loud
  to rest
}
rule spam {
  match spam.#
  drop
}
rule urgent {
  match #.urgent
  priority 10
  to b
  stop
}
`

func table(t *testing.T) *Table {
	t.Helper()
	c, err := config.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return NewTable(c)
}

func TestRulesHaveAnOrder(t *testing.T) {
	if got := table(t).Names(); !reflect.DeepEqual(got, []string{"urgent", "narrow", "marked", "spam", "broad"}) {
		t.Error(got)
	}
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		topic   string
		headers map[string]string
		queues  []string
	}{
		{"x", nil, []string{"a"}},
		{"x", map[string]string{"private": ""}, []string{"rest"}},
		{"meters.n.cold", nil, []string{"b", "a"}},
		{"meters.n.cold", map[string]string{"loud": "1"}, []string{"b", "a", "rest"}},
		{"meters.n.urgent", nil, []string{"b"}},
		{"spam.x", nil, nil},
	} {
		m := &message.Message{Topic: c.topic, Headers: c.headers}
		got := table(t).Route(m)
		if !reflect.DeepEqual(got.Queues, c.queues) || got.Dropped != (c.queues == nil) {
			t.Errorf("%s %v: %+v", c.topic, c.headers, got)
		}
		if m.Headers["class"] != "" {
			t.Error("the message was changed")
		}
	}
}
