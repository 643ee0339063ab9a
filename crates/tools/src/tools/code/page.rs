//! A result that is written line by line for as long as there is room.

use crate::words;

/// Bytes kept free for closing remarks.
const REMARKS: usize = 400;

/// What is written so far.
pub(super) struct LinePage {
    text: String,
    room: usize,
    full: bool,
}

impl LinePage {
    /// With room for `room` bytes, some of them for remarks.
    pub(super) fn new(room: usize) -> Self {
        LinePage { text: String::new(), room: room.saturating_sub(REMARKS), full: false }
    }

    /// Puts `line` and a line end where there is room; nothing follows once something did not fit.
    pub(super) fn line(&mut self, line: &str) -> bool {
        self.full = self.full || line.len() + 1 > self.room;
        if !self.full {
            self.room -= line.len() + 1;
            self.text.push_str(line);
            self.text.push('\n');
        }
        !self.full
    }

    /// Puts `line` below `heading`, which is taken when it was put: both fit or none does.
    pub(super) fn below(&mut self, heading: &mut Option<String>, line: &str) -> bool {
        match heading {
            None => self.line(line),
            Some(above) => {
                let put = self.line(&format!("{above}\n{line}"));
                if put {
                    *heading = None;
                }
                put
            }
        }
    }

    /// Puts `lines` for as long as there is room; of `all` that there are, how many are left, in words.
    pub(super) fn list(&mut self, lines: impl Iterator<Item = impl AsRef<str>>, all: usize, what: &str) -> String {
        let put = lines.into_iter().take_while(|line| self.line(line.as_ref())).count();
        if put < all { format!("{} {what}", all - put) } else { String::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The whole text with `remarks`, for which room was kept; empty ones are left out.
    pub(super) fn with(self, remarks: &[String]) -> String {
        let remarks = remarks.iter().filter(|remark| !remark.is_empty()).map(|remark| format!("[{remark}]\n"));
        let told = self.text + &remarks.collect::<String>();
        told.trim_end_matches('\n').to_owned() + "\n"
    }
}

/// `text` without blanks around it, in at most `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    words::shortened(text.trim(), most)
}

/// `12-40`, or `12`.
pub(super) fn lines(first: usize, last: usize) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_stands_only_above_what_fits_below_it() {
        let mut page = LinePage::new(REMARKS + 12);
        let mut heading = Some("head".to_owned());
        assert!(page.below(&mut heading, "one") && heading.is_none());
        let mut second = Some("more".to_owned());
        assert!(!page.below(&mut second, "two") && second.is_some());
        assert!(!page.line("a"));
        assert_eq!(page.with(&[String::new(), "cut".to_owned()]), "head\none\n[cut]\n");
    }
}
