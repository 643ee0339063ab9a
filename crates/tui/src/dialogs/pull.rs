//! A download: how far it is, and how it can be stopped.

use super::frame::{self, Parts, choice, choices, paragraph};
use super::{Laid, Press, Reply, Scroll};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::words::bytes;
use agent_protocol::{Op, PullState};
use ratatui::text::{Line, Span};

/// The download of one model.
#[derive(Debug)]
pub(crate) struct Pull {
    name: String,
    state: PullState,
    pub(crate) scroll: Scroll,
}

impl Pull {
    pub(crate) fn new(name: String, state: PullState) -> Self {
        Pull { name, state, scroll: Scroll::default() }
    }

    pub(crate) fn is_of(&self, name: &str) -> bool {
        self.name == name
    }

    pub(crate) fn take(&mut self, state: PullState) {
        self.state = state;
    }

    fn failed(&self) -> bool {
        matches!(self.state, PullState::Failed { .. })
    }

    pub(crate) fn key(&mut self, press: Press) -> Reply {
        match (press.closes(), self.failed(), press.chord.letter()) {
            (true, true, _) => Reply::close(),
            (true, false, _) => Reply::stay_and(Op::StopPull),
            (false, true, Some('r')) => Reply::stay_and(Op::Pull { name: self.name.clone() }),
            _ => Reply::stay(),
        }
    }

    pub(crate) fn lay_out(&mut self, width: u16, most: u16, palette: Palette) -> Laid {
        let columns = frame::inner(width);
        let (body, keys) = match &self.state {
            PullState::Progress { status, done, total } => (
                vec![Line::raw(clean_line(status).into_owned()), bar(*done, *total, columns, palette)],
                vec![choice("esc", "stop; what is here stays for the next try")],
            ),
            PullState::Failed { trouble } => (
                paragraph(&format!("{trouble}\n{}", trouble.advice()), palette.text(), columns),
                vec![choice("r", "try again"), choice("esc", "close")],
            ),
            PullState::Done | PullState::Stopped => (Vec::new(), vec![choice("esc", "close")]),
        };
        let foot = choices(&keys, columns, palette);
        let words = if self.failed() { "could not be pulled" } else { "is being pulled" };
        let title = Span::styled(format!("{} {words}", clean_line(&self.name)), palette.strong());
        let parts = Parts { title, head: Vec::new(), body: &body, foot, keep: None, cursor: None };
        frame::fit(parts, &mut self.scroll, width, most, palette)
    }
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
    use crate::palette::Colour;

    #[test]
    fn the_bar_shows_how_far_it_is() {
        let drawn = |done, total| bar(done, total, 36, Palette { colour: Colour::Off }).to_string();
        assert_eq!(drawn(2_600_000_000, 5_200_000_000), "██████░░░░░░  50 %  2.6 GB of 5.2 GB");
        assert_eq!(drawn(7_000_000, 0), "7 MB");
        assert_eq!(drawn(9, 3), "██████████████████ 100 %  3 B of 3 B");
    }
}
