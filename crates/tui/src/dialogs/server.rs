//! No server answers: why, and what can be done about it. Its letters go through the `gate`.

use super::frame::{self, Parts, choice, choices, paragraph};
use super::{Answers, Laid, Lock, Press, Reply, Scroll, Then, Words};
use crate::app::Cmd;
use crate::palette::Palette;
use crate::settings::Exit;
use crate::words::seconds;
use agent_protocol::{Op, ServerOp, ServerState, Trouble, TurnOp};
use ratatui::text::{Line, Span};
use std::time::Duration;

/// The dialog.
#[derive(Debug)]
pub(crate) struct ServerDown {
    trouble: Trouble,
    can_start: bool,
    /// What is being tried, and since when.
    trying: Option<(ServerState, Duration)>,
    pub(crate) lock: Lock,
    pub(crate) scroll: Scroll,
}

impl ServerDown {
    pub(crate) fn new(trouble: Trouble, can_start: bool) -> Self {
        ServerDown { trouble, can_start, trying: None, lock: Lock::default(), scroll: Scroll::default() }
    }

    /// It was looked for again and still does not answer.
    pub(crate) fn still_down(&mut self, trouble: Trouble, can_start: bool) {
        (self.trouble, self.can_start, self.trying) = (trouble, can_start, None);
    }

    /// The server is being looked for, or started.
    pub(crate) fn wait(&mut self, state: ServerState, now: Duration) {
        self.trying = Some((state, now));
    }

    pub(crate) fn answers(&self) -> Answers {
        Answers::new(if self.can_start { "rsd" } else { "rd" }, Words::Draft)
    }

    pub(crate) fn key(&mut self, press: Press, now: Duration) -> Reply {
        if press.closes() {
            return Reply::close();
        }
        match press.chord.letter() {
            Some('r') => {
                self.trying = Some((ServerState::Looking, now));
                Reply::stay_and(Op::Turn(TurnOp::Retry))
            }
            Some('s') if self.can_start => Reply::stay_and(Op::Server(ServerOp::StartServer)),
            Some('d') => Reply { cmds: vec![Cmd::Leave(Exit::Demo)], then: Then::Close },
            _ => Reply::stay(),
        }
    }

    pub(crate) fn lay_out(&mut self, width: u16, most: u16, now: Duration, palette: Palette) -> Laid {
        let columns = frame::inner(width);
        let mut body = paragraph(&self.trouble.to_string(), palette.text(), columns);
        body.extend(paragraph(self.trouble.advice(), palette.dim(), columns));
        body.extend(self.state(now).map(|state| Line::styled(state, palette.accent())));
        let mut keys = vec![choice("r", "retry")];
        if self.can_start {
            keys.push(choice("s", "start ollama serve"));
        }
        keys.extend([choice("d", "try the demo, without a server"), choice("esc", "close")]);
        let foot = choices(&keys, columns, palette);
        let title = Span::styled("No model server", palette.warn().patch(palette.strong()));
        let parts = Parts::new(title, &body, foot);
        frame::fit(parts, &mut self.scroll, width, most, palette)
    }

    fn state(&self, now: Duration) -> Option<String> {
        let (state, since) = self.trying.as_ref()?;
        let time = seconds(now.saturating_sub(*since));
        match state {
            ServerState::Starting => Some(format!("starting ollama serve · {time}")),
            ServerState::Looking => Some("looking for the server".to_owned()),
            ServerState::Up { .. } | ServerState::Down { .. } => None,
        }
    }
}
