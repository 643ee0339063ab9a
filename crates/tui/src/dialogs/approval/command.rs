//! A command as it is asked about: its text to the last character, and below it what was read out of it.

use crate::clean::{clean_line, clean_text};
use crate::palette::Palette;
use crate::text::quoting;
use crate::text::width::{line_width, spans_width};
use crate::text::wrap::{Break, wrap, wrap_spans};
use agent_protocol::{Action, CommandPart, Preview, PreviewBody, Question, Subject};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns of the marks before a line.
const MARK: u16 = 2;

/// The command, what cannot be seen in it made visible; lines are broken but nothing is dropped.
pub(super) fn lines(command: &str, question: &Question, columns: u16, palette: Palette) -> Vec<Line<'static>> {
    let clean = clean_text(command).into_owned();
    let mut lines = Vec::new();
    for (number, line) in clean.split('\n').enumerate() {
        let mark = Span::styled(if number == 0 { "$ " } else { "  " }, palette.dim());
        lines.extend(marked(mark, line, palette.strong(), columns));
    }
    lines.extend(parts(command, question, columns, palette));
    lines
}

/// The title of a question about a command, which stands below it in full; `None`: the preview's own title says more.
pub(super) fn title(preview: &Preview) -> Option<&'static str> {
    let PreviewBody::Command { command, background, .. } = &preview.body else { return None };
    purpose(&preview.title, command)?;
    Some(if *background { "Start this in the background" } else { "Run this command" })
}

/// What the model says the command is for.
pub(super) fn purpose_of(preview: &Preview) -> Option<&str> {
    let PreviewBody::Command { command, .. } = &preview.body else { return None };
    purpose(&preview.title, command).filter(|purpose| !purpose.is_empty())
}

/// What stands behind the command in a title that names it: `Run make (Build it)`.
fn purpose<'a>(title: &'a str, command: &str) -> Option<&'a str> {
    let named = title.strip_prefix("Run ").or_else(|| title.strip_prefix("Start "))?;
    let first = command.trim().lines().next().unwrap_or_default().trim();
    let (begin, is_cut) = named.split_once('…').map_or((named, false), |(begin, _)| (begin.trim_end(), true));
    match named.strip_prefix(first) {
        Some(rest) => Some(rest.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or_default()),
        // A long one is cut there.
        None => (is_cut && first.starts_with(begin)).then_some(""),
    }
}

/// What it would read on its standard input, to the last character too.
pub(super) fn input(input: &str, columns: u16, palette: Palette) -> Vec<Line<'static>> {
    let clean = clean_text(input).into_owned();
    let mut lines = vec![Line::styled("and gives it to read:", palette.dim())];
    for line in clean.split('\n') {
        lines.extend(marked(Span::raw("  "), line, palette.text(), columns));
    }
    lines
}

/// What a command would read on its standard input.
pub(super) fn input_of(question: &Question) -> Option<&str> {
    match &question.subject {
        Subject::Action { action: Action::Run { input, .. } } => input.as_deref(),
        Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => None,
        Subject::Again { .. }
        | Subject::Shorten { .. }
        | Subject::Folder { .. }
        | Subject::Cloud { .. }
        | Subject::Trust { .. }
        | Subject::Reach { .. } => None,
    }
}

/// The command and what it would read.
pub(super) fn whole(command: &str, question: &Question) -> String {
    input_of(question).map_or_else(|| command.to_owned(), |input| format!("{command}\n{input}"))
}

/// Each program with its words. Where that is just what stands there already, only what there is to say of it.
fn parts(command: &str, question: &Question, columns: u16, palette: Palette) -> Vec<Line<'static>> {
    let parts = &question.parts;
    if let [part] = &parts[..]
        && quoting::join(&part.words) == command.trim()
    {
        let reason = reason(part, question).map(|reason| Line::styled(format!("  {reason}"), palette.dim()));
        return reason.iter().flat_map(|reason| wrap(reason, columns, MARK)).collect();
    }
    let mut lines: Vec<Line<'static>> = Vec::new();
    if !parts.is_empty() {
        lines.push(Line::styled("read as:", palette.dim()));
    }
    for part in parts {
        let mark = match &part.why_not {
            Some(_) => Span::styled("! ", palette.warn().patch(palette.strong())),
            None => Span::styled("· ", palette.dim()),
        };
        let style = if part.why_not.is_some() { palette.warn() } else { palette.text() };
        lines.extend(marked(mark, &clean_line(&quoting::join(&part.words)), style, columns));
        if let Some(reason) = reason(part, question) {
            beside_or_below(&mut lines, Span::styled(reason, palette.dim()), columns);
        }
    }
    lines
}

/// Why a part is not proved to only read, unless the question says so anyway.
fn reason(part: &CommandPart, question: &Question) -> Option<String> {
    let reason = part.why_not.as_ref().filter(|reason| !question.why.contains(reason.as_str()))?;
    Some(format!("({})", clean_line(reason)))
}

/// `text` behind a mark, broken wherever it must be.
fn marked(mark: Span<'static>, text: &str, style: Style, columns: u16) -> Vec<Line<'static>> {
    let room = usize::from(columns.saturating_sub(MARK).max(1));
    let rows = wrap_spans(vec![Span::styled(text.to_owned(), style)], room, room, Break::Anywhere);
    let margin = |row| if row == 0 { mark.clone() } else { Span::raw(" ".repeat(usize::from(MARK))) };
    rows.into_iter()
        .enumerate()
        .map(|(row, spans)| Line::from_iter(std::iter::once(margin(row)).chain(spans)))
        .collect()
}

/// Adds `words` to the last of `lines`, or below it where there is no room.
fn beside_or_below(lines: &mut Vec<Line<'static>>, words: Span<'static>, columns: u16) {
    let gap = Span::raw("  ");
    match lines.last_mut() {
        Some(last) if line_width(last) + spans_width(&[gap.clone(), words.clone()]) <= usize::from(columns) => {
            last.spans.extend([gap, words]);
        }
        Some(_) | None => {
            let below = Line::from(vec![Span::raw("    "), words]);
            lines.extend(wrap(&below, columns, 4));
        }
    }
}
