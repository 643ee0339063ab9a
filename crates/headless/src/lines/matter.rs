//! What a question is about, in words: what must be known of it first, and the thing itself.

use crate::command_words::command_words;
use agent_protocol::sanitize::figures::{counted, grouped, limit};
use agent_protocol::sanitize::{FOREIGN, foreign_block, hidden_in};
use agent_protocol::{Cover, CoverScope, Host, Preview, PreviewBody, Question, SandboxKind, Subject};

/// The words of a question, without those of changed files.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// What is always said at once.
    pub(super) head: Vec<String>,
    /// The thing itself, a line each.
    pub(super) body: Vec<String>,
}

pub(super) fn matter(question: &Question, sandbox: SandboxKind) -> Said {
    let mut head = vec![format!("question: {}?", question.preview.title.trim_end_matches('?'))];
    head.extend(question.warnings.iter().map(|warning| format!("warning: {warning}")));
    head.extend(Some(&question.why).filter(|why| !why.is_empty()).map(|why| format!("why: {why}")));
    if !question.hosts.is_empty() {
        head.push(format!("approving lets it reach {}", host_list(&question.hosts)));
    }
    let mut said = Said { head, body: subject(&question.subject) };
    body(question, sandbox, &mut said);
    let hidden = hidden_in(&question.foreign_texts().join("\n"));
    said.head.extend(hidden.map(|hidden| format!("warning: {hidden}")));
    said
}

/// What the question is about, where no preview shows it.
fn subject(subject: &Subject) -> Vec<String> {
    match subject {
        Subject::Trust { path, found } => {
            let found = found.iter().map(|finding| format!("found: {} {}", finding.name, finding.what));
            std::iter::once(format!("folder: {}", path.display())).chain(found).collect()
        }
        Subject::Cloud { model, host } => vec![format!("model: {model}"), format!("machine: {host}")],
        Subject::Folder { path } => vec![format!("folder: {}", path.display())],
        Subject::Reach { host, hosts, command, .. } => {
            let others: Vec<Host> = hosts.iter().filter(|other| *other != host).cloned().collect();
            let also = (!others.is_empty()).then(|| format!("approving covers {} too", host_list(&others)));
            let held = "the command is held until you answer".to_owned();
            let host = format!("host: {host}");
            std::iter::once(host).chain(texts("command", command)).chain(also).chain([held]).collect()
        }
        Subject::Again { failing, files } => {
            let files = files.iter().map(|file| format!("goes back: {file}"));
            texts("it fails", failing).into_iter().chain(files).collect()
        }
        Subject::Shorten { tokens, window } => {
            vec![format!("the conversation has {} tokens, the window {}", grouped(*tokens), grouped(*window))]
        }
        Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => Vec::new(),
    }
}

fn body(question: &Question, sandbox: SandboxKind, said: &mut Said) {
    match &question.preview.body {
        PreviewBody::Plain | PreviewBody::Diff { .. } => {}
        PreviewBody::Command { command, cwd, timeout_secs, profile, cover, note, background, .. } => {
            let until = match background {
                true => "goes on in the background; undo does not cover what it changes".to_owned(),
                false => format!("for at most {}", limit(*timeout_secs)),
            };
            said.head.push(format!("where: in {}, {}, {until}", cwd.display(), profile.words()));
            if sandbox != SandboxKind::Kernel {
                said.head.push("warning: no sandbox holds it in: it can do what you can".into());
            }
            said.head.extend(cover.as_ref().and_then(cover_words));
            said.head.extend(note.iter().flat_map(|note| texts("note", note)));
            said.body.extend(command_words(command, question).iter().flat_map(|(what, text)| texts(what, text)));
        }
        PreviewBody::Fetch { url, sends } => {
            said.body.push(format!("address: {url}"));
            said.body
                .extend(Some(sends).filter(|sends| !sends.is_empty()).into_iter().flat_map(|it| texts("sends", it)));
        }
        PreviewBody::Call { server, tool, arguments, description } => {
            said.head.push(format!("tool: {tool} of {server}"));
            said.body.extend(texts("arguments", arguments));
            said.body.extend(texts("what it is for", description));
        }
        PreviewBody::Task { agent, prompt } => {
            said.head.push(format!("agent: {agent}"));
            said.body.extend(texts("task", prompt));
        }
        PreviewBody::Plan { text } => said.body.extend(texts("plan", text)),
        PreviewBody::Choices { question, choices } => {
            said.body.extend(texts("it asks", question));
            said.body.extend((1..).zip(choices).map(|(number, choice)| format!("answer {number}: {choice}")));
        }
    }
}

/// What of a command undo would not take back.
fn cover_words(cover: &Cover) -> Option<String> {
    let left_out: u64 = cover.left_out.iter().map(|left| left.files).sum();
    match &cover.scope {
        CoverScope::Nothing { why } => Some(format!("warning: undo does not cover what it changes: {why}")),
        CoverScope::Seen { .. } => Some("undo covers only files that were read or written in this session".into()),
        CoverScope::Project if left_out > 0 => Some(format!("undo does not cover {}", counted(left_out, "file"))),
        CoverScope::Project => None,
    }
}

fn host_list(hosts: &[Host]) -> String {
    hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A text behind what it is: on one line, or below it with the mark on each; none where it is empty.
fn texts(what: &str, text: &str) -> Vec<String> {
    let text = text.trim_end();
    if text.is_empty() {
        return Vec::new();
    }
    if !text.contains('\n') {
        return vec![[what, ": ", text].concat()];
    }
    let marked = foreign_block(text, FOREIGN);
    std::iter::once([what, ":"].concat()).chain(marked.lines().map(str::to_owned)).collect()
}

/// The question with nothing but its name: that of the call that waits.
pub(super) fn only_named(question: &Question) -> Question {
    Question {
        id: question.id,
        call: question.call,
        subject: question.subject.clone(),
        preview: Preview { title: question.preview.title.clone(), body: PreviewBody::Plain },
        why: String::new(),
        offers: Vec::new(),
        warnings: Vec::new(),
        parts: Vec::new(),
        cause: question.cause,
        hosts: Vec::new(),
    }
}
