//! What stands under a call: what it would do, what it does, and what came of it.

use crate::words::{content, fenced, foreign, foreign_name};
use agent_protocol::sanitize::hidden_in;
use agent_protocol::{Action, CommandPart, FileDiff, Outcome, PreviewBody, Question, Subject};
use serde_json::{Value, json};

/// Bytes of output that an editor gets of a command that runs: the end of it.
pub(crate) const MOST_OUTPUT: usize = 16 << 10;

/// What a call would do, whole: what an editor asks about must be all there is.
pub(crate) fn preview(body: &PreviewBody) -> Vec<Value> {
    match body {
        PreviewBody::Plain => Vec::new(),
        PreviewBody::Diff { files } => diffs(files),
        PreviewBody::Command { command, cwd, timeout_secs, profile, cover: _, files, note, background } => {
            let until =
                if *background { "until it is stopped".into() } else { format!("for at most {timeout_secs} s") };
            let place = format!("in {}, {}, {until}", foreign_name(&cwd.to_string_lossy()), profile.words());
            let note = note.as_ref().map_or(String::new(), |note| format!("\n\n{}", foreign_name(note)));
            let mut all = vec![content(&format!("{}\n\n{place}{note}", fenced(command, "sh")))];
            all.extend(diffs(files));
            all
        }
        PreviewBody::Fetch { url, sends } if sends.is_empty() => vec![content(&fenced(url, ""))],
        PreviewBody::Fetch { url, sends } => {
            vec![content(&format!("{}\n\nis sent to\n\n{}", fenced(sends, ""), fenced(url, "")))]
        }
        PreviewBody::Call { server, tool, arguments, description } => {
            let named = format!("{} of {}", foreign_name(tool), foreign_name(server));
            vec![content(&format!("{named}\n\n{}\n\n{}", fenced(arguments, "json"), foreign(description)))]
        }
        PreviewBody::Task { agent, prompt } => {
            vec![content(&format!("{}:\n\n{}", foreign_name(agent), foreign(prompt)))]
        }
        PreviewBody::Plan { text } => vec![content(&foreign(text))],
        PreviewBody::Choices { question, .. } => vec![content(&foreign(question))],
    }
}

/// Every file with its text before and after.
pub(crate) fn diffs(files: &[FileDiff]) -> Vec<Value> {
    let notes = files.iter().flat_map(|file| {
        let hidden = file.after.as_deref().and_then(hidden_in).map(|hidden| format!("**Warning:** {hidden}"));
        let note = file.note.as_deref().map(foreign_name);
        note.into_iter().chain(hidden).map(|note| format!("{}: {note}", foreign_name(&file.shown_path)))
    });
    let notes: Vec<String> = notes.collect();
    let all = files.iter().map(|file| {
        let after = file.after.as_deref().unwrap_or_default();
        json!({"type": "diff", "path": file.path.display().to_string(), "oldText": file.before, "newText": after})
    });
    all.chain((!notes.is_empty()).then(|| content(&notes.join("\n\n")))).collect()
}

/// All that a person should see before they answer: what is dangerous, why it is asked, and the thing itself.
pub(crate) fn question(question: &Question) -> Vec<Value> {
    let hidden = hidden_in(&question.foreign_texts().join("\n"));
    let warnings = question.warnings.iter().chain(&hidden);
    let mut words: Vec<String> = warnings.map(|warning| format!("**Warning:** {}", foreign_name(warning))).collect();
    words.push(foreign_name(&question.why));
    words.extend(found(&question.subject));
    words.retain(|word| !word.trim().is_empty());
    let mut all = preview(&question.preview.body);
    if let Subject::Action { action: Action::Run { input: Some(input), .. } } = &question.subject {
        all.push(content(&format!("and gives it to read:\n{}", fenced(input, ""))));
    }
    let parts: Vec<String> = question.parts.iter().map(part).collect();
    if parts.len() > 1 {
        all.push(content(&format!("read as:\n{}", parts.join("\n"))));
    }
    if !words.is_empty() {
        // Some editors show a difference only where it comes first; above a command the words are read before it.
        let at = if matches!(question.preview.body, PreviewBody::Diff { .. }) { all.len() } else { 0 };
        all.insert(at, content(&words.join("\n\n")));
    }
    all
}

/// What was found, where a folder is to be trusted; what a host is reached for.
fn found(subject: &Subject) -> Vec<String> {
    match subject {
        Subject::Trust { found, .. } => found
            .iter()
            .map(|finding| format!("- {}: {}", foreign_name(&finding.name), foreign_name(&finding.what)))
            .collect(),
        Subject::Reach { command, hosts, .. } => {
            let hosts: Vec<String> = hosts.iter().map(|host| foreign_name(&host.to_string())).collect();
            vec![format!("{}\n\nwould reach {}", fenced(command, "sh"), hosts.join(", "))]
        }
        Subject::Again { failing, files } => {
            let files: Vec<String> = files.iter().map(|file| foreign_name(file)).collect();
            vec![format!("the check fails:\n\n{}", fenced(failing, "")), format!("these go back: {}", files.join(", "))]
        }
        Subject::Action { .. }
        | Subject::Steps { .. }
        | Subject::Repeat { .. }
        | Subject::Stuck { .. }
        | Subject::Shorten { .. }
        | Subject::Folder { .. }
        | Subject::Cloud { .. } => Vec::new(),
    }
}

/// One program with its words, decoded. One that is not proved to only read stands out.
fn part(part: &CommandPart) -> String {
    let words = foreign_name(&part.words.join(" "));
    match &part.why_not {
        Some(why) => format!("- **{words}** ({})", foreign_name(why)),
        None => format!("- {words}"),
    }
}

/// How a call ended, for people.
pub(crate) fn outcome(outcome: &Outcome, runs_program: bool) -> Value {
    let detail = outcome.detail.trim_end();
    content(&match (detail.is_empty(), runs_program) {
        (true, _) => foreign_name(&outcome.summary),
        (false, true) => format!("{}\n\n{}", fenced(detail, ""), foreign_name(&outcome.summary)),
        (false, false) if detail == outcome.summary => foreign_name(&outcome.summary),
        (false, false) => format!("{}\n\n{}", foreign_name(&outcome.summary), fenced(detail, "")),
    })
}

/// What a command has put out so far, as far as it is shown.
pub(crate) fn output(text: &str) -> Value {
    let start = text.ceil_char_boundary(text.len().saturating_sub(MOST_OUTPUT));
    content(&fenced(&text[start..], ""))
}
