//! Patches as models write them.

use super::*;
use crate::replace::patched;
use proptest::prelude::*;

fn begun(inside: &str) -> String {
    format!("*** Begin Patch\n{inside}*** End Patch\n")
}

/// The files of a patch, a line each: `M a.rs > b.rs: 2`.
fn files(text: &str) -> Vec<String> {
    let line = |file: FilePatch| match file.change {
        FileChange::Add(text) => format!("A {}: {text:?}", file.path),
        FileChange::Delete => format!("D {}", file.path),
        FileChange::Update { hunks, to } => {
            let to = to.map_or(String::new(), |to| format!(" > {to}"));
            format!("M {}{to}: {}", file.path, hunks.len())
        }
    };
    read(text, None).unwrap().into_iter().map(line).collect()
}

fn hunks(text: &str, file: Option<&str>) -> Vec<Hunk> {
    match read(text, file).unwrap().remove(0).change {
        FileChange::Update { hunks, .. } => hunks,
        other => panic!("{other:?}"),
    }
}

fn wrong(text: &str) -> String {
    read(text, None).unwrap_err()
}

#[test]
fn a_patch_names_what_becomes_of_which_file() {
    let patch = begun(
        "*** Update File: a.rs\n@@ fn a() {\n-    1\n+    2\n\n*** Update File: b.rs\n*** Move to: c.rs\n@@\n x\n-y\n*** Add File: \
         d/e.rs\n+one\n+\n+two\n\n*** Delete File: f.rs\n",
    );
    let expected = ["M a.rs: 1", "M b.rs > c.rs: 1", "A d/e.rs: \"one\\n\\ntwo\\n\"", "D f.rs"];
    assert_eq!(files(&patch), expected);
    assert_eq!(files(&format!("```diff\n{patch}```")), expected);
    assert_eq!(files(&format!("apply_patch <<'EOF'\n{patch}EOF\n")), expected);
    assert_eq!(files(&patch.replace('\n', "\r\n")), expected);
}

#[test]
fn lines_are_told_by_their_signs_and_places_by_the_lines_above() {
    let patch = begun(
        "*** Update File: a\n@@ class A\n@@   def f\n     x\n-    y\n+    z\n\n     w\n@@ -40,2 +40,3 @@ def g\n q\n+r\n*** End of File\n",
    );
    let hunks = hunks(&patch, None);
    assert_eq!(hunks[0].above, ["class A", "def f"]);
    assert_eq!(hunks[0].sides(), (vec!["    x", "    y", "", "    w"], vec!["    x", "    z", "", "    w"]));
    assert_eq!((hunks[1].near, hunks[1].at_end, hunks[1].above.len()), (Some(40), true, 0));
}

#[test]
fn blank_lines_without_a_sign_in_a_new_file_are_part_of_it_only_between_its_lines() {
    assert_eq!(files(&begun("*** Add File: a\n+1\n\n+2\n\n\n")), ["A a: \"1\\n\\n2\\n\""]);
}

#[test]
fn what_is_wrong_with_a_patch_is_said_with_its_line() {
    for (patch, what) in [
        ("no patch".to_owned(), "it holds no patch"),
        ("*** Begin Patch\n*** Update File: a\n-x\n".to_owned(), "`*** End Patch` is missing"),
        (begun("@@\n-x\n"), "line 2 of it: `*** Update File: PATH` must stand above"),
        (begun("*** Update File:\n-x\n"), "line 2 of it: the name of the file is missing"),
        (begun("*** Add File: a\n+x\ny\n"), "line 4 of it: each line of a new file begins with +"),
        (begun("*** Rename File: a\n"), "`*** Rename File: a` is no part of a patch"),
        (begun("*** Update File: a\n@@\n x\n"), "it changes nothing in a"),
        (begun("*** Delete File: a\nx\n"), "a file that is deleted has no changes"),
        (begun(""), "it changes no file"),
        ("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n".to_owned(), "a block names no file"),
        ("a.rs\n<<<<<<< SEARCH\na\n=======\nb\n".to_owned(), "the block at line 2 of it has no end"),
        ("a.rs\n<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE".to_owned(), "two lines `=======`"),
        ("@@ -1 +1 @@\n-a\n+b\n".to_owned(), "it names no file"),
        ("--- a.txt\n+++ b.txt\n@@ -1 +1 @@\n-a\n+b\n".to_owned(), "nothing tells which of them"),
        ("diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n".to_owned(), "files that are no text"),
    ] {
        let told = wrong(&patch);
        assert!(told.contains(what), "{patch}\n{told}");
    }
}

#[test]
fn unified_diffs_are_read_whatever_their_counts_say() {
    let diff = "diff --git a/a.rs b/a.rs\nindex 1..2 100644\n--- a/a.rs\n+++ b/a.rs\n@@ -7,3 +9,9 @@ fn a()\n x\n-y\n+z\n@@ \
                -20 +20 @@\n-q\n--- old remark\n+++ new remark\n";
    let found = hunks(diff, None);
    assert_eq!((found[0].near, found[1].near), (Some(7), Some(20)));
    assert_eq!(found[1].sides(), (vec!["q", "-- old remark"], vec!["++ new remark"]));
    assert_eq!(files(diff), ["M a.rs: 2"]);
    assert_eq!(
        files("--- /dev/null\n+++ b/new.rs\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"),
        ["A new.rs: \"a\\nb\""]
    );
    assert_eq!(files("--- a/old.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"), ["D old.rs"]);
    let renamed = "diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\n";
    assert_eq!(files(renamed), ["M a > b: 0"]);
    assert_eq!(files(&format!("{renamed}--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n")), ["M a > b: 1"]);
    assert_eq!(hunks("@@ -3 +3 @@\n-a\n+b\n", Some("x.rs"))[0].near, Some(3));
}

#[test]
fn blocks_are_read_in_each_of_their_spellings() {
    for block in [
        "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE",
        "```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```",
        "------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE",
        "<<<<<<< ORIGINAL\nold\n=======\nnew\n>>>>>>> UPDATED",
        "<<<<<<< SEARCH\n```py\nold\n```\n=======\n```py\nnew\n```\n>>>>>>> REPLACE",
    ] {
        let found = hunks(block, Some("a.py"));
        assert_eq!((found.len(), found[0].sides()), (1, (vec!["old"], vec!["new"])), "{block}");
    }
    let with_line = "<<<<<<< SEARCH\n:start_line:12\n:end_line:13\n-------\nold\n=======\nnew\n>>>>>>> REPLACE";
    let found = hunks(with_line, Some("a.py"));
    assert_eq!((found[0].near, found[0].sides().0), (Some(12), vec!["old"]));
    let two = "src/a.py\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n**b.py**\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n";
    assert_eq!(files(two), ["M src/a.py: 1", "M b.py: 1"]);
    assert!(read(two, Some("c.py")).unwrap_err().contains("it is for src/a.py, and file_path is c.py"));
}

proptest! {
    /// Whatever a model writes is read or refused, and what is read goes where it fits or nowhere.
    #[test]
    fn no_text_is_too_odd(lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..14)) {
        let text = lines.join("\n");
        for file in [None, Some("a")] {
            for file in read(&text, file).into_iter().flatten() {
                if let FileChange::Update { hunks, .. } = file.change {
                    let _ = patched("x\ny\n  x\n\nz", &hunks);
                    let _ = patched("", &hunks);
                }
            }
        }
    }
}

/// Lines that patches are made of, and some that are nearly like them.
const LINES: [&str; 30] = [
    "*** Begin Patch",
    "*** End Patch",
    "*** Update File: a",
    "*** Add File: b",
    "*** Delete File: c",
    "*** Move to: d",
    "*** End of File",
    "*** ",
    "@@",
    "@@ x",
    "@@ -1,2 +1,3 @@ x",
    "@@ -",
    "--- a/a",
    "+++ b/a",
    "--- /dev/null",
    "diff --git a/a b/a",
    "\\ No newline at end of file",
    "<<<<<<< SEARCH",
    ":start_line:2",
    "-------",
    "=======",
    ">>>>>>> REPLACE",
    " x",
    "-x",
    "+x",
    "-y",
    "+ü",
    "",
    "```",
    "x",
];

#[test]
fn ordinary_texts_are_no_patches() {
    for text in
        ["", "# Title\n\n---\n\ntext\n", "a\n=======\nb\n", "git diff\n", "- one\n- two\n+ three\n", "x = a @@ b\n"]
    {
        assert!(!is_patch(text), "{text}");
    }
}
