//! Points in time the way Go writes them. Reads no clock: the time is handed in.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use std::time::SystemTime;

/// Like `2026-11-21T01:35:53.381463301Z`; zeros at the end of the fraction are left out, as Go does.
pub(crate) fn rfc3339(time: SystemTime) -> String {
    stamp(time).to_string()
}

/// Like `Sat, 21 Nov 2026 01:40:05 GMT`, for HTTP headers.
pub(crate) fn http_date(time: SystemTime) -> String {
    DateTimePrinter::new().timestamp_to_rfc9110_string(&stamp(time)).unwrap_or_default()
}

/// Years that no calendar has are told as 1970.
fn stamp(time: SystemTime) -> Timestamp {
    Timestamp::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    fn at(seconds: u64, nanoseconds: u32) -> SystemTime {
        UNIX_EPOCH + Duration::new(seconds, nanoseconds)
    }

    #[test]
    fn times_are_written_as_go_does() {
        assert_eq!(rfc3339(at(0, 0)), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(at(1_795_224_953, 381_463_301)), "2026-11-21T01:35:53.381463301Z");
        assert_eq!(rfc3339(at(1_709_164_800, 120_000_000)), "2024-02-29T00:00:00.12Z");
        assert_eq!(http_date(at(1_795_225_205, 7)), "Sat, 21 Nov 2026 01:40:05 GMT");
        assert_eq!(http_date(at(951_782_400, 0)), "Tue, 29 Feb 2000 00:00:00 GMT");
    }
}
