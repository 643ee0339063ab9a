//! Days as numbers. Day 0 is 1899-12-30, so that day 61 is 1900-03-01 as in other
//! spreadsheets; there is no 1900-02-29 here.

use std::fmt;

/// Day number of 1970-01-01.
const UNIX_DAY: i64 = 25_569;

/// The last day that can be shown: 9999-12-31.
pub const LAST_DAY: i64 = 2_958_465;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    pub year: i32,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
}

impl Date {
    /// The date, if there is such a day.
    pub fn new(year: i32, month: u32, day: u32) -> Option<Date> {
        let fits =
            (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month) && (1..=9999).contains(&year);
        fits.then_some(Date { year, month, day })
    }

    /// Reads `2024-03-01`.
    pub fn parse(text: &str) -> Option<Date> {
        let mut parts = text.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if parts.next().is_some() || year.len() != 4 || month.len() != 2 || day.len() != 2 {
            return None;
        }
        if !(digits(year) && digits(month) && digits(day)) {
            return None;
        }
        Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
    }

    /// The number of the day.
    pub fn serial(self) -> i64 {
        // Years begin in March here, so that the leap day is the last one.
        let year = i64::from(if self.month <= 2 { self.year - 1 } else { self.year });
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month = i64::from((self.month + 9) % 12);
        let day_of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468 + UNIX_DAY
    }

    /// The date of a day's number, if it lies between 1900 and 9999.
    pub fn from_serial(serial: i64) -> Option<Date> {
        if !(0..=LAST_DAY).contains(&serial) {
            return None;
        }
        let days = serial - UNIX_DAY + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u32;
        let month = (if shifted < 10 { shifted + 3 } else { shifted - 9 }) as u32;
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Some(Date { year: year as i32, month, day })
    }

    /// 0 is Monday, 6 is Sunday.
    pub fn weekday(self) -> u32 {
        (self.serial() - 2).rem_euclid(7) as u32
    }

    /// The same day so many months later (or earlier); the last one of a month
    /// that is too short.
    pub fn add_months(self, months: i64) -> Option<Date> {
        let count = i64::from(self.year) * 12 + i64::from(self.month) - 1 + months;
        let year = i32::try_from(count.div_euclid(12)).ok()?;
        let month = count.rem_euclid(12) as u32 + 1;
        Date::new(year, month, self.day.min(days_in_month(year, month)))
    }

    /// The number of the week by ISO 8601: weeks begin on Monday, and the first
    /// one has the year's first Thursday.
    pub fn iso_week(self) -> i64 {
        let thursday = self.serial() - i64::from(self.weekday()) + 3;
        let year = Date::from_serial(thursday).map_or(self.year, |date| date.year);
        let first = Date { year, month: 1, day: 1 }.serial();
        (thursday - first) / 7 + 1
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

pub fn is_leap(year: i32) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

pub fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_agree() {
        for (text, serial) in
            [("1900-03-01", 61), ("1970-01-01", 25_569), ("2000-02-29", 36_585), ("9999-12-31", LAST_DAY)]
        {
            let date = Date::parse(text).unwrap();
            assert_eq!(date.serial(), serial, "{text}");
            assert_eq!(Date::from_serial(serial), Some(date));
        }
        assert_eq!(Date::from_serial(LAST_DAY + 1), None);
    }

    #[test]
    fn only_real_days_are_dates() {
        for text in ["2023-02-29", "2024-13-01", "2024-1-01", "24-01-01", "2024-01-01-01", "2024-00-10"] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn months_can_be_too_short() {
        let date = Date::parse("2024-01-31").unwrap();
        assert_eq!(date.add_months(1).unwrap().to_string(), "2024-02-29");
        assert_eq!(date.add_months(-11).unwrap().to_string(), "2023-02-28");
    }

    #[test]
    fn weeks_by_iso() {
        for (text, week) in [("2021-01-03", 53), ("2021-01-04", 1), ("2024-12-30", 1), ("2026-12-31", 53)] {
            assert_eq!(Date::parse(text).unwrap().iso_week(), week, "{text}");
        }
        assert_eq!(Date::parse("2024-03-01").unwrap().weekday(), 4);
    }
}
