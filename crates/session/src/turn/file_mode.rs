//! A turn of a model that works by files: what its answers become, and what follows when they were carried out. The files are
//! calls like any other; afterwards the project is checked, and what fails goes back to the model a few times.

use crate::Keep;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::file_work::{Since, is_test};
use crate::turn::guards::claims::{Wish, consents, is_remark, may_change_tests, new_files, wants_change};
use crate::turn::phase::Next;
use crate::turn::program_calls::CallOrigin;
use crate::turn::program_calls::check;
use crate::turn::program_calls::check_state::Check;
use crate::turn::program_calls::context_files::asked_for;
use crate::turn::state::Turn;
use crate::turn::user_message::{joins, steer};
use agent_dialects::{FileReader, FilesKnown, Found, Lost, Piece, Wants};
use agent_policy::{Held, Verdict};
use agent_protocol::{
    FailureKind, Message, NoticeLevel, Outcome, PartOrigin, Role, Status, ToolCall, TurnEndReason, TurnEvent,
};
use serde_json::{Map, Value};

/// How often what failed goes back to the model in one turn.
const ROUNDS: u32 = 2;

const SHOWN_ALREADY: &str = "(that file stands above. Answer with each file that has to change: its path on a line of its own, \
    then all of its new text in a fence.)";
const STILL_FAILS: &str = "(your answer holds no file, so the check fails as before. Answer with each file that has to change: its \
    path on a line of its own, then all of its new text in a fence.)";
const LEAVE_TESTS: &str = "(the tests are not changed: mend the code that they test, and answer with its whole file.)";

/// What the words of the turn want. A yes wants what the model asked before it, and nothing where it asked nothing.
fn wish(turn: &Turn, conversation: &Conversation) -> Wish {
    let asked = &turn.counts.asked;
    match Wish::from_text(asked) {
        Wish::Work if consents(asked) && !model_asked(conversation) => Wish::Unclear,
        wish => wish,
    }
}

/// Did the model ask something right before the user's last words?
fn model_asked(conversation: &Conversation) -> bool {
    let by_user = |message: &&Message| message.parts().iter().any(|part| part.origin == PartOrigin::Person);
    let mut before = conversation.messages().iter().rev().skip_while(|message| !by_user(message)).skip(1);
    let said = before.find(|message| message.role == Role::Assistant);
    said.is_some_and(|said| said.content.trim_end().ends_with('?'))
}

/// May files in the answer become changes? Not where the words ask for none. Where nobody can tell, the user can be asked; where
/// nobody is there to be asked, a mere remark changes nothing.
fn may_change(turn: &Turn, conversation: &Conversation) -> bool {
    match wish(turn, conversation) {
        Wish::Work => true,
        Wish::Unclear => turn.keep == Keep::Everything || !is_remark(&turn.counts.asked),
        Wish::Words | Wish::Nothing => false,
    }
}

/// What the reader of the next answer has to know; `None`: the model does not work by files.
pub(crate) fn reader_context(turn: &Turn, conversation: &Conversation, server: &Server) -> Option<FilesKnown> {
    let wants = if may_change(turn, conversation) { Wants::Work } else { Wants::Words };
    let shown = conversation.now.shown.clone();
    let words = &turn.counts.asked;
    let is_named = |path: &&String| is_spoken_of(path, words);
    // A block without a name is the one file that was spoken of.
    let (shown, project) = match shown.iter().filter(is_named).collect::<Vec<_>>()[..] {
        [one] => (vec![one.clone()], shown),
        _ => (shown, Vec::new()),
    };
    server.works_by_files().then(|| FilesKnown {
        shown,
        project,
        barred: crate::conversation::example::EXAMPLE_FILES.map(str::to_owned).to_vec(),
        wants,
    })
}

/// Files in the answer of a model that calls, where a change was asked for and nothing was changed: they are proposed like calls,
/// and always asked about. With the text around them; `None`: there is none, or nobody is there to be asked.
pub(crate) fn in_answer(
    text: &str,
    turn: &Turn,
    conversation: &Conversation,
    server: &Server,
) -> Option<(String, Vec<Found>)> {
    let counts = &turn.counts;
    let wanted = turn.keep == Keep::Everything
        && server.levers().unmade_changes
        && counts.done.before.is_empty()
        && !conversation.is_delegating()
        && wants_change(&counts.asked);
    if !wanted || !text.contains("```") {
        return None;
    }
    let known = FilesKnown {
        shown: conversation.now.shown.clone(),
        project: Vec::new(),
        barred: Vec::new(),
        wants: Wants::Work,
    };
    let (around, found) = files_in(text, known);
    (!found.is_empty()).then_some((around, found))
}

/// The files that stand in a text, and the text around them.
fn files_in(text: &str, known: FilesKnown) -> (String, Vec<Found>) {
    let mut reader = FileReader::new(known);
    let pieces = reader.push(text).into_iter().chain(reader.finish());
    let (mut around, mut found) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Call(call) if matches!(call.name.as_str(), "write_file" | "edit_file") => found.push(call),
            Piece::Text(text) => around.push_str(&text),
            Piece::Call(Found { raw, .. }) | Piece::Lost(Lost { raw, .. }) => around.push_str(&raw),
            Piece::Thinking(_) | Piece::Invented(_) | Piece::WasThinking(_) => {}
        }
    }
    found.iter_mut().for_each(name_as_the_tool_does);
    (around, found)
}

/// Files in an answer to words that ask for no change, or may ask for none, stay text; the user is told so.
fn say_not_written(turn: &Turn, conversation: &Conversation, server: &Server, out: &mut Out) {
    let Some(known) = reader_context(turn, conversation, server).filter(|known| known.wants == Wants::Words) else {
        return;
    };
    let Some(answer) = conversation.messages().last().filter(|last| last.role == Role::Assistant) else { return };
    let (_, found) = files_in(&answer.content, FilesKnown { wants: Wants::Work, ..known });
    let paths: Vec<&str> = found.iter().filter_map(|found| found.arguments.get("file_path")?.as_str()).collect();
    if !paths.is_empty() {
        let why = match wish(turn, conversation) {
            Wish::Unclear => " (it is unclear whether you want a change)",
            Wish::Words | Wish::Nothing | Wish::Work => "; your message asks for no change",
        };
        out.notice(NoticeLevel::Info, format!("not written: {}{why}", paths.join(", ")));
    }
}

/// The tools' own word for the path.
fn name_as_the_tool_does(found: &mut Found) {
    if let Some(path) = found.arguments.shift_remove("path") {
        found.arguments.insert("file_path".to_owned(), path);
    }
}

/// What is found in an answer as it is called: files that are asked for are read like those before the first words. Commands
/// are nobody's where nobody can be asked, and tests that fail are not made to pass by changing them.
pub(crate) fn as_called(
    found: Vec<Found>,
    turn: &mut Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Vec<Found> {
    if is_beside_the_point(&found, turn, conversation, out) {
        return Vec::new();
    }
    let mut called = Vec::new();
    for mut found in found {
        name_as_the_tool_does(&mut found);
        match found.name.as_str() {
            "read_file" => {
                let path = found.arguments.get("file_path").and_then(Value::as_str).unwrap_or_default().to_owned();
                if conversation.now.shown.contains(&path) {
                    turn.counts.files.useless_for(SHOWN_ALREADY);
                    continue;
                }
                conversation.now.shown.push(path.clone());
                let arguments = object(asked_for(&path, conversation, server));
                called.push(Found { name: CallOrigin::ContextFiles.tool().to_owned(), arguments, ..found });
            }
            "run_command" if turn.keep == Keep::Nothing => {
                let text = "the answer ends in a command; none of an answer is run without a person";
                out.emit(TurnEvent::Text { text: found.raw });
                out.notice(NoticeLevel::Info, text);
            }
            "write_file" | "edit_file" if changes_the_tests(&found, turn) => {
                let text = "tests that fail are not changed by the answer to their failing";
                out.notice(NoticeLevel::Info, text);
                turn.counts.files.failed_for(LEAVE_TESTS);
            }
            _ => called.push(found),
        }
    }
    called
}

/// A file was to be made, and the answer only changes others, of which nobody spoke: the model is told so once, and they stay.
fn is_beside_the_point(found: &[Found], turn: &mut Turn, conversation: &Conversation, out: &mut Out) -> bool {
    let path = |found: &Found| {
        let path = found.arguments.get("path").or(found.arguments.get("file_path")).and_then(Value::as_str);
        path.unwrap_or_default().to_owned()
    };
    let paths: Vec<String> = found.iter().filter(|found| found.name != "read_file").map(path).collect();
    let asked = &turn.counts.asked;
    let is_other = |path: &String| conversation.now.shown.contains(path) && !is_spoken_of(path, asked);
    if paths.is_empty() || !paths.iter().all(is_other) {
        return false;
    }
    let Some(name) = lacking(turn, conversation) else { return false };
    let files = &mut turn.counts.files;
    files.told_lacking = true;
    files.useless_for(format!(
        "({name} was asked for, and is not there yet. Answer with {name}: its path on a line of its own, then all of its text in \
         a fence.)"
    ));
    let text = format!("the answer changes {}, and {name} was asked for; the model is told", paths.join(", "));
    out.notice(NoticeLevel::Info, text);
    true
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// Do the words name this file?
fn is_spoken_of(path: &str, words: &str) -> bool {
    words.contains(path.rsplit('/').next().unwrap_or(path))
}

/// Is it a test that was there, after a check failed?
fn changes_the_tests(found: &Found, turn: &Turn) -> bool {
    let files = &turn.counts.files;
    let path = found.arguments.get("file_path").and_then(Value::as_str).unwrap_or_default();
    turn.counts.check.is_about_failures()
        && !may_change_tests(&turn.counts.asked)
        && is_test(path)
        && !files.written.iter().any(|written| written == path)
}

pub(crate) fn ended(call: &ToolCall, outcome: &Outcome, turn: &mut Turn, conversation: &Conversation, server: &Server) {
    if !CallOrigin::from_call(call).is_by_model() {
        return;
    }
    turn.fruitless.ended(outcome);
    if !server.works_by_files() {
        return;
    }
    let files = &mut turn.counts.files;
    match (call.call.name.as_str(), outcome.status) {
        (_, Status::Refused) => {
            files.since.refused = true;
            // Where nobody is there, the words are no advice that another answer could follow.
            files.since.with_word |= turn.keep == Keep::Everything && !outcome.summary.trim().is_empty();
        }
        (name, _) if name == CallOrigin::ContextFiles.tool() => files.since.looked = true,
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
        // It is no text for this file, which stands above as it is: that need not be told once more.
        ("write_file", Status::Failed { kind: FailureKind::InvalidArguments }) if is_shown(call, conversation) => {
            let told = outcome.told.lines().next().unwrap_or_default();
            let words = format!("({})", told.strip_prefix("error: ").unwrap_or(told));
            turn.counts.files.useless_for(words);
        }
        (_, Status::Exited { .. } | Status::Failed { .. } | Status::Stopped | Status::Unknown) => {
            turn.counts.files.since.failed = true;
        }
    }
}

/// Was the model shown the file that the call writes?
fn is_shown(call: &ToolCall, conversation: &Conversation) -> bool {
    let path = call.call.arguments.get("file_path").and_then(Value::as_str);
    path.is_some_and(|path| conversation.now.shown.iter().any(|shown| shown == path))
}

/// All calls of the answer have ended: what comes next.
pub(crate) fn next(parts: &mut Parts) -> Next {
    let since = std::mem::take(&mut parts.turn.counts.files.since);
    if joins(&parts.turn, &parts.conversation) {
        steer(parts);
        return Next::Ask;
    }
    match since {
        Since { failed: true, wrote: false, useless: true, .. } => {
            parts.conversation.now.history.drop_reply();
            again(&mut parts.turn, &mut parts.conversation)
        }
        Since { failed: true, .. } => again(&mut parts.turn, &mut parts.conversation),
        Since { refused: true, with_word, .. } if !with_word => end(&mut parts.conversation),
        Since { refused: true, .. } | Since { looked: true, .. } | Since { ran: true, .. } => Next::Ask,
        Since { wrote: true, .. } if is_lacking(&mut parts.turn, &mut parts.conversation) => {
            again(&mut parts.turn, &mut parts.conversation)
        }
        Since { wrote: true, .. } => check(&mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out),
        Since { same, .. } if !same.is_empty() => {
            nothing_new(&same, &mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out)
        }
        // All that there was in the answer is nobody's to carry out.
        Since { .. } => answered(&mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out),
    }
}

/// What was written is checked, where checks are wanted.
fn check(turn: &mut Turn, conversation: &mut Conversation, server: &Server, out: &mut Out) -> Next {
    if server.levers().check_rounds == 0 || turn.checks.slow {
        return end(conversation);
    }
    check::begin(&turn.counts.files.written.clone(), turn, server, out)
}

/// All files of the answer are as they were. A model copies what it sees, its own answer first: that is taken away before it is
/// asked again, once. What it answers with twice it answers with always.
fn nothing_new(
    same: &[String],
    turn: &mut Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Next {
    if std::mem::replace(&mut turn.counts.files.told_same, true) {
        return end(conversation);
    }
    // Where the words name this very file, or something was changed already, another file is seldom the answer.
    let asked = &turn.counts.asked;
    let is_named = same.iter().any(|path| is_spoken_of(path, asked));
    let is_elsewhere = !is_named && turn.counts.files.written.is_empty();
    let others = if is_elsewhere { &conversation.now.shown[..] } else { &[] };
    let words = same_words(same, others);
    turn.counts.files.remind = Some(words.into());
    conversation.now.history.drop_reply();
    show_what_fails(turn, conversation, server, out)
}

/// What a model is told that answered with files just as they are.
fn same_words(same: &[String], shown: &[String]) -> String {
    let others = shown.iter().filter(|path| !same.contains(path) && !is_test(path));
    let others: Vec<&str> = others.map(String::as_str).collect();
    let place = match others[..] {
        [] => "Find what has to change".to_owned(),
        _ => format!("What has to change is in {}", others.join(" or ")),
    };
    format!(
        "(an answer with {} as above changes nothing. {place}: say in one sentence what is wrong there, then answer with its path on \
         a line of its own and, in a fence, only the function or part that changes, complete and with the change.)",
        same.join(", ")
    )
}

/// The model sees nothing to change: where a check fails, it is told how.
fn show_what_fails(turn: &mut Turn, conversation: &mut Conversation, server: &Server, out: &mut Out) -> Next {
    let files = &mut turn.counts.files;
    let is_checked = !files.written.is_empty() || std::mem::replace(&mut files.checked_same, true);
    if is_checked || server.levers().check_rounds == 0 || turn.checks.slow || files.rounds >= ROUNDS {
        return again(turn, conversation);
    }
    check::begin(&conversation.now.shown.clone(), turn, server, out)
}

/// What comes after a check: where it told the model nothing, and something else is to be told, that is.
pub(crate) fn after_check(next: Next, turn: &mut Turn, conversation: &mut Conversation) -> Next {
    match next {
        Next::End(TurnEndReason::Done) if turn.counts.files.remind.is_some() => again(turn, conversation),
        Next::Ask => {
            turn.counts.files.remind = None;
            Next::Ask
        }
        other => other,
    }
}

/// Is a file not there yet which was to be made? The model is told so, once.
fn is_lacking(turn: &mut Turn, conversation: &mut Conversation) -> bool {
    let Some(name) = lacking(turn, conversation) else { return false };
    turn.counts.files.told_lacking = true;
    conversation.remind(&format!(
        "({name} is not there yet, and was asked for. Answer with it: its path on a line of its own, then all of its text in a \
         fence.)"
    ));
    true
}

/// A file that was to be made and is not there, where the model was not told so yet.
fn lacking(turn: &Turn, conversation: &Conversation) -> Option<String> {
    let files = &turn.counts.files;
    let there = conversation.now.shown.iter().chain(&files.written);
    let is_there = |name: &String| there.clone().any(|path| path == name || path.ends_with(&format!("/{name}")));
    let lacking = new_files(&turn.counts.asked).into_iter().find(|name| !is_there(name));
    lacking.filter(|_| !files.told_lacking && files.rounds < ROUNDS)
}

/// What failed was told: the model answers again, a few times.
fn again(turn: &mut Turn, conversation: &mut Conversation) -> Next {
    let files = &mut turn.counts.files;
    if files.rounds >= ROUNDS {
        return end(conversation);
    }
    files.rounds += 1;
    let remind = std::mem::take(&mut files.remind);
    if let Some(words) = remind {
        conversation.remind(&words);
    }
    Next::Ask
}

fn end(conversation: &mut Conversation) -> Next {
    conversation.now.history.settle();
    Next::End(TurnEndReason::Done)
}

/// The model answered without a file. Where a change was wanted and none was made, it is told so, once.
pub(crate) fn answered(turn: &mut Turn, conversation: &mut Conversation, server: &Server, out: &mut Out) -> Next {
    say_not_written(turn, conversation, server, out);
    let wants = wish(turn, conversation) == Wish::Work;
    let is_failing = matches!(turn.counts.check.last, Check::Failed(_));
    let files = &mut turn.counts.files;
    if is_failing && !files.written.is_empty() && !std::mem::replace(&mut files.told_unchanged, true) {
        files.remind = Some(STILL_FAILS.into());
        return again(turn, conversation);
    }
    let unchanged = wants && files.written.is_empty();
    if !files.written.is_empty() && turn.counts.done.unchecked {
        return check(turn, conversation, server, out);
    }
    let files = &mut turn.counts.files;
    if !unchanged || std::mem::replace(&mut files.told_unchanged, true) {
        return end(conversation);
    }
    // One word on it is enough.
    turn.counts.done.say_nothing_more();
    let text = "the answer holds no file, and nothing was changed; the model is told";
    out.notice(NoticeLevel::Info, text);
    conversation.now.history.drop_reply();
    conversation.remind(
        "(This asks for a change, and an answer without a file changes nothing. Answer with each file that has to change: its \
         path on a line of its own, then all of its new text in a fence.)",
    );
    Next::Ask
}

/// What a model is told whose answer cannot be used: it is asked for the same once more.
pub(crate) fn again_words(told: &str, turn: &Turn, conversation: &Conversation) -> String {
    if !may_change(turn, conversation) {
        return format!("({told}. Answer again, in a sentence or two, without a file.)");
    }
    let told = told.replacen("your call of write_file", "the file in your answer", 1);
    let told =
        told.replacen("could not be read: its form is broken", "has no name, so it is not clear which one it is", 1);
    let or = if wish(turn, conversation) == Wish::Unclear { "in words, or " } else { "" };
    format!(
        "({told}. Answer {or}with each file that has to change: its path on a line of its own, then all of its new text in a \
         fence.)"
    )
}

/// A command of an answer is asked about whatever the mode and the rules say: every explanation has commands in it. So is a file
/// where it is not clear whether a change is wanted.
pub(crate) fn always_asked(
    call: &ToolCall,
    verdict: Verdict,
    turn: &Turn,
    conversation: &Conversation,
    server: &Server,
) -> Verdict {
    match verdict {
        Verdict::Allow(permit) if call.call.name == "run_command" && server.works_by_files() => {
            Verdict::Ask(Held::again(permit, "a command in an answer of files is always asked about"))
        }
        Verdict::Allow(permit) if is_unclear(call, turn, conversation, server) => {
            Verdict::Ask(Held::again(permit, "it is not clear whether your message asks for a change"))
        }
        Verdict::Allow(permit) if call.origin.is_file_block() && !server.works_by_files() => {
            Verdict::Ask(Held::again(permit, "the model did not call for this: the file stands in its answer"))
        }
        Verdict::Allow(_) | Verdict::Ask(_) | Verdict::Deny(_) | Verdict::Impossible(_) => verdict,
    }
}

/// Is it a change by files of which nobody can tell whether it is wanted, and is someone there to be asked?
fn is_unclear(call: &ToolCall, turn: &Turn, conversation: &Conversation, server: &Server) -> bool {
    let is_asked = server.works_by_files() && turn.keep == Keep::Everything;
    is_asked
        && matches!(call.call.name.as_str(), "write_file" | "edit_file")
        && wish(turn, conversation) == Wish::Unclear
}
