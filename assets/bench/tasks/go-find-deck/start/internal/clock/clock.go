// Package clock has times of the day, in minutes after midnight.
package clock

import "fmt"

// Time is a time of the day.
type Time int

// At makes a time from hours and minutes.
func At(hour, minute int) Time { return Time(hour*60 + minute) }

// String gives "08:05".
func (t Time) String() string { return fmt.Sprintf("%02d:%02d", int(t)/60, int(t)%60) }
