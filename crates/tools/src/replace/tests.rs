//! What is found, how, and what it becomes.

use super::*;

fn once(text: &str, old: &str, new: &str) -> Result<String, Mismatch> {
    replace(text, old, new, Which::TheOnly).map(|replaced| replaced.text)
}

/// The new text and how it came about.
fn told(text: &str, old: &str, new: &str) -> (String, String) {
    let replaced = replace(text, old, new, Which::TheOnly).unwrap();
    (replaced.text, replaced.how.words().unwrap_or_default())
}

#[test]
fn bytes_outside_the_place_never_change() {
    for (text, old, new, expected) in [
        ("one\ntwo\n", "two", "TWO", "one\nTWO\n"),
        ("one\ntwo", "one", "ONE", "ONE\ntwo"),
        ("x\t \none\n", "one", "ONE", "x\t \nONE\n"),
        ("one\r\ntwo\r\n", "two", "TWO", "one\r\nTWO\r\n"),
        ("one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2\n2½", "1\r\n2\r\n2½\r\nthree\r\n"),
        ("one\r\ntwo\nthree\r\n", "two", "TWO", "one\r\nTWO\nthree\r\n"),
        ("one\r\ntwo\nthree\r\n", "two\nthree", "2\n3", "one\r\n2\n3\r\n"),
        ("a\r\nb\r\nc\n", "c", "c\nd", "a\r\nb\r\nc\r\nd\n"),
        ("a\nb\n", "b\n", "", "a\n"),
        ("a\r\nb\r\n", "\nb", "", "a\r\n"),
        ("\u{feff}é→🦀\n", "→", "x", "\u{feff}éx🦀\n"),
        ("one\ntwo\n", "one\r\ntwo", "1\r\n2", "1\n2\n"),
    ] {
        assert_eq!(once(text, old, new), Ok(expected.into()), "{text:?}: {old:?} → {new:?}");
    }
}

#[test]
fn one_place_is_demanded_unless_all_are_meant() {
    let text = "a = 1\nb = 1\r\nc\nd = 1\n";
    assert_eq!(once(text, "= 1", "= 2"), Err(Mismatch::Several(vec![1, 2, 4])));
    let all = replace(text, "= 1", "= 2", Which::All).unwrap();
    assert_eq!(all, Replaced { text: "a = 2\nb = 2\r\nc\nd = 2\n".into(), places: 3, how: How::default() });
    assert_eq!(once(text, "= 3", "= 2"), Err(Mismatch::Nowhere));
}

#[test]
fn overlapping_places_are_several() {
    assert_eq!(once("éé\nx", "é", "y"), Err(Mismatch::Several(vec![1, 1])));
    assert_eq!(once("aaa", "aa", "b"), Err(Mismatch::Several(vec![1, 1])));
}

#[test]
fn lines_are_not_joined_by_one_line_end_too_many() {
    let kept = "the line end that new_string lacks was kept";
    for (text, old, new, expected, how) in [
        ("a\n  b\nc\n", "  b\n", "  B", "a\n  B\nc\n", kept),
        ("a\n  b\nc\n", "b\n", "B", "a\n  B\nc\n", kept),
        ("a\nb\nc\n", "\nb", "B", "a\nB\nc\n", kept),
        ("a\nb\nc\n", "\nb\n", "B", "a\nB\nc\n", kept),
        // These are meant.
        ("f()\n{\n", "\n{", " {", "f() {\n", ""),
        ("a\n  .b\n", "\n  .b", ".b", "a.b\n", ""),
        ("f(\n  a\n", "f(\n  ", "f(", "f(a\n", ""),
        ("a\nb\n", "a\n", "a", "ab\n", ""),
        ("x = a\nb\n", "a\n", "A", "x = Ab\n", ""),
        ("a\n\nb\n", "a\n\n", "A\n", "A\nb\n", ""),
        ("a\n\nb\n", "a\n", "a\n\nc", "a\n\nc\nb\n", ""),
        ("a\n\nb\n", "\nb", "c\n\nb", "a\nc\n\nb\n", ""),
    ] {
        assert_eq!(told(text, old, new), (expected.into(), how.into()), "{text:?}: {old:?} → {new:?}");
    }
}

#[test]
fn white_space_is_forgiven_line_by_line() {
    let ends = "matched apart from white space at line ends";
    let indents = "matched with other indentation; the new text was re-indented";
    for (text, old, new, expected, how) in [
        ("a  \nb\n", "a\nb", "a\nB", "a  \nB\n", ends),
        ("a\nb\n", "a \nb\t", "a \nB\t", "a\nB\n", ends),
        (
            "\tif x {\n\t\ty();\n\t}\n",
            "if x {\n  y();\n}",
            "if x {\n  z();\n  y();\n}",
            "\tif x {\n\t\tz();\n\t\ty();\n\t}\n",
            indents,
        ),
        ("x\r\n    a\r\n    b", "  a\n  b", "  a\n  c\n  b", "x\r\n    a\r\n    c\r\n    b", indents),
        ("  a\n  b\nc", "    a\n    b\n", "", "c", "matched with other indentation"),
        ("\u{feff}  a\nb\n", "    a\nb", "    A\nb", "\u{feff}  A\nb\n", indents),
        ("f( a,  b )\nc\n", "f( a, b )\nc", "f( a, b )\nd", "f( a,  b )\nd\n", "matched with other white space"),
        // The model's new text is right already.
        ("\ta\n\t\tb\n", "a\n  b", "\ta\n\t\tc", "\ta\n\t\tc\n", "matched with other indentation"),
        // It wants another indentation.
        ("\ta\n\tb\n", "  a\n  b", "  a\n    b", "\ta\n\t\tb\n", indents),
    ] {
        assert_eq!(told(text, old, new), (expected.into(), how.into()), "{text:?}: {old:?} → {new:?}");
    }
}

#[test]
fn blank_lines_around_are_forgiven() {
    let how = "a blank line too many in old_string was left out";
    for (text, old, new, expected) in [
        ("a\nb\nc\n", "\na\nb", "\nA\nb", "A\nb\nc\n"),
        ("a\nb\nc\n", "\na\nb\n\n", "A\nb", "A\nb\nc\n"),
        ("a\nb\nc", "c\n\n", "C\n\n", "a\nb\nC"),
        ("a\nb\nc\n", "\n\na\n", "\n\n\nA\n", "\nA\nb\nc\n"),
        ("a\nb\nc\n", "\na\n", "", "b\nc\n"),
        ("a\nb", "b\n", "b\nc", "a\nb\nc"),
    ] {
        assert_eq!(told(text, old, new), (expected.into(), how.into()), "{text:?}: {old:?} → {new:?}");
    }
    assert_eq!(once("a \nx\n\n  a\n", "\na", "b"), Err(Mismatch::Several(vec![1, 4])));
}

#[test]
fn marks_are_forgiven_and_kept_where_they_were() {
    let marks = "matched with other quotes, dashes or spaces";
    for (text, old, new, expected, how) in [
        ("say “hi” – now\n", "\"hi\" - now", "\"hi\" - later", "say “hi” – later\n", marks),
        ("print(\"a\")\n", "print(“a”)", "print(“b”)", "print(\"b\")\n", marks),
        ("a\u{a0}b\r\nc\r\n", "a b\nc", "a b\nd", "a\u{a0}b\r\nd\r\n", "matched with other white space"),
        (
            "  f(\"a\");\n  g();\n",
            "f(“a”);\ng();",
            "f(“a”);\nh(“b”);\ng();",
            "  f(\"a\");\n  h(\"b\");\n  g();\n",
            "matched with other quotes, dashes or spaces; the new text was re-indented",
        ),
    ] {
        assert_eq!(told(text, old, new), (expected.into(), how.into()), "{text:?}: {old:?} → {new:?}");
    }
}

#[test]
fn a_strict_way_decides_before_a_loose_one() {
    assert_eq!(told("\ta\nx\n    a\ny\n", "    a \nx", "    b\nx").0, "\tb\nx\n    a\ny\n");
    assert_eq!(told("f(a,  b)\n  f(a, b)\nf(a, b) \nc\n", "f(a, b)\nc", "d\nc").0, "f(a,  b)\n  f(a, b)\nd\nc\n");
}

#[test]
fn all_places_are_found_loosely_too() {
    let text = "\ta;\n\tb;\nif x {\n\t\ta;\n\t\tb;\n}\n";
    let all = replace(text, "  a;\n  b;\n", "  c;\n", Which::All).unwrap();
    assert_eq!((all.text.as_str(), all.places), ("\tc;\nif x {\n\t\tc;\n}\n", 2));
    assert_eq!(once(text, "  a;\n  b;\n", "  c;\n"), Err(Mismatch::Several(vec![1, 4])));
    let all = replace("“a” “a”\n", "\"a\"", "\"b\"", Which::All).unwrap();
    assert_eq!((all.text.as_str(), all.places), ("“b” “b”\n", 2));
}

#[test]
fn line_numbers_are_left_out() {
    assert_eq!(
        told("one\n\ttwo\nthree\n", "2\t\ttwo\n3\tthree", "2\t\tTWO\n3\tthree"),
        ("one\n\tTWO\nthree\n".into(), "line numbers were left out".into())
    );
    assert_eq!(once("2\ttwo\n", "2\ttwo", "2\tTWO"), Ok("2\tTWO\n".into()));
}

#[test]
fn an_indentation_that_nothing_tells_is_refused() {
    let text = "def f():\n    if a:\n        b()\n    c()\n";
    assert_eq!(once(text, "if a:\nb()\nc()", "if a:\nb()\nd()\nc()"), Err(Mismatch::Unclear(2)));
    assert_eq!(
        once(text, "if a:\nb()\nc()", "if a:\nd()\nc()").as_deref(),
        Ok("def f():\n    if a:\n        d()\n    c()\n")
    );
}

const DRIFTING: &str =
    "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n";

#[test]
fn a_line_misremembered_stays_as_it_is() {
    let old =
        "def total(items):\n    result = 0\n    for item in items:\n        result += item.cost\n    return result\n";
    let expected = DRIFTING.replace("= 0", "= 1");
    let note = "matched although line 4 reads otherwise than old_string; it stays as it is";
    assert_eq!(told(DRIFTING, old, &old.replace("= 0", "= 1")), (expected.clone(), note.into()));
    // The model put it right itself.
    assert_eq!(told(DRIFTING, old, &expected), (expected, note.into()));
    // It wants to change the very line.
    assert_eq!(once(DRIFTING, old, &old.replace("cost", "cost * 2")), Err(Mismatch::Nowhere));
    assert_eq!(once(DRIFTING, old, ""), Err(Mismatch::Nowhere));
    assert_eq!(replace(DRIFTING, old, &old.replace("= 0", "= 1"), Which::All), Err(Mismatch::Nowhere));
}

#[test]
fn a_misremembered_text_that_could_be_in_two_places_is_refused() {
    let text = format!("{DRIFTING}\n{}", DRIFTING.replace("price", "weight"));
    let old = DRIFTING.replace("price", "cost");
    assert_eq!(once(&text, &old, &old.replace("= 0", "= 1")), Err(Mismatch::Vague(vec![1, 7])));
}

/// Not a measure: work that grows with the square of the size would keep this from ending within minutes.
#[test]
fn a_large_file_takes_no_longer_than_its_size() {
    let line = |nth: usize| format!("    let value_{} = compute({}, {});\n", nth % 5_000, nth % 7, nth % 11);
    let text: String = (0..30_000).map(line).collect();
    let old: String = (20_000..20_200).map(line).collect();
    let same = "        same line of text\n".repeat(40_000);
    let sought = "same line of text\n".repeat(200);
    for (text, old) in [
        (&text, old.replace("    let", "let").replace("value_77", "value_x")),
        (&text, old.replace("compute", "reckon")),
        (&same, format!("{sought}last\n")),
        (&same, sought),
    ] {
        assert!(once(text, &old, "x").is_err());
        let _ = nearest(text, &old);
    }
}

#[test]
fn another_form_of_the_same_characters_matches_and_what_stays_keeps_its_own() {
    let text = "cafe\u{301} = 1\nx = \"na\u{ef}ve\u{200b} 10\u{202f}AM\"\nlast\n";
    for (old, new, expected) in [
        ("caf\u{e9} = 1", "caf\u{e9} = 2", text.replace("= 1", "= 2")),
        ("caf\u{e9}", "t\u{e9}", text.replace("cafe", "te")),
        ("nai\u{308}ve 10 AM", "nai\u{308}ve 11 AM", text.replace("10", "11")),
        ("x = \"naïve 10 AM\"\nlast", "x = \"naïve 10 PM\"\nlast", text.replace("AM", "PM")),
        ("naïve", "naive", text.replace("na\u{ef}ve", "naive")),
    ] {
        let (made, how) = told(text, old, new);
        assert_eq!(made, expected, "{old:?} → {new:?}");
        assert_eq!(
            how,
            if old == "naïve" { "" } else { "matched with another Unicode form or with invisible characters" }
        );
    }
    // A part of a letter is no place, and two forms of one word are two places.
    assert_eq!(once("\u{1100}\u{1161}\u{11a8}", "\u{ac00}", "x"), Err(Mismatch::Nowhere));
    assert_eq!(once("e\u{301} e\u{301}", "\u{e9}", "x"), Err(Mismatch::Several(vec![1, 1])));
}
