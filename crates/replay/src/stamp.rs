//! Points in time the way Go writes them. Reads no clock: the time is handed in.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A calendar date and time of day, in UTC.
struct Civil {
    year: i64,
    month: usize,
    day: i64,
    weekday: usize,
    hour: u64,
    minute: u64,
    second: u64,
    nanosecond: u32,
}

/// Like `2026-11-21T01:35:53.381463301Z`; zeros at the end of the fraction are left out, as Go does.
pub(crate) fn rfc3339(time: SystemTime) -> String {
    let Civil { year, month, day, hour, minute, second, nanosecond, .. } = civil(time);
    let fraction = format!("{nanosecond:09}");
    let fraction = match fraction.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// Like `Sat, 21 Nov 2026 01:40:05 GMT`, for HTTP headers.
pub(crate) fn http_date(time: SystemTime) -> String {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let Civil { year, month, day, weekday, hour, minute, second, .. } = civil(time);
    let (weekday, month) = (DAYS[weekday], MONTHS[month - 1]);
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

fn civil(time: SystemTime) -> Civil {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let (days, seconds) = ((since.as_secs() / 86_400) as i64, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    Civil {
        year,
        month,
        day,
        weekday: ((days + 4) % 7) as usize, // day 0 was a Thursday
        hour: seconds / 3_600,
        minute: seconds / 60 % 60,
        second: seconds % 60,
        nanosecond: since.subsec_nanos(),
    }
}

/// The date of a day counted from 1970-01-01, in years that begin in March so that the leap day comes last.
fn date(days: i64) -> (i64, usize, i64) {
    const DAYS_IN_ERA: i64 = 146_097; // 400 years
    let shifted = days + 719_468; // from 0000-03-01
    let (era, day_of_era) = (shifted / DAYS_IN_ERA, shifted % DAYS_IN_ERA);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month as usize, day)
}

#[cfg(test)]
mod tests {
    use super::*;

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
