//! The machine itself: one input in, to the part it belongs to, effects out.

use crate::agents::tell_of_agents;
use crate::parts::Parts;
use crate::records::pages::page;
use crate::server::models;
use crate::turn::phase::{Next, Phase};
use crate::turn::{
    answering, calling, ending, examining, fenced, jobs, listening, loading, opening, permissions, reaching, saying,
    serving, sessions, settle, summarising, undoing, working,
};
use crate::{Begin, Effect, Input, Settings, Trust};
use agent_policy::Policy;
use agent_protocol::{Event, Mode, ModelEvent, NoticeLevel, Op, ReplyId, ToolSpec};

/// One session's mind.
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

    /// Is nothing under way?
    pub fn is_at_rest(&self) -> bool {
        self.phase.is_idle()
    }

    /// Takes one input and says what is to be carried out, in order.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        if let Some(task) = &mut self.parts.out.task {
            task.wished = matches!(input, Input::Op(_) | Input::Exported { .. } | Input::Written { .. });
        }
        let phase = std::mem::take(&mut self.phase);
        let next = self.next(phase, input);
        self.phase = settle(next, &mut self.parts);
        self.parts.conversation.record(&mut self.parts.out);
        self.parts.out.take()
    }
}

impl Machine {
    fn next(&mut self, mut phase: Phase, input: Input) -> Next {
        let parts = &mut self.parts;
        match input {
            Input::Start => self.begin(),
            Input::Op(op) => return self.op(phase, op),
            Input::Model { reply, event } => return heard(phase, reply, event, parts),
            Input::Reached { call, result, facts } => {
                return with_work(phase, |working| working::reached(working, call, result, &facts, parts));
            }
            Input::Planned { call, result, facts } => return working::planned(phase, call, result, &facts, parts),
            Input::Output { call, chunk } => working::put_out(&phase, call, chunk, parts),
            Input::Ran { call, outcome } => {
                return with_work(phase, |working| working::ran(working, call, outcome, parts));
            }
            Input::Reaches { reach, by, host, sees_secrets } => {
                reaching::reaches(&mut phase, (reach, by), (host, sees_secrets), parts);
            }
            Input::ReachOver { reach } => reaching::reach_is_over(&mut phase, reach, parts),
            Input::Ports { ports, fault } => reaching::ports(ports, fault, parts),
            Input::Jobs { jobs } => jobs::changed(jobs, parts),
            Input::Tampered { names } => fenced::tampered_beside(&names, parts),
            Input::Tried { action, facts } => permissions::tried(action, &facts, parts),
            Input::Probed { result, can_start } => return serving::probed(phase, result, can_start, parts),
            Input::Described { name, result, loaded } => {
                return serving::described(phase, name, result, loaded.as_ref(), parts);
            }
            Input::Listed { reason, result } => parts.server.listed(reason, result, &mut parts.out),
            Input::Pulled { name, state } => serving::pulled(&phase, name, state, parts),
            Input::NotStarted { why } => {
                parts.out.notice(NoticeLevel::Warning, why);
                parts.server.look(&mut parts.out);
            }
            Input::Preloaded { name, result } => parts.server.preloaded(&name, result.is_ok(), &mut parts.out),
            Input::Loaded { result } => return serving::loaded(phase, result, parts),
            Input::Rendered { request, result } => serving::rendered(request, result, parts),
            Input::DescribedOnly { name, result, loaded } => {
                models::described_only(name, result, loaded, &mut parts.out);
            }
            Input::ToldLoaded { result } => models::told_loaded(result, &mut parts.out),
            Input::Removed { name, result } => {
                parts.out.emit(Event::ModelRemoved { name, trouble: result.err() });
            }
            Input::Minutes => loading::renew(&phase, parts),
            Input::Leave => {
                phase = settle(ending::interrupt(phase, parts), parts);
                parts.server.leave(&mut parts.out);
            }
            Input::Journal { state } => {
                parts.out.recorder.stands(&state);
                parts.out.emit(Event::Journal { state });
            }
            Input::SessionsListed { sessions, now } => parts.out.emit(Event::Sessions { sessions, now }),
            Input::SessionOpened { result } => {
                return sessions::opened(phase, result.map(|opened| *opened), parts);
            }
            Input::PageRead { session, turn, result } => parts.out.emit(page(session, turn, result)),
            Input::ReadBack { said, result } => {
                return match phase {
                    Phase::GoingBack(wanted) if wanted == said => undoing::read_back(said, result, parts),
                    other => Next::Rest(other),
                };
            }
            Input::Exported { result } => sessions::exported(result, parts),
            Input::Written { result } => sessions::written(result, parts),
            Input::UndoPlanned { plan } => undoing::planned(&phase, plan, parts),
            Input::Undone { files } => {
                return match phase {
                    Phase::Undoing(undoing) => undoing::undone(*undoing, files, parts),
                    other => Next::Rest(other),
                };
            }
            Input::LookedAfter { files } => {
                return match phase {
                    Phase::LookingAfter(reason) => Next::Settle(*reason, files),
                    other => Next::Rest(other),
                };
            }
        }
        Next::Rest(phase)
    }

    fn op(&mut self, phase: Phase, op: Op) -> Next {
        let parts = &mut self.parts;
        match op {
            Op::Say { text } => return saying::say(phase, text, None, parts),
            Op::SayWith { text, input } => return saying::say(phase, text, Some(input), parts),
            Op::Unqueue => saying::unqueue(parts),
            Op::Reply { ask, answer } => return answering::answer(phase, ask, answer, parts),
            Op::Interrupt => return ending::interrupt(phase, parts),
            Op::SetMode { mode } => {
                let asking = phase.is_asking() || parts.turn.opening.is_some();
                permissions::set_mode(mode, asking, parts);
            }
            Op::SetGroups { groups } => serving::set_groups(&phase, &groups, parts),
            Op::StopJob { job } => jobs::stop(job, parts),
            Op::Memory => parts.out.emit(Event::Memory { files: parts.turn.memory.clone() }),
            Op::Skills => parts.out.emit(Event::Skills { skills: parts.settings.skills.clone() }),
            Op::Call { name, arguments } => return calling::call(phase, name, arguments, parts),
            Op::Clear => {
                let phase = settle(ending::interrupt(phase, parts), parts);
                // A call that is being stopped still answers, and ends the turn then.
                parts.turn.clear_wanted = true;
                if phase.is_idle() {
                    ending::clear_if_wanted(parts);
                }
                return Next::Rest(phase);
            }
            Op::Models => parts.server.list_models(&mut parts.out),
            Op::SetModel { name } => serving::set_model(&phase, name, parts),
            Op::Pull { name } => parts.out.carry_out(Effect::Pull { name }),
            Op::StopPull => parts.out.carry_out(Effect::StopPull),
            Op::DescribeModel { name } => parts.out.carry_out(Effect::DescribeOnly { name }),
            Op::Loaded => parts.out.carry_out(Effect::TellLoaded),
            Op::RemoveModel { name } => parts.out.carry_out(Effect::RemoveModel { name }),
            Op::SetThink { think } => parts.server.set_think(think, &mut parts.out),
            Op::Compact { instructions } => return saying::compact(phase, &instructions, parts),
            Op::Context => serving::tell_context(parts),
            Op::Prompt => serving::show_prompt(parts),
            Op::Examine => return examining::begin(phase, parts),
            Op::StartServer => parts.server.start(&mut parts.out),
            Op::Permissions => permissions::list_permissions(parts),
            Op::Revoke { rule } => permissions::revoke(&rule, parts),
            Op::Try { command } => permissions::try_command(command, parts),
            Op::Ports => parts.out.carry_out(Effect::ListPorts),
            Op::Forward { port, open } => parts.out.carry_out(Effect::Forward { port, open }),
            Op::Retry => return serving::retry(phase, parts),
            Op::Sessions => parts.out.carry_out(Effect::ListSessions),
            Op::Open { id } => sessions::open(&phase, id, parts),
            Op::Rename { title } => sessions::rename(title, parts),
            Op::Fork { said } => sessions::fork(&phase, said, parts),
            Op::Page { session, turn } => parts.out.carry_out(Effect::ReadPage { session, turn }),
            Op::Export { format, path } => sessions::export(format, path, parts),
            Op::Undoable => undoing::tell_undoable(&phase, parts),
            Op::PlanUndo { direction, said } => undoing::plan(&phase, direction, said, parts),
            Op::Undo { direction, said, choices } => return undoing::undo(phase, direction, said, &choices, parts),
            Op::Rewind { said, what, choices } => return undoing::rewind(phase, said, what, &choices, parts),
        }
        Next::Rest(phase)
    }

    /// The session begins.
    fn begin(&mut self) {
        let Machine { parts, start, .. } = self;
        let Start { history, notices, begin } = std::mem::take(start);
        let trusted = matches!(parts.turn.trust, Trust::Settled);
        tell_of_agents(&parts.settings.agents, trusted, &mut parts.server.offer);
        let mode = parts.turn.policy.mode();
        parts.out.emit(Event::Opened {
            project: parts.settings.project.clone(),
            host: parts.settings.host.clone(),
            mode,
            // What else models call them is no news for a front end, and a lot of it.
            tools: parts
                .server
                .offer
                .specs()
                .iter()
                .map(|spec| ToolSpec { aliases: Vec::new(), ..spec.clone() })
                .collect(),
            enclosure: parts.settings.enclosure.clone(),
            exposed: parts.settings.exposed,
        });
        parts.out.emit(Event::Said { history });
        for text in notices {
            parts.out.notice(NoticeLevel::Warning, text);
        }
        parts.conversation.untold.plan_mode(mode == Mode::Plan);
        // Whoever goes on with the session knows in which mode it began.
        parts.out.recorder.note(&Event::ModeChanged { mode });
        opening::open(parts);
        sessions::begin(begin, parts);
    }
}

/// Something of a reply is here; where none is awaited, it came late.
fn heard(phase: Phase, reply: ReplyId, event: ModelEvent, parts: &mut Parts) -> Next {
    match phase {
        Phase::Listening(listening) => listening::heard(listening, reply, event, parts),
        Phase::Summarising(summarising) => summarising::heard(summarising, reply, event, parts),
        Phase::Examining(examining) => examining::heard(examining, reply, event, parts),
        Phase::Idle
        | Phase::Working(_)
        | Phase::LookingAfter(_)
        | Phase::Undoing(_)
        | Phase::GoingBack(_)
        | Phase::Braked { .. } => Next::Rest(phase),
    }
}

/// Goes on with the calls that are being carried out; where none are, the answer came late.
fn with_work(phase: Phase, go_on: impl FnOnce(Box<crate::turn::work::Working>) -> Next) -> Next {
    match phase {
        Phase::Working(working) => go_on(working),
        other => Next::Rest(other),
    }
}
