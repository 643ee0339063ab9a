//! The choice of a session to go on with: those that are kept, filtered by what is typed; of this project first.

use super::field::{labelled, typed};
use super::frame::{Part, Parts, choice, choices, paragraph};
use super::list::{FigureTable, GAP, mark, rolled, stepped};
use super::{Dialog, Laid, Pasted, Press, Reply, Scroll, Space};
use crate::clean::clean_line;
use crate::composer::Editor;
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use agent_protocol::sanitize::figures::{ago, bytes, counted};
use agent_protocol::{Op, SessionCard, SessionId, SessionOp};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Columns that a title gets before a figure does.
const LEAST_TITLE: usize = 18;
/// Rows that PgUp and PgDn move.
const PAGE: usize = 10;

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

    fn take(&mut self) -> Reply {
        let Some(card) = self.fitting().get(self.chosen).copied() else { return Reply::stay() };
        match self.state(card) {
            State::Free => return Reply::close_and(Op::Session(SessionOp::Open { id: card.id.clone() })),
            State::Current => self.hint = Some("this session is on the screen already; Esc goes back to it"),
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

    /// The rows, and the one to be kept in view.
    fn list(&self, columns: u16, palette: Palette) -> (Vec<Line<'static>>, Option<usize>) {
        let fitting = self.fitting();
        if fitting.is_empty() {
            return (
                vec![Line::styled("no session fits: its title, model or folder is searched", palette.dim())],
                None,
            );
        }
        let table = self.table(&fitting, usize::from(columns));
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
            lines.push(self.row(&table, card, number == self.chosen, palette));
        }
        (lines, Some(keep))
    }

    fn table(&self, cards: &[&SessionCard], columns: usize) -> FigureTable<SessionFigure> {
        let longest = cards.iter().map(|card| width(&title(card))).max().unwrap_or(0);
        let widest =
            |figure: SessionFigure| cards.iter().map(|card| width(&figure.text(self, card))).max().unwrap_or(0);
        FigureTable::new(&BY_WEIGHT, longest, LEAST_TITLE, columns, widest)
    }

    fn row(
        &self,
        table: &FigureTable<SessionFigure>,
        card: &SessionCard,
        chosen: bool,
        palette: Palette,
    ) -> Line<'static> {
        let elsewhere = self.state(card) == State::Elsewhere;
        let style = match (chosen, elsewhere) {
            (true, _) => palette.accent().patch(palette.strong()),
            (false, true) => palette.dim(),
            (false, false) => palette.text(),
        };
        let (mark, _) = mark(chosen, palette);
        let name = shorten(&title(card), table.words).into_owned();
        let gap = " ".repeat(table.words.saturating_sub(width(&name)));
        let mut spans = vec![Span::styled(format!("{mark}{name}{gap}"), style)];
        for (figure, widest) in &table.figures {
            let text = figure.text(self, card);
            let rest = " ".repeat(widest.saturating_sub(width(&text)));
            let gap = " ".repeat(GAP);
            let (text, style) = match figure {
                SessionFigure::Age if elsewhere => (format!("{gap}{text}{rest}"), palette.warn()),
                SessionFigure::Age | SessionFigure::Model => (format!("{gap}{text}{rest}"), palette.dim()),
                SessionFigure::Turns | SessionFigure::Size => (format!("{gap}{rest}{text}"), palette.dim()),
            };
            spans.push(Span::styled(text, style));
        }
        Line::from(spans)
    }
}

impl Dialog for Sessions {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        self.hint = None;
        if press.closes() {
            return Reply::close();
        }
        if press.chord.is(KeyCode::Enter) {
            return self.take();
        }
        if let Some(chosen) = stepped(press, self.chosen, self.fitting().len(), PAGE) {
            self.chosen = chosen;
        } else if typed(&mut self.filter, press) {
            self.chosen = self.first_to_open();
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let (filter, column) = labelled("search: ", &self.filter, palette);
        let (head, cursor) = (vec![filter], Some((Part::Head, 0, column)));
        let (body, keep) = self.list(inside, palette);
        let mut foot = self.hint.map_or(Vec::new(), |hint| paragraph(hint, palette.warn(), inside));
        let keys = [choice("Enter", "go on with it"), choice("↑ ↓", "choose"), choice("Esc", "close")];
        foot.extend(choices(&keys, inside, palette));
        let title = Span::styled("Go on with a session", palette.strong());
        space.fit(Parts { head, stays: 1, keep, cursor, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    /// The wheel goes through the list.
    fn scroll_by(&mut self, lines: i32) {
        self.chosen = rolled(self.chosen, lines, self.fitting().len());
    }

    fn paste(&mut self, text: &str, _now: Duration) -> Pasted {
        self.filter.insert(text.trim());
        self.hint = None;
        self.chosen = self.first_to_open();
        Pasted::Taken
    }

    fn goes_first(&self) -> bool {
        true
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
enum SessionFigure {
    Age,
    Model,
    Turns,
    Size,
}

/// The figures, the weightiest first: where room is short the others are not shown.
const BY_WEIGHT: [SessionFigure; 4] =
    [SessionFigure::Age, SessionFigure::Model, SessionFigure::Turns, SessionFigure::Size];

impl SessionFigure {
    fn text(self, sessions: &Sessions, card: &SessionCard) -> String {
        match (self, sessions.state(card)) {
            (SessionFigure::Age, State::Free) => ago(sessions.now.saturating_sub(card.updated)),
            (SessionFigure::Age, State::Current) => "this one".to_owned(),
            (SessionFigure::Age, State::Elsewhere) => "open elsewhere".to_owned(),
            (SessionFigure::Model, _) => clean_line(card.model.as_deref().unwrap_or_default()).into_owned(),
            (SessionFigure::Turns, _) => counted(card.turns, "turn"),
            (SessionFigure::Size, _) => bytes(card.bytes),
        }
    }
}

/// The title of a session, or its name where nothing was said in it yet.
fn title(card: &SessionCard) -> String {
    let title = clean_line(card.title.trim()).into_owned();
    let title = if title.is_empty() { clean_line(&card.id.0).into_owned() } else { title };
    if card.parent.is_some() { format!("{title} (fork)") } else { title }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_path_the_end_is_kept() {
        assert_eq!(shorten_left("/home/me/project", 20), "/home/me/project");
        assert_eq!(shorten_left("/home/me/project", 9), "…/project");
    }
}
