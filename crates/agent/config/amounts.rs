//! Amounts that a server takes in its own form only: checked where they are written, so that the error names the place
//! and not some request.

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use std::fmt;

/// A smaller window holds not even the question.
const SMALLEST_WINDOW: u64 = 256;

/// What a window can be.
const WINDOW: &str = "a whole number of tokens, at least 256";

/// What a time to stay loaded can be.
const KEEP_ALIVE: &str = "a time like \"10m\" or \"1h30m\", seconds, -1 (for ever) or 0 (not at all)";

/// Servers count in nanoseconds, and no further than this many seconds: 292 years.
const LONGEST_STAY: f64 = 9.2e9;

/// A window as it is written in the environment or as a flag.
pub(crate) fn window(text: &str) -> Result<u64, String> {
    let tokens = text.trim().parse().ok().filter(|tokens| *tokens >= SMALLEST_WINDOW);
    tokens.ok_or_else(|| format!("expected {WINDOW}"))
}

/// `num_ctx` in a file.
pub(super) fn num_ctx<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u64>, D::Error> {
    struct Tokens;
    impl Visitor<'_> for Tokens {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(WINDOW)
        }

        fn visit_i64<E: Error>(self, tokens: i64) -> Result<u64, E> {
            let enough = u64::try_from(tokens).ok().filter(|tokens| *tokens >= SMALLEST_WINDOW);
            enough.ok_or_else(|| E::invalid_value(Unexpected::Signed(tokens), &self))
        }
    }
    value.deserialize_any(Tokens).map(Some)
}

/// `keep_alive` in a file: always, never, or a time as it is written there.
pub(super) fn keep_alive<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    struct Stay;
    impl Visitor<'_> for Stay {
        type Value = String;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(KEEP_ALIVE)
        }

        fn visit_i64<E: Error>(self, seconds: i64) -> Result<String, E> {
            stay(&seconds.to_string()).ok_or_else(|| E::invalid_value(Unexpected::Signed(seconds), &self))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
            stay(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }
    value.deserialize_any(Stay).map(Some)
}

/// The one spelling of what means the same: `-1` for ever, `0` not at all.
fn stay(text: &str) -> Option<String> {
    let text = text.trim();
    let seconds = seconds(text)?;
    if seconds < 0.0 {
        return Some("-1".to_owned());
    }
    if seconds < 1e-9 {
        return Some("0".to_owned());
    }
    (seconds <= LONGEST_STAY).then(|| text.trim_start_matches('+').to_owned())
}

/// Whole seconds, or figures with units as the server's language, Go, reads them.
fn seconds(text: &str) -> Option<f64> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole as f64);
    }
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let of_figure = |c: char| c.is_ascii_digit() || c == '.';
    let mut total = None;
    while !rest.is_empty() {
        let (figure, after) = rest.split_at(rest.find(|c| !of_figure(c))?);
        let (unit, after) = after.split_at(after.find(of_figure).unwrap_or(after.len()));
        let length = match unit {
            "h" => 3_600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" | "μs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        total = Some(total.unwrap_or(0.0) + figure.parse::<f64>().ok()? * length);
        rest = after;
    }
    total.map(|total| sign * total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_to_stay_is_what_the_server_can_read() {
        for text in ["10m", "1h30m", "1.5h", ".5s", "90s", "250ms", "300", "1us1µs1ns"] {
            assert_eq!(stay(text).as_deref(), Some(text));
        }
        for (text, spelled) in
            [("-1", "-1"), ("-10m", "-1"), ("0", "0"), ("0s", "0"), ("0h0m", "0"), ("-0", "0"), (" 10m ", "10m")]
        {
            assert_eq!(stay(text).as_deref(), Some(spelled), "{text}");
        }
        for text in ["soon", "", "-", "m", "10 m", "10m5", "1..5h", ".h", "1d", "1H", "for ever", "9999999h", "1e3"] {
            assert_eq!(stay(text), None, "{text}");
        }
        assert_eq!(stay(&i64::MAX.to_string()), None);
    }
}
