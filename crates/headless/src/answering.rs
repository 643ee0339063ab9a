//! What this face answers where a person would be asked: No, and how it could have been Yes.

use agent_protocol::{Action, EnclosureKind, Profile, Question, SessionAct, Subject};
use std::path::PathBuf;

/// What is known of the session, as far as it decides how much a flag allows.
#[derive(Debug)]
pub(crate) struct Reach {
    /// The flags reach as far as this folder.
    pub(crate) project: PathBuf,
    /// Without a fence they alone reach no command.
    pub(crate) enclosure: EnclosureKind,
}

impl Default for Reach {
    fn default() -> Self {
        Reach { project: PathBuf::new(), enclosure: EnclosureKind::None }
    }
}

/// The word that goes with the No: to the model, and to standard error.
pub(crate) fn word(question: &Question, reach: &Reach) -> Option<String> {
    match &question.subject {
        Subject::Action { action } => Some(match flag(action, question, reach) {
            Some(flag) => flag.to_owned(),
            None => format!("nobody is here to approve this, and no flag allows it: {}", question.why),
        }),
        Subject::Trust { .. } => {
            Some("nobody is here to trust this folder; `--trust` does, or start agent here once".into())
        }
        Subject::Steps { .. }
        | Subject::Repeat { .. }
        | Subject::Stuck { .. }
        | Subject::Shorten { .. }
        | Subject::Folder { .. } => None,
    }
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

/// The words that name a flag, if one would have let it happen. None reaches what is dangerous.
fn flag(action: &Action, question: &Question, reach: &Reach) -> Option<&'static str> {
    let harmless = question.warnings.is_empty();
    match action {
        Action::Write { changes } => changes
            .0
            .iter()
            .all(|change| harmless && change.path.starts_with(&reach.project))
            .then_some("nobody is here to approve writes; `--allow write` (or `--unsafe`) lets them happen"),
        Action::Run { cwd, profile, background, .. } => {
            let ordinary = harmless && *profile <= Profile::Project && cwd.starts_with(&reach.project);
            ordinary.then_some(match reach.enclosure {
                // No lasting yes is offered to what commits, or may.
                EnclosureKind::Kernel | EnclosureKind::Off if question.offers.is_empty() && !background => {
                    "nobody is here to approve this; `--allow run` (or `--unsafe`) lets commands happen, and \
                     `--allow commit` beside it commits"
                }
                EnclosureKind::Kernel | EnclosureKind::Off => {
                    "nobody is here to approve commands; `--allow run` (or `--unsafe`) lets them happen"
                }
                EnclosureKind::None => {
                    "nobody is here to approve commands, and nothing holds them in on this system; `--allow run` lets \
                     them happen only with mode = \"off\" under [sandbox] in your config"
                }
            })
        }
        Action::Fetch { .. } => {
            harmless.then_some("nobody is here to approve what leaves this machine; `--allow net` lets it happen")
        }
        Action::Call { .. } => {
            Some("nobody is here to approve calls of other servers' tools; `--allow mcp` lets them happen")
        }
        Action::Session { act } => session(act),
        Action::Read { .. } | Action::Restore { .. } => None,
    }
}
