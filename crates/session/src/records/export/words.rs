//! What happened, in short lines.

use super::marks::{code, plain};
use agent_protocol::{
    CommandReceipt, Compaction, FileReceipt, FolderReceipt, Receipt, TurnEndReason, UndoDirection, UndoPart, UndoneFile,
};

const SECONDS_A_DAY: i64 = 86_400;

/// A moment like `2026-11-22T13:45:01Z`, of seconds since 1970.
pub(super) fn date(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(SECONDS_A_DAY), seconds.rem_euclid(SECONDS_A_DAY));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of so many days since 1970, by Howard Hinnant's `civil_from_days`: years begin in March there, so
/// that the odd day of a leap year is the last.
fn civil(days: i64) -> (i64, i64, i64) {
    const DAYS_IN_400_YEARS: i64 = 146_097;
    let days = days.saturating_add(719_468);
    let (era, day) = (days.div_euclid(DAYS_IN_400_YEARS), days.rem_euclid(DAYS_IN_400_YEARS));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + later, month, day_of_month)
}

/// How the conversation was made shorter.
pub(super) fn fitted(how: &Compaction, before: u64, after: u64) -> String {
    let what = match how {
        Compaction::Stubbed { results } => format!("{results} old results became a line each"),
        Compaction::Summarised { messages, .. } => format!("the model summarised {messages} messages"),
        Compaction::Digested { messages, .. } => format!("{messages} messages became a rule-based summary"),
    };
    format!("compacted: {what}, {before} → {after} tokens")
}

/// What a turn really did: a line for that, and one for each thing it did not do although it says so.
pub(super) fn receipt(receipt: &Receipt) -> Vec<String> {
    let part = |word: &str, things: Vec<String>| (!things.is_empty()).then(|| format!("{word} {}", things.join(", ")));
    let parts = [
        part("changed", receipt.files.iter().map(file).collect()),
        part("built", receipt.folders.iter().map(FolderReceipt::words).map(|words| plain(&words)).collect()),
        part("ran", receipt.commands.iter().map(command).collect()),
        part("reached", receipt.hosts.iter().map(|host| plain(&host.to_string())).collect()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let done = (!parts.is_empty()).then(|| parts.join(" · "));
    done.into_iter().chain(receipt.doubts.iter().map(|doubt| format!("not so: {}", plain(doubt)))).collect()
}

fn file(file: &FileReceipt) -> String {
    format!("{}{}", code(&file.shown_path), file.fate_words())
}

fn command(receipt: &CommandReceipt) -> String {
    let parts = plain(&receipt.parts_end_words());
    format!("{} ({}{parts})", code(&receipt.command), receipt.end_words())
}

/// What was taken back, or made again.
pub(super) fn undone(direction: UndoDirection, part: Option<UndoPart>, files: &[UndoneFile]) -> String {
    let verb = match direction {
        UndoDirection::Undo => "undone",
        UndoDirection::Redo => "done again",
    };
    let done: Vec<String> =
        files.iter().filter(|file| file.left.is_none()).map(|file| code(&file.shown_path)).collect();
    let left: Vec<String> = files
        .iter()
        .filter_map(|file| Some(format!("{} ({})", code(&file.shown_path), plain(file.left.as_deref()?))))
        .collect();
    let done = match (done.is_empty(), part) {
        (true, _) => "nothing".to_owned(),
        (false, None) => done.join(", "),
        (false, Some(UndoPart { added, removed })) => format!("a part of {}, +{added} −{removed}", done.join(", ")),
    };
    if left.is_empty() {
        format!("{verb}: {done}")
    } else {
        format!("{verb}: {done}; left as it is: {}", left.join(", "))
    }
}

/// How a turn ended, where it did not just end.
pub(super) fn ended(reason: &TurnEndReason) -> Option<String> {
    let words = match reason {
        TurnEndReason::Done => return None,
        TurnEndReason::Length => "the reply reached the length limit".to_owned(),
        TurnEndReason::Interrupted => "stopped by the user".to_owned(),
        TurnEndReason::StepLimit => "stopped at the step limit".to_owned(),
        TurnEndReason::TimeLimit => "stopped at the time limit".to_owned(),
        TurnEndReason::Repeating => "stopped: the model repeated itself".to_owned(),
        TurnEndReason::Stuck { how } => format!("stopped: the model {}", how.words()),
        TurnEndReason::Full => "the conversation fills the window".to_owned(),
        TurnEndReason::TooSmall { .. } => "the window holds less than the instructions and the tools".to_owned(),
        TurnEndReason::Lost => "the program ended in the middle of this turn".to_owned(),
        TurnEndReason::Broken { trouble } => plain(&trouble.to_string()),
    };
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn a_moment_is_told_in_utc() {
        for (seconds, told) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_795_355_101, "2026-11-22T13:45:01Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(date(seconds), told);
        }
    }
}
