//! Going back to an earlier message: which one, and whether the conversation goes back, the files, or both.
//!
//! What becomes of files is shown first, as an undo shows it. Enter goes on from the list; what changes anything is a
//! letter, which goes through the `gate`.

use super::frame::{Body, Parts, choice, choices, paragraph};
use super::list::{mark, rolled, stepped};
use super::undo::{self, AGREES, ENTER_ALONE, Planning};
use super::{Answers, Dialog, Heard, Laid, Press, Reply, Scroll, Space, Surroundings, Words};
use crate::text::highlight::Highlighted;
use crate::text::width::shorten;
use agent_protocol::{Event, Op, RewindWhat, SaidId, SessionEvent, SessionOp, UndoDirection};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Rows that PgUp and PgDn move.
const PAGE: usize = 10;

pub(crate) struct Rewind {
    /// What was said, the newest first.
    said: Vec<(SaidId, String)>,
    chosen: usize,
    stage: RewindStage,
    planning: Planning,
    hint: Option<&'static str>,
    scroll: Scroll,
}

/// What the keys are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RewindStage {
    Listing,
    /// To say what goes back.
    Choosing,
    /// To look at what becomes of files, and agree.
    Looking(RewindWhat),
}

impl Rewind {
    /// `said`: what was said, the oldest first; at least one.
    pub(crate) fn new(mut said: Vec<(SaidId, String)>) -> Self {
        said.reverse();
        Rewind {
            said,
            chosen: 0,
            stage: RewindStage::Listing,
            planning: Planning::default(),
            hint: None,
            scroll: Scroll::default(),
        }
    }

    fn chosen(&self) -> Option<SaidId> {
        self.said.get(self.chosen).map(|(said, _)| *said)
    }

    fn list_key(&mut self, press: Press) -> Reply {
        match (press.chord.code, press.chord.letter()) {
            _ if press.closes() => return Reply::close(),
            (KeyCode::Enter, _) if press.chord.held.is_empty() => self.stage = RewindStage::Choosing,
            (_, Some('f')) => return Reply::close_and(Op::Session(SessionOp::Fork { said: self.chosen() })),
            (KeyCode::Home, _) => self.chosen = 0,
            (KeyCode::End, _) => self.chosen = self.said.len().saturating_sub(1),
            _ => self.chosen = stepped(press, self.chosen, self.said.len(), PAGE).unwrap_or(self.chosen),
        }
        Reply::stay()
    }

    fn choice_key(&mut self, press: Press, now: Duration) -> Reply {
        if press.closes() {
            self.stage = RewindStage::Listing;
            return Reply::stay();
        }
        let Some(said) = self.chosen() else { return Reply::close() };
        match press.chord.letter() {
            Some('c') => self.rewind(RewindWhat::Conversation),
            Some('f') => self.look(RewindWhat::Files, said, now),
            Some('b') => self.look(RewindWhat::Both, said, now),
            Some(_) | None => {
                self.hint = Some("press c, f or b; Esc goes back to the list");
                Reply::stay()
            }
        }
    }

    /// Asks what would become of files, and shows it.
    fn look(&mut self, what: RewindWhat, said: SaidId, now: Duration) -> Reply {
        self.stage = RewindStage::Looking(what);
        let ask = self.planning.want((UndoDirection::Undo, said), now);
        ask.map_or(Reply::stay(), Reply::stay_and)
    }

    fn plan_key(&mut self, press: Press, what: RewindWhat) -> Reply {
        if press.closes() {
            self.planning.forget();
            self.stage = RewindStage::Choosing;
            return Reply::stay();
        }
        let agrees = press.chord.is(KeyCode::Char(AGREES));
        if press.chord.is(KeyCode::Enter) {
            self.hint = Some(ENTER_ALONE);
            return Reply::stay();
        }
        let Some(view) = self.planning.view() else {
            if agrees {
                self.hint = Some("not yet: the files are still being looked at");
            }
            return Reply::stay();
        };
        if !agrees {
            view.key(press);
            return Reply::stay();
        }
        if what == RewindWhat::Files && view.effect().files == 0 {
            self.hint = Some("no file would change; Esc goes back to the choice");
            return Reply::stay();
        }
        self.rewind(what)
    }

    fn rewind(&mut self, what: RewindWhat) -> Reply {
        let Some(said) = self.chosen() else { return Reply::close() };
        let choices = match what {
            RewindWhat::Conversation => Vec::new(),
            RewindWhat::Files | RewindWhat::Both => self.planning.view().map_or(Vec::new(), |view| view.choices()),
        };
        Reply::close_and(Op::Session(SessionOp::Rewind { said, what, choices }))
    }

    fn lay_out_list(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let room = usize::from(inside).saturating_sub(2);
        let row = |(number, (_, text)): (usize, &(SaidId, String))| {
            let (mark, style) = mark(number == self.chosen, palette);
            Line::styled(format!("{mark}{}", shorten(&undo::one_line(text), room)), style)
        };
        let body: Vec<Line<'static>> = self.said.iter().enumerate().map(row).collect();
        let keys = [
            choice("Enter", "go back to before it"),
            choice("f", "fork from before it"),
            choice("↑ ↓", "choose"),
            choice("Esc", "close"),
        ];
        let foot = choices(&keys, inside, palette);
        let title = Span::styled("Go back to an earlier message", palette.strong());
        space.fit(Parts { keep: Some(self.chosen), ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    fn lay_out_choice(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let newer = match self.chosen {
            0 => "it comes back into the prompt, to be said in other words".to_owned(),
            1 => "it comes back into the prompt; 1 later message goes with it".to_owned(),
            count => format!("it comes back into the prompt; {count} later messages go with it"),
        };
        let ways = [
            choice("c", format!("the conversation only: {newer}")),
            choice("f", "the files only: what was changed since is undone; it is shown first"),
            choice("b", "both; what becomes of files is shown first"),
        ];
        let body: Vec<Line<'static>> =
            ways.iter().flat_map(|way| choices(std::slice::from_ref(way), inside, palette)).collect();
        let mut foot = self.hint.map_or(Vec::new(), |hint| paragraph(hint, palette.warn(), inside));
        foot.extend(choices(&[choice("Esc", "back to the list")], inside, palette));
        let title = undo::titled("back to before", self.text(), None, space.columns, palette);
        space.fit(Parts::new(title, &body, foot), &mut Scroll::default())
    }

    fn lay_out_plan(&mut self, what: RewindWhat, space: Space) -> Laid {
        let (inside, most, palette) = (space.inside(), space.most, space.palette);
        let text = self.text().to_owned();
        let effect = self.planning.view().map(|view| view.effect());
        let title = undo::titled("back to before", &text, effect, space.columns, palette);
        let mut foot = self.hint.map_or(Vec::new(), |hint| paragraph(hint, palette.warn(), inside));
        let back = choice("Esc", "back");
        let Some(view) = self.planning.view() else {
            foot.extend(choices(&[back], inside, palette));
            let body = paragraph("looking at the files …", palette.dim(), inside);
            return space.fit(Parts::new(title, &body, foot), &mut Scroll::default());
        };
        let mut head = match what {
            RewindWhat::Both => paragraph("the conversation and the files go back", palette.text(), inside),
            RewindWhat::Files | RewindWhat::Conversation => {
                paragraph("the files go back; the conversation stays", palette.text(), inside)
            }
        };
        head.extend(undo::notes(view, inside, most, palette));
        let (lines, keys) = undo::plan_foot(view, inside, most, palette);
        foot.extend(lines);
        let agree = choice(AGREES, "go back");
        foot.extend(choices(&[vec![agree], keys, vec![choice("↑ ↓", "scroll"), back]].concat(), inside, palette));
        let stays = head.len();
        undo::plan_lines(view, Parts { head, stays, ..Parts::new(title, Body::Lines(&[]), foot) }, space)
    }

    fn text(&self) -> &str {
        self.said.get(self.chosen).map_or("", |(_, text)| text)
    }
}

impl Dialog for Rewind {
    fn key(&mut self, press: Press, now: Duration) -> Reply {
        self.hint = None;
        match self.stage {
            RewindStage::Listing => self.list_key(press),
            RewindStage::Choosing => self.choice_key(press, now),
            RewindStage::Looking(what) => self.plan_key(press, what),
        }
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        match self.stage {
            RewindStage::Listing => self.lay_out_list(space),
            RewindStage::Choosing => self.lay_out_choice(space),
            RewindStage::Looking(what) => self.lay_out_plan(what, space),
        }
    }

    fn scroll_by(&mut self, lines: i32) {
        match (self.stage, self.planning.view()) {
            (RewindStage::Looking(_), Some(view)) => view.scroll.by(lines),
            (RewindStage::Looking(_), None) => {}
            (RewindStage::Listing, _) => self.chosen = rolled(self.chosen, lines, self.said.len()),
            (RewindStage::Choosing, _) => self.scroll.by(lines),
        }
    }

    fn answers(&self) -> Option<Answers> {
        let keys = match self.stage {
            RewindStage::Listing => "f".to_owned(),
            RewindStage::Choosing => "cfb".to_owned(),
            RewindStage::Looking(_) => format!("{AGREES}{}", self.planning.keys()),
        };
        Some(Answers::new(keys, Words::Draft))
    }

    /// The number of the stage.
    fn step(&self) -> u8 {
        match self.stage {
            RewindStage::Listing => 0,
            RewindStage::Choosing => 1,
            RewindStage::Looking(_) => 2,
        }
    }

    /// Is it worth all the room there is?
    fn wants_room(&self) -> bool {
        matches!(self.stage, RewindStage::Looking(_))
    }

    fn highlighted(&mut self, done: &Highlighted) {
        if let Some(view) = self.planning.view() {
            view.highlighted(done);
        }
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        let Event::Session(SessionEvent::UndoPlanned { plan }) = event else { return Heard::No };
        Heard::Anew(self.planning.take(plan, around))
    }

    fn goes_first(&self) -> bool {
        true
    }
}
