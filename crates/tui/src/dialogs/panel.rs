//! Panels that only tell something: the sheet of keys, the status. Others are in `tools`, `sandbox` and `context`.

use super::frame::{Parts, choice, choices};
use super::shares::Shares;
use super::{Dialog, Laid, Press, Reply, Scroll, Space};
use crate::clean::clean_line;
use crate::keymap::Keymap;
use crate::palette::Palette;
use crate::settings::Mouse;
use crate::text::width::{shorten, width};
use crate::text::wrap::wrap;
use crate::think;
use crate::transcript;
use agent_frontend::{Session, Title};
use agent_protocol::sanitize::figures::{short, window};
use agent_protocol::{Mode, ServerState};
use agent_protocol::{SandboxKind, SandboxSupport};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// A panel: headings, and pairs of a word and what there is to say about it.
#[derive(Debug)]
pub(crate) struct Panel {
    title: &'static str,
    rows: Vec<PanelRow>,
    scroll: Scroll,
}

/// A row of a panel. Everything in it is clean.
#[derive(Debug)]
pub(super) enum PanelRow {
    Blank,
    Heading(&'static str),
    Pair(String, String),
    /// A line by itself.
    Text(String),
    /// What must not be overlooked.
    Warning(String),
    Shares(Shares),
    /// A pair with a figure between its word and its text.
    Figure {
        word: String,
        figure: String,
        text: String,
    },
}

/// The keys at a question; they stand below it as well, where they mean something.
const ASKED: &[(&str, &str)] = &[
    ("y, n", "approve once, or reject: a letter by itself, or with Enter right after it"),
    ("a to d", "approve, and a rule: don't ask again for what is spelled out there"),
    ("e, E, w", "edit it first; in your editor; ask about a command again with wider access"),
    ("[ ], Space", "another hunk of a change; leave it out, or take it in again"),
    ("f, o, t", "the whole file around a change; open its folded lines; both texts side by side"),
    ("Tab", "add a word to the model"),
    ("← →", "from file to file, where there are several"),
    ("r", "send a plan back with a word"),
    ("1 to 9, ↑ ↓", "choose an answer to the model, Enter gives it; or type your own"),
    ("PgDn, PgUp", "read on: approving what was not all seen is asked for twice"),
    ("Esc", "reject and stop"),
];

/// The keys of the composer that cannot be set.
const WRITING: &[(&str, &str)] = &[
    ("↑ ↓", "from line to line, then through your earlier messages; ↑ takes queued ones back"),
    ("Ctrl+A, Ctrl+E", "to the start or the end of the line"),
    ("Alt+B, Alt+F", "a word back or on (so do Ctrl+← and Ctrl+→)"),
    ("Ctrl+W, Alt+D", "cut the word before or after"),
    ("Ctrl+U, Ctrl+K", "cut to the start or the end of the line"),
    ("Ctrl+Y", "put back what was cut"),
    ("Ctrl+_", "undo"),
    ("Ctrl+C", "clear the text, else stop the model, else leave (twice)"),
    ("Ctrl+D", "leave, when nothing is written"),
    ("click, drag", "with the mouse: unfold or fold; select and copy"),
    ("Shift+drag", "select as the terminal does it, whoever has the mouse"),
];

/// Columns with less than which a text goes below what it is about.
const LEAST_TEXT: usize = 24;

impl Panel {
    pub(super) fn new(title: &'static str, rows: Vec<PanelRow>) -> Self {
        Panel { title, rows, scroll: Scroll::default() }
    }

    /// The sheet of keys and commands; `commands` in groups, each with its heading.
    pub(crate) fn keys(keymap: &Keymap, commands: Vec<(&'static str, Vec<(String, String)>)>) -> Self {
        let mut rows = vec![PanelRow::Heading("Keys")];
        rows.extend(keymap.sheet().map(|(keys, words)| PanelRow::Pair(keys, words.to_owned())));
        for (heading, keys) in [("At a question", ASKED), ("Writing", WRITING)] {
            rows.push(PanelRow::Heading(heading));
            rows.extend(keys.iter().map(|(keys, words)| PanelRow::Pair((*keys).into(), (*words).into())));
        }
        for (heading, commands) in commands {
            rows.push(PanelRow::Heading(heading));
            rows.extend(commands.into_iter().map(|(command, words)| PanelRow::Pair(command, words)));
        }
        Panel::new("Keys and commands", rows)
    }

    /// What is known of the session.
    pub(crate) fn status(session: &Session, version: &str, mouse: Mouse) -> Self {
        let mut rows = vec![pair("agent", version), pair("project", session.project.display().to_string())];
        rows.extend(kept(session));
        rows.push(pair("server", format!("{} · {}", session.host, server_words(session))));
        if session.exposed {
            rows.push(pair("", "unencrypted: others on the way to the server can read along"));
        }
        rows.extend(model(session));
        rows.extend(session.sandbox.as_ref().map(|sandbox| pair("sandbox", sandbox_words(sandbox))));
        rows.push(pair("mode", mode_words(session.mode)));
        rows.push(pair(
            "tools",
            match session.lacks_tools() {
                true => "none offered; /tools says why".to_owned(),
                false => format!("{}; /tools lists them", session.tools_offered()),
            },
        ));
        rows.push(pair(
            "mouse",
            match mouse {
                Mouse::Captured => "ours: the wheel scrolls, a drag selects and copies",
                Mouse::Free => "the terminal's: dragging selects",
            },
        ));
        Panel::new("Status", rows)
    }

    fn lines(&self, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let words = self.rows.iter().filter_map(|row| match row {
            PanelRow::Pair(word, _) | PanelRow::Figure { word, .. } => Some(width(word)),
            PanelRow::Blank | PanelRow::Heading(_) | PanelRow::Text(_) | PanelRow::Warning(_) | PanelRow::Shares(_) => {
                None
            }
        });
        let figure =
            |row: &PanelRow| if let PanelRow::Figure { figure, .. } = row { Some(width(figure)) } else { None };
        let figures = self.rows.iter().filter_map(figure);
        let figures = figures.max().unwrap_or(0);
        let column = words.max().unwrap_or(0).min(usize::from(columns) / 2) + 2;
        let mut lines = Vec::new();
        for row in &self.rows {
            match row {
                PanelRow::Blank => lines.push(Line::default()),
                PanelRow::Heading(heading) => {
                    if !lines.is_empty() {
                        lines.push(Line::default());
                    }
                    lines.push(Line::styled(*heading, palette.strong()));
                }
                PanelRow::Warning(text) => {
                    let text = Span::raw(format!("! {text}"));
                    lines.extend(wrap(&Line::from(text).style(palette.warn()), columns, 2));
                }
                PanelRow::Text(text) => lines.extend(wrap(&Line::from(text.clone()), columns, 2)),
                PanelRow::Shares(shares) => lines.extend(shares.lines(columns, palette)),
                PanelRow::Pair(word, text) => lines.extend(pair_lines(word, text, column, columns, palette)),
                PanelRow::Figure { word, figure, text } => {
                    let figure = format!("{}{figure}", " ".repeat(figures - width(figure)));
                    lines.extend(figure_lines(word, figure, text, column, columns, palette));
                }
            }
        }
        lines
    }
}

impl Dialog for Panel {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        match press.chord.letter() {
            // The key that opened it.
            Some('?') => return Reply::close(),
            // Nobody asked for an answer: whoever types here begins a message.
            Some(_) => return Reply::make_room(),
            None if press.closes() || press.chord.is(KeyCode::Enter) => return Reply::close(),
            None => {}
        }
        self.scroll.key(press);
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let body = self.lines(inside, palette);
        let foot = choices(&[choice("Esc", "close"), choice("↑ ↓", "scroll")], inside, palette);
        let title = Span::styled(self.title, palette.strong());
        space.fit(Parts::new(title, &body, foot), &mut self.scroll)
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }
}

/// A word and what there is to say about it; below it where the word is too long for its column.
fn pair_lines(word: &str, text: &str, column: usize, columns: u16, palette: Palette) -> Vec<Line<'static>> {
    let word = Span::styled(word.to_owned(), palette.accent());
    let hanging = u16::try_from(column).unwrap_or(0);
    let text = Span::raw(text.to_owned());
    match column.checked_sub(width(&word.content)).filter(|gap| *gap > 0) {
        Some(gap) => wrap(&Line::from(vec![word, Span::raw(" ".repeat(gap)), text]), columns, hanging),
        None => {
            let mut lines = wrap(&Line::from(word), columns, 0);
            lines.extend(wrap(&Line::from(vec![Span::raw("    "), text]), columns, 4));
            lines
        }
    }
}

/// The same with a figure before the text; the text goes below both where it would have hardly any room beside them.
fn figure_lines(
    word: &str,
    figure: String,
    text: &str,
    column: usize,
    columns: u16,
    palette: Palette,
) -> Vec<Line<'static>> {
    let name = shorten(word, column.saturating_sub(1)).into_owned();
    let gap = " ".repeat(column - width(&name));
    let hanging = column + width(&figure) + 2;
    let mut head = vec![Span::styled(name, palette.accent()), Span::raw(gap), Span::styled(figure, palette.dim())];
    if usize::from(columns) < hanging + LEAST_TEXT {
        let below = Line::from(vec![Span::raw("  "), Span::raw(text.to_owned())]);
        return std::iter::once(Line::from(head)).chain(wrap(&below, columns, 2)).collect();
    }
    head.extend([Span::raw("  "), Span::raw(text.to_owned())]);
    wrap(&Line::from(head), columns, u16::try_from(hanging).unwrap_or(0))
}

pub(super) fn pair(word: impl AsRef<str>, text: impl AsRef<str>) -> PanelRow {
    PanelRow::Pair(clean_line(word.as_ref()).into_owned(), clean_line(text.as_ref()).into_owned())
}

/// What a mode means, in words.
pub(crate) fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Safe => "safe: every write and every command asks first",
        Mode::AcceptEdits => {
            "accept-edits: edits inside the project need no question, everything else is as in safe mode"
        }
        Mode::Plan => "plan: the model only looks, and ends with a plan that you decide on",
        Mode::Unsafe => "unsafe: only what leaves the project asks",
    }
}

/// How it stands with the server, in words.
pub(crate) fn server_words(session: &Session) -> String {
    match &session.server {
        None | Some(ServerState::Looking) => "being looked for".to_owned(),
        Some(ServerState::Starting) => "being started".to_owned(),
        Some(ServerState::Up(card)) => format!("answers, version {}", card.version),
        Some(ServerState::Down { .. }) => "does not answer".to_owned(),
    }
}

/// That no model is in use. Which one is wanted is known, but not whether it is there, before the server answers.
pub(crate) fn no_model_words(session: &Session) -> &'static str {
    match &session.server {
        Some(ServerState::Up(_)) => "none yet; /model chooses one",
        None | Some(ServerState::Looking | ServerState::Starting | ServerState::Down { .. }) => {
            "known when the server answers"
        }
    }
}

/// Under which name the session is written down, and that it is not.
fn kept(session: &Session) -> Vec<PanelRow> {
    let title = session.title.as_ref().map(|title| match title {
        Title::FirstWords(title) | Title::Given(title) => format!("“{}”", clean_line(title)),
    });
    let id = session.id.as_ref().map(ToString::to_string);
    let name: Vec<String> = id.into_iter().chain(title).collect();
    let mut rows: Vec<PanelRow> = (!name.is_empty()).then(|| pair("session", name.join(" · "))).into_iter().collect();
    match (&session.unkept, &session.id) {
        (Some(why), _) => rows.push(pair("saved", format!("no: {why}"))),
        (None, Some(_)) => rows.push(pair("saved", "yes; /resume lists the others")),
        (None, None) => {}
    }
    rows
}

fn model(session: &Session) -> Vec<PanelRow> {
    let Some(model) = &session.model else { return vec![pair("model", no_model_words(session))] };
    let mut facts = transcript::facts(model);
    facts.push(match model.tools {
        Some(true) => "calls tools".to_owned(),
        Some(false) if session.tools_by_text() => "calls tools by text".to_owned(),
        Some(false) => "cannot call tools".to_owned(),
        None => "may or may not call tools".to_owned(),
    });
    let level = think::level(session.think);
    let thinking = match model.thinking {
        Some(false) => "this model does not think".to_owned(),
        Some(true) | None => format!("{}, {}; /think changes it", level.name, level.words),
    };
    let card = session.gpu_percent().map(|percent| format!(", {percent} % of the model on the graphics card"));
    let (used, of, card) = (short(session.used), window(session.window), card.unwrap_or_default());
    vec![
        pair("model", format!("{} · {}", model.name, facts.join(" · "))),
        pair("thinking", thinking),
        pair("window", format!("{used} of {of} tokens used{card}; /context says by what")),
    ]
}

/// What holds commands in, in a sentence.
pub(crate) fn sandbox_words(sandbox: &SandboxSupport) -> String {
    let words = clean_line(&sandbox.words);
    match sandbox.kind {
        SandboxKind::Kernel => format!("enforced by the kernel: {words}"),
        SandboxKind::None => format!("none: {words}"),
        SandboxKind::Off => format!("switched off: {words}"),
        SandboxKind::Disposable => format!("none, and no questions: {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{ServerCard, ServerError};

    #[test]
    fn no_model_is_missed_before_the_server_answers() {
        let with = |server| no_model_words(&Session { server, ..Session::default() });
        let trouble = ServerError::Unreachable { host: "h".into(), why: "refused".into(), program: None };
        let down = ServerState::Down { trouble, can_start: false };
        assert_eq!([with(None), with(Some(down))], ["known when the server answers"; 2]);
        assert_eq!(with(Some(ServerState::Up(ServerCard::default()))), "none yet; /model chooses one");
    }
}
