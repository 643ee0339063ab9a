//! Heads as people write them, well and badly.

use super::*;

fn value(head: &str) -> Option<String> {
    front_matter(&format!("---\n{head}\n---\nbody\n")).unwrap().get("key").map(str::to_owned)
}

#[test]
fn the_head_is_taken_from_the_body() {
    let text = "---\nname: pdf\ndescription: Fills forms\n---\n\n# PDF\n\nRead it.\n";
    let read = front_matter(text).unwrap();
    assert_eq!((read.get("name"), read.get("description")), (Some("pdf"), Some("Fills forms")));
    assert_eq!((read.body, read.line("description")), ("\n# PDF\n\nRead it.\n", Some(3)));
    assert_eq!(read.keys().collect::<Vec<_>>(), ["name", "description"]);
}

#[test]
fn a_text_without_a_head_is_all_body() {
    let read = front_matter("# Title\n---\n").unwrap();
    assert_eq!((read.get("name"), read.body), (None, "# Title\n---\n"));
    assert_eq!(front_matter("").unwrap().body, "");
}

#[test]
fn values_are_read_as_people_write_them() {
    let cases = [
        ("key: plain words", "plain words"),
        ("key:   room around   ", "room around"),
        ("key: with: a colon", "with: a colon"),
        ("key: said # not this", "said"),
        ("key: C# stays", "C# stays"),
        ("KEY: whatever case", "whatever case"),
        ("key: \"quoted: \\\"so\\\" # and so\" # not this", "quoted: \"so\" # and so"),
        ("key: 'it''s'", "it's"),
        ("key: goes\n  on here\n  and here", "goes on here and here"),
        ("key: \"goes\n  on\"", "goes on"),
        ("key: >\n  one\n  two\n\n  three", "one two\nthree"),
        ("key: >-\n  one\n  two", "one two"),
        ("key: |\n  one\n    two\n", "one\n  two"),
        ("key:\n  - a\n  - \"b\"", "a, b"),
        ("key:\n- a\n- b", "a, b"),
        ("key: [a, b]", "[a, b]"),
        ("# a comment\n\nkey: x\nother: y", "x"),
        ("key: >greater", ">greater"),
    ];
    for (head, expected) in cases {
        assert_eq!(value(head).as_deref(), Some(expected), "{head}");
    }
    assert_eq!(value("key:"), None);
}

#[test]
fn a_list_is_read_however_it_is_written() {
    for head in ["key: a, b c", "key: [a, \"b c\"]", "key:\n  - a\n  - b c"] {
        let text = format!("---\n{head}\n---\n");
        assert_eq!(front_matter(&text).unwrap().list("key"), ["a", "b c"], "{head}");
    }
}

#[test]
fn line_ends_and_marks_of_other_systems_do_not_matter() {
    let read = front_matter("\u{feff}---\r\nname: pdf\r\n---\r\nbody\r\n").unwrap();
    assert_eq!((read.get("name"), read.body), (Some("pdf"), "body\r\n"));
}

#[test]
fn a_head_that_cannot_be_read_says_where_and_why() {
    let cases = [
        ("---\nname: x\n", "line 1: the head has no end; close it with a line of three dashes"),
        ("---\nname: x\nwhat\n---\n", "line 3: this is no `key: value`"),
        ("---\nname: x\nname: y\n---\n", "line 3: `name` is said twice"),
        ("---\nname: \"x\n---\n", "line 2: `name` has no closing quote"),
        ("---\nname: \"x\" y\n---\n", "line 2: `name` goes on after its closing quote"),
        ("---\nname: \"\\q\"\n---\n", "line 2: `name` has an escape nobody knows here: \\q"),
    ];
    for (text, expected) in cases {
        assert_eq!(front_matter(text).unwrap_err().to_string(), expected, "{text}");
    }
}
