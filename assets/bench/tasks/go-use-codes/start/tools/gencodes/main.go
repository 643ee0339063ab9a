// Gencodes checks the lists in messages/ and writes codes/table.go.
package main

import (
	"fmt"
	"os"

	"panel/tools/gencodes/table"
)

func main() {
	groups, err := os.ReadFile("messages/groups.txt")
	if err != nil {
		fail(err)
	}
	messages, err := os.ReadFile("messages/messages.txt")
	if err != nil {
		fail(err)
	}
	source, err := table.Make(string(groups), string(messages))
	if err != nil {
		fail(err)
	}
	if err := os.WriteFile("codes/table.go", []byte(source), 0o644); err != nil {
		fail(err)
	}
	fmt.Println("codes/table.go is written")
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "gencodes:", err)
	os.Exit(1)
}
