// Package retry says when a failed delivery is tried again, and when not any more.
package retry

import (
	"fmt"
	"strconv"
	"time"

	"relay/internal/units"
)

// Policy is how a queue deals with failed deliveries.
type Policy struct {
	Kind Kind
	// First is the pause after the first failure.
	First time.Duration
	// Factor is what each further pause is longer by; for exponential ones only.
	Factor float64
	// Max is the longest pause; 0 for no limit.
	Max time.Duration
	// Attempts is how often is tried in all; 0 for no limit.
	Attempts int
}

// Kind is how pauses grow.
type Kind string

const (
	// Fixed pauses are all the same.
	Fixed Kind = "fixed"
	// Linear pauses grow by the first one each time.
	Linear Kind = "linear"
	// Exponential pauses are multiplied each time.
	Exponential Kind = "exponential"
)

// Default is the policy of queues that have none in the config.
var Default = Policy{Kind: Exponential, First: time.Second, Factor: 2, Max: 5 * time.Minute, Attempts: 8}

// Parse reads a policy from the words behind "retry":
//
//	exponential first 1s factor 2 max 5m attempts 6
//
// What is left out is as in Default.
func Parse(words []string) (Policy, error) {
	policy := Default
	if len(words) == 0 {
		return policy, fmt.Errorf("a retry policy begins with its kind")
	}
	policy.Kind = Kind(words[0])
	switch policy.Kind {
	case Fixed, Linear, Exponential:
	default:
		return policy, fmt.Errorf("there is no retry policy %q", words[0])
	}
	rest := words[1:]
	for ; len(rest) >= 2; rest = rest[2:] {
		if err := policy.set(rest[0], rest[1]); err != nil {
			return policy, err
		}
	}
	if len(rest) > 0 {
		return policy, fmt.Errorf("retry: %q needs a value", rest[0])
	}
	return policy, nil
}

func (p *Policy) set(name, value string) (err error) {
	switch name {
	case "first":
		p.First, err = units.Duration(value)
	case "max":
		p.Max, err = units.Duration(value)
	case "factor":
		p.Factor, err = strconv.ParseFloat(value, 64)
		if err != nil || p.Factor < 1 {
			err = fmt.Errorf("factor %q is no number from 1 on", value)
		}
	case "attempts":
		p.Attempts, err = strconv.Atoi(value)
		if err != nil || p.Attempts < 0 {
			err = fmt.Errorf("attempts %q is no count", value)
		}
	default:
		err = fmt.Errorf("retry has no %q", name)
	}
	return err
}

// Exhausted says whether so many failures are enough.
func (p Policy) Exhausted(failures int) bool {
	return p.Attempts > 0 && failures >= p.Attempts
}

// Pause is how long to wait after so many failures, counted from 1.
func (p Policy) Pause(failures int) time.Duration {
	if failures < 1 {
		return 0
	}
	pause := float64(p.First)
	switch p.Kind {
	case Fixed:
	case Linear:
		pause *= float64(failures)
	case Exponential:
		for i := 1; i < failures && (p.Max == 0 || pause < float64(p.Max)); i++ {
			pause *= p.Factor
		}
	}
	// Half a century is as good as never, and still fits a Duration.
	const longest = 50 * 365 * 24 * time.Hour
	switch {
	case p.Max > 0 && pause > float64(p.Max):
		return p.Max
	case pause > float64(longest):
		return longest
	}
	return time.Duration(pause)
}

// String writes the policy as it stands in a config.
func (p Policy) String() string {
	text := string(p.Kind) + " first " + units.Short(p.First)
	if p.Kind == Exponential {
		text += " factor " + strconv.FormatFloat(p.Factor, 'g', -1, 64)
	}
	return fmt.Sprintf("%s max %s attempts %d", text, units.Short(p.Max), p.Attempts)
}
