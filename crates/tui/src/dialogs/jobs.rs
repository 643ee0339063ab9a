//! The list of the commands in the background: how each stands, and a key that stops one. What they say is the model's to
//! read; a screen does not hear of it.

use super::frame::{Parts, choice, choices, paragraph};
use super::list::{lines, mark, moved};
use super::{Answers, Dialog, Heard, Laid, Press, Reply, Scroll, Space, Surroundings, Words};
use crate::clean::clean_line;
use crate::jobs::{Job, Jobs};
use crate::palette::Palette;
use crate::text::width::width;
use crate::text::wrap::wrap;
use agent_protocol::sanitize::figures::seconds;
use agent_protocol::{BackgroundId, BackgroundState, CallEvent, CallOp, Event, Op};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// The key that stops the chosen one, when it is pressed twice.
const STOPS: char = 's';

/// What is told where there is none.
const NONE: &str = "nothing was started in the background; the model does that for what keeps running, like a server";

#[derive(Debug)]
pub(crate) struct JobList {
    jobs: Jobs,
    chosen: usize,
    /// The key that stops was pressed once.
    stopping: bool,
    scroll: Scroll,
}

impl JobList {
    /// The list, with the youngest that runs chosen.
    pub(crate) fn new(jobs: Jobs) -> Self {
        let chosen = jobs.all().iter().rposition(Job::runs).unwrap_or(jobs.all().len().saturating_sub(1));
        JobList { jobs, chosen, stopping: false, scroll: Scroll::default() }
    }

    /// They stand like this now.
    pub(crate) fn take(&mut self, jobs: Jobs) {
        let chosen = self.jobs.all().get(self.chosen).map(|job| job.card.id);
        let same = jobs.all().iter().position(|job| Some(job.card.id) == chosen);
        // The first press was for another one.
        self.stopping &= same.is_some();
        self.chosen = same.unwrap_or(0);
        self.jobs = jobs;
    }

    /// The chosen one, if it runs.
    fn running(&self) -> Option<BackgroundId> {
        self.jobs.all().get(self.chosen).filter(|job| job.runs()).map(|job| job.card.id)
    }

    fn keys(&self) -> Vec<(String, String)> {
        let stop = if self.stopping { choice("s", "again stops it") } else { choice("s", "stop it") };
        let stop = self.running().map(|_| stop);
        let choose = (self.jobs.all().len() > 1).then(|| choice("↑ ↓", "choose"));
        choose.into_iter().chain(stop).chain([choice("Esc", "close")]).collect()
    }

    /// Number and command, and below it how it stands.
    fn row(job: &Job, chosen: bool, now: Duration, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let (mark, style) = mark(chosen, palette);
        let head = format!("{mark}{}  ", job.card.id.0);
        let indent = u16::try_from(width(&head)).unwrap_or(4);
        let command = clean_line(&job.card.command).into_owned();
        let line = Line::from(vec![Span::styled(head, style), Span::styled(command, style)]);
        let mut lines = wrap(&line, columns, indent);
        let purpose = match clean_line(&job.card.description) {
            words if words.is_empty() => String::new(),
            words => format!(" · {words}"),
        };
        let state = format!("{}{}{purpose}", " ".repeat(usize::from(indent)), state(job, now));
        lines.extend(wrap(&Line::styled(state, palette.dim()), columns, indent));
        lines
    }
}

impl Dialog for JobList {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        let stopping = std::mem::take(&mut self.stopping);
        match (press.chord.letter(), press.chord.code) {
            _ if press.closes() => return Reply::close(),
            (Some(STOPS), _) if self.running().is_some() => match stopping {
                true => return Reply::stay_and(Op::Call(CallOp::StopJob { job: self.running() })),
                false => self.stopping = true,
            },
            // Whoever types here begins a message.
            (Some(_), _) => return Reply::make_room(),
            (None, KeyCode::Enter) => return Reply::close(),
            (None, _) => self.chosen = moved(press, self.chosen, self.jobs.all().len()).unwrap_or(self.chosen),
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let Space { now, palette, .. } = space;
        let inside = space.inside();
        let row = |job, chosen| JobList::row(job, chosen, now, inside, palette);
        let (mut body, keep) = lines(self.jobs.all(), self.chosen, row);
        if body.is_empty() {
            body = paragraph(NONE, palette.dim(), inside);
        }
        let foot = choices(&self.keys(), inside, palette);
        let title = Span::styled("In the background, until the session ends", palette.strong());
        space.fit(Parts { keep, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    fn answers(&self) -> Option<Answers> {
        let keys = self.running().map(|_| STOPS.to_string());
        Some(Answers::new(keys.unwrap_or_default(), Words::Instead))
    }

    /// Does the time of any of them go on?
    fn is_alive(&self) -> bool {
        self.jobs.running() > 0
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        let Event::Call(CallEvent::Jobs { .. }) = event else { return Heard::No };
        self.take(around.jobs.clone());
        Heard::Shown
    }
}

fn state(job: &Job, now: Duration) -> String {
    let time = seconds(job.time(now));
    match job.card.state {
        BackgroundState::Running => format!("running for {time}"),
        BackgroundState::Ended { code: Some(code) } => format!("ended with exit code {code}, after {time}"),
        BackgroundState::Ended { code: None } => format!("ended by a signal, after {time}"),
        BackgroundState::Stopped => format!("stopped, after {time}"),
    }
}
