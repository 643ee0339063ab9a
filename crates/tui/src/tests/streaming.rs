//! What a long answer costs on the wire, and that the terminal shows it right all the way.

use super::harness::{Stage, turn};
use crate::run::slide;
use crate::terminal::Screen;
use crate::view::{lay_out, view};
use agent_protocol::{Event, TurnEvent};
use ratatui::layout::Size;

/// A paragraph, a list, a table's worth of prose and code, again and again.
const ANSWER: &str = "## How the parser fails\n\nThe parser reads a token ahead and *forgets* it when the line ends, so \
                      the next call to `advance` starts one token too late.\n\n- first it peeks at the token\n- then it \
                      drops what it peeked\n\n```rust\nfn advance(&mut self) -> Token {\n    let token = \
                      self.peeked.take();\n    token.unwrap_or_else(|| self.lexer.next())\n}\n```\n\nWith that the \
                      test passes; 日本語 and 👩\u{200d}👩\u{200d}👧 stay as they are.\n\n";

/// Ten seconds at a hundred tokens a second: a thousand pieces, five in each frame.
const PIECES: usize = 1_000;
const PIECES_A_FRAME: usize = 5;

/// A quarter of what the best peer sends.
const MOST_BYTES: usize = 35_000;

fn pieces() -> Vec<String> {
    let letters: Vec<char> = ANSWER.chars().cycle().take(PIECES * 4).collect();
    letters.chunks(4).map(|letters| letters.iter().collect()).collect()
}

/// The rows of the terminal and of the page; only doubtful characters, which the parser does not join, are left out.
fn alike(terminal: &vt100::Parser, page: &str) -> bool {
    let plain = |row: &str| row.split(['👩', '👧', '\u{200d}']).next().unwrap_or_default().trim_end().to_owned();
    let (_, columns) = terminal.screen().size();
    let rows = terminal.screen().rows(0, columns.into()).map(|row| plain(row.trim_end()));
    let expected = page.lines().map(plain).chain(std::iter::repeat(String::new()));
    rows.zip(expected).all(|(row, expected)| row == expected)
}

#[test]
fn a_streamed_answer_stays_far_below_its_bytes_and_shows_right_in_every_frame() {
    let size = Size::new(120, 40);
    let mut stage = Stage::new();
    let mut screen = Screen::new(size);
    let mut terminal = vt100::Parser::new(40.try_into().unwrap(), 120.try_into().unwrap(), 0);
    let (mut sent, mut place) = (0, None);
    stage.hear(turn("why is the build red?"));
    for pieces in pieces().chunks(PIECES_A_FRAME) {
        for piece in pieces {
            stage.hear(Event::Turn(TurnEvent::Text { text: piece.clone() }));
        }
        let layout = lay_out(&mut stage.app);
        let now_at = (stage.app.regions.transcript, stage.app.transcript.top());
        let hint = place.and_then(|before| slide(before, now_at));
        place = Some(now_at);
        let cursor = view(&stage.app, &layout, screen.page());
        let mut bytes = Vec::new();
        screen.write(cursor, hint, &mut bytes);
        sent += bytes.len();
        terminal.process(&bytes);
        let page = stage.screen();
        assert!(alike(&terminal, &page), "{}\n---\n{page}", terminal.screen().contents());
        stage.wait(50);
    }
    assert!(sent < MOST_BYTES, "{sent} bytes");
}
