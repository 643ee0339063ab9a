//! Where a message is written: the text, the history behind it, the search in it, the commands it may become.
//!
//! Sends nothing and opens nothing; `app::keys` decides what a finished message means.

mod draw;
mod editor;
mod history;
mod readline;
mod rows;

pub(crate) use editor::Editor;
pub(crate) use readline::{Consumed, edit};
pub(crate) use rows::Rows;

use crate::keymap::Chord;
use crossterm::event::KeyCode;
use history::{History, Search};

#[derive(Debug, Default)]
pub(crate) struct Composer {
    editor: Editor,
    history: History,
    search: Option<Search>,
    completer: Completer,
    /// Which of the completions is chosen.
    chosen: usize,
    /// The text for which the completions were sent away.
    dismissed: Option<String>,
    /// As it is laid out for the screen.
    rows: Rows,
    columns: u16,
}

/// Finds what a half-typed line may become; nothing where it was not told how.
#[derive(Debug, Clone, Copy)]
struct Completer(fn(&str) -> Vec<Completion>);

impl Default for Completer {
    fn default() -> Self {
        Completer(|_| Vec::new())
    }
}

/// What a half-typed line may become.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    /// May it be carried out for half a word?
    pub(crate) harmless: bool,
    /// The line without the slash: a command, or one with what follows it.
    pub(crate) line: String,
    /// What may follow, as it is shown.
    pub(crate) argument: &'static str,
    pub(crate) words: &'static str,
    /// Stands it there already?
    pub(crate) whole: bool,
}

/// Up or down.
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

    pub(crate) fn is_empty(&self) -> bool {
        self.editor.is_empty()
    }

    /// The text as it stands there: what was pasted in large is a stand-in.
    pub(crate) fn written(&self) -> &str {
        self.editor.text()
    }

    /// What would be sent.
    pub(crate) fn text(&self) -> String {
        self.editor.whole()
    }

    /// Empties it; what stood there is remembered as said.
    pub(crate) fn take(&mut self) -> String {
        let text = self.editor.whole();
        self.history.add(&text);
        self.clear();
        text
    }

    /// Empties it; what stood there can be had back with Up.
    pub(crate) fn put_aside(&mut self) {
        self.take();
    }

    /// Empties it.
    fn clear(&mut self) {
        self.editor.reset();
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

    /// Messages of earlier sessions.
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
        let entry = match way {
            Way::Up => self.history.older(&draft),
            Way::Down => self.history.newer(),
        };
        if let Some(entry) = entry.map(str::to_owned) {
            self.recall(&entry);
            self.dismiss();
        }
    }

    /// Begins a search, or goes to the next older match.
    pub(crate) fn search(&mut self) {
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
        if self.search.is_some() || self.dismissed.as_deref() == Some(self.editor.text()) {
            return Vec::new();
        }
        (self.completer.0)(self.editor.text())
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
    }
}
