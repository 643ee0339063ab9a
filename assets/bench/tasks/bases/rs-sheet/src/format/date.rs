//! Patterns of dates: `yyyy`, `yy`, `m`, `mm`, `mmm`, `mmmm`, `d`, `dd`, `ddd`, `dddd`,
//! and anything that is no letter between them.

use crate::calendar::{Date, MONTHS, WEEKDAYS};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatePattern {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Year,
    ShortYear,
    Month { padded: bool },
    MonthName { short: bool },
    Day { padded: bool },
    WeekdayName { short: bool },
    Other(char),
}

impl DatePattern {
    pub fn parse(pattern: &str) -> Option<DatePattern> {
        let mut parts = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            let length = rest.chars().take_while(|c| *c == first).map(char::len_utf8).sum();
            let (run, after) = rest.split_at(length);
            if first.is_alphabetic() {
                parts.push(letters(run)?);
            } else {
                parts.extend(run.chars().map(Part::Other));
            }
            rest = after;
        }
        let any = parts.iter().any(|part| !matches!(part, Part::Other(_)));
        any.then_some(DatePattern { parts })
    }

    /// The date of a day's number; nothing if there is none.
    pub fn show(&self, serial: f64) -> Option<String> {
        let date = Date::from_serial(serial.floor() as i64)?;
        let mut shown = String::new();
        for part in &self.parts {
            match part {
                Part::Year => shown.push_str(&format!("{:04}", date.year)),
                Part::ShortYear => shown.push_str(&format!("{:02}", date.year % 100)),
                Part::Month { padded: true } => shown.push_str(&format!("{:02}", date.month)),
                Part::Month { padded: false } => shown.push_str(&date.month.to_string()),
                Part::MonthName { short } => shown.push_str(name(MONTHS[date.month as usize - 1], *short)),
                Part::Day { padded: true } => shown.push_str(&format!("{:02}", date.day)),
                Part::Day { padded: false } => shown.push_str(&date.day.to_string()),
                Part::WeekdayName { short } => shown.push_str(name(WEEKDAYS[date.weekday() as usize], *short)),
                Part::Other(character) => shown.push(*character),
            }
        }
        Some(shown)
    }
}

fn letters(run: &str) -> Option<Part> {
    Some(match run {
        "yyyy" => Part::Year,
        "yy" => Part::ShortYear,
        "m" => Part::Month { padded: false },
        "mm" => Part::Month { padded: true },
        "mmm" => Part::MonthName { short: true },
        "mmmm" => Part::MonthName { short: false },
        "d" => Part::Day { padded: false },
        "dd" => Part::Day { padded: true },
        "ddd" => Part::WeekdayName { short: true },
        "dddd" => Part::WeekdayName { short: false },
        _ => return None,
    })
}

fn name(full: &str, short: bool) -> &str {
    if short {
        &full[..3]
    } else {
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_dates() {
        let show = |pattern: &str| DatePattern::parse(pattern).unwrap().show(45352.7).unwrap();
        assert_eq!(show("yyyy-mm-dd"), "2024-03-01");
        assert_eq!(show("d mmm yy"), "1 Mar 24");
        assert_eq!(show("dddd, d. mmmm"), "Friday, 1. March");
    }

    #[test]
    fn other_letters_are_refused() {
        for pattern in ["hh:mm", "yyy", "--", "dd of mm", ""] {
            assert_eq!(DatePattern::parse(pattern), None, "{pattern}");
        }
    }
}
