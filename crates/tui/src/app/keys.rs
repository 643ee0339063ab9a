//! What a key does. A question has the first word, then an open dialog, then the composer.

use super::gate::types;
use super::{App, BACK_WITHIN, TWICE_WITHIN};
use crate::cmd::{Cmd, Purpose};
use crate::composer::{Completed, Consumed, Stashed, Way, Writing};
use crate::dialogs::{Press, Reply, Then, When};
use crate::keymap::{Chord, Deed};
use crate::settings::{Exit, Mouse};
use agent_protocol::{CallOp, Op, ServerState, TurnOp};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

/// Said exactly as long as it is true.
const AGAIN_LEAVES: &str = "Ctrl+C again leaves";
const AGAIN_GOES_BACK: &str = " again: go back to an earlier message";

impl App {
    /// Do hooks hear what was said, before a turn begins with it? Nothing else keeps it waiting where all is there.
    fn hooks_hear(&self) -> bool {
        let up = matches!(self.session.server, Some(ServerState::Up(_))) && self.session.model.is_some();
        up && self.work.is_none() && !self.queued.is_empty()
    }

    pub(super) fn key(&mut self, key: &KeyEvent) -> Vec<Cmd> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let chord = Chord::of(key);
        if self.paste_goes_on(chord) {
            return Vec::new();
        }
        if types(chord) {
            self.gate.types(self.earliest, self.now);
        }
        self.press(Press { chord, deed: self.keymap.deed(chord) })
    }

    fn press(&mut self, press: Press) -> Vec<Cmd> {
        self.transcript.unselect();
        if press.chord.is_control('c') {
            return self.control_c();
        }
        self.stay();
        if press.deed != Some(Deed::Interrupt) {
            self.stay_here();
        }
        match press.deed {
            Some(Deed::Redraw) => return vec![Cmd::Redraw],
            Some(Deed::Suspend) => return vec![Cmd::Suspend],
            Some(Deed::Mouse) => return self.switch_mouse(),
            _ => {}
        }
        if !self.has_room() {
            return Vec::new();
        }
        if !self.questions.is_empty() {
            self.question_key(press)
        } else if self.dialog.is_some() {
            self.dialog_key(press)
        } else {
            self.composer_key(press)
        }
    }

    fn question_key(&mut self, press: Press) -> Vec<Cmd> {
        let Some(question) = self.questions.front_mut() else { return Vec::new() };
        let when = if question.lock.hears(self.now) { When::InTime } else { When::TooEarly };
        if let Some(cmds) = self.hold_back(press, when) {
            return cmds;
        }
        if self.goes_on_drafting(press.chord, when) {
            return Vec::new();
        }
        let Some(question) = self.questions.front_mut() else { return Vec::new() };
        match when {
            When::InTime => {
                let reply = question.key(press, self.now);
                self.question_replied(reply)
            }
            When::TooEarly | When::TooSoon => {
                question.too_early();
                Vec::new()
            }
        }
    }

    /// At a question that takes text: words in the middle of which it came are still words of the message.
    fn goes_on_drafting(&mut self, chord: Chord, when: When) -> bool {
        if self.gate.is_same_enter(self.now) && chord.is(KeyCode::Enter) {
            return true;
        }
        let Some(question) = self.questions.front() else { return false };
        match (when, question.asks_for_words()) {
            (When::InTime, true) if self.gate.goes_on && types(chord) => {
                self.draft_key(chord);
                true
            }
            (When::InTime, _) => false,
            (When::TooEarly | When::TooSoon, true) => self.draft_key(chord),
            (When::TooEarly | When::TooSoon, false) => question.lock.typing && self.draft_key(chord),
        }
    }

    pub(super) fn question_replied(&mut self, reply: Reply) -> Vec<Cmd> {
        self.columns = self.questions.front().map_or(self.columns, |question| question.columns);
        match reply.then {
            Then::Stay => {}
            Then::Close | Then::Begin(_) | Then::Yield => drop(self.questions.pop_front()),
        }
        reply.cmds
    }

    fn dialog_key(&mut self, press: Press) -> Vec<Cmd> {
        let now = self.now;
        let Some(dialog) = &mut self.dialog else { return Vec::new() };
        let open = dialog.lock().is_none_or(|lock| lock.hears(now));
        if let Some(cmds) = self.hold_back(press, if open { When::InTime } else { When::TooEarly }) {
            return cmds;
        }
        if !open {
            self.draft_key(press.chord);
            return Vec::new();
        }
        if press.deed == Some(Deed::SwitchMode) {
            return self.switch_mode();
        }
        let Some(dialog) = &mut self.dialog else { return Vec::new() };
        let reply = dialog.key(press, now);
        self.columns = dialog.columns().unwrap_or(self.columns);
        self.dialog_replied(reply, press)
    }

    pub(super) fn dialog_replied(&mut self, reply: Reply, press: Press) -> Vec<Cmd> {
        if self.work.is_some()
            && reply.cmds.iter().any(|cmd| matches!(cmd, Cmd::Send(Op::Call(CallOp::SetGroups { .. }))))
        {
            let key = self.keymap.label(Deed::Interrupt);
            self.say(format!("tools are chosen between turns: close this and stop the model with {key}, or wait"));
            return Vec::new();
        }
        match reply.then {
            Then::Stay => {}
            Then::Close => self.close(),
            Then::Begin(words) => {
                self.close();
                self.composer.precede(&words);
            }
            Then::Yield => {
                self.close();
                return self.composer_key(press);
            }
        }
        reply.cmds
    }

    /// Closes the dialog, and shows what waited behind it. What was remarked before it has been read, or is old by now.
    pub(super) fn close(&mut self) {
        (self.dialog, self.remark) = (self.behind.take(), None);
    }

    fn composer_key(&mut self, press: Press) -> Vec<Cmd> {
        match press.chord.code {
            KeyCode::Enter => self.gate.draft_over(),
            _ if types(press.chord) => self.gate.drafted(self.now),
            _ => {}
        }
        if self.composer.is_searching() && !self.search_goes_on(press) {
            return Vec::new();
        }
        if self.composer.chosen().is_some()
            && let Some(cmds) = self.completion_key(press)
        {
            return cmds;
        }
        if self.composer.vim_key(press.chord) == Consumed::Yes {
            return Vec::new();
        }
        match press.deed {
            Some(deed) => self.deed(deed),
            None => self.written(press.chord),
        }
    }

    /// A key while searching; says whether it still has its own meaning.
    fn search_goes_on(&mut self, press: Press) -> bool {
        if press.closes() {
            self.composer.end_search();
            return false;
        }
        if press.deed == Some(Deed::Search) {
            self.composer.search();
            return false;
        }
        self.composer.search_key(press.chord) == Consumed::No
    }

    /// A key while completions are shown; `None`: it means what it means elsewhere.
    fn completion_key(&mut self, press: Press) -> Option<Vec<Cmd>> {
        if press.closes() {
            self.composer.dismiss();
            return Some(Vec::new());
        }
        if press.deed == Some(Deed::Send) {
            return Some(self.take_completion());
        }
        match press.chord.code {
            KeyCode::Tab => self.composer.complete(),
            KeyCode::Up => self.composer.choose(Way::Up),
            KeyCode::Down => self.composer.choose(Way::Down),
            _ => return None,
        }
        Some(Vec::new())
    }

    /// Enter at a completion. What could do harm is written out first, and done by the next Enter.
    fn take_completion(&mut self) -> Vec<Cmd> {
        let Some((_, completion)) = self.composer.chosen() else { return Vec::new() };
        self.composer.complete();
        if completion.what == Completed::Name {
            self.composer.dismiss();
            return Vec::new();
        }
        if completion.whole || completion.harmless { self.send() } else { Vec::new() }
    }

    fn deed(&mut self, deed: Deed) -> Vec<Cmd> {
        match deed {
            Deed::Send => return self.send(),
            Deed::NewLine => self.composer.new_line(),
            Deed::Interrupt if self.work.is_some() || self.hooks_hear() => {
                return vec![Cmd::Send(Op::Turn(TurnOp::Interrupt))];
            }
            Deed::Interrupt if self.composer.writing() != Writing::Message => self.composer.write(Writing::Message),
            Deed::Interrupt => return self.go_back(),
            Deed::SwitchMode => return self.switch_mode(),
            Deed::Details => self.transcript.toggle_details(),
            Deed::Todos => return self.show_todos(),
            Deed::Editor => return self.open_editor(),
            Deed::Stash => self.stash(),
            Deed::OpenPaste => {
                if !self.composer.open_paste() {
                    self.say("no long paste stands in the message");
                }
            }
            Deed::PastePicture => return vec![Cmd::PastePicture],
            Deed::CopyCode => return self.copy_code(),
            Deed::Search => self.composer.search(),
            Deed::PageUp => self.transcript.scroll_by(-self.transcript.page()),
            Deed::PageDown => self.transcript.scroll_by(self.transcript.page()),
            Deed::ToStart => self.transcript.scroll_to_start(),
            Deed::ToEnd => self.transcript.scroll_to_end(),
            Deed::Keys => return self.show_keys(),
            // Done before a dialog could hear them.
            Deed::Redraw | Deed::Suspend | Deed::Mouse => {}
        }
        Vec::new()
    }

    fn stash(&mut self) {
        let key = self.keymap.label(Deed::Stash);
        match self.composer.stash() {
            Stashed::PutAside => self.say(format!("put aside; {key} brings it back")),
            Stashed::BroughtBack { left: 0 } => {}
            Stashed::BroughtBack { left } => self.say(format!("{left} more put aside")),
            Stashed::Nothing => self.say("nothing is written, and nothing was put aside"),
        }
    }

    pub(crate) fn show_todos(&mut self) -> Vec<Cmd> {
        if !self.todos.toggle() {
            self.say("there is nothing to do: the model has written no list");
        }
        Vec::new()
    }

    /// Escape while nothing is going on: the second one in a short time goes back to an earlier message.
    fn go_back(&mut self) -> Vec<Cmd> {
        if !self.composer.is_empty() || self.transcript.said().is_empty() {
            return Vec::new();
        }
        if self.goes_back_until.take().is_some_and(|until| self.now < until) {
            return self.rewind();
        }
        self.goes_back_until = Some(self.now + BACK_WITHIN);
        let key = self.keymap.label(Deed::Interrupt);
        self.say_for(format!("{key}{AGAIN_GOES_BACK}"), BACK_WITHIN);
        Vec::new()
    }

    /// The user does something else: they do not go back.
    pub(super) fn stay_here(&mut self) {
        if self.goes_back_until.take().is_some() {
            self.remark.take_if(|remark| remark.text.ends_with(AGAIN_GOES_BACK));
        }
    }

    /// Keys that mean something to what is written, or to the emptiness there.
    fn written(&mut self, chord: Chord) -> Vec<Cmd> {
        let empty = self.composer.is_empty();
        if empty && self.writes_something_else(chord) {
            return Vec::new();
        }
        match chord.code {
            KeyCode::Char('d') if empty && chord.is_control('d') => return vec![Cmd::Leave(Exit::Quit)],
            KeyCode::Char('?') if empty && chord.held.is_empty() && self.composer.writing() == Writing::Message => {
                return self.show_keys();
            }
            KeyCode::Up if empty && !self.queued.is_empty() => return vec![Cmd::Send(Op::Turn(TurnOp::Unqueue))],
            KeyCode::Home if empty => self.transcript.scroll_to_start(),
            KeyCode::End if empty => self.transcript.scroll_to_end(),
            KeyCode::Up if chord.held.is_empty() => self.composer.vertical(Way::Up),
            KeyCode::Down if chord.held.is_empty() => self.composer.vertical(Way::Down),
            _ => {
                self.composer.edit(chord);
            }
        }
        Vec::new()
    }

    /// A key that makes the empty composer one for something else than a message, or for a message again.
    fn writes_something_else(&mut self, chord: Chord) -> bool {
        let begun = chord.letter().and_then(Writing::begun_by);
        match (self.composer.writing(), begun) {
            (Writing::Message, Some(writing)) => self.composer.write(writing),
            (Writing::Shell | Writing::Memory, _) if chord.is(KeyCode::Backspace) || chord.is_control('h') => {
                self.composer.write(Writing::Message);
            }
            (Writing::Message | Writing::Shell | Writing::Memory, _) => return false,
        }
        true
    }

    /// One step back from what is going on: the draft, then the dialog or the model, then the screen itself.
    fn control_c(&mut self) -> Vec<Cmd> {
        self.gate.take_back();
        if self.leaves_until.is_some_and(|until| self.now < until) {
            return vec![Cmd::Leave(Exit::Quit)];
        }
        let writing = self.questions.is_empty() && self.dialog.is_none() && !self.composer.is_searching();
        if writing && (!self.composer.is_empty() || self.composer.writing() != Writing::Message) {
            self.composer.put_aside();
            if self.work.is_some() {
                self.say_for("draft cleared; Ctrl+C again stops the model", TWICE_WITHIN);
            } else {
                self.leave_at_the_next(&format!("draft cleared; {AGAIN_LEAVES}"));
            }
            return Vec::new();
        }
        self.leave_at_the_next(AGAIN_LEAVES);
        if let Some(question) = self.questions.front_mut() {
            if !question.lock.hears(self.now) {
                question.too_early();
            } else if !question.go_back() {
                let reply = question.refuse_and_stop();
                return self.question_replied(reply);
            }
        } else if self.composer.is_searching() {
            self.composer.end_search();
        } else if let Some(dialog) = self.dialog.take() {
            self.dialog = self.behind.take();
            return dialog.put_away().map(Cmd::Send).into_iter().collect();
        } else if self.work.is_some() {
            return vec![Cmd::Send(Op::Turn(TurnOp::Interrupt))];
        }
        Vec::new()
    }

    /// The next Ctrl+C leaves if it comes soon, and the user is told so for just as long.
    fn leave_at_the_next(&mut self, remark: &str) {
        self.leaves_until = Some(self.now + TWICE_WITHIN);
        self.say_for(remark, TWICE_WITHIN);
    }

    /// The user does something else: they stay.
    pub(super) fn stay(&mut self) {
        if self.leaves_until.take().is_some() {
            self.remark.take_if(|remark| remark.text.ends_with(AGAIN_LEAVES));
        }
    }

    fn switch_mode(&mut self) -> Vec<Cmd> {
        self.set_mode(self.session.next_mode())
    }

    fn switch_mouse(&mut self) -> Vec<Cmd> {
        self.mouse = self.mouse.switched();
        let key = self.keymap.label(Deed::Mouse);
        self.say(match self.mouse {
            Mouse::Captured => "the wheel scrolls again; a drag selects and copies".to_owned(),
            Mouse::Free => format!("the terminal has the mouse: drag to select; {key} takes it back"),
        });
        vec![Cmd::SetMouse(self.mouse)]
    }

    fn open_editor(&mut self) -> Vec<Cmd> {
        vec![Cmd::Edit { text: self.composer.text(), extension: "md".into(), line: None, purpose: Purpose::Draft }]
    }
}
