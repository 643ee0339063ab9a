//! The transcript fed with events and looked at as text.

mod ending;
mod folding;
mod looks;
mod moving;
mod pages;
mod rescue;
mod sessions;
mod story;

use super::Transcript;
use crate::palette::Palette;
use crate::text::highlight::Highlighter;
use agent_protocol::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

fn transcript() -> Transcript {
    Transcript::new(Palette::coloured(), Highlighter::off())
}

/// A transcript that has heard `events`, one each second.
fn after(events: &[Event]) -> Transcript {
    let mut transcript = transcript();
    for (second, event) in (0..).zip(events) {
        transcript.apply(event, Duration::from_secs(second));
        transcript.tick(Duration::from_secs(second));
    }
    transcript
}

/// Presses the key for details until everything is unfolded: once for the newest cell, once for the others.
fn unfold_all(transcript: &mut Transcript) {
    transcript.toggle_details();
    transcript.toggle_details();
}

/// What the screen shows.
fn screen(transcript: &mut Transcript, width: u16, height: u16) -> String {
    transcript.layout(width, height);
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    transcript.draw(area, &mut buffer);
    let row = |y: u16| {
        let mut line = String::new();
        let mut x = 0;
        while x < width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(crate::text::width::width(symbol)).unwrap().max(1);
        }
        line.trim_end().to_owned() + "\n"
    };
    (0..height).map(row).collect()
}

/// All of it, however long.
fn whole(transcript: &mut Transcript, width: u16) -> String {
    transcript.layout(width, 1);
    transcript.scroll_to_start();
    let rows = u16::try_from(transcript.view.total).unwrap();
    screen(transcript, width, rows)
}
