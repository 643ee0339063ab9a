//! The rules that hold: which commands run without a question, and whether a certain one would.
//!
//! Decides nothing about commands; it asks the house, and shows what it says.

use super::field::written;
use super::frame::{Part, Parts, choice, choices, paragraph};
use super::list::{lines, mark, moved};
use super::{Answers, Dialog, Heard, Laid, Pasted, Press, Reply, Scroll, Space, Surroundings, Words};
use crate::clean::clean_line;
use crate::composer::{Editor, edit};
use crate::palette::Palette;
use crate::text::wrap::wrap;
use agent_protocol::{CallEvent, CallOp, Event, Grant, Lasts, ListEvent, ListOp, Op, TriedVerdict};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// The key that takes a rule back, and the one that tries a command.
const REVOKES: char = 'd';
const TRIES: char = 't';

/// The list, and the command to try.
#[derive(Debug, Default)]
pub(crate) struct Permissions {
    /// `None` until the house has told them.
    grants: Option<Vec<Grant>>,
    chosen: usize,
    stage: RuleStage,
    command: Editor,
    tried: Option<Tried>,
    scroll: Scroll,
}

/// What the keys are for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum RuleStage {
    /// To go through the rules.
    #[default]
    Choosing,
    /// The chosen one is about to be taken back.
    Revoking,
    Writing,
}

/// What would become of a command.
#[derive(Debug)]
struct Tried {
    command: String,
    verdict: TriedVerdict,
    why: String,
}

impl Permissions {
    /// A list that waits for the house, and what to ask it. A command that is named is tried at once.
    pub(crate) fn open(command: &str) -> (Self, Vec<Op>) {
        let mut list = Permissions::default();
        let mut ops = vec![Op::List(ListOp::Permissions)];
        if !command.is_empty() {
            list.command = Editor::holding(command);
            list.stage = RuleStage::Writing;
            ops.push(Op::Call(CallOp::Try { command: command.to_owned() }));
        }
        (list, ops)
    }

    /// The rules as they are now.
    pub(crate) fn take(&mut self, grants: Vec<Grant>) {
        let before = self.grants().get(self.chosen).map(|grant| grant.rule.clone());
        self.chosen = self.chosen.min(grants.len().saturating_sub(1));
        self.grants = Some(grants);
        let now = self.grants().get(self.chosen).map(|grant| &grant.rule);
        if self.stage == RuleStage::Revoking && now != before.as_ref() {
            // The first press was for another one.
            self.stage = RuleStage::Choosing;
        }
    }

    fn choose(&mut self, press: Press) -> Reply {
        match (press.chord.letter(), press.chord.code) {
            _ if press.closes() => return Reply::close(),
            (Some(REVOKES), _) if !self.grants().is_empty() => self.stage = RuleStage::Revoking,
            (Some(TRIES), _) => self.stage = RuleStage::Writing,
            // Whoever types a command wants to know of it.
            (Some(letter), _) => self.begin(letter.encode_utf8(&mut [0; 4])),
            (None, KeyCode::Enter) => return Reply::close(),
            (None, _) => self.chosen = moved(press, self.chosen, self.grants().len()).unwrap_or(self.chosen),
        }
        Reply::stay()
    }

    /// After the first d: a second one takes the rule back, other letters make a word of both.
    fn revoke(&mut self, press: Press) -> Reply {
        self.stage = RuleStage::Choosing;
        match press.chord.letter() {
            Some(REVOKES) => {
                let rule = self.grants().get(self.chosen).map(|grant| grant.rule.clone());
                return rule.map_or(Reply::stay(), |rule| Reply::stay_and(Op::Call(CallOp::Revoke { rule })));
            }
            Some(letter) => self.begin(&format!("{REVOKES}{letter}")),
            None if press.closes() => {}
            None => return self.choose(press),
        }
        Reply::stay()
    }

    /// Begins to write a command with these words.
    fn begin(&mut self, words: &str) {
        self.stage = RuleStage::Writing;
        self.command = Editor::default();
        words.chars().for_each(|letter| self.command.type_letter(letter));
    }

    fn edit(&mut self, press: Press) -> Reply {
        if press.closes() {
            (self.stage, self.tried) = (RuleStage::Choosing, None);
            self.command = Editor::default();
        } else if press.chord.is(KeyCode::Enter) {
            let command = self.command.whole();
            if !command.trim().is_empty() {
                return Reply::stay_and(Op::Call(CallOp::Try { command }));
            }
        } else {
            edit(&mut self.command, press.chord);
        }
        Reply::stay()
    }

    fn grants(&self) -> &[Grant] {
        self.grants.as_deref().unwrap_or_default()
    }

    fn keys(&self) -> Vec<(String, String)> {
        match self.stage {
            RuleStage::Writing => vec![choice("Enter", "tells; nothing is run"), choice("Esc", "back to the rules")],
            RuleStage::Revoking => vec![choice("d", "again takes the rule back"), choice("Esc", "keeps it")],
            RuleStage::Choosing if self.grants().is_empty() => {
                vec![choice("t", "try a command"), choice("Esc", "close")]
            }
            RuleStage::Choosing => vec![
                choice("↑ ↓", "choose"),
                choice("d", "revoke"),
                choice("t", "try a command"),
                choice("Esc", "close"),
            ],
        }
    }

    /// The rules, and the row that is to be kept in view.
    fn list(&self, columns: u16, palette: Palette) -> (Vec<Line<'static>>, Option<usize>) {
        let said = |text: &str| (paragraph(text, palette.dim(), columns), None);
        match &self.grants {
            None => return said("asking …"),
            Some(grants) if grants.is_empty() => {
                return said("nothing yet: a question about a command offers rules under its letters a, b, c and d");
            }
            Some(_) => {}
        }
        lines(self.grants(), self.chosen, |grant, chosen| {
            let (mark, style) = mark(chosen, palette);
            let words = clean_line(&grant.words).into_owned();
            let rule = Line::from(vec![Span::styled(mark, style), Span::styled(words, style)]);
            let about = Line::from(vec![Span::raw("    "), Span::styled(about(grant), palette.dim())]);
            [wrap(&rule, columns, 2), wrap(&about, columns, 4)].concat()
        })
    }

    /// What would become of the command that was tried.
    fn said(&self, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let Some(Tried { command, verdict, why }) = &self.tried else { return Vec::new() };
        let (words, style) = match verdict {
            TriedVerdict::Runs => ("would run", palette.good()),
            TriedVerdict::Asks => ("would ask", palette.warn()),
            TriedVerdict::Refused => ("would be refused", palette.bad()),
        };
        let line = Line::from(vec![
            Span::styled(words, style.patch(palette.strong())),
            Span::raw(format!(": {} · {}", clean_line(command), clean_line(why))),
        ]);
        wrap(&line, columns, 2)
    }
}

impl Dialog for Permissions {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        match self.stage {
            RuleStage::Choosing => self.choose(press),
            RuleStage::Revoking => self.revoke(press),
            RuleStage::Writing => self.edit(press),
        }
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let (body, keep) = self.list(inside, palette);
        let mut foot = self.said(inside, palette);
        let mut cursor = None;
        if self.stage == RuleStage::Writing {
            foot.push(Line::styled("would this ask?", palette.dim()));
            let (written, row, column) = written(&self.command, inside, palette);
            cursor = Some((Part::Foot, foot.len() + row, column));
            foot.extend(written);
        }
        foot.extend(choices(&self.keys(), inside, palette));
        let title = Span::styled("What runs without a question", palette.strong());
        space.fit(Parts { keep, cursor, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    /// The letters that do something; all others begin a command to try. `None` while one is written.
    fn answers(&self) -> Option<Answers> {
        let keys = match self.stage {
            RuleStage::Choosing if self.grants().is_empty() => TRIES.to_string(),
            RuleStage::Choosing => format!("{REVOKES}{TRIES}"),
            RuleStage::Revoking => REVOKES.to_string(),
            RuleStage::Writing => return None,
        };
        Some(Answers::new(keys, Words::Field))
    }

    fn write(&mut self, words: &str) {
        self.begin(words);
    }

    fn paste(&mut self, text: &str, _now: Duration) -> Pasted {
        self.stage = RuleStage::Writing;
        self.command.insert(text.trim());
        Pasted::Taken
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn hear(&mut self, event: &Event, _around: &Surroundings<'_>) -> Heard {
        if let Event::List(ListEvent::Permissions { grants }) = event {
            self.take(grants.clone());
            return Heard::Shown;
        }
        let Event::Call(CallEvent::Tried { command, verdict, why }) = event else { return Heard::No };
        self.tried = Some(Tried { command: command.clone(), verdict: *verdict, why: why.clone() });
        Heard::Shown
    }
}

/// For how long a rule holds, and where it comes from.
fn about(grant: &Grant) -> String {
    let lasts = match grant.lasts {
        Lasts::Session => "in this session",
        Lasts::Always => "for good",
    };
    let since = grant.since.as_ref().map(|since| format!("since {}", clean_line(since)));
    let example = grant.example.as_ref().map(|example| format!("given for: {}", clean_line(example)));
    [Some(lasts.to_owned()), since, example].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
