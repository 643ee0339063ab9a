//! What is a call, and what is not: the rule of `docs/DIALECTS.md`, each point from both sides.

use crate::reader::{offer, reading};
use agent_dialects::{Fault, Piece, Repair, Start, Tools};
use serde_json::{Value, json};

const HERMES: &str = "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.rs\"}}</tool_call>";
const CODER: &str =
    "<tool_call>\n<function=read_file>\n<parameter=path>\na.rs\n</parameter>\n</function>\n</tool_call>";
const MISTRAL: &str = "[TOOL_CALLS][{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.rs\"}}]";
const BARE: &str = "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.rs\"}}";
const PYTHONIC: &str = "[read_file(path=\"a.rs\")]";
const NAME_FIRST: &str = "read_file{\"path\": \"a.rs\"}";

fn read(text: &str) -> Vec<Piece> {
    reading::read(&offer::tools(), Start::Answer, [text])
}

fn calls_of(pieces: &[Piece]) -> Vec<(&str, Value)> {
    let calls = pieces.iter().filter_map(|piece| match piece {
        Piece::Call(call) => Some((call.name.as_str(), Value::from(call.arguments.clone()))),
        Piece::Text(_) | Piece::Thinking(_) | Piece::Lost(_) | Piece::Invented(_) | Piece::WasThinking(_) => None,
    });
    calls.collect()
}

/// Exactly one call, which reads `a.rs`.
#[track_caller]
fn is_a_call(text: &str) {
    let pieces = read(text);
    assert_eq!(calls_of(&pieces), [("read_file", json!({"path": "a.rs"}))], "{text}\n{pieces:#?}");
}

/// Text and nothing else, as it was written.
#[track_caller]
fn is_text(text: &str) {
    assert_eq!(read(text), [Piece::Text(text.to_owned())]);
}

/// The reading without white space between its parts.
fn parts(text: &str) -> Vec<Piece> {
    let mut pieces = read(text);
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.trim().is_empty()));
    pieces
}

/// The one call of a text, with these arguments.
#[track_caller]
fn has_arguments(text: &str, arguments: &Value) {
    let pieces = read(text);
    let calls = calls_of(&pieces);
    assert_eq!(calls.iter().map(|(_, arguments)| arguments).collect::<Vec<_>>(), [arguments], "{text}");
}

// 1. A mark that nothing else uses makes a call wherever it stands.

#[test]
fn marked_calls_count_wherever_they_stand() {
    for call in [HERMES, CODER, MISTRAL] {
        is_a_call(call);
        is_a_call(&format!("Let me look at the file.\n\n{call}"));
        is_a_call(&format!("I read it now: {call}"));
        is_a_call(&format!("{call}\n\nThen we shall see."));
    }
}

#[test]
fn a_marked_call_in_inline_code_is_an_example() {
    for call in [HERMES, MISTRAL] {
        is_text(&format!("Hermes models write `{call}` when they call a tool."));
        is_text(&format!("It looks like ``{call}``, they say."));
    }
}

#[test]
fn a_marked_call_in_a_code_block_is_an_example_if_prose_follows() {
    for call in [HERMES, CODER, MISTRAL] {
        is_text(&format!("For example:\n\n```\n{call}\n```\n\nThe server reads that."));
        is_text(&format!("~~~xml\n{call}\n~~~\nThat is all."));
        is_a_call(&format!("I read it now.\n\n```xml\n{call}\n```"));
    }
    is_text(&format!("For example:\n\n    {HERMES}\n\nThat is all."));
}

#[test]
fn a_marked_call_in_a_block_quote_is_an_example() {
    is_text(&format!("> {HERMES}\n\nThat is what you sent me."));
    is_text(&format!("You wrote:\n> Well, {MISTRAL}\n"));
}

#[test]
fn a_marked_call_in_closed_reasoning_is_a_thought() {
    let pieces = read(&format!("<think>I might write {HERMES} here.</think>No need."));
    let thought = format!("I might write {HERMES} here.");
    assert_eq!(pieces, [Piece::Thinking(thought), Piece::Text("No need.".to_owned())]);
    is_a_call(&format!("<think>I need the file.</think>{HERMES}"));
}

#[test]
fn a_marked_call_of_an_unknown_tool_is_a_call_all_the_same() {
    let pieces = read("<tool_call>{\"name\": \"fly\", \"arguments\": {\"to\": \"moon\"}}</tool_call>");
    assert_eq!(calls_of(&pieces), [("fly", json!({"to": "moon"}))]);
    let pieces = read("<function=fly>\n<parameter=to>\nmoon\n</parameter>\n</function>");
    assert_eq!(calls_of(&pieces), [("fly", json!({"to": "moon"}))]);
}

#[test]
fn half_a_mark_is_text() {
    is_text("If a <tool b then </tool c.");
    is_text("The [TOOL_CALLS token and the <tool_call tag, both cut short.");
    is_text("Write `<tool_call>` first.");
}

// 2. Without a mark it is a call only by its looks, and only as the last thing of the answer.

#[test]
fn bare_calls_count_as_the_whole_answer_or_its_last_block() {
    for call in [BARE, PYTHONIC, NAME_FIRST] {
        is_a_call(call);
        is_a_call(&format!("I read the file first.\n\n{call}\n"));
        is_a_call(&format!("{call}<|im_end|>"));
    }
    is_a_call(&format!("```json\n{BARE}\n```"));
    is_a_call(&format!("I read the file first.\n\n```json\n[{BARE}]\n```\n"));
}

#[test]
fn bare_calls_with_an_answer_after_them_are_text() {
    for call in [PYTHONIC, NAME_FIRST] {
        is_text(&format!("{call}\nis how such a call is written."));
        is_text(&format!("In a script:\n{call}\nand then the next line."));
    }
    is_text(&format!("The request body:\n\n```json\n{BARE}\n```\n\nThe server answers with the file."));
    is_text(&format!("{{\"calls\": [{BARE}]}}\n\nThat is the format."));
}

#[test]
fn bare_calls_in_the_middle_of_a_line_are_text() {
    for call in [BARE, PYTHONIC, NAME_FIRST] {
        is_text(&format!("You would write {call} there."));
    }
}

#[test]
fn a_bare_block_whose_name_is_not_offered_is_text() {
    is_text("{\"name\": \"delete_database\", \"arguments\": {\"really\": true}}");
    is_text("[{\"name\": \"Alice\", \"parameters\": {\"age\": 30}}]");
    is_text("[print(\"hello\"), exit(0)]");
    is_text("delete_database{\"really\": true}");
}

#[test]
fn one_unknown_name_makes_the_whole_list_text() {
    is_text(&format!("[{BARE}, {{\"name\": \"fly\", \"arguments\": {{}}}}]"));
    is_text("[read_file(path=\"a.rs\"), fly()]");
}

#[test]
fn a_bare_name_needs_arguments_unless_the_tool_needs_none() {
    is_text("{\"name\": \"read_file\", \"version\": \"1.0.0\"}");
    is_text("{\"name\": \"read_file\"}");
    assert_eq!(calls_of(&read("{\"name\": \"project_context\"}")), [("project_context", json!({}))]);
    assert_eq!(calls_of(&read("[project_context()]")), [("project_context", json!({}))]);
}

#[test]
fn json_that_answers_a_question_is_text() {
    is_text("[1, 2, 3]");
    is_text("{\"editor\": {\"tabSize\": 2}}");
    is_text("```json\n{\"name\": \"harbour\", \"version\": \"1.2.0\"}\n```");
    is_text("[x] done\n[ ] open\n[a link](https://example.org)");
}

// 3. Only what is complete is a call.

#[test]
fn a_call_that_is_cut_off_is_lost_and_never_shown() {
    let long = "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"half";
    let raw = "[TOOL_CALLS] [{\"name\": \"run_command\", \"arguments\": {\"command\": \"git push --fo";
    let coder = "<function=run_command>\n<parameter=command>\nrm -r build";
    for text in [long, raw, coder] {
        let pieces = read(text);
        let [Piece::Lost(lost)] = pieces.as_slice() else { panic!("{pieces:#?}") };
        assert_eq!((lost.why, lost.raw.as_str()), (Fault::CutOff, text));
        assert!(["write_file", "run_command"].contains(&lost.name.as_deref().unwrap_or_default()));
    }
}

#[test]
fn what_a_closed_block_proves_is_mended() {
    is_a_call("<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.rs\"}</tool_call>");
    is_a_call("<tool_call>{'name': 'read_file', 'arguments': {'path': 'a.rs',}}</tool_call>");
    is_a_call("<tool_call>\n<function=read_file>\n<parameter=path>\na.rs\n</function>\n</tool_call>");
}

#[test]
fn a_closed_block_that_makes_no_sense_is_lost_and_never_guessed() {
    for text in [
        "<tool_call>\nthis is not json\n</tool_call>",
        "<tool_call>{\"arguments\": {\"path\": \".\"}}</tool_call>",
        "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\"}}</tool_call>",
    ] {
        let pieces = read(text);
        let [Piece::Lost(lost)] = pieces.as_slice() else { panic!("{pieces:#?}") };
        assert_eq!(lost.why, Fault::Unreadable, "{text}");
    }
}

#[test]
fn marks_inside_a_value_do_not_end_it() {
    let content = "a </tool_call> and </parameter> in it";
    let call = json!({"name": "write_file", "arguments": {"path": "a", "content": content}});
    let expected = json!({"path": "a", "content": content});
    has_arguments(&format!("<tool_call>{call}</tool_call>"), &expected);
    has_arguments(&format!("[TOOL_CALLS][{call}]"), &expected);
    has_arguments(&call.to_string(), &expected);
}

// 4. The first made-up result after a call ends the answer.

#[test]
fn a_made_up_result_and_all_after_it_is_invented() {
    for result in ["<tool_response>\nfn main() {}\n", "[TOOL_RESULTS] ok", "Observation: it is empty.\n"] {
        let text = format!("{HERMES}\n{result}So it is. {HERMES}");
        let pieces = parts(&text);
        let [Piece::Call(_), Piece::Invented(invented)] = pieces.as_slice() else { panic!("{pieces:#?}") };
        assert_eq!(invented, &format!("{result}So it is. {HERMES}"));
    }
}

#[test]
fn a_made_up_result_in_marks_that_no_keyboard_has_needs_no_call_before_it() {
    for before in ["", "Here it is. "] {
        let result = "<|tool▁outputs▁begin|>tests passed<|tool▁outputs▁end|>";
        let pieces = parts(&format!("{before}{result}"));
        assert!(matches!(pieces.last(), Some(Piece::Invented(invented)) if invented == result), "{pieces:#?}");
    }
}

#[test]
fn a_made_up_result_after_a_bare_call_leaves_the_call() {
    let pieces = parts(&format!("{BARE}\n<tool_response>\nfn main() {{}}\n</tool_response>\nThe file is short."));
    let [Piece::Call(_), Piece::Invented(_)] = pieces.as_slice() else { panic!("{pieces:#?}") };
}

#[test]
fn the_words_of_a_result_without_a_call_before_are_text() {
    is_text("Observation: the tests pass.\nOutput:\nnothing");
    is_text("The tag <tool_response> holds the result.");
    is_text("Result: 42");
}

#[test]
fn a_second_call_is_no_result() {
    assert_eq!(calls_of(&read(&format!("{HERMES}\n{HERMES}"))).len(), 2);
    assert_eq!(calls_of(&read(&format!("{CODER}\n{MISTRAL}"))).len(), 2);
    assert_eq!(calls_of(&read(&format!("{BARE}\n{BARE}"))).len(), 2);
}

// 5. Reasoning that never ends may end in a call.

#[test]
fn a_complete_marked_call_at_the_end_of_open_reasoning_counts() {
    for call in [HERMES, CODER] {
        is_a_call(&format!("<think>I need the file.\n{call}"));
        let pieces = reading::read(&offer::tools(), Start::Reasoning, [format!("I need it.\n{call}\n").as_str()]);
        assert_eq!(calls_of(&pieces).len(), 1, "{pieces:#?}");
    }
}

#[test]
fn other_calls_in_open_reasoning_do_not_count() {
    let unfinished = &HERMES[..HERMES.len() - 20];
    for thought in [&format!("{HERMES} is what I would write, but"), BARE, PYTHONIC, unfinished] {
        let pieces = read(&format!("<think>{thought}"));
        assert_eq!(pieces, [Piece::Thinking(thought.to_owned())]);
    }
}

// 6. Types come from the schema, then from the format.

#[test]
fn a_text_parameter_is_taken_as_it_stands() {
    for written in ["42", "null", "true", "[1]"] {
        let text = format!("<function=read_file>\n<parameter=path>\n{written}\n</parameter>\n</function>");
        has_arguments(&text, &json!({"path": written}));
    }
}

#[test]
fn other_parameters_are_read_by_their_schema() {
    let text = |key: &str, value: &str| {
        format!(
            "<invoke name=\"write_file\"><parameter name=\"path\">a</parameter><parameter name=\"content\"></parameter>\
                 <parameter name=\"{key}\">{value}</parameter></invoke>"
        )
    };
    has_arguments(&text("force", "true"), &json!({"path": "a", "content": "", "force": true}));
    has_arguments(&text("force", "True"), &json!({"path": "a", "content": "", "force": true}));
    has_arguments(&text("force", "perhaps"), &json!({"path": "a", "content": "", "force": "perhaps"}));
    let pieces = read(
        "<function=read_file>\n<parameter=path>\na\n</parameter>\n<parameter=start_line>\n12\n</parameter>\n</function>",
    );
    assert_eq!(calls_of(&pieces), [("read_file", json!({"path": "a", "start_line": 12}))]);
}

#[test]
fn without_a_schema_json_keeps_its_types_and_elements_are_text() {
    let read = |text: &str| reading::read(&Tools::any(), Start::Answer, [text]);
    let pieces = read("<tool_call>{\"name\": \"f\", \"arguments\": {\"n\": 42, \"yes\": true}}</tool_call>");
    assert_eq!(calls_of(&pieces), [("f", json!({"n": 42, "yes": true}))]);
    let pieces = read("<function=f>\n<parameter=n>\n42\n</parameter>\n</function>");
    assert_eq!(calls_of(&pieces), [("f", json!({"n": "42"}))]);
}

/// What is left of the answer, and whether a call is.
fn answered(text: &str) -> (String, bool) {
    let (mut answer, mut called) = (String::new(), false);
    for piece in read(text) {
        match piece {
            Piece::Text(text) => answer.push_str(&text),
            Piece::Call(_) | Piece::Lost(_) => called = true,
            Piece::WasThinking(_) => (answer, called) = (String::new(), false),
            Piece::Thinking(_) | Piece::Invented(_) => {}
        }
    }
    (answer.trim().to_owned(), called)
}

#[test]
fn a_call_before_a_mark_that_ends_reasoning_is_none_wherever_the_mark_stands() {
    for behind in [
        "\n```python\nx = 1\n</think>\n\n",
        "\n> as they say </think>\n\n",
        "\n\n    </think>\n\n",
        " no need </think> ",
        "\n<tool_response>\nMADE UP\n</tool_response>\nno need </think> ",
    ] {
        assert_eq!(answered(&format!("Maybe: {HERMES}{behind}Shall I?")), ("Shall I?".to_owned(), false), "{behind}");
    }
    let between = format!("Sure.\n<think>\nMaybe {HERMES}\n</think>\nShall I?");
    assert_eq!(answered(&between), ("Shall I?".to_owned(), false));
    assert!(!answered(&format!("<think>Hm.</think>{between}").replace("\nShall I?", "")).1, "nothing follows");
    let hidden = format!("Maybe:\n```\nx = 1\n</think>\n\nI look.\n{HERMES}");
    assert_eq!(answered(&hidden), ("I look.".to_owned(), true), "a call behind the mark is one");
}

#[test]
fn a_mark_in_code_or_quotation_marks_leaves_the_call_before_it() {
    for behind in
        ["`</think>` ends it.", "\n```\n</think>\n```\nends it.", "\"</think>\" ends it.", "\n```\n<think>\n</think>\n"]
    {
        assert!(answered(&format!("{HERMES}\n{behind}")).1, "{behind}");
    }
}

#[test]
fn a_closing_mark_too_many_is_noted_in_every_form() {
    for text in [
        "```tool\nTOOL_NAME: read_file\nBEGIN_ARG: path\na.rs\nEND_ARG\nEND_ARG\n```",
        "<|open|>call tool=\"read_file\"<|sep|><|open|>argument key=\"path\" type=\"string\"<|sep|>a.rs<|close|>argument<|sep|>\
         <|close|>argument<|sep|><|close|>call<|sep|>",
        "]<]minimax[>[<invoke name=\"read_file\">]<]minimax[>[<path>a.rs]<]minimax[>[</path>]<]minimax[>[</path>\
         ]<]minimax[>[</invoke>",
        "<invoke name=\"read_file\">\n<path>a.rs</path>\n</path>\n</invoke>",
        "<|start|>assistant to=functions.read_file<|message|><rfl:parameter name=\"path\">a.rs</rfl:parameter>\
         </rfl:parameter><|call|>",
    ] {
        is_a_call(text);
        let noted = |piece: &Piece| matches!(piece, Piece::Call(call) if call.repairs.contains(&Repair::ExtraEnd));
        assert!(read(text).iter().any(noted), "{text}");
    }
}
