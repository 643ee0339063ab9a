package timetable

import (
	"fmt"

	"ferry/internal/clock"
)

// Board is what the sign on the quay shows from a time on.
func Board(sailings []Sailing, from clock.Time) []string {
	var lines []string
	for _, s := range sailings {
		if s.Depart < from {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s  %-8s  %s  (arrives %s)", s.Depart, s.From, s.Ship, s.Arrive()))
	}
	return lines
}
