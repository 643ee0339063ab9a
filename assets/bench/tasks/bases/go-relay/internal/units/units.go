// Package units reads and writes sizes and durations as they stand in config files.
package units

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Size reads "512", "64k" or "2m" as bytes.
func Size(text string) (int, error) {
	factor := 1
	digits := text
	switch {
	case strings.HasSuffix(text, "k"):
		factor, digits = 1<<10, strings.TrimSuffix(text, "k")
	case strings.HasSuffix(text, "m"):
		factor, digits = 1<<20, strings.TrimSuffix(text, "m")
	}
	number, err := strconv.Atoi(digits)
	if err != nil || number < 0 || number > 1<<30/factor {
		return 0, fmt.Errorf("%q is no size", text)
	}
	return number * factor, nil
}

// Duration reads "250ms", "1s", "1m30s" or "2h". It must not be negative.
func Duration(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil || duration < 0 {
		return 0, fmt.Errorf("%q is no duration", text)
	}
	return duration, nil
}

// Short writes a duration without parts that are zero: "5m", not "5m0s".
func Short(duration time.Duration) string {
	text := duration.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
