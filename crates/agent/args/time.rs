//! Spans of time, as they are said: `90s`, `45m`, `1h30m`.

use std::time::Duration;

/// Reads `45m`, `2h`, `1h30m`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time like 45m, 2h or 1h30m, not {text}");
    let (mut seconds, mut number) = (0_u64, String::new());
    for letter in text.chars() {
        let unit = match letter {
            'h' => 3600,
            'm' => 60,
            's' => 1,
            digit if digit.is_ascii_digit() => {
                number.push(digit);
                continue;
            }
            _ => return Err(wrong()),
        };
        let count: u64 = number.parse().map_err(|_| wrong())?;
        seconds = count.checked_mul(unit).and_then(|more| seconds.checked_add(more)).ok_or_else(wrong)?;
        number.clear();
    }
    if number.is_empty() && seconds > 0 { Ok(Duration::from_secs(seconds)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_whole_numbers_each_with_its_unit() {
        let secs = |text: &str| time(text).map(|time| time.as_secs());
        assert_eq!((secs("45m"), secs("1h30m"), secs("90s")), (Ok(2700), Ok(5400), Ok(90)));
        for wrong in ["", "45", "m", "1x", "0m", "1h30", "99999999999999999999h", "18446744073709551615h"] {
            assert!(secs(wrong).is_err(), "{wrong}");
        }
    }
}
