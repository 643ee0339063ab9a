//! Days, months and weeks. A date is the number of its day, see [`crate::calendar`].

use super::{Answer, Function};
use crate::calendar::{days_in_month, Date};
use crate::error::CellError;
use crate::eval::Arguments;
use crate::value::Value;

#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    Function { name: "DATE", fewest: 3, most: 3, help: "a day from year, month and day", run: date },
    Function { name: "DATEVALUE", fewest: 1, most: 1, help: "a day from a text such as 2024-03-01", run: date_value },
    Function { name: "DAY", fewest: 1, most: 1, help: "the day of the month", run: |a| Ok(Value::Number(f64::from(day(a, 0)?.day))) },
    Function { name: "DAYS", fewest: 2, most: 2, help: "days from the second to the first", run: |a| Ok(Value::Number((day(a, 0)?.serial() - day(a, 1)?.serial()) as f64)) },
    Function { name: "EDATE", fewest: 2, most: 2, help: "the same day some months later", run: |a| months_later(a, false) },
    Function { name: "EOMONTH", fewest: 2, most: 2, help: "the last day of a month some months later", run: |a| months_later(a, true) },
    Function { name: "ISOWEEKNUM", fewest: 1, most: 1, help: "the number of the week", run: |a| Ok(Value::Number(day(a, 0)?.iso_week() as f64)) },
    Function { name: "MONTH", fewest: 1, most: 1, help: "the month, 1 to 12", run: |a| Ok(Value::Number(f64::from(day(a, 0)?.month))) },
    Function { name: "NETWORKDAYS", fewest: 2, most: 3, help: "days from Monday to Friday, both ends included", run: workdays },
    Function { name: "TODAY", fewest: 0, most: 0, help: "the day in the settings", run: today },
    Function { name: "WEEKDAY", fewest: 1, most: 2, help: "the day of the week: 1 is Sunday, or Monday with 2", run: weekday },
    Function { name: "YEAR", fewest: 1, most: 1, help: "the year", run: |a| Ok(Value::Number(f64::from(day(a, 0)?.year))) },
];

/// The date an argument stands for: a number, or a text such as `2024-03-01`.
fn day(arguments: &Arguments, index: usize) -> Result<Date, CellError> {
    match arguments.value(index) {
        Value::Text(text) => Date::parse(text.trim()).ok_or(CellError::Value),
        other => Date::from_serial(other.to_number()?.floor() as i64).ok_or(CellError::Num),
    }
}

fn answer(date: Option<Date>) -> Answer {
    date.map(|date| Value::Number(date.serial() as f64)).ok_or(CellError::Num)
}

/// Months and days beyond their bounds run over: month 13 is January of the next year.
fn date(arguments: &Arguments) -> Answer {
    let (year, month, day) = (arguments.whole(0)?, arguments.whole(1)?, arguments.whole(2)?);
    let year = i32::try_from(year).map_err(|_| CellError::Num)?;
    let first = Date::new(year, 1, 1).and_then(|date| date.add_months(month - 1)).ok_or(CellError::Num)?;
    answer(Date::from_serial(first.serial() + day - 1))
}

fn date_value(arguments: &Arguments) -> Answer {
    Date::parse(arguments.text(0)?.trim()).map(|date| Value::Number(date.serial() as f64)).ok_or(CellError::Value)
}

fn months_later(arguments: &Arguments, to_end: bool) -> Answer {
    let later = day(arguments, 0)?.add_months(arguments.whole(1)?);
    answer(later.map(|date| match to_end {
        true => Date { day: days_in_month(date.year, date.month), ..date },
        false => date,
    }))
}

fn weekday(arguments: &Arguments) -> Answer {
    let weekday = day(arguments, 0)?.weekday();
    match arguments.whole_or(1, 1)? {
        1 => Ok(Value::Number(f64::from((weekday + 1) % 7 + 1))),
        2 => Ok(Value::Number(f64::from(weekday + 1))),
        3 => Ok(Value::Number(f64::from(weekday))),
        _ => Err(CellError::Num),
    }
}

/// The third argument lists days off.
fn workdays(arguments: &Arguments) -> Answer {
    let (first, last) = (day(arguments, 0)?.serial(), day(arguments, 1)?.serial());
    let off = if arguments.count() > 2 { arguments.numbers(2)? } else { Vec::new() };
    let works = |serial: &i64| {
        let weekend = Date::from_serial(*serial).is_some_and(|date| date.weekday() >= 5);
        !weekend && !off.contains(&(*serial as f64))
    };
    let count = (first.min(last)..=first.max(last)).filter(works).count() as f64;
    Ok(Value::Number(if first <= last { count } else { -count }))
}

/// The clock of the machine is not asked: the same sheet has the same values everywhere.
fn today(arguments: &Arguments) -> Answer {
    answer(Some(arguments.settings.today.ok_or(CellError::NotAvailable)?))
}
