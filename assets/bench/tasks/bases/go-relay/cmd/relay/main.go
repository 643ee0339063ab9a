// Relay takes messages, sorts them into queues by rules, and delivers them.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"relay/internal/admin"
	"relay/internal/clock"
	"relay/internal/config"
	"relay/internal/engine"
	"relay/internal/journal"
	"relay/internal/replay"
	"relay/internal/route"
)

const usage = `usage:
  relay check CONFIG                  checks a config and lists its rules in order
  relay admin CONFIG                  commands from the standard input
  relay try CONFIG                    the same, with a clock that is moved by 'advance'
  relay journal FILE                  checks a journal and counts its records
  relay replay CONFIG JOURNAL         where the rules send the messages of a journal
  relay replay CONFIG JOURNAL ID…     the same for single messages, rule by rule
`

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "relay:", err)
		os.Exit(1)
	}
}

func run(words []string, in io.Reader, out io.Writer) error {
	switch {
	case len(words) == 2 && words[0] == "check":
		return check(words[1], out)
	case len(words) == 2 && words[0] == "admin":
		return operate(words[1], clock.System{}, in, out)
	case len(words) == 2 && words[0] == "try":
		return operate(words[1], clock.NewManual(time.Now()), in, out)
	case len(words) == 2 && words[0] == "journal":
		return checkJournal(words[1], out)
	case len(words) >= 3 && words[0] == "replay":
		return replayJournal(words[1], words[2], words[3:], out)
	}
	_, err := io.WriteString(out, usage)
	return err
}

func check(path string, out io.Writer) error {
	c, err := config.Load(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(out, "%d queues, %d rules\n", len(c.Queues), len(c.Rules))
	for index, name := range route.NewTable(c).Names() {
		fmt.Fprintf(out, "%2d. %s\n", index+1, name)
	}
	return nil
}

func operate(path string, c clock.Clock, in io.Reader, out io.Writer) error {
	loaded, err := config.Load(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	e, err := engine.New(loaded, engine.Options{Clock: c})
	if err != nil {
		return err
	}
	defer e.Close()
	return admin.New(e, c, out).Run(in)
}

func checkJournal(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	report, err := journal.Check(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d records\n", report.Records)
	for _, problem := range report.Problems {
		fmt.Fprintln(out, problem)
	}
	if len(report.Problems) > 0 {
		return fmt.Errorf("%d problems", len(report.Problems))
	}
	return nil
}

func replayJournal(configPath, journalPath string, ids []string, out io.Writer) error {
	c, err := config.Load(configPath)
	if err != nil {
		return fmt.Errorf("%s: %w", configPath, err)
	}
	file, err := os.Open(journalPath)
	if err != nil {
		return err
	}
	defer file.Close()
	records, err := journal.Read(file)
	if err != nil {
		return err
	}
	fates := replay.Run(c, records)
	if len(ids) == 0 {
		replay.Write(out, fates)
		return nil
	}
	for _, id := range ids {
		found := false
		for _, fate := range fates {
			if fate.Message.ID == id {
				replay.Explain(out, c, fate.Message)
				found = true
			}
		}
		if !found {
			return fmt.Errorf("the journal has no message %s", id)
		}
	}
	return nil
}
