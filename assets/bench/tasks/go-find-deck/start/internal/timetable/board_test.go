package timetable

import (
	"testing"

	"ferry/internal/clock"
)

func TestBoard(t *testing.T) {
	lines := Board(Summer, clock.At(11, 15))
	if len(lines) != 2 || lines[0] != "11:15  Norhavn   @@SHIP@@  (arrives 12:05)" {
		t.Errorf("got %q", lines)
	}
}
