//! How a file's lines end and are indented, which an answer is not meant to change.

/// What a file's text looks like apart from what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    mark: bool,
    returns: bool,
    /// Does it end in a line end?
    ends: bool,
    blank: bool,
    indent: Option<Indent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Indent {
    Tabs,
    Spaces(usize),
}

/// Without a byte order mark and carriage returns.
pub(super) fn plain(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n")
}

impl Style {
    pub(super) fn of(text: &str) -> Self {
        let returns = text.matches("\r\n").count();
        Style {
            mark: text.starts_with('\u{feff}'),
            returns: returns * 2 > text.matches('\n').count(),
            ends: text.ends_with('\n'),
            blank: text.trim().is_empty(),
            indent: indent(text),
        }
    }

    /// An answer, indented as the file is.
    pub(super) fn fitted(self, answer: &str) -> String {
        let (Some(own), Some(other)) = (self.indent, indent(answer)) else { return answer.to_owned() };
        match (own, other) {
            (Indent::Tabs, Indent::Spaces(unit)) => lines(answer, |line| tabbed(line, unit)),
            (Indent::Spaces(unit), Indent::Tabs) => lines(answer, |line| spaced(line, unit)),
            (Indent::Tabs, Indent::Tabs) | (Indent::Spaces(_), Indent::Spaces(_)) => answer.to_owned(),
        }
    }

    /// With what [`plain`] took off.
    pub(super) fn restored(self, text: &str) -> String {
        let mut text = text.to_owned();
        if self.blank || self.ends {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        } else {
            text.truncate(text.trim_end_matches('\n').len());
        }
        if self.returns {
            text = text.replace('\n', "\r\n");
        }
        if self.mark {
            text.insert(0, '\u{feff}');
        }
        text
    }
}

fn lines(text: &str, change: impl Fn(&str) -> String) -> String {
    text.split_inclusive('\n').map(change).collect()
}

fn tabbed(line: &str, unit: usize) -> String {
    let blank = line.bytes().take_while(|byte| *byte == b' ').count();
    format!("{}{}{}", "\t".repeat(blank / unit), " ".repeat(blank % unit), &line[blank..])
}

fn spaced(line: &str, unit: usize) -> String {
    let tabs = line.bytes().take_while(|byte| *byte == b'\t').count();
    format!("{}{}", " ".repeat(tabs * unit), &line[tabs..])
}

/// What lines are indented with, where all agree.
fn indent(text: &str) -> Option<Indent> {
    let (mut tabs, mut spaces, mut unit) = (0, 0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let blank = line.bytes().take_while(|byte| *byte == b' ').count();
        match line.as_bytes().first() {
            Some(b'\t') => tabs += 1,
            // A comment's inner lines are indented by one.
            Some(b' ') if blank > 1 => {
                spaces += 1;
                unit = if unit == 0 { blank } else { unit.min(blank) };
            }
            Some(_) | None => {}
        }
    }
    match (tabs, spaces) {
        (1.., 0) => Some(Indent::Tabs),
        (0, 1..) => Some(Indent::Spaces(unit)),
        _ => None,
    }
}
