//! The question before something happens: what it is, why it is asked, and the keys that answer.
//!
//! Draws nothing itself (`parts` says what is shown, `answers` names the keys) and sends nothing. Enter alone, a paste,
//! and keys before the lock opens answer nothing; a yes to what was not seen to its end is asked for twice.

mod answers;
mod command;
mod cover;
mod details;
mod head;
mod parts;
mod rule;

use super::frame::Scroll;
use super::{Laid, Letters, Lock, Press, Reply, Then};
use crate::app::{Cmd, Purpose};
use crate::composer::{Editor, edit};
use crate::diff::{DiffView, Doubts};
use crate::keymap::Deed;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::transcript::Told;
use agent_protocol::{
    Action, Answer, AskId, Cover, EnclosureKind, FileDiff, Op, PreviewBody, Profile, Proposal, Question, Rule, Subject,
};
use answers::Keys;
use crossterm::event::KeyCode;
pub(crate) use details::Details;
use ratatui::text::Line;
use rule::Narrowing;
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

/// Said when a key came too early.
pub(crate) const TOO_EARLY: &str = "nothing was answered: read it first, then press a key below";

/// A second yes so soon after the first is the same press.
const SAME_PRESS: Duration = Duration::from_millis(300);

/// An open question.
pub(crate) struct Approval {
    question: Question,
    details: Details,
    letters: Letters,
    pub(crate) lock: Lock,
    scroll: Scroll,
    /// The same for what stands in the place of the thing itself for a while.
    aside: Scroll,
    stage: Stage,
    /// The word that will go with the answer.
    word: Option<String>,
    /// What holds commands in on this system.
    enclosure: EnclosureKind,
    /// What cannot be told of a command by looking at it; a diff says so itself.
    doubts: Vec<String>,
    diff: Option<DiffView>,
    /// What scrolls, and for which columns and how much room it was laid out; not for diffs, which keep their own.
    lines: Vec<Line<'static>>,
    laid_for: Option<(u16, Told)>,
    /// Which keys stand beside the thing itself.
    keys: Keys,
    /// When the person was told that there is more than they have seen.
    told_of_more: Option<Duration>,
    hint: Option<Cow<'static, str>>,
    palette: Palette,
}

/// What the keys are for.
enum Stage {
    /// To answer.
    Choosing,
    /// To write a word to the model.
    Wording(Editor),
    /// To change the command.
    Editing(Editor),
    /// To choose an offer, where their words have no room beside the thing itself.
    Offering,
    /// To narrow the rule that was chosen.
    Ruling(Narrowing),
}

/// The answer that puts an edited file text in the place of the proposed one.
pub(crate) fn instead(ask: AskId, path: PathBuf, text: String) -> Op {
    Op::Reply { ask, answer: Answer::Instead { proposal: Proposal::Text { path, text } } }
}

impl Approval {
    pub(crate) fn new(
        question: Question,
        details: Details,
        enclosure: EnclosureKind,
        palette: Palette,
        highlighter: &Highlighter,
    ) -> Self {
        let diff = match &question.preview.body {
            PreviewBody::Diff { files } => Some(DiffView::new(files, palette, highlighter.clone())),
            PreviewBody::Plain | PreviewBody::Command { .. } => None,
        };
        let doubts = doubts(&question);
        let details = details.with_cover(cover_of(&question).cloned());
        Approval {
            question,
            details,
            letters: Letters::default(),
            lock: Lock::default(),
            scroll: Scroll::default(),
            aside: Scroll::default(),
            stage: Stage::Choosing,
            word: None,
            enclosure,
            doubts,
            diff,
            lines: Vec::new(),
            laid_for: None,
            keys: Keys::All,
            told_of_more: None,
            hint: None,
            palette,
        }
    }

    pub(crate) fn id(&self) -> AskId {
        self.question.id
    }

    /// Does the question stand outside of any turn?
    pub(crate) fn stands_alone(&self) -> bool {
        match self.question.subject {
            Subject::Folder { .. } | Subject::Trust { .. } => true,
            Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } => false,
            Subject::Stuck { .. } | Subject::Shorten { .. } => false,
        }
    }

    /// The letters typed at it, and those that are its keys, where they might be words as well: the questions about the
    /// folder come when people begin to write. Any other comes while they wait, and has its lock.
    pub(crate) fn letters(&mut self) -> Option<(&mut Letters, &'static str)> {
        self.stands_alone().then_some((&mut self.letters, "yn"))
    }

    /// When a letter typed at it will be known to be an answer.
    pub(crate) fn due(&self) -> Option<Duration> {
        self.letters.due()
    }

    /// Is it worth more than the conversation above it? A command is short, and each line of it counts; a diff would
    /// take all room there is.
    pub(crate) fn wants_room(&self) -> bool {
        self.diff.is_none()
    }

    pub(crate) fn highlighted(&mut self, done: &Highlighted) {
        if let Some(diff) = &mut self.diff {
            diff.highlighted(done);
        }
    }

    /// A key came before the lock opened.
    pub(crate) fn too_early(&mut self) {
        self.hint = Some(TOO_EARLY.into());
    }

    pub(crate) fn is_about_trust(&self) -> bool {
        matches!(self.question.subject, Subject::Trust { .. })
    }

    /// A letter came while words stood in the draft.
    pub(crate) fn drafted(&mut self) {
        self.hint =
            Some("that went to your message; empty it with backspace to answer by a letter, or press esc".into());
    }

    pub(crate) fn lay_out(&mut self, width: u16, most: u16) -> Laid {
        parts::lay_out(self, width, most)
    }

    /// How far what is shown is scrolled.
    pub(crate) fn scroll(&mut self) -> &mut Scroll {
        match self.stage {
            Stage::Editing(_) | Stage::Offering => &mut self.aside,
            Stage::Choosing | Stage::Wording(_) | Stage::Ruling(_) if self.details.unfolded() => {
                &mut self.details.scroll
            }
            Stage::Choosing | Stage::Wording(_) | Stage::Ruling(_) => &mut self.scroll,
        }
    }

    /// A paste answers nothing; it is text where text is written.
    pub(crate) fn paste(&mut self, text: &str) {
        match &mut self.stage {
            Stage::Choosing | Stage::Offering => self.hint = Some("a paste answers nothing; press a key below".into()),
            Stage::Wording(editor) | Stage::Editing(editor) => editor.paste(text),
            Stage::Ruling(rule) => rule.editor.insert(text),
        }
    }

    /// Goes back to the question from a text field or from the details; says whether one was open.
    pub(crate) fn go_back(&mut self) -> bool {
        if matches!(self.stage, Stage::Choosing) {
            return self.details.fold();
        }
        self.stage = Stage::Choosing;
        true
    }

    pub(crate) fn key(&mut self, press: Press, now: Duration) -> Reply {
        self.hint = None;
        if press.closes() && self.go_back() {
            return Reply::stay();
        }
        if press.deed == Some(Deed::Details) && self.question.call.is_some() {
            return self.unfold();
        }
        let enter = press.chord.is(KeyCode::Enter);
        match &mut self.stage {
            Stage::Choosing => self.choose(press, now),
            Stage::Offering => self.choose_offer(press, now),
            Stage::Wording(editor) if enter => {
                self.word = Some(editor.whole().trim().to_owned()).filter(|word| !word.is_empty());
                self.stage = Stage::Choosing;
                Reply::stay()
            }
            Stage::Editing(editor) if enter => {
                let command = editor.whole();
                self.command_instead(command)
            }
            Stage::Ruling(rule) if enter => match rule.rule(&self.question.parts) {
                Ok(rule) => self.yes(Some(rule)),
                Err(why) => self.stay_and_say(why),
            },
            Stage::Wording(editor) | Stage::Editing(editor) if press.deed == Some(Deed::NewLine) => {
                editor.insert("\n");
                Reply::stay()
            }
            Stage::Wording(editor) | Stage::Editing(editor) | Stage::Ruling(Narrowing { editor, .. }) => {
                edit(editor, press.chord);
                Reply::stay()
            }
        }
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
        if self.scroll().key(press) {
            return Reply::stay();
        }
        match press.chord.letter() {
            Some('y') if self.was_read('y', now) => return self.yes(None),
            Some('y') => return Reply::stay(),
            Some('n') => return self.no(),
            Some('e') if self.can_edit() => return self.begin_edit(),
            Some('w') if self.wider().is_some() => return self.widen(),
            Some(letter) if self.offer(letter).is_some() => return self.take_offer(letter, now),
            None if press.chord.is(KeyCode::Tab) && self.takes_a_word() => {
                self.stage = Stage::Wording(Editor::holding(self.word.as_deref().unwrap_or_default()));
                return Reply::stay();
            }
            Some(_) | None => {}
        }
        self.stay_and_say(match press {
            Press { chord, .. } if chord.is(KeyCode::Enter) => "enter alone answers nothing; press y or n",
            Press { deed: Some(Deed::SwitchMode), .. } => "answer first; the mode can be switched after that",
            _ => "press one of the keys below",
        })
    }

    /// A key while the offers stand in the place of the thing itself. Only what could be read can be chosen.
    fn choose_offer(&mut self, press: Press, now: Duration) -> Reply {
        if self.aside.key(press) {
            return Reply::stay();
        }
        let letter = press.chord.letter().filter(|letter| self.offer(*letter).is_some());
        match (letter, self.aside.unread()) {
            (None, _) => self.stay_and_say("press one of the keys below"),
            (Some(_), unread @ 1..) => self.stay_and_say(format!("{}: pgdn to read", not_shown(unread))),
            (Some(letter), 0) => {
                self.stage = Stage::Choosing;
                self.agree_to(letter, now)
            }
        }
    }

    /// The letter of an offer at the question itself.
    fn take_offer(&mut self, letter: char, now: Duration) -> Reply {
        if self.keys == Keys::OffersFolded {
            (self.stage, self.aside) = (Stage::Offering, Scroll::default());
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
                self.stage = Stage::Ruling(Narrowing::of(&words));
                Reply::stay()
            }
            Some(rule) => self.yes(Some(rule)),
            None => Reply::stay(),
        }
    }

    /// Was everything on the screen that a yes is said to? If not, the person is told so, once: the next yes counts.
    fn was_read(&mut self, key: char, now: Duration) -> bool {
        let unread = self.scroll.unread();
        let told = self.told_of_more.is_some_and(|told| now >= told + SAME_PRESS);
        if unread == 0 || told {
            return true;
        }
        self.told_of_more.get_or_insert(now);
        self.hint = Some(format!("{}: pgdn to read, {key} again to approve all the same", not_shown(unread)).into());
        false
    }

    fn yes(&mut self, remember: Option<Rule>) -> Reply {
        let answer = Answer::Yes { remember, word: self.word.take() };
        Reply::close_and(Op::Reply { ask: self.id(), answer })
    }

    fn no(&mut self) -> Reply {
        let answer = Answer::No { word: self.word.take() };
        Reply::close_and(Op::Reply { ask: self.id(), answer })
    }

    /// Esc: no, and the turn ends. Outside a turn there is nothing to end.
    pub(crate) fn refuse_and_stop(&mut self) -> Reply {
        if self.stands_alone() { self.no() } else { Reply::close_and(Op::Interrupt) }
    }

    fn begin_edit(&mut self) -> Reply {
        let ask = self.id();
        match &self.question.preview.body {
            PreviewBody::Command { command, .. } => {
                (self.stage, self.aside) = (Stage::Editing(Editor::holding(command)), Scroll::default());
                Reply::stay()
            }
            PreviewBody::Diff { files } => match &files[..] {
                [FileDiff { path, after: Some(text), skipped: 0, .. }] => Reply {
                    cmds: vec![Cmd::Edit {
                        text: text.clone(),
                        extension: path.extension().map_or("txt".into(), |end| end.to_string_lossy().into_owned()),
                        purpose: Purpose::Proposal { ask, path: path.clone() },
                    }],
                    then: Then::Stay,
                },
                _ => Reply::stay(),
            },
            PreviewBody::Plain => Reply::stay(),
        }
    }

    fn command_instead(&mut self, command: String) -> Reply {
        let same = matches!(&self.question.preview.body, PreviewBody::Command { command: old, .. } if *old == command);
        if same || command.trim().is_empty() {
            self.stage = Stage::Choosing;
            return self.stay_and_say(if same { "the command is unchanged" } else { "an empty command does nothing" });
        }
        let answer = Answer::Instead { proposal: Proposal::Command { command } };
        Reply::close_and(Op::Reply { ask: self.id(), answer })
    }

    fn can_edit(&self) -> bool {
        match &self.question.preview.body {
            PreviewBody::Plain => false,
            PreviewBody::Command { .. } => true,
            PreviewBody::Diff { files } => matches!(&files[..], [FileDiff { after: Some(_), skipped: 0, .. }]),
        }
    }

    /// Everything that a model waits for: it may be told something along with the answer.
    fn takes_a_word(&self) -> bool {
        match self.question.subject {
            Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => true,
            Subject::Shorten { .. } | Subject::Folder { .. } | Subject::Trust { .. } => false,
        }
    }

    /// The next wider reach that a command could be given; none where nothing holds it in anyway.
    fn wider(&self) -> Option<Profile> {
        match (&self.question.preview.body, self.enclosure) {
            (PreviewBody::Command { profile, .. }, EnclosureKind::Kernel) => match profile {
                Profile::ReadOnly => Some(Profile::Project),
                Profile::Project => Some(Profile::Network),
                Profile::Network => Some(Profile::Unfenced),
                Profile::Unfenced => None,
            },
            (PreviewBody::Command { .. } | PreviewBody::Plain | PreviewBody::Diff { .. }, _) => None,
        }
    }

    /// Has the question come again, with a wider reach.
    fn widen(&mut self) -> Reply {
        let Some(profile) = self.wider() else { return Reply::stay() };
        let answer = Answer::Instead { proposal: Proposal::Profile { profile } };
        Reply::close_and(Op::Reply { ask: self.id(), answer })
    }

    /// The rule behind `letter`: a for the first, b for the second.
    fn offer(&self, letter: char) -> Option<&Rule> {
        let mut offers = self.question.offers.iter().zip(OFFER_KEYS.chars());
        offers.find(|(_, key)| *key == letter).map(|(offer, _)| &offer.rule)
    }
}

/// How much of what a command may do can be undone.
fn cover_of(question: &Question) -> Option<&Cover> {
    match &question.preview.body {
        PreviewBody::Command { cover, .. } => cover.as_ref(),
        PreviewBody::Plain | PreviewBody::Diff { .. } => None,
    }
}

/// What cannot be told by looking at a command, or at the names of what would be read. A diff says so itself.
fn doubts(question: &Question) -> Vec<String> {
    match (&question.preview.body, &question.subject) {
        (PreviewBody::Command { command, .. }, _) => Doubts::of(command).warnings(),
        (PreviewBody::Plain, Subject::Action { action: Action::Read { paths } }) => {
            let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
            Doubts::of(&names.join("\n")).warnings()
        }
        (PreviewBody::Plain | PreviewBody::Diff { .. }, _) => Vec::new(),
    }
}

/// That so many lines were never on the screen.
fn not_shown(lines: usize) -> String {
    if lines == 1 { "1 line not shown".to_owned() } else { format!("{lines} lines not shown") }
}

/// The keys of the offers, in their order; none of them means anything else here.
const OFFER_KEYS: &str = "abcd";
