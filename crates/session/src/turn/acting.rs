//! A reply holds calls: they become ours, with a number and an origin, and the reply goes into the history as it will
//! always be sent back.
//!
//! Where tools go by the server, calls stand in the message as calls, however they were read. Where they go by text, the
//! message is what the model wrote up to the end of its last call, byte for byte, and the results follow in the form
//! that the model knows.

use crate::conversation::Conversation;
use crate::conversation::request::Asked;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::file_mode;
use crate::turn::guards::unusable_reply::UnusableReply;
use crate::turn::phase::Next;
use crate::turn::phases::received::Received;
use agent_dialects::{Found, Repair};
use agent_protocol::{CallEvent, Event, ModelCall, NoticeLevel, Origin, SessionEvent, ToolCall, ToolsBy, Way};
use serde_json::Value;

/// Dialect names are for calls in text; a reply kept to a schema is written in none.
type Read = (ModelCall, Origin);

/// Carries out the calls of a complete reply. What stands behind them in it is shown behind them.
pub(crate) fn act_on(
    mut heard: Received,
    asked: Asked,
    length: bool,
    mut behind: Vec<Event>,
    parts: &mut Parts,
) -> Next {
    // A call that is cut off beside complete ones is told with their results.
    let lost = heard.lost.first().map(|lost| UnusableReply::lost(lost, parts.server.offer.specs(), length));
    if let Some(UnusableReply { what, told }) = lost {
        let text = format!("{what}; the model is told, and the calls before it are run");
        behind.push(Event::Session(SessionEvent::Notice { level: NoticeLevel::Info, text }));
        parts.turn.counts.remark = Some(not_run(&told));
    }
    let by_server = !heard.sent.is_empty();
    let written = heard.written();
    if parts.server.works_by_files() {
        heard.found = file_mode::as_called(
            std::mem::take(&mut heard.found),
            &mut parts.turn,
            &mut parts.conversation,
            &parts.server,
            &mut parts.out,
        );
    }
    let calls = read_calls(&heard, asked);
    keep_reply(heard, written, &calls, by_server, &mut parts.conversation, &parts.server);
    propose(calls, behind, parts)
}

/// Carries out calls that a server's error quotes.
pub(crate) fn act_on_quoted(heard: Received, quoted: Vec<Found>, parts: &mut Parts) -> Next {
    let raw: Vec<&str> = quoted.iter().map(|found| found.raw.as_str()).collect();
    let written = format!("{}{}", heard.text, raw.join("\n"));
    let calls: Vec<Read> = quoted.into_iter().map(|found| from_text(found, Way::ServerError)).collect();
    keep_reply(heard, written, &calls, false, &mut parts.conversation, &parts.server);
    propose(calls, Vec::new(), parts)
}

fn keep_reply(
    heard: Received,
    written: String,
    calls: &[Read],
    by_server: bool,
    conversation: &mut Conversation,
    server: &Server,
) {
    let now = &mut conversation.now;
    if by_server || server.tools_by() == ToolsBy::Server {
        let calls = calls.iter().map(|(call, _)| call.clone()).collect();
        now.history.replied(heard.text, heard.thinking, calls);
        now.results = None;
    } else {
        let thinking = heard.servers_thinking.to_owned();
        now.history.replied(written, thinking, Vec::new());
        now.results = server.form_in_use();
    }
}

fn propose(calls: Vec<Read>, behind: Vec<Event>, parts: &mut Parts) -> Next {
    parts.turn.counts.rescue.done();
    parts.turn.counts.guard.stepped();
    let out = &mut parts.out;
    let calls: Vec<ToolCall> =
        calls.into_iter().map(|(call, origin)| ToolCall { id: out.next_call(), call, origin }).collect();
    for call in &calls {
        out.emit(CallEvent::Proposed { call: call.clone() });
    }
    out.emit_all(behind);
    if calls.is_empty() {
        return file_mode::next(parts);
    }
    Next::Work(calls)
}

/// What the model is told of a call beside others.
pub(crate) fn not_run(told: &str) -> String {
    format!("({told}, and was not run)")
}

/// The calls of a reply: the server's where it sent any, else that which a schema held, else those found in the text.
fn read_calls(heard: &Received, asked: Asked) -> Vec<Read> {
    if !heard.sent.is_empty() {
        let way = way(asked, Way::Server);
        return heard.sent.iter().map(|call| (call.clone(), Origin { way, ..Origin::default() })).collect();
    }
    if let Some(call) = &heard.kept {
        let origin = Origin { way: Way::Constrained, raw: heard.written(), ..Origin::default() };
        return vec![(call.clone(), origin)];
    }
    heard.found.iter().map(|found| from_text(found.clone(), way(asked, Way::Text))).collect()
}

fn way(asked: Asked, plainly: Way) -> Way {
    match asked {
        Asked::Plainly => plainly,
        Asked::Told => Way::Retry,
        Asked::Constrained => Way::Constrained,
    }
}

pub(crate) fn from_text(found: Found, way: Way) -> Read {
    let call = ModelCall { server_id: None, index: None, name: found.name, arguments: Value::Object(found.arguments) };
    let repairs = found.repairs.into_iter().map(Repair::words).map(str::to_owned).collect();
    (call, Origin { way, dialect: Some(found.dialect.to_owned()), raw: found.raw, repairs })
}
