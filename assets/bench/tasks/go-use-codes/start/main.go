package main

import (
	"fmt"
	"os"

	"panel/codes"
)

func main() {
	for _, code := range os.Args[1:] {
		text, found := codes.Text(code)
		if !found {
			fmt.Fprintln(os.Stderr, "panel: no such code:", code)
			os.Exit(1)
		}
		fmt.Println(text)
	}
}
