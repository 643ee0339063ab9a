//! The choice of how much the model thinks.

use super::frame::{self, Parts, choice, choices};
use super::{Laid, Press, Reply, Scroll};
use crate::palette::Palette;
use crate::text::width::width;
use crate::text::wrap::wrap;
use crate::think::{LEVELS, level};
use agent_protocol::{Op, ServerOp, Think};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

/// The list of levels.
#[derive(Debug)]
pub(crate) struct Levels {
    /// What holds now.
    current: Option<Think>,
    chosen: usize,
    pub(crate) scroll: Scroll,
}

impl Levels {
    /// The levels, with the one that holds chosen.
    pub(crate) fn new(current: Option<Think>) -> Self {
        let chosen = LEVELS.iter().position(|one| one == level(current)).unwrap_or(0);
        Levels { current, chosen, scroll: Scroll::default() }
    }

    pub(crate) fn key(&mut self, press: Press) -> Reply {
        let last = LEVELS.len() - 1;
        match press.chord.code {
            _ if press.closes() => return Reply::close(),
            KeyCode::Enter => {
                return Reply::close_and(Op::Server(ServerOp::SetThink { think: LEVELS[self.chosen].think }));
            }
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Home | KeyCode::PageUp => self.chosen = 0,
            KeyCode::End | KeyCode::PageDown => self.chosen = last,
            // Whoever types here begins a message.
            _ if press.chord.letter().is_some() => return Reply::make_room(),
            _ => {}
        }
        Reply::stay()
    }

    pub(crate) fn lay_out(&mut self, columns: u16, most: u16, palette: Palette) -> Laid {
        let inside = frame::inner(columns);
        let (mut body, mut keep) = (Vec::new(), 0);
        for number in 0..LEVELS.len() {
            body.extend(self.row(number, inside, palette));
            if number == self.chosen {
                keep = body.len() - 1;
            }
        }
        let keys = [choice("enter", "take it"), choice("↑ ↓", "choose"), choice("esc", "close")];
        let foot = choices(&keys, inside, palette);
        let title = Span::styled("How much the model thinks", palette.strong());
        let parts = Parts { keep: Some(keep), ..Parts::new(title, &body, foot) };
        frame::fit(parts, &mut self.scroll, columns, most, palette)
    }

    fn row(&self, number: usize, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let one = &LEVELS[number];
        let (mark, style) = match number == self.chosen {
            true => ("› ", palette.accent().patch(palette.strong())),
            false => ("  ", palette.text()),
        };
        let column = LEVELS.iter().map(|level| width(level.name)).max().unwrap_or(0);
        let now = if one.think == self.current { ", as it is now" } else { "" };
        let line = Line::from(vec![
            Span::styled(format!("{mark}{:<column$}", one.name), style),
            Span::styled(format!("  {}{now}", one.words), palette.dim()),
        ]);
        wrap(&line, columns, u16::try_from(column + 4).unwrap_or(4))
    }
}
