//! For each of what keeps a conversation short: a model that is lost without it, because what it needs has gone or because it is
//! sent more than it can follow, and gets there with it. And one that looks narrowly, for which nothing is different.
//!
//! The models are weak in one way: they read whole files or search for common words, and do not look again for what has gone.

use crate::cost::project::{Project, cargo_test, javascript, prose, python, rust};
use crate::cost::{Cost, Session, call, does, edit, only, run, says, search};
use serde_json::{Value, json};

/// One pair: what is on in the second run, and the session.
struct Pair {
    on: &'static str,
    session: Session,
}

/// Makes a file of so many lines.
type Made = fn(usize) -> String;

/// A session in which the model needs in the end what it saw first: `rule` in `notes.md`. It writes `value`, and `wrong` where it
/// does not see it any more.
fn remembering(name: &'static str, window: u64, mut project: Project, looks: Vec<Value>) -> Session {
    let rules =
        "- Whoever changes a rule says so in the meeting of that week, and waits for a second voice.\n".repeat(6);
    project.add("notes.md", format!("# Rules\n\n{rules}- The rate is 0.175 since May; it was 0.19.\n{rules}"));
    project.add("rate.txt", "rate = 0\n");
    let write = |value: &str| edit("rate.txt", "rate = 0\n", &format!("rate = {value}\n"));
    let mut course = vec![does(call("read_file", json!({"file_path": "notes.md"})))];
    course.extend(looks.into_iter().map(does));
    course.push(json!({"needs": ["0.175"], "say": write("0.175"), "otherwise": write("0.19")}));
    course.push(says("The rate stands in rate.txt."));
    Session {
        name,
        project,
        window,
        says: vec!["What is the rate by our rules? Put it into the file for it; see first how the code uses it."],
        course,
        summary: "## Goal\nput the rate into rate.txt\n\n## Open\n- go on",
        wanted: vec![("rate.txt".into(), "rate = 0.175\n".into())],
    }
}

fn read(file: &str) -> Value {
    call("read_file", json!({"file_path": file}))
}

/// Four long files of a language, as they are written by `text`.
fn long(ending: &str, text: impl Fn(usize) -> String) -> (Project, Vec<String>) {
    let mut project = Project::default();
    let names: Vec<String> = (0..6).map(|at| format!("src/part_{at}.{ending}")).collect();
    names.iter().enumerate().for_each(|(at, name)| project.add(name.as_str(), text(at)));
    (project, names)
}

fn reading_long_files() -> Vec<Pair> {
    let kinds: [(&str, &str, Made); 4] = [
        ("python", "py", |at| python(&format!("part{at}"), 70)),
        ("javascript", "js", |at| javascript(&format!("Part{at}"), 70)),
        ("rust", "rs", |at| rust(&format!("part{at}"), 70)),
        ("prose", "md", |at| prose(&format!("Part {at}"), 190)),
    ];
    let pairs = kinds.map(|(name, ending, text)| {
        let (project, names) = long(ending, text);
        let looks = names.iter().map(|name| read(name)).collect();
        Pair { on: "read_lines", session: remembering(name, 32_768, project, looks) }
    });
    pairs.into()
}

fn printing_long_files() -> Vec<Pair> {
    let kinds: [(&str, &str, Made); 2] = [
        ("cat, python", "py", |at| python(&format!("part{at}"), 70)),
        ("cat, javascript", "js", |at| javascript(&format!("Part{at}"), 70)),
    ];
    let pairs = kinds.map(|(name, ending, text)| {
        let (project, names) = long(ending, text);
        let looks = names.iter().map(|name| run(&format!("cat {name}"))).collect();
        Pair { on: "read_lines", session: remembering(name, 32_768, project, looks) }
    });
    pairs.into()
}

fn searching_common_words() -> Vec<Pair> {
    let kinds: [(&str, &str, &[&str], Made); 3] = [
        ("python", "py", &["limit", "total", "item", "return", "number"], |at| python(&format!("part{at}"), 40)),
        ("javascript", "js", &["this", "return", "String", "emit", "undefined"], |at| {
            javascript(&format!("P{at}"), 40)
        }),
        ("rust", "rs", &["limit", "lines", "Option", "insert", "longest"], |at| rust(&format!("part{at}"), 40)),
    ];
    let pairs = kinds.map(|(name, ending, words, text)| {
        let (project, _) = long(ending, text);
        let looks = words.iter().map(|word| search(word)).collect();
        Pair { on: "search_hits", session: remembering(name, 16_384, project, looks) }
    });
    pairs.into()
}

fn running_loud_programs() -> Vec<Pair> {
    let kinds: [(&str, usize); 2] = [("cargo test", 300), ("make check", 500)];
    let pairs = kinds.map(|(name, tests)| {
        let mut project = Project::default();
        project.add("check.sh", cargo_test(tests));
        let looks = (1..6).map(|at| run(&format!("sh check.sh # {at}"))).collect();
        Pair { on: "fold_output", session: remembering(name, 16_384, project, looks) }
    });
    pairs.into()
}

/// The model reads so much, in parts as small as it wishes, that it loses the thread in a prompt of 26,000 tokens.
fn losing_the_thread() -> Vec<Pair> {
    let kinds: [(&str, &str, Made); 3] = [
        ("python", "py", |at| python(&format!("part{at}"), 90)),
        ("javascript", "js", |at| javascript(&format!("Part{at}"), 90)),
        ("rust", "rs", |at| rust(&format!("part{at}"), 110)),
    ];
    let pairs = kinds.map(|(name, ending, text)| {
        let (mut project, names) = long(ending, text);
        project.add("answer.txt", "answer = none\n");
        let part = |at: usize| {
            let (file, offset) = (&names[at % names.len()], 1 + at / names.len() * 220);
            does(call("read_file", json!({"file_path": file, "offset": offset, "limit": 200})))
        };
        let mut course: Vec<Value> = (0..20).map(part).collect();
        let write = |value: &str| edit("answer.txt", "answer = none\n", &format!("answer = {value}\n"));
        course.push(json!({"at_most": 26_000, "say": write("found"), "otherwise": write("lost")}));
        course.push(says("It stands in answer.txt."));
        let session = Session {
            name,
            project,
            window: 131_072,
            says: vec!["Read all of src in parts, and write into answer.txt what you found."],
            course,
            summary: "## Goal\nread src\n\n## Open\n- go on",
            wanted: vec![("answer.txt".into(), "answer = found\n".into())],
        };
        Pair { on: "working_tokens", session }
    });
    pairs.into()
}

/// The window fills, and the model goes on with a call where it is asked for a summary.
fn calling_in_place_of_a_summary() -> Pair {
    let mut project = Project::default();
    for at in 0..30 {
        project.add(format!("part_{at}.txt"), format!("value_{at} = {at}\n"));
    }
    project.add("sum.txt", "sum = none\n");
    let think =
        "I have looked at this file and at those before it, and each of them holds one value that counts. ".repeat(16);
    let step = |at: usize| {
        let arguments = json!({"file_path": format!("part_{at}.txt")});
        json!({"say": [{"text": format!("{at}: {think}")}, {"call": {"name": "read_file", "arguments": arguments}}]})
    };
    let mut course: Vec<Value> = (0..30).map(step).collect();
    course.push(does(edit("sum.txt", "sum = none\n", "sum = 435\n")));
    course.push(says("The sum stands in sum.txt."));
    let session = Session {
        name: "a call in the place of a summary",
        project,
        window: 8_192,
        says: vec!["Add up the values of all parts, and write the sum into sum.txt."],
        course,
        summary: "## Goal\nadd up the values, write sum.txt\n\n## Open\n- the parts that are left",
        wanted: vec![("sum.txt".into(), "sum = 435\n".into())],
    };
    Pair { on: "working_tokens", session }
}

/// The summary says nothing of what was changed, and the model does it once more, unless somebody tells it.
fn forgetting_what_was_done() -> Pair {
    let mut project = Project::default();
    project.add("list.txt", "one\n");
    project.add("other.txt", "red\n");
    for at in 0..9 {
        project.add(format!("part_{at}.txt"), format!("{}\n", prose(&format!("Part {at}"), 9)));
    }
    let add = || edit("list.txt", "one\n", "one\ntwo\n");
    let mut course = vec![does(add())];
    course.extend((0..9).map(|at| {
        does(json!([
            {"text": format!("Part {at}: {}", prose("what I think of it", 8))},
            {"call": {"name": "read_file", "arguments": {"file_path": format!("part_{at}.txt")}}},
        ]))
    }));
    course.push(json!({
        "knows": ["changed so far: list.txt (+1"],
        "say": edit("other.txt", "red\n", "red\nblue\n"),
        "otherwise": add(),
    }));
    course.push(says("Both are as you wanted them."));
    let session = Session {
        name: "what was done",
        project,
        window: 8_192,
        says: vec!["Add two to list.txt, read the parts, and then add blue to other.txt."],
        course,
        summary: "## Goal\nadd two to list.txt, read the parts, add blue to other.txt\n\n## Open\n- all of it",
        wanted: vec![("other.txt".into(), "red\nblue\n".into())],
    };
    Pair { on: "working_tokens", session }
}

fn last(session: &Session, config: &str) -> Cost {
    session.play(config).pop().expect("something was said")
}

fn hold(pairs: Vec<Pair>) {
    for Pair { on, session } in pairs {
        let (without, with) = (last(&session, &only(&[])), last(&session, &only(&[on])));
        let name = session.name;
        assert!(!without.missing.is_empty(), "{on}, {name}: it is solved without, so this shows nothing: {without:?}");
        assert_eq!((&with.missing, with.code), (&Vec::new(), Some(0)), "{on}, {name}: not solved with it: {with:?}");
    }
}

#[test]
fn who_reads_whole_files_still_has_what_it_read_first() {
    hold(reading_long_files());
}

#[test]
fn who_prints_whole_files_still_has_what_it_read_first() {
    hold(printing_long_files());
}

#[test]
fn who_searches_for_common_words_still_has_what_it_read_first() {
    hold(searching_common_words());
}

#[test]
fn who_runs_loud_programs_still_has_what_it_read_first() {
    hold(running_loud_programs());
}

#[test]
fn who_loses_the_thread_in_long_prompts_is_sent_none() {
    hold(losing_the_thread());
}

#[test]
fn who_calls_in_the_place_of_a_summary_gets_on() {
    hold(vec![calling_in_place_of_a_summary()]);
}

#[test]
fn who_forgets_in_a_summary_what_was_done_is_told() {
    hold(vec![forgetting_what_was_done()]);
}

#[test]
fn for_who_looks_narrowly_nothing_is_different() {
    let (project, names) = long("py", |at| python(&format!("part{at}"), 40));
    let looks = vec![
        call("grep_search", json!({"pattern": "def part3_index_1", "path": names[3]})),
        call("read_file", json!({"file_path": names[3], "offset": 20, "limit": 40})),
        run("ls src"),
        read("notes.md"),
    ];
    let session = remembering("strong", 65_536, project, looks);
    let all = ["read_lines", "search_hits", "working_tokens", "fold_output"];
    let [without, with] = [only(&[]), only(&all)].map(|config| last(&session, &config));
    assert_eq!((&without.missing, without.code), (&Vec::new(), Some(0)));
    assert_eq!(with, without, "the same requests, and as many characters in each");
}
