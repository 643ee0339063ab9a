//! What counts as a new fault, and what never does.

use super::{Fault, new_fault};

fn told(path: &str, before: &str, after: &str) -> Option<(usize, String, bool)> {
    let before = Some(before).filter(|before| !before.is_empty());
    new_fault(path, before, after).map(|Fault { line, why, is_certain }| (line, why, is_certain))
}

fn certain(line: usize, why: &str) -> Option<(usize, String, bool)> {
    Some((line, why.to_owned(), true))
}

#[test]
fn a_bracket_without_a_partner_is_told_where_the_change_was() {
    let rust = "fn a() {\n    b(1);\n}\n\nfn c() {\n    d();\n}\n";
    assert_eq!(told("a.rs", rust, &rust.replace("(1);\n}", "(1);")), certain(3, "`{` of line 1 is never closed"));
    assert_eq!(told("a.rs", rust, &rust.replace("(1)", "(1))")), certain(2, "`)` of line 2 closes nothing"));
    let go = "package a\n\nfunc f() {\n\tg(1)\n}\n";
    assert_eq!(told("a.go", go, &go.replace("g(1)", "g(1")), certain(4, "`(` of line 4 is never closed"));
    let script = "function f() {\n  return [1, 2];\n}\n";
    assert_eq!(told("a.js", script, &script.replace("2]", "2")), certain(2, "`[` of line 2 is never closed"));
    let page = "export const A = () => <div>{x}</div>;\n";
    assert!(told("a.tsx", page, &page.replace("{x}", "{x")).is_some_and(|(line, _, sure)| line == 1 && sure));
}

#[test]
fn what_parsers_say_is_told_with_the_line() {
    let python = "def f():\n    return 1\n";
    assert_eq!(told("a.py", python, "def f():\nreturn 1\n"), certain(2, "an indented block is missing after line 1"));
    let yaml = "a:\n  b: 1\n";
    assert_eq!(told("a.yml", yaml, "a:\n  b: 1\n    c: 2\n").map(|(line, _, sure)| (line, sure)), Some((3, true)));
    assert_eq!(told("a.json", "{\"a\": 1}\n", "{\n  \"a\": 1\n  \"b\": 2\n}\n").map(|told| told.0), Some(3));
    assert_eq!(told("Cargo.toml", "[a]\n", "[a]\nb = \n").map(|told| told.0), Some(2));
    assert!(told("new.rs", "", "fn f( {\n").is_some());
}

#[test]
fn what_made_no_sense_before_or_has_no_grammar_has_no_new_fault() {
    for (path, before, after) in [
        ("a.py", "x = 1\n", "x = 2\n"),
        ("a.py", "def f(:\n", "def g(:\n"),
        ("a.py", "def f():\nreturn 1\n", "def f():\nreturn 2\n"),
        ("notes.txt", "a\n", "def f(:\n"),
        ("a.json", "", "{\"a\": [1, 2]}\n"),
        ("a.json", "{}", " \n"),
        ("a.yaml", "a: [1\n", "a: [2\n"),
        ("a.ts", "", "<?xml version=\"1.0\"?>\n<TS></TS>\n"),
        ("a.h", "", "class A : public B {\n  Q_OBJECT\npublic:\n  A();\n};\n"),
    ] {
        assert_eq!(told(path, before, after), None, "{path}: {after:?}");
    }
}

#[test]
fn templates_notebooks_and_what_grammars_do_not_know_are_no_faults() {
    for (path, before, after) in [
        ("a.yaml", "a: 1\n", "{{- if .Values.x }}\na: {{ .Values.x | quote }}\n{{- end }}\n"),
        ("a.py", "x = 1\n", "{% if cookiecutter.a %}\nimport {{ cookiecutter.b }}\n{% endif %}\nx = 1\n"),
        ("a.json", "{}", "{\"a\": {{ a }}, \"b\": ${B}}\n"),
        ("a.py", "x = 1\n", "%matplotlib inline\nx = 1\n!pip install a\n"),
        ("a.ts", "export {};\n", "export type * from \"./a\";\n"),
        ("a.rs", "fn a() {}\n", "type A = ri8<-5, 5>;\nunsafe extern \"C\" {\n    safe fn f();\n}\n"),
        ("a.in.rs", "", "&[(\"a\", 1), (\"b\", 2)]\n"),
        ("a.sh", "a\n", "m=$((10#$1))\n"),
        ("a.c", "int a;\n", "int a;\nstatic int __init start(void)\n{\n    return 0;\n}\n"),
        ("a.js", "a();\n", "const a = @@WORD@@;\n<%= b %>;\n"),
    ] {
        assert_eq!(told(path, before, after), None, "{path}: {after:?}");
    }
    assert!(
        told("a.rs", "fn a() {}\n", "fn a() { println!(\"{{ a }}\"; }\n").is_some(),
        "braces alone make no template"
    );
}

#[test]
fn only_what_nothing_but_a_fault_reads_like_is_certain() {
    let sure = |path: &str, before: &str, after: &str| told(path, before, after).map(|(_, _, sure)| sure);
    assert_eq!(sure("a.rs", "fn a() {}\n", "fn a() { let x = = 1; }\n"), Some(false));
    assert_eq!(sure("a.rs", "fn a() {}\n", "```rust\nfn a() {}\n```\n"), Some(true));
    assert_eq!(sure("a.sh", "a\n", "if a; then\n  b\n"), Some(false));
}

#[test]
fn what_a_preprocessor_changes_is_left_to_the_compiler() {
    let both = "#if A\nvoid f(int a) {\n#else\nvoid f(void) {\n#endif\n}\n";
    for path in ["a.c", "a.h", "a.cpp", "a.hpp"] {
        assert_eq!(told(path, "int a;\n", both), None, "{path}");
        assert_eq!(told(path, both, &format!("{both}MODULE_LICENSE(\"GPL\")\nint x = = 1;\n")), None, "{path}");
    }
}
