package retry

import (
	"strings"
	"testing"
	"time"
)

func TestPausesGrow(t *testing.T) {
	for text, want := range map[string][]time.Duration{
		"fixed first 3s":                         {3e9, 3e9, 3e9},
		"linear first 2s max 5s":                 {2e9, 4e9, 5e9, 5e9},
		"exponential first 1s factor 3 max 10s":  {1e9, 3e9, 9e9, 10e9, 10e9},
		"exponential first 1s factor 1.5 max 0s": {1e9, 15e8, 225e7},
	} {
		policy, err := Parse(strings.Fields(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, pause := range want {
			if got := policy.Pause(i + 1); got != pause {
				t.Errorf("%s: pause %d is %v", text, i+1, got)
			}
		}
	}
	endless := Policy{Kind: Exponential, First: time.Second, Factor: 10}
	if endless.Pause(5000) <= 0 {
		t.Error("a very long pause became negative")
	}
}

func TestAttemptsEnd(t *testing.T) {
	policy := Policy{Kind: Fixed, Attempts: 3}
	if policy.Exhausted(2) || !policy.Exhausted(3) || (Policy{}).Exhausted(1000) {
		t.Error("the wrong number of attempts")
	}
}

func TestPoliciesAreWrittenAsTheyAreRead(t *testing.T) {
	text := "exponential first 1s factor 2 max 5m attempts 8"
	if policy, err := Parse(strings.Fields(text)); err != nil || policy != Default || policy.String() != text {
		t.Errorf("%v, %v", policy, err)
	}
	for _, text := range []string{"", "sometimes", "fixed first", "fixed first soon", "linear attempts -1", "exponential factor 0.5", "fixed last 3s"} {
		if _, err := Parse(strings.Fields(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
