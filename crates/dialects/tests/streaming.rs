//! What holds of every text, however it arrives.

use crate::reader::cuts::{self, Chance};
use crate::reader::{offer, reading, written};
use agent_dialects::{Piece, Splitter, Start, Tools};
use proptest::prelude::*;

/// What may be held of text that looks like no call, in bytes.
const LAG: usize = 64;

/// What generated texts are made of: marks and halves of marks, names, JSON, Markdown, and what is none of these.
const PIECES: &[&str] = &[
    "<tool_call>",
    "</tool_call>",
    "<tool_calls>",
    "</tool_calls>",
    "<function=read_file>",
    "</function>",
    "<parameter=path>",
    "</parameter>",
    "<invoke name=\"read_file\">",
    "</invoke>",
    "<parameter name=\"path\">",
    "<function_calls>",
    "</function_calls>",
    "<tools>",
    "<function_call>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[/TOOL_CALLS]",
    "[read_file(path=\"a\")]",
    "<read_file>",
    "</read_file>",
    "<path>",
    "</path>",
    "<think>",
    "</think>",
    "\n</think>\n",
    "<|END_THINKING|>",
    "<|message_model|>",
    "<|end_message|>",
    "[THINK]",
    "[/THINK]",
    "<|channel|>",
    "analysis",
    "final",
    "commentary to=functions.read_file",
    "<|message|>",
    "<|call|>",
    "<|end|>",
    "<|start|>assistant",
    "<|im_end|>",
    "<|tool_call_begin|>",
    "functions.read_file:0",
    "<|tool_call_argument_begin|>",
    "<|tool_call_end|>",
    "<｜tool▁call▁begin｜>",
    "function",
    "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
    "<｜DSML｜invoke name=\"list_dir\">",
    "<|tool_call_start|>",
    "<|tool_call_end|>",
    "<|python_tag|>",
    "<start_function_call>call:list_dir{",
    "<end_function_call>",
    "<arg_key>path</arg_key>",
    "<arg_value>a</arg_value>",
    "<tool_response>",
    "[TOOL_RESULTS]",
    "Observation:",
    "Output:",
    "Action: read_file\n",
    "Action Input: ",
    "TOOL_USE: list_dir",
    "## Function Call\n",
    "read_file",
    "`Read_File`",
    "functions.List_Dir",
    "list_dir",
    "no_such_tool",
    "list_dir(",
    "read_file{",
    "{\"path\": \"a\"}",
    "{\"name\": \"list_dir\"",
    "\"arguments\": {",
    "\"parameters\": ",
    "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}",
    "\"path\"",
    "path",
    "True",
    "null",
    "12",
    "-1.5e3",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    "\\\"",
    ",",
    ":",
    ";",
    "=",
    "```",
    "```json\n",
    "~~~\n",
    "`",
    "``",
    "\n",
    "\n\n",
    "\r\n",
    "    ",
    "\t",
    " ",
    "> ",
    ">>>",
    ">",
    "<",
    "</",
    "<|",
    "#",
    "@",
    "//",
    "*",
    "word",
    "Zoë",
    "漢字",
    "🙂",
    "“",
    "”",
    "\u{feff}",
    "\u{a0}",
    "\0",
    "\u{301}",
];

/// What prose is made of: nothing in it begins a call.
const WORDS: &[&str] = &[
    "the",
    "file",
    "Then",
    "tools",
    "forms",
    "Results",
    "can",
    "to",
    "a",
    "I",
    "übrigens",
    "naïve",
    "漢字",
    "🙂",
    ".",
    ",",
    "!",
    "?",
    "(so",
    "say)",
    "\"quoted\"",
    "it's",
    "–",
    "3.14",
    "100%",
    "50 €",
    "a/b",
    "x = y + 1",
    "c:",
    "\n",
    "\n\n",
    "\t",
    "  ",
    "\r\n",
    "* item",
    "- item",
    "1. first",
    "end;",
    "\u{301}",
    "to be",
    "for",
    "call me",
    "$HOME",
    "&",
    "|",
    "^",
    "%",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..32).prop_map(|pieces| pieces.concat())
}

fn prose() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..60).prop_map(|words| words.join(" "))
}

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![4 => Just(Start::Answer), 1 => Just(Start::Reasoning)]
}

fn tools(any: bool) -> Tools {
    if any { Tools::any() } else { offer::tools() }
}

/// All that is passed on as running text, in order.
fn shown(pieces: &[Piece]) -> String {
    let text = pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) | Piece::Thinking(text) => Some(text.as_str()),
        Piece::Call(_) | Piece::Lost(_) | Piece::Invented(_) | Piece::WasThinking(_) => None,
    });
    text.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_reads_the_same_however_it_is_cut(
        text in text(), start in start(), any in prop::bool::weighted(0.2), most in 1_usize..40, seed in any::<u64>(),
    ) {
        let whole = reading::read(&tools(any), start, [text.as_str()]);
        prop_assert_eq!(&reading::read(&tools(any), start, cuts::characters(&text)), &whole);
        let pieces = cuts::random(&text, most, &mut Chance::of(&seed.to_string()));
        prop_assert_eq!(&reading::read(&tools(any), start, pieces), &whole);
    }

    #[test]
    fn nothing_is_passed_on_that_was_not_written(text in text(), start in start(), any in prop::bool::weighted(0.2)) {
        let whole = reading::read(&tools(any), start, [text.as_str()]);
        prop_assert_eq!(written::adds_nothing(&text, &whole), Ok(()));
    }

    #[test]
    fn prose_comes_out_as_it_went_in(text in prose(), any in prop::bool::weighted(0.2)) {
        let expected: Vec<Piece> = Some(Piece::Text(text.clone())).filter(|_| !text.is_empty()).into_iter().collect();
        prop_assert_eq!(reading::read(&tools(any), Start::Answer, [text.as_str()]), expected);
    }

    #[test]
    fn what_is_shown_stays_and_text_is_shown_at_once(text in text(), start in start(), any in prop::bool::weighted(0.2)) {
        let whole = shown(&reading::read(&tools(any), start, [text.as_str()]));
        let mut splitter = Splitter::new(tools(any), start);
        let mut pieces = Vec::new();
        for (at, c) in text.char_indices() {
            pieces.extend(splitter.push(&text[at..at + c.len_utf8()]));
            prop_assert!(whole.starts_with(&shown(&pieces)), "{:?} is no beginning of {whole:?}", shown(&pieces));
            let end = at + c.len_utf8();
            let held = &text[end - splitter.held()..end];
            // Closing marks and white space after a call, and runs of backticks, are no text that anybody waits for.
            let waits = !held.trim().is_empty() && !held.trim().chars().all(|c| c == '`');
            prop_assert!(splitter.holds_a_call() || !waits || held.len() <= LAG, "{held:?} is held");
        }
    }

    #[test]
    fn prose_is_held_for_no_longer_than_a_word(text in prose()) {
        let mut splitter = Splitter::new(offer::tools(), Start::Answer);
        for c in text.chars() {
            splitter.push(&c.to_string());
            prop_assert!(splitter.held() <= 16, "{} bytes held", splitter.held());
        }
    }

    #[test]
    fn after_an_invented_result_nothing_else_comes_but_the_end_of_reasoning(text in text(), more in text()) {
        let call = "<tool_call>{\"name\": \"list_dir\", \"arguments\": {}}</tool_call>\n<tool_response>";
        let mut splitter = Splitter::new(offer::tools(), Start::Answer);
        splitter.push(call);
        let mut pieces = splitter.push(&text);
        pieces.extend(splitter.push(&more));
        pieces.extend(splitter.finish());
        if pieces.iter().any(|piece| matches!(piece, Piece::WasThinking(_))) {
            return Ok(());
        }
        let mut invented = String::new();
        for piece in pieces {
            let Piece::Invented(text) = piece else { panic!("{piece:?}") };
            invented.push_str(&text);
        }
        prop_assert_eq!(invented, text + &more);
    }
}

#[test]
fn a_value_of_many_bytes_is_read_in_pieces_of_one_character() {
    let content = "let x = \"<b>\";\n".repeat(4000);
    let call = serde_json::json!({"name": "write_file", "arguments": {"path": "a", "content": content}});
    let text = format!("<tool_call>{call}</tool_call>");
    let read = reading::read(&offer::tools(), Start::Answer, cuts::characters(&text));
    let [Piece::Call(found)] = read.as_slice() else { panic!("{} pieces", read.len()) };
    assert_eq!(found.arguments.get("content").unwrap(), &content);
    assert_eq!(found.raw, text);
}
