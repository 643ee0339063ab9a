//! The question before something happens: what it is, why it is asked, and the keys that answer.
//!
//! Draws nothing itself (`parts` says what is shown, `answers` names the keys) and sends nothing. Enter alone, a paste,
//! and keys before the lock opens answer nothing, and letters go through the `gate`; a yes to what was not all on the screen
//! is asked for twice.

mod answers;
mod changing;
mod command;
mod cover;
mod details;
mod elsewhere;
mod head;
mod hunks;
mod inquiry;
mod matter;
mod parts;
mod plan;
mod reach;
mod rule;
mod selecting;
mod unread;
mod warnings;

use super::files::FileStep;
use super::frame::Scroll;
use super::{Answers, Laid, Lock, Press, Reply, Words};
use crate::composer::{Editor, edit};
use crate::diff::Columns;
use crate::keymap::Deed;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::transcript::Told;
use agent_frontend::{is_outside_turn, lettered_offers, reply, takes_feedback};
use agent_protocol::{Answer, AskId, Op, Question, Rule, SandboxKind, Subject, TurnOp};
use answers::Keys;
pub(crate) use changing::{command_instead, instead, plan_instead};
use crossterm::event::KeyCode;
pub(crate) use details::Details;
use inquiry::InquiryStep;
use matter::Matter;
use ratatui::text::Line;
use rule::Narrowing;
use std::borrow::Cow;
use std::time::Duration;
use unread::{ToldOfMore, not_shown};

/// Said when a key came too early.
pub(crate) const TOO_EARLY: &str = "nothing was answered: read it first, then press a key below";

/// Said when other keys came right before one.
const TOO_SOON: &str = "nothing was answered: other keys came right before; press it again";

pub(crate) struct Approval {
    question: Question,
    details: Details,
    pub(crate) lock: Lock,
    scroll: Scroll,
    /// The same for what stands in the place of the thing itself for a while.
    aside: Scroll,
    stage: ApprovalStage,
    /// The word that will go with the answer.
    word: Option<String>,
    /// What holds commands in on this system.
    sandbox: SandboxKind,
    /// What cannot be told of a command by looking at it; a diff says so itself.
    doubts: Vec<String>,
    matter: Matter,
    /// What scrolls, and for which columns and how much room it was laid out; not for what keeps its own lines.
    lines: Vec<Line<'static>>,
    laid_for: Option<(u16, Told)>,
    /// Which keys stand beside the thing itself.
    keys: Keys,
    /// The answer that an arrow went to, by its place among the keys: none before.
    selected: Option<usize>,
    told_of_more: ToldOfMore,
    hint: Option<Cow<'static, str>>,
    /// Columns and rows of the screen for what it shows, as it was laid out last.
    width: u16,
    most: u16,
    /// How what was and what will be stand to each other.
    pub(crate) columns: Columns,
    palette: Palette,
}

/// What the keys are for.
enum ApprovalStage {
    Choosing,
    /// To write a word to the model.
    Wording(Editor),
    /// To write the word with which a plan goes back.
    Returning(Editor),
    Editing(Editor),
    /// To choose an offer, where their words have no room beside the thing itself.
    Offering,
    /// To narrow the rule that was chosen.
    Ruling(Narrowing),
}

impl Approval {
    pub(crate) fn new(
        question: Question,
        details: Details,
        sandbox: SandboxKind,
        palette: Palette,
        highlighter: &Highlighter,
    ) -> Self {
        let matter = Matter::of(&question.preview.body, palette, highlighter);
        let doubts = warnings::of(&question);
        let details = details.with_cover(cover::of(&question).cloned());
        Approval {
            question,
            details,
            lock: Lock::default(),
            scroll: Scroll::default(),
            aside: Scroll::default(),
            stage: ApprovalStage::Choosing,
            word: None,
            sandbox,
            doubts,
            matter,
            lines: Vec::new(),
            laid_for: None,
            keys: Keys::All,
            selected: None,
            told_of_more: ToldOfMore::default(),
            hint: None,
            width: 0,
            most: 0,
            columns: Columns::One,
            palette,
        }
    }

    pub(crate) fn id(&self) -> AskId {
        self.question.id
    }

    /// Does the question stand outside of any turn?
    pub(crate) fn stands_alone(&self) -> bool {
        is_outside_turn(&self.question)
    }

    /// The letters that answer now; `None` where a text is written.
    pub(crate) fn answers(&self) -> Option<Answers> {
        let keys = match self.stage {
            ApprovalStage::Wording(_)
            | ApprovalStage::Returning(_)
            | ApprovalStage::Editing(_)
            | ApprovalStage::Ruling(_) => return None,
            ApprovalStage::Offering => answers::offer_keys(self).collect(),
            ApprovalStage::Choosing if matches!(self.matter, Matter::Inquiry(_)) => return None,
            ApprovalStage::Choosing => selecting::typed(self),
        };
        Some(Answers::new(keys, Words::Draft))
    }

    /// Does it ask for words of the user's own?
    pub(crate) fn asks_for_words(&self) -> bool {
        matches!(self.matter, Matter::Inquiry(_))
    }

    /// Is it worth more than the conversation above it? A command is short, and each line of it counts; a diff would
    /// take all room there is.
    pub(crate) fn wants_room(&self) -> bool {
        !matches!(self.matter, Matter::Files(_))
    }

    pub(crate) fn highlighted(&mut self, done: &Highlighted) {
        match &mut self.matter {
            Matter::Files(files) => {
                files.diff.highlighted(done);
                self.laid_for = None;
            }
            Matter::Plan(plan) => plan.highlighted(done),
            Matter::Words | Matter::Inquiry(_) => {}
        }
    }

    /// A key came before the lock opened.
    pub(crate) fn too_early(&mut self) {
        self.hint = Some(TOO_EARLY.into());
    }

    /// A key came right after other keys.
    pub(crate) fn too_soon(&mut self) {
        self.hint = Some(TOO_SOON.into());
    }

    /// The user was away: what they see now they see for the first time.
    pub(crate) fn again(&mut self) {
        self.lock.again();
        (self.selected, self.told_of_more) = (None, ToldOfMore::default());
    }

    pub(crate) fn is_about_trust(&self) -> bool {
        matches!(self.question.subject, Subject::Trust { .. })
    }

    pub(crate) fn lay_out(&mut self, width: u16, most: u16) -> Laid {
        parts::lay_out(self, width, most)
    }

    /// How far what is shown is scrolled.
    pub(crate) fn scroll(&mut self) -> &mut Scroll {
        match self.stage {
            ApprovalStage::Editing(_) | ApprovalStage::Offering => &mut self.aside,
            ApprovalStage::Choosing
            | ApprovalStage::Wording(_)
            | ApprovalStage::Returning(_)
            | ApprovalStage::Ruling(_) => {
                if self.details.unfolded() {
                    &mut self.details.scroll
                } else {
                    &mut self.scroll
                }
            }
        }
    }

    pub(crate) fn scroll_by(&mut self, lines: i32) {
        if let Matter::Inquiry(inquiry) = &mut self.matter {
            inquiry.read();
        }
        self.scroll().by(lines);
    }

    /// A paste answers nothing; it is text where text is written. Says whether it is written here.
    pub(crate) fn paste(&mut self, text: &str) -> bool {
        if let (Matter::Inquiry(inquiry), false) = (&mut self.matter, self.details.unfolded()) {
            inquiry.paste(text);
            return true;
        }
        match &mut self.stage {
            ApprovalStage::Choosing | ApprovalStage::Offering => {
                self.hint = Some("a paste answers nothing; press a key below".into());
                return false;
            }
            ApprovalStage::Wording(editor) | ApprovalStage::Returning(editor) | ApprovalStage::Editing(editor) => {
                editor.paste(text)
            }
            ApprovalStage::Ruling(rule) => rule.editor.insert(text),
        }
        true
    }

    /// Goes back to the question from a text field or from the details; says whether one was open.
    pub(crate) fn go_back(&mut self) -> bool {
        match (&self.stage, &mut self.matter) {
            (ApprovalStage::Choosing, Matter::Inquiry(inquiry)) => return self.details.fold() || inquiry.go_back(),
            (ApprovalStage::Choosing, _) => return self.details.fold(),
            _ => {}
        }
        self.stage = ApprovalStage::Choosing;
        true
    }

    pub(crate) fn key(&mut self, press: Press, now: Duration) -> Reply {
        let reply = self.act(press, now);
        match self.stage {
            ApprovalStage::Choosing | ApprovalStage::Offering => {}
            ApprovalStage::Wording(_)
            | ApprovalStage::Returning(_)
            | ApprovalStage::Editing(_)
            | ApprovalStage::Ruling(_) => self.told_of_more.forget(),
        }
        reply
    }

    fn act(&mut self, press: Press, now: Duration) -> Reply {
        self.hint = None;
        if press.closes() && self.go_back() {
            return Reply::stay();
        }
        if press.deed == Some(Deed::Details) && self.question.call.is_some() {
            return self.unfold();
        }
        if matches!(self.matter, Matter::Inquiry(_)) {
            return self.inquired(press);
        }
        let enter = press.chord.is(KeyCode::Enter);
        match &mut self.stage {
            ApprovalStage::Choosing => self.choose(press, now),
            ApprovalStage::Offering => self.choose_offer(press, now),
            ApprovalStage::Wording(editor) if enter => {
                let word = editor.whole();
                self.keep_word(&word);
                Reply::stay()
            }
            ApprovalStage::Returning(editor) if enter => {
                let word = editor.whole().trim().to_owned();
                self.send_back(word)
            }
            ApprovalStage::Editing(editor) if enter => {
                let command = editor.whole();
                self.command_instead(command)
            }
            ApprovalStage::Ruling(rule) if enter => match rule.rule(&self.question.parts) {
                Ok(rule) => self.yes(Some(rule)),
                Err(why) => self.stay_and_say(why),
            },
            ApprovalStage::Wording(editor) | ApprovalStage::Returning(editor) | ApprovalStage::Editing(editor)
                if press.deed == Some(Deed::NewLine) =>
            {
                editor.insert("\n");
                Reply::stay()
            }
            ApprovalStage::Wording(editor) | ApprovalStage::Returning(editor) | ApprovalStage::Editing(editor) => {
                edit(editor, press.chord);
                Reply::stay()
            }
            ApprovalStage::Ruling(Narrowing { editor, .. }) => {
                edit(editor, press.chord);
                Reply::stay()
            }
        }
    }

    /// A key at a question of the model: the answer is the word of a yes.
    fn inquired(&mut self, press: Press) -> Reply {
        if self.details.unfolded() {
            self.details.scroll.key(press);
            return Reply::stay();
        }
        let Matter::Inquiry(inquiry) = &mut self.matter else { return Reply::stay() };
        match inquiry.key(press, &mut self.scroll) {
            InquiryStep::Nothing => Reply::stay(),
            InquiryStep::Say(hint) => self.stay_and_say(hint),
            InquiryStep::Refuse => self.no(),
            InquiryStep::Answer(answer) => {
                self.word = Some(answer);
                self.yes(None)
            }
        }
    }

    /// A plan goes back with what should be different; without that it would only be refused.
    fn send_back(&mut self, word: String) -> Reply {
        if word.is_empty() {
            return self.stay_and_say("write what should be different; Esc and then n rejects it without a word");
        }
        self.word = Some(word);
        self.no()
    }

    fn stay_and_say(&mut self, hint: impl Into<Cow<'static, str>>) -> Reply {
        self.hint = Some(hint.into());
        Reply::stay()
    }

    fn unfold(&mut self) -> Reply {
        if !self.details.toggle() {
            self.hint = Some("there is no more to see: the call is carried out as the server sent it".into());
        }
        Reply::stay()
    }

    fn choose(&mut self, press: Press, now: Duration) -> Reply {
        if press.closes() {
            return self.refuse_and_stop();
        }
        if let Some(reply) = self.goes_through_hunks(press) {
            return reply;
        }
        if let Some(reply) = self.shows_more(press) {
            return reply;
        }
        if self.switches_columns(press) || self.selects(press) || self.scroll().key(press) || self.goes_to_file(press) {
            return Reply::stay();
        }
        match self.chosen_letter(press) {
            Some('y') if self.was_read('y', now) => return self.yes(None),
            Some('y') => return Reply::stay(),
            Some('n') => return self.no(),
            Some('e') if self.can_edit() => return self.begin_edit(),
            Some('E') if self.can_edit() => return self.edit_outside(),
            Some('r') if matches!(self.matter, Matter::Plan(_)) => {
                self.stage = ApprovalStage::Returning(Editor::holding(self.word.as_deref().unwrap_or_default()));
                return Reply::stay();
            }
            Some('w') if self.wider().is_some() => return self.widen(),
            Some(letter) if self.offer(letter).is_some() => return self.take_offer(letter, now),
            None if press.chord.is(KeyCode::Tab) && takes_feedback(&self.question) => {
                self.begin_word();
                return Reply::stay();
            }
            Some(_) | None => {}
        }
        self.stay_and_say(match press {
            Press { chord, .. } if chord.is(KeyCode::Enter) => "Enter answers after an arrow chose; or press y or n",
            Press { deed: Some(Deed::SwitchMode), .. } => "answer first; the mode can be switched after that",
            _ => "press one of the keys below",
        })
    }

    /// Goes from file to file, where there are several; says whether it was such a key.
    fn goes_to_file(&mut self, press: Press) -> bool {
        let Matter::Files(files) = &mut self.matter else { return false };
        let way = match press.chord.code {
            _ if files.count() < 2 || self.details.unfolded() => return false,
            KeyCode::Left => FileStep::Back,
            KeyCode::Right => FileStep::On,
            _ => return false,
        };
        files.go(way, &mut self.scroll);
        true
    }

    /// A key while the offers stand in the place of the thing itself. Only what could be read can be chosen.
    fn choose_offer(&mut self, press: Press, now: Duration) -> Reply {
        if self.aside.key(press) {
            return Reply::stay();
        }
        let letter = press.chord.letter().filter(|letter| self.offer(*letter).is_some());
        match (letter, self.aside.unread()) {
            (None, _) => self.stay_and_say("press one of the keys below"),
            (Some(_), unread @ 1..) => {
                self.stay_and_say(format!("{}: {} to read", not_shown(unread), self.aside.to_unread()))
            }
            (Some(letter), 0) => {
                self.stage = ApprovalStage::Choosing;
                self.agree_to(letter, now)
            }
        }
    }

    /// The letter of an offer at the question itself.
    fn take_offer(&mut self, letter: char, now: Duration) -> Reply {
        if self.keys == Keys::OffersFolded {
            (self.stage, self.aside) = (ApprovalStage::Offering, Scroll::default());
            return Reply::stay();
        }
        self.agree_to(letter, now)
    }

    /// Yes, and the rule behind `letter` with it; the words of one can be narrowed first.
    fn agree_to(&mut self, letter: char, now: Duration) -> Reply {
        if !self.was_read(letter, now) {
            return Reply::stay();
        }
        match self.offer(letter).cloned() {
            Some(Rule::Words { words }) => {
                self.stage = ApprovalStage::Ruling(Narrowing::of(&words));
                Reply::stay()
            }
            Some(rule) => self.yes(Some(rule)),
            None => Reply::stay(),
        }
    }

    fn yes(&mut self, remember: Option<Rule>) -> Reply {
        match (self.left(), &remember) {
            (Some(_), Some(_)) => {
                return self.stay_and_say("parts are left out: approve the rest with y, or take them in again");
            }
            (Some(left), None) => return self.approve_part(left),
            (None, _) => {}
        }
        let answer = Answer::Yes { remember, word: self.word.take() };
        Reply::close_and(reply(self.id(), answer))
    }

    fn no(&mut self) -> Reply {
        let answer = Answer::No { word: self.word.take() };
        Reply::close_and(reply(self.id(), answer))
    }

    /// Esc: no, and the turn ends. Outside a turn there is nothing to end.
    pub(crate) fn refuse_and_stop(&mut self) -> Reply {
        if self.stands_alone() { self.no() } else { Reply::close_and(Op::Turn(TurnOp::Interrupt)) }
    }

    /// The rule behind `letter`: a for the first, b for the second.
    fn offer(&self, letter: char) -> Option<&Rule> {
        lettered_offers(&self.question).find(|(key, ..)| *key == letter).map(|(_, offer, _)| &offer.rule)
    }
}
