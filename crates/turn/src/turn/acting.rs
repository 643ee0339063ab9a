//! A reply holds calls: they become ours, with a number and an origin, and the reply goes into the history as it will
//! always be sent back.
//!
//! Where tools go by the server, calls stand in the message as calls, however they were read. Where they go by text, the
//! message is what the model wrote up to the end of its last call, byte for byte, and the results follow in the form
//! that the model knows.

use crate::machine::Machine;
use crate::turn::heard::Heard;
use crate::turn::rescue::{Asked, Mishap};
use agent_dialects::{Found, Repair};
use agent_protocol::{Event, ModelCall, NoticeLevel, Origin, ToolCall, ToolsBy, Way};
use serde_json::Value;

/// Dialect names are for calls in text; a reply kept to a schema is written in none.
type Read = (ModelCall, Origin);

impl Machine {
    /// Carries out the calls of a complete reply. What stands behind them in it is shown behind them.
    pub(crate) fn act_on(&mut self, heard: Heard, asked: Asked, length: bool, mut behind: Vec<Event>) {
        // A call that is cut off beside complete ones is told with their results.
        let lost = heard.lost.first().map(|lost| Mishap::lost(lost, &self.settings.tools, length));
        if let Some(Mishap { what, told }) = lost {
            let text = format!("{what}; the model is told, and the calls before it are run");
            behind.push(Event::Notice { level: NoticeLevel::Info, text });
            self.turn.remark = Some(not_run(&told));
        }
        let by_server = !heard.sent.is_empty();
        let calls = read_calls(&heard, asked);
        let written = heard.written();
        self.keep_reply(heard, written, &calls, by_server);
        self.work_on(calls, behind);
    }

    /// Carries out calls that a server's error quotes.
    pub(crate) fn act_on_quoted(&mut self, heard: Heard, quoted: Vec<Found>) {
        let raw: Vec<&str> = quoted.iter().map(|found| found.raw.as_str()).collect();
        let written = format!("{}{}", heard.text, raw.join("\n"));
        let calls: Vec<Read> = quoted.into_iter().map(|found| from_text(found, Way::ServerError)).collect();
        self.keep_reply(heard, written, &calls, false);
        self.work_on(calls, Vec::new());
    }

    fn keep_reply(&mut self, heard: Heard, written: String, calls: &[Read], by_server: bool) {
        if by_server || self.tools_by() == ToolsBy::Server {
            let calls = calls.iter().map(|(call, _)| call.clone()).collect();
            self.history.replied(heard.text, heard.thinking, calls);
            self.turn.results = None;
        } else {
            let thinking = heard.servers_thinking().to_owned();
            self.history.replied(written, thinking, Vec::new());
            self.turn.results = Some(self.form());
        }
    }

    fn work_on(&mut self, calls: Vec<Read>, behind: Vec<Event>) {
        self.turn.rescue.done();
        self.turn.brakes.stepped();
        let calls: Vec<ToolCall> =
            calls.into_iter().map(|(call, origin)| ToolCall { id: self.out.next_call(), call, origin }).collect();
        for call in &calls {
            self.out.emit(Event::Proposed { call: call.clone() });
        }
        self.out.emit_all(behind);
        self.begin_work(calls);
    }
}

/// What the model is told of a call beside others.
pub(crate) fn not_run(told: &str) -> String {
    format!("({told}, and was not run)")
}

/// The calls of a reply: the server's where it sent any, else that which a schema held, else those found in the text.
fn read_calls(heard: &Heard, asked: Asked) -> Vec<Read> {
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
