//! A question that the model asks the user: answers to choose from, and a field for another one.
//!
//! What is typed is an answer in the user's own words; digits and arrows choose, as long as none is being written.

use super::super::Press;
use super::super::field::written;
use super::super::frame::{Scroll, choice, paragraph};
use super::super::list::mark;
use crate::clean::clean_line;
use crate::composer::{Editor, edit};
use crate::keymap::Deed;
use crate::palette::Palette;
use crate::text::width::shorten;
use crate::text::wrap::wrap;
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

/// What the keys are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Choice(usize),
    /// The field for an own answer.
    Own,
}

/// A question with its answers.
pub(super) struct Inquiry {
    question: String,
    choices: Vec<String>,
    at: At,
    own: Editor,
    /// Digits typed one after the other: there may be more than nine choices.
    digits: String,
    /// Whether what would be answered is kept in view: not while the user reads the question.
    follows: bool,
    /// What would be answered was in view.
    in_view: bool,
}

/// What follows from a key.
pub(super) enum InquiryStep {
    Answer(String),
    Refuse,
    Say(&'static str),
    Nothing,
}

/// What there is to draw.
pub(super) struct Drawn {
    pub(super) lines: Vec<Line<'static>>,
    /// The rows of what would be answered: the first and the last.
    pub(super) rows: (usize, usize),
    /// Row and column of the cursor, where something is written.
    pub(super) cursor: Option<(usize, u16)>,
}

impl Inquiry {
    pub(super) fn new(question: &str, choices: &[String]) -> Self {
        Inquiry {
            question: question.trim().to_owned(),
            choices: choices.to_vec(),
            at: if choices.is_empty() { At::Own } else { At::Choice(0) },
            own: Editor::default(),
            digits: String::new(),
            follows: false,
            in_view: true,
        }
    }

    pub(super) fn key(&mut self, press: Press, scroll: &mut Scroll) -> InquiryStep {
        let digits = std::mem::take(&mut self.digits);
        match (press.chord.code, press.chord.letter()) {
            _ if press.closes() => return if self.go_back() { InquiryStep::Nothing } else { InquiryStep::Refuse },
            (KeyCode::Up, _) => self.step(|at| at.saturating_sub(1)),
            (KeyCode::Down, _) => self.step(|at| at + 1),
            _ if press.deed == Some(Deed::NewLine) && self.at == At::Own => self.own.insert("\n"),
            (KeyCode::Enter, _) => return self.answer(),
            (_, Some(digit)) if digit.is_ascii_digit() && self.at != At::Own => self.digit(digits, digit),
            (_, Some(letter)) => self.write(&letter.to_string()),
            (KeyCode::Home | KeyCode::End, _) if self.at == At::Own => self.edit(press),
            _ if scroll.key(press) => {
                self.follows = false;
                return InquiryStep::Nothing;
            }
            _ if self.at == At::Own => self.edit(press),
            _ => return InquiryStep::Nothing,
        }
        self.follows = true;
        InquiryStep::Nothing
    }

    /// A paste is an own answer.
    pub(super) fn paste(&mut self, text: &str) {
        self.own.paste(text);
        (self.at, self.follows) = (At::Own, true);
    }

    /// From what is being written back to the choices, or to an empty field; says whether there was anything.
    pub(super) fn go_back(&mut self) -> bool {
        let writing = self.at == At::Own && !self.own.is_empty();
        match (writing, self.choices.is_empty()) {
            (true, true) => self.own.replace(""),
            (true, false) => self.at = At::Choice(0),
            (false, _) => {}
        }
        writing
    }

    /// The wheel scrolls: the user reads.
    pub(super) fn read(&mut self) {
        self.follows = false;
    }

    fn step(&mut self, next: impl Fn(usize) -> usize) {
        let own = self.choices.len();
        let at = if let At::Choice(number) = self.at { number } else { own };
        self.at = if next(at) < own { At::Choice(next(at)) } else { At::Own };
    }

    /// A digit chooses; together with those before it, where there are so many choices. What numbers none is an answer.
    fn digit(&mut self, before: String, digit: char) {
        let (all, alone) = (format!("{before}{digit}"), digit.to_string());
        let number = |digits: &str| digits.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < self.choices.len());
        match number(&all).map(|at| (at, all.clone())).or_else(|| Some((number(&alone)?, alone))) {
            Some((at, digits)) => (self.at, self.digits) = (At::Choice(at), digits),
            None => self.write(&all),
        }
    }

    fn edit(&mut self, press: Press) {
        edit(&mut self.own, press.chord);
    }

    fn write(&mut self, text: &str) {
        text.chars().for_each(|letter| self.own.type_letter(letter));
        self.at = At::Own;
    }

    /// What would be answered must be seen before it is.
    fn answer(&mut self) -> InquiryStep {
        if !self.in_view {
            self.follows = true;
            return InquiryStep::Say("this is what Enter would answer; press it again");
        }
        match self.at {
            At::Choice(number) => self.choices.get(number).cloned().map_or(InquiryStep::Nothing, InquiryStep::Answer),
            At::Own => match self.own.whole().trim() {
                "" if self.choices.is_empty() => InquiryStep::Say("write an answer, or press Esc"),
                "" => InquiryStep::Say("write an answer, or choose one with ↑"),
                own => InquiryStep::Answer(own.to_owned()),
            },
        }
    }

    /// The question, the choices, and the field.
    pub(super) fn draw(&self, columns: u16, palette: Palette) -> Drawn {
        let mut lines = paragraph(&self.question, palette.text(), columns);
        lines.push(Line::default());
        let (mut rows, mut cursor) = ((0, 0), None);
        for (number, words) in self.choices.iter().enumerate() {
            let first = lines.len();
            lines.extend(self.choice(number, words, columns, palette));
            if self.at == At::Choice(number) {
                rows = (first, lines.len() - 1);
            }
        }
        let first = lines.len();
        match (self.at, self.own.is_empty()) {
            (At::Own, _) => {
                let (field, row, column) = written(&self.own, columns, palette);
                cursor = Some((first + row, column));
                lines.extend(field);
                rows = (first, first + row);
            }
            (At::Choice(_), true) => lines.push(Line::styled("  or write your own answer", palette.dim())),
            (At::Choice(_), false) => {
                let own = format!("  or your own: {}", clean_line(&self.own.whole()));
                let own = shorten(&own, usize::from(columns)).into_owned();
                lines.push(Line::styled(own, palette.dim()));
            }
        }
        Drawn { lines, rows, cursor }
    }

    fn choice(&self, number: usize, words: &str, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let (mark, style) = mark(self.at == At::Choice(number), palette);
        let digits = self.choices.len().to_string().len();
        let label = Span::styled(format!("{mark}{:>digits$}  ", number + 1), style);
        let words = Span::styled(clean_line(words.trim()).into_owned(), style);
        wrap(&Line::from(vec![label, words]), columns, u16::try_from(digits + 4).unwrap_or(4))
    }

    /// A row of the body to be kept in view.
    pub(super) fn keep(&self, drawn: &Drawn) -> Option<usize> {
        self.follows.then_some(drawn.rows.1)
    }

    /// It has been laid out: was what would be answered in view?
    pub(super) fn shown(&mut self, drawn: &Drawn, scroll: &Scroll) {
        self.in_view = scroll.shows(drawn.rows.0) || scroll.shows(drawn.rows.1);
    }

    pub(super) fn keys(&self) -> Vec<(String, String)> {
        let mut keys = vec![choice("Enter", "answer")];
        match (self.at, self.choices.len()) {
            (At::Own, 0) => keys.push(choice("Alt+Enter", "new line")),
            (At::Own, _) => keys.extend([choice("↑", "to the choices"), choice("Alt+Enter", "new line")]),
            (At::Choice(_), 1) => keys.push(choice("↓", "or just type: your own answer")),
            (At::Choice(_), count) => {
                keys.extend([choice(format!("↑ ↓ 1-{count}"), "choose"), choice("type", "your own answer")]);
            }
        }
        let back = self.at == At::Own && !self.own.is_empty();
        keys.push(match (back, self.choices.is_empty()) {
            (true, true) => choice("Esc", "empty the field"),
            (true, false) => choice("Esc", "back to the choices"),
            (false, _) => choice("Esc", "no answer"),
        });
        keys
    }
}
