//! A turn of a model that works by files: what its answers become, and what follows when they were carried out. The files are
//! calls like any other; afterwards the project is checked, and what fails goes back to the model a few times.

use crate::parts::Parts;
use crate::turn::claims::{Wish, wants_change};
use crate::turn::file_work::{Check, Since};
use crate::turn::gathering::{GATHER, asked_for, is_programs, program_call};
use crate::turn::phase::Next;
use crate::turn::saying::steer;
use crate::turn::work::Working;
use crate::{CallEffect, Keep, Planned};
use agent_context::squeeze;
use agent_dialects::{FileReader, FilesKnown, Found, Lost, Piece, Wants};
use agent_policy::{Held, Verdict};
use agent_protocol::{
    CallEvent, Failure, FailureKind, NoticeLevel, Outcome, Status, ToolCall, TurnEndReason, TurnEvent,
};
use serde_json::{Map, Value, json};

/// The call that checks what was changed.
const CHECK: &str = "check_project";

/// How often what failed goes back to the model in one turn.
const ROUNDS: u32 = 2;

/// Bytes of what a check said that go back.
const MOST_TOLD: usize = 2_400;

/// Parts of paths by which tests are known.
const TESTS: [&str; 6] = ["test_", "_test.", ".test.", ".spec.", "tests/", "test/"];

const SHOWN_ALREADY: &str = "(that file stands above. Answer with each file that has to change: its path on a line of its own, \
    then all of its new text in a fence.)";
const SAME: &str = "(the text in your answer is exactly what the file holds, so nothing was changed. Find what has to change, and \
    answer with the whole file as it is then.)";
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
        barred: crate::conversation::request::EXAMPLE_FILES.map(str::to_owned).to_vec(),
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
    matches!(files.check, Check::Failed(_))
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
            files.since.wrote |= !outcome.changed.is_empty();
            files.since.same |= outcome.changed.is_empty();
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
    if !parts.turn.queue.is_empty() {
        steer(parts);
        return Next::Ask;
    }
    match since {
        Since { failed: true, .. } => again(parts),
        Since { refused: true, with_word, .. } if !with_word => end(parts),
        Since { refused: true, .. } | Since { looked: true, .. } | Since { ran: true, .. } => Next::Ask,
        Since { wrote: true, .. } => check(parts),
        Since { same: true, .. } => {
            parts.turn.counts.files.remind = Some(SAME);
            again(parts)
        }
        // All that there was in the answer is nobody's to carry out.
        Since { .. } => answered(parts),
    }
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
        parts.conversation.remind(words);
    }
    Next::Ask
}

fn end(parts: &mut Parts) -> Next {
    parts.conversation.now.history.settle();
    Next::End(TurnEndReason::Done)
}

/// The changes are checked.
fn check(parts: &mut Parts) -> Next {
    let files = parts.turn.counts.files.written.clone();
    let arguments = match &parts.settings.check {
        Some(command) => json!({ "files": files, "command": command }),
        None => json!({ "files": files }),
    };
    Next::Work(vec![program_call(CHECK, arguments, parts)])
}

/// Is it the check?
pub(crate) fn is_check(call: &ToolCall) -> bool {
    call.call.name == CHECK && is_programs(call)
}

/// The check has ended; what failed goes back to the model.
pub(crate) fn checked(outcome: &Outcome, parts: &mut Parts) -> Next {
    let files = &mut parts.turn.counts.files;
    let failed = match outcome.status {
        Status::Done | Status::Exited { code: Some(0) } => {
            files.check = Check::Passed;
            return end(parts);
        }
        Status::Failed { kind: FailureKind::NotReady } | Status::Refused | Status::Stopped | Status::Unknown => {
            files.check = Check::None;
            return end(parts);
        }
        Status::Exited { .. } | Status::Failed { .. } => outcome.summary.clone(),
    };
    files.check = Check::Failed(failed);
    if files.rounds < ROUNDS {
        let told = squeeze(outcome.told.clone(), MOST_TOLD);
        parts.conversation.remind(&format!(
            "(the check fails after this change:\n{told}\nMend the cause and answer with the whole changed files again. \
             Leave the tests as they are.)"
        ));
    }
    again(parts)
}

/// The model answered without a file. Where a change was wanted and none was made, it is told so, once.
pub(crate) fn answered(parts: &mut Parts) -> Next {
    let wants = Wish::of(&parts.turn.counts.asked) == Wish::Work;
    let files = &mut parts.turn.counts.files;
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

/// What the check would run is known. Nothing is said where there is none.
pub(crate) fn check_planned(working: &Working, result: &Result<Planned, Failure>, parts: &mut Parts) -> Option<Next> {
    match result {
        Ok(_) => None,
        Err(failure) if failure.kind == FailureKind::NotReady => Some(unchecked(working, parts)),
        Err(_) => {
            parts.out.emit(CallEvent::Proposed { call: working.current.clone() });
            None
        }
    }
}

/// What it would run is judged. Nobody is asked where nobody is there.
pub(crate) fn check_judged(working: &Working, verdict: &Verdict, parts: &mut Parts) -> Option<Next> {
    if matches!(verdict, Verdict::Ask(_)) && parts.settings.keep == Keep::Nothing {
        return Some(unchecked(working, parts));
    }
    parts.out.emit(CallEvent::Proposed { call: working.current.clone() });
    None
}

fn unchecked(working: &Working, parts: &mut Parts) -> Next {
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    parts.turn.counts.files.check = Check::None;
    end(parts)
}
