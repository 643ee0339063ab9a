//! Patterns of numbers.
//!
//! A pattern has up to three sections with `;` between: for positive numbers, for
//! negative ones, and for zero. In a section, `0` is a digit that is always shown,
//! `#` one that is shown if there is something to show, `.` the decimal mark and `,`
//! asks for groups of thousands. `%` multiplies by a hundred. Other characters,
//! and everything in double quotes, are shown as they are.

use crate::config::Settings;
use crate::functions::round_with;

#[derive(Debug, Clone, PartialEq)]
pub struct NumberPattern {
    positive: Section,
    negative: Option<Section>,
    zero: Option<Section>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Section {
    before: String,
    after: String,
    /// Digits before the decimal mark that are always shown.
    whole: usize,
    /// Digits after it that are always shown, and that may be shown.
    decimals: usize,
    most_decimals: usize,
    grouped: bool,
    percent: bool,
}

impl NumberPattern {
    pub fn parse(pattern: &str) -> Option<NumberPattern> {
        let sections = split_sections(pattern)?;
        let mut sections = sections.iter().map(|section| Section::parse(section));
        let positive = sections.next()??;
        let negative = sections.next();
        let zero = sections.next();
        if sections.next().is_some() || matches!(negative, Some(None)) || matches!(zero, Some(None)) {
            return None;
        }
        Some(NumberPattern { positive, negative: negative.flatten(), zero: zero.flatten() })
    }

    pub fn show(&self, number: f64, settings: &Settings) -> String {
        let rounded = self.positive.rounded(number);
        match (&self.zero, &self.negative) {
            (Some(zero), _) if rounded == 0.0 => zero.show(0.0, settings),
            // The section of negative numbers has its own sign, brackets perhaps.
            (_, Some(negative)) if rounded < 0.0 => negative.show(-number, settings),
            _ if rounded < 0.0 => format!("-{}", self.positive.show(-number, settings)),
            _ => self.positive.show(number.abs(), settings),
        }
    }
}

/// Cuts at each `;` outside of quotes; nothing if a quote is not closed.
fn split_sections(pattern: &str) -> Option<Vec<String>> {
    let mut sections = vec![String::new()];
    let mut quoted = false;
    for character in pattern.chars() {
        quoted ^= character == '"';
        if character == ';' && !quoted {
            sections.push(String::new());
        } else if let Some(section) = sections.last_mut() {
            section.push(character);
        }
    }
    (!quoted).then_some(sections)
}

impl Section {
    fn parse(text: &str) -> Option<Section> {
        let mut section = Section::default();
        let mut quoted = false;
        // 0 before the digits, 1 in them, 2 in the decimals, 3 after them
        let mut part = 0;
        for character in text.chars() {
            match character {
                '"' => quoted = !quoted,
                '0' | '#' if !quoted => {
                    part = part.max(1);
                    if part == 3 {
                        return None;
                    }
                    section.digit(character, part == 2)?;
                }
                ',' if !quoted && part == 1 => section.grouped = true,
                '.' if !quoted && part < 2 => part = 2,
                other => {
                    section.percent |= other == '%' && !quoted;
                    part = if part == 0 { 0 } else { 3 };
                    let side = if part == 0 { &mut section.before } else { &mut section.after };
                    side.push(other);
                }
            }
        }
        (part > 0).then_some(section)
    }

    fn digit(&mut self, character: char, decimal: bool) -> Option<()> {
        let always = character == '0';
        if !decimal {
            if !always && self.whole > 0 {
                return None;
            }
            self.whole += usize::from(always);
            return Some(());
        }
        if always && self.most_decimals > self.decimals {
            return None;
        }
        self.most_decimals += 1;
        self.decimals += usize::from(always);
        (self.most_decimals <= 15).then_some(())
    }

    fn scaled(&self, number: f64) -> f64 {
        if self.percent {
            number * 100.0
        } else {
            number
        }
    }

    fn rounded(&self, number: f64) -> f64 {
        round_with(self.scaled(number), self.most_decimals as i32, f64::round)
    }

    /// A number without sign.
    fn show(&self, number: f64, settings: &Settings) -> String {
        let digits = format!("{:.*}", self.most_decimals, self.rounded(number));
        let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
        let whole = if whole == "0" { "" } else { whole };
        let whole = format!("{whole:0>width$}", width = self.whole);
        let mut fraction = fraction.to_string();
        while fraction.len() > self.decimals && fraction.ends_with('0') {
            fraction.pop();
        }
        let mut shown = self.before.clone();
        shown.push_str(&if self.grouped { grouped(&whole, settings.group) } else { whole });
        if !fraction.is_empty() {
            shown.push(settings.decimal);
            shown.push_str(&fraction);
        }
        shown + &self.after
    }
}

/// Digits in groups of three.
fn grouped(digits: &str, mark: char) -> String {
    let mut shown = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            shown.push(mark);
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(pattern: &str, number: f64) -> String {
        NumberPattern::parse(pattern).unwrap().show(number, &Settings::default())
    }

    #[test]
    fn digits_and_groups() {
        assert_eq!(show("0.00", 1.005), "1.01");
        assert_eq!(show("#,##0", 1234567.4), "1,234,567");
        assert_eq!(show("#,##0.00", -1234.5), "-1,234.50");
        assert_eq!(show("000", 7.0), "007");
        assert_eq!(show("#.##", 0.5), ".5");
        assert_eq!(show("0.0#", 2.0), "2.0");
        assert_eq!(show("0", -0.2), "0");
    }

    #[test]
    fn percent_and_other_characters() {
        assert_eq!(show("0.0%", 0.125), "12.5%");
        assert_eq!(show("$0.00", 3.0), "$3.00");
        assert_eq!(show("0 \"0 pieces\"", 12.0), "12 0 pieces");
    }

    #[test]
    fn sections_by_sign() {
        assert_eq!(show("0.0;(0.0)", -2.0), "(2.0)");
        assert_eq!(show("0;-0;\"none\"0", 0.0), "none0");
        assert_eq!(show("0.0;(0.0)", -0.01), "0.0");
    }

    #[test]
    fn nonsense_is_refused() {
        for pattern in ["0;0;0;0", "0.#0", "\"0", "0x0", "0#"] {
            assert_eq!(NumberPattern::parse(pattern), None, "{pattern}");
        }
    }
}
