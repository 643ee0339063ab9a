//! Answers with files in them: each case gives the calls that it says, and reads the same wherever it is cut.
//!
//! A case is one JSON object a line: `id`, `answer`, what was `shown`, what else is in the `project`, what is `barred`,
//! `wants` (`work` where it is not said), whether it was `cut` off, and the `calls`, each a list of its name and what it
//! takes: `["write_file", path, content]`, `["edit_file", path, old, new]`, `["run_command", command]`,
//! `["read_file", path]`, `["lost", why]`.

use crate::reader::cuts::{self, Chance};
use crate::reader::reading::merge;
use agent_dialects::{Fault, FileReader, FilesKnown, Piece, Wants};
use proptest::prelude::*;
use serde::Deserialize;
use std::fmt::Write;

const FILES: &str = include_str!("cases/files.jsonl");
/// Answers in which nothing is to be written.
const TALK: &str = include_str!("cases/files-talk.jsonl");

#[derive(Deserialize)]
struct Case {
    id: String,
    answer: String,
    #[serde(default)]
    shown: Vec<String>,
    #[serde(default)]
    project: Vec<String>,
    #[serde(default)]
    barred: Vec<String>,
    #[serde(default)]
    wants: Option<String>,
    #[serde(default)]
    cut: bool,
    #[serde(default)]
    calls: Vec<Vec<String>>,
}

impl Case {
    fn known(&self) -> FilesKnown {
        FilesKnown {
            shown: self.shown.clone(),
            project: self.project.clone(),
            barred: self.barred.clone(),
            wants: if self.wants.as_deref() == Some("words") { Wants::Words } else { Wants::Work },
        }
    }

    fn read<'a>(&self, pieces: impl IntoIterator<Item = &'a str>) -> Vec<Piece> {
        read(self.known(), pieces, self.cut)
    }
}

fn read<'a>(known: FilesKnown, pieces: impl IntoIterator<Item = &'a str>, cut: bool) -> Vec<Piece> {
    let mut reader = FileReader::new(known);
    let mut merged = Vec::new();
    for piece in pieces {
        merge(&mut merged, reader.push(piece));
    }
    merge(&mut merged, if cut { reader.finish_cut() } else { reader.finish() });
    merged
}

fn cases(lines: &str) -> Vec<Case> {
    lines.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// What a reading comes to, in the form of the cases.
fn calls(pieces: &[Piece]) -> Vec<Vec<String>> {
    pieces.iter().filter_map(said).collect()
}

fn said(piece: &Piece) -> Option<Vec<String>> {
    let found = match piece {
        Piece::Call(found) => found,
        Piece::Lost(lost) => {
            let why = if lost.why == Fault::CutOff { "cut off" } else { "unreadable" };
            return Some(vec!["lost".to_owned(), why.to_owned()]);
        }
        Piece::Text(_) | Piece::Thinking(_) | Piece::Invented(_) | Piece::WasThinking(_) => return None,
    };
    assert_eq!(found.dialect, "file_blocks");
    let takes: &[&str] = match found.name.as_str() {
        "write_file" => &["path", "content"],
        "edit_file" => &["path", "old_string", "new_string"],
        "run_command" => &["command"],
        _ => &["path"],
    };
    let value = |key: &&str| found.arguments[*key].as_str().unwrap().to_owned();
    Some(std::iter::once(found.name.clone()).chain(takes.iter().map(value)).collect())
}

/// The cases that are read otherwise than they say.
fn wrong(cases: &[Case]) -> String {
    let mut wrong = String::new();
    for case in cases {
        let found = calls(&case.read([case.answer.as_str()]));
        if found != case.calls {
            let _ = writeln!(wrong, "{}\n  expected {:?}\n  found    {found:?}", case.id, case.calls);
        }
    }
    wrong
}

#[test]
fn answers_give_the_files_that_they_hold() {
    let cases = cases(FILES);
    let wrong = wrong(&cases);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn answers_that_only_show_something_write_nothing() {
    let cases = cases(TALK);
    let wrong = wrong(&cases);
    assert!(wrong.is_empty(), "{wrong}");
    for case in cases {
        let text = Piece::Text(case.answer.clone());
        assert_eq!(case.read([case.answer.as_str()]), [text], "{}: all of it is shown", case.id);
    }
}

#[test]
fn an_answer_reads_the_same_wherever_it_is_cut() {
    for case in cases(FILES).iter().chain(&cases(TALK)) {
        let (whole, answer) = (case.read([case.answer.as_str()]), case.answer.as_str());
        assert_eq!(case.read(cuts::characters(answer)), whole, "{} in characters", case.id);
        let mut chance = Chance::of(&case.id);
        for most in [2, 5, 17, 60] {
            assert_eq!(case.read(cuts::random(answer, most, &mut chance)), whole, "{} up to {most}", case.id);
        }
        for (at, _) in answer.char_indices().skip(1) {
            let (first, second) = answer.split_at(at);
            assert_eq!(case.read([first, second]), whole, "{} cut: {first:?} | {second:?}", case.id);
        }
    }
}

/// What generated answers are made of.
const PIECES: &[&str] = &[
    "calc.py\n",
    "`src/a.rs`\n",
    "### README.md\n",
    "**calc.py**:\n",
    "path/to/x.py\n",
    "File: new.py\n",
    "Here is the updated `calc.py`:\n",
    "```python\n",
    "```",
    "```\n",
    "````\n",
    "~~~\n",
    "```markdown\n",
    "```bash\n",
    "```diff\n",
    "```python calc.py\n",
    "    ```\n",
    "# calc.py\n",
    "def add(a, b):\n    return a + b\n",
    "class A:\n",
    "$ ls\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "--- a/calc.py\n",
    "+++ b/calc.py\n",
    "@@ -1 +1 @@\n",
    "-old\n",
    "+new\n",
    "NEED: calc.py, README.md\n",
    "Need files:\n",
    "- calc.py\n",
    "1. ",
    "word",
    "Some longer talk about `calc.py` that goes on and on.",
    "`",
    "``",
    "<",
    "=",
    "\n",
    "\n\n",
    "\r\n",
    "    ",
    "\t",
    " ",
    ":",
    "*",
    "#",
    "|",
    "{",
    "漢字",
    "🙂",
    "\u{feff}",
    "\0",
    "\u{301}",
];

fn answer() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

fn known() -> impl Strategy<Value = FilesKnown> {
    let all = ["calc.py", "README.md", "src/a.rs", "docs/calc.py"].map(str::to_owned).to_vec();
    (prop::sample::subsequence(all, 0..4), any::<bool>()).prop_map(|(shown, talks)| FilesKnown {
        shown,
        project: vec!["lib/b.py".to_owned()],
        barred: vec!["greet.py".to_owned()],
        wants: if talks { Wants::Words } else { Wants::Work },
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_answer_reads_the_same_however_it_is_cut(
        text in answer(), known in known(), cut in any::<bool>(), most in 1_usize..40, seed in any::<u64>(),
    ) {
        let whole = read(known.clone(), [text.as_str()], cut);
        prop_assert_eq!(&read(known.clone(), cuts::characters(&text), cut), &whole);
        let pieces = cuts::random(&text, most, &mut Chance::of(&seed.to_string()));
        prop_assert_eq!(&read(known, pieces, cut), &whole);
    }

    #[test]
    fn nothing_is_passed_on_that_was_not_written(text in answer(), known in known()) {
        let pieces = read(known, [text.as_str()], false);
        for piece in &pieces {
            match piece {
                Piece::Call(call) => prop_assert!(text.contains(call.raw.as_str()), "{:?} was never written", call.raw),
                Piece::Lost(lost) => prop_assert!(text.contains(lost.raw.as_str()), "{:?} was never written", lost.raw),
                Piece::Text(shown) => {
                    for line in shown.lines() {
                        prop_assert!(text.contains(line), "{line:?} was never written");
                    }
                }
                Piece::Thinking(_) | Piece::Invented(_) | Piece::WasThinking(_) => prop_assert!(false, "{piece:?}"),
            }
        }
    }

    #[test]
    fn talk_streams_through_in_words(text in answer(), known in known()) {
        let mut reader = FileReader::new(FilesKnown { wants: Wants::Words, ..known });
        for c in text.chars() {
            let piece = c.to_string();
            prop_assert_eq!(reader.push(&piece), [Piece::Text(piece)]);
        }
        prop_assert_eq!(reader.finish(), []);
    }
}

#[test]
fn a_sentence_is_shown_while_it_is_written_and_a_block_is_held_under_its_name() {
    let known =
        FilesKnown { shown: vec!["calc.py".to_owned()], project: Vec::new(), barred: Vec::new(), wants: Wants::Work };
    let mut reader = FileReader::new(known);
    let talk = "I have changed the function so that it adds.";
    assert_eq!(reader.push(talk), [Piece::Text(talk.to_owned())]);
    assert_eq!(reader.held(), 0);
    assert_eq!(reader.push("\n\ncalc.py\n"), [Piece::Text("\n\n".to_owned())]);
    assert_eq!((reader.held(), reader.held_name()), (8, None));
    assert_eq!(reader.push("```python\ndef add"), []);
    assert_eq!((reader.held(), reader.held_name()), (25, Some("calc.py")));
    reader.push("(a, b):\n    return a + b\n```\n");
    assert_eq!((reader.held(), reader.held_name()), (0, None));
    assert_eq!(
        reader.push("That is all there is to it, I think."),
        [Piece::Text("That is all there is to it, I think.".to_owned())]
    );
    assert_eq!(calls(&reader.finish()), [["write_file", "calc.py", "def add(a, b):\n    return a + b\n"]]);
}

#[test]
fn a_long_answer_is_read_in_pieces_of_one_character() {
    let known =
        FilesKnown { shown: vec!["calc.py".to_owned()], project: Vec::new(), barred: Vec::new(), wants: Wants::Work };
    let blocks: String = (0..2_000).map(|at| format!("f{at}.py\n```python\nx = {at}\n```\n")).collect();
    let text = format!("{blocks}calc.py\n```python\n{}", "value = 1\n".repeat(8_000));
    let pieces = read(known, cuts::characters(&text), false);
    let calls = calls(&pieces);
    assert_eq!(calls.len(), 2_001);
    assert_eq!(calls[2_000][2].lines().count(), 8_000);
}
