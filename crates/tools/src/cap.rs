//! Makes long results fit: the beginning and the end stay, cut at line ends, and a line between says what is missing
//! and how to get it. The one place where results are cut for the model's window.

use crate::words;
use agent_protocol::{Action, Outcome};
use agent_sandbox::{Kept, Lost};

/// Bytes of detail that a person can unfold.
const DETAIL: usize = 64 * 1024;
/// Bytes that what a program puts out may take, however large the window is. More of it tells a model little: one that
/// needs the rest searches it in a file.
const OUTPUT: usize = 24 * 1024;

/// Bytes that what comes of `action` may take where one result has this much `room`.
pub(crate) fn room_for(action: &Action, room: usize) -> usize {
    if matches!(action, Action::Run { .. }) { for_output(room) } else { room }
}

/// Bytes that what a program put out may take where one result has this much `room`.
pub(crate) fn for_output(room: usize) -> usize {
    room.min(OUTPUT)
}

/// `outcome` with `told` of at most `room` bytes. `rest` says how to get what was cut.
pub(crate) fn outcome(outcome: Outcome, room: usize, rest: &str) -> Outcome {
    Outcome { told: text(outcome.told, room, rest), detail: detail(outcome.detail), ..outcome }
}

/// `text` in at most `room` bytes.
pub(crate) fn text(text: String, room: usize, rest: &str) -> String {
    if fits(&text, room) {
        return text;
    }
    kept(&Kept { head: text, ..Kept::default() }, room, rest)
}

/// An output of which the middle may be missing already, in at most `room` bytes.
pub(crate) fn kept(kept: &Kept, room: usize, rest: &str) -> String {
    if kept.lost.bytes == 0 && fits(&kept.head, room) {
        return kept.head.clone();
    }
    // The line between must fit too; its figures have at most twenty digits.
    let Some(room) = room.checked_sub(rest.len() + 60) else {
        return kept.head[..kept.head.floor_char_boundary(room)].to_owned();
    };
    let (head, after_head) = kept.head.split_at(end_of_head(&kept.head, room * 2 / 5));
    let whole_tail = if kept.lost.bytes == 0 { after_head } else { &kept.tail };
    let (before_tail, tail) = whole_tail.split_at(start_of_tail(whole_tail, room - room * 2 / 5));
    let mut cut = kept.lost;
    count(&mut cut, before_tail);
    if kept.lost.bytes > 0 {
        count(&mut cut, after_head);
    }
    let line_end = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{line_end}[… {} cut here; {rest}]\n{tail}", in_words(cut))
}

fn detail(detail: String) -> String {
    text(detail, DETAIL, "it is not kept")
}

fn fits(text: &str, room: usize) -> bool {
    text.len() <= room
}

fn count(cut: &mut Lost, text: &str) {
    cut.bytes += text.len() as u64;
    cut.lines += text.bytes().filter(|byte| *byte == b'\n').count() as u64;
}

fn in_words(cut: Lost) -> String {
    match cut.lines {
        0 => words::size(cut.bytes),
        lines => format!("{} ({})", words::count(lines, "line"), words::size(cut.bytes)),
    }
}

/// Where a beginning of at most `room` bytes ends: after a line, unless that would waste more than half.
fn end_of_head(text: &str, room: usize) -> usize {
    let end = text.floor_char_boundary(room);
    match text[..end].rfind('\n') {
        Some(line_end) if line_end + 1 >= end / 2 => line_end + 1,
        _ => end,
    }
}

/// Where an end of at most `room` bytes starts, by the same rule.
fn start_of_tail(text: &str, room: usize) -> usize {
    let start = text.ceil_char_boundary(text.len().saturating_sub(room));
    if start == 0 {
        return 0;
    }
    match text[start..].find('\n') {
        Some(line_end) if line_end < (text.len() - start) / 2 => start + line_end + 1,
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(lines: u32) -> String {
        (1..=lines).map(|number| format!("line {number}\n")).collect()
    }

    #[test]
    fn what_fits_stays() {
        assert_eq!(text("é".repeat(10), 20, "ask"), "é".repeat(10));
    }

    #[test]
    fn both_ends_stay_and_the_gap_is_counted() {
        let capped = text(numbered(100), 150, "ask for less");
        assert_eq!(
            capped,
            "line 1\nline 2\nline 3\nline 4\n[… 91 lines (723 bytes) cut here; ask for less]\nline 96\nline 97\nline 98\nline 99\nline 100\n"
        );
    }

    #[test]
    fn nothing_is_ever_longer_than_its_room() {
        for text_in in [numbered(500), "x".repeat(5000), "é→🦀\n".repeat(900), "\n".repeat(4000)] {
            let lost = Lost { bytes: u64::MAX / 2, lines: u64::MAX / 2 };
            let cut = Kept { head: text_in.clone(), lost, tail: text_in.clone() };
            for room in [0, 1, 40, 100, 333, 1000, 2999] {
                for capped in [text(text_in.clone(), room, "ask for less"), kept(&cut, room, "ask for less")] {
                    assert!(capped.len() <= room, "{} > {room}", capped.len());
                }
            }
        }
    }

    #[test]
    fn one_endless_line_keeps_its_ends() {
        let capped = text(format!("a{}z", "x".repeat(5000)), 200, "ask");
        assert!(capped.starts_with("axx") && capped.ends_with("xxz"), "{capped}");
        assert!(capped.contains("KB cut here; ask]\n"), "{capped}");
    }

    #[test]
    fn what_was_lost_before_is_counted_too() {
        let lost = Lost { bytes: 1_000_000, lines: 50_000 };
        let capped = kept(&Kept { head: numbered(2), lost, tail: numbered(2) }, 1000, "ask");
        assert_eq!(capped, "line 1\nline 2\n[… 50000 lines (1.0 MB) cut here; ask]\nline 1\nline 2\n");
    }

    #[test]
    fn detail_is_bounded_in_bytes() {
        assert!(detail("→".repeat(100_000)).len() <= DETAIL);
        assert!(detail("x".repeat(100_000)).len() <= DETAIL);
    }
}
