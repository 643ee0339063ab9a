// Package plan reads plans of jobs.
package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// Line reads one line of a plan. An empty line or a comment has no name.
func Line(line string) (due int, name string, err error) {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "#") {
		return 0, "", nil
	}
	first, rest, _ := strings.Cut(line, " ")
	due, err = strconv.Atoi(first)
	if err != nil || strings.TrimSpace(rest) == "" {
		return 0, "", fmt.Errorf("cannot read %q", line)
	}
	return due, strings.TrimSpace(rest), nil
}
