//! The choice of a session to go on with: those that are kept, filtered by what is typed; of this project first.

use super::frame::{self, Part, Parts, choice, choices, paragraph};
use super::{Laid, Press, Reply, Scroll};
use crate::clean::clean_line;
use crate::composer::{Editor, edit};
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use crate::words::bytes;
use agent_protocol::{Op, SessionCard, SessionId, SessionOp};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::path::{Path, PathBuf};

/// Columns between two figures.
const GAP: usize = 2;
/// Columns that a title gets before a figure does.
const LEAST_TITLE: usize = 18;
/// Rows that PgUp and PgDn move.
const PAGE: usize = 10;

/// The list of sessions.
#[derive(Debug)]
pub(crate) struct Sessions {
    /// Those of this project first, then those of others, a project after the other.
    cards: Vec<SessionCard>,
    project: PathBuf,
    /// The one that is on the screen.
    current: Option<SessionId>,
    /// In seconds since 1970.
    now: i64,
    filter: Editor,
    chosen: usize,
    hint: Option<&'static str>,
    scroll: Scroll,
}

impl Sessions {
    /// `cards` with the newest first; `now` in seconds since 1970.
    pub(crate) fn new(cards: Vec<SessionCard>, project: &Path, current: Option<SessionId>, now: i64) -> Self {
        let mut sessions = Sessions {
            cards: by_project(cards, project),
            project: project.to_owned(),
            current,
            now,
            filter: Editor::default(),
            chosen: 0,
            hint: None,
            scroll: Scroll::default(),
        };
        sessions.chosen = sessions.first_to_open();
        sessions
    }

    /// Is there any but the one on the screen?
    pub(crate) fn has_others(cards: &[SessionCard], current: Option<&SessionId>) -> bool {
        cards.iter().any(|card| Some(&card.id) != current)
    }

    /// The first that can be gone on with: Enter alone should do something.
    fn first_to_open(&self) -> usize {
        self.fitting().iter().position(|card| self.state(card) == State::Free).unwrap_or(0)
    }

    pub(crate) fn key(&mut self, press: Press) -> Reply {
        self.hint = None;
        if press.closes() {
            return Reply::close();
        }
        let last = self.fitting().len().saturating_sub(1);
        match press.chord.code {
            KeyCode::Enter if press.chord.held.is_empty() => return self.take(),
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(last),
            KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(PAGE),
            KeyCode::PageDown => self.chosen = (self.chosen + PAGE).min(last),
            _ => {
                let before = self.filter.text().to_owned();
                edit(&mut self.filter, press.chord);
                if self.filter.text() != before {
                    self.chosen = self.first_to_open();
                }
            }
        }
        Reply::stay()
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.filter.insert(text.trim());
        self.hint = None;
        self.chosen = self.first_to_open();
    }

    /// The wheel goes through the list.
    pub(crate) fn scroll_by(&mut self, lines: i32) {
        let lines = isize::try_from(lines).unwrap_or(0);
        self.chosen = self.chosen.saturating_add_signed(lines).min(self.fitting().len().saturating_sub(1));
    }

    fn take(&mut self) -> Reply {
        let Some(card) = self.fitting().get(self.chosen).copied() else { return Reply::stay() };
        match self.state(card) {
            State::Free => return Reply::close_and(Op::Session(SessionOp::Open { id: card.id.clone() })),
            State::Current => self.hint = Some("this session is on the screen already; esc goes back to it"),
            State::Elsewhere => {
                self.hint = Some("another agent has this session open; leave it there first, or choose another");
            }
        }
        Reply::stay()
    }

    fn state(&self, card: &SessionCard) -> State {
        match (Some(&card.id) == self.current.as_ref(), card.open) {
            (true, _) => State::Current,
            (false, true) => State::Elsewhere,
            (false, false) => State::Free,
        }
    }

    /// The sessions in whose title, model or folder every word is found that was typed.
    fn fitting(&self) -> Vec<&SessionCard> {
        let typed = self.filter.text().to_lowercase();
        let words: Vec<&str> = typed.split_whitespace().collect();
        let fits = |card: &&SessionCard| {
            let model = card.model.as_deref().unwrap_or_default();
            let whole = format!("{}\n{model}\n{}\n{}", card.title, card.project.display(), card.id).to_lowercase();
            words.iter().all(|word| whole.contains(word))
        };
        self.cards.iter().filter(fits).collect()
    }

    pub(crate) fn lay_out(&mut self, columns: u16, most: u16, palette: Palette) -> Laid {
        let inside = frame::inner(columns);
        let label = "search: ";
        let typed = clean_line(self.filter.text()).into_owned();
        let cursor = width(label) + width(&clean_line(&self.filter.text()[..self.filter.cursor()]));
        let head = vec![Line::from(vec![Span::styled(label, palette.dim()), Span::raw(typed)])];
        let cursor = Some((Part::Head, 0, u16::try_from(cursor).unwrap_or(u16::MAX)));
        let (body, keep) = self.list(inside, palette);
        let mut foot = self.hint.map_or(Vec::new(), |hint| paragraph(hint, palette.warn(), inside));
        let keys = [choice("enter", "go on with it"), choice("↑ ↓", "choose"), choice("esc", "close")];
        foot.extend(choices(&keys, inside, palette));
        let title = Span::styled("Go on with a session", palette.strong());
        let parts = Parts { head, stays: 1, keep, cursor, ..Parts::new(title, &body, foot) };
        frame::fit(parts, &mut self.scroll, columns, most, palette)
    }

    /// The rows, and the one to be kept in view.
    fn list(&self, columns: u16, palette: Palette) -> (Vec<Line<'static>>, Option<usize>) {
        let fitting = self.fitting();
        if fitting.is_empty() {
            return (
                vec![Line::styled("no session fits: its title, model or folder is searched", palette.dim())],
                None,
            );
        }
        let table = Table::of(self, &fitting, usize::from(columns));
        let (mut lines, mut keep) = (Vec::new(), 0);
        let mut project = self.project.as_path();
        for (number, card) in fitting.iter().enumerate() {
            if card.project != project {
                project = &card.project;
                lines.push(folder(project, columns, palette));
            }
            if number == self.chosen {
                keep = lines.len();
            }
            lines.push(table.row(self, card, number == self.chosen, palette));
        }
        (lines, Some(keep))
    }
}

/// May it be gone on with?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    Current,
    Elsewhere,
}

/// Those of `here` first, then project after project, in the order in which each comes first.
fn by_project(cards: Vec<SessionCard>, here: &Path) -> Vec<SessionCard> {
    let mut projects = vec![here.to_owned()];
    for card in &cards {
        if !projects.contains(&card.project) {
            projects.push(card.project.clone());
        }
    }
    let place = |card: &SessionCard| projects.iter().position(|project| *project == card.project);
    let mut cards = cards;
    cards.sort_by_key(place);
    cards
}

/// The rule above the sessions of another project.
fn folder(project: &Path, columns: u16, palette: Palette) -> Line<'static> {
    let room = usize::from(columns).saturating_sub(4);
    let name = shorten_left(&clean_line(&project.to_string_lossy()), room);
    let rest = "─".repeat(room.saturating_sub(width(&name)));
    Line::styled(format!("── {name} {rest}"), palette.dim())
}

/// `text`, its beginning cut off where it takes more than `room` columns: of a path the end tells more.
fn shorten_left(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let tail = text.char_indices().map(|(at, _)| &text[at..]).find(|tail| width(tail) < room);
    format!("…{}", tail.unwrap_or_default())
}

/// Something that tells sessions apart, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Figure {
    Age,
    Model,
    Turns,
    Size,
}

/// The figures, the weightiest first: where room is short the others are not shown.
const BY_WEIGHT: [Figure; 4] = [Figure::Age, Figure::Model, Figure::Turns, Figure::Size];

impl Figure {
    fn text(self, sessions: &Sessions, card: &SessionCard) -> String {
        match (self, sessions.state(card)) {
            (Figure::Age, State::Free) => ago(sessions.now.saturating_sub(card.updated)),
            (Figure::Age, State::Current) => "this one".to_owned(),
            (Figure::Age, State::Elsewhere) => "open elsewhere".to_owned(),
            (Figure::Model, _) => clean_line(card.model.as_deref().unwrap_or_default()).into_owned(),
            (Figure::Turns, _) if card.turns == 1 => "1 turn".to_owned(),
            (Figure::Turns, _) => format!("{} turns", card.turns),
            (Figure::Size, _) => bytes(card.bytes),
        }
    }
}

/// Which figures there is room for, and how wide everything is.
struct Table {
    title: usize,
    figures: Vec<(Figure, usize)>,
}

impl Table {
    fn of(sessions: &Sessions, cards: &[&SessionCard], columns: usize) -> Self {
        let longest = cards.iter().map(|card| width(&title(card))).max().unwrap_or(0);
        let mut room = columns.saturating_sub(2 + longest.min(LEAST_TITLE.max(columns / 2)));
        let mut figures = Vec::new();
        for figure in BY_WEIGHT {
            let widest = cards.iter().map(|card| width(&figure.text(sessions, card))).max().unwrap_or(0);
            if widest > 0 {
                let Some(left) = room.checked_sub(GAP + widest) else { break };
                room = left;
                figures.push((figure, widest));
            }
        }
        let taken: usize = figures.iter().map(|(_, width)| GAP + width).sum();
        figures.sort();
        Table { title: longest.min(columns.saturating_sub(2 + taken)), figures }
    }

    fn row(&self, sessions: &Sessions, card: &SessionCard, chosen: bool, palette: Palette) -> Line<'static> {
        let elsewhere = sessions.state(card) == State::Elsewhere;
        let style = match (chosen, elsewhere) {
            (true, _) => palette.accent().patch(palette.strong()),
            (false, true) => palette.dim(),
            (false, false) => palette.text(),
        };
        let mark = if chosen { "› " } else { "  " };
        let name = shorten(&title(card), self.title).into_owned();
        let gap = " ".repeat(self.title.saturating_sub(width(&name)));
        let mut spans = vec![Span::styled(format!("{mark}{name}{gap}"), style)];
        for (figure, widest) in &self.figures {
            let text = figure.text(sessions, card);
            let rest = " ".repeat(widest.saturating_sub(width(&text)));
            let gap = " ".repeat(GAP);
            let (text, style) = match figure {
                Figure::Age if elsewhere => (format!("{gap}{text}{rest}"), palette.warn()),
                Figure::Age | Figure::Model => (format!("{gap}{text}{rest}"), palette.dim()),
                Figure::Turns | Figure::Size => (format!("{gap}{rest}{text}"), palette.dim()),
            };
            spans.push(Span::styled(text, style));
        }
        Line::from(spans)
    }
}

/// The title of a session, or its name where nothing was said in it yet.
fn title(card: &SessionCard) -> String {
    let title = clean_line(card.title.trim()).into_owned();
    let title = if title.is_empty() { clean_line(&card.id.0).into_owned() } else { title };
    if card.parent.is_some() { format!("{title} (fork)") } else { title }
}

/// How long ago something was, in words, of so many seconds.
fn ago(secs: i64) -> String {
    let counted = |count: i64, unit: &str| {
        if count == 1 { format!("1 {unit} ago") } else { format!("{count} {unit}s ago") }
    };
    match secs {
        ..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", secs / 60),
        3_600..86_400 => format!("{} h ago", secs / 3_600),
        86_400..1_209_600 => counted(secs / 86_400, "day"),
        1_209_600..5_184_000 => counted(secs / 604_800, "week"),
        5_184_000..63_072_000 => counted(secs / 2_592_000, "month"),
        _ => counted(secs / 31_536_000, "year"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_one_figure() {
        let day = 86_400;
        assert_eq!(
            [
                ago(-5),
                ago(59),
                ago(61),
                ago(7_200),
                ago(day),
                ago(13 * day),
                ago(15 * day),
                ago(70 * day),
                ago(800 * day)
            ],
            [
                "just now",
                "just now",
                "1 min ago",
                "2 h ago",
                "1 day ago",
                "13 days ago",
                "2 weeks ago",
                "2 months ago",
                "2 years ago"
            ]
        );
    }

    #[test]
    fn of_a_long_path_the_end_is_kept() {
        assert_eq!(shorten_left("/home/me/project", 20), "/home/me/project");
        assert_eq!(shorten_left("/home/me/project", 9), "…/project");
    }
}
