//! Sessions that are kept: what a turn tells of its own, and the errands about all of them.

mod errand;
mod printing;

use crate::printing::streams;
use agent_headless::{End, Streams};
use agent_protocol::{SessionCard, SessionId};
use serde_json::Value;

/// Moves the cursor, colours, turns words round, ends a line.
const EVIL: &str = "\u{1b}[2J\u{9b}31m\u{202e}x\nforged\r\u{8}";

/// 2026-11-22 13:45:01.
const NOW: i64 = 1_795_355_101;

struct Printed {
    end: End,
    out: String,
    progress: String,
}

impl Printed {
    /// Prints with `face`, to a terminal or to a pipe.
    fn by(terminal: bool, face: impl FnOnce(&mut Streams<'_>) -> End) -> Self {
        let (mut out, mut progress) = (Vec::new(), Vec::new());
        let mut streams = streams(&mut out, &mut progress, terminal);
        let end = face(&mut streams);
        Printed { end, out: String::from_utf8(out).unwrap(), progress: String::from_utf8(progress).unwrap() }
    }

    fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one object: {}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }

    /// Nothing of it is obeyed by a terminal, and no foreign text begins a line.
    fn is_tame(&self) -> bool {
        let said = format!("{}{}", self.out, self.progress);
        let obeyed = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
        !said.contains(obeyed) && !said.lines().any(|line| line.starts_with("forged"))
    }
}

/// A session that was last written to `hours` ago.
fn card(id: &str, title: &str, hours: i64) -> SessionCard {
    let updated = NOW - hours * 3_600;
    SessionCard {
        id: SessionId(id.into()),
        title: title.into(),
        project: "/home/me/thing".into(),
        began: updated - 600,
        updated,
        model: Some("qwen3-coder:30b".into()),
        turns: 3,
        bytes: 48_200,
        parent: None,
        open: false,
    }
}

/// Two of one project, one of another; the first is open.
fn cards() -> Vec<SessionCard> {
    let open = SessionCard { open: true, ..card("20261122-131000-3f9a", "Fix the tests", 0) };
    let long = "Why does the list of things to buy cost less than it should, and what has to be done?";
    let none = SessionCard { turns: 0, model: None, bytes: 900, ..card("20261001-080000-77aa", "", 52 * 24) };
    vec![open, card("20261122-091500-00c1", long, 4), SessionCard { project: "/srv/other".into(), ..none }]
}
