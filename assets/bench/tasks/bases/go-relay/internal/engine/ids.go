package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// idBlock is how many IDs are reserved at once, so that the file isn't written for
// each message. After a restart, what is left of a block is skipped.
const idBlock = 1000

// ids gives out IDs that were never used before, not even before a restart.
type ids struct {
	prefix string
	// path is the file of the reservation; without one, IDs begin anew each time.
	path     string
	next     int
	reserved int
}

func openIDs(prefix, folder string) (*ids, error) {
	i := &ids{prefix: prefix, next: 1}
	if folder == "" {
		i.reserved = 1 << 62
		return i, nil
	}
	i.path = filepath.Join(folder, "ids")
	if text, err := os.ReadFile(i.path); err == nil {
		next, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return nil, fmt.Errorf("%s: %q is no number", i.path, text)
		}
		i.next = next
	}
	return i, i.reserve()
}

func (i *ids) reserve() error {
	i.reserved = i.next + idBlock
	return os.WriteFile(i.path, []byte(strconv.Itoa(i.reserved)+"\n"), 0o644)
}

func (i *ids) take() (string, error) {
	if i.next >= i.reserved {
		if err := i.reserve(); err != nil {
			return "", err
		}
	}
	id := fmt.Sprintf("%s-%06d", i.prefix, i.next)
	i.next++
	return id, nil
}
