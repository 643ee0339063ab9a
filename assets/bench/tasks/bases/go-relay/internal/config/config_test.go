package config

import (
	"testing"
	"time"

	"relay/internal/retry"
)

const good = `# the north
relay {
    name north
    journal yes
    max-body 2k
    unrouted rest   # what nobody wants
}

queue rest {
}
queue readings {
    store disk
    limit 500
    retry linear first 10s attempts 3
    dead rest
    sink file out/readings.txt
}

rule all {
    match #
    when kind == "a # b"
    to readings, rest
    set class "very cold"
    priority -5
    stop
}
rule none {
    match a.#
    drop
}
`

func TestEverythingIsRead(t *testing.T) {
	config, err := Parse(good)
	if err != nil {
		t.Fatal(err)
	}
	if config.Relay != (Relay{Name: "north", Data: "data", Journal: true, MaxBody: 2048, Unrouted: "rest"}) {
		t.Errorf("relay: %+v", config.Relay)
	}
	queue, _ := config.Queue("readings")
	wanted := retry.Policy{Kind: retry.Linear, First: 10 * time.Second, Factor: 2, Max: 5 * time.Minute, Attempts: 3}
	if queue.Store != Disk || queue.Limit != 500 || queue.Dead != "rest" || queue.Retry != wanted {
		t.Errorf("queue: %+v", queue)
	}
	if queue.Sink != (Sink{"file", "out/readings.txt"}) {
		t.Errorf("sink: %+v", queue.Sink)
	}
	rule := config.Rules[0]
	if rule.Match.String() != "#" || rule.When.String() != `kind == "a # b"` || len(rule.To) != 2 || rule.Priority != -5 || !rule.Stop {
		t.Errorf("rule: %+v", rule)
	}
	if rule.Set[0] != (Header{"class", "very cold"}) || !config.Rules[1].Drop {
		t.Errorf("rules: %+v", config.Rules)
	}
}

func TestMistakesNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"queue a {\n":                                   "line 1: the block is not closed",
		"name x\n":                                      "line 1: a block is expected: 'queue NAME {'",
		"bucket a {\n}\n":                               `line 1: there is no block "bucket"`,
		"queue {\n}\n":                                  "line 1: only the block 'relay' has no name",
		"queue a {\n}\nqueue a {\n}\n":                  `line 3: queue "a" is there twice`,
		"queue a {\n  stor disk\n}\n":                   `line 2: queue has no setting "stor"`,
		"queue a {\n  retry never\n}\n":                 `line 2: there is no retry policy "never"`,
		"queue a {\n  dead b\n}\n":                      `line 1: dead: there is no queue "b"`,
		"queue a {\n  dead a\n}\n":                      `line 1: queue "a" is its own dead queue`,
		"queue a {\n  sink file\n}\n":                   "line 2: sink file needs something behind it",
		"rule r {\n  match x\n}\n":                      `line 1: rule "r" needs either 'to' or 'drop'`,
		"rule r {\n  to a\n}\n":                         `line 1: rule "r" matches nothing`,
		"rule r {\n  match x\n  to a\n}\n":              `line 1: to: there is no queue "a"`,
		"rule r {\n  match x..y\n  drop\n}\n":           `line 2: pattern "x..y" has an empty part`,
		"relay {\n  max-body much\n}\n":                 `line 2: "much" is no size`,
		"relay {\n  unrouted a\n}\n":                    `line 1: unrouted: there is no queue "a"`,
		"rule r {\n  match x\n  when a ==\n  drop\n}\n": "line 3: the condition ends too early",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
