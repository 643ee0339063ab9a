// Package passenger has who walks on board.
package passenger

// Party is a group that travels together.
type Party struct {
	Adults   int
	Children int
	// Islanders have a card for a lower fare; they are among the adults.
	Islanders int
}

// Size is the number of heads.
func (p Party) Size() int { return p.Adults + p.Children }

// Valid says whether somebody of age is there.
func (p Party) Valid() bool {
	return p.Adults > 0 && p.Children >= 0 && p.Islanders >= 0 && p.Islanders <= p.Adults
}
