// Package timetable knows when ships leave.
package timetable

import "ferry/internal/clock"

// Sailing is one departure.
type Sailing struct {
	ID     string
	Ship   string
	From   string
	Depart clock.Time
	// Minutes the crossing takes.
	Takes int
}

// Arrive is when the ship is at the other side.
func (s Sailing) Arrive() clock.Time { return s.Depart + clock.Time(s.Takes) }

// Summer is the timetable from May to September.
var Summer = []Sailing{
	{ID: "@@CODE@@1", Ship: "@@SHIP@@", From: "Norhavn", Depart: clock.At(6, 30), Takes: 50},
	{ID: "@@CODE@@2", Ship: "@@SHIP@@", From: "Sundby", Depart: clock.At(8, 0), Takes: 50},
	{ID: "@@CODE@@3", Ship: "@@SHIP@@", From: "Norhavn", Depart: clock.At(11, 15), Takes: 50},
	{ID: "@@CODE@@4", Ship: "@@SHIP@@", From: "Sundby", Depart: clock.At(16, 45), Takes: 55},
}

// Find looks a sailing up.
func Find(id string) (Sailing, bool) {
	for _, s := range Summer {
		if s.ID == id {
			return s, true
		}
	}
	return Sailing{}, false
}
