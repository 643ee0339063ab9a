//! A reply that cannot be used: ways to get the call nevertheless, one after the other, each once and never silently.
//!
//! The server's own calls come first, then what is read in the text (`received`), then the raw text in a server's error
//! (`raw`). What remains is decided here: the model is told once what went wrong, then it is kept to a schema of the
//! tools once, then the user is asked. A reply that can be used begins the count anew.

use crate::conversation::request::Asked;
use crate::conversation::schema;
use crate::parts::Parts;
use crate::server::Server;
use crate::server::form::billions;
use crate::turn::file_mode;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::guards::unusable_reply::{UnusableReply, again, in_one_object};
use crate::turn::phase::Next;
use crate::turn::program_calls::context_files::before_asking;
use crate::turn::user_message::steer;
use agent_protocol::{NoticeLevel, Stuck};

/// Billions of parameters from which on a model is thought to mend its own calls.
const STRONG: f64 = 5.0;

/// The reply cannot be used: the next way that was not tried yet.
pub(crate) fn rescue(mishap: &UnusableReply, parts: &mut Parts) -> Next {
    let UnusableReply { what, told } = mishap;
    if parts.turn.counts.rescue.told
        && size(&parts.server).is_some_and(|size| size < STRONG)
        && let Some(next) = by_files_from_here(what, parts)
    {
        return next;
    }
    let rescue = &mut parts.turn.counts.rescue;
    if !rescue.told {
        rescue.told = true;
        parts.out.notice(NoticeLevel::Info, format!("{what}; the model is told and asked again"));
        let by_files = parts.server.works_by_files();
        let words = if by_files { file_mode::again_words(told, &parts.turn, &parts.conversation) } else { again(told) };
        parts.conversation.remind(&words);
        steer(parts);
        Next::AskAs(Asked::Told)
    } else if !rescue.constrained && parts.server.offers_tools() {
        rescue.constrained = true;
        let text = format!("{what} again; the model is asked once more, and kept to the form of a call");
        parts.out.notice(NoticeLevel::Info, text);
        let alone = parts.server.measure.holds_alone();
        let tools = if alone { schema::tool_names(parts.server.offer.specs()) } else { String::new() };
        parts.conversation.remind(&in_one_object(told, &tools));
        steer(parts);
        Next::AskAs(Asked::Constrained)
    } else {
        Next::NoWayLeft(format!("{what} again"))
    }
}

/// Billions of parameters, where they are known.
fn size(server: &Server) -> Option<f64> {
    server.card().and_then(billions)
}

/// The model cannot call: it works by files from here on, and begins again with the user's words. `None` where its calls have
/// worked before, or it works so already.
pub(crate) fn by_files_from_here(what: &str, parts: &mut Parts) -> Option<Next> {
    let Parts { turn, conversation, server, records, out, .. } = parts;
    let weak = server.card().and_then(billions).is_none_or(|size| size < STRONG);
    let may = weak && turn.paused.is_none() && !turn.fruitless.worked && turn.counts.done.before.is_empty();
    if !may || !server.lower_form() {
        return None;
    }
    let name = server.model_name();
    let text = format!("{what} again; {name} works by files from here on, without calls (/form changes that)");
    out.notice(NoticeLevel::Info, text);
    conversation.back_to_words();
    conversation.offer_tools(server, records, out);
    turn.counts.rescue.done();
    Some(before_asking(parts))
}

/// Calls that came to nothing in two replies in a row: a small model works by files from here on.
pub(crate) fn fruitless_calls(parts: &mut Parts) -> Option<Next> {
    parts.turn.fruitless.replied();
    let vain = parts.turn.fruitless.replies >= 2;
    vain.then(|| by_files_from_here("the model's calls came to nothing", parts)).flatten()
}

/// All was tried: the user decides.
pub(crate) fn no_way_left(what: &str, parts: &mut Parts) -> Next {
    let plain = what.strip_suffix(" again").unwrap_or(what).to_owned();
    if let Some(next) = by_files_from_here(&plain, parts) {
        return next;
    }
    parts.out.notice(NoticeLevel::Info, format!("{what}; all that can be tried without you was tried"));
    Next::AskAbout(Halt::Stuck(Stuck::Unreadable))
}

/// The model is told what was noticed about it, a few times; then the user decides.
pub(crate) fn halt(halt: Halt, parts: &mut Parts) -> Next {
    if !parts.turn.counts.guard.may_tell(&halt) {
        return Next::AskAbout(halt);
    }
    parts.out.notice(NoticeLevel::Info, format!("{}; the model was told", halt.describe()));
    parts.conversation.remind(&format!("({})", halt.words_for_model()));
    steer(parts);
    Next::Ask
}
