//! Words, reasons and what is missing: one line a case.

use super::{LexFault, lex};

fn words(command: &str) -> String {
    match lex(command) {
        Ok(script) => {
            let parts = script.iter().map(|simple| {
                let words: Vec<&str> = simple.words.iter().map(|word| word.text.as_str()).collect();
                words.join("·")
            });
            parts.collect::<Vec<_>>().join(" / ")
        }
        Err(LexFault::NotPlain(why)) => format!("not plain: {why}"),
        Err(LexFault::Incomplete(why)) => format!("incomplete: {why}"),
    }
}

#[test]
fn quotes_and_backslashes_are_decoded() {
    let cases = [
        ("ls -la", "ls·-la"),
        ("c\"\"at 'a b'\\ c", "cat·a b c"),
        ("echo \"a\\\"b\\$c\\d\" 'x\\y'", "echo·a\"b$c\\d·x\\y"),
        ("ls # rest\npwd; true", "ls / pwd / true"),
        ("a |\n b &&\n\n c", "a / b / c"),
        ("echo '' \"\"", "echo··"),
        ("grep \"x$\" a$ 2>&1 >/dev/null", "grep·x$·a$"),
        ("[ -f a ] || ls [ab]?*", "[·-f·a·] / ls·[ab]?*"),
        ("git show HEAD~1 HEAD^ @{u} stash@{0} a^{tree} {}", "git·show·HEAD~1·HEAD^·@{u}·stash@{0}·a^{tree}·{}"),
    ];
    for (command, expected) in cases {
        assert_eq!(words(command), expected, "{command}");
    }
}

#[test]
fn what_has_no_end_is_incomplete() {
    for command in [
        "ls &&",
        "ls ||  ",
        "ls |\n",
        "echo 'a",
        "echo \"a",
        "echo \"$HOME",
        "ls \\",
        "",
        " # nothing",
        "if true; then ls",
        "while true; do ls",
        "for a in b; do ls; if x; then y; fi",
        "{ ls",
        "cat <<EOF\nhi\n",
        "cat > f <<'EOF'\nit's\n",
    ] {
        assert!(words(command).starts_with("incomplete: "), "{command}: {}", words(command));
    }
}

#[test]
fn what_is_whole_is_never_called_incomplete() {
    for command in [
        "cat > f <<'EOF'\nit's \"\nEOF",
        "cat << 'E O F'\nit's\nE O F",
        "cat <<'E'\"O\"F\nit's\nEOF",
        "cat <<-X\n\tdon't\n\tX\nls",
        "if true; then ls; fi",
        "for i in 1 2; do echo $i; done",
        "echo \"$(echo \"a\")\"",
        "echo `ls 'x'`",
        "echo $'it\\'s'",
        "case x in (a) ls;; esac",
        "x=1; echo if then # don't",
        "x=1; { ls; }",
        "echo $((1<<2))",
        "cat <<<x",
        "cat <<END-OF.IT\n'\nEND-OF.IT",
        "cat <<\\X | sh\n'\nX\n",
        "function f { ls; }; f",
        "find . -exec sh -c 'x' {} \\; && echo $x",
        "cat <<A <<B\n'\nA\n\"\nB\n",
    ] {
        assert!(words(command).starts_with("not plain: "), "{command}: {}", words(command));
    }
}

#[test]
fn characters_that_are_not_seen_are_not_read() {
    for hidden in
        ['\0', '\r', '\u{1b}', '\u{7f}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2028}', '\u{e0072}', '\u{feff}']
    {
        assert!(words(&format!("echo '{hidden}'")).starts_with("not plain: "), "{hidden:?}");
    }
    assert!(words(&format!("echo {}", "a".repeat(9000))).starts_with("not plain: "));
}

#[test]
fn patterns_with_slashes_that_some_shells_drop_are_not_read() {
    for pattern in ["*//", "src//*.rs", "//*"] {
        assert!(words(&format!("ls {pattern}")).starts_with("not plain: "), "{pattern}");
    }
    assert_eq!(words("ls src//a.rs"), "ls·src//a.rs");
}

#[test]
fn patterns_that_some_shells_let_match_the_folder_above_are_not_read() {
    for pattern in [".*", "..*", ".?", "src/.*", ".[a-z]*", "a/..*/b"] {
        assert!(words(&format!("ls {pattern}")).starts_with("not plain: "), "{pattern}");
    }
    for pattern in [".g*", "*.rs", "src/*/.x*", "../*", "a.*"] {
        assert_eq!(words(&format!("ls {pattern}")), format!("ls·{pattern}"));
    }
}
