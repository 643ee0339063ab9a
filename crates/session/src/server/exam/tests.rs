//! Replies, and what is found in them.

mod course;

use super::questions::{AFTER, BEFORE, TEXT};
use super::*;
use agent_protocol::ToolsBy;
use serde_json::{Value, json};

const WINDOW: u64 = 32_768;

fn spec(name: &str, parameters: &[&str], aliases: &[&str]) -> ToolSpec {
    let properties: serde_json::Map<String, Value> =
        parameters.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    ToolSpec {
        name: name.into(),
        description: format!("{name} as the session has it"),
        parameters: json!({"type": "object", "properties": properties, "required": parameters}),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
    }
}

fn specs() -> Vec<ToolSpec> {
    vec![
        spec("read_file", &["file_path"], &["cat", "view"]),
        spec("write_file", &["file_path", "content"], &["create_file"]),
        spec("edit_file", &["file_path", "old_string", "new_string"], &["str_replace"]),
        spec("run_command", &["command"], &[]),
    ]
}

fn card(thinking: Option<bool>) -> ModelCard {
    ModelCard { name: "tiny".into(), thinking, context_length: Some(40_960), ..ModelCard::default() }
}

fn exam() -> Exam {
    Exam::new(&card(Some(true)), &specs(), WINDOW)
}

fn call(name: &str, arguments: Value) -> (ModelCall, Origin) {
    (ModelCall { server_id: None, index: None, name: name.into(), arguments }, Origin::default())
}

fn read(path: &str) -> (ModelCall, Origin) {
    call("read_file", json!({"file_path": path}))
}

fn as_text((call, _): (ModelCall, Origin), repairs: &[&str]) -> (ModelCall, Origin) {
    let repairs = repairs.iter().map(|words| (*words).to_owned()).collect();
    (call, Origin { way: Way::Text, dialect: Some("hermes".into()), raw: "<tool_call>…".into(), repairs })
}

fn calls(calls: &[(ModelCall, Origin)]) -> Answer {
    Answer { calls: calls.to_vec(), ..Answer::default() }
}

fn text(text: &str) -> Answer {
    Answer { text: text.into(), ..Answer::default() }
}

fn thinking(thinking: &str) -> Answer {
    Answer { thinking: thinking.into(), ..text("92") }
}

fn trouble(trouble: ServerError) -> Answer {
    Answer { trouble: Some(trouble), ..Answer::default() }
}

fn gone() -> ServerError {
    ServerError::Unreachable { host: "127.0.0.1:11434".into(), why: "connection refused".into(), program: None }
}

/// A change as it should be written.
const BLOCK: &str =
    "greet.py\n<<<<<<< SEARCH\n    return \"Hello, you!\"\n=======\n    return \"Hello, stranger!\"\n>>>>>>> REPLACE\n";

/// A call as a model writes it that is held to a schema.
const HELD: &str = "{\"name\": \"read_file\", \"arguments\": {\"file_path\": \"notes.txt\"}}";

/// What a model says that does everything right.
fn right(next: &ExamStep) -> Answer {
    let ExamStep::Ask { probe, think, .. } = next else { panic!("{next:?}") };
    match (probe, think) {
        (Probe::OneCall, _) => calls(&[read("notes.txt")]),
        (Probe::TwoCalls, _) => calls(&[read("first.txt"), read("second.txt")]),
        (Probe::Write, _) => calls(&[call("write_file", json!({"file_path": "sample.txt", "content": TEXT}))]),
        (Probe::Edit, _) => calls(&[edited("you!", "stranger!")]),
        (Probe::Stop, _) => text("The word of the day is marlowick."),
        (Probe::Schema, _) => text(HELD),
        (Probe::Think, Some(Think::On)) => thinking("31 + 30 + 31"),
        (Probe::Think, _) => text("92"),
        (Probe::Blocks, _) => text(BLOCK),
        (Probe::Window, _) => panic!("nothing is asked"),
    }
}

fn edited(old: &str, new: &str) -> (ModelCall, Origin) {
    call("edit_file", json!({"file_path": "greet.py", "old_string": old, "new_string": new}))
}

fn loaded(context_length: Option<u64>) -> LoadedModel {
    LoadedModel { name: "tiny".into(), context_length, ..LoadedModel::default() }
}

/// Plays an examination to its end: what was asked, and all findings as they were handed over.
fn play(mut exam: Exam, mut reply: impl FnMut(&ExamStep) -> Answer) -> (Vec<ExamStep>, Vec<ProbeFinding>, Examined) {
    let (mut asked, mut findings) = (Vec::new(), Vec::new());
    loop {
        assert!(asked.len() <= 10, "it does not end: {asked:?}");
        match exam.next() {
            ExamStep::Over(examined) => return (asked, findings, examined),
            ExamStep::Look => findings.extend(exam.looked(Some(&loaded(Some(WINDOW))))),
            next @ ExamStep::Ask { .. } => {
                findings.extend(exam.answered(reply(&next)));
                asked.push(next);
            }
        }
    }
}

/// The finding of one question, where all others are answered rightly. It may take several replies.
fn finding(probe: Probe, replies: Vec<Answer>) -> (ProbeVerdict, String) {
    let mut replies = replies.into_iter();
    let (_, findings, _) = play(exam(), |next| match next {
        ExamStep::Ask { probe: asked, .. } if *asked == probe => replies.next().expect("no further request"),
        other => right(other),
    });
    assert_eq!(replies.count(), 0, "every reply was wanted");
    assert_eq!(findings.iter().map(|finding| finding.probe).collect::<Vec<_>>(), Probe::ALL);
    let finding = findings.into_iter().find(|finding| finding.probe == probe).unwrap();
    (finding.verdict, finding.words)
}

fn passed(words: &str) -> (ProbeVerdict, String) {
    (ProbeVerdict::Passed, words.into())
}

fn rescued(words: &str) -> (ProbeVerdict, String) {
    (ProbeVerdict::Rescued, words.into())
}

fn failed(words: &str) -> (ProbeVerdict, String) {
    (ProbeVerdict::Failed, words.into())
}

fn skipped(words: &str) -> (ProbeVerdict, String) {
    (ProbeVerdict::Skipped, words.into())
}

#[test]
fn one_call_is_judged_by_its_tool_its_path_and_how_it_came() {
    let named = |name: &str, arguments: Value| calls(&[call(name, arguments)]);
    let table = [
        (calls(&[read("notes.txt")]), passed("one call, by the server")),
        (calls(&[read(" ./notes.txt")]), passed("one call, by the server")),
        (calls(&[as_text(read("notes.txt"), &[])]), rescued("the call came as text (hermes)")),
        (
            calls(&[as_text(read("notes.txt"), &["comments left out"])]),
            rescued("the call came as text (hermes); comments left out"),
        ),
        (named("cat", json!({"path": "notes.txt"})), rescued("cat was read as read_file; path was read as file_path")),
        (
            named("functions.read_file", json!({"filePath": "notes.txt"})),
            rescued("functions.read_file was read as read_file; filePath was read as file_path"),
        ),
        (
            named("read_file", json!({"arguments": {"file_path": "notes.txt"}})),
            rescued("arguments that were wrapped once more were unpacked"),
        ),
        (
            Answer { lost: vec!["cut off".into()], ..calls(&[read("notes.txt")]) },
            rescued("another call cannot be used: cut off"),
        ),
        (
            named("run_command", json!({"command": "cat notes.txt"})),
            failed("it called run_command instead of read_file"),
        ),
        (calls(&[read("/notes.txt")]), failed("it named `/notes.txt` instead of notes.txt")),
        (named("read_file", json!({"url": "notes.txt"})), failed("file_path is missing in its call")),
        (named("read_file", json!({"file_path": 1})), failed("file_path is not a text in its call")),
        (named("read_file", Value::Null), failed("file_path is missing in its call")),
        (calls(&[read("notes.txt"), read("notes.txt")]), failed("2 calls where one was asked for")),
    ];
    for (answer, expected) in table {
        assert_eq!(finding(Probe::OneCall, vec![answer]), expected);
    }
}

#[test]
fn a_reply_without_a_call_says_why() {
    let counted = Usage { reply_tokens: Some(40), ..Usage::default() };
    let table = [
        (text("I would read\nnotes.txt."), "no call: it wrote `I would read notes.txt.`"),
        (text("The file contains a list."), "no call: it made up a result, `The file contains a list.`"),
        (text("I cannot see its contents."), "no call: it wrote `I cannot see its contents.`"),
        (
            Answer { lost: vec!["its form is broken".into()], ..text("so:") },
            "its call cannot be used: its form is broken",
        ),
        (Answer { cut: true, ..text("well") }, "no call: the reply reached its length limit first"),
        (Answer { thinking: "hm".into(), ..Answer::default() }, "no call: it only thought"),
        (
            Answer { usage: counted, ..Answer::default() },
            "no call: 40 tokens were written, and the server passed on none",
        ),
        (Answer::default(), "no call: the reply was empty"),
    ];
    for (answer, words) in table {
        assert_eq!(finding(Probe::OneCall, vec![answer]), failed(words));
    }
}

#[test]
fn two_calls_may_come_together_in_any_order_or_else_one_after_the_other() {
    let late = "the calls came one after the other";
    let table = [
        (vec![calls(&[read("first.txt"), read("second.txt")])], passed("two calls in one reply")),
        (vec![calls(&[read("second.txt"), read("first.txt")])], passed("two calls in one reply")),
        (
            vec![calls(&[as_text(read("first.txt"), &[]), as_text(read("second.txt"), &[])])],
            rescued("the call came as text (hermes)"),
        ),
        (vec![calls(&[read("first.txt")]), calls(&[read("second.txt")])], rescued(late)),
        (vec![calls(&[read("second.txt")]), calls(&[read("first.txt")])], rescued(late)),
        (
            vec![calls(&[call("cat", json!({"path": "first.txt"}))]), calls(&[read("second.txt")])],
            rescued(&format!("{late}; cat was read as read_file; path was read as file_path")),
        ),
        (
            vec![calls(&[read("first.txt")]), text("Done.")],
            failed("only one of two calls came; then no call: it wrote `Done.`"),
        ),
        (
            vec![calls(&[read("first.txt")]), calls(&[read("first.txt")])],
            failed("only one of two calls came; then it named `first.txt` instead of second.txt"),
        ),
        (vec![calls(&[read("first.txt"), read("first.txt")])], failed("it named `first.txt` instead of second.txt")),
        (vec![calls(&[read("both.txt")])], failed("it named `both.txt` instead of first.txt")),
        (
            vec![calls(&[read("first.txt"), read("second.txt"), read("third.txt")])],
            failed("3 calls where two were asked for"),
        ),
        (vec![Answer::default()], failed("no call: the reply was empty")),
    ];
    for (replies, expected) in table {
        assert_eq!(finding(Probe::TwoCalls, replies), expected);
    }
}

#[test]
fn after_the_first_of_two_calls_the_model_reads_its_own_reply_and_a_result() {
    let (call, origin) = as_text(read("second.txt"), &[]);
    let first = Answer { text: "First:".into(), thinking: "two".into(), ..calls(&[(call.clone(), origin)]) };
    let mut replies = vec![first, calls(&[read("first.txt")])].into_iter();
    let (asked, ..) = play(exam(), |next| match next {
        ExamStep::Ask { probe: Probe::TwoCalls, .. } => replies.next().unwrap(),
        other => right(other),
    });
    let (ExamStep::Ask { messages: before, tools: first, .. }, ExamStep::Ask { messages: after, tools: second, .. }) =
        (&asked[1], &asked[2])
    else {
        panic!("{asked:?}");
    };
    let reply = Message {
        thinking: Some("two".into()),
        calls: vec![call.clone()],
        ..Message::text(agent_protocol::Role::Assistant, "First:")
    };
    assert_eq!((&after[..before.len()], first), (&before[..], second));
    assert_eq!(after[before.len()..], [reply, Message::result(&call, "1\tNothing of interest.")]);
}

#[test]
fn a_text_must_arrive_as_it_was_given() {
    let written = |content: &str| calls(&[call("write_file", json!({"file_path": "sample.txt", "content": content}))]);
    let whole = "the text came as it was given";
    let not = "the text is not what was given: ";
    let table = [
        (written(TEXT), passed(whole)),
        (written(&format!("{TEXT}\n")), passed(whole)),
        (
            calls(&[call("create_file", json!({"path": "sample.txt", "text": TEXT}))]),
            rescued("create_file was read as write_file; path was read as file_path; text was read as content"),
        ),
        (
            written(&TEXT.replace('\t', "    ")),
            rescued(
                "the text differs in white space: line 1 should be `… = \"Zoë\"⇥say 'hi'` and is `… = \"Zoë\"    say \
                 'hi'`",
            ),
        ),
        (
            written(&TEXT.replace("C:\\new", "C:\new")),
            failed(&format!("{not}line 2 should be `…th = \"C:\\new\\table\"` and is `…th = \"C:`")),
        ),
        (
            written(&TEXT.replace('\\', "\\\\")),
            failed(&format!("{not}line 2 should be `…h = \"C:\\new\\table\"` and is `…h = \"C:\\\\new\\\\table\"`")),
        ),
        (
            written(&TEXT.replace('"', "\\\"")),
            failed(&format!("{not}line 1 should be `name = \"Zoë\"⇥say 'hi'` and is `name = \\\"Zoë\\\"⇥say 'hi'`")),
        ),
        (
            written(TEXT.rsplit_once('\n').unwrap().0),
            failed(&format!("{not}line 4 is missing: `price: 5 € – done \\\\ end`")),
        ),
        (written(&format!("{TEXT}\nDone.")), failed(&format!("{not}line 5 is one too many: `Done.`"))),
        (
            calls(&[call("write_file", json!({"file_path": "text.txt", "content": TEXT}))]),
            failed("it named `text.txt` instead of sample.txt"),
        ),
        (calls(&[call("write_file", json!({"file_path": "sample.txt"}))]), failed("content is missing in its call")),
        (
            text(TEXT),
            failed("no call: it wrote `name = \"Zoë\" say 'hi' path = \"C:\\new\\table\" like = '^\\d+\\s\"(…`"),
        ),
    ];
    for (answer, expected) in table {
        assert_eq!(finding(Probe::Write, vec![answer]), expected);
    }
}

#[test]
fn an_edit_must_meet_one_place_and_make_the_text_that_was_wanted() {
    let edit = |old: &str, new: &str| calls(&[edited(old, new)]);
    let met = "the text to replace was met exactly";
    let table = [
        (edit("        return \"Hello, you!\"", "        return \"Hello, stranger!\""), passed(met)),
        (edit("you", "stranger"), passed(met)),
        (edit(BEFORE, AFTER.trim_end()), passed(met)),
        (
            calls(&[call("str_replace", json!({"path": "greet.py", "old_str": "you!", "new_str": "stranger!"}))]),
            rescued(
                "str_replace was read as edit_file; path was read as file_path; old_str was read as old_string; \
                 new_str was read as new_string",
            ),
        ),
        (
            edit("return \"Hello, ", "return \"Hello, stranger"),
            failed("the text to replace is in 2 places: `return \"Hello,`"),
        ),
        (
            edit("\treturn \"Hello, you!\"", "\treturn \"Hello, stranger!\""),
            failed("the text to replace is not in the file: `return \"Hello, you!\"`"),
        ),
        (edit("", AFTER), failed("the text to replace is empty")),
        (
            edit("you!\"", "stranger!"),
            failed("the edit makes another text: line 3 should be `…tranger!\"` and is `…tranger!`"),
        ),
        (
            calls(&[call("edit_file", json!({"file_path": "greet.py", "old_string": "you!"}))]),
            failed("new_string is missing in its call"),
        ),
        (calls(&[edited("you!", "stranger!"), edited("you!", "stranger!")]), failed("2 calls where one was asked for")),
    ];
    for (answer, expected) in table {
        assert_eq!(finding(Probe::Edit, vec![answer]), expected);
    }
}

#[test]
fn after_a_result_the_model_answers_with_what_it_says() {
    let table = [
        (text("It is Marlowick."), passed("it answered with what the result says")),
        (calls(&[read("notes.txt")]), failed("it called read_file again instead of answering")),
        (
            Answer { calls: vec![read("notes.txt")], ..text("It is marlowick.") },
            failed("it called read_file again instead of answering"),
        ),
        (
            Answer { lost: vec!["cut off".into()], ..text("so") },
            failed("it tried another call instead of answering: cut off"),
        ),
        (text("I have read it."), failed("the answer does not say what the result says: `I have read it.`")),
        (
            Answer { cut: true, ..text("marlowick marlowick") },
            failed("it did not come to an end: the reply reached its length limit"),
        ),
        (text("\n"), failed("it said nothing after the result")),
    ];
    for (answer, expected) in table {
        assert_eq!(finding(Probe::Stop, vec![answer]), expected);
    }
}

#[test]
fn thinking_is_judged_off_and_on() {
    let (quiet, loud) = (|| text("92"), || thinking("31 + 30 + 31"));
    let table = [
        (vec![quiet(), loud()], passed("it thinks when told to, and only then")),
        (vec![loud(), loud()], failed("it thinks even when told not to")),
        (vec![quiet(), quiet()], failed("it does not think even when told to")),
        (vec![loud(), quiet()], failed("it thinks when told not to, and does not when told to")),
    ];
    for (replies, expected) in table {
        assert_eq!(finding(Probe::Think, replies), expected);
    }
}

#[test]
fn the_window_is_compared_with_what_was_asked_for() {
    let window = |loaded: Option<LoadedModel>| {
        let mut exam = Exam::new(&card(Some(false)), &[], WINDOW);
        let mut findings = exam.looked(loaded.as_ref()).into_iter();
        let of_window = findings.find(|finding| finding.probe == Probe::Window);
        of_window.map(|finding| (finding.verdict, finding.words)).unwrap()
    };
    assert_eq!(window(Some(loaded(Some(WINDOW)))), passed("32768 tokens, as asked for"));
    assert_eq!(window(Some(loaded(Some(65_536)))), passed("32768 tokens, as asked for"));
    assert_eq!(
        window(Some(loaded(Some(4_096)))),
        failed(
            "32768 tokens were asked for and the server gives 4096 (a larger one takes more memory); set num_ctx = \
             4096 in the config, or start with --num-ctx 4096"
        )
    );
    assert_eq!(window(None), skipped("the server does not tell how it has this model loaded"));
    assert_eq!(window(Some(loaded(None))), skipped("the server does not tell the window of what it has loaded"));
    let mut exam = Exam::new(&card(None), &[], 131_072);
    let findings = exam.looked(Some(&loaded(Some(40_960))));
    let finding = findings.iter().find(|finding| finding.probe == Probe::Window).unwrap();
    assert!(finding.words.contains("(the model was trained for no more); set num_ctx = 40960"), "{}", finding.words);
}
