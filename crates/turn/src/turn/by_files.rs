//! A turn of a model that works by files: what its answers become, and what follows when they were carried out. The files are
//! calls like any other; afterwards the project is checked, and what fails goes back to the model a few times.

use crate::Keep;
use crate::parts::Parts;
use crate::turn::check_state::Check;
use crate::turn::checking;
use crate::turn::claims::{Wish, new_files, wants_change};
use crate::turn::file_work::Since;
use crate::turn::gathering::{GATHER, asked_for};
use crate::turn::phase::Next;
use crate::turn::program_calls::is_programs;
use crate::turn::saying::{joins, steer};
use agent_dialects::{FileReader, FilesKnown, Found, Lost, Piece, Wants};
use agent_policy::{Held, Verdict};
use agent_protocol::{NoticeLevel, Outcome, Status, ToolCall, TurnEndReason, TurnEvent};
use serde_json::{Map, Value};

/// How often what failed goes back to the model in one turn.
const ROUNDS: u32 = 2;

/// Parts of paths by which tests are known.
const TESTS: [&str; 6] = ["test_", "_test.", ".test.", ".spec.", "tests/", "test/"];

const SHOWN_ALREADY: &str = "(that file stands above. Answer with each file that has to change: its path on a line of its own, \
    then all of its new text in a fence.)";
const STILL_FAILS: &str = "(your answer holds no file, so the check fails as before. Answer with each file that has to change: its \
    path on a line of its own, then all of its new text in a fence.)";
const LEAVE_TESTS: &str = "(the tests are not changed: mend the code that they test, and answer with its whole file.)";

/// What the reader of the next answer has to know; `None`: the model does not work by files.
pub(crate) fn known(parts: &Parts) -> Option<FilesKnown> {
    let wants = match Wish::of(&parts.turn.counts.asked) {
        Wish::Words => Wants::Words,
        Wish::Work | Wish::Unclear => Wants::Work,
    };
    let shown = parts.conversation.now.shown.clone();
    let words = &parts.turn.counts.asked;
    let is_named = |path: &&String| words.contains(path.rsplit('/').next().unwrap_or(path));
    // A block without a name is the one file that was spoken of.
    let (shown, project) = match shown.iter().filter(is_named).collect::<Vec<_>>()[..] {
        [one] => (vec![one.clone()], shown),
        _ => (shown, Vec::new()),
    };
    parts.server.works_by_files().then(|| FilesKnown {
        shown,
        project,
        barred: crate::conversation::example::EXAMPLE_FILES.map(str::to_owned).to_vec(),
        wants,
    })
}

/// Files in the answer of a model that calls, where a change was asked for and nothing was changed: they are proposed like calls,
/// and always asked about. With the text around them; `None`: there is none, or nobody is there to be asked.
pub(crate) fn in_answer(text: &str, parts: &Parts) -> Option<(String, Vec<Found>)> {
    let counts = &parts.turn.counts;
    let wanted = parts.settings.keep == Keep::Everything
        && counts.done.before.is_empty()
        && !parts.conversation.is_delegating()
        && wants_change(&counts.asked);
    if !wanted || !text.contains("```") {
        return None;
    }
    let known = FilesKnown {
        shown: parts.conversation.now.shown.clone(),
        project: Vec::new(),
        barred: Vec::new(),
        wants: Wants::Work,
    };
    let mut reader = FileReader::new(known);
    let pieces = reader.push(text).into_iter().chain(reader.finish());
    let (mut around, mut found) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Call(call) if matches!(call.name.as_str(), "write_file" | "edit_file") => found.push(call),
            Piece::Text(text) => around.push_str(&text),
            Piece::Call(Found { raw, .. }) | Piece::Lost(Lost { raw, .. }) => around.push_str(&raw),
            Piece::Thinking(_) | Piece::Invented(_) => {}
        }
    }
    found.iter_mut().for_each(name_as_the_tool_does);
    (!found.is_empty()).then_some((around, found))
}

/// The tools' own word for the path.
fn name_as_the_tool_does(found: &mut Found) {
    if let Some(path) = found.arguments.shift_remove("path") {
        found.arguments.insert("file_path".to_owned(), path);
    }
}

/// What is found in an answer as it is called: files that are asked for are read like those before the first words. Commands
/// are nobody's where nobody can be asked, and tests that fail are not made to pass by changing them.
pub(crate) fn as_called(found: Vec<Found>, parts: &mut Parts) -> Vec<Found> {
    let mut called = Vec::new();
    for mut found in found {
        name_as_the_tool_does(&mut found);
        match found.name.as_str() {
            "read_file" => {
                let path = found.arguments.get("file_path").and_then(Value::as_str).unwrap_or_default().to_owned();
                if parts.conversation.now.shown.contains(&path) {
                    parts.turn.counts.files.failed_for(SHOWN_ALREADY);
                    continue;
                }
                parts.conversation.now.shown.push(path.clone());
                let arguments = object(asked_for(&path, parts));
                called.push(Found { name: GATHER.to_owned(), arguments, ..found });
            }
            "run_command" if parts.settings.keep == Keep::Nothing => {
                let text = "the answer ends in a command; none of an answer is run without a person";
                parts.out.emit(TurnEvent::Text { text: found.raw });
                parts.out.notice(NoticeLevel::Info, text);
            }
            "write_file" | "edit_file" if changes_the_tests(&found, parts) => {
                let text = "tests that fail are not changed by the answer to their failing";
                parts.out.notice(NoticeLevel::Info, text);
                parts.turn.counts.files.failed_for(LEAVE_TESTS);
            }
            _ => called.push(found),
        }
    }
    called
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// Is it a test that was there, after a check failed?
fn changes_the_tests(found: &Found, parts: &Parts) -> bool {
    let files = &parts.turn.counts.files;
    let path = found.arguments.get("file_path").and_then(Value::as_str).unwrap_or_default();
    matches!(parts.turn.counts.check.last, Check::Failed(_))
        && TESTS.iter().any(|part| path.contains(part))
        && !files.written.iter().any(|written| written == path)
}

/// A call has ended.
pub(crate) fn ended(call: &ToolCall, outcome: &Outcome, parts: &mut Parts) {
    if is_programs(call) {
        return;
    }
    parts.turn.vain.ended(outcome);
    if !parts.server.works_by_files() {
        return;
    }
    let files = &mut parts.turn.counts.files;
    match (call.call.name.as_str(), outcome.status) {
        (_, Status::Refused) => {
            files.since.refused = true;
            files.since.with_word |= !outcome.summary.trim().is_empty();
        }
        (GATHER, _) => files.since.looked = true,
        ("run_command", _) => files.since.ran = true,
        (_, Status::Done) => {
            if outcome.changed.is_empty() {
                let path = call.call.arguments.get("file_path").and_then(Value::as_str).unwrap_or_default();
                files.since.same.push(path.to_owned());
            } else {
                (files.since.wrote, files.told_same) = (true, false);
            }
            files.written.extend(outcome.changed.iter().map(|change| change.shown_path.clone()));
        }
        (_, Status::Exited { .. } | Status::Failed { .. } | Status::Stopped | Status::Unknown) => {
            files.since.failed = true;
        }
    }
}

/// All calls of the answer have ended: what comes next.
pub(crate) fn next(parts: &mut Parts) -> Next {
    let since = std::mem::take(&mut parts.turn.counts.files.since);
    if joins(parts) {
        steer(parts);
        return Next::Ask;
    }
    match since {
        Since { failed: true, .. } => again(parts),
        Since { refused: true, with_word, .. } if !with_word => end(parts),
        Since { refused: true, .. } | Since { looked: true, .. } | Since { ran: true, .. } => Next::Ask,
        Since { wrote: true, .. } if is_lacking(parts) => again(parts),
        Since { wrote: true, .. } if parts.server.levers().check_rounds == 0 || parts.turn.checks.slow => end(parts),
        Since { wrote: true, .. } => checking::begin(&parts.turn.counts.files.written.clone(), parts),
        Since { same, .. } if !same.is_empty() => nothing_new(&same, parts),
        // All that there was in the answer is nobody's to carry out.
        Since { .. } => answered(parts),
    }
}

/// All files of the answer are as they were. A model copies what it sees, its own answer first: that is taken away before it is
/// asked again, once. What it answers with twice it answers with always.
fn nothing_new(same: &[String], parts: &mut Parts) -> Next {
    if std::mem::replace(&mut parts.turn.counts.files.told_same, true) {
        return end(parts);
    }
    let words = same_words(same, &parts.conversation.now.shown);
    parts.turn.counts.files.remind = Some(words.into());
    parts.conversation.now.history.drop_reply();
    show_what_fails(parts)
}

/// What a model is told that answered with files just as they are.
fn same_words(same: &[String], shown: &[String]) -> String {
    let others: Vec<&str> = shown.iter().filter(|path| !same.contains(path)).map(String::as_str).collect();
    let place = match others[..] {
        [] => "Find what has to change".to_owned(),
        _ => format!("What has to change is in {}", others.join(" or ")),
    };
    format!(
        "({} must not stay as it is, or is not the file that has to change: an answer with its text as above changes nothing. \
         {place}; answer with the whole file as it is then.)",
        same.join(", ")
    )
}

/// The model sees nothing to change: where a check fails, it is told how.
fn show_what_fails(parts: &mut Parts) -> Next {
    let files = &mut parts.turn.counts.files;
    let is_checked = !files.written.is_empty() || std::mem::replace(&mut files.checked_same, true);
    if is_checked || parts.server.levers().check_rounds == 0 || parts.turn.checks.slow || files.rounds >= ROUNDS {
        return again(parts);
    }
    checking::begin(&parts.conversation.now.shown.clone(), parts)
}

/// What comes after a check: where it told the model nothing, and something else is to be told, that is.
pub(crate) fn after_check(next: Next, parts: &mut Parts) -> Next {
    match next {
        Next::End(TurnEndReason::Done) if parts.turn.counts.files.remind.is_some() => again(parts),
        Next::Ask => {
            parts.turn.counts.files.remind = None;
            Next::Ask
        }
        other => other,
    }
}

/// Is a file not there yet which was to be made? The model is told so, once.
fn is_lacking(parts: &mut Parts) -> bool {
    let files = &parts.turn.counts.files;
    let there = parts.conversation.now.shown.iter().chain(&files.written);
    let is_there = |name: &String| there.clone().any(|path| path == name || path.ends_with(&format!("/{name}")));
    let lacking = new_files(&parts.turn.counts.asked).into_iter().find(|name| !is_there(name));
    let Some(name) = lacking.filter(|_| !files.told_lacking && files.rounds < ROUNDS) else { return false };
    parts.turn.counts.files.told_lacking = true;
    parts.conversation.remind(&format!(
        "({name} is not there yet, and was asked for. Answer with it: its path on a line of its own, then all of its text in a \
         fence.)"
    ));
    true
}

/// What failed was told: the model answers again, a few times.
fn again(parts: &mut Parts) -> Next {
    let files = &mut parts.turn.counts.files;
    if files.rounds >= ROUNDS {
        return end(parts);
    }
    files.rounds += 1;
    let remind = std::mem::take(&mut files.remind);
    if let Some(words) = remind {
        parts.conversation.remind(&words);
    }
    Next::Ask
}

fn end(parts: &mut Parts) -> Next {
    parts.conversation.now.history.settle();
    Next::End(TurnEndReason::Done)
}

/// The model answered without a file. Where a change was wanted and none was made, it is told so, once.
pub(crate) fn answered(parts: &mut Parts) -> Next {
    let wants = Wish::of(&parts.turn.counts.asked) == Wish::Work;
    let is_failing = matches!(parts.turn.counts.check.last, Check::Failed(_));
    let files = &mut parts.turn.counts.files;
    if is_failing && !files.written.is_empty() && !std::mem::replace(&mut files.told_unchanged, true) {
        files.remind = Some(STILL_FAILS.into());
        return again(parts);
    }
    let unchanged = wants && files.written.is_empty();
    if !unchanged || std::mem::replace(&mut files.told_unchanged, true) {
        return end(parts);
    }
    // One word on it is enough.
    parts.turn.counts.done.say_nothing_more();
    let text = "the answer holds no file, and nothing was changed; the model is told";
    parts.out.notice(NoticeLevel::Info, text);
    parts.conversation.remind(
        "(nothing was changed: your answer holds no whole file. Answer with each file that has to change: its path on a \
         line of its own, then all of its new text in a fence.)",
    );
    Next::Ask
}

/// What a model is told whose answer cannot be used.
pub(crate) fn again_words(told: &str) -> String {
    let told = told.replacen("your call of write_file", "the file in your answer", 1);
    let told =
        told.replacen("could not be read: its form is broken", "has no name, so it is not clear which one it is", 1);
    format!(
        "({told}. Answer with each file that has to change: its path on a line of its own, then all of its new text in a \
         fence.)"
    )
}

/// A command of an answer is asked about whatever the mode and the rules say: every explanation has commands in it.
pub(crate) fn always_asked(call: &ToolCall, verdict: Verdict, parts: &Parts) -> Verdict {
    match verdict {
        Verdict::Allow(permit) if call.call.name == "run_command" && parts.server.works_by_files() => {
            Verdict::Ask(Held::again(permit, "a command in an answer of files is always asked about"))
        }
        Verdict::Allow(permit) if call.origin.is_file_block() && !parts.server.works_by_files() => {
            Verdict::Ask(Held::again(permit, "the model did not call for this: the file stands in its answer"))
        }
        Verdict::Allow(_) | Verdict::Ask(_) | Verdict::Deny(_) | Verdict::Impossible(_) => verdict,
    }
}
