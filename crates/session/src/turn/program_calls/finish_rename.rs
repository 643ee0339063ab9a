//! A name that was to be another everywhere, and a model that works by files: where it changed the definition and left uses of
//! the old name, the program puts the new one in their place, once in a turn. That is a change like any other, with its question.
//!
//! Where nothing tells that all of the places are meant, the model is shown the file with the old name and asked for it.

use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::guards::claims::renaming;
use crate::turn::phase::Next;
use crate::turn::phases::work::Working;
use crate::turn::program_calls::CallOrigin;
use crate::turn::program_calls::check;
use crate::turn::program_calls::check_state::Check;
use crate::turn::state::Turn;
use crate::{CallEffect, Planned};
use agent_protocol::{CallEvent, Failure, FailureKind, Outcome, Status};
use serde_json::json;

/// Has what is left of a name changed, where the check `found` that something is; `None`: it is not about that, or was tried.
pub(crate) fn finish(found: &Outcome, turn: &mut Turn, server: &Server, out: &mut Out) -> Option<Next> {
    let (from, to) = renaming(&turn.counts.asked)?;
    let check = &mut turn.counts.check;
    if !server.works_by_files() || check.finished_rename || !is_about_names(found) {
        return None;
    }
    check.finished_rename = true;
    check.found = Some(found.clone());
    Some(Next::Work(vec![CallOrigin::FinishRename.call(json!({ "from": from, "to": to }), out)]))
}

/// The check found the old name, before it ran anything.
fn is_about_names(found: &Outcome) -> bool {
    found.status == Status::Failed { kind: FailureKind::Syntax } && check::place(&found.told).is_some()
}

/// What it would change is known. Where it would not, the model hears of what the check found.
pub(crate) fn planned(working: &Working, result: &Result<Planned, Failure>, parts: &mut Parts) -> Option<Next> {
    if result.is_err() {
        return Some(not_done(working, parts));
    }
    parts.out.emit(CallEvent::Proposed { call: working.current.clone() });
    None
}

pub(crate) fn not_done(working: &Working, parts: &mut Parts) -> Next {
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    match parts.turn.counts.check.found.take() {
        Some(found) => check::failed(&found, parts),
        None => Next::Ask,
    }
}

/// It has ended: what is changed is checked anew, and a no is the end of it.
pub(crate) fn ended(outcome: &Outcome, parts: &mut Parts) -> Next {
    let found = parts.turn.counts.check.found.take();
    match (outcome.status, found) {
        (Status::Done, _) => {
            let changed: Vec<String> = outcome.changed.iter().map(|change| change.shown_path.clone()).collect();
            if let Some((from, to)) = renaming(&parts.turn.counts.asked) {
                let files = changed.join(" and ");
                parts.conversation.remind(&format!("(what was left of {from} in {files} is {to} now.)"));
            }
            let written = &mut parts.turn.counts.files.written;
            written.extend(changed);
            let written = written.clone();
            check::begin(&written, &mut parts.turn, &parts.server, &mut parts.out)
        }
        (Status::Refused, Some(found)) => {
            check::over(Check::Failed(found.summary), &mut parts.turn, &mut parts.conversation, &parts.server)
        }
        (_, Some(found)) => check::failed(&found, parts),
        (_, None) => Next::Ask,
    }
}
