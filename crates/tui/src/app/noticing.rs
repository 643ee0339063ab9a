//! What somebody is told who looks at another window: that a question waits, and that a long turn is over. Whether they do, the
//! terminal says; of one that does not say, nobody is told anything.

use super::App;
use crate::cmd::Cmd;
use agent_protocol::sanitize::figures::seconds;
use agent_protocol::{CallEvent, Event, TurnEndReason, TurnEvent};
use std::time::Duration;

/// Who waits less than this does not look elsewhere.
const LONG: Duration = Duration::from_secs(10);

/// Does the terminal have the user's attention?
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// It did not say.
    #[default]
    Unknown,
    Here,
    Elsewhere,
}

impl App {
    /// What is told of `event`, before it changes anything.
    pub(super) fn told_elsewhere(&self, event: &Event) -> Option<Cmd> {
        if self.focus != Focus::Elsewhere {
            return None;
        }
        let place = self.session.project.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let text = match event {
            Event::Call(CallEvent::Asked { question }) => format!("{place} asks: {}", question.preview.title),
            Event::Turn(TurnEvent::Ended { reason, .. }) => {
                let took =
                    self.work.as_ref().map(|work| self.now.saturating_sub(work.began)).filter(|it| *it > LONG)?;
                format!("{place} {} after {}", ended(reason)?, seconds(took))
            }
            Event::Turn(_) | Event::Call(_) | Event::Context(_) => return None,
            Event::Server(_) | Event::Session(_) | Event::List(_) => return None,
        };
        Some(Cmd::Notify(text))
    }
}

/// In a word; nobody is told of what they stopped themselves.
fn ended(reason: &TurnEndReason) -> Option<&'static str> {
    match reason {
        TurnEndReason::Done => Some("is ready"),
        TurnEndReason::Interrupted | TurnEndReason::Lost => None,
        TurnEndReason::Length
        | TurnEndReason::StepLimit
        | TurnEndReason::TimeLimit
        | TurnEndReason::Repeating
        | TurnEndReason::Stuck { .. }
        | TurnEndReason::Full
        | TurnEndReason::TooSmall { .. }
        | TurnEndReason::Broken { .. } => Some("stopped"),
    }
}
