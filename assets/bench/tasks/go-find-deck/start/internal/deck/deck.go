// Package deck counts the room on the car decks.
package deck

import "errors"

// ErrFull says that a vehicle does not fit any more.
var ErrFull = errors.New("car deck full")

// Plan has the decimetres taken on each sailing.
type Plan struct {
	length int
	taken  map[string]int
}

// NewPlan is for a ship whose lanes are so long together.
func NewPlan(length int) *Plan {
	return &Plan{length: length, taken: map[string]int{}}
}

// Take keeps room on a sailing.
func (p *Plan) Take(sailing string, length int) error {
	if p.taken[sailing]+length > p.length {
		return ErrFull
	}
	p.taken[sailing] += length
	return nil
}

// Give frees room on a sailing.
func (p *Plan) Give(sailing string, length int) {
	p.taken[sailing] -= length
	if p.taken[sailing] < 0 {
		p.taken[sailing] = 0
	}
}

// Free is what is left on a sailing.
func (p *Plan) Free(sailing string) int { return p.length - p.taken[sailing] }
