//! A call that goes on and on: the typical runaway is one write that fills the whole reply. It is ended, and the model told to
//! write in parts.
//!
//! What arrives as text is counted. Servers that read calls themselves send nothing while one is being written: of these the
//! silence tells, once something of the reply was here, for then it is this reply that the server works on.

use crate::ServerEffect;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::server::Server;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::guards::unusable::{finish_unusable, keep_words};
use crate::turn::phase::{Listening, Next, Phase};
use agent_protocol::Stuck;

/// Tokens beyond which a call of the next reply is ended. A model that works by files has no other way to write one.
pub(crate) fn longest_call(server: &Server) -> Option<u64> {
    let most = u64::from(server.levers().longest_call);
    (most > 0 && server.offers_tools()).then_some(most)
}

/// More of the reply is here, and it is no thinking.
pub(crate) fn go_on(
    listening: Box<Listening>,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Next {
    let call = || listening.heard.call_tokens(server.measure.gauge.estimator());
    match listening.longest_call.and_then(|most| call().filter(|tokens| *tokens > most)) {
        Some(tokens) => end(*listening, tokens, conversation, out),
        None => Next::Rest(Phase::Listening(listening)),
    }
}

/// Tokens that a call must have by now of which nothing has arrived for so many seconds, where they are too many.
pub(crate) fn silent(secs: u64, listening: &Listening, server: &Server) -> Option<u64> {
    let most = listening.longest_call.filter(|_| listening.heard.has_anything())?;
    let tokens = (secs as f64 * server.measure.speeds.writing()?) as u64;
    (tokens > most).then_some(tokens)
}

/// The call has no end: nothing of it is run.
pub(crate) fn end(mut listening: Listening, tokens: u64, conversation: &mut Conversation, out: &mut Out) -> Next {
    out.carry_out(ServerEffect::HangUp);
    conversation.it_fitted();
    finish_unusable(&mut listening.heard, out);
    keep_words(listening.heard, conversation);
    Next::Halt(Halt::Counted(Stuck::Endless, tokens))
}
