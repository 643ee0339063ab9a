//! The message that stands for the earlier conversation: how it is written, and read again when it is folded into the next.
//!
//! **Invariant.** What is written is read again as it was: the person's words stand in fences that none of their lines
//! closes, and no line of a summary is one of the lines that divide the message.

use super::said::Said;

/// How the message begins.
pub(super) const MARK: &str =
    "(The conversation so far was summarised to make room. This message stands for it; go on from here.)";

/// What stands above the person's words.
const WORDS: &str = "What the person said, word for word:";

/// What ends it.
const END: &str = "(Here the conversation goes on.)";

const LEFT_OUT: [&str; 2] = ["(", " later messages of the person left out here)"];

/// What stands for an earlier conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing<'a> {
    pub(super) summary: &'a str,
    pub(super) said: Said,
    /// What was joined to it: no part of what it stands for.
    pub(super) behind: &'a str,
}

/// Does a message with this text stand for earlier ones?
pub(super) fn stands_for_earlier(content: &str) -> bool {
    content.strip_prefix(MARK).is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
}

impl<'a> Standing<'a> {
    pub(super) fn written(&self) -> String {
        let summary: Vec<&str> = self.summary.trim().lines().filter(|line| !divides(line)).collect();
        let mut text = format!("{MARK}\n\n{}", summary.join("\n"));
        for (at, words) in self.said.words.iter().enumerate() {
            let fence = fence_around(words);
            text.push_str(&if at == 0 { format!("\n\n{WORDS}") } else { String::new() });
            text.push_str(&format!("\n\n{fence}\n{words}\n{fence}"));
            if at == 0 && self.said.left_out > 0 {
                text.push_str(&format!("\n\n{}{}{}", LEFT_OUT[0], self.said.left_out, LEFT_OUT[1]));
            }
        }
        text.push_str(&format!("\n\n{END}"));
        if !self.behind.is_empty() {
            text.push_str("\n\n");
            text.push_str(self.behind);
        }
        text
    }

    /// Reads it again; `None` where `content` is something else.
    pub(super) fn read(content: &'a str) -> Option<Standing<'a>> {
        if !stands_for_earlier(content) {
            return None;
        }
        let body = &content[MARK.len()..];
        let mut lines = Lines { text: body, at: 0 };
        let summary = loop {
            let begin = lines.at;
            match lines.next() {
                Some(line) if divides(line) => {
                    lines.at = begin;
                    break &body[..begin];
                }
                Some(_) => {}
                None => break body,
            }
        };
        let said = read_words(&mut lines);
        let behind = &body[lines.at..];
        Some(Standing { summary: summary.trim(), said, behind: behind.strip_prefix('\n').unwrap_or(behind) })
    }
}

/// Reads all up to the end of what stands for earlier messages.
fn read_words(lines: &mut Lines<'_>) -> Said {
    let mut said = Said::default();
    loop {
        let begin = lines.at;
        let Some(line) = lines.next() else { return said };
        if line == END {
            return said;
        }
        if line.is_empty() || line == WORDS {
            continue;
        }
        let left_out = line.strip_prefix(LEFT_OUT[0]).and_then(|rest| rest.strip_suffix(LEFT_OUT[1]));
        if let Some(count) = left_out.and_then(|count| count.parse::<u64>().ok()) {
            said.left_out = said.left_out.saturating_add(count);
        } else if let Some(words) = lines.fenced(line) {
            said.words.push(words.to_owned());
        } else {
            lines.at = begin;
            return said;
        }
    }
}

fn divides(line: &str) -> bool {
    let line = line.trim();
    line == WORDS || line == END
}

/// A fence that no line of `text` closes.
fn fence_around(text: &str) -> String {
    let ticks = |line: &str| line.len() - line.trim_start_matches('`').len();
    let longest = text.lines().map(|line| ticks(line.trim_start())).max().unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

/// The lines of a text, one after the other.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let line = rest.split('\n').next().unwrap_or(rest);
        self.at = (self.at + line.len() + 1).min(self.text.len());
        Some(line)
    }

    /// What stands in the fence that was just opened.
    fn fenced(&mut self, fence: &str) -> Option<&'a str> {
        if fence.len() < 3 || fence.bytes().any(|byte| byte != b'`') {
            return None;
        }
        let begin = self.at;
        loop {
            let end = self.at;
            if self.next()? == fence {
                return self.text.get(begin..end.saturating_sub(1).max(begin));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing<'a>(summary: &'a str, words: &[&str], left_out: u64, behind: &'a str) -> Standing<'a> {
        let words = words.iter().map(|words| (*words).to_owned()).collect();
        Standing { summary, said: Said { words, left_out }, behind }
    }

    #[test]
    fn it_reads_as_it_is_written() {
        let all = standing("## Goal\nfind it", &["first", "second"], 3, "and now?");
        assert_eq!(
            all.written(),
            format!(
                "{MARK}\n\n## Goal\nfind it\n\n{WORDS}\n\n```\nfirst\n```\n\n(3 later messages of the person left out here)\n\n\
                 ```\nsecond\n```\n\n{END}\n\nand now?"
            )
        );
    }

    #[test]
    fn what_is_written_is_read_again() {
        let tricky = [
            "```\ncode\n```\n",
            "a ````` b\n`````",
            END,
            WORDS,
            "\n\nspaced\r\n",
            "(3 later messages of the person left out here)",
        ];
        for left_out in [0, 7] {
            for behind in ["", "and now?", "\n\nspaced\n", END] {
                let all = standing("## Goal\nfind it", &tricky, left_out, behind);
                assert_eq!(Standing::read(&all.written()), Some(all));
            }
        }
        let bare = standing("", &[], 0, "");
        assert_eq!(Standing::read(&bare.written()), Some(bare));
        assert_eq!(Standing::read("something else"), None);
    }

    #[test]
    fn a_summary_cannot_end_itself() {
        let summary = format!("## Goal\n{END}\n{WORDS}\n```\nnever said\n```");
        let all = standing(&summary, &["said"], 0, "");
        let written = all.written();
        assert_eq!(Standing::read(&written).unwrap().said.words, ["said"]);
    }

    #[test]
    fn what_was_cut_or_joined_by_others_is_read_as_far_as_it_goes() {
        let text = format!("{MARK}\n\n## Goal\nx\n\n{WORDS}\n\n```\nnever ends");
        assert_eq!(Standing::read(&text).unwrap().behind, "```\nnever ends");
        assert_eq!(Standing::read(MARK).unwrap(), standing("", &[], 0, ""));
    }
}
