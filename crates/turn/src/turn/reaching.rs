//! What commands of the sandbox talk to: hosts that they want to reach while they run, and ports of their own that the
//! person opens.
//!
//! A command in the foreground is held while the person is asked; its questions come one after the other. One in the
//! background has nobody waiting beside it: what nothing allows is refused at once, and told.

use crate::machine::{Machine, State};
use crate::turn::asking::Verdict;
use crate::turn::working::{Stage, Working};
use crate::{Effect, Input};
use agent_policy::{HeldReach, Invocation, Permit, ReachVerdict, Wish};
use agent_protocol::{
    Action, AskId, CallId, Event, Host, JobId, NoticeLevel, Op, Outcome, Preview, PreviewBody, Question, ReachId,
    Reacher, Settlement, Status, Subject,
};
use std::collections::VecDeque;

/// Letters of a command that a line repeats.
const MOST_LETTERS: usize = 60;

/// Lines of commands in the background that are kept.
const MOST_KEPT: usize = 64;

/// A question whether the running command may reach a host.
#[derive(Debug)]
pub(crate) struct OpenReach {
    pub(crate) ask: AskId,
    reach: ReachId,
    held: HeldReach,
}

/// What the running command wanted to reach.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    /// Those that wait for the question before them, oldest first.
    waiting: VecDeque<(ReachId, Wish)>,
    /// What was refused, and why: for the model.
    refused: Vec<String>,
}

impl Wishes {
    pub(crate) fn any_refused(&self) -> bool {
        !self.refused.is_empty()
    }

    /// Tells what came to nothing: the model behind what the command said, the person in its line, which is no good end.
    pub(crate) fn tell(&self, outcome: &mut Outcome) {
        for line in &self.refused {
            outcome.told.push_str(&format!("\n\n({line})"));
        }
        if self.any_refused() {
            outcome.summary.push_str(" · not all it asked for was reached");
            if outcome.status == Status::Done {
                outcome.status = Status::Exited { code: Some(0) };
            }
        }
    }

    fn refuse(&mut self, host: &Host, why: &str) {
        let line = format!("the sandbox let it not reach {host}: {why}");
        if !self.refused.contains(&line) {
            self.refused.push(line);
        }
    }
}

impl Machine {
    pub(crate) fn of_reaching(&mut self, input: Input) {
        match input {
            Input::Reaches { reach, by: Reacher::Call { call }, host, sees_secrets } => {
                self.call_reaches(call, reach, host, sees_secrets);
            }
            Input::Reaches { reach, by: Reacher::Job { job }, host, sees_secrets } => {
                self.job_reaches(job, reach, host, sees_secrets);
            }
            Input::ReachOver { reach } => self.reach_is_over(reach),
            Input::Ports { ports, fault } => {
                self.out.emit(Event::Ports { ports });
                if let Some(text) = fault {
                    self.out.notice(NoticeLevel::Warning, text);
                }
            }
            _ => unreachable!("every other input goes elsewhere"),
        }
    }

    pub(crate) fn op_of_ports(&mut self, op: Op) {
        match op {
            Op::Ports => self.out.carry_out(Effect::ListPorts),
            Op::Forward { port, open } => self.out.carry_out(Effect::Forward { port, open }),
            _ => unreachable!("every other wish goes elsewhere"),
        }
    }

    /// How the line of a command that goes on was read: its wishes come when the call is long over.
    pub(crate) fn note_background(&mut self, permit: &Permit) {
        if let (Action::Run { background: true, .. }, Some(by)) = (permit.action(), permit.invocation()) {
            self.background.retain(|known| known.line() != by.line());
            self.background.push(by.clone());
            let more = self.background.len().saturating_sub(MOST_KEPT);
            self.background.drain(..more);
        }
    }

    /// The work whose command runs, if it is that of `call` and nobody stops it.
    fn running(&mut self, call: CallId) -> Option<&mut Working> {
        match &mut self.state {
            State::Working(working) if working.current.id == call && working.ends.is_none() => {
                matches!(working.stage, Stage::Running { .. }).then_some(working)
            }
            _ => None,
        }
    }

    fn call_reaches(&mut self, call: CallId, reach: ReachId, host: Host, sees_secrets: bool) {
        let Some(working) = self.running(call) else { return self.let_reach(reach, false) };
        let by = working.invocation.clone().unwrap_or_default();
        working.wishes.waiting.push_back((reach, Wish { by, host, sees_secrets, background: false }));
        self.next_wish();
    }

    /// Judges what waits, up to the first that has to be asked about.
    fn next_wish(&mut self) {
        loop {
            let State::Working(working) = &mut self.state else { return };
            if !matches!(working.stage, Stage::Running { held: None }) {
                return;
            }
            let Some((reach, wish)) = working.wishes.waiting.pop_front() else { return };
            // What was answered meanwhile counts.
            let by = working.invocation.clone().unwrap_or_default();
            let host = wish.host.clone();
            match self.policy.judge_reach(Wish { by, ..wish }) {
                ReachVerdict::Allow => self.let_reach(reach, true),
                ReachVerdict::Deny(why) => {
                    self.refused_host(&host, &why);
                    self.let_reach(reach, false);
                }
                ReachVerdict::Ask(held) => return self.ask_reach(reach, *held),
            }
        }
    }

    fn ask_reach(&mut self, reach: ReachId, held: HeldReach) {
        let ask = self.out.next_ask();
        let State::Working(working) = &mut self.state else { return };
        let call = working.current.id;
        let question = question_about(ask, call, &held);
        working.stage = Stage::Running { held: Some(Box::new(OpenReach { ask, reach, held })) };
        self.out.emit(Event::Asked { question });
    }

    /// The person answered; the command goes on, with the host or without.
    pub(crate) fn answer_reach(&mut self, open: OpenReach, verdict: Verdict) {
        let OpenReach { ask, reach, held } = open;
        let host = held.wish().host.clone();
        match verdict {
            Verdict::Yes { remember, word } => match self.policy.answer_reach(held, remember.clone()) {
                Ok(hosts) => {
                    if remember.is_some() {
                        self.keep_permissions();
                    }
                    self.settle(ask, Settlement::Yes { remember, word: word.clone() });
                    if let State::Working(working) = &mut self.state {
                        working.invocation.get_or_insert_default().let_reach(hosts);
                        working.words.extend(word);
                    }
                    self.let_reach(reach, true);
                }
                Err(agent_policy::Refused) => {
                    let text = "that answer was wider than what was offered; taken as no";
                    self.out.notice(NoticeLevel::Warning, text);
                    self.decline_reach(ask, reach, &host, None);
                }
            },
            Verdict::No { word } => self.decline_reach(ask, reach, &host, word),
        }
        self.next_wish();
    }

    fn decline_reach(&mut self, ask: AskId, reach: ReachId, host: &Host, word: Option<String>) {
        let why = match (&word, self.settings.keep) {
            (Some(word), crate::Keep::Everything) => format!("the person was asked and said no: {word}"),
            // Nobody was there.
            (Some(word), crate::Keep::Nothing) => word.clone(),
            (None, _) => "the person was asked and said no; do not look for a way around".to_owned(),
        };
        self.refused_host(host, &why);
        self.settle(ask, Settlement::No { word });
        self.let_reach(reach, false);
    }

    fn refused_host(&mut self, host: &Host, why: &str) {
        if let State::Working(working) = &mut self.state {
            working.wishes.refuse(host, why);
        }
    }

    fn let_reach(&mut self, reach: ReachId, allowed: bool) {
        self.out.carry_out(Effect::LetReach { reach, allowed });
    }

    /// Whoever wanted it has gone: nothing is left to ask.
    fn reach_is_over(&mut self, reach: ReachId) {
        let State::Working(working) = &mut self.state else { return };
        working.wishes.waiting.retain(|(waiting, _)| *waiting != reach);
        let Stage::Running { held } = &mut working.stage else { return };
        if let Some(open) = held.take_if(|open| open.reach == reach) {
            self.settle_withdrawn(open.ask);
            self.next_wish();
        }
    }

    /// The command has ended, or is stopped: what it still wanted is refused, and a question about it withdrawn.
    pub(crate) fn drop_wishes(&mut self) {
        let State::Working(working) = &mut self.state else { return };
        let waiting: Vec<ReachId> = working.wishes.waiting.drain(..).map(|(reach, _)| reach).collect();
        let open = match &mut working.stage {
            Stage::Running { held } => held.take(),
            Stage::Reaching | Stage::AskingLook { .. } | Stage::Planning | Stage::Asking { .. } => None,
        };
        if let Some(open) = open {
            self.settle_withdrawn(open.ask);
            self.let_reach(open.reach, false);
        }
        waiting.into_iter().for_each(|reach| self.let_reach(reach, false));
    }

    /// A command in the background is not held: it gets what is allowed, and the rest is told.
    fn job_reaches(&mut self, job: JobId, reach: ReachId, host: Host, sees_secrets: bool) {
        let line = self.jobs.iter().find(|card| card.id == job).map(|card| card.command.clone());
        let known = self.background.iter().rev().find(|known| line.as_ref().is_none_or(|line| known.line() == line));
        let by = known.cloned().unwrap_or_else(|| Invocation::unread(line.as_deref().unwrap_or_default()));
        let name = host.name.clone();
        let verdict = self.policy.judge_reach(Wish { by, host: host.clone(), sees_secrets, background: true });
        let allowed = matches!(verdict, ReachVerdict::Allow);
        self.let_reach(reach, allowed);
        // It never asks, but would be refused in any case.
        let (ReachVerdict::Deny(why), false) = (verdict, allowed) else { return };
        let told = format!("the background command {} was kept from {host}: {why}", job.0);
        self.untold.of_jobs(format!("{told}; the person has been told how to allow it, then start it again"));
        let how = format!(
            "to allow it, put hosts = [\"{name}\"] under [sandbox] in your config (or start with `--allow hosts={name}`), or \
             let it run in the foreground once and answer for good; then stop it with /stop {} and let it start again",
            job.0
        );
        self.out.notice(NoticeLevel::Warning, format!("{told}. {how}"));
    }
}

fn question_about(id: AskId, call: CallId, held: &HeldReach) -> Question {
    let Wish { by, host, .. } = held.wish();
    let command = by.line().to_owned();
    let title = format!("`{}` wants to reach {host}", shortened(&command));
    Question {
        id,
        call: Some(call),
        subject: Subject::Reach {
            by: Reacher::Call { call },
            command,
            host: host.clone(),
            hosts: held.hosts().to_vec(),
        },
        preview: Preview { title, body: PreviewBody::Plain },
        why: held.why().to_owned(),
        offers: held.offers().to_vec(),
        warnings: held.warnings().to_vec(),
        parts: Vec::new(),
        cause: held.cause(),
        hosts: Vec::new(),
    }
}

fn shortened(line: &str) -> String {
    let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = whole.chars().take(MOST_LETTERS).collect();
    if shown == whole { whole } else { format!("{shown} …") }
}
