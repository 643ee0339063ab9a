//! Unified diffs, read as replacements.

use super::hunks::Hunk;
use super::known::{Named, Names};

/// Is this a diff that says where it belongs?
pub(super) fn is_diff(lines: &[String]) -> bool {
    let has = |begin: &str| lines.iter().any(|line| line.starts_with(begin));
    (has("--- ") && has("+++ ")) || (has("@@") && (has("+") || has("-")))
}

/// Is it one place of a diff, and nothing else?
pub(super) fn is_bare(lines: &[String]) -> bool {
    let plain = |line: &String| line.is_empty() || line.starts_with([' ', '+', '-']);
    let has = |mark: char| lines.iter().any(|line| line.starts_with(mark));
    lines.iter().all(plain) && has('-') && has('+')
}

/// The places that a diff changes; `None` where a side of one is not plain.
pub(super) fn changes(lines: &[String], names: &Names) -> Option<Vec<Hunk>> {
    let mut reading = Reading { open: is_bare(lines), ..Reading::default() };
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        let heads = line.starts_with("--- ") && lines.get(at + 1).is_some_and(|next| next.starts_with("+++ "));
        if heads {
            reading.close()?;
            reading.head(line, &lines[at + 1], names);
            at += 2;
            continue;
        }
        reading.line(line)?;
        at += 1;
    }
    reading.close()?;
    (!reading.found.is_empty()).then_some(reading.found)
}

#[derive(Default)]
struct Reading<'a> {
    path: Option<Named>,
    is_new: bool,
    open: bool,
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    found: Vec<Hunk>,
}

impl<'a> Reading<'a> {
    fn head(&mut self, from: &str, to: &str, names: &Names) {
        self.is_new = from[4..].trim() == "/dev/null";
        let path = |line: &str| {
            let name = line[4..].split('\t').next().unwrap_or_default().trim();
            let short = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/"));
            short.and_then(|name| names.resolve(name)).or_else(|| names.resolve(name))
        };
        self.path = path(to).or_else(|| path(from));
        self.open = false;
    }

    fn line(&mut self, line: &'a str) -> Option<()> {
        if line.starts_with("@@") {
            self.close()?;
            self.open = true;
            return Some(());
        }
        if !self.open {
            // `diff --git`, `index` and the like stand before the first place.
            let begins = line.starts_with(['+', '-']) && self.path.is_some();
            if !begins {
                return Some(());
            }
            self.open = true;
        }
        match line.as_bytes().first() {
            Some(b'+') => self.new.push(&line[1..]),
            Some(b'-') => self.old.push(&line[1..]),
            Some(b' ') => self.both(&line[1..]),
            None => self.both(""),
            Some(b'\\') => {}
            Some(_) if line.starts_with("diff ") => self.close()?,
            Some(_) => return None,
        }
        Some(())
    }

    fn both(&mut self, line: &'a str) {
        self.old.push(line);
        self.new.push(line);
    }

    /// The place that was read last is complete.
    fn close(&mut self) -> Option<()> {
        self.open = false;
        while self.old.last() == Some(&"") && self.new.last() == Some(&"") {
            self.old.pop();
            self.new.pop();
        }
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        if old.is_empty() && new.is_empty() {
            return Some(());
        }
        // Without anything around it, nobody knows where an addition belongs.
        let has_place = self.is_new || old.iter().any(|line| !line.trim().is_empty());
        if !has_place {
            return None;
        }
        if old != new {
            self.found.push(Hunk { path: self.path.clone(), old: old.join("\n"), new: new.join("\n") });
        }
        Some(())
    }
}
