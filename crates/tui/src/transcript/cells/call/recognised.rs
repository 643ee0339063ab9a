//! How a call was recognised: the badge beside its title, what was changed of it, and all there is to know among its
//! details. A call that the server sent, and that is carried out as it stands, has nothing of this.

use super::lines::told;
use super::texts::kept;
use crate::clean::{clean_line, clean_text};
use crate::text::width::{shorten, width as columns};
use crate::text::wrap::Break;
use agent_protocol::{FILE_BLOCKS, Origin, Way};
use ratatui::style::Style;
use ratatui::text::Line;

/// Characters of what the model wrote that are shown: more than any call that a local model has the patience for.
const RAW: usize = 256 * 1024;

/// How a call was recognised. Everything in it is clean but what the model wrote.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recognised {
    way: Way,
    dialect: Option<String>,
    repairs: Vec<String>,
    /// What the model wrote; empty where the server read it.
    raw: String,
    /// What was changed of the call.
    pub(super) notes: Vec<String>,
}

impl Recognised {
    pub(super) fn new(origin: &Origin) -> Self {
        Recognised {
            way: origin.way,
            dialect: origin.dialect.as_deref().map(|dialect| clean_line(dialect).into_owned()),
            repairs: lines(&origin.repairs),
            raw: origin.raw.clone(),
            notes: Vec::new(),
        }
    }

    pub(super) fn noted(&mut self, notes: &[String]) {
        self.notes = lines(notes);
    }

    /// Is there nothing to tell?
    pub(crate) fn is_plain(&self) -> bool {
        self.badges().is_empty() && self.raw.is_empty() && self.notes.is_empty()
    }

    /// `from text · hermes · 2 repairs`, and shorter forms of it; none for a call that the server sent.
    fn badges(&self) -> Vec<String> {
        // A call from outside, or of a message, is the user's own: they know.
        let of_nobody_else = matches!(self.way, Way::Program | Way::Outside | Way::Message);
        let is_plain = of_nobody_else || self.dialect.as_deref() == Some(FILE_BLOCKS);
        if is_plain && self.repairs.is_empty() {
            return Vec::new();
        }
        let way = (self.way != Way::Server).then(|| self.way.words().to_owned());
        let repairs = match self.repairs.len() {
            0 => None,
            1 => Some("1 repair".to_owned()),
            many => Some(format!("{many} repairs")),
        };
        let parts: Vec<String> = [way, self.dialect.clone(), repairs].into_iter().flatten().collect();
        (1..=parts.len()).rev().map(|count| parts[..count].join(" · ")).collect()
    }

    pub(crate) fn badge(&self) -> Option<String> {
        self.badges().into_iter().next()
    }

    /// The longest badge that leaves the line one row of `room` columns beside what takes `taken` of it; where even the
    /// shortest does not, the longest for two rows, and at last the shortest.
    pub(super) fn badge_beside(&self, taken: usize, room: usize, two_rows: usize) -> Option<String> {
        let badges = self.badges();
        let fits = |room: usize| badges.iter().find(|badge| taken + columns(badge) + BRACKETS <= room);
        fits(room).or_else(|| fits(two_rows)).or_else(|| badges.last().filter(|_| room >= NARROW)).cloned()
    }

    /// All there is to know, `indent` columns from the edge: by which way it came, what was mended and changed, and what
    /// the model wrote.
    pub(crate) fn lines(&self, indent: usize, width: usize, dim: Style) -> Vec<Line<'static>> {
        let facts = [
            ("recognised", self.sentence().unwrap_or_default(), Break::Words),
            ("repaired", self.repairs.join("\n"), Break::Words),
            ("changed", self.notes.join("\n"), Break::Words),
        ];
        let facts = facts.iter().filter(|(_, words, _)| !words.is_empty());
        let mut lines: Vec<Line<'static>> =
            facts.flat_map(|(name, words, breaks)| told(name, words, *breaks, indent, width, dim)).collect();
        if !self.raw.is_empty() {
            let raw = clean_text(&kept(self.raw.replace("\r\n", "\n"), RAW)).into_owned();
            // Below its name also where it is one line: so it can be told from our words.
            lines.extend(told(
                "the model wrote",
                &format!("{}\n", raw.trim_end_matches('\n')),
                Break::Anywhere,
                indent,
                width,
                dim,
            ));
        }
        lines
    }

    /// The first of what was changed, which weighs most, and how much more there is, in rows of `width` columns.
    pub(crate) fn changes(&self, told: Told, width: usize) -> Vec<String> {
        let row = |note: &String| shorten(note, width).into_owned();
        match (told, self.notes.as_slice()) {
            (_, []) => Vec::new(),
            (Told::One, [first, rest @ ..]) if !rest.is_empty() => {
                let more = format!(", and {} more", rest.len());
                let first = shorten(first, width.saturating_sub(columns(&more)));
                vec![shorten(&format!("{first}{more}"), width).into_owned()]
            }
            (Told::Three, [_, _, _, rest @ ..]) if rest.len() > 1 => {
                let more = format!("and {} more", rest.len());
                self.notes.iter().take(3).chain([&more]).map(row).collect()
            }
            (Told::One | Told::Three, all) => all.iter().map(row).collect(),
        }
    }

    /// Way and dialect in a sentence; nothing where the server sent it and nothing was mended.
    pub(super) fn sentence(&self) -> Option<String> {
        self.badge()?;
        let way = match self.way {
            Way::Server => "as the server sent it",
            Way::Text => "in the text of the reply",
            Way::ServerError => "in the text that the server's error quotes",
            Way::Retry => "when the model was told what went wrong, and wrote it again",
            Way::Constrained => "in a reply held to a JSON schema of the tools",
            Way::Outside => "from outside; no model made it",
            Way::Program => "by the program, so that the model has what it needs",
            Way::Message => "in what you said; no model made it",
        };
        Some(match &self.dialect {
            Some(dialect) => format!("{way}, as {dialect}"),
            None => way.to_owned(),
        })
    }
}

/// How much of what was changed is told; the rest is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// The first, on one row.
    One,
    /// The first three, each on its row, and a fourth where it is the last.
    Three,
}

impl Told {
    /// Rows that so many changes take. Asked for each call whenever the screen is laid out.
    pub(super) fn rows(self, changes: usize) -> usize {
        match self {
            Told::One => changes.min(1),
            Told::Three => changes.min(4),
        }
    }
}

/// Columns of the brackets around a badge, and of the blank before it.
const BRACKETS: usize = 3;

/// With less room than this, the title and the state have all of it.
const NARROW: usize = 24;

fn lines(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| clean_line(line.trim()).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Recognised, Told};
    use agent_protocol::{Origin, Way};

    fn recognised(way: Way, dialect: Option<&str>, repairs: &[&str]) -> Recognised {
        let repairs = repairs.iter().map(|&repair| repair.to_owned()).collect();
        Recognised::new(&Origin { way, dialect: dialect.map(Into::into), raw: String::new(), repairs })
    }

    #[test]
    fn a_call_that_the_server_sent_has_no_badge() {
        let plain = recognised(Way::Server, None, &[]);
        assert!(plain.is_plain() && plain.badge().is_none() && plain.sentence().is_none());
    }

    #[test]
    fn a_badge_tells_the_way_the_dialect_and_the_repairs() {
        let badge = |way, dialect, repairs: &[&str]| recognised(way, dialect, repairs).badge().unwrap();
        assert_eq!(badge(Way::Text, Some("hermes"), &["a", "b"]), "from text · hermes · 2 repairs");
        assert_eq!(
            badge(Way::ServerError, Some("qwen3-coder"), &["a"]),
            "from a server error · qwen3-coder · 1 repair"
        );
        assert_eq!(badge(Way::Retry, None, &[]), "asked again");
        assert_eq!(badge(Way::Constrained, None, &[]), "held to a schema");
        assert_eq!(badge(Way::Server, None, &["a"]), "1 repair");
    }

    #[test]
    fn a_badge_is_shortened_before_the_line_is_broken_and_dropped_last() {
        let call = recognised(Way::Text, Some("hermes"), &["a", "b"]);
        let badge = |taken, room| call.badge_beside(taken, room, 2 * room - 14);
        assert_eq!(badge(20, 60).as_deref(), Some("from text · hermes · 2 repairs"));
        assert_eq!(badge(20, 42).as_deref(), Some("from text · hermes"));
        assert_eq!(badge(20, 32).as_deref(), Some("from text"));
        assert_eq!(badge(26, 37).as_deref(), Some("from text · hermes · 2 repairs"), "on two rows");
        assert_eq!(badge(200, 37).as_deref(), Some("from text"));
        assert_eq!(badge(200, 20), None);
    }

    #[test]
    fn changes_are_counted_where_they_have_no_row_of_their_own() {
        let told = |count: usize, told, width| {
            let mut call = recognised(Way::Text, Some("hermes"), &[]);
            let notes = ["bash is run_command\u{1b}", "two", "three", "four", "five"].map(str::to_owned);
            call.noted(&notes[..count]);
            let changes = call.changes(told, width);
            assert_eq!(changes.len(), told.rows(count));
            changes
        };
        assert_eq!(told(0, Told::Three, 40), [""; 0]);
        assert_eq!(told(3, Told::Three, 40), ["bash is run_command␛", "two", "three"]);
        assert_eq!(told(4, Told::Three, 40), ["bash is run_command␛", "two", "three", "four"]);
        assert_eq!(told(5, Told::Three, 40), ["bash is run_command␛", "two", "three", "and 2 more"]);
        assert_eq!(told(1, Told::One, 40), ["bash is run_command␛"]);
        assert_eq!(told(3, Told::One, 40), ["bash is run_command␛, and 2 more"]);
        assert_eq!(told(3, Told::One, 22), ["bash is r…, and 2 more"]);
    }
}
