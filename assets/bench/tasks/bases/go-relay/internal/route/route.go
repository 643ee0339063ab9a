// Package route finds the queues of a message.
package route

import (
	"sort"

	"relay/internal/config"
	"relay/internal/message"
)

// Table has the rules in the order in which they are asked.
type Table struct {
	rules    []config.Rule
	unrouted string
}

// Decision is what the rules say about a message.
type Decision struct {
	// Queues has each queue once, in the order of the rules.
	Queues []string
	// Rules has the names of the rules that wanted the message.
	Rules []string
	// Set has the headers it gets; later rules win.
	Set map[string]string
	// Dropped says that a rule threw it away, or that nobody wanted it.
	Dropped bool
}

// NewTable puts the rules of a config in order: by priority, then by how narrow
// their patterns are, then as they stand in the file.
func NewTable(c *config.Config) *Table {
	rules := append([]config.Rule(nil), c.Rules...)
	sort.SliceStable(rules, func(i, j int) bool {
		if rules[i].Priority != rules[j].Priority {
			return rules[i].Priority > rules[j].Priority
		}
		return rules[i].Match.Narrower(rules[j].Match)
	})
	return &Table{rules: rules, unrouted: c.Relay.Unrouted}
}

// Route asks the rules. Headers that a rule sets can be seen by the conditions of
// later ones; the message itself isn't changed.
func (t *Table) Route(m *message.Message) Decision {
	seen := m.Clone()
	decision := Decision{Set: map[string]string{}}
	taken := map[string]bool{}
	for _, rule := range t.rules {
		if !rule.Match.Matches(m.Topic) || !rule.When.Holds(seen) {
			continue
		}
		decision.Rules = append(decision.Rules, rule.Name)
		if rule.Drop {
			decision.Queues = nil
			decision.Dropped = true
			return decision
		}
		for _, header := range rule.Set {
			decision.Set[header.Name] = header.Value
			seen.SetHeader(header.Name, header.Value)
		}
		for _, name := range rule.To {
			if !taken[name] {
				taken[name] = true
				decision.Queues = append(decision.Queues, name)
			}
		}
		if rule.Stop {
			break
		}
	}
	if len(decision.Queues) == 0 {
		if t.unrouted == "" {
			decision.Dropped = true
		} else {
			decision.Queues = []string{t.unrouted}
		}
	}
	return decision
}

// Names gives the names of the rules in the order in which they are asked.
func (t *Table) Names() []string {
	var names []string
	for _, rule := range t.rules {
		names = append(names, rule.Name)
	}
	return names
}
