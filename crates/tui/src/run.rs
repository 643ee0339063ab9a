//! The one room of the screen that waits: for keys, for the house, for signals, for the clock. Decides nothing:
//! everything goes through `update`, and what comes of it is carried out here.

mod goodbye;

use crate::app::{App, Focus, Msg, update};
use crate::cmd::{Cmd, Purpose};
use crate::errands;
use crate::first_word::FirstWord;
use crate::palette::Palette;
use crate::scrollback::Scrollback;
use crate::settings::{Exit, Left, ScreenMotion, Settings};
use crate::signs::signs;
use crate::terminal::{
    self, Edited, GroundAnswer, InputStream, PastedPictures, Picked, Place, Signal, Signals, Slide, Terminal,
};
use crate::text::highlight::{Highlighted, Highlighter};
use crate::view::{lay_out, view};
use agent_protocol::{Event, Op};
use anyhow::Context as _;
use crossterm::event::{Event as Input, KeyEvent};
use ratatui::layout::{Position, Rect, Size};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What the house says is drawn at most this often; what the user does, at once.
const FRAME: Duration = Duration::from_millis(50);
/// The same where little is to move.
const CALM_FRAME: Duration = Duration::from_millis(500);
/// So long before a frame the house is heard, so that its code has its colours when it is drawn.
const LEAD: Duration = Duration::from_millis(5);
/// So long input that waits may take to reach us.
const HEARD_FIRST: Duration = Duration::from_millis(10);
/// Events taken up between two looks at everything else; as many at once are a flood.
const BATCH: usize = 512;
/// After a suspend nobody answered (there is no shell above us), the screen comes back.
const NOBODY_THERE: Duration = Duration::from_secs(1);

/// Runs the screen until the user leaves or the session closes. Wishes go out over `ops`, facts come in over
/// `events`.
///
/// # Errors
/// When standard output is no terminal, or the terminal goes away.
pub async fn run(
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    settings: Settings,
) -> anyhow::Result<Left> {
    let began = Instant::now();
    // Before the terminal is ours: a signal that comes in between would leave it as nobody wants it.
    let signals = Signals::listen().context("cannot listen to signals")?;
    let place = if settings.inline { Place::Inline } else { Place::Alternate };
    let (mouse, notify, title) = (settings.mouse, settings.notify, settings.title);
    let mut terminal = Terminal::enter(place, mouse, notify, title).context("cannot use the terminal")?;
    let background = if settings.theme_by_background { terminal.ask_background() } else { GroundAnswer::default() };
    let (notify, highlighted) = unbounded_channel();
    let highlighter = highlighter(&settings, notify);
    let scrollback = settings.inline.then(Scrollback::default);
    let app = App::new(settings, terminal.size(), highlighter);
    let mut face = Face {
        app,
        terminal,
        ops,
        began,
        drawn_at: None,
        heard_at: None,
        background,
        place: None,
        scrollback,
        urgency: Urgency::Now,
        flooded: false,
        not_before: began,
        first_word: FirstWord::default(),
        clipboard: PastedPictures::default(),
    };
    // The user sees a prompt before anything else is set up.
    face.draw()?;
    let keys = Some(InputStream::new());
    let mut ears = Ears { events, highlighted, keys, signals, batch: Vec::new(), silent: began };
    for cmd in face.app.begin() {
        face.carry_out(cmd, &mut ears).await?;
    }
    let exit = face.live(&mut ears).await?;
    face.hear_the_last(&exit, &mut ears).await;
    drop(ears);
    // A panic elsewhere gave the terminal back already, and has said why.
    anyhow::ensure!(!face.terminal.is_lost(), "something broke; what is known stands above");
    let (draft, session) = (face.app.composer.text(), face.app.session.id.clone());
    face.say_goodbye(&exit);
    Ok(Left { exit, draft, session })
}

fn highlighter(settings: &Settings, notify: UnboundedSender<Highlighted>) -> Highlighter {
    // The screen may be gone when the colours are ready.
    Highlighter::start(Palette::of(settings.theme), move |done| drop(notify.send(done)))
}

/// Everything that is listened to.
struct Ears {
    events: UnboundedReceiver<Event>,
    highlighted: UnboundedReceiver<Highlighted>,
    /// `None` while the editor reads them.
    keys: Option<InputStream>,
    signals: Signals,
    batch: Vec<Event>,
    /// The last moment when no input waited for us: what waits now came after it.
    silent: Instant,
}

enum Sound {
    /// Input, and when it came at the earliest.
    Input(Input, Instant),
    Silence,
    /// The batch holds what the house said; empty when it will say no more.
    House,
    Highlighted(Highlighted),
    Signal(Signal),
    Wake,
}

impl Ears {
    /// What the house says is left waiting where `house` is false.
    async fn listen(&mut self, wake: Option<Instant>, house: bool) -> Sound {
        let alarm = async {
            match wake {
                Some(wake) => tokio::time::sleep_until(wake.into()).await,
                None => std::future::pending().await,
            }
        };
        let silent = &mut self.silent;
        let keys = async {
            match &mut self.keys {
                Some(keys) => keys.input(silent).await,
                None => std::future::pending().await,
            }
        };
        // Signals and keys first: a flood of events must not keep the user waiting.
        tokio::select! {
            biased;
            signal = self.signals.next() => Sound::Signal(signal),
            (input, earliest) = keys => match input {
                Some(Ok(input)) => Sound::Input(input, earliest),
                Some(Err(_)) | None => Sound::Silence,
            },
            () = alarm => Sound::Wake,
            _ = self.events.recv_many(&mut self.batch, BATCH), if house => Sound::House,
            Some(done) = self.highlighted.recv() => Sound::Highlighted(done),
        }
    }
}

/// Does something wait to be drawn?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    None,
    Soon,
    /// At once.
    Now,
}

/// What follows when a command has been carried out.
enum After {
    GoOn,
    Hear(Vec<Msg>),
    Leave(Exit),
}

/// The screen and what it speaks to.
struct Face {
    app: App,
    terminal: Terminal,
    ops: UnboundedSender<Op>,
    began: Instant,
    drawn_at: Option<Instant>,
    /// When the house was heard last.
    heard_at: Option<Instant>,
    /// What the terminal answers to the question for its background.
    background: GroundAnswer,
    /// Where the conversation was drawn last, and its first line there.
    place: Option<(Rect, usize)>,
    /// What the terminal's own scrollback has of the conversation; `None`: the screen leaves nothing behind.
    scrollback: Option<Scrollback>,
    urgency: Urgency,
    /// The house says more than fits into a batch.
    flooded: bool,
    /// Before that the clock wakes nobody: input waits that has to be heard first.
    not_before: Instant,
    first_word: FirstWord,
    clipboard: PastedPictures,
}

impl Face {
    async fn live(&mut self, ears: &mut Ears) -> anyhow::Result<Exit> {
        // What was typed while we started comes before what the house has to say: nobody types an answer to a
        // question that was not there yet.
        let mut heard = self.hear_what_is_typed(ears).await?;
        loop {
            if let ControlFlow::Break(exit) = heard {
                return Ok(exit);
            }
            self.draw_if_due()?;
            let sound = ears.listen(self.wakes_at(), self.hears_house()).await;
            let typed = matches!(sound, Sound::Input(..));
            if matches!(sound, Sound::Wake) && self.app.is_held() && terminal::input_waits() {
                // It may be more of the word that a letter begins: that is heard first.
                self.not_before = Instant::now() + HEARD_FIRST;
                continue;
            }
            heard = self.hear(sound, ears).await?;
            if typed && heard.is_continue() {
                heard = self.hear_what_is_typed(ears).await?;
            }
        }
    }

    /// Takes up the keys that are there already: keys that come together are drawn together. After a paste we wait a moment
    /// for more of it, here and not elsewhere: what else goes on must not make it look like keys that came later.
    async fn hear_what_is_typed(&mut self, ears: &mut Ears) -> anyhow::Result<ControlFlow<Exit>> {
        for _ in 0..BATCH {
            let patience = self.app.paste_may_go_on(self.began.elapsed());
            if !crossterm::event::poll(patience).context("the terminal is gone")? {
                ears.silent = Instant::now();
                break;
            }
            let typed = Sound::Input(crossterm::event::read().context("the terminal is gone")?, ears.silent);
            if let ControlFlow::Break(exit) = self.hear(typed, ears).await? {
                return Ok(ControlFlow::Break(exit));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    async fn hear(&mut self, sound: Sound, ears: &mut Ears) -> anyhow::Result<ControlFlow<Exit>> {
        if self.terminal.is_lost() {
            return Ok(ControlFlow::Break(Exit::Quit));
        }
        let (urgency, message) = match sound {
            Sound::Wake if !self.app_is_due() && self.urgency == Urgency::None => return Ok(ControlFlow::Continue(())),
            Sound::House => return self.hear_house(ears).await,
            Sound::Silence => return Ok(ControlFlow::Break(Exit::Quit)),
            Sound::Signal(Signal::End(number)) => return Ok(ControlFlow::Break(Exit::Signalled(number))),
            Sound::Signal(Signal::Continued) => (Urgency::Now, self.come_back_from_shell()?),
            Sound::Highlighted(done) => (Urgency::Soon, Msg::Highlighted(done)),
            Sound::Wake => (Urgency::Soon, Msg::Tick),
            Sound::Input(Input::Key(key), at) => match self.background.pick(key, Instant::now()) {
                Picked::Held => return Ok(ControlFlow::Continue(())),
                Picked::Ground(ground) => (Urgency::Now, Msg::Theme(ground.theme())),
                Picked::Keys(keys) => return self.hear_keys(keys, self.since_began(at), ears).await,
            },
            Sound::Input(Input::Paste(text), at) => (Urgency::Now, Msg::Paste { text, earliest: self.since_began(at) }),
            Sound::Input(Input::Mouse(mouse), _) => (Urgency::Now, Msg::Mouse(mouse)),
            Sound::Input(Input::Resize(width, height), _) => {
                self.terminal.resize(Size::new(width, height));
                (Urgency::Now, Msg::Resized(Size::new(width, height)))
            }
            Sound::Input(Input::FocusGained, _) => (Urgency::None, Msg::Focus(Focus::Here)),
            Sound::Input(Input::FocusLost, _) => (Urgency::None, Msg::Focus(Focus::Elsewhere)),
        };
        self.urgency = self.urgency.max(urgency);
        self.update(message, ears).await
    }

    async fn hear_keys(
        &mut self,
        keys: Vec<KeyEvent>,
        earliest: Duration,
        ears: &mut Ears,
    ) -> anyhow::Result<ControlFlow<Exit>> {
        self.urgency = Urgency::Now;
        for key in keys {
            if let ControlFlow::Break(exit) = self.update(Msg::Key { key, earliest }, ears).await? {
                return Ok(ControlFlow::Break(exit));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    async fn hear_house(&mut self, ears: &mut Ears) -> anyhow::Result<ControlFlow<Exit>> {
        if ears.batch.is_empty() {
            return Ok(ControlFlow::Break(Exit::Quit));
        }
        self.urgency = self.urgency.max(Urgency::Soon);
        self.heard_at = Some(Instant::now());
        self.flooded = ears.batch.len() == BATCH;
        for event in std::mem::take(&mut ears.batch) {
            if self.first_word.is_in(&event) {
                self.urgency = Urgency::Now;
            }
            if let ControlFlow::Break(exit) = self.update(Msg::Heard(event), ears).await? {
                return Ok(ControlFlow::Break(exit));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    async fn update(&mut self, message: Msg, ears: &mut Ears) -> anyhow::Result<ControlFlow<Exit>> {
        let mut messages = VecDeque::from([message]);
        while let Some(message) = messages.pop_front() {
            for cmd in update(&mut self.app, self.began.elapsed(), message) {
                match self.carry_out(cmd, ears).await? {
                    After::GoOn => {}
                    After::Hear(more) => messages.extend(more),
                    After::Leave(exit) => return Ok(ControlFlow::Break(exit)),
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    async fn carry_out(&mut self, cmd: Cmd, ears: &mut Ears) -> anyhow::Result<After> {
        match cmd {
            Cmd::Leave(exit) => return Ok(After::Leave(exit)),
            // When nobody listens any more the events end as well, and that is where we leave.
            Cmd::Send(op) => {
                self.first_word.asked();
                drop(self.ops.send(op));
            }
            Cmd::WriteSetting { name, value } => {
                return Ok(After::Hear(vec![errands::write_setting(&self.app.settings, name, value).await]));
            }
            Cmd::PastePicture => return Ok(After::Hear(vec![errands::paste_picture(&mut self.clipboard).await])),
            Cmd::Copy(text) => self.terminal.copy(&text),
            Cmd::Notify(text) => self.terminal.notify(&text),
            Cmd::SetMouse(mouse) => self.terminal.set_mouse(mouse),
            Cmd::Redraw => self.terminal.forget(),
            Cmd::Suspend => return self.suspend(ears).await,
            Cmd::Edit { text, extension, line, purpose } => {
                return self.edit((text, extension, line), purpose, ears).await;
            }
        }
        Ok(After::GoOn)
    }

    /// Leaves to the shell and comes back when it lets us go on.
    async fn suspend(&mut self, ears: &mut Ears) -> anyhow::Result<After> {
        self.terminal.leave();
        terminal::stop_us()?;
        tokio::select! {
            () = ears.signals.continued() => {}
            () = tokio::time::sleep(NOBODY_THERE) => {}
        }
        Ok(After::Hear(vec![self.come_back_from_shell()?]))
    }

    /// What was typed and printed meanwhile stays in the scrollback, if there is one.
    fn come_back_from_shell(&mut self) -> anyhow::Result<Msg> {
        self.terminal.make_room();
        self.come_back()
    }

    /// Takes the terminal back; everything has to be drawn again.
    fn come_back(&mut self) -> anyhow::Result<Msg> {
        self.terminal.enter_again()?;
        self.place = None;
        self.urgency = Urgency::Now;
        Ok(Msg::Back(self.terminal.size()))
    }

    /// Hands the terminal to the editor. Nobody else reads keys meanwhile.
    async fn edit(
        &mut self,
        (text, extension, line): (String, String, Option<usize>),
        purpose: Purpose,
        ears: &mut Ears,
    ) -> anyhow::Result<After> {
        let Some(editor) = self.app.settings.editor.clone().or_else(terminal::installed_editor) else {
            let edited = Edited::Failed("no editor is set; put its name into $VISUAL or $EDITOR".to_owned());
            return Ok(After::Hear(vec![Msg::Edited(purpose, edited)]));
        };
        ears.keys = None;
        self.terminal.leave();
        let edited = tokio::task::spawn_blocking(move || terminal::edit(&editor, &text, &extension, line)).await?;
        ears.signals.pass_over_keys()?;
        ears.keys = Some(InputStream::new());
        Ok(After::Hear(vec![self.come_back()?, Msg::Edited(purpose, edited)]))
    }

    fn draw_if_due(&mut self) -> anyhow::Result<()> {
        let due = match self.urgency {
            Urgency::None => false,
            Urgency::Soon => self.frame_due() <= Instant::now(),
            Urgency::Now => true,
        };
        if due { self.draw() } else { Ok(()) }
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let layout = lay_out(&mut self.app);
        let place = (self.app.regions.transcript, self.app.transcript.top());
        self.terminal.sign(signs(&self.app));
        self.let_go();
        // Rows that move by themselves could end up in the scrollback, too.
        let moves = self.scrollback.is_none();
        let slide = self.place.filter(|_| moves).and_then(|before| slide(before, place));
        self.terminal.draw(slide, |page| view(&self.app, &layout, page)).context("the terminal is gone")?;
        self.place = Some(place);
        self.drawn_at = Some(Instant::now());
        self.urgency = Urgency::None;
        for cmd in update(&mut self.app, self.began.elapsed(), Msg::Shown) {
            // What is seen asks for what will be seen next, and for nothing else.
            if let Cmd::Send(op) = cmd {
                drop(self.ops.send(op));
            }
        }
        Ok(())
    }

    /// Lets what has left the screen for good go into the terminal's scrollback.
    fn let_go(&mut self) {
        let Some(scrollback) = &mut self.scrollback else { return };
        let (size, transcript) = (self.terminal.size(), &self.app.transcript);
        for rows in scrollback.due(size, transcript.here()) {
            let height = u16::try_from(rows.len()).unwrap_or(size.height);
            let area = Rect { height, ..Rect::from((Position::ORIGIN, size)) };
            self.terminal.let_go(height, |page| transcript.draw_rows(rows, area, page));
        }
    }

    /// What the house says right after it said something can wait almost as long as a frame takes: heard sooner it would not be
    /// seen sooner, and each hearing wakes us. A flood is taken up as it comes, and so is what answers the user.
    fn hears_house(&self) -> bool {
        self.flooded || self.first_word.is_awaited() || self.house_due() <= Instant::now()
    }

    /// When the house is heard again in any case: just before a frame, or so long after it was heard last that keys, each of
    /// which draws one, do not put it off.
    fn house_due(&self) -> Instant {
        let next = self.heard_at.map_or(self.began, |heard| heard + self.frame());
        next.min(self.frame_due() - LEAD)
    }

    /// Did the clock wake us for something, and not only so that the house is heard again?
    fn app_is_due(&self) -> bool {
        self.app.wakes_at().is_some_and(|at| at <= self.began.elapsed())
    }

    fn since_began(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.began)
    }

    fn frame_due(&self) -> Instant {
        self.drawn_at.map_or(self.began, |drawn| drawn + self.frame())
    }

    fn frame(&self) -> Duration {
        match self.app.settings.motion {
            ScreenMotion::Full => FRAME,
            ScreenMotion::Reduced => CALM_FRAME,
        }
    }

    fn wakes_at(&self) -> Option<Instant> {
        let frame = match self.hears_house() {
            false => Some(self.house_due()),
            true => (self.urgency != Urgency::None).then(|| self.frame_due()),
        };
        let app = self.app.wakes_at().map(|at| (self.began + at).max(self.not_before));
        [frame, app].into_iter().flatten().min()
    }
}

/// How the conversation moved between two frames, if it stayed in the same place.
pub(crate) fn slide((area, before): (Rect, usize), (now_in, top): (Rect, usize)) -> Option<Slide> {
    let lines = i64::try_from(top).ok()? - i64::try_from(before).ok()?;
    let lines = i32::try_from(lines).ok().filter(|lines| *lines != 0)?;
    (area == now_in).then_some(Slide { top: area.y, bottom: area.bottom(), lines })
}
