//! The last line: the folder and the keys that matter now on its left; the model, how full the window is, and the mode on its
//! right.
//!
//! Where it is too narrow, the least important part goes first, or is said in fewer words. The mode never goes, and
//! warnings only after all else.

use crate::app::{App, Work};
use crate::clean::clean_line;
use crate::keymap::Deed;
use crate::text::width::{line_width, shorten, width};
use crate::think;
use agent_frontend::Title;
use agent_protocol::sanitize::figures::{seconds, short, window};
use agent_protocol::{Mode, SandboxKind};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// A model's name longer than this is cut.
const LONGEST_NAME: usize = 32;
/// So are a title, a folder and a branch.
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
    fn right(text: String, style: Style, weight: u8) -> Part {
        Part { text, terse: None, style, weight, place: Alignment::Right }
    }

    fn left(text: String, style: Style, weight: u8) -> Part {
        Part { place: Alignment::Left, ..Part::right(text, style, weight) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

/// The line for a screen so wide.
pub(crate) fn line(app: &App, columns: u16) -> Line<'static> {
    let mut parts = place(app);
    parts.extend(keys(app));
    parts.extend(facts(app));
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
    let span = |(part, _): (&Part, &bool)| Span::styled(part.text.clone(), part.style);
    let dim = app.palette.dim();
    let left = at(Alignment::Left).map(span).flat_map(|span| [Span::styled("  ", dim), span]).skip(1);
    let left: Vec<Span<'static>> = std::iter::once(Span::raw(" ")).chain(left).collect();
    let mut right: Vec<Span<'static>> =
        at(Alignment::Right).map(span).flat_map(|span| [span, Span::styled("  ", dim)]).collect();
    right.extend([mode(app), Span::raw(" ")]);
    let used: usize = left.iter().chain(&right).map(|span| width(&span.content)).sum();
    let least = if left.len() > 1 { 2 } else { 0 };
    let gap = Span::raw(" ".repeat(usize::from(columns).saturating_sub(used).max(least)));
    Line::from_iter(left.into_iter().chain([gap]).chain(right))
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

/// The project folder and what is checked out in it.
fn place(app: &App) -> Vec<Part> {
    let (session, dim) = (&app.session, app.palette.dim());
    let short = |name: &str| shorten(&clean_line(name), LONGEST_TITLE).into_owned();
    let Some(folder) = session.project.file_name() else { return Vec::new() };
    let folder = short(&folder.to_string_lossy());
    match &session.branch {
        Some(branch) => {
            let both = format!("{folder} ({})", short(branch));
            vec![Part { terse: Some(folder), ..Part::left(both, dim, 5) }]
        }
        None => vec![Part::left(folder, dim, 5)],
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
    let mut part = |text: String, style: Style, weight: u8| parts.push(Part::right(text, style, weight));
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
        Some(model) => Part::right(shorten(&clean_line(&model.name), LONGEST_NAME).into_owned(), palette.text(), 10),
        None => Part::right("no model".into(), palette.dim(), 10),
    };
    let mut parts = vec![name];
    if session.model.as_ref().is_some_and(|model| model.remote_host.is_some()) {
        parts.push(Part::right("cloud".into(), palette.warn(), 12));
    }
    if session.lacks_tools() {
        parts.push(Part::right("no tools".into(), palette.warn(), 12));
    }
    if session.tools_by_text() {
        parts.push(Part::right("tools by text".into(), palette.dim(), 7));
    }
    if session.works_by_files() {
        parts.push(Part::right("by files".into(), palette.dim(), 7));
    }
    parts.extend(sandbox(app));
    if let Some(todo) = app.todos.status() {
        parts.push(Part::right(todo, palette.dim(), 8));
    }
    if let Some(jobs) = app.jobs.status() {
        parts.push(Part::right(jobs, palette.dim(), 8));
    }
    parts
}

/// `context 11.2k / 32k`: how many tokens of the window are used.
fn context(app: &App) -> Option<Part> {
    let session = &app.session;
    let used = format!("{} / {}", short(session.used), window(session.window));
    let part = Part { terse: Some(used.clone()), ..Part::right(format!("context {used}"), fullness(app), 9) };
    (session.window > 0).then_some(part)
}

/// How fast the model is, and how long it took.
fn figures(app: &App) -> Vec<Part> {
    let (session, palette) = (&app.session, app.palette);
    let mut parts = Vec::new();
    let mut part = |text: String, style: Style, weight: u8| parts.push(Part::right(text, style, weight));
    if let Some(percent) = session.gpu_percent() {
        // What lies beside the card is what makes a model slow; that all of it lies there is only good to know.
        part(format!("gpu {percent} %"), palette.dim(), if percent < 100 { 10 } else { 3 });
    }
    if session.think.is_some() {
        part(format!("think {}", think::level(session.think).name), palette.dim(), 7);
    }
    if let Some(speed) = app.work.as_ref().and_then(Work::speed) {
        part(format!("~{speed:.0} tok/s"), palette.dim(), 4);
    }
    let time = app.work.as_ref().map(|work| app.clock().saturating_sub(work.began)).or(session.last_turn);
    if let Some(time) = time {
        part(seconds(time), palette.dim(), 6);
    }
    if let Some(Title::Given(title)) = &session.title {
        part(format!("“{}”", shorten(&clean_line(title), LONGEST_TITLE)), palette.dim(), 5);
    }
    parts
}

/// `sandbox: Landlock`: what holds commands in, in a word.
fn sandbox(app: &App) -> Option<Part> {
    let sandbox = app.session.sandbox.as_ref().filter(|sandbox| sandbox.kind == SandboxKind::Kernel)?;
    let words = clean_line(&sandbox.words);
    let word = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let text = format!("sandbox: {}", shorten(word, LONGEST_NAME));
    Some(Part { terse: Some("sandbox".to_owned()), ..Part::right(text, app.palette.dim(), 5) })
}

/// The server without what everybody knows of its address.
fn host(host: &str) -> String {
    let host = clean_line(host);
    let bare = host.trim_start_matches("http://").trim_end_matches('/');
    shorten(bare, LONGEST_NAME).into_owned()
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
    let mut key = |text: String, weight: u8| keys.push(Part::left(text, app.palette.dim(), weight));
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
