//! What the door hands to the screen, and what the screen hands back when it leaves.

use crate::keymap::Binding;
use crate::themes::Theme;
use agent_protocol::{BenchResult, NearbyServer, OwnCommand, SessionId};
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// Everything the screen is told once, at the start. Whatever changes later arrives as an `Event`.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Our own version, for the first screen and `/status`.
    pub version: String,
    /// Text that stands in the composer at the start.
    pub draft: String,
    /// Does that text come from a session that ended while it was written?
    pub recovered: bool,
    /// Is what is being written kept now and then, so that it is there again after a crash?
    pub keeps_drafts: bool,
    /// Lines of welcome, shown until the conversation begins.
    pub banner: Vec<String>,
    /// Does the terminal report the wheel and clicks at the start?
    pub mouse: Mouse,
    /// Is the screen drawn where the shell is, so that the conversation goes into the terminal's own scrollback?
    pub inline: bool,
    /// How somebody who looks elsewhere is told.
    pub notify: Notify,
    /// Whether the window's title says what goes on.
    pub title: WindowTitle,
    /// How much moves by itself.
    pub motion: ScreenMotion,
    pub theme: &'static Theme,
    /// Is the terminal asked for its background, and the theme for that taken once it answers?
    pub theme_by_background: bool,
    /// Whether `/copy` may hand text to the terminal's clipboard.
    pub clipboard: Clipboard,
    /// The editor as a shell would start it: `$VISUAL`, else `$EDITOR`, as the door found it.
    pub editor: Option<String>,
    /// Keys that differ from the built-in ones, each read by [`crate::keymap::parse`].
    pub keys: Vec<Binding>,
    /// The keys by which a message is edited.
    pub editing: EditingKeys,
    /// Slash commands of the user's own, and those of a project that they trust.
    pub commands: Vec<OwnCommand>,
    /// Is this the demo? Then the status line says so.
    pub demo: bool,
    /// What is shown first.
    pub begin: Begin,
    /// Model servers that the user has names for, other than the one that is talked to.
    pub servers: Vec<NearbyServer>,
    /// The settings that hold, and who writes one into the user's file; `None`: nothing is known of them.
    pub config: Option<ConfigAtHand>,
    /// What `agent bench` found of the models of the server that is talked to.
    pub results: Vec<BenchResult>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            version: String::new(),
            draft: String::new(),
            recovered: false,
            keeps_drafts: false,
            banner: Vec::new(),
            mouse: Mouse::Captured,
            inline: false,
            notify: Notify::Auto,
            title: WindowTitle::Told,
            motion: ScreenMotion::Full,
            theme: Theme::terminal(),
            theme_by_background: false,
            clipboard: Clipboard::Osc52,
            editor: None,
            keys: Vec::new(),
            editing: EditingKeys::Readline,
            commands: Vec::new(),
            demo: false,
            begin: Begin::Plain,
            servers: Vec::new(),
            config: None,
            results: Vec::new(),
        }
    }
}

/// A setting as it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedSetting {
    /// Its whole name, like `screen.mouse`.
    pub name: String,
    /// As it stands in a file.
    pub value: String,
    /// Who says so, in a word or two.
    pub from: String,
    /// What it is, in a sentence or more.
    pub about: String,
    /// Is `value` what is set? Else it stands for it: nothing is set, or it is not for everybody to see.
    pub is_set: bool,
}

/// All settings: what `agent config` prints and writes. They are looked up only when somebody wants to see them.
#[derive(Clone)]
pub struct ConfigAtHand(Arc<dyn Config>);

/// Who lists settings, and writes one. Both block for a moment.
pub trait Config: Send + Sync {
    /// The settings that hold, and what each of them is from.
    fn list(&self) -> Vec<ListedSetting>;

    /// Sets one in the user's file to what was typed; without a value it is taken out.
    ///
    /// # Errors
    /// Why nothing was written.
    fn write(&self, name: &str, value: Option<&str>) -> Result<(), String>;
}

impl ConfigAtHand {
    /// As `config` has them.
    pub fn new(config: impl Config + 'static) -> Self {
        ConfigAtHand(Arc::new(config))
    }

    /// The settings that hold.
    pub(crate) fn list(&self) -> Vec<ListedSetting> {
        self.0.list()
    }

    /// Writes one; gives all as they hold then.
    pub(crate) fn write(&self, name: &str, value: Option<&str>) -> Result<Vec<ListedSetting>, String> {
        self.0.write(name, value).map(|()| self.0.list())
    }
}

impl Debug for ConfigAtHand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("ConfigAtHand")
    }
}

/// The keys by which a message is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditingKeys {
    /// Those of readline.
    Readline,
    /// The same, and in normal mode a few of vi.
    Vim,
}

/// How much moves by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenMotion {
    /// The clock goes by seconds, and text is drawn as it comes.
    Full,
    /// Figures change every ten seconds, text comes twice a second, and nothing beats.
    Reduced,
}

/// What becomes of the title of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowTitle {
    /// It says what goes on, and is as it was afterwards.
    Told,
    /// It stays as it is.
    Untouched,
}

/// How somebody who looks at another window is told that a question waits, or that a long turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notify {
    /// As the terminal is known to read it; a bell where nothing is known of it.
    Auto,
    /// By OSC 9 (iTerm2, WezTerm, Ghostty).
    Osc9,
    /// By OSC 777 (foot, rxvt).
    Osc777,
    /// By OSC 99 (kitty).
    Osc99,
    Bell,
    /// Not at all.
    Off,
}

/// What is shown first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begin {
    /// An empty prompt.
    Plain,
    /// This message is said at once.
    Say(String),
    /// The list of kept sessions, to choose one to go on with.
    PickSession,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// We do: the wheel scrolls the conversation, a click folds, a drag selects and copies; with Shift the terminal selects.
    Captured,
    /// The terminal does: dragging selects.
    Free,
}

impl Mouse {
    pub(crate) fn switched(self) -> Self {
        match self {
            Mouse::Captured => Mouse::Free,
            Mouse::Free => Mouse::Captured,
        }
    }
}

/// How text reaches the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clipboard {
    /// By the escape sequence OSC 52, which works over ssh as well.
    Osc52,
    /// Not at all.
    Off,
}

/// What the screen hands back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub exit: Exit,
    /// What stood in the composer.
    pub draft: String,
    /// The session that was open, where it is written down.
    pub session: Option<SessionId>,
}

/// Why the screen was left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// The user left, or the session closed.
    Quit,
    /// The user chose the demo because no server answers.
    Demo,
    /// The user chose another server: the session goes on with it.
    Server(ServerChoice),
    /// A signal with this number asked us to end; the terminal is restored.
    Signalled(i32),
}

/// A model server that the user chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerChoice {
    /// The one of this name in their settings.
    Named(String),
    /// The one at this address, which was found on this machine.
    At(String),
}
