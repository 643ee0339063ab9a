//! What a change left unfinished, found before any check runs: the program imports what is clear, once in a turn, as a change like
//! any other with its question; of the rest the model is told once.

use crate::parts::Parts;
use crate::turn::phase::Next;
use crate::turn::phases::work::Working;
use crate::turn::program_calls::CallOrigin;
use crate::turn::program_calls::check;
use crate::turn::user_message::steer;
use crate::{CallEffect, Keep, Planned};
use agent_protocol::{CallEvent, Failure, NoticeLevel, Outcome, Status};
use serde_json::json;

/// The check found it, before it ran anything.
pub(crate) fn found(working: &Working, failure: &Failure, parts: &mut Parts) -> Next {
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    let check = &mut parts.turn.counts.check;
    check.unfinished = Some(failure.message.clone());
    if std::mem::replace(&mut check.added_imports, true) {
        return tell(parts);
    }
    let given = &working.current.call.arguments;
    let arguments = json!({ "files": given["files"], "before": given["before"] });
    Next::Work(vec![CallOrigin::AddImports.call(arguments, &mut parts.out)])
}

/// What it would add is known.
pub(crate) fn planned(working: &Working, result: &Result<Planned, Failure>, parts: &mut Parts) -> Option<Next> {
    if result.is_err() {
        return Some(not_done(working, parts));
    }
    parts.out.emit(CallEvent::Proposed { call: working.current.clone() });
    None
}

/// Nothing comes of it: the model hears of what was found.
pub(crate) fn not_done(working: &Working, parts: &mut Parts) -> Next {
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    tell(parts)
}

/// It has ended. What is left is looked for again, without the imports where the user rejected them.
pub(crate) fn ended(outcome: &Outcome, parts: &mut Parts) -> Next {
    let check = &mut parts.turn.counts.check;
    match outcome.status {
        Status::Done => {
            let changed: Vec<&str> = outcome.changed.iter().map(|change| change.shown_path.as_str()).collect();
            let line = format!("an import that was missing was added to {}", changed.join(" and "));
            check.imported = Some(line.clone());
            parts.conversation.untold.add(line);
        }
        // Where nobody is there, nobody said no.
        Status::Refused if parts.turn.keep == Keep::Nothing => return tell(parts),
        Status::Refused => check.rejected_imports = true,
        Status::Exited { .. } | Status::Failed { .. } | Status::Stopped | Status::Unknown => return tell(parts),
    }
    check::once_more(&mut parts.turn, &parts.server, &mut parts.out)
}

/// Tells the model, once in a turn.
fn tell(parts: &mut Parts) -> Next {
    let check = &mut parts.turn.counts.check;
    check.told_unfinished = true;
    let Some(found) = check.unfinished.take() else {
        return check::once_more(&mut parts.turn, &parts.server, &mut parts.out);
    };
    parts.out.notice(NoticeLevel::Info, "the change is not finished; the model is told");
    parts.conversation.remind(&format!(
        "(your change is not finished:\n{found}\nFinish it now. If something of this is meant to be so, say why.)"
    ));
    steer(parts);
    Next::Ask
}
