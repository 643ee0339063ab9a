//! The choice of how much the model thinks.

use super::frame::{Parts, choice, choices};
use super::list::{lines, mark, moved};
use super::{Dialog, Laid, Press, Reply, Scroll, Space};
use crate::palette::Palette;
use crate::text::width::width;
use crate::text::wrap::wrap;
use crate::think::{LEVELS, Level, level};
use agent_protocol::{Op, ServerOp, Think};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Levels {
    /// What holds now.
    current: Option<Think>,
    chosen: usize,
    scroll: Scroll,
}

impl Levels {
    /// The levels, with the one that holds chosen.
    pub(crate) fn new(current: Option<Think>) -> Self {
        let chosen = LEVELS.iter().position(|one| one == level(current)).unwrap_or(0);
        Levels { current, chosen, scroll: Scroll::default() }
    }

    fn row(&self, one: &Level, chosen: bool, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let (mark, style) = mark(chosen, palette);
        let column = LEVELS.iter().map(|level| width(level.name)).max().unwrap_or(0);
        let now = if one.think == self.current { ", as it is now" } else { "" };
        let line = Line::from(vec![
            Span::styled(format!("{mark}{:<column$}", one.name), style),
            Span::styled(format!("  {}{now}", one.words), palette.dim()),
        ]);
        wrap(&line, columns, u16::try_from(column + 4).unwrap_or(4))
    }
}

impl Dialog for Levels {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        match press.chord.code {
            _ if press.closes() => return Reply::close(),
            KeyCode::Enter => {
                return Reply::close_and(Op::Server(ServerOp::SetThink { think: LEVELS[self.chosen].think }));
            }
            // Whoever types here begins a message.
            _ if press.chord.letter().is_some() => return Reply::make_room(),
            _ => self.chosen = moved(press, self.chosen, LEVELS.len()).unwrap_or(self.chosen),
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let (body, keep) = lines(LEVELS, self.chosen, |one, chosen| self.row(one, chosen, inside, palette));
        let keys = [choice("Enter", "take it"), choice("↑ ↓", "choose"), choice("Esc", "close")];
        let foot = choices(&keys, inside, palette);
        let title = Span::styled("How much the model thinks", palette.strong());
        space.fit(Parts { keep, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }
}
