//! What this front end answers where a user would be asked: No, and how it could have been Yes.
//!
//! Whether anything would have helped says policy, with the question; only then is a flag named, so none is that is in
//! force.

use agent_protocol::{Action, Cause, Host, Mode, Question, SandboxKind, SessionAct, Subject};
use std::path::Path;

/// What is known of the session, as far as it decides how much a flag allows.
#[derive(Debug)]
pub(crate) struct Reach {
    /// Without a sandbox they alone reach no command.
    pub(crate) sandbox: SandboxKind,
    /// In plan mode a flag that changes things is refused.
    pub(crate) mode: Mode,
    /// Where the flags are said.
    pub(crate) front: Front,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    Prompt,
    Server,
}

impl Default for Reach {
    fn default() -> Self {
        Reach { sandbox: SandboxKind::None, mode: Mode::Safe, front: Front::Prompt }
    }
}

/// The word that goes with the No: to the model, and to standard error.
pub(crate) fn word(question: &Question, reach: &Reach) -> Option<String> {
    match &question.subject {
        Subject::Action { action } => Some(about(action, question, reach)),
        Subject::Trust { .. } => {
            Some("nobody is here to trust this folder; `--trust` does, or start agent here once".into())
        }
        Subject::Cloud { model, host } => Some(format!(
            "{model} runs on {host}, and nobody is here to agree that what it is sent leaves this machine; start `agent --model \
             {model}` once and say yes"
        )),
        Subject::Reach { host, hosts, .. } => Some(about_host(host, hosts, question.cause)),
        Subject::Steps { .. }
        | Subject::Repeat { .. }
        | Subject::Stuck { .. }
        | Subject::Again { .. }
        | Subject::Shorten { .. }
        | Subject::Folder { .. } => None,
    }
}

/// Nothing that was allowed counts any more.
const SUSPENDED: &str = "nobody is here to approve this, and no rule or flag counts any more: protected files were changed in \
                         this session; look at them, then start agent again";

/// Ports that a host without one stands for.
const USUAL_PORTS: [u16; 2] = [80, 443];

/// The flag that would have let a command reach `host`, with what its package manager needs besides.
fn about_host(host: &Host, hosts: &[Host], cause: Cause) -> String {
    if cause == Cause::Suspended {
        return SUSPENDED.to_owned();
    }
    let flag = |host: &Host| match USUAL_PORTS.contains(&host.port) {
        true => host.name.clone(),
        false => format!("{}:{}", host.name, host.port),
    };
    let others = hosts.iter().filter(|other| *other != host);
    let names: Vec<String> = std::iter::once(host).chain(others).map(flag).collect();
    format!("nobody is here to let the command reach {host}; `--allow hosts={}` lets it", names.join(","))
}

fn about(action: &Action, question: &Question, reach: &Reach) -> String {
    let why = &question.why;
    let said = match (question.cause, action) {
        (Cause::Suspended, _) => Some(SUSPENDED),
        (Cause::NoSandbox, _) => Some(
            "nobody is here to approve commands, and nothing holds them in on this system; mode = \"off\" under \
             [sandbox] in your config lets them happen",
        ),
        (Cause::NotAllowed, action) => flag(action, reach),
        (Cause::HostNotAllowed, _) => {
            Some("nobody is here to let commands reach the net; `--allow run` with `--allow hosts=any` lets them")
        }
        (Cause::FolderNotAllowed, Action::Run { .. }) => Some(
            "nobody is here to let commands write outside the project; `--allow run` with `--allow write=DIR` lets them write \
             in that folder",
        ),
        (Cause::FolderNotAllowed, _) => return outside(action),
        (Cause::CommitNotAllowed, _) => Some("nobody is here to approve commits; `--allow commit` lets them happen"),
        (Cause::CommandAndCommitNotAllowed, _) => Some(
            "nobody is here to approve this; `--allow run` with `--allow commit` lets commands that commit \
             happen",
        ),
        (Cause::Never | Cause::Always, Action::Session { act }) => session(act),
        (Cause::Never, _) => None,
        (Cause::Always, _) => return last_resort(why, reach),
    };
    let said =
        said.map_or_else(|| format!("nobody is here to approve this, and no flag allows it: {why}"), str::to_owned);
    // After an alarm no flag is advised, for somebody should look first.
    let also = question.cause == Cause::NoSandbox && reach.front == Front::Prompt;
    if also { format!("{said}; {LAST_RESORT} allows it as well") } else { said }
}

/// The flag that is left where no other helps.
const LAST_RESORT: &str = "`--no-sandbox-no-questions` (on a disposable machine only)";

/// What is said where that one alone helps.
fn last_resort(why: &str, reach: &Reach) -> String {
    match (reach.front, reach.mode) {
        (Front::Server, _) => {
            format!("nobody is here to approve this, and `agent mcp` has no flag that allows it: {why}")
        }
        (Front::Prompt, Mode::Plan) => {
            format!("nobody is here to approve this; without plan mode {LAST_RESORT} lets it happen: {why}")
        }
        (Front::Prompt, Mode::Safe | Mode::AcceptEdits | Mode::Unsafe) => {
            format!("nobody is here to approve this; {LAST_RESORT} lets it happen: {why}")
        }
    }
}

/// The flags for the folders in which files are written.
fn outside(action: &Action) -> String {
    let mut folders: Vec<&Path> = action.changes().iter().filter_map(|change| change.path.parent()).collect();
    folders.dedup();
    let flags: Vec<String> = folders.iter().map(|folder| format!("`--allow write={}`", folder.display())).collect();
    let flags = if flags.is_empty() { "`--allow write=DIR`".to_owned() } else { flags.join(" with ") };
    format!("nobody is here to approve writes outside the project; {flags} lets things be written there")
}

/// What only a person can decide or know: the model goes on without.
fn session(act: &SessionAct) -> Option<&'static str> {
    match act {
        SessionAct::Propose { .. } => Some(
            "nobody is here to decide on a plan; write it as your answer, and end with that: whoever reads it can start \
             agent again without plan mode",
        ),
        SessionAct::Inquire { .. } => {
            Some("nobody is here to answer questions; decide by what you know, and say in your answer what you assumed")
        }
        SessionAct::Todo { .. } | SessionAct::Delegate { .. } => None,
    }
}

/// The words that name the flag that is missing.
fn flag(action: &Action, reach: &Reach) -> Option<&'static str> {
    match action {
        Action::Write { .. } => Some("nobody is here to approve writes; `--allow write` lets them happen"),
        Action::Run { .. } => Some(match reach.sandbox {
            SandboxKind::Kernel | SandboxKind::Off | SandboxKind::Disposable => {
                "nobody is here to approve commands; `--allow run` lets them happen"
            }
            SandboxKind::None => {
                "nobody is here to approve commands, and nothing holds them in on this system; `--allow run` lets them \
                 happen only with mode = \"off\" under [sandbox] in your config"
            }
        }),
        Action::Fetch { .. } => {
            Some("nobody is here to approve what leaves this machine; `--allow net` lets it happen")
        }
        Action::Call { .. } => {
            Some("nobody is here to approve calls of other servers' tools; `--allow mcp` lets them happen")
        }
        Action::Read { .. } => {
            Some("nobody is here to approve a look at what may hold secrets; `--unsafe` lets it happen")
        }
        Action::Restore { .. } | Action::Session { .. } => None,
    }
}
