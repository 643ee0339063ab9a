//! The machine itself: one input in, to the part it belongs to, effects out.

use crate::parts::Parts;
use crate::server::offer::tell_of_agents;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::{ending, hooks, opening};
use crate::turn::{loading, sessions, settle};
use crate::{Begin, Effect, Input, SessionInput, Settings, Trust, answers, requests};
use agent_policy::Policy;
use agent_protocol::{CallEvent, Event, Mode, NoticeLevel, Op, SessionEvent, ToolSpec};

#[derive(Debug)]
pub struct Machine {
    phase: Phase,
    parts: Parts,
    /// What is needed only to start.
    start: Start,
}

/// What is needed only to start.
#[derive(Debug, Default)]
struct Start {
    history: Vec<String>,
    notices: Vec<String>,
    begin: Begin,
}

impl Machine {
    /// A machine that has not started yet.
    pub fn new(mut settings: Settings, policy: Policy) -> Self {
        let start = Start {
            history: std::mem::take(&mut settings.history),
            notices: std::mem::take(&mut settings.notices),
            begin: std::mem::take(&mut settings.begin),
        };
        Machine { phase: Phase::Idle, parts: Parts::new(settings, policy), start }
    }

    pub fn is_at_rest(&self) -> bool {
        self.phase.is_idle() && self.parts.turn.hooks.leaving.is_none()
    }

    /// Takes one input and says what is to be carried out, in order.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        if let Some(task) = &mut self.parts.out.task {
            task.wished = matches!(
                input,
                Input::Op(_)
                    | Input::Session(SessionInput::Exported { .. })
                    | Input::Session(SessionInput::Written { .. })
            );
        }
        let phase = std::mem::take(&mut self.phase);
        let next = self.next(phase, input);
        self.phase = settle(next, &mut self.parts);
        self.parts.conversation.record(&mut self.parts.out);
        self.parts.out.take()
    }
}

impl Machine {
    /// Leads `input` to the part it belongs to.
    fn next(&mut self, phase: Phase, input: Input) -> Next {
        let parts = &mut self.parts;
        match input {
            Input::Start => self.begin(),
            Input::Op(Op::Turn(op)) => return requests::of_turn(phase, op, parts),
            Input::Op(Op::Call(op)) => return requests::of_calls(phase, op, parts),
            Input::Op(Op::Context(op)) => return requests::of_context(phase, op, parts),
            Input::Op(Op::Server(op)) => return requests::of_server(phase, op, parts),
            Input::Op(Op::Session(op)) => return requests::of_session(phase, op, parts),
            Input::Op(Op::List(op)) => requests::to_list(&phase, op, parts),
            Input::Call(input) => return answers::of_calls(phase, input, parts),
            Input::Server(input) => return answers::of_server(phase, input, parts),
            Input::Session(input) => return answers::of_session(phase, input, parts),
            Input::Minutes => loading::renew(&phase, &parts.server, &mut parts.out),
            Input::Leave => {
                let phase = settle(ending::interrupt(phase, parts), parts);
                parts.server.leave(&mut parts.out);
                hooks::session_ends(&mut parts.turn, &mut parts.out);
                return Next::Rest(phase);
            }
        }
        Next::Rest(phase)
    }

    fn begin(&mut self) {
        let Machine { parts, start, .. } = self;
        let Start { history, notices, begin } = std::mem::take(start);
        let trusted = matches!(parts.turn.trust, Trust::Settled);
        tell_of_agents(&parts.server.settings.agents, trusted, &mut parts.server.offer);
        let mode = parts.turn.policy.mode();
        if mode == Mode::Plan {
            parts.server.offer.plan();
        }
        parts.out.emit(SessionEvent::Opened {
            project: parts.server.settings.project.clone(),
            host: parts.server.settings.host.clone(),
            mode,
            // What else models call them is no news for a front end, and a lot of it.
            tools: parts
                .server
                .offer
                .specs()
                .iter()
                .map(|spec| ToolSpec { aliases: Vec::new(), ..spec.clone() })
                .collect(),
            sandbox: parts.server.settings.sandbox.clone(),
            exposed: parts.server.settings.exposed,
        });
        parts.out.emit(SessionEvent::Said { history });
        for text in notices {
            parts.out.notice(NoticeLevel::Warning, text);
        }
        parts.conversation.untold.plan_mode(mode == Mode::Plan);
        // Whoever goes on with the session knows in which mode it began.
        parts.out.recorder.note(&Event::Call(CallEvent::ModeChanged { mode }));
        opening::open(&mut parts.turn, &parts.conversation, &parts.server, &mut parts.out);
        hooks::session_starts(&begin, &mut parts.turn, &mut parts.out);
        sessions::begin(begin, &mut parts.turn, &mut parts.server, &mut parts.out);
    }
}
