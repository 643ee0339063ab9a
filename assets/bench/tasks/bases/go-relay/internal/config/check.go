package config

// check finds what is wrong between the parts of a config that are right each by itself.
func check(config *Config) error {
	seen := map[string]bool{}
	for _, queue := range config.Queues {
		if seen[queue.Name] {
			return fault(queue.Line, "queue %q is there twice", queue.Name)
		}
		seen[queue.Name] = true
	}
	if name := config.Relay.Unrouted; name != "" && !seen[name] {
		return fault(1, "unrouted: there is no queue %q", name)
	}
	for _, queue := range config.Queues {
		if queue.Dead != "" && !seen[queue.Dead] {
			return fault(queue.Line, "dead: there is no queue %q", queue.Dead)
		}
		if queue.Dead == queue.Name {
			return fault(queue.Line, "queue %q is its own dead queue", queue.Name)
		}
	}
	names := map[string]bool{}
	for _, rule := range config.Rules {
		if names[rule.Name] {
			return fault(rule.Line, "rule %q is there twice", rule.Name)
		}
		names[rule.Name] = true
		if err := checkRule(rule, seen); err != nil {
			return err
		}
	}
	return nil
}

func checkRule(rule Rule, queues map[string]bool) error {
	if rule.Match.String() == "" {
		return fault(rule.Line, "rule %q matches nothing", rule.Name)
	}
	if rule.Drop == (len(rule.To) > 0) {
		return fault(rule.Line, "rule %q needs either 'to' or 'drop'", rule.Name)
	}
	for _, name := range rule.To {
		if !queues[name] {
			return fault(rule.Line, "to: there is no queue %q", name)
		}
	}
	return nil
}
