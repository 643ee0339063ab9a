//! No server answers: why, and what can be done about it. Its letters go through the `gate`.

use super::frame::{Parts, choice, choices, paragraph};
use super::{Answers, Dialog, Heard, Laid, Lock, Pasted, Press, Reply, Scroll, Space, Surroundings, Then, Words};
use crate::cmd::Cmd;
use crate::settings::Exit;
use agent_clean::figures::seconds;
use agent_protocol::{Event, Op, ServerError, ServerEvent, ServerOp, ServerState, TurnOp};
use ratatui::text::{Line, Span};
use std::time::Duration;

/// The dialog.
#[derive(Debug)]
pub(crate) struct ServerDown {
    trouble: ServerError,
    can_start: bool,
    /// What is being tried, and since when.
    trying: Option<(ServerState, Duration)>,
    lock: Lock,
    scroll: Scroll,
}

impl ServerDown {
    pub(crate) fn new(trouble: ServerError, can_start: bool) -> Self {
        ServerDown { trouble, can_start, trying: None, lock: Lock::default(), scroll: Scroll::default() }
    }

    /// What would be started here, as a person calls it.
    fn program(&self) -> &str {
        match &self.trouble {
            ServerError::Unreachable { program: Some(program), .. } => &program.start,
            _ => "the server",
        }
    }

    fn state(&self, now: Duration) -> Option<String> {
        let (state, since) = self.trying.as_ref()?;
        let time = seconds(now.saturating_sub(*since));
        match state {
            ServerState::Starting => Some(format!("starting {} · {time}", self.program())),
            ServerState::Looking => Some("looking for the server".to_owned()),
            ServerState::Up(_) | ServerState::Down { .. } => None,
        }
    }
}

impl Dialog for ServerDown {
    fn key(&mut self, press: Press, now: Duration) -> Reply {
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

    fn lay_out(&mut self, space: Space) -> Laid {
        let Space { now, palette, .. } = space;
        let columns = space.inside();
        let mut body = paragraph(&self.trouble.to_string(), palette.text(), columns);
        body.extend(paragraph(&self.trouble.advice(), palette.dim(), columns));
        body.extend(self.state(now).map(|state| Line::styled(state, palette.accent())));
        let start = format!("start {}", self.program());
        let mut keys = vec![choice("r", "retry")];
        if self.can_start {
            keys.push(choice("s", &start));
        }
        keys.extend([choice("d", "try the demo, without a server"), choice("esc", "close")]);
        let foot = choices(&keys, columns, palette);
        let title = Span::styled("No model server", palette.warn().patch(palette.strong()));
        space.fit(Parts::new(title, &body, foot), &mut self.scroll)
    }

    fn answers(&self) -> Option<Answers> {
        Some(Answers::new(if self.can_start { "rsd" } else { "rd" }, Words::Draft))
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn paste(&mut self, _text: &str, _now: Duration) -> Pasted {
        Pasted::Passed
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        let Event::Server(ServerEvent::Server { state }) = event else { return Heard::No };
        match state {
            ServerState::Up(_) => return Heard::Over,
            ServerState::Down { trouble, can_start } => {
                (self.trouble, self.can_start, self.trying) = (trouble.clone(), *can_start, None);
            }
            ServerState::Looking | ServerState::Starting => self.trying = Some((state.clone(), around.now)),
        }
        Heard::Shown
    }

    fn lock(&mut self) -> Option<&mut Lock> {
        Some(&mut self.lock)
    }

    fn comes_unbidden(&self) -> bool {
        true
    }

    fn is_of_the_server(&self) -> bool {
        true
    }
}
