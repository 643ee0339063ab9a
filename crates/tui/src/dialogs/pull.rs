//! A download: how far it is, and how it can be stopped.

use super::frame::{Parts, choice, choices, paragraph};
use super::{Answers, Dialog, Heard, Laid, Pasted, Press, Reply, Scroll, Space, Surroundings, Words};
use crate::clean::clean_line;
use crate::palette::Palette;
use agent_protocol::sanitize::figures::{bytes, seconds};
use agent_protocol::{Event, Op, PullState, ServerEvent, ServerOp};
use ratatui::text::{Line, Span};
use std::collections::VecDeque;
use std::time::Duration;

/// Figures change once in this time.
const BETWEEN_MARKS: Duration = Duration::from_secs(1);
/// The speed is that of so many of these times.
const MARKS: usize = 10;
/// Hexadecimal digits in a row that name nothing to a person.
const DIGEST: usize = 8;

/// The download of one model.
#[derive(Debug)]
pub(crate) struct Pull {
    name: String,
    state: PullState,
    pace: Pace,
    scroll: Scroll,
}

impl Pull {
    pub(crate) fn new(name: String, state: PullState, now: Duration) -> Self {
        let mut pace = Pace::default();
        pace.take(&state, now);
        Pull { name, state, pace, scroll: Scroll::default() }
    }

    fn failed(&self) -> bool {
        matches!(self.state, PullState::Failed { .. })
    }
}

impl Dialog for Pull {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        match (press.closes(), self.failed(), press.chord.letter()) {
            (true, true, _) => Reply::close(),
            (true, false, _) => Reply::stay_and(Op::Server(ServerOp::StopPull)),
            (false, true, Some('r')) => Reply::stay_and(Op::Server(ServerOp::Pull { name: self.name.clone() })),
            _ => Reply::stay(),
        }
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (columns, palette) = (space.inside(), space.palette);
        let (body, keys) = match &self.state {
            PullState::Progress { status, done, total } => (
                vec![Line::raw(self.pace.step(status, *done, *total)), bar(*done, *total, columns, palette)],
                vec![choice("Esc", "stop; what is here stays for the next try")],
            ),
            PullState::Failed { trouble } => (
                paragraph(&format!("{trouble}\n{}", trouble.advice()), palette.text(), columns),
                vec![choice("r", "try again"), choice("Esc", "close")],
            ),
            PullState::Done | PullState::Stopped => (Vec::new(), vec![choice("Esc", "close")]),
        };
        let foot = choices(&keys, columns, palette);
        let words = if self.failed() { "could not be pulled" } else { "is being pulled" };
        let title = Span::styled(format!("{} {words}", clean_line(&self.name)), palette.strong());
        space.fit(Parts::new(title, &body, foot), &mut self.scroll)
    }

    fn answers(&self) -> Option<Answers> {
        Some(Answers::new(if self.failed() { "r" } else { "" }, Words::Draft))
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn paste(&mut self, _text: &str, _now: Duration) -> Pasted {
        Pasted::Passed
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        if let Event::Server(ServerEvent::Models { .. }) = event {
            // The choice can wait until the download is over.
            return Heard::Shown;
        }
        let Event::Server(ServerEvent::Pulling { name, state }) = event else { return Heard::No };
        match state {
            _ if *name != self.name => Heard::No,
            PullState::Progress { .. } | PullState::Failed { .. } => {
                self.pace.take(state, around.now);
                self.state = state.clone();
                Heard::Shown
            }
            PullState::Done | PullState::Stopped => Heard::Over,
        }
    }

    fn is_of_the_server(&self) -> bool {
        true
    }

    fn put_away(&self) -> Option<Op> {
        Some(Op::Server(ServerOp::StopPull))
    }
}

/// How fast it goes: what was here at the last few marks in time.
#[derive(Debug, Default)]
struct Pace {
    marks: VecDeque<(Duration, u64)>,
}

impl Pace {
    fn take(&mut self, state: &PullState, now: Duration) {
        let PullState::Progress { done, .. } = state else { return self.marks.clear() };
        match self.marks.back() {
            // The next part begins at nothing again.
            Some((_, before)) if done < before => self.marks.clear(),
            Some((at, _)) if now < *at + BETWEEN_MARKS => return,
            _ => {}
        }
        self.marks.push_back((now, *done));
        if self.marks.len() > MARKS {
            self.marks.pop_front();
        }
    }

    /// `downloading · 24 MB/s · 2 min 40 s left`: the server's word for the step, without digests, and how fast it goes.
    fn step(&self, status: &str, done: u64, total: u64) -> String {
        let clean = clean_line(status);
        let mut words = match clean.split_whitespace().any(is_digest) {
            true => "downloading".to_owned(),
            false => clean.into_owned(),
        };
        if let Some(speed) = self.speed().filter(|_| done < total) {
            let left = Duration::from_secs_f64((total - done) as f64 / speed);
            words += &format!(" · {}/s · {} left", bytes(speed as u64), seconds(left));
        }
        words
    }

    /// Bytes in a second, once that can be told.
    fn speed(&self) -> Option<f64> {
        let ((began, first), (at, last)) = (self.marks.front()?, self.marks.back()?);
        let passed = at.saturating_sub(*began).as_secs_f64();
        (passed > 0.0 && last > first).then(|| last.saturating_sub(*first) as f64 / passed)
    }
}

fn is_digest(word: &str) -> bool {
    let word = word.trim_start_matches("sha256:");
    word.len() >= DIGEST && word.chars().all(|letter| letter.is_ascii_hexdigit())
}

/// `██████░░░░ 61 %  3.2 of 5.2 GB`; without a total only what is here.
fn bar(done: u64, total: u64, columns: u16, palette: Palette) -> Line<'static> {
    if total == 0 {
        return Line::raw(if done == 0 { String::new() } else { bytes(done) });
    }
    let done = done.min(total);
    let figures = format!(" {:>3} %  {} of {}", done * 100 / total, bytes(done), bytes(total));
    let room = u64::from(columns).saturating_sub(figures.chars().count() as u64).min(50);
    let full = usize::try_from(done.saturating_mul(room) / total).unwrap_or(0);
    let rest = usize::try_from(room).unwrap_or(0).saturating_sub(full);
    Line::from(vec![
        Span::styled("█".repeat(full), palette.accent()),
        Span::styled("░".repeat(rest), palette.dim()),
        Span::raw(figures),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(done: u64) -> PullState {
        PullState::Progress { status: "pulling 2af3b81862c6".into(), done, total: 5_200_000_000 }
    }

    #[test]
    fn a_step_is_told_with_its_speed_and_the_time_left() {
        let mut pace = Pace::default();
        let step = |pace: &Pace, done| pace.step("pulling 2af3b81862c6", done, 5_200_000_000);
        pace.take(&progress(400_000_000), Duration::from_secs(10));
        assert_eq!(step(&pace, 400_000_000), "downloading");
        pace.take(&progress(420_000_000), Duration::from_millis(10_500));
        assert_eq!(step(&pace, 420_000_000), "downloading");
        pace.take(&progress(448_000_000), Duration::from_secs(12));
        assert_eq!(step(&pace, 448_000_000), "downloading · 24 MB/s · 3 min 18 s left");
        assert_eq!(pace.step("verifying sha256 digest", 5_200_000_000, 5_200_000_000), "verifying sha256 digest");
    }

    #[test]
    fn the_next_part_has_a_speed_of_its_own() {
        let mut pace = Pace::default();
        pace.take(&progress(400_000_000), Duration::from_secs(10));
        pace.take(&progress(800_000_000), Duration::from_secs(12));
        pace.take(&progress(10), Duration::from_secs(13));
        assert_eq!(pace.speed(), None);
    }

    #[test]
    fn the_bar_shows_how_far_it_is() {
        let drawn = |done, total| bar(done, total, 36, Palette::plain()).to_string();
        assert_eq!(drawn(2_600_000_000, 5_200_000_000), "██████░░░░░░  50 %  2.6 GB of 5.2 GB");
        assert_eq!(drawn(7_000_000, 0), "7 MB");
        assert_eq!(drawn(9, 3), "██████████████████ 100 %  3 B of 3 B");
    }
}
