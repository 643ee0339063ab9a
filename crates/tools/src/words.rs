//! Small words that results share.

pub(crate) use agent_protocol::fenced;
use agent_protocol::{Failure, FailureKind, Outcome, Status};
use std::io::{self, ErrorKind};

/// `1 line`, `2 lines`.
pub(crate) fn count(number: u64, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ if one.ends_with("ch") => format!("{number} {one}es"),
        _ => format!("{number} {one}s"),
    }
}

/// `412 bytes`, `1.5 KB`, `20.0 GB`.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return count(bytes, "byte");
    }
    let mut size = bytes as f64;
    let mut unit = "";
    for next in ["KB", "MB", "GB", "TB"] {
        if size < 1000.0 {
            break;
        }
        size /= 1000.0;
        unit = next;
    }
    format!("{size:.1} {unit}")
}

/// `text` in at most `most` characters, with a sign where some are missing.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

pub(crate) fn done(told: String, summary: String, detail: String) -> Outcome {
    Outcome {
        status: Status::Done,
        told,
        summary,
        detail,
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    }
}

/// What the system said about the thing called `shown`.
pub(crate) fn system(error: &io::Error, shown: &str) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => Failure::new(FailureKind::NotFound, format!("{shown} does not exist")),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Failure::new(
            FailureKind::PermissionDenied,
            format!("the system does not allow access to {shown} ({error})"),
        ),
        _ => Failure::new(FailureKind::Io, format!("{shown}: {error}")),
    }
}

/// Why the thing called `shown` could not be written; what was there is as it was.
pub(crate) fn unwritten(error: &io::Error, shown: &str) -> Failure {
    let why = match error.kind() {
        ErrorKind::StorageFull => "the disk is full; free some space first".to_owned(),
        ErrorKind::QuotaExceeded => "your share of the disk is used up; free some space first".to_owned(),
        ErrorKind::NotFound => "its folder is gone".to_owned(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => return system(error, shown),
        _ => error.to_string(),
    };
    Failure::new(FailureKind::Io, format!("{shown} was not written, and nothing was changed there: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_sizes_read_well() {
        assert_eq!(
            (count(1, "line"), count(0, "line"), count(2, "match")),
            ("1 line".into(), "0 lines".into(), "2 matches".into())
        );
        for (bytes, words) in [(1, "1 byte"), (999, "999 bytes"), (1500, "1.5 KB"), (20_000_000_000, "20.0 GB")] {
            assert_eq!(size(bytes), words);
        }
    }
}
