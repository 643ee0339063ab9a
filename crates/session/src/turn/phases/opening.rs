//! Questions before the first turn: is this folder meant, is what was found in it trusted, and may the chosen model run on
//! another machine?
//!
//! No turn begins while one stands open. One after the other: nobody trusts a folder that they did not mean.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::server::offer::tell_of_agents;
use crate::turn::cloud;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::questions::{ask_plainly, settle};
use crate::turn::serving::answer_cloud;
use crate::turn::state::Turn;
use crate::turn::state::{About, Opening};
use crate::{Effect, Memory, Trust};
use agent_protocol::{NoticeLevel, SessionEvent, Settlement, Subject};

/// Asks what has to be asked at the start.
pub(crate) fn open(turn: &mut Turn, conversation: &Conversation, server: &Server, out: &mut Out) {
    if server.settings.doubtful_folder {
        ask_about_folder(turn, conversation, out)
    } else {
        ask_about_trust(turn, conversation, out)
    }
}

fn ask_about_folder(turn: &mut Turn, conversation: &Conversation, out: &mut Out) {
    let ask = out.next_ask();
    turn.opening = Some(Opening { ask, about: About::Folder });
    let path = conversation.project.clone();
    let title = format!("Work in {}?", path.display());
    let why = "this is hardly a project folder; everything in it could be read. Better start in the folder of a \
               project, or name it with -C";
    ask_plainly(ask, Subject::Folder { path }, title, why.into(), turn, out);
}

fn ask_about_trust(turn: &mut Turn, conversation: &Conversation, out: &mut Out) {
    let found = match &turn.trust {
        Trust::Settled => return,
        Trust::Ask { found, .. } => found.clone(),
    };
    let ask = out.next_ask();
    turn.opening = Some(Opening { ask, about: About::Trust });
    let path = conversation.project.clone();
    let title = format!("Trust {}?", path.display());
    let why = "nobody has said yet whether this is trusted. Without trust the model is told none of it, and git asks each time";
    ask_plainly(ask, Subject::Trust { path, found }, title, why.into(), turn, out);
}

/// The user answers a question of the start.
pub(crate) fn answer_opening(phase: Phase, opening: Opening, yes: bool, parts: &mut Parts) -> Next {
    let Opening { ask, about } = opening;
    let (remember, word) = (None, None);
    settle(ask, if yes { Settlement::Yes { remember, word } } else { Settlement::No { word } }, &mut parts.out);
    match (about, yes) {
        (About::Cloud, yes) => return answer_cloud(phase, yes, parts),
        (About::Folder, false) => {
            parts.out.emit(SessionEvent::Closed);
            return Next::Rest(phase);
        }
        (About::Folder, true) => ask_about_trust(&mut parts.turn, &parts.conversation, &mut parts.out),
        (About::Trust, true) => trust(parts),
        (About::Trust, false) => {
            let text = "what was found in this folder is not used in this session; you are asked again next time";
            parts.out.notice(NoticeLevel::Info, text);
        }
    }
    cloud::ask(&mut parts.turn, &parts.server, &mut parts.out);
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
