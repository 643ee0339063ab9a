//! Taking changes of files back, and making them again: a list of what was said, and what each would change.
//!
//! `planning` asks the house, `plan` shows what it says, `file` one file of it. Nothing happens before `y`: its letters go
//! through the `gate`, and Enter alone changes nothing.

mod file;
mod plan;
mod planning;
mod words;

pub(crate) use planning::Planning;
pub(super) use words::{notes, plan_foot, plan_lines, titled};

use super::frame::{Body, Parts, choice, choices, paragraph};
use super::list::FigureTable;
use super::{Answers, Dialog, Heard, Laid, Press, Reply, Scroll, Space, Surroundings, Words};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::highlight::Highlighted;
use crate::text::width::{shorten, width};
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{Event, ListEvent, ListOp, Op, SaidId, SessionEvent, SessionOp, UndoDirection, UndoTurn};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Said where Enter is pressed by itself.
pub(super) const ENTER_ALONE: &str = "Enter alone changes nothing; press y";
/// Rows of the list, where there are at least so many rows for everything.
const LIST_ROWS: [(u16, usize); 3] = [(28, 7), (18, 4), (0, 2)];
/// From so many rows on a blank one parts the list from what would change.
const ROOMY: u16 = 14;
/// The letter that agrees to what is shown.
pub(super) const AGREES: char = 'y';
/// Columns that the words get before a figure does.
const LEAST_WORDS: usize = 16;

pub(crate) struct Undo {
    /// What was asked for: it says which of the list is chosen at first.
    direction: UndoDirection,
    /// Newest first; `None` until the house has told them.
    turns: Option<Vec<UndoTurn>>,
    chosen: usize,
    planning: Planning,
    hint: Option<&'static str>,
}

impl Undo {
    /// A dialog that waits for the house, and what to ask it.
    pub(crate) fn open(direction: UndoDirection) -> (Self, Op) {
        let undo = Undo { direction, turns: None, chosen: 0, planning: Planning::default(), hint: None };
        (undo, Op::List(ListOp::Undoable))
    }

    /// Takes up the list, oldest first.
    ///
    /// # Errors
    /// Why there is nothing to choose, in words; the dialog has no use then.
    fn take(&mut self, mut turns: Vec<UndoTurn>, now: Duration) -> Result<Option<Op>, &'static str> {
        turns.reverse();
        // One thing said may stand in it twice, where only the later part of it is undone.
        let kept = self.turns().get(self.chosen).map(|turn| (turn.said, turn.undone));
        let same = kept.and_then(|kept| turns.iter().position(|turn| (turn.said, turn.undone) == kept));
        let first = match self.direction {
            UndoDirection::Undo => turns.iter().position(|turn| !turn.undone),
            UndoDirection::Redo => turns.iter().rposition(|turn| turn.undone),
        };
        let Some(chosen) = same.or(first) else {
            return Err(match (self.direction, turns.is_empty()) {
                (UndoDirection::Undo, true) => "nothing was changed in this session yet",
                (UndoDirection::Undo, false) => "everything is undone already; /redo makes it again",
                (UndoDirection::Redo, _) => "nothing to redo",
            });
        };
        (self.turns, self.chosen) = (Some(turns), chosen);
        Ok(self.want(now))
    }

    fn turns(&self) -> &[UndoTurn] {
        self.turns.as_deref().unwrap_or_default()
    }

    /// Where to the chosen one goes: what is undone goes forth.
    fn target(&self) -> Option<(UndoDirection, SaidId)> {
        let turn = self.turns().get(self.chosen)?;
        Some((if turn.undone { UndoDirection::Redo } else { UndoDirection::Undo }, turn.said))
    }

    fn want(&mut self, now: Duration) -> Option<Op> {
        let target = self.target()?;
        self.planning.want(target, now)
    }

    fn choose(&mut self, chosen: usize, now: Duration) -> Reply {
        self.chosen = chosen;
        self.want(now).map_or(Reply::stay(), Reply::stay_and)
    }

    fn apply(&mut self) -> Reply {
        let target = self.planning.target();
        let Some((view, (direction, said))) = self.planning.view().zip(target) else {
            self.hint = Some("not yet: the files are still being looked at");
            return Reply::stay();
        };
        let effect = view.effect();
        if effect.files > 0 {
            return Reply::close_and(Op::Session(SessionOp::Undo { direction, said, choices: view.choices() }));
        }
        self.hint = Some(match (effect.left, effect.impossible) {
            (0, 0) => "nothing to change here; choose another, or Esc",
            (0, _) => "nothing of it can be brought back; choose another, or Esc",
            (_, _) => "every file is left as it is; choose r or m for one, or Esc",
        });
        Reply::stay()
    }

    fn title(&mut self, columns: u16, palette: Palette) -> Span<'static> {
        let turn = self.turns().get(self.chosen);
        let (text, undone) = turn.map_or((String::new(), false), |turn| (turn.text.clone(), turn.undone));
        let waits = self.turns.is_none();
        let effect = self.planning.view().map(|view| view.effect());
        let words = match (waits, self.direction, undone) {
            (true, UndoDirection::Undo, _) => return Span::styled("Undo", palette.strong()),
            (true, UndoDirection::Redo, _) => return Span::styled("Redo", palette.strong()),
            (false, _, false) => "back to before",
            (false, _, true) => "forward to after",
        };
        titled(words, &text, effect, columns, palette)
    }

    /// The part of the list around the chosen one; those that go along with it have a mark.
    fn list(&self, columns: u16, rows: usize, counted: Counted, palette: Palette) -> Vec<Line<'static>> {
        let turns = self.turns();
        let first = self.chosen.saturating_sub(rows / 2).min(turns.len().saturating_sub(rows));
        let table = table(turns, usize::from(columns));
        let shown = turns.iter().enumerate().skip(first).take(rows);
        let mut lines: Vec<Line<'static>> =
            shown.map(|(number, turn)| self.row(number, turn, &table, palette)).collect();
        if counted == Counted::Below {
            let below = turns.len().saturating_sub(first + rows);
            let more = match (first, below) {
                (0, 0) => String::new(),
                (0, below) => format!("  ↓ {below} older"),
                (above, 0) => format!("  ↑ {above} newer"),
                (above, below) => format!("  ↑ {above} newer and ↓ {below} older"),
            };
            lines.push(Line::styled(more, palette.dim()));
        }
        lines
    }

    fn row(&self, number: usize, turn: &UndoTurn, table: &FigureTable<TurnFigure>, palette: Palette) -> Line<'static> {
        let undone = self.turns().get(self.chosen).is_some_and(|chosen| chosen.undone);
        // Going back takes everything newer along, going forth everything older that is undone.
        let along = turn.undone == undone && if undone { number > self.chosen } else { number < self.chosen };
        let (mark, style) = match (number == self.chosen, along) {
            (true, _) => ("› ", palette.accent().patch(palette.strong())),
            (false, true) => ("· ", palette.text()),
            (false, false) => ("  ", palette.dim()),
        };
        let words = shorten(&one_line(&turn.text), table.words).into_owned();
        let gap = " ".repeat(table.words.saturating_sub(width(&words)));
        let mut spans = vec![Span::styled(format!("{mark}{words}{gap}"), style)];
        for (figure, widest) in &table.figures {
            let text = figure.text(turn);
            let rest = " ".repeat(widest.saturating_sub(width(&text)));
            let style = if *figure == TurnFigure::Uncovered { palette.warn() } else { palette.dim() };
            spans.push(Span::styled(format!("  {text}{rest}"), style));
        }
        Line::from(spans)
    }
}

impl Dialog for Undo {
    fn key(&mut self, press: Press, now: Duration) -> Reply {
        self.hint = None;
        if press.closes() {
            return Reply::close();
        }
        let last = self.turns().len().saturating_sub(1);
        match press.chord.code {
            KeyCode::Char(AGREES) if press.chord.held.is_empty() => return self.apply(),
            KeyCode::Enter => {
                self.hint = Some(ENTER_ALONE);
                return Reply::stay();
            }
            KeyCode::Up => return self.choose(self.chosen.saturating_sub(1), now),
            KeyCode::Down => return self.choose((self.chosen + 1).min(last), now),
            _ => {}
        }
        if let Some(view) = self.planning.view() {
            view.key(press);
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, most, palette) = (space.inside(), space.most, space.palette);
        let title = self.title(space.columns, palette);
        let mut foot = self.hint.map_or(Vec::new(), |hint| paragraph(hint, palette.warn(), inside));
        let agree = match self.target() {
            Some((UndoDirection::Redo, _)) => choice(AGREES, "redo"),
            Some((UndoDirection::Undo, _)) | None => choice(AGREES, "undo"),
        };
        let mut rest = vec![choice("↑ ↓", "choose"), choice("Esc", "close")];
        let notes = self.planning.view().map_or(Vec::new(), |view| notes(view, inside, most, palette));
        let rows = LIST_ROWS.iter().find(|(least, _)| most >= *least).map_or(1, |(_, rows)| *rows);
        // Where there is hardly room, what must not be overlooked takes the place of a neighbour in the list.
        let rows = if most < ROOMY && !notes.is_empty() { 1 } else { rows };
        let counted = if most < ROOMY || self.turns.is_none() { Counted::No } else { Counted::Below };
        let mut head = self.list(inside, rows, counted, palette);
        head.extend(notes);
        let Some(view) = self.planning.view() else {
            rest.drain(..usize::from(self.turns.is_none()));
            foot.extend(choices(&rest, inside, palette));
            let body = paragraph("looking at the files …", palette.dim(), inside);
            let parts = Parts { stays: head.len(), head, ..Parts::new(title, &body, foot) };
            return space.fit(parts, &mut Scroll::default());
        };
        let (choice, keys) = plan_foot(view, inside, most, palette);
        foot.extend(choice);
        foot.extend(choices(&[vec![agree], keys, rest].concat(), inside, palette));
        plan_lines(view, Parts { stays: head.len(), head, ..Parts::new(title, Body::Lines(&[]), foot) }, space)
    }

    fn scroll_by(&mut self, lines: i32) {
        if let Some(view) = self.planning.view() {
            view.scroll.by(lines);
        }
    }

    fn answers(&self) -> Option<Answers> {
        Some(Answers::new(format!("{AGREES}{}", self.planning.keys()), Words::Draft))
    }

    fn highlighted(&mut self, done: &Highlighted) {
        if let Some(view) = self.planning.view() {
            view.highlighted(done);
        }
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        if let Event::Session(SessionEvent::UndoPlanned { plan }) = event {
            return Heard::Anew(self.planning.take(plan, around));
        }
        let Event::List(ListEvent::Undoable { turns }) = event else { return Heard::No };
        match self.take(turns.clone(), around.now) {
            Ok(op) => Heard::Anew(op),
            Err(why) => Heard::OverBecause(why),
        }
    }

    fn wants_room(&self) -> bool {
        true
    }

    fn goes_first(&self) -> bool {
        true
    }
}

/// Is it told how much of the list is not shown?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    No,
    /// In a row below it, which is blank where all is shown.
    Below,
}

/// The words of something that was said, in one clean line.
pub(super) fn one_line(text: &str) -> String {
    clean_line(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Something to know of what was said, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TurnFigure {
    Files,
    Lines,
    Uncovered,
    Undone,
}

/// The figures, the weightiest first: where room is short the others are not shown.
const BY_WEIGHT: [TurnFigure; 4] = [TurnFigure::Undone, TurnFigure::Files, TurnFigure::Lines, TurnFigure::Uncovered];

impl TurnFigure {
    fn text(self, turn: &UndoTurn) -> String {
        match self {
            TurnFigure::Files => counted(turn.files, "file"),
            TurnFigure::Lines => format!("+{} −{}", turn.added, turn.removed),
            TurnFigure::Uncovered if turn.uncovered > 0 => format!("{} not covered", turn.uncovered),
            TurnFigure::Undone if turn.undone => "undone".to_owned(),
            TurnFigure::Uncovered | TurnFigure::Undone => String::new(),
        }
    }
}

fn table(turns: &[UndoTurn], columns: usize) -> FigureTable<TurnFigure> {
    let longest = turns.iter().map(|turn| width(&one_line(&turn.text))).max().unwrap_or(0);
    let widest = |figure: TurnFigure| turns.iter().map(|turn| width(&figure.text(turn))).max().unwrap_or(0);
    FigureTable::new(&BY_WEIGHT, longest, LEAST_WORDS, columns, widest)
}
