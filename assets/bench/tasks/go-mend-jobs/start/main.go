package main

import (
	"bufio"
	"fmt"
	"os"

	"night/jobs"
	"night/plan"
)

func main() {
	var q jobs.Queue
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		due, name, err := plan.Line(lines.Text())
		if err != nil {
			fmt.Fprintln(os.Stderr, "night:", err)
			os.Exit(2)
		}
		if name != "" {
			q.Add(name, due)
		}
	}
	for {
		name, due, found := q.Next()
		if !found {
			break
		}
		fmt.Printf("%5d  %s\n", due, name)
	}
}
