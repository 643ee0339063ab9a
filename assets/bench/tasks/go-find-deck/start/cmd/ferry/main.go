package main

import (
	"fmt"
	"os"
	"strconv"

	"ferry/internal/clock"
	"ferry/internal/fare"
	"ferry/internal/passenger"
	"ferry/internal/timetable"
	"ferry/internal/vehicle"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ferry board | quote KIND ADULTS")
		os.Exit(2)
	}
	switch os.Args[1] {
	case "board":
		for _, line := range timetable.Board(timetable.Summer, clock.At(8, 0)) {
			fmt.Println(line)
		}
	case "quote":
		if len(os.Args) < 4 {
			fmt.Fprintln(os.Stderr, "usage: ferry quote KIND ADULTS")
			os.Exit(2)
		}
		adults, err := strconv.Atoi(os.Args[3])
		if err != nil {
			fmt.Fprintln(os.Stderr, "ferry:", err)
			os.Exit(2)
		}
		v, err := vehicle.Usual(os.Args[2])
		if err != nil {
			fmt.Fprintln(os.Stderr, "ferry:", err)
			os.Exit(2)
		}
		fmt.Println(fare.Money(fare.Quote(v, passenger.Party{Adults: adults})))
	default:
		fmt.Fprintln(os.Stderr, "ferry: unknown command", os.Args[1])
		os.Exit(2)
	}
}
