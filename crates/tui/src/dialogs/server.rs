//! No server answers: why, and what can be done about it. Its letters go through the `gate`.

use super::frame::{Parts, choice, choices, paragraph};
use super::{Answers, Dialog, Heard, Laid, Lock, Pasted, Press, Reply, Scroll, Space, Surroundings, Then, Words};
use crate::clean::clean_line;
use crate::cmd::Cmd;
use crate::settings::{Exit, ServerChoice};
use agent_protocol::sanitize::figures::seconds;
use agent_protocol::{Event, NearbyServer, Op, ServerError, ServerEvent, ServerOp, ServerState, TurnOp};
use ratatui::text::{Line, Span};
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct ServerDown {
    trouble: ServerError,
    can_start: bool,
    /// Others on this machine; the keys `1` and on take them.
    nearby: Vec<NearbyServer>,
    /// What is being tried, and since when.
    trying: Option<(ServerState, Duration)>,
    lock: Lock,
    scroll: Scroll,
}

impl ServerDown {
    pub(crate) fn new(trouble: ServerError, can_start: bool) -> Self {
        ServerDown {
            trouble,
            can_start,
            nearby: Vec::new(),
            trying: None,
            lock: Lock::default(),
            scroll: Scroll::default(),
        }
    }

    /// What would be started here, as a person calls it.
    fn program(&self) -> &str {
        match &self.trouble {
            ServerError::Unreachable { program: Some(program), .. } => &program.start,
            _ => "the server",
        }
    }

    /// The server that the key `digit` takes.
    fn chosen(&self, digit: char) -> Option<&NearbyServer> {
        let number = digit.to_digit(10)?.checked_sub(1)?;
        self.nearby.get(usize::try_from(number).ok()?)
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
            Some(digit) => self.chosen(digit).map_or_else(Reply::stay, |server| {
                let choice = ServerChoice::At(server.host.clone());
                Reply { cmds: vec![Cmd::Leave(Exit::Server(choice))], then: Then::Close }
            }),
            None => Reply::stay(),
        }
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let Space { now, palette, .. } = space;
        let columns = space.inside();
        let mut body = paragraph(&self.trouble.to_string(), palette.text(), columns);
        body.extend(paragraph(&self.trouble.advice(), palette.dim(), columns));
        body.extend(self.state(now).map(|state| Line::styled(state, palette.accent())));
        if !self.nearby.is_empty() {
            body.extend(paragraph("Running on this machine:", palette.text(), columns));
        }
        let others = self.nearby.iter().enumerate();
        body.extend(others.map(|(index, server)| {
            let words = format!("{} at {}", clean_line(&server.name), clean_line(&server.host));
            Line::from(vec![Span::styled(format!("  {}  ", index + 1), palette.accent()), Span::raw(words)])
        }));
        let start = format!("start {}", self.program());
        let digits = if self.nearby.len() > 1 { format!("1–{}", self.nearby.len()) } else { "1".to_owned() };
        let mut keys = Vec::new();
        if !self.nearby.is_empty() {
            keys.push(choice(&digits, "use it, and remember it"));
        }
        keys.push(choice("r", "retry"));
        if self.can_start {
            keys.push(choice("s", &start));
        }
        keys.extend([choice("d", "try the demo, without a server"), choice("Esc", "close")]);
        let foot = choices(&keys, columns, palette);
        let title = Span::styled("No model server", palette.warn().patch(palette.strong()));
        space.fit(Parts::new(title, &body, foot), &mut self.scroll)
    }

    fn answers(&self) -> Option<Answers> {
        let digits: String = "123456789".chars().take(self.nearby.len()).collect();
        Some(Answers::new(format!("{}{digits}", if self.can_start { "rsd" } else { "rd" }), Words::Draft))
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn paste(&mut self, _text: &str, _now: Duration) -> Pasted {
        Pasted::Passed
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        let state = match event {
            Event::Server(ServerEvent::Server { state }) => state,
            Event::Server(ServerEvent::Nearby { servers }) => {
                self.nearby.clone_from(servers);
                return Heard::Shown;
            }
            _ => return Heard::No,
        };
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
