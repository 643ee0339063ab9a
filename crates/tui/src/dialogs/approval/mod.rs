//! The question before something happens: what it is, why it is asked, and the keys that answer.
//!
//! Draws nothing itself (`parts` says what is shown) and sends nothing. Enter alone, a paste, and keys before the lock
//! opens answer nothing.

mod details;
mod parts;

use super::frame::Scroll;
use super::{Laid, Letters, Lock, Press, Reply, Then};
use crate::app::{Cmd, Purpose};
use crate::composer::{Editor, edit};
use crate::diff::DiffView;
use crate::keymap::Deed;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_protocol::{Answer, AskId, FileDiff, Op, PreviewBody, Proposal, Question, Rule, Subject};
use crossterm::event::KeyCode;
pub(crate) use details::Details;
use ratatui::text::Line;
use std::path::PathBuf;
use std::time::Duration;

/// Said when a key came too early.
pub(crate) const TOO_EARLY: &str = "nothing was answered: read it first, then press a key below";

/// An open question.
pub(crate) struct Approval {
    question: Question,
    details: Details,
    letters: Letters,
    pub(crate) lock: Lock,
    scroll: Scroll,
    stage: Stage,
    /// The word that will go with the answer.
    word: Option<String>,
    diff: Option<DiffView>,
    /// What scrolls, laid out for a width; not for diffs, which keep their own.
    lines: Vec<Line<'static>>,
    /// Were the words of the offers on the screen?
    offers_shown: bool,
    hint: Option<&'static str>,
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
}

/// The answer that puts an edited file text in the place of the proposed one.
pub(crate) fn instead(ask: AskId, path: PathBuf, text: String) -> Op {
    Op::Reply { ask, answer: Answer::Instead { proposal: Proposal::Text { path, text } } }
}

impl Approval {
    pub(crate) fn new(question: Question, details: Details, palette: Palette, highlighter: &Highlighter) -> Self {
        let diff = match &question.preview.body {
            PreviewBody::Diff { files } => Some(DiffView::new(files, palette, highlighter.clone())),
            PreviewBody::Plain | PreviewBody::Command { .. } => None,
        };
        Approval {
            question,
            details,
            letters: Letters::default(),
            lock: Lock::default(),
            scroll: Scroll::default(),
            stage: Stage::Choosing,
            word: None,
            diff,
            lines: Vec::new(),
            offers_shown: false,
            hint: None,
            palette,
        }
    }

    pub(crate) fn id(&self) -> AskId {
        self.question.id
    }

    /// Does the question stand outside of any turn?
    pub(crate) fn stands_alone(&self) -> bool {
        matches!(self.question.subject, Subject::Folder { .. })
    }

    /// The letters typed at it, and those that are its keys, where they might be words as well: the question about the
    /// folder comes when people begin to write. Any other comes while they wait, and has its lock.
    pub(crate) fn letters(&mut self) -> Option<(&mut Letters, &'static str)> {
        self.stands_alone().then_some((&mut self.letters, "yn"))
    }

    /// When a letter typed at it will be known to be an answer.
    pub(crate) fn due(&self) -> Option<Duration> {
        self.letters.due()
    }

    pub(crate) fn highlighted(&mut self, done: &Highlighted) {
        if let Some(diff) = &mut self.diff {
            diff.highlighted(done);
        }
    }

    /// A key came before the lock opened.
    pub(crate) fn too_early(&mut self) {
        self.hint = Some(TOO_EARLY);
    }

    pub(crate) fn lay_out(&mut self, width: u16, most: u16) -> Laid {
        let (laid, offers) = parts::lay_out(self, width, most);
        self.offers_shown = match offers {
            parts::Offers::Listed => laid.keys_whole,
            // Whoever looks at the details has come from them.
            parts::Offers::BehindDetails => self.offers_shown,
        };
        laid
    }

    /// How far what is shown is scrolled.
    pub(crate) fn scroll(&mut self) -> &mut Scroll {
        if self.shows_details() { &mut self.details.scroll } else { &mut self.scroll }
    }

    /// Do the details stand where the thing itself was? A command being edited does, whatever is unfolded.
    fn shows_details(&self) -> bool {
        self.details.unfolded() && !matches!(self.stage, Stage::Editing(_))
    }

    /// A paste answers nothing; it is text where text is written.
    pub(crate) fn paste(&mut self, text: &str) {
        match &mut self.stage {
            Stage::Choosing => self.hint = Some("a paste answers nothing; press a key below"),
            Stage::Wording(editor) | Stage::Editing(editor) => editor.paste(text),
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

    pub(crate) fn key(&mut self, press: Press) -> Reply {
        self.hint = None;
        if press.closes() && self.go_back() {
            return Reply::stay();
        }
        if press.deed == Some(Deed::Details) && self.question.call.is_some() {
            return self.unfold();
        }
        match &mut self.stage {
            Stage::Choosing => self.choose(press),
            Stage::Wording(editor) if press.chord.is(KeyCode::Enter) => {
                self.word = Some(editor.whole().trim().to_owned()).filter(|word| !word.is_empty());
                self.stage = Stage::Choosing;
                Reply::stay()
            }
            Stage::Editing(editor) if press.chord.is(KeyCode::Enter) => {
                let command = editor.whole();
                self.command_instead(command)
            }
            Stage::Wording(editor) | Stage::Editing(editor) => {
                if press.deed == Some(Deed::NewLine) {
                    editor.insert("\n");
                } else {
                    edit(editor, press.chord);
                }
                Reply::stay()
            }
        }
    }

    fn unfold(&mut self) -> Reply {
        if !self.details.toggle() {
            self.hint = Some("there is no more to see: the call is carried out as the server sent it");
        }
        Reply::stay()
    }

    fn choose(&mut self, press: Press) -> Reply {
        if press.closes() {
            return self.refuse_and_stop();
        }
        if self.scroll().key(press) {
            return Reply::stay();
        }
        match press.chord.letter() {
            Some('y') => return self.yes(None),
            Some('n') => return self.no(),
            Some('e') if self.can_edit() => return self.begin_edit(),
            Some(letter) => {
                if let Some(rule) = self.offer(letter) {
                    return self.yes(Some(rule));
                }
            }
            None if press.chord.is(KeyCode::Tab) && self.takes_a_word() => {
                self.stage = Stage::Wording(Editor::holding(self.word.as_deref().unwrap_or_default()));
                return Reply::stay();
            }
            None => {}
        }
        self.hint = Some(match press {
            Press { chord, .. } if chord.is(KeyCode::Enter) => "enter alone answers nothing; press y or n",
            Press { deed: Some(Deed::SwitchMode), .. } => "answer first; the mode can be switched after that",
            _ => "press one of the keys below",
        });
        Reply::stay()
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
                self.stage = Stage::Editing(Editor::holding(command));
                Reply::stay()
            }
            PreviewBody::Diff { files } => match &files[..] {
                [FileDiff { path, after: Some(text), .. }] => Reply {
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
            self.hint = Some(if same { "the command is unchanged" } else { "an empty command does nothing" });
            self.stage = Stage::Choosing;
            return Reply::stay();
        }
        let answer = Answer::Instead { proposal: Proposal::Command { command } };
        Reply::close_and(Op::Reply { ask: self.id(), answer })
    }

    fn can_edit(&self) -> bool {
        match &self.question.preview.body {
            PreviewBody::Plain => false,
            PreviewBody::Command { .. } => true,
            PreviewBody::Diff { files } => matches!(&files[..], [FileDiff { after: Some(_), .. }]),
        }
    }

    /// Everything that a model waits for: it may be told something along with the answer.
    fn takes_a_word(&self) -> bool {
        match self.question.subject {
            Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => true,
            Subject::Folder { .. } => false,
        }
    }

    /// The rule behind `letter`: a for the first, b for the second. Only what could be read can be chosen.
    fn offer(&self, letter: char) -> Option<Rule> {
        let offers = self.offers_shown.then_some(&self.question.offers)?;
        offers.iter().zip(OFFER_KEYS.chars()).find(|(_, key)| *key == letter).map(|(offer, _)| offer.rule.clone())
    }
}

/// The keys of the offers, in their order; none of them means anything else here.
const OFFER_KEYS: &str = "abcd";
