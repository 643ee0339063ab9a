// Package replay shows what the rules of a config make of messages that a journal
// has: after a change of rules, one sees beforehand where everything goes.
package replay

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"relay/internal/config"
	"relay/internal/journal"
	"relay/internal/message"
	"relay/internal/route"
)

// Fate is what becomes of a message.
type Fate struct {
	Message  *message.Message
	Decision route.Decision
}

// Run asks the rules about every message that was accepted.
func Run(c *config.Config, records []journal.Record) []Fate {
	table := route.NewTable(c)
	var fates []Fate
	for _, record := range records {
		if record.Kind == journal.Accepted && record.Message != nil {
			fates = append(fates, Fate{record.Message, table.Route(record.Message)})
		}
	}
	return fates
}

// Place is the queues of a message as text.
func (f Fate) Place() string {
	if f.Decision.Dropped {
		return "(dropped)"
	}
	return strings.Join(f.Decision.Queues, ", ")
}

// Write lists the messages and where they go, and how many go where.
func Write(out io.Writer, fates []Fate) {
	counts := map[string]int{}
	for _, fate := range fates {
		counts[fate.Place()]++
		fmt.Fprintf(out, "%-10s %-28s %s\n", fate.Message.ID, fate.Message.Topic, fate.Place())
	}
	places := make([]string, 0, len(counts))
	for place := range counts {
		places = append(places, place)
	}
	sort.Strings(places)
	for _, place := range places {
		fmt.Fprintf(out, "%d to %s\n", counts[place], place)
	}
}

// Explain tells of one message what it has, and what each rule says about it.
func Explain(out io.Writer, c *config.Config, m *message.Message) {
	fmt.Fprintf(out, "%s\n  topic %q, %d bytes\n", m.ID, m.Topic, len(m.Body))
	for _, name := range m.HeaderNames() {
		fmt.Fprintf(out, "  %s = %q\n", name, m.Headers[name])
	}
	decision := route.NewTable(c).Route(m)
	wanted := map[string]bool{}
	for _, name := range decision.Rules {
		wanted[name] = true
	}
	rules := map[string]config.Rule{}
	for _, rule := range c.Rules {
		rules[rule.Name] = rule
	}
	for _, name := range route.NewTable(c).Names() {
		rule := rules[name]
		verdict := "never asked: an earlier rule ended it"
		switch {
		case wanted[name]:
			verdict = "takes it"
		case !rule.Match.Matches(m.Topic):
			verdict = fmt.Sprintf("no: the topic does not match %s", rule.Match)
		case !rule.When.Holds(m):
			verdict = fmt.Sprintf("no: the condition does not hold: %s", rule.When)
		}
		fmt.Fprintf(out, "  rule %s: %s\n", name, verdict)
	}
	fmt.Fprintf(out, "  goes to %s\n", Fate{m, decision}.Place())
}
