use crate::reading::Reading;

/// The readings of a book. Empty lines and those that begin with `#` are skipped.
pub fn book(text: &str) -> Result<Vec<Reading>, String> {
    let mut readings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let reading = reading(line).map_err(|fault| format!("line {}: {fault}", index + 1))?;
        readings.push(reading);
    }
    Ok(readings)
}

fn reading(line: &str) -> Result<Reading, String> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    match columns[..] {
        [place, day, value] => Ok(Reading::new(place, parse_day(day)?, parse_value(value)?, false)),
        [place, day, value, "@@MARK@@"] => Ok(Reading::new(place, parse_day(day)?, parse_value(value)?, true)),
        [_, _, _, mark] => Err(format!("unknown mark '{mark}'")),
        _ => Err(format!("{} columns instead of 3 or 4", columns.len())),
    }
}

fn parse_day(word: &str) -> Result<u16, String> {
    match word.parse() {
        Ok(day) if (1..=366).contains(&day) => Ok(day),
        _ => Err(format!("'{word}' is no day")),
    }
}

fn parse_value(word: &str) -> Result<i64, String> {
    let fault = || format!("'{word}' is no value");
    let (whole, rest) = word.split_once('.').ok_or_else(fault)?;
    if rest.len() != 2 {
        return Err(fault());
    }
    let whole: u32 = whole.parse().map_err(|_| fault())?;
    let rest: u32 = rest.parse().map_err(|_| fault())?;
    Ok(i64::from(whole) * 100 + i64::from(rest))
}
