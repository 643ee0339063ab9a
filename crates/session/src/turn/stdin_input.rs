//! Text that comes along with what the user says and that others wrote: put below their words, between marks, and cut
//! to what a read may take of the window.

use crate::context::grouped;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::server::Server;
use crate::turn::queue::Waiting;
use agent_protocol::{Message, NoticeLevel, Piped, fenced};

const MARK: &str = "input";

/// Where it comes from where nothing else is said.
const FROM: &str = "standard input";

/// Bytes kept free for the line that says what is missing.
const LINE: usize = 120;

/// What stands for the end of what went on.
const GOES_ON: &str = "[… it goes on; no more of it was read]\n";

/// What the model is told of what waited: the user's words, then what came along with them.
pub(crate) fn with_inputs(waiting: &Waiting, conversation: &Conversation, server: &Server, out: &mut Out) -> Message {
    let room = conversation.room(server);
    let mut told = String::new();
    for input in &waiting.inputs {
        let (text, left_out) = shortened(&input.text, room);
        say_shortened(input, left_out, out);
        let end = if input.cut { GOES_ON } else { "" };
        let gap = if input.cut && !text.ends_with('\n') { "\n" } else { "" };
        told = format!("{}\n\n{}", told.trim_end(), fenced(MARK, from(input), &format!("{text}{gap}{end}")));
    }
    waiting.message(&told)
}

/// Where it comes from, for the model and for the user.
fn from(input: &Piped) -> &str {
    input.from.as_deref().unwrap_or(FROM)
}

/// The user should know what the model does not see.
fn say_shortened(input: &Piped, left_out: usize, out: &mut Out) {
    let (size, from) = (grouped(input.text.len() as u64), from(input));
    let text = match (left_out, input.cut) {
        (0, false) => return,
        (0, true) => format!("{from} went on after {size} bytes; the model is told no more of it"),
        (_, false) => format!(
            "{from} has {size} bytes, more than this window has room for; {} bytes of its middle are left out",
            grouped(left_out as u64)
        ),
        (_, true) => format!(
            "only the first {size} bytes of {from} were read, more than this window has room for; {} bytes \
             from the middle of these are left out",
            grouped(left_out as u64)
        ),
    };
    out.notice(NoticeLevel::Warning, text);
}

/// The beginning and the end of `text` in at most `room` bytes, with a line between that says what is missing; how many
/// bytes that is.
fn shortened(text: &str, room: usize) -> (String, usize) {
    if text.len() <= room {
        return (text.to_owned(), 0);
    }
    let room = room.saturating_sub(LINE);
    let head = &text[..end_of_head(text, room * 2 / 5)];
    let tail = &text[start_of_tail(text, room - room * 2 / 5).max(head.len())..];
    let left_out = text.len() - head.len() - tail.len();
    let line_end = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let line = format!("[… {} bytes left out here: there is no room for them]", grouped(left_out as u64));
    (format!("{head}{line_end}{line}\n{tail}"), left_out)
}

/// Where a beginning of at most `room` bytes ends: after a line, unless that would waste more than half.
fn end_of_head(text: &str, room: usize) -> usize {
    let end = text.floor_char_boundary(room);
    text[..end].rfind('\n').map(|line_end| line_end + 1).filter(|at| *at >= end / 2).unwrap_or(end)
}

/// Where an end of at most `room` bytes starts, by the same rule.
fn start_of_tail(text: &str, room: usize) -> usize {
    let start = text.ceil_char_boundary(text.len().saturating_sub(room));
    let line = text[start..].find('\n').map(|line_end| start + line_end + 1);
    line.filter(|at| *at - start <= (text.len() - start) / 2).unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_input_keeps_its_beginning_and_its_end_and_says_how_much_is_missing() {
        let text: String = (1..=1_000).map(|number| format!("line {number}\n")).collect();
        let (shown, left_out) = shortened(&text, 600);
        assert!(shown.len() <= 600, "{}", shown.len());
        assert!(shown.starts_with("line 1\nline 2\n") && shown.ends_with("line 999\nline 1000\n"), "{shown}");
        assert!(shown.contains(&format!("\n[… {} bytes left out here", grouped(left_out as u64))), "{shown}");
        assert_eq!(
            shown.lines().filter(|line| line.starts_with("line")).map(|l| l.len() + 1).sum::<usize>() + left_out,
            text.len()
        );
        assert_eq!(shortened("short", 600), ("short".to_owned(), 0));
    }

    #[test]
    fn one_line_of_wide_letters_is_cut_between_them() {
        let (shown, left_out) = shortened(&"漢".repeat(1_000), 400);
        assert!(shown.len() <= 400 && shown.starts_with('漢') && shown.ends_with('漢'), "{shown}");
        assert_eq!(shown.matches('漢').count() * 3 + left_out, 3_000);
        assert!(shortened(&"漢".repeat(1_000), 0).1 > 0);
    }
}
