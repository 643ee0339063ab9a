//! The last line: which model, which mode, how full the window is, and the keys that matter now.
//!
//! Where it is too narrow, the least important part goes first, or is said in fewer words. The mode never goes, and
//! warnings only after all else.

use crate::app::{App, Work};
use crate::clean::clean_line;
use crate::keymap::Deed;
use crate::session::Title;
use crate::text::width::{line_width, shorten, width};
use crate::think;
use agent_clean::figures::{seconds, short, window};
use agent_protocol::{Mode, SandboxKind};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// A model's name longer than this is cut.
const LONGEST_NAME: usize = 32;
/// So is a title.
const LONGEST_TITLE: usize = 24;
/// More than so many percent of the window make it nearly full.
const NEARLY_FULL: u64 = 85;

/// One part of the line; those with the lowest `weight` go first where room is short.
struct Part {
    text: String,
    /// The same in fewer columns, for where the text finds no room.
    terse: Option<String>,
    style: Style,
    weight: u8,
    place: Alignment,
}

impl Part {
    fn left(text: String, style: Style, weight: u8) -> Part {
        Part { text, terse: None, style, weight, place: Alignment::Left }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

/// The line for a screen so wide.
pub(crate) fn line(app: &App, columns: u16) -> Line<'static> {
    let mut parts = facts(app);
    parts.extend(keys(app));
    let mut by_weight: Vec<usize> = (0..parts.len()).collect();
    by_weight.sort_by_key(|part| std::cmp::Reverse(parts[*part].weight));
    // The weightiest have their room first; a lighter one may still find some.
    let mut shown = vec![false; parts.len()];
    for part in by_weight {
        shown[part] = true;
        let fits = |parts: &[Part]| line_width(&compose(parts, &shown, app, columns)) <= usize::from(columns);
        let mut found = fits(&parts);
        if let Some(terse) = parts[part].terse.take().filter(|_| !found) {
            parts[part].text = terse;
            found = fits(&parts);
        }
        shown[part] = found;
    }
    compose(&parts, &shown, app, columns)
}

fn compose(parts: &[Part], shown: &[bool], app: &App, columns: u16) -> Line<'static> {
    let at = |place| parts.iter().zip(shown).filter(move |(part, shown)| **shown && part.place == place);
    let mut spans = vec![Span::raw(" "), mode(app)];
    for (part, _) in at(Alignment::Left) {
        spans.push(Span::styled("  ", app.palette.dim()));
        spans.push(Span::styled(part.text.clone(), part.style));
    }
    let keys: Vec<&str> = at(Alignment::Right).map(|(part, _)| part.text.as_str()).collect();
    let keys = if keys.is_empty() { String::new() } else { format!("  {} ", keys.join(" · ")) };
    let used: usize = spans.iter().map(|span| width(&span.content)).sum::<usize>() + width(&keys);
    spans.push(Span::raw(" ".repeat(usize::from(columns).saturating_sub(used))));
    spans.push(Span::styled(keys, app.palette.dim()));
    Line::from(spans)
}

/// In place of the mode, where commands run without the sandbox and nothing is asked.
const THROWN_AWAY: &str = " NO SANDBOX ";

/// The mode tells itself apart by word, by weight and by colour.
fn mode(app: &App) -> Span<'static> {
    let palette = app.palette;
    let red = palette.bad().add_modifier(Modifier::BOLD | Modifier::REVERSED);
    match app.session.mode {
        // Whatever the mode would ask is not asked there; in plan mode nothing is changed all the same.
        Mode::Safe | Mode::AcceptEdits | Mode::Unsafe if app.session.is_disposable() => Span::styled(THROWN_AWAY, red),
        Mode::Safe => Span::styled("SAFE", palette.good().patch(palette.strong())),
        Mode::AcceptEdits => Span::styled("EDITS", palette.good().patch(palette.strong())),
        Mode::Plan => Span::styled("PLAN", palette.calm().patch(palette.strong())),
        Mode::Unsafe => Span::styled(" UNSAFE ", red),
    }
}

fn facts(app: &App) -> Vec<Part> {
    let mut parts = surroundings(app);
    parts.extend(model(app));
    parts.extend(context(app));
    parts.extend(figures(app));
    parts
}

/// The server, what holds commands in, and where what happens is kept: what is not as it should be.
fn surroundings(app: &App) -> Vec<Part> {
    let (session, palette) = (&app.session, app.palette);
    let mut parts = Vec::new();
    let mut part = |text: String, style: Style, weight: u8| parts.push(Part::left(text, style, weight));
    if app.settings.demo {
        part("DEMO".into(), palette.warn().patch(palette.strong()), 11);
    }
    if session.is_down() {
        part("no server".into(), palette.warn(), 12);
    }
    if session.is_starting() {
        part("starting the server".into(), palette.dim(), 12);
    }
    if let Some(sandbox) = &session.sandbox {
        match sandbox.kind {
            SandboxKind::Kernel => {}
            SandboxKind::None => part("no sandbox".into(), palette.warn(), 13),
            SandboxKind::Off => part("sandbox off".into(), palette.warn(), 13),
            // It stands in place of the mode, but for plan mode.
            SandboxKind::Disposable if session.mode == Mode::Plan => part("no sandbox".into(), palette.warn(), 13),
            SandboxKind::Disposable => {}
        }
    }
    if session.exposed {
        part(host(&session.host), palette.dim(), 6);
        part("unencrypted".into(), palette.bad(), 13);
    }
    if session.unkept.is_some() {
        part("not saved".into(), palette.warn(), 13);
    }
    parts
}

/// The model, what it can call, and what there is to do.
fn model(app: &App) -> Vec<Part> {
    let (session, palette) = (&app.session, app.palette);
    let name = match &session.model {
        Some(model) => Part::left(shorten(&clean_line(&model.name), LONGEST_NAME).into_owned(), palette.text(), 10),
        None => Part::left("no model".into(), palette.dim(), 10),
    };
    let mut parts = vec![name];
    if session.lacks_tools() {
        parts.push(Part::left("no tools".into(), palette.warn(), 12));
    }
    if session.tools_by_text() {
        parts.push(Part::left("tools by text".into(), palette.dim(), 7));
    }
    if session.works_by_files() {
        parts.push(Part::left("by files".into(), palette.dim(), 7));
    }
    parts.extend(sandbox(app));
    if let Some(todo) = app.todos.status() {
        parts.push(Part::left(todo, palette.dim(), 8));
    }
    if let Some(jobs) = app.jobs.status() {
        parts.push(Part::left(jobs, palette.dim(), 8));
    }
    parts
}

/// `context 11.2k / 32k`: how many tokens of the window are used.
fn context(app: &App) -> Option<Part> {
    let session = &app.session;
    let used = format!("{} / {}", short(session.used), window(session.window));
    let part = Part { terse: Some(used.clone()), ..Part::left(format!("context {used}"), fullness(app), 9) };
    (session.window > 0).then_some(part)
}

/// How fast the model is, and how long it took.
fn figures(app: &App) -> Vec<Part> {
    let (session, palette) = (&app.session, app.palette);
    let mut parts = Vec::new();
    let mut part = |text: String, style: Style, weight: u8| parts.push(Part::left(text, style, weight));
    if let Some(percent) = session.gpu_percent() {
        // What lies beside the card is what makes a model slow; that all of it lies there is only good to know.
        part(format!("gpu {percent} %"), palette.dim(), if percent < 100 { 10 } else { 3 });
    }
    if session.think.is_some() {
        part(format!("think {}", think::level(session.think).name), palette.dim(), 7);
    }
    if let Some(speed) = speed(app) {
        part(speed, palette.dim(), 4);
    }
    let time = app.work.as_ref().map(|work| app.now.saturating_sub(work.began)).or(session.last_turn);
    if let Some(time) = time {
        part(seconds(time), palette.dim(), 6);
    }
    if let Some(Title::Given(title)) = &session.title {
        part(format!("“{}”", shorten(&clean_line(title), LONGEST_TITLE)), palette.dim(), 2);
    }
    parts
}

/// `sandbox: Landlock`: what holds commands in, in a word.
fn sandbox(app: &App) -> Option<Part> {
    let sandbox = app.session.sandbox.as_ref().filter(|sandbox| sandbox.kind == SandboxKind::Kernel)?;
    let words = clean_line(&sandbox.words);
    let word = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let text = format!("sandbox: {}", shorten(word, LONGEST_NAME));
    Some(Part { terse: Some("sandbox".to_owned()), ..Part::left(text, app.palette.dim(), 5) })
}

/// The server without what everybody knows of its address.
fn host(host: &str) -> String {
    let host = clean_line(host);
    let bare = host.trim_start_matches("http://").trim_end_matches('/');
    shorten(bare, LONGEST_NAME).into_owned()
}

/// `~52 tok/s` of the reply under way, as its pieces come; `52 tok/s` of the last one, as the server counted.
fn speed(app: &App) -> Option<String> {
    match app.work.as_ref().and_then(Work::speed) {
        Some(speed) => Some(format!("~{speed:.0} tok/s")),
        None => app.session.usage.tokens_per_second().map(|speed| format!("{speed:.0} tok/s")),
    }
}

/// A window nearly full must be seen.
fn fullness(app: &App) -> Style {
    let full = app.session.used.saturating_mul(100) > app.session.window.saturating_mul(NEARLY_FULL);
    if full { app.palette.warn() } else { app.palette.dim() }
}

/// The keys that matter now. What changes how much is asked outlives the figures.
fn keys(app: &App) -> Vec<Part> {
    let label = |deed| app.keymap.label(deed);
    let asked = !app.questions.is_empty() || app.dialog.is_some();
    let mut keys = Vec::new();
    let mut key = |text: String, weight: u8| {
        keys.push(Part { place: Alignment::Right, ..Part::left(text, Style::new(), weight) })
    };
    if asked {
        return keys;
    }
    if !app.transcript.following() {
        key(format!("{} to the end", label(Deed::ToEnd)), 7);
    }
    key("? keys".into(), 6);
    key("/ commands".into(), 3);
    key(format!("{} {}", label(Deed::SwitchMode), mode_name(app.session.next_mode())), 8);
    key(format!("{} details", label(Deed::Details)), 2);
    keys
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Safe => "safe",
        Mode::AcceptEdits => "edits",
        Mode::Plan => "plan",
        Mode::Unsafe => "unsafe",
    }
}
