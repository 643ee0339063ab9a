//! A text being written: grapheme by grapheme, with a kill ring and undo.
//!
//! Knows no keys (see `readline`) and no screen (see `rows`). A large paste is kept aside as a *chip*: one stand-in
//! character in the text, taken and deleted as a whole, and put back where the text is handed on.

use super::kill_ring::KillRing;
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Stand-ins for chips: noncharacters, which no text has a right to hold.
const STAND_INS: std::ops::RangeInclusive<char> = '\u{fdd0}'..='\u{fdef}';
/// A paste of more lines than this becomes a chip.
const MOST_LINES: usize = 10;
/// A paste of more characters than this becomes a chip.
const MOST_CHARACTERS: usize = 1_000;
/// A text of more lines than this nobody wrote by hand.
const MOST_WRITTEN: usize = 100;
/// Chips remembered for texts that come back.
const MOST_REMEMBERED: usize = 16;
/// How many steps can be undone.
const MOST_UNDO: usize = 200;

/// The text, the cursor, and what came before.
#[derive(Debug, Default, Clone)]
pub(crate) struct Editor {
    text: String,
    cursor: usize,
    chips: Vec<String>,
    undo: Vec<(String, usize)>,
    killed: KillRing,
    last: Last,
}

/// What the last change was: typing is undone as a whole, kills in a row are yanked as one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    Typing,
    Kill,
    Yank,
}

/// Somewhere to go from the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Motion {
    Left,
    Right,
    WordLeft,
    WordRight,
    /// To the space before the word, whatever the word is made of.
    SpaceLeft,
    /// To the space behind the word, and to the word behind that.
    SpaceRight,
    NextWord,
    LineStart,
    LineEnd,
    Start,
    End,
}

impl Editor {
    /// An editor that holds `text`, cursor at the end.
    pub(crate) fn holding(text: &str) -> Self {
        let mut editor = Editor::default();
        editor.replace(text);
        editor
    }

    /// The text as it is drawn: chips are stand-ins, see [`Editor::label`].
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Byte position of the cursor in [`Editor::text`].
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text as it is handed on: chips put back.
    pub(crate) fn whole(&self) -> String {
        unfold(&self.text, &self.chips)
    }

    /// What is shown in place of a chip's stand-in; `None` for any other grapheme.
    pub(crate) fn label(&self, grapheme: &str) -> Option<String> {
        let chip = chip(grapheme.chars().next()?, &self.chips)?;
        Some(match chip.lines().count() {
            0 | 1 => format!("[pasted {} characters]", chip.chars().count()),
            lines => format!("[pasted {lines} lines]"),
        })
    }

    /// Puts `text` in place of everything; can be undone.
    pub(crate) fn replace(&mut self, text: &str) {
        self.remember(Last::Other);
        self.text = admit(text).into_owned();
        self.cursor = self.text.len();
    }

    /// Puts a `text` that was here before in place of everything, its chips folded again.
    pub(crate) fn recall(&mut self, text: &str) {
        self.remember(Last::Other);
        let text = admit(text);
        let mut folded = text.clone().into_owned();
        for (chip, stand_in) in self.chips.iter().zip(STAND_INS) {
            folded = folded.replace(chip.as_str(), stand_in.encode_utf8(&mut [0; 4]));
        }
        if folded.lines().count() > MOST_WRITTEN
            && let Some(stand_in) = self.stand_in(&text)
        {
            folded = stand_in.into();
        }
        self.cursor = folded.len();
        self.text = folded;
    }

    /// Puts `text` in place of a part, with the cursor behind it.
    pub(crate) fn put_in_place(&mut self, place: Range<usize>, text: &str) {
        self.remember(Last::Other);
        self.text.replace_range(place.clone(), &admit(text));
        self.cursor = place.start + text.len();
    }

    /// Empties the text and forgets what came before, but for what may be put back.
    pub(crate) fn reset(&mut self) {
        let (mut killed, mut chips) = (std::mem::take(&mut self.killed), std::mem::take(&mut self.chips));
        if chips.len() > MOST_REMEMBERED {
            killed.change_all(|text| unfold(text, &chips));
            chips.drain(..chips.len() - MOST_REMEMBERED);
        }
        *self = Editor { killed, chips, ..Editor::default() };
    }

    pub(crate) fn type_letter(&mut self, letter: char) {
        if letter.is_whitespace() || self.last != Last::Typing {
            self.remember(Last::Typing);
        }
        self.put(&letter.to_string());
        self.last = Last::Typing;
    }

    /// Text put in as it is.
    pub(crate) fn insert(&mut self, text: &str) {
        self.remember(Last::Other);
        self.put(text);
    }

    /// Pasted text: folded to a chip where it is large.
    pub(crate) fn paste(&mut self, text: &str) {
        let text = admit(text);
        let large = text.chars().nth(MOST_CHARACTERS).is_some() || text.lines().count() > MOST_LINES;
        match large.then(|| self.stand_in(&text)).flatten() {
            Some(stand_in) => {
                self.remember(Last::Other);
                self.put_raw(&stand_in.to_string());
            }
            None => self.insert(&text),
        }
    }

    /// The stand-in for a text kept aside; `None` when there are too many of them.
    fn stand_in(&mut self, text: &str) -> Option<char> {
        let place = self.chips.iter().position(|chip| chip == text).unwrap_or(self.chips.len());
        let stand_in = STAND_INS.clone().nth(place)?;
        if place == self.chips.len() {
            self.chips.push(text.to_owned());
        }
        Some(stand_in)
    }

    pub(crate) fn go(&mut self, motion: Motion) {
        self.cursor = self.target(motion);
        self.last = Last::Other;
    }

    /// Moves the cursor to a byte position.
    pub(crate) fn go_to(&mut self, position: usize) {
        self.cursor = position.min(self.text.len());
        self.last = Last::Other;
    }

    /// Deletes from the cursor to where `motion` leads.
    pub(crate) fn delete(&mut self, motion: Motion) {
        self.cut(motion, Last::Other);
    }

    /// Deletes likewise, to be put back by [`Editor::yank`].
    pub(crate) fn kill(&mut self, motion: Motion) {
        let goes_on = self.last == Last::Kill;
        let (back, cut) = self.cut(motion, Last::Kill);
        if cut.is_empty() {
            return;
        }
        match (goes_on, back) {
            (true, true) => self.killed.put_before(&cut),
            (true, false) => self.killed.put_behind(&cut),
            (false, _) => self.killed.add(cut),
        }
        self.last = Last::Kill;
    }

    /// Puts back what was killed last.
    pub(crate) fn yank(&mut self) {
        let Some(killed) = self.killed.newest().map(str::to_owned) else { return };
        self.remember(Last::Yank);
        self.put_raw(&killed);
    }

    /// Puts what was killed before that in place of what was just put back.
    pub(crate) fn yank_earlier(&mut self) {
        if self.last != Last::Yank {
            return;
        }
        let Some((put, killed)) = self.killed.earlier() else { return };
        let start = self.cursor - put.len().min(self.cursor);
        self.remember(Last::Yank);
        self.text.replace_range(start..self.cursor, &killed);
        self.cursor = start + killed.len();
    }

    /// Opens the paste that stands at the cursor, before it, or last in the text: its text stands there instead. Says
    /// whether there was one.
    pub(crate) fn open_paste(&mut self) -> bool {
        let chips: Vec<(usize, usize)> = self
            .graphemes()
            .filter_map(|(at, grapheme)| self.label(grapheme).map(|_| (at, at + grapheme.len())))
            .collect();
        let near = chips.iter().find(|(start, end)| *start == self.cursor || *end == self.cursor);
        let before = || chips.iter().rfind(|(_, end)| *end <= self.cursor);
        let Some(&(start, end)) = near.or_else(before).or(chips.last()) else { return false };
        let whole = unfold(&self.text[start..end], &self.chips);
        self.remember(Last::Other);
        self.text.replace_range(start..end, &whole);
        self.cursor = start + whole.len();
        true
    }

    /// Swaps the graphemes around the cursor, or the last two at the end of a line.
    pub(crate) fn transpose(&mut self) {
        let middle = if self.cursor == self.line_end() { self.before(self.cursor) } else { self.cursor };
        let (start, end) = (self.before(middle), self.after(middle));
        if start == middle || middle == end || self.text[start..end].contains('\n') {
            return;
        }
        self.remember(Last::Other);
        let swapped = format!("{}{}", &self.text[middle..end], &self.text[start..middle]);
        self.text.replace_range(start..end, &swapped);
        self.cursor = end;
    }

    /// Takes the last change back.
    pub(crate) fn undo(&mut self) {
        if let Some((text, cursor)) = self.undo.pop() {
            (self.text, self.cursor) = (text, cursor);
            self.last = Last::Other;
        }
    }

    fn remember(&mut self, next: Last) {
        if self.undo.len() == MOST_UNDO {
            self.undo.remove(0);
        }
        self.undo.push((self.text.clone(), self.cursor));
        self.last = next;
    }

    fn put(&mut self, text: &str) {
        let text = admit(text).into_owned();
        self.put_raw(&text);
    }

    fn put_raw(&mut self, text: &str) {
        self.text.insert_str(self.cursor, text);
        self.cursor += text.len();
    }

    /// Takes out what lies between the cursor and `motion`'s goal; says whether that was backwards.
    fn cut(&mut self, motion: Motion, next: Last) -> (bool, String) {
        let target = self.target(motion);
        let (start, end) = (target.min(self.cursor), target.max(self.cursor));
        if start == end {
            return (false, String::new());
        }
        self.remember(next);
        let back = target < self.cursor;
        self.cursor = start;
        (back, self.text.drain(start..end).collect())
    }

    fn target(&self, motion: Motion) -> usize {
        match motion {
            Motion::Left => self.before(self.cursor),
            Motion::Right => self.after(self.cursor),
            Motion::WordLeft => self.back_while(|letter| !letter.is_alphanumeric(), char::is_alphanumeric),
            Motion::WordRight => self.on_while(|letter| !letter.is_alphanumeric(), char::is_alphanumeric),
            Motion::SpaceLeft => self.back_while(char::is_whitespace, |letter| !letter.is_whitespace()),
            Motion::SpaceRight => self.on_while(char::is_whitespace, |letter| !letter.is_whitespace()),
            Motion::NextWord => self.on_while(|letter| !letter.is_whitespace(), char::is_whitespace),
            Motion::LineStart => self.text[..self.cursor].rfind('\n').map_or(0, |newline| newline + 1),
            Motion::LineEnd if self.cursor == self.line_end() => self.after(self.cursor),
            Motion::LineEnd => self.line_end(),
            Motion::Start => 0,
            Motion::End => self.text.len(),
        }
    }

    /// Where the cursor's line ends.
    pub(crate) fn line_end(&self) -> usize {
        self.text[self.cursor..].find('\n').map_or(self.text.len(), |newline| self.cursor + newline)
    }

    fn back_while(&self, skipped: impl Fn(char) -> bool, taken: impl Fn(char) -> bool) -> usize {
        let before = self.text[..self.cursor].trim_end_matches(skipped);
        before.trim_end_matches(taken).len()
    }

    fn on_while(&self, skipped: impl Fn(char) -> bool, taken: impl Fn(char) -> bool) -> usize {
        let after = self.text[self.cursor..].trim_start_matches(skipped);
        self.text.len() - after.trim_start_matches(taken).len()
    }

    fn before(&self, position: usize) -> usize {
        GraphemeCursor::new(position, self.text.len(), true).prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn after(&self, position: usize) -> usize {
        let next = GraphemeCursor::new(position, self.text.len(), true).next_boundary(&self.text, 0);
        next.ok().flatten().unwrap_or(self.text.len())
    }

    /// The graphemes with their places, stand-ins included.
    pub(crate) fn graphemes(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.grapheme_indices(true)
    }
}

/// The chip that `letter` stands for.
fn chip(letter: char, chips: &[String]) -> Option<&String> {
    let place = u32::from(letter).checked_sub(u32::from(*STAND_INS.start()))?;
    chips.get(usize::try_from(place).ok()?)
}

/// `text` with its chips put back.
fn unfold(text: &str, chips: &[String]) -> String {
    let mut whole = String::with_capacity(text.len());
    for letter in text.chars() {
        match chip(letter, chips) {
            Some(chip) => whole.push_str(chip),
            None => whole.push(letter),
        }
    }
    whole
}

/// Text as it may enter: one kind of line end, and no stand-ins of its own.
fn admit(text: &str) -> Cow<'_, str> {
    if !text.contains(|letter| letter == '\r' || STAND_INS.contains(&letter)) {
        return Cow::Borrowed(text);
    }
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(lines.replace(|letter| STAND_INS.contains(&letter), "\u{fffd}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Editor {
        let mut editor = Editor::holding(&text.replace('|', ""));
        editor.go_to(text.find('|').unwrap_or(text.len()));
        editor
    }

    fn shown(editor: &Editor) -> String {
        let (before, after) = editor.text().split_at(editor.cursor());
        format!("{before}|{after}")
    }

    fn after(text: &str, act: impl Fn(&mut Editor)) -> String {
        let mut editor = at(text);
        act(&mut editor);
        shown(&editor)
    }

    #[test]
    fn backspace_takes_a_whole_grapheme() {
        for grapheme in ["👩\u{200d}👩\u{200d}👧", "e\u{301}", "🇩🇪", "日", "👍🏽"] {
            assert_eq!(after(&format!("a{grapheme}|b"), |editor| editor.delete(Motion::Left)), "a|b");
            assert_eq!(after(&format!("a|{grapheme}b"), |editor| editor.delete(Motion::Right)), "a|b");
            assert_eq!(after(&format!("a|{grapheme}b"), |editor| editor.go(Motion::Right)), format!("a{grapheme}|b"));
        }
    }

    #[test]
    fn words_end_where_letters_do() {
        assert_eq!(after("fix the_bug(now)|", |editor| editor.go(Motion::WordLeft)), "fix the_bug(|now)");
        assert_eq!(after("|fix it", |editor| editor.go(Motion::WordRight)), "fix| it");
        assert_eq!(after("fix src/main.rs |now", |editor| editor.delete(Motion::SpaceLeft)), "fix |now");
    }

    #[test]
    fn kills_in_a_row_are_yanked_as_one() {
        let killed = after("one two three|", |editor| {
            editor.kill(Motion::SpaceLeft);
            editor.kill(Motion::SpaceLeft);
            editor.go(Motion::Start);
            editor.yank();
        });
        assert_eq!(killed, "two three|one ");
        assert_eq!(after("one| two\nthree", |editor| editor.kill(Motion::LineEnd)), "one|\nthree");
        assert_eq!(after("one|\nthree", |editor| editor.kill(Motion::LineEnd)), "one|three");
    }

    #[test]
    fn what_was_killed_before_can_be_put_back_instead() {
        let mut editor = at("one two three|");
        editor.kill(Motion::SpaceLeft);
        editor.go(Motion::Start);
        editor.kill(Motion::WordRight);
        editor.go(Motion::End);
        editor.yank();
        assert_eq!(shown(&editor), " two one|");
        editor.yank_earlier();
        assert_eq!(shown(&editor), " two three|");
        editor.yank_earlier();
        assert_eq!(shown(&editor), " two one|", "round and round");
        editor.undo();
        editor.undo();
        editor.undo();
        assert_eq!(shown(&editor), " two |");
        editor.yank_earlier();
        assert_eq!(shown(&editor), " two |", "nothing was put back just now");
    }

    #[test]
    fn a_paste_can_be_opened() {
        let mut editor = Editor::holding("see ");
        editor.paste(&"line\n".repeat(42));
        editor.insert(" and ");
        assert!(editor.open_paste());
        assert!(editor.text().starts_with("see line\nline") && editor.text().ends_with(" and "));
        assert_eq!(editor.whole(), editor.text());
        assert!(!editor.open_paste(), "there is no other");
        editor.undo();
        assert!(editor.text().len() < 20, "it is folded again");
    }

    #[test]
    fn typing_is_undone_word_by_word() {
        let mut editor = Editor::default();
        "fix it".chars().for_each(|letter| editor.type_letter(letter));
        editor.undo();
        assert_eq!(shown(&editor), "fix|");
        editor.undo();
        assert_eq!(shown(&editor), "|");
    }

    #[test]
    fn letters_change_places() {
        assert_eq!(after("ab|cd", Editor::transpose), "acb|d");
        assert_eq!(after("teh|", Editor::transpose), "the|");
        assert_eq!(after("|ab", Editor::transpose), "|ab");
    }

    #[test]
    fn a_large_paste_is_one_thing_and_is_sent_whole() {
        let mut editor = Editor::holding("see ");
        let log = "line\r\n".repeat(120);
        editor.paste(&log);
        assert_eq!(
            editor.graphemes().filter_map(|(_, grapheme)| editor.label(grapheme)).collect::<Vec<_>>(),
            ["[pasted 120 lines]"]
        );
        assert_eq!(editor.whole(), format!("see {}", "line\n".repeat(120)));
        editor.delete(Motion::Left);
        assert_eq!(editor.whole(), "see ");
        editor.undo();
        assert_eq!(editor.whole().lines().count(), 120);
    }

    #[test]
    fn a_small_paste_is_text() {
        let mut editor = Editor::default();
        editor.paste("two\rlines\u{fdd0}");
        assert_eq!(editor.text(), "two\nlines\u{fffd}");
    }
}
