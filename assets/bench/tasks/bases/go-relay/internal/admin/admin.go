// Package admin has the commands with which a relay is operated. A command is a
// line; the answer is lines, and after them "ok" or "error: …".
package admin

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"relay/internal/clock"
	"relay/internal/engine"
)

// Session runs the commands of one person.
type Session struct {
	engine *engine.Engine
	clock  clock.Clock
	out    io.Writer
}

// New gives a session that answers to out.
func New(e *engine.Engine, c clock.Clock, out io.Writer) *Session {
	return &Session{engine: e, clock: c, out: out}
}

// Run reads commands until there are no more, or one is "quit".
func (s *Session) Run(in io.Reader) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		line := strings.TrimSpace(scanner.Text())
		if line == "quit" {
			return nil
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := s.Do(line); err != nil {
			fmt.Fprintf(s.out, "error: %v\n", err)
		} else {
			fmt.Fprintln(s.out, "ok")
		}
	}
	return scanner.Err()
}

// Do runs one command.
func (s *Session) Do(line string) error {
	name, rest, _ := strings.Cut(line, " ")
	for _, c := range commands {
		if c.name == name {
			return c.run(s, strings.TrimSpace(rest))
		}
	}
	return fmt.Errorf("there is no command %q; try 'help'", name)
}

func (s *Session) say(format string, values ...any) {
	fmt.Fprintf(s.out, format+"\n", values...)
}

// since tells how long ago or in how long something is, to the second.
func (s *Session) since(t time.Time) string {
	distance := t.Sub(s.clock.Now()).Round(time.Second)
	switch {
	case distance > 0:
		return "in " + distance.String()
	case distance < 0:
		return (-distance).String() + " ago"
	}
	return "now"
}
