//! Which language a text is in.

use agent_syntax::Language;

#[test]
fn a_file_s_language_is_told_by_name_and_first_line() {
    for (path, text, expected) in [
        ("a/b.rs", "", Some(Language::Rust)),
        ("B.PY", "", Some(Language::Python)),
        ("a.mjs", "", Some(Language::JavaScript)),
        ("a.d.ts", "", Some(Language::TypeScript)),
        ("a.tsx", "", Some(Language::Tsx)),
        ("a.h", "int f(void);\n", Some(Language::C)),
        ("a.h", "namespace a {\n", Some(Language::Cpp)),
        ("a.h", "#pragma once\nclass A {\n public:\n};\n", Some(Language::Cpp)),
        ("a.hpp", "", Some(Language::Cpp)),
        ("tool", "#!/bin/sh\n", Some(Language::Bash)),
        ("tool", "#!/usr/bin/env -S python3.12 -u\n", Some(Language::Python)),
        ("tool", "#!/usr/bin/env node\r\n", Some(Language::JavaScript)),
        ("tool", "#!/usr/bin/awk -f\n", None),
        ("tool", "", None),
        (".bashrc", "", Some(Language::Bash)),
        ("a.rb", "def a\n", None),
        ("notes.md", "", None),
    ] {
        assert_eq!(Language::of(path, text), expected, "{path}");
    }
}

#[test]
fn a_language_is_known_by_the_names_people_give_it() {
    for (name, expected) in [
        ("Rust", Some(Language::Rust)),
        ("golang", Some(Language::Go)),
        ("c++", Some(Language::Cpp)),
        (".ts", Some(Language::TypeScript)),
        ("shell", Some(Language::Bash)),
        ("py", Some(Language::Python)),
        ("cobol", None),
    ] {
        assert_eq!(Language::named(name), expected, "{name}");
    }
}

#[test]
fn the_language_of_a_text_without_a_name_is_guessed() {
    for (text, expected) in [
        (include_str!("fixtures/a.rs.txt"), Some(Language::Rust)),
        (include_str!("fixtures/a.py"), Some(Language::Python)),
        (include_str!("fixtures/a.js"), Some(Language::JavaScript)),
        (include_str!("fixtures/a.ts"), Some(Language::TypeScript)),
        (include_str!("fixtures/a.go"), Some(Language::Go)),
        (include_str!("fixtures/a.c"), Some(Language::C)),
        (include_str!("fixtures/a.cpp"), Some(Language::Cpp)),
        (include_str!("fixtures/a.java"), Some(Language::Java)),
        (include_str!("fixtures/a.sh"), Some(Language::Bash)),
        ("fn a() -> u8 { 1 }", Some(Language::Rust)),
        ("def f(x):\n    return x", Some(Language::Python)),
        ("const f = (x) => { return x + 1; };", Some(Language::JavaScript)),
        ("func f(x int) int { return x }", Some(Language::Go)),
        ("int main(void) { return 0; }", Some(Language::C)),
        ("public class A { int f() { return 1; } }", Some(Language::Java)),
        ("f() {\n  echo \"$1\"\n}\nif [ -n \"$x\" ]; then f; fi\n", Some(Language::Bash)),
        ("", None),
        (" \n", None),
    ] {
        assert_eq!(Language::guess(text), expected, "{text}");
    }
}
