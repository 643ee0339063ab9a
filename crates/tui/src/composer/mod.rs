//! Where a message is written: the text, the history behind it, the search in it, the commands it may become.
//!
//! Sends nothing and opens nothing; `app::keys` decides what a finished message means.

mod completion;
mod draw;
mod editor;
mod history;
mod kill_ring;
mod naming;
mod readline;
mod rows;
mod vim;

pub(crate) use completion::{Completed, Completion};
pub(crate) use editor::Editor;
pub(crate) use readline::{Consumed, edit};
pub(crate) use rows::Rows;

use crate::keymap::Chord;
use crate::settings::EditingKeys;
use agent_protocol::{Mention, OwnCommand};
use crossterm::event::KeyCode;
use history::{History, Search};
use naming::Naming;
use vim::{VimMode, Vimmed};

#[derive(Debug, Default)]
pub(crate) struct Composer {
    editor: Editor,
    writing: Writing,
    /// In which mode the keys of vi are read, for those who set them.
    vim: Option<VimMode>,
    /// Drafts that were put aside, the last one last.
    aside: Vec<(Writing, Editor)>,
    history: History,
    /// Commands that were run in the user's own shell.
    commands: History,
    search: Option<Search>,
    naming: Naming,
    completer: Completer,
    own: Vec<OwnCommand>,
    /// Which of the completions is chosen.
    chosen: usize,
    /// The text for which the completions were sent away.
    dismissed: Option<String>,
    /// The text of which it was said that what it names is no file.
    doubted: Option<String>,
    /// As it is laid out for the screen.
    rows: Rows,
    columns: u16,
}

/// What is being written. Only a key makes it anything but a message: what is pasted, or comes back, is text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    /// A message to the model.
    #[default]
    Message,
    /// A command for the user's own shell.
    Shell,
    /// Something to remember in later sessions.
    Memory,
}

impl Writing {
    /// What the key of this letter begins where nothing is written.
    pub(crate) fn begun_by(letter: char) -> Option<Self> {
        match letter {
            '!' => Some(Writing::Shell),
            '#' => Some(Writing::Memory),
            _ => None,
        }
    }

    /// What stands before it.
    fn prompt(self) -> &'static str {
        match self {
            Writing::Message => "› ",
            Writing::Shell => "! ",
            Writing::Memory => "# ",
        }
    }

    /// What is to be written, while nothing is.
    fn invitation(self) -> &'static str {
        match self {
            Writing::Message => "what shall we do?",
            Writing::Shell => "a command; one more ! keeps it from the model",
            Writing::Memory => "what shall be remembered?",
        }
    }
}

/// Finds what a half-typed line may become; nothing where it was not told how.
#[derive(Debug, Clone, Copy)]
struct Completer(fn(&str) -> Vec<Completion>);

impl Default for Completer {
    fn default() -> Self {
        Completer(|_| Vec::new())
    }
}

/// What became of the draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stashed {
    PutAside,
    /// So many others are aside still.
    BroughtBack {
        left: usize,
    },
    /// There was nothing to put aside, and nothing aside.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Up,
    Down,
}

impl Composer {
    /// A composer that holds `draft`; `completer` says what a half-typed line may become.
    pub(crate) fn holding(draft: &str, completer: fn(&str) -> Vec<Completion>) -> Self {
        let completer = Completer(completer);
        Composer { editor: Editor::holding(draft), columns: 80, completer, ..Composer::default() }
    }

    /// The same, which knows these commands besides.
    pub(crate) fn with_commands(mut self, own: Vec<OwnCommand>) -> Self {
        self.own = own;
        self
    }

    /// The same, with the keys of vi where they are wanted.
    pub(crate) fn with_vim(mut self, keys: EditingKeys) -> Self {
        self.vim = (keys == EditingKeys::Vim).then(VimMode::default);
        self
    }

    /// A key of vi; says whether it was one.
    pub(crate) fn vim_key(&mut self, chord: Chord) -> Consumed {
        let Some(mode) = self.vim.as_mut().filter(|_| self.search.is_none()) else { return Consumed::No };
        match mode.key(&mut self.editor, chord) {
            Vimmed::No => return Consumed::No,
            Vimmed::Done => self.changed(),
            Vimmed::Up => self.vertical(Way::Up),
            Vimmed::Down => self.vertical(Way::Down),
        }
        Consumed::Yes
    }

    fn is_in_normal_mode(&self) -> bool {
        matches!(self.vim, Some(VimMode::Normal { .. }))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.editor.is_empty()
    }

    pub(crate) fn writing(&self) -> Writing {
        self.writing
    }

    /// Begins to write something else; the text stays as it is.
    pub(crate) fn write(&mut self, writing: Writing) {
        self.writing = writing;
        self.changed();
    }

    /// The text as it stands there: what was pasted in large is a stand-in.
    pub(crate) fn written(&self) -> &str {
        self.editor.text()
    }

    pub(crate) fn text(&self) -> String {
        self.editor.whole()
    }

    /// Empties it; what stood there is remembered as said.
    pub(crate) fn take(&mut self) -> String {
        let text = self.editor.whole();
        match self.writing {
            Writing::Message => self.history.add(&text),
            Writing::Shell => self.commands.add(&text),
            Writing::Memory => {}
        }
        self.naming.sent(&text);
        self.clear();
        text
    }

    /// Empties it; what stood there can be had back with Up.
    pub(crate) fn put_aside(&mut self) {
        self.take();
    }

    fn clear(&mut self) {
        self.editor.reset();
        self.writing = Writing::Message;
        self.vim = self.vim.map(|_| VimMode::Insert);
        self.search = None;
        self.changed();
    }

    /// Puts `text` in place of the draft.
    pub(crate) fn replace(&mut self, text: &str) {
        self.editor.replace(text);
        self.changed();
    }

    /// Puts a text that was here before in place of the draft.
    fn recall(&mut self, text: &str) {
        self.editor.recall(text);
        self.changed();
    }

    /// Puts `text` before the draft.
    pub(crate) fn precede(&mut self, text: &str) {
        self.writing = Writing::Message;
        let rest = self.editor.whole();
        let whole = if rest.is_empty() { text.to_owned() } else { format!("{text}\n\n{rest}") };
        self.recall(&whole);
    }

    pub(crate) fn paste(&mut self, text: &str) {
        match &mut self.search {
            Some(search) => {
                search.query.push_str(text.lines().next().unwrap_or_default());
                search.again(&self.history);
            }
            None => self.editor.paste(text),
        }
        self.changed();
    }

    /// Opens a paste that stands folded in the text; says whether there was one.
    pub(crate) fn open_paste(&mut self) -> bool {
        let opened = self.editor.open_paste();
        self.changed();
        opened
    }

    /// Puts the draft aside, or brings back what was put aside last.
    pub(crate) fn stash(&mut self) -> Stashed {
        if !self.is_empty() {
            let editor = self.editor.clone();
            self.aside.push((self.writing, editor));
            self.clear();
            return Stashed::PutAside;
        }
        let Some((writing, editor)) = self.aside.pop() else { return Stashed::Nothing };
        (self.writing, self.editor) = (writing, editor);
        self.changed();
        Stashed::BroughtBack { left: self.aside.len() }
    }

    pub(crate) fn new_line(&mut self) {
        self.editor.insert("\n");
        self.changed();
    }

    /// Turns a backslash at the end of the text into a new line; says whether there was one.
    pub(crate) fn continued(&mut self) -> bool {
        let continued = self.editor.text().ends_with('\\') && self.editor.cursor() == self.editor.text().len();
        if continued {
            self.editor.delete(editor::Motion::Left);
            self.new_line();
        }
        continued
    }

    pub(crate) fn remember(&mut self, earlier: &[String]) {
        self.history.precede(earlier);
    }

    /// A key for the text itself.
    pub(crate) fn edit(&mut self, chord: Chord) -> Consumed {
        let heard = edit(&mut self.editor, chord);
        if heard == Consumed::Yes {
            self.changed();
        }
        heard
    }

    /// Up and Down: from row to row, beyond the first and last through the history.
    pub(crate) fn vertical(&mut self, way: Way) {
        let rows = Rows::of(&self.editor, self.columns);
        let up = if way == Way::Up { 1 } else { -1 };
        if let Some(position) = rows.beside(&self.editor, up) {
            self.editor.go_to(position);
            return;
        }
        let draft = self.editor.whole();
        let history = match self.writing {
            Writing::Message => &mut self.history,
            Writing::Shell => &mut self.commands,
            Writing::Memory => return,
        };
        let entry = match way {
            Way::Up => history.older(&draft),
            Way::Down => history.newer(),
        };
        if let Some(entry) = entry.map(str::to_owned) {
            self.recall(&entry);
            self.dismiss();
        }
    }

    /// Begins a search, or goes to the next older match.
    pub(crate) fn search(&mut self) {
        // What was said is searched, and comes back as a message.
        self.writing = Writing::Message;
        match &mut self.search {
            Some(search) => search.older(&self.history),
            None => self.search = Some(Search::default()),
        }
    }

    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// A key while searching. Not heard: the match is taken, and the key means what it means elsewhere.
    pub(crate) fn search_key(&mut self, chord: Chord) -> Consumed {
        let Some(search) = &mut self.search else { return Consumed::No };
        match chord.code {
            KeyCode::Backspace => drop(search.query.pop()),
            KeyCode::Enter => {
                self.take_match();
                return Consumed::Yes;
            }
            _ => match chord.letter() {
                Some(letter) => search.query.push(letter),
                None => {
                    self.take_match();
                    return Consumed::No;
                }
            },
        }
        search.again(&self.history);
        Consumed::Yes
    }

    /// Ends the search; the draft stays as it was.
    pub(crate) fn end_search(&mut self) {
        self.search = None;
    }

    fn take_match(&mut self) {
        let found = self.search.take().and_then(|search| search.found);
        if let Some(entry) = found.and_then(|place| self.history.entry(place)).map(str::to_owned) {
            self.recall(&entry);
        }
    }

    /// The commands the text may become, unless they were sent away.
    pub(crate) fn completions(&self) -> Vec<Completion> {
        let is_message = self.writing == Writing::Message;
        if !is_message || self.search.is_some() || self.dismissed.as_deref() == Some(self.editor.text()) {
            return Vec::new();
        }
        let names = self.naming.fits();
        if !names.is_empty() {
            return names.iter().map(|name| Completion::of_name(name)).collect();
        }
        let mut commands = (self.completer.0)(self.editor.text());
        commands.extend(completion::of_commands(&self.own, self.editor.text()));
        commands
    }

    /// The names of the project's files and folders are there.
    pub(crate) fn take_names(&mut self, names: Vec<String>, more: bool) {
        self.naming.take(names, more);
        self.look_for_names();
    }

    /// Are they wanted? Says so once for each message.
    pub(crate) fn wants_names(&mut self) -> bool {
        self.naming.wants_names()
    }

    /// What the message names that is no file of the project: said once, then it may go out as it is.
    pub(crate) fn names_nothing(&mut self) -> Option<String> {
        let text = self.editor.text();
        if self.doubted.as_deref() == Some(text) {
            return None;
        }
        let unknown = self.naming.unknown(text)?;
        self.doubted = Some(text.to_owned());
        Some(unknown)
    }

    /// The chosen completion and its place in the list.
    pub(crate) fn chosen(&self) -> Option<(usize, Completion)> {
        let mut completions = self.completions();
        let place = self.chosen.min(completions.len().checked_sub(1)?);
        Some((place, completions.swap_remove(place)))
    }

    /// Chooses the next completion, round and round.
    pub(crate) fn choose(&mut self, way: Way) {
        let count = self.completions().len();
        if let Some((place, _)) = self.chosen() {
            self.chosen = match way {
                Way::Up => (place + count - 1) % count,
                Way::Down => (place + 1) % count,
            };
        }
    }

    /// Writes the chosen completion out.
    pub(crate) fn complete(&mut self) {
        if let Some((_, completion)) = self.chosen() {
            if let (Completed::Name, Some(place)) = (completion.what, self.naming.place()) {
                self.editor.put_in_place(place, &Mention::written(&completion.line));
                return self.changed();
            }
            let space = if completion.argument.is_empty() { "" } else { " " };
            self.replace(&format!("/{}{space}", completion.line));
        }
    }

    /// Sends the completions away until the text changes.
    pub(crate) fn dismiss(&mut self) {
        self.dismissed = Some(self.editor.text().to_owned());
    }

    fn changed(&mut self) {
        self.chosen = 0;
        self.dismissed = None;
        self.look_for_names();
    }

    fn look_for_names(&mut self) {
        let text = if self.writing == Writing::Message { self.editor.text() } else { "" };
        self.naming.look(text, self.editor.cursor());
    }
}
