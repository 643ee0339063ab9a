//! What became of files and commands, one thing in a few words. Receipts, calls and undone changes share these.

use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::{shorten, spans_width, width as columns};
use agent_protocol::{
    CommandReceipt, FailureKind, FileChange, FileFate, FileReceipt, FileState, FolderReceipt, Host, Status,
};
use ratatui::style::Style;
use ratatui::text::Span;

/// Columns of a name among others, at most; alone it may have all there are.
pub(super) const LONGEST_NAME: usize = 36;

/// A thing with a name, and what became of it. Clean.
pub(super) struct Item {
    name: String,
    end: End,
    /// What became of it, after the name.
    fate: Vec<Span<'static>>,
    /// Did something go wrong with it?
    pub(super) failed: bool,
}

/// The end of a name that is kept where it is too long.
#[derive(Clone, Copy)]
enum End {
    /// A path is told by its last parts.
    Last,
    /// A command is told by its first words.
    First,
}

impl Item {
    /// One file of a receipt.
    pub(super) fn of_file(file: &FileReceipt, palette: Palette) -> Self {
        Item::file(&file.shown_path, file.what, file.added, file.removed, palette)
    }

    /// One file that a call changed.
    pub(super) fn of_change(change: &FileChange, palette: Palette) -> Self {
        let fate = match (&change.before, &change.after) {
            (FileState::Missing, _) => FileFate::Created,
            (_, FileState::Missing) => FileFate::Deleted,
            _ => FileFate::Changed,
        };
        Item::file(&change.shown_path, fate, change.added, change.removed, palette)
    }

    fn file(path: &str, what: FileFate, added: u64, removed: u64, palette: Palette) -> Self {
        let word = match what {
            FileFate::Created => Some("new"),
            FileFate::Changed => None,
            FileFate::Deleted => Some("deleted"),
        };
        let word = word.map(|word| Span::styled(word, palette.dim()));
        let figures = figures(added, removed, palette);
        let fate = word.into_iter().chain(figures).flat_map(|part| [Span::raw(" "), part]).collect();
        Item { name: clean_line(path).into_owned(), end: End::Last, fate, failed: false }
    }

    /// A folder of which no file is told alone.
    pub(super) fn of_folder(folder: &FolderReceipt) -> Self {
        Item::plain(&folder.words())
    }

    /// A host that was reached.
    pub(super) fn of_host(host: &Host) -> Self {
        Item::plain(&host.to_string())
    }

    fn plain(words: &str) -> Self {
        Item { name: clean_line(words).into_owned(), end: End::First, fate: Vec::new(), failed: false }
    }

    /// One command and how it ended.
    pub(super) fn of_command(ran: &CommandReceipt, palette: Palette) -> Self {
        let (words, style) = match ran.status {
            Status::Done | Status::Unknown if ran.background => (ran.end_words(), palette.dim()),
            status => command_fate(status, palette),
        };
        let words = words + &clean_line(&ran.parts_end_words());
        let mut lines = ran.command.trim().lines();
        let first = clean_line(lines.next().unwrap_or_default()).into_owned();
        let name = if lines.next().is_some() { format!("{first} …") } else { first };
        let is_unknown = ran.background && ran.status == Status::Unknown;
        let failed =
            !is_unknown && !matches!(ran.status, Status::Done | Status::Failed { kind: FailureKind::CannotRun });
        Item { name, end: End::First, fate: vec![Span::raw(" "), Span::styled(words, style)], failed }
    }

    /// In words, the name in no more than `room` columns.
    pub(super) fn words(&self, room: usize) -> Vec<Span<'static>> {
        let name = match self.end {
            End::Last => last_of(&self.name, room),
            End::First => shorten(&self.name, room).into_owned(),
        };
        std::iter::once(Span::raw(name)).chain(self.fate.iter().cloned()).collect()
    }

    /// In words that take no more than `room` columns, as far as that can be.
    pub(super) fn words_within(&self, room: usize) -> Vec<Span<'static>> {
        self.words(room.saturating_sub(spans_width(&self.fate)).max(1))
    }

    /// Is its name short enough to stand among others?
    pub(super) fn is_short(&self) -> bool {
        columns(&self.name) <= LONGEST_NAME
    }
}

/// `+3` and `−1`, as far as there is anything to tell.
pub(super) fn figures(added: u64, removed: u64, palette: Palette) -> Vec<Span<'static>> {
    let figure =
        |sign: &str, count: u64, style: Style| (count > 0).then(|| Span::styled(format!("{sign}{count}"), style));
    [figure("+", added, palette.good()), figure("−", removed, palette.bad())].into_iter().flatten().collect()
}

fn command_fate(status: Status, palette: Palette) -> (String, Style) {
    match status {
        Status::Done => ("✓".to_owned(), palette.good()),
        Status::Exited { code: Some(code) } => (format!("✗ exit {code}"), palette.bad()),
        Status::Exited { code: None } => ("✗ ended by a signal".to_owned(), palette.bad()),
        Status::Failed { kind: FailureKind::CannotRun } => ("– not run".to_owned(), palette.dim()),
        Status::Failed { kind } => (format!("✗ {}", kind.words()), palette.bad()),
        Status::Refused => ("– refused".to_owned(), palette.warn()),
        Status::Stopped => ("– stopped".to_owned(), palette.warn()),
        Status::Unknown => ("? may have run".to_owned(), palette.warn()),
    }
}

/// The last parts of a path, as many as have room.
fn last_of(path: &str, room: usize) -> String {
    if columns(path) <= room {
        return path.to_owned();
    }
    let tails = path.match_indices('/').map(|(at, _)| format!("…{}", &path[at..]));
    tails.into_iter().find(|tail| columns(tail) <= room).unwrap_or_else(|| {
        let name = path.rsplit('/').next().unwrap_or(path);
        shorten(name, room).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::PartEnd;

    fn the_palette() -> Palette {
        Palette::plain()
    }

    fn ran(command: &str, status: Status, background: bool) -> Item {
        Item::of_command(
            &CommandReceipt { command: command.into(), status, background, parts: Vec::new() },
            the_palette(),
        )
    }

    fn text(spans: &[Span<'_>]) -> String {
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn a_path_keeps_its_last_parts_and_a_command_its_first_words() {
        let file = Item::file("crates/tui/src/transcript/cells/files.rs", FileFate::Changed, 3, 0, the_palette());
        assert_eq!(text(&file.words(30)), "…/transcript/cells/files.rs +3");
        assert_eq!(text(&file.words(5)), "file… +3");
        assert_eq!(text(&file.words_within(14)), "…/files.rs +3");
        let command = ran("cargo test --workspace\n", Status::Exited { code: Some(2) }, false);
        assert_eq!(text(&command.words(12)), "cargo test… ✗ exit 2");
        assert_eq!(text(&ran("a\nb\u{1b}", Status::Done, false).words(9)), "a … ✓");
    }

    #[test]
    fn that_a_command_was_left_running_is_told_however_long_it_is() {
        let told = |status| text(&ran("npm run dev -- --port 5173 --host", status, true).words(12));
        assert_eq!(told(Status::Done), "npm run dev… left running");
        assert_eq!(told(Status::Exited { code: Some(1) }), "npm run dev… ✗ exit 1");
    }

    #[test]
    fn what_an_exit_code_hides_stands_beside_it() {
        let part = |words: &str, code| PartEnd { words: words.into(), code };
        let ran = CommandReceipt {
            command: "cargo test | tail".into(),
            status: Status::Exited { code: Some(0) },
            background: false,
            parts: vec![part("cargo test", 101), part("tail", 0)],
        };
        let item = Item::of_command(&ran, the_palette());
        assert!(item.failed);
        assert_eq!(text(&item.words(80)), "cargo test | tail ✗ exit 0, but cargo test: 101 | tail: 0");
        let folder = FolderReceipt { shown_path: ".venv".into(), files: 1_549 };
        assert_eq!(text(&Item::of_folder(&folder).words(80)), "+1,549 in .venv");
        let host = Host { name: "example.org".into(), port: 443 };
        assert_eq!(text(&Item::of_host(&host).words(80)), "example.org:443");
    }

    #[test]
    fn figures_that_say_nothing_are_left_out() {
        let told = |fate, added, removed| text(&Item::file("a\u{1b}", fate, added, removed, the_palette()).words(9));
        assert_eq!(told(FileFate::Changed, 3, 1), "a␛ +3 −1");
        assert_eq!(told(FileFate::Created, 12, 0), "a␛ new +12");
        assert_eq!(told(FileFate::Deleted, 0, 0), "a␛ deleted");
    }
}
