//! The state of the screen, and what may happen to it. `update` is the only way to change it; nothing here waits,
//! reads a clock or draws.
//!
//! Cut by kind: `keys` (what the user does), `gate` (what of it answers a dialog, and what is text), `pasting`, `events`
//! (what the house says), `past` (another session is opened), `told` (what it says because it was asked), `noticing` (what is told
//! to who looks elsewhere), `copying` (what goes to the clipboard), `obey` (slash commands), `pointer` (mouse). What the dialogs do with keys is in `dialogs`.

mod commands;
mod copying;
mod drafting;
mod elsewhere;
mod events;
mod gate;
mod keys;
mod noticing;
mod obey;
mod past;
mod pasting;
mod pointer;
mod told;
mod work;

pub(crate) use gate::DRAFTED;
pub(crate) use noticing::Focus;
pub(crate) use work::{Doing, SideWork, Work};

use crate::cmd::{Cmd, Purpose};
use crate::composer::Composer;
use crate::dialogs::{Approval, Dialog, Gate, command_instead, instead, plan_instead};
use crate::diff::Columns;
use crate::jobs::Jobs;
use crate::keymap::{Deed, Keymap};
use crate::palette::Palette;
use crate::settings::{ListedSetting, Mouse, ScreenMotion, Settings};
use crate::terminal::Edited;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::themes::Theme;
use crate::todos::Todos;
use crate::transcript::Transcript;
use agent_frontend::Session;
use agent_protocol::{AskId, Event, ListOp, Op};
use crossterm::event::{KeyEvent, MouseEvent};
use drafting::KeptDraft;
use gate::Front;
use ratatui::layout::{Rect, Size};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

/// Below this nothing sensible can be shown.
pub(crate) const SMALLEST: Size = Size::new(40, 12);
/// How long a remark stays above the composer.
const REMARK_STAYS: Duration = Duration::from_secs(4);
/// Within this time a second Ctrl+C leaves.
pub(crate) const TWICE_WITHIN: Duration = Duration::from_secs(2);
/// Within this time a second Escape goes back to an earlier message.
const BACK_WITHIN: Duration = Duration::from_secs(1);
const SECOND: Duration = Duration::from_secs(1);
/// The same where little is to move.
const SELDOM: Duration = Duration::from_secs(10);

#[expect(clippy::large_enum_variant, reason = "one at a time, never kept; a box for each token would cost more")]
pub(crate) enum Msg {
    /// A key, which was not pressed before `earliest`: while we were busy keys wait for us.
    Key {
        key: KeyEvent,
        earliest: Duration,
    },
    /// A paste, and the same of it.
    Paste {
        text: String,
        earliest: Duration,
    },
    Mouse(MouseEvent),
    /// These are the styles from now on; what stands in the conversation keeps its own.
    Theme(&'static Theme),
    /// The terminal says who has the user's attention.
    Focus(Focus),
    Resized(Size),
    Heard(Event),
    Highlighted(Highlighted),
    Edited(Purpose, Edited),
    /// A setting was written into the user's file: all of them as they hold now, or why it was not.
    SettingWritten {
        name: String,
        outcome: Result<Vec<ListedSetting>, String>,
    },
    /// The picture on the clipboard lies in this file now; or why there is none.
    PicturePasted(Result<PathBuf, String>),
    /// What the last message changed has been drawn: the user can see it.
    Shown,
    /// We were away (suspended, or in the editor) and what the user typed there was not meant for us. The terminal may
    /// have another size now.
    Back(Size),
    /// A second has passed, a remark has stood long enough, or a letter stands alone.
    Tick,
}

/// A short remark above the composer.
#[derive(Debug)]
pub(crate) struct Remark {
    pub(crate) text: String,
    until: Duration,
}

/// Where things were drawn last.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Regions {
    pub(crate) transcript: Rect,
    pub(crate) dialog: Rect,
}

/// Everything the screen is made of.
pub(crate) struct App {
    pub(crate) now: Duration,
    pub(crate) size: Size,
    pub(crate) palette: Palette,
    pub(crate) keymap: Keymap,
    pub(crate) settings: Settings,
    pub(crate) highlighter: Highlighter,
    pub(crate) mouse: Mouse,
    focus: Focus,
    pub(crate) transcript: Transcript,
    pub(crate) composer: Composer,
    pub(crate) session: Session,
    pub(crate) work: Option<Work>,
    pub(crate) queued: Vec<String>,
    pub(crate) todos: Todos,
    pub(crate) jobs: Jobs,
    pub(crate) questions: VecDeque<Approval>,
    /// How the user looked at a change last.
    pub(crate) columns: Columns,
    pub(crate) dialog: Option<Box<dyn Dialog>>,
    /// What came unbidden while the user was choosing; shown when they are done.
    behind: Option<Box<dyn Dialog>>,
    pub(crate) remark: Option<Remark>,
    pub(crate) regions: Regions,
    /// Has a turn begun? Until then the welcome stands where the conversation will be.
    pub(crate) begun: bool,
    /// Until then Ctrl+C leaves.
    leaves_until: Option<Duration>,
    /// Until then Escape goes back to an earlier message.
    goes_back_until: Option<Duration>,
    ticked_at: Duration,
    /// What of what is typed answers a dialog.
    gate: Gate,
    /// What takes the keys, and what the draft held when it began to.
    front: Option<Front>,
    opened_with: String,
    /// When the last of a paste came.
    pasted_at: Option<Duration>,
    /// When the key or the paste at hand came at the earliest.
    earliest: Duration,
    kept_draft: KeptDraft,
    /// The code block that was copied by key last, from 0, and until when the key goes on to the one before.
    copied: Option<(usize, Duration)>,
}

impl App {
    pub(crate) fn new(mut settings: Settings, size: Size, highlighter: Highlighter) -> Self {
        settings.commands.retain(|command| !commands::is_taken(&command.name));
        let own = settings.commands.clone();
        let palette = Palette::of(settings.theme);
        let keymap = Keymap::with(&settings.keys);
        let transcript = Transcript::new(palette, highlighter.clone()).with_details_key(keymap.label(Deed::Details));
        let kept_draft = KeptDraft::of(&settings.draft);
        let mut app = App {
            now: Duration::ZERO,
            size,
            palette,
            keymap,
            mouse: settings.mouse,
            focus: Focus::default(),
            transcript,
            composer: Composer::holding(&settings.draft, commands::completions)
                .with_commands(own)
                .with_vim(settings.editing),
            session: Session::default(),
            work: None,
            queued: Vec::new(),
            todos: Todos::default(),
            jobs: Jobs::default(),
            questions: VecDeque::new(),
            columns: Columns::One,
            dialog: None,
            behind: None,
            remark: None,
            regions: Regions::default(),
            begun: false,
            leaves_until: None,
            goes_back_until: None,
            ticked_at: Duration::ZERO,
            gate: Gate::default(),
            front: None,
            opened_with: String::new(),
            pasted_at: None,
            earliest: Duration::ZERO,
            kept_draft,
            copied: None,
            highlighter,
            settings,
        };
        app.tell_of_recovered_draft();
        app
    }

    /// Is there room to show anything?
    pub(crate) fn has_room(&self) -> bool {
        self.size.width >= SMALLEST.width && self.size.height >= SMALLEST.height
    }

    /// When something has to happen by itself; `None` while nothing does.
    pub(crate) fn wakes_at(&self) -> Option<Duration> {
        let remark = self.remark.as_ref().map(|remark| remark.until);
        let clock = self.clock_runs().then_some(self.ticked_at + self.beat());
        [remark, clock, self.letter_due(), self.draft_due()].into_iter().flatten().min()
    }

    /// So often what is shown moves by itself.
    fn beat(&self) -> Duration {
        match self.settings.motion {
            ScreenMotion::Full => SECOND,
            ScreenMotion::Reduced => SELDOM,
        }
    }

    /// The time as it is shown: where little is to move, as it was at the last beat.
    pub(crate) fn clock(&self) -> Duration {
        match self.settings.motion {
            ScreenMotion::Full => self.now,
            ScreenMotion::Reduced => self.ticked_at,
        }
    }

    fn clock_runs(&self) -> bool {
        let dialog_is_alive = self.dialog.as_ref().is_some_and(|dialog| dialog.is_alive());
        self.work.is_some() || self.session.is_starting() || dialog_is_alive
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.say_for(text, REMARK_STAYS);
    }

    fn say_for(&mut self, text: impl Into<String>, stays: Duration) {
        self.remark = Some(Remark { text: text.into(), until: self.now + stays });
    }

    fn tick(&mut self) -> Vec<Cmd> {
        self.remark.take_if(|remark| remark.until <= self.now);
        if self.now >= self.ticked_at + self.beat() {
            self.ticked_at = self.now;
            self.transcript.tick(self.now);
            if let Some(work) = &mut self.work {
                work.measure(self.now);
            }
        }
        let mut cmds = self.keep_draft();
        cmds.extend(self.letter_stands_alone());
        cmds
    }

    fn change(&mut self, msg: Msg) -> Vec<Cmd> {
        match msg {
            Msg::Key { key, earliest } => {
                self.earliest = earliest;
                return self.key(&key);
            }
            Msg::Paste { text, earliest } => {
                self.earliest = earliest;
                self.paste(&text);
            }
            Msg::Mouse(mouse) => return self.pointer(mouse),
            Msg::Focus(focus) => self.focus = focus,
            Msg::Theme(theme) => {
                self.palette = Palette::of(theme);
                self.transcript.wear(self.palette);
            }
            Msg::Resized(size) => self.resized(size),
            Msg::Heard(event) => return self.heard(&event),
            Msg::Highlighted(done) => self.highlighted(done),
            Msg::Edited(purpose, edited) => return self.edited(purpose, edited),
            Msg::SettingWritten { name, outcome } => {
                if let Some(dialog) = &mut self.dialog {
                    dialog.setting_written(&name, &outcome);
                }
            }
            Msg::PicturePasted(Ok(path)) => self.paste_words(&path.display().to_string()),
            Msg::PicturePasted(Err(why)) => self.say(why),
            Msg::Shown => return self.shown(),
            Msg::Back(size) => self.back(size),
            Msg::Tick => return self.tick(),
        }
        Vec::new()
    }

    fn resized(&mut self, size: Size) {
        self.size = size;
        if !self.has_room() {
            // What cannot be seen is not answered.
            self.gate.take_back();
        }
    }

    fn shown(&mut self) -> Vec<Cmd> {
        if !self.has_room() {
            return Vec::new();
        }
        let typing = !self.composer.is_empty();
        if let Some(question) = self.questions.front_mut() {
            question.lock.shown(self.now, typing);
        } else if let Some(lock) = self.dialog.as_mut().and_then(|dialog| dialog.lock()) {
            lock.shown(self.now, typing);
        }
        self.transcript.wanted().into_iter().map(Cmd::Send).collect()
    }

    fn back(&mut self, size: Size) {
        self.size = size;
        self.gate.take_back();
        if let Some(question) = self.questions.front_mut() {
            question.again();
        }
        if let Some(lock) = self.dialog.as_mut().and_then(|dialog| dialog.lock()) {
            lock.again();
        }
    }

    fn edited(&mut self, purpose: Purpose, edited: Edited) -> Vec<Cmd> {
        match (edited, purpose) {
            (Edited::Failed(why), _) => self.say(why),
            (Edited::Unchanged, Purpose::Draft) => {}
            (Edited::Unchanged, Purpose::Proposal { .. } | Purpose::Plan { .. } | Purpose::Command { .. }) => {
                self.say("the text is unchanged; the question stands");
            }
            (Edited::Text(text), Purpose::Draft) => {
                self.composer.replace(text.strip_suffix('\n').unwrap_or(&text));
            }
            (Edited::Text(text), Purpose::Proposal { ask, path }) => {
                return self.instead(ask, instead(ask, path, text));
            }
            (Edited::Text(text), Purpose::Command { ask }) => {
                let command = text.strip_suffix('\n').unwrap_or(&text).to_owned();
                return self.instead(ask, command_instead(ask, command));
            }
            (Edited::Text(text), Purpose::Plan { ask }) => return self.instead(ask, plan_instead(ask, text)),
        }
        Vec::new()
    }

    /// Answers a question with an edited text, if it still stands.
    fn instead(&mut self, ask: AskId, op: Op) -> Vec<Cmd> {
        if self.questions.iter().any(|question| question.id() == ask) {
            return vec![Cmd::Send(op)];
        }
        self.say("the question is closed already; the edited text was not used");
        Vec::new()
    }
}

/// Lets `msg` change the state, and says what is to be done outside.
pub(crate) fn update(app: &mut App, now: Duration, msg: Msg) -> Vec<Cmd> {
    app.now = now;
    let mut cmds = app.change(msg);
    app.settle_front();
    cmds.extend(app.note_draft());
    if app.questions.is_empty() && app.dialog.is_none() && app.composer.wants_names() {
        cmds.push(Cmd::Send(Op::List(ListOp::Files)));
    }
    cmds
}
