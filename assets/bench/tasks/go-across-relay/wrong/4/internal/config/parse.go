package config

import (
	"strconv"
	"strings"

	"relay/internal/filter"
	"relay/internal/pattern"
	"relay/internal/retry"
	"relay/internal/units"
)

// Parse reads and checks the text of a config.
func Parse(text string) (*Config, error) {
	parts, err := blocks(text)
	if err != nil {
		return nil, err
	}
	config := &Config{Relay: Relay{Name: "relay", Data: "data", MaxBody: 64 << 10}}
	for _, part := range parts {
		if (part.kind == "relay") != (part.name == "") {
			return nil, fault(part.line, "only the block 'relay' has no name")
		}
		switch part.kind {
		case "relay":
			err = readRelay(part, &config.Relay)
		case "queue":
			queue := Queue{Name: part.name, Store: Memory, Retry: retry.Default, Sink: Sink{Kind: "discard"}, Line: part.line}
			err = readQueue(part, &queue)
			config.Queues = append(config.Queues, queue)
		case "rule":
			rule := Rule{Name: part.name, Line: part.line}
			err = readRule(part, &rule)
			config.Rules = append(config.Rules, rule)
		default:
			err = fault(part.line, "there is no block %q", part.kind)
		}
		if err != nil {
			return nil, err
		}
	}
	return config, check(config)
}

func readRelay(part block, relay *Relay) error {
	for _, s := range part.settings {
		var err error
		switch s.key {
		case "name":
			relay.Name, err = word(s)
		case "data":
			relay.Data, err = word(s)
		case "unrouted":
			relay.Unrouted, err = word(s)
		case "journal":
			relay.Journal, err = truth(s)
		case "max-body":
			relay.MaxBody, err = size(s)
		default:
			err = fault(s.line, "relay has no setting %q", s.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readQueue(part block, queue *Queue) error {
	for _, s := range part.settings {
		var err error
		switch s.key {
		case "store":
			queue.Store = Store(s.value)
			if queue.Store != Memory && queue.Store != Disk {
				err = fault(s.line, "a store is 'memory' or 'disk'")
			}
		case "limit":
			queue.Limit, err = count(s)
		case "retry":
			queue.Retry, err = retry.Parse(strings.Fields(s.value))
			err = onLine(s.line, err)
		case "dead":
			queue.Dead, err = word(s)
		case "sink":
			queue.Sink, err = readSink(s)
		case "@@KEY@@":
			queue.MaxAge, err = units.Duration(s.value)
			err = onLine(s.line, err)
		default:
			err = fault(s.line, "queue has no setting %q", s.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readSink(s setting) (Sink, error) {
	kind, target, _ := strings.Cut(s.value, " ")
	target = strings.TrimSpace(target)
	switch kind {
	case "discard", "memory":
		if target != "" {
			return Sink{}, fault(s.line, "sink %s needs nothing else", kind)
		}
	case "file", "reject":
		if target == "" {
			return Sink{}, fault(s.line, "sink %s needs something behind it", kind)
		}
	default:
		return Sink{}, fault(s.line, "there is no sink %q", kind)
	}
	return Sink{Kind: kind, Target: strings.Trim(target, `"`)}, nil
}

func readRule(part block, rule *Rule) error {
	for _, s := range part.settings {
		var err error
		switch s.key {
		case "match":
			rule.Match, err = pattern.Parse(s.value)
			err = onLine(s.line, err)
		case "when":
			rule.When, err = filter.Parse(s.value)
			err = onLine(s.line, err)
		case "to":
			for _, name := range strings.Split(s.value, ",") {
				rule.To = append(rule.To, strings.TrimSpace(name))
			}
		case "priority":
			rule.Priority, err = strconv.Atoi(s.value)
			if err != nil {
				err = fault(s.line, "priority %q is no whole number", s.value)
			}
		case "set":
			name, value, found := strings.Cut(s.value, " ")
			if !found {
				err = fault(s.line, "set needs a header and its value")
			}
			rule.Set = append(rule.Set, Header{name, strings.Trim(strings.TrimSpace(value), `"`)})
		case "stop", "drop":
			if s.value != "" {
				err = fault(s.line, "%s stands alone", s.key)
			}
			rule.Stop = rule.Stop || s.key == "stop"
			rule.Drop = rule.Drop || s.key == "drop"
		default:
			err = fault(s.line, "rule has no setting %q", s.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// onLine says of an error where it happened.
func onLine(line int, err error) error {
	if err == nil {
		return nil
	}
	return fault(line, "%v", err)
}

func word(s setting) (string, error) {
	if s.value == "" || strings.ContainsAny(s.value, " \t") {
		return "", fault(s.line, "%s needs one word", s.key)
	}
	return s.value, nil
}

func truth(s setting) (bool, error) {
	switch s.value {
	case "yes":
		return true, nil
	case "no":
		return false, nil
	}
	return false, fault(s.line, "%s is yes or no", s.key)
}

func count(s setting) (int, error) {
	number, err := strconv.Atoi(s.value)
	if err != nil || number < 0 {
		return 0, fault(s.line, "%s %q is no count", s.key, s.value)
	}
	return number, nil
}

func size(s setting) (int, error) {
	bytes, err := units.Size(s.value)
	return bytes, onLine(s.line, err)
}
