package admin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"relay/internal/clock"
	"relay/internal/units"
)

type command struct {
	name, arguments, help string
	run                   func(s *Session, rest string) error
}

var commands []command

// The list refers to help, which refers to the list; so it is made here.
func init() {
	commands = []command{
		{"publish", "TOPIC [NAME=VALUE…] [-- BODY]", "takes a message", publish},
		{"route", "TOPIC [NAME=VALUE…] [-- BODY]", "says where a message would go", decide},
		{"pump", "", "delivers all that is due", pump},
		{"advance", "DURATION", "moves the clock forward, if it is a manual one", advance},
		{"queues", "", "lists the queues", queues},
		{"peek", "QUEUE [COUNT]", "shows what waits in a queue", peek},
		{"requeue", "QUEUE", "brings the messages of a dead queue back", requeue},
		{"purge", "QUEUE", "throws away what waits in a queue", purge},
		{"metrics", "", "shows all counters", metrics},
		{"due", "", "says when something is due next", due},
		{"help", "", "lists the commands", help},
	}
}

// parts splits "TOPIC NAME=VALUE -- BODY".
func parts(rest string) (topic string, headers map[string]string, body []byte, err error) {
	head, text, _ := strings.Cut(rest+" ", " -- ")
	words := strings.Fields(head)
	if len(words) == 0 {
		return "", nil, nil, errors.New("a topic is missing")
	}
	headers = map[string]string{}
	for _, word := range words[1:] {
		name, value, found := strings.Cut(word, "=")
		if !found || name == "" {
			return "", nil, nil, fmt.Errorf("%q is no header; a header is NAME=VALUE", word)
		}
		headers[name] = value
	}
	return words[0], headers, []byte(strings.TrimSuffix(text, " ")), nil
}

func publish(s *Session, rest string) error {
	topic, headers, body, err := parts(rest)
	if err != nil {
		return err
	}
	id, decision, err := s.engine.Publish(topic, headers, body)
	if err != nil {
		return err
	}
	if decision.Dropped {
		s.say("%s dropped", id)
	} else {
		s.say("%s to %s", id, strings.Join(decision.Queues, ", "))
	}
	return nil
}

func decide(s *Session, rest string) error {
	topic, headers, body, err := parts(rest)
	if err != nil {
		return err
	}
	decision, err := s.engine.Decide(topic, headers, body)
	if err != nil {
		return err
	}
	rules := "no rule"
	if len(decision.Rules) > 0 {
		rules = strings.Join(decision.Rules, ", ")
	}
	if decision.Dropped {
		s.say("dropped by %s", rules)
	} else {
		s.say("to %s by %s", strings.Join(decision.Queues, ", "), rules)
	}
	return nil
}

func pump(s *Session, _ string) error {
	count, err := s.engine.Pump()
	s.say("%d attempts", count)
	return err
}

func advance(s *Session, rest string) error {
	manual, ok := s.clock.(*clock.Manual)
	if !ok {
		return errors.New("the clock cannot be moved")
	}
	by, err := units.Duration(rest)
	if err != nil {
		return err
	}
	manual.Advance(by)
	return nil
}

func queues(s *Session, _ string) error {
	for _, q := range s.engine.Queues() {
		s.say("%s waiting=%d delivered=%d failed=%d dead=%d @@EVENT@@=%d", q.Name, q.Waiting, q.Delivered, q.Failed, q.Dead, q.Expired)
	}
	return nil
}

func peek(s *Session, rest string) error {
	words := strings.Fields(rest)
	count := 10
	if len(words) == 2 {
		number, err := strconv.Atoi(words[1])
		if err != nil || number < 1 {
			return fmt.Errorf("%q is no count", words[1])
		}
		count = number
	} else if len(words) != 1 {
		return errors.New("a queue is missing")
	}
	messages, err := s.engine.Peek(words[0], count)
	if err != nil {
		return err
	}
	for _, m := range messages {
		headers := ""
		for _, name := range m.HeaderNames() {
			headers += fmt.Sprintf(" %s=%q", name, m.Headers[name])
		}
		s.say("%s %s attempts=%d due %s%s", m.ID, m.Topic, m.Attempts, s.since(m.Due), headers)
	}
	return nil
}

func requeue(s *Session, rest string) error {
	count, err := s.engine.Requeue(rest)
	if err == nil {
		s.say("%d messages are back", count)
	}
	return err
}

func purge(s *Session, rest string) error {
	count, err := s.engine.Purge(rest)
	if err == nil {
		s.say("%d messages are gone", count)
	}
	return err
}

func metrics(s *Session, _ string) error {
	fmt.Fprint(s.out, s.engine.Metrics())
	return nil
}

func due(s *Session, _ string) error {
	if next, found := s.engine.NextDue(); found {
		s.say("%s", s.since(next))
	} else {
		s.say("nothing is due")
	}
	return nil
}

func help(s *Session, _ string) error {
	for _, c := range commands {
		s.say("%-40s %s", strings.TrimSpace(c.name+" "+c.arguments), c.help)
	}
	return nil
}
