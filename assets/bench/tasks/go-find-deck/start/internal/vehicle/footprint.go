package vehicle

// Gap is left free behind each vehicle on a deck.
const Gap = @@GAP@@

// Footprint is the length of deck a vehicle needs. Two motorcycles stand side
// by side, so one of them needs half.
func Footprint(v Vehicle) int {
	switch {
	case v.None():
		return 0
	case v.Kind == Motorcycle:
		return (v.Length + Gap + 1) / 2
	case v.Kind == Trailer:
		// one more between car and trailer
		return v.Length + 2*Gap
	}
	return v.Length + Gap
}
