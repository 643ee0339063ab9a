//! The last line: which model, which mode, how full the window is, and the keys that matter now.
//!
//! Where it is too narrow, the least important part goes first. The mode never does.

use crate::app::App;
use crate::clean::clean_line;
use crate::keymap::Deed;
use crate::palette::Palette;
use crate::text::width::{line_width, shorten, width};
use crate::words::{seconds, short, window};
use agent_protocol::Mode;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// A model's name longer than this is cut.
const LONGEST_NAME: usize = 32;

/// One part of the line; those with the highest `drop` go first where room is short.
struct Part {
    text: String,
    style: Style,
    drop: u8,
}

/// The line for a screen so wide.
pub(crate) fn line(app: &App, columns: u16) -> Line<'static> {
    let mut left = facts(app);
    let mut right = keys(app);
    loop {
        let line = compose(&left, &right, app, columns);
        if line_width(&line) <= usize::from(columns) {
            return line;
        }
        let most = left.iter().chain(&right).map(|part| part.drop).max();
        let Some(most) = most else { return line };
        left.retain(|part| part.drop < most);
        right.retain(|part| part.drop < most);
    }
}

fn compose(left: &[Part], right: &[Part], app: &App, columns: u16) -> Line<'static> {
    let mut spans = vec![Span::raw(" "), mode(app.session.mode, app.palette)];
    for part in left {
        spans.push(Span::styled("  ", app.palette.dim()));
        spans.push(Span::styled(part.text.clone(), part.style));
    }
    let keys: Vec<&str> = right.iter().map(|part| part.text.as_str()).collect();
    let keys = if keys.is_empty() { String::new() } else { format!("  {} ", keys.join(" · ")) };
    let used: usize = spans.iter().map(|span| width(&span.content)).sum::<usize>() + width(&keys);
    spans.push(Span::raw(" ".repeat(usize::from(columns).saturating_sub(used))));
    spans.push(Span::styled(keys, app.palette.dim()));
    Line::from(spans)
}

/// The mode tells itself apart by word, by weight and by colour.
fn mode(mode: Mode, palette: Palette) -> Span<'static> {
    match mode {
        Mode::Safe => Span::styled("SAFE", palette.good().patch(palette.strong())),
        Mode::Unsafe => {
            Span::styled(" UNSAFE ", palette.paint(Color::Red).add_modifier(Modifier::BOLD | Modifier::REVERSED))
        }
    }
}

fn facts(app: &App) -> Vec<Part> {
    let (session, palette) = (&app.session, app.palette);
    let mut parts = Vec::new();
    let mut part = |text: String, style: Style, drop: u8| parts.push(Part { text, style, drop });
    if app.settings.demo {
        part("DEMO".into(), palette.warn().patch(palette.strong()), 2);
    }
    if session.is_down() {
        part("no server".into(), palette.warn(), 1);
    }
    if session.is_starting() {
        part("starting the server".into(), palette.dim(), 1);
    }
    match &session.model {
        Some(model) => {
            part(shorten(&clean_line(&model.name), LONGEST_NAME).into_owned(), palette.text(), 3);
        }
        None => part("no model".into(), palette.dim(), 3),
    }
    if session.lacks_tools() {
        part("no tools".into(), palette.warn(), 1);
    }
    if session.window > 0 {
        part(format!("ctx {}/{}", short(session.used), window(session.window)), fullness(app), 4);
    }
    if let Some(speed) = session.usage.tokens_per_second() {
        part(format!("{speed:.0} tok/s"), palette.dim(), 8);
    }
    let time = app.work.as_ref().map(|work| app.now.saturating_sub(work.began)).or(session.last_turn);
    if let Some(time) = time {
        part(seconds(time), palette.dim(), 6);
    }
    parts
}

/// A window nearly full must be seen.
fn fullness(app: &App) -> Style {
    let full = app.session.used.saturating_mul(10) >= app.session.window.saturating_mul(8);
    if full { app.palette.warn() } else { app.palette.dim() }
}

/// The keys that matter now, the most important first.
fn keys(app: &App) -> Vec<Part> {
    let label = |deed| app.keymap.label(deed);
    let asked = !app.questions.is_empty() || app.dialog.is_some();
    let mut keys = Vec::new();
    let mut key = |text: String, drop: u8| keys.push(Part { text, style: Style::new(), drop });
    if asked {
        return keys;
    }
    if !app.transcript.following() {
        key(format!("{} to the end", label(Deed::ToEnd)), 7);
    }
    key("? keys".into(), 9);
    key("/ commands".into(), 10);
    key(format!("{} {}", label(Deed::SwitchMode), other_mode(app.session.mode)), 11);
    key(format!("{} details", label(Deed::Details)), 12);
    keys
}

fn other_mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Safe => "unsafe",
        Mode::Unsafe => "safe",
    }
}
