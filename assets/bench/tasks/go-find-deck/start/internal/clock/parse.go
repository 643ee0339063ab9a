package clock

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads "8:05" or "08:05".
func Parse(text string) (Time, error) {
	hour, minute, found := strings.Cut(text, ":")
	h, errH := strconv.Atoi(hour)
	m, errM := strconv.Atoi(minute)
	if !found || errH != nil || errM != nil || h < 0 || h > 23 || m < 0 || m > 59 {
		return 0, fmt.Errorf("no time of the day: %q", text)
	}
	return At(h, m), nil
}
