package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheConfigsHere(t *testing.T) {
	paths, err := filepath.Glob("../../conf/*.conf")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		var out strings.Builder
		if err := run([]string{"check", path}, nil, &out); err != nil {
			t.Error(err)
		}
	}
}

func TestFromCommandsToReplay(t *testing.T) {
	folder := t.TempDir()
	conf := filepath.Join(folder, "relay.conf")
	text := "relay {\n name t\n journal yes\n data " + folder + "\n}\nqueue a {\n sink file " + filepath.Join(folder, "a.txt") + "\n}\nrule r {\n match x.#\n to a\n}\n"
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run([]string{"try", conf}, strings.NewReader("publish x.y -- hello\npublish z\npump\n"), &out); err != nil {
		t.Fatal(err)
	}
	delivered, err := os.ReadFile(filepath.Join(folder, "a.txt"))
	if err != nil || string(delivered) != "t-000001\tx.y\thello\n" {
		t.Errorf("%q, %v", delivered, err)
	}
	out.Reset()
	if err := run([]string{"journal", filepath.Join(folder, "journal")}, nil, &out); err != nil || out.String() != "4 records\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	if err := run([]string{"replay", conf, filepath.Join(folder, "journal"), "t-000002"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "rule r: no: the topic does not match x.#") {
		t.Error(out.String())
	}
}
