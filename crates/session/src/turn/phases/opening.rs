//! Questions before the first turn: is this folder meant, is what was found in it trusted, and may the chosen model run on
//! another machine?
//!
//! No turn begins while one stands open. One after the other: nobody trusts a folder that they did not mean.

use crate::parts::Parts;
use crate::server::offer::tell_of_agents;
use crate::turn::cloud;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::questions::{ask_plainly, settle};
use crate::turn::serving::answer_cloud;
use crate::turn::state::{About, Opening};
use crate::{Effect, Memory, Trust};
use agent_protocol::{NoticeLevel, SessionEvent, Settlement, Subject};

/// Asks what has to be asked at the start.
pub(crate) fn open(parts: &mut Parts) {
    if parts.server.settings.doubtful_folder { ask_about_folder(parts) } else { ask_about_trust(parts) }
}

fn ask_about_folder(parts: &mut Parts) {
    let ask = parts.out.next_ask();
    parts.turn.opening = Some(Opening { ask, about: About::Folder });
    let path = parts.conversation.project.clone();
    let title = format!("Work in {}?", path.display());
    let why = "this is hardly a project folder; everything in it could be read. Better start in the folder of a \
               project, or name it with -C";
    ask_plainly(ask, Subject::Folder { path }, title, why.into(), parts);
}

fn ask_about_trust(parts: &mut Parts) {
    let found = match &parts.turn.trust {
        Trust::Settled => return,
        Trust::Ask { found, .. } => found.clone(),
    };
    let ask = parts.out.next_ask();
    parts.turn.opening = Some(Opening { ask, about: About::Trust });
    let path = parts.conversation.project.clone();
    let title = format!("Trust {}?", path.display());
    let why = "nobody has said yet whether this is trusted. Without trust the model is told none of it, and git asks each time";
    ask_plainly(ask, Subject::Trust { path, found }, title, why.into(), parts);
}

/// The user answers a question of the start.
pub(crate) fn answer_opening(phase: Phase, opening: Opening, yes: bool, parts: &mut Parts) -> Next {
    let Opening { ask, about } = opening;
    let (remember, word) = (None, None);
    settle(ask, if yes { Settlement::Yes { remember, word } } else { Settlement::No { word } }, parts);
    match (about, yes) {
        (About::Cloud, yes) => return answer_cloud(phase, yes, parts),
        (About::Folder, false) => {
            parts.out.emit(SessionEvent::Closed);
            return Next::Rest(phase);
        }
        (About::Folder, true) => ask_about_trust(parts),
        (About::Trust, true) => trust(parts),
        (About::Trust, false) => {
            let text = "what was found in this folder is not used in this session; you are asked again next time";
            parts.out.notice(NoticeLevel::Info, text);
        }
    }
    cloud::ask(parts);
    if phase.is_idle() { Next::GoOnOrLoad } else { Next::Rest(phase) }
}

fn trust(parts: &mut Parts) {
    let Parts { turn, conversation, server, records, out } = parts;
    if let Trust::Ask { system, .. } = std::mem::take(&mut turn.trust) {
        conversation.standing = system;
        tell_of_agents(&server.settings.agents, true, &mut server.offer);
        turn.memory.iter_mut().for_each(|file| file.told = !file.text.is_empty());
        conversation.offer_tools(server, records, out);
    }
    turn.policy.trust();
    out.carry_out(Effect::Remember(Memory::Trusted));
}
