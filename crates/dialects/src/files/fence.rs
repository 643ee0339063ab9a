//! Fences: how they open, what they say, how they close.

use super::endings::is_language;
use super::known::{Named, Names};
use super::line::after_bullet;

/// A fence that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fence {
    mark: u8,
    len: usize,
    /// Bytes of white space, or of a bullet, before it: so much is taken off each line inside.
    pub(super) indent: usize,
    /// What stands behind the marks.
    pub(super) info: String,
}

impl Fence {
    /// The fence that `line` opens.
    pub(super) fn opened_by(line: &str) -> Option<Fence> {
        let line = line.trim_end();
        let inner = after_bullet(line.trim_start());
        let mark = *inner.as_bytes().first()?;
        let len = inner.bytes().take_while(|byte| *byte == mark).count();
        if !matches!(mark, b'`' | b'~') || len < 3 {
            return None;
        }
        let info = inner[len..].trim();
        // Backquotes further on make it inline code.
        if mark == b'`' && info.contains('`') {
            return None;
        }
        Some(Fence { mark, len, indent: line.len() - inner.len(), info: info.to_owned() })
    }

    /// Is `line` made of marks alone, as what closes this fence is?
    pub(super) fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.len && line.bytes().all(|byte| byte == self.mark)
    }

    /// What stands before the mark that closes this fence at the end of a line of code.
    pub(super) fn glued<'a>(&self, line: &'a str) -> Option<&'a str> {
        let line = line.trim_end();
        let code = line.trim_end_matches(self.mark as char);
        let is_long = line.len() - code.len() >= self.len;
        (is_long && !code.trim().is_empty() && !code.contains("```")).then_some(code)
    }

    /// Does `line` open another fence like this one, at the same place? Then this one was never closed.
    pub(super) fn is_followed_by(&self, line: &str) -> bool {
        Fence::opened_by(line).is_some_and(|next| {
            !next.info.is_empty() && next.mark == self.mark && next.len >= self.len && next.indent <= self.indent
        })
    }

    /// A line inside, without the indentation of the fence.
    pub(super) fn dedented<'a>(&self, line: &'a str) -> &'a str {
        let blank = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        &line[blank.min(self.indent)..]
    }

    /// The language that it says, in lower case; empty where it says none.
    pub(super) fn language(&self) -> String {
        let first = self.info.split([' ', '\t', ':', ',', '{']).next().unwrap_or_default();
        let first = first.trim_start_matches('.').to_lowercase();
        if is_language(&first) || (!first.contains('.') && !first.contains('/') && !first.contains('=')) {
            first
        } else {
            String::new()
        }
    }

    /// The file that it names.
    pub(super) fn named(&self, names: &Names) -> Option<Named> {
        let mut words = self.info.split_whitespace();
        let first = words.next()?;
        let glued = first.split_once(':').filter(|(language, _)| is_language(language)).map(|(_, path)| path);
        if let Some(named) = glued.and_then(|path| names.resolve(path)) {
            return Some(named);
        }
        if !is_language(first)
            && let Some(named) = names.resolve(first)
        {
            return Some(named);
        }
        words.find_map(|word| {
            let word = word.trim_start_matches(['#', '/', '{', '[', '(']).trim_end_matches(['}', ']', ')']);
            let value = word.split_once('=').map_or(word, |(_, value)| value);
            names.resolve(value)
        })
    }
}
