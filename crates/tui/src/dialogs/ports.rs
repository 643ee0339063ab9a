//! The list of the ports on which something listens in the sandbox, and a key that opens one to the user: an address
//! of their machine leads there then, until the session ends.

use super::frame::{Parts, choice, choices, paragraph};
use super::list::{lines, mark, moved};
use super::{Answers, Dialog, Heard, Laid, Press, Reply, Scroll, Space, Surroundings, Words};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::width;
use crate::text::wrap::wrap;
use agent_protocol::{CallOp, Event, ListEvent, Op, PortCard};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// The key that opens the chosen one, or closes it.
const LEADS: char = 'o';

/// What is told where there is none.
const NONE: &str = "nothing listens in the sandbox; a server that the model starts in the background shows up here";

/// What is told before it is known.
const LOOKING: &str = "looking …";

#[derive(Debug, Default)]
pub(crate) struct PortList {
    /// `None`: it is not known yet.
    ports: Option<Vec<PortCard>>,
    chosen: usize,
    scroll: Scroll,
}

impl PortList {
    /// They stand like this now.
    pub(crate) fn take(&mut self, ports: Vec<PortCard>) {
        let chosen = self.chosen().map(|card| card.port);
        self.chosen = ports.iter().position(|card| Some(card.port) == chosen).unwrap_or(0);
        self.ports = Some(ports);
    }

    fn all(&self) -> &[PortCard] {
        self.ports.as_deref().unwrap_or_default()
    }

    fn chosen(&self) -> Option<&PortCard> {
        self.all().get(self.chosen)
    }

    fn keys(&self) -> Vec<(String, String)> {
        let lead = self.chosen().map(|card| match card.forwarded {
            None => choice("o", "open it to you"),
            Some(_) => choice("o", "close it"),
        });
        let choose = (self.all().len() > 1).then(|| choice("↑ ↓", "choose"));
        choose.into_iter().chain(lead).chain([choice("Esc", "close")]).collect()
    }

    /// Port and command, and below it where the user reaches it.
    fn row(card: &PortCard, chosen: bool, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let (mark, style) = mark(chosen, palette);
        let head = format!("{mark}{}  ", card.port);
        let indent = u16::try_from(width(&head)).unwrap_or(9);
        let command = match clean_line(&card.command) {
            words if words.is_empty() => "nothing is known of what listens".into(),
            words => words.into_owned(),
        };
        let line = Line::from(vec![Span::styled(head, style), Span::styled(command, style)]);
        let mut lines = wrap(&line, columns, indent);
        let state = match card.forwarded {
            None => "only in the sandbox".to_owned(),
            Some(at) => format!("open to you at http://127.0.0.1:{at}, until the session ends"),
        };
        let state = format!("{}{state}", " ".repeat(usize::from(indent)));
        lines.extend(wrap(&Line::styled(state, palette.dim()), columns, indent));
        lines
    }
}

impl Dialog for PortList {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        match (press.chord.letter(), press.chord.code) {
            _ if press.closes() => return Reply::close(),
            (Some(LEADS), _) => {
                if let Some(card) = self.chosen() {
                    return Reply::stay_and(Op::Call(CallOp::Forward {
                        port: card.port,
                        open: card.forwarded.is_none(),
                    }));
                }
            }
            // Whoever types here begins a message.
            (Some(_), _) => return Reply::make_room(),
            (None, KeyCode::Enter) => return Reply::close(),
            (None, _) => self.chosen = moved(press, self.chosen, self.all().len()).unwrap_or(self.chosen),
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let row = |card, chosen| PortList::row(card, chosen, inside, palette);
        let (mut body, keep) = lines(self.all(), self.chosen, row);
        if body.is_empty() {
            let said = if self.ports.is_some() { NONE } else { LOOKING };
            body = paragraph(said, palette.dim(), inside);
        }
        let foot = choices(&self.keys(), inside, palette);
        let title = Span::styled("Ports of the sandbox", palette.strong());
        space.fit(Parts { keep, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    fn answers(&self) -> Option<Answers> {
        let keys = self.chosen().map(|_| LEADS.to_string());
        Some(Answers::new(keys.unwrap_or_default(), Words::Instead))
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn hear(&mut self, event: &Event, _around: &Surroundings<'_>) -> Heard {
        let Event::List(ListEvent::Ports { ports }) = event else { return Heard::No };
        self.take(ports.clone());
        Heard::Shown
    }
}
