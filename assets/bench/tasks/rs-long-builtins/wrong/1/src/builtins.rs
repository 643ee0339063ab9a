//! The functions that can be called in formulas.
//!
//! Every function has a row in `BUILTINS` with the least and the most number of its
//! arguments; `call` looks it up, checks the number and runs it. A function takes
//! its arguments as values and may rely on their number, but not on their kinds.

use crate::value::{Fault, Value};

type Run = fn(&[Value]) -> Result<Value, Fault>;

struct Builtin {
    name: &'static str,
    least: usize,
    most: usize,
    run: Run,
}

/// For functions that take any number of arguments.
const MANY: usize = usize::MAX;

/// The longest text that `REPT` makes.
const LONGEST: usize = @@LONGEST@@;

const fn builtin(name: &'static str, least: usize, most: usize, run: Run) -> Builtin {
    Builtin {
        name,
        least,
        most,
        run,
    }
}

static BUILTINS: &[Builtin] = &[
    // numbers
    builtin("ABS", 1, 1, abs),
    builtin("SIGN", 1, 1, sign),
    builtin("INT", 1, 1, int),
    builtin("TRUNC", 1, 2, trunc),
    builtin("ROUND", 1, 2, round),
    builtin("ROUNDUP", 1, 2, round_up),
    builtin("MROUND", 2, 2, mround),
    builtin("CEILING", 2, 2, ceiling),
    builtin("FLOOR", 2, 2, floor),
    builtin("EVEN", 1, 1, even),
    builtin("ODD", 1, 1, odd),
    builtin("MOD", 2, 2, modulo),
    builtin("QUOTIENT", 2, 2, quotient),
    builtin("POWER", 2, 2, power),
    builtin("SQRT", 1, 1, sqrt),
    builtin("EXP", 1, 1, exp),
    builtin("LN", 1, 1, ln),
    builtin("LOG", 1, 2, log),
    builtin("PI", 0, 0, pi),
    builtin("DEGREES", 1, 1, degrees),
    builtin("RADIANS", 1, 1, radians),
    builtin("FACT", 1, 1, fact),
    builtin("COMBIN", 2, 2, combin),
    builtin("GCD", 1, MANY, gcd),
    builtin("LCM", 1, MANY, lcm),
    // sums and samples
    builtin("SUM", 1, MANY, sum),
    builtin("SUMSQ", 1, MANY, sumsq),
    builtin("SUMPRODUCT", 2, 2, sumproduct),
    builtin("PRODUCT", 1, MANY, product),
    builtin("COUNT", 1, MANY, count),
    builtin("COUNTA", 1, MANY, counta),
    builtin("COUNTBLANK", 1, MANY, countblank),
    builtin("AVERAGE", 1, MANY, average),
    builtin("GEOMEAN", 1, MANY, geomean),
    builtin("MIN", 1, MANY, min),
    builtin("MAX", 1, MANY, max),
    builtin("MEDIAN", 1, MANY, median),
    builtin("MODE", 1, MANY, mode),
    builtin("VAR", 1, MANY, var),
    builtin("STDEV", 1, MANY, stdev),
    builtin("LARGE", 2, 2, large),
    builtin("SMALL", 2, 2, small),
    builtin("RANK", 2, 3, rank),
    // texts
    builtin("LEN", 1, 1, len),
    builtin("LEFT", 1, 2, left),
    builtin("RIGHT", 1, 2, right),
    builtin("MID", 3, 3, mid),
    builtin("UPPER", 1, 1, upper),
    builtin("LOWER", 1, 1, lower),
    builtin("PROPER", 1, 1, proper),
    builtin("TRIM", 1, 1, trim),
    builtin("CLEAN", 1, 1, clean),
    builtin("CONCAT", 1, MANY, concat),
    builtin("TEXTJOIN", 3, MANY, textjoin),
    builtin("REPT", 2, 2, rept),
    builtin("FIND", 2, 3, find),
    builtin("SEARCH", 2, 3, search),
    builtin("REPLACE", 4, 4, replace),
    builtin("@@NAME@@", 3, 4, substitute),
    builtin("EXACT", 2, 2, exact),
    builtin("CHAR", 1, 1, char_of),
    builtin("CODE", 1, 1, code),
    builtin("VALUE", 1, 1, value),
    builtin("FIXED", 1, 2, fixed),
    builtin("BASE", 2, 3, base),
    builtin("DECIMAL", 2, 2, decimal),
    // logic
    builtin("IF", 2, 3, if_then),
    builtin("AND", 1, MANY, and),
    builtin("OR", 1, MANY, or),
    builtin("XOR", 1, MANY, xor),
    builtin("NOT", 1, 1, not),
    builtin("ISBLANK", 1, 1, isblank),
    builtin("ISNUMBER", 1, 1, isnumber),
    builtin("ISTEXT", 1, 1, istext),
    builtin("CHOOSE", 2, MANY, choose),
    builtin("SWITCH", 3, MANY, switch),
    builtin("INDEX", 2, 2, index),
    builtin("MATCH", 2, 3, match_in),
    // dates, as days since 1 January 1970
    builtin("DATE", 3, 3, date),
    builtin("YEAR", 1, 1, year),
    builtin("MONTH", 1, 1, month),
    builtin("DAY", 1, 1, day),
    builtin("WEEKDAY", 1, 2, weekday),
    builtin("DAYS", 2, 2, days),
    builtin("EDATE", 2, 2, edate),
    builtin("EOMONTH", 2, 2, eomonth),
    builtin("NETWORKDAYS", 2, 2, networkdays),
];

/// Calls a function by its name, in upper or lower case.
pub fn call(name: &str, args: &[Value]) -> Result<Value, Fault> {
    let wanted = name.to_ascii_uppercase();
    let builtin = BUILTINS
        .iter()
        .find(|builtin| builtin.name == wanted)
        .ok_or(Fault::Name)?;
    if args.len() < builtin.least || args.len() > builtin.most {
        return Err(Fault::Arguments);
    }
    (builtin.run)(args)
}

/// The names of all functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|builtin| builtin.name)
}

// ---- arguments ----------------------------------------------------------------

/// A number; texts that look like one are taken, too, and nothing is 0.
fn number(value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Number(n) => Ok(*n),
        Value::Bool(b) => Ok(f64::from(u8::from(*b))),
        Value::Blank => Ok(0.0),
        Value::Text(text) => text.trim().parse().map_err(|_| Fault::Value),
        Value::List(_) => Err(Fault::Value),
    }
}

/// The part of a number before the point.
fn whole(value: &Value) -> Result<i64, Fault> {
    let n = number(value)?;
    if n.abs() >= 9e15 {
        return Err(Fault::Number);
    }
    Ok(n.trunc() as i64)
}

/// A whole number that is not below 0, such as a length.
fn length(value: &Value) -> Result<usize, Fault> {
    usize::try_from(whole(value)?).map_err(|_| Fault::Number)
}

/// A whole number from 1 on, such as a place in a text.
fn place(value: &Value) -> Result<usize, Fault> {
    match length(value)? {
        0 => Err(Fault::Number),
        n => Ok(n),
    }
}

fn text(value: &Value) -> Result<String, Fault> {
    match value {
        Value::Text(text) => Ok(text.clone()),
        Value::Number(n) => Ok(n.to_string()),
        Value::Bool(b) => Ok(if *b { "TRUE" } else { "FALSE" }.to_string()),
        Value::Blank => Ok(String::new()),
        Value::List(_) => Err(Fault::Value),
    }
}

fn truth(value: &Value) -> Result<bool, Fault> {
    match value {
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        other => Ok(number(other)? != 0.0),
    }
}

/// All single values, those in lists included.
fn flat(args: &[Value]) -> Vec<&Value> {
    let mut all = Vec::new();
    for arg in args {
        match arg {
            Value::List(items) => all.extend(flat(items)),
            single => all.push(single),
        }
    }
    all
}

/// The numbers among the arguments: in lists, everything else is skipped; what is
/// given directly has to be one.
fn numbers(args: &[Value]) -> Result<Vec<f64>, Fault> {
    let mut all = Vec::new();
    for arg in args {
        match arg {
            Value::List(items) => {
                all.extend(flat(items).into_iter().filter_map(|item| match item {
                    Value::Number(n) => Some(*n),
                    _ => None,
                }))
            }
            single => all.push(number(single)?),
        }
    }
    Ok(all)
}

fn sorted(args: &[Value]) -> Result<Vec<f64>, Fault> {
    let mut all = numbers(args)?;
    all.sort_by(f64::total_cmp);
    Ok(all)
}

/// A result that has to be a number.
fn finite(n: f64) -> Result<Value, Fault> {
    if n.is_finite() {
        Ok(Value::Number(n))
    } else {
        Err(Fault::Number)
    }
}

fn int_value(n: usize) -> Result<Value, Fault> {
    Ok(Value::Number(n as f64))
}

fn text_value(text: impl Into<String>) -> Result<Value, Fault> {
    Ok(Value::Text(text.into()))
}

// ---- numbers ------------------------------------------------------------------

fn abs(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.abs())
}

fn sign(args: &[Value]) -> Result<Value, Fault> {
    let n = number(&args[0])?;
    finite(if n == 0.0 { 0.0 } else { n.signum() })
}

/// The next whole number that is not greater.
fn int(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.floor())
}

/// Ten to the power of the optional number of digits.
fn scale(args: &[Value]) -> Result<f64, Fault> {
    match args.get(1) {
        None => Ok(1.0),
        Some(digits) => Ok(10f64.powi(whole(digits)?.clamp(-20, 20) as i32)),
    }
}

fn trunc(args: &[Value]) -> Result<Value, Fault> {
    let scale = scale(args)?;
    finite((number(&args[0])? * scale).trunc() / scale)
}

/// Halves are rounded away from zero.
fn round(args: &[Value]) -> Result<Value, Fault> {
    let scale = scale(args)?;
    finite((number(&args[0])? * scale).round() / scale)
}

/// Always away from zero.
fn round_up(args: &[Value]) -> Result<Value, Fault> {
    let scale = scale(args)?;
    let n = number(&args[0])? * scale;
    finite(n.abs().ceil().copysign(n) / scale)
}

/// The nearest multiple; both numbers have to have the same sign.
fn mround(args: &[Value]) -> Result<Value, Fault> {
    let (n, step) = (number(&args[0])?, number(&args[1])?);
    if step == 0.0 {
        return finite(0.0);
    }
    if n * step < 0.0 {
        return Err(Fault::Number);
    }
    finite((n / step).round() * step)
}

fn ceiling(args: &[Value]) -> Result<Value, Fault> {
    let (n, step) = (number(&args[0])?, number(&args[1])?.abs());
    if step == 0.0 {
        return finite(0.0);
    }
    finite((n / step).ceil() * step)
}

fn floor(args: &[Value]) -> Result<Value, Fault> {
    let (n, step) = (number(&args[0])?, number(&args[1])?.abs());
    if step == 0.0 {
        return Err(Fault::Division);
    }
    finite((n / step).floor() * step)
}

/// The next even number further away from zero.
fn even(args: &[Value]) -> Result<Value, Fault> {
    let n = number(&args[0])?;
    finite(((n.abs() / 2.0).ceil() * 2.0).copysign(n))
}

fn odd(args: &[Value]) -> Result<Value, Fault> {
    let n = number(&args[0])?;
    let up = (((n.abs() - 1.0) / 2.0).ceil() * 2.0 + 1.0).max(1.0);
    finite(if n < 0.0 { -up } else { up })
}

/// The rest of a division, with the sign of the divisor.
fn modulo(args: &[Value]) -> Result<Value, Fault> {
    let (n, by) = (number(&args[0])?, number(&args[1])?);
    if by == 0.0 {
        return Err(Fault::Division);
    }
    finite(n - by * (n / by).floor())
}

fn quotient(args: &[Value]) -> Result<Value, Fault> {
    let (n, by) = (number(&args[0])?, number(&args[1])?);
    if by == 0.0 {
        return Err(Fault::Division);
    }
    finite((n / by).trunc())
}

fn power(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.powf(number(&args[1])?))
}

fn sqrt(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.sqrt())
}

fn exp(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.exp())
}

fn ln(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.ln())
}

/// To the base of 10 if none is given.
fn log(args: &[Value]) -> Result<Value, Fault> {
    let n = number(&args[0])?;
    match args.get(1) {
        None => finite(n.log10()),
        Some(base) => finite(n.ln() / number(base)?.ln()),
    }
}

fn pi(_: &[Value]) -> Result<Value, Fault> {
    finite(std::f64::consts::PI)
}

fn degrees(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.to_degrees())
}

fn radians(args: &[Value]) -> Result<Value, Fault> {
    finite(number(&args[0])?.to_radians())
}

fn fact(args: &[Value]) -> Result<Value, Fault> {
    let n = length(&args[0])?;
    if n > 170 {
        return Err(Fault::Number);
    }
    finite((1..=n).map(|k| k as f64).product())
}

/// How many ways there are to take some out of many.
fn combin(args: &[Value]) -> Result<Value, Fault> {
    let (n, k) = (length(&args[0])?, length(&args[1])?);
    if k > n {
        return Err(Fault::Number);
    }
    let k = k.min(n - k);
    let mut result = 1.0;
    for i in 0..k {
        result = result * (n - i) as f64 / (i + 1) as f64;
    }
    finite(result.round())
}

fn common(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn gcd(args: &[Value]) -> Result<Value, Fault> {
    let mut result = 0;
    for value in flat(args) {
        result = common(result, length(value)?);
    }
    int_value(result)
}

fn lcm(args: &[Value]) -> Result<Value, Fault> {
    let mut result: usize = 1;
    for value in flat(args) {
        let n = length(value)?;
        if n == 0 {
            return int_value(0);
        }
        result = (result / common(result, n))
            .checked_mul(n)
            .ok_or(Fault::Number)?;
    }
    int_value(result)
}

// ---- sums and samples -----------------------------------------------------------

fn sum(args: &[Value]) -> Result<Value, Fault> {
    finite(numbers(args)?.iter().sum())
}

fn sumsq(args: &[Value]) -> Result<Value, Fault> {
    finite(numbers(args)?.iter().map(|n| n * n).sum())
}

/// The sum of the products of two lists of the same length.
fn sumproduct(args: &[Value]) -> Result<Value, Fault> {
    let (a, b) = (flat(&args[..1]), flat(&args[1..]));
    if a.len() != b.len() {
        return Err(Fault::Value);
    }
    let mut sum = 0.0;
    for (x, y) in a.into_iter().zip(b) {
        if let (Value::Number(x), Value::Number(y)) = (x, y) {
            sum += x * y;
        }
    }
    finite(sum)
}

fn product(args: &[Value]) -> Result<Value, Fault> {
    finite(numbers(args)?.iter().product())
}

/// How many numbers there are.
fn count(args: &[Value]) -> Result<Value, Fault> {
    int_value(
        flat(args)
            .into_iter()
            .filter(|value| matches!(value, Value::Number(_)))
            .count(),
    )
}

/// How many values there are that are not blank.
fn counta(args: &[Value]) -> Result<Value, Fault> {
    int_value(
        flat(args)
            .into_iter()
            .filter(|value| !matches!(value, Value::Blank))
            .count(),
    )
}

fn countblank(args: &[Value]) -> Result<Value, Fault> {
    let blank = |value: &&Value| match value {
        Value::Blank => true,
        Value::Text(text) => text.is_empty(),
        _ => false,
    };
    int_value(flat(args).into_iter().filter(blank).count())
}

fn mean(all: &[f64]) -> Result<f64, Fault> {
    if all.is_empty() {
        return Err(Fault::Division);
    }
    Ok(all.iter().sum::<f64>() / all.len() as f64)
}

fn average(args: &[Value]) -> Result<Value, Fault> {
    finite(mean(&numbers(args)?)?)
}

fn geomean(args: &[Value]) -> Result<Value, Fault> {
    let all = numbers(args)?;
    if all.iter().any(|n| *n <= 0.0) {
        return Err(Fault::Number);
    }
    let logs: Vec<f64> = all.iter().map(|n| n.ln()).collect();
    finite(mean(&logs)?.exp())
}

/// 0 if there are no numbers.
fn min(args: &[Value]) -> Result<Value, Fault> {
    finite(sorted(args)?.first().copied().unwrap_or(0.0))
}

fn max(args: &[Value]) -> Result<Value, Fault> {
    finite(sorted(args)?.last().copied().unwrap_or(0.0))
}

fn median(args: &[Value]) -> Result<Value, Fault> {
    let all = sorted(args)?;
    let half = all.len() / 2;
    match all.len() {
        0 => Err(Fault::Number),
        n if n % 2 == 1 => finite(all[half]),
        _ => finite((all[half - 1] + all[half]) / 2.0),
    }
}

/// The number that occurs most often; the smallest of several.
fn mode(args: &[Value]) -> Result<Value, Fault> {
    let all = sorted(args)?;
    let mut best = None;
    let mut at = 0;
    while at < all.len() {
        let times = all[at..].iter().take_while(|n| **n == all[at]).count();
        if times > best.map_or(1, |(most, _)| most) {
            best = Some((times, all[at]));
        }
        at += times;
    }
    best.map_or(Err(Fault::NotFound), |(_, n)| finite(n))
}

fn variance(args: &[Value]) -> Result<f64, Fault> {
    let all = numbers(args)?;
    if all.len() < 2 {
        return Err(Fault::Division);
    }
    let middle = mean(&all)?;
    let squares: f64 = all.iter().map(|n| (n - middle).powi(2)).sum();
    Ok(squares / (all.len() - 1) as f64)
}

fn var(args: &[Value]) -> Result<Value, Fault> {
    finite(variance(args)?)
}

fn stdev(args: &[Value]) -> Result<Value, Fault> {
    finite(variance(args)?.sqrt())
}

/// The n-th greatest number of a list.
fn large(args: &[Value]) -> Result<Value, Fault> {
    let all = sorted(&args[..1])?;
    let n = place(&args[1])?;
    let at = all.len().checked_sub(n).ok_or(Fault::Number)?;
    finite(all[at])
}

/// The n-th smallest number of a list.
fn small(args: &[Value]) -> Result<Value, Fault> {
    let all = sorted(&args[..1])?;
    let n = place(&args[1])?;
    finite(*all.get(n - 1).ok_or(Fault::Number)?)
}

/// The rank of a number in a list; from the greatest down, or from the smallest
/// up if the third argument is true.
fn rank(args: &[Value]) -> Result<Value, Fault> {
    let n = number(&args[0])?;
    let all = numbers(&args[1..2])?;
    if !all.contains(&n) {
        return Err(Fault::NotFound);
    }
    let up = args.get(2).map_or(Ok(false), truth)?;
    let before = all
        .iter()
        .filter(|other| if up { **other < n } else { **other > n })
        .count();
    int_value(before + 1)
}

// ---- texts --------------------------------------------------------------------

/// In characters, as all lengths and places here.
fn len(args: &[Value]) -> Result<Value, Fault> {
    int_value(text(&args[0])?.chars().count())
}

fn left(args: &[Value]) -> Result<Value, Fault> {
    let count = args.get(1).map_or(Ok(1), length)?;
    text_value(text(&args[0])?.chars().take(count).collect::<String>())
}

fn right(args: &[Value]) -> Result<Value, Fault> {
    let whole = text(&args[0])?;
    let count = args.get(1).map_or(Ok(1), length)?;
    let skipped = whole.chars().count().saturating_sub(count);
    text_value(whole.chars().skip(skipped).collect::<String>())
}

/// Some characters from a place on.
fn mid(args: &[Value]) -> Result<Value, Fault> {
    let (start, count) = (place(&args[1])?, length(&args[2])?);
    text_value(
        text(&args[0])?
            .chars()
            .skip(start - 1)
            .take(count)
            .collect::<String>(),
    )
}

fn upper(args: &[Value]) -> Result<Value, Fault> {
    text_value(text(&args[0])?.to_uppercase())
}

fn lower(args: &[Value]) -> Result<Value, Fault> {
    text_value(text(&args[0])?.to_lowercase())
}

/// The first letter of each word in upper case, the others in lower case.
fn proper(args: &[Value]) -> Result<Value, Fault> {
    let mut result = String::new();
    let mut inside = false;
    for c in text(&args[0])?.chars() {
        if inside {
            result.extend(c.to_lowercase());
        } else {
            result.extend(c.to_uppercase());
        }
        inside = c.is_alphabetic();
    }
    text_value(result)
}

/// Without blanks around, and with single ones between words.
fn trim(args: &[Value]) -> Result<Value, Fault> {
    let whole = text(&args[0])?;
    let words: Vec<&str> = whole.split(' ').filter(|word| !word.is_empty()).collect();
    text_value(words.join(" "))
}

/// Without characters that cannot be printed.
fn clean(args: &[Value]) -> Result<Value, Fault> {
    text_value(
        text(&args[0])?
            .chars()
            .filter(|c| !c.is_control())
            .collect::<String>(),
    )
}

fn concat(args: &[Value]) -> Result<Value, Fault> {
    let mut result = String::new();
    for value in flat(args) {
        result.push_str(&text(value)?);
    }
    text_value(result)
}

/// Joins with a separator; blank values are left out if the second argument is
/// true.
fn textjoin(args: &[Value]) -> Result<Value, Fault> {
    let separator = text(&args[0])?;
    let skip = truth(&args[1])?;
    let mut parts = Vec::new();
    for value in flat(&args[2..]) {
        let part = text(value)?;
        if !(skip && part.is_empty()) {
            parts.push(part);
        }
    }
    text_value(parts.join(&separator))
}

fn rept(args: &[Value]) -> Result<Value, Fault> {
    let (part, times) = (text(&args[0])?, length(&args[1])?);
    if part.len().saturating_mul(times) > LONGEST {
        return Err(Fault::Value);
    }
    text_value(part.repeat(times))
}

/// The place of a text in another one, from a place on.
fn position(inner: &str, outer: &str, from: usize) -> Result<Value, Fault> {
    let outer: Vec<char> = outer.chars().collect();
    let inner: Vec<char> = inner.chars().collect();
    if from > outer.len() + 1 {
        return Err(Fault::Value);
    }
    for at in from - 1..=outer.len() {
        if outer[at..].starts_with(&inner) {
            return int_value(at + 1);
        }
    }
    Err(Fault::Value)
}

fn find(args: &[Value]) -> Result<Value, Fault> {
    let from = args.get(2).map_or(Ok(1), place)?;
    position(&text(&args[0])?, &text(&args[1])?, from)
}

/// Like FIND, but upper and lower case are the same.
fn search(args: &[Value]) -> Result<Value, Fault> {
    let from = args.get(2).map_or(Ok(1), place)?;
    let (inner, outer) = (
        text(&args[0])?.to_lowercase(),
        text(&args[1])?.to_lowercase(),
    );
    position(&inner, &outer, from)
}

/// Puts a text in the place of some characters.
fn replace(args: &[Value]) -> Result<Value, Fault> {
    let whole: Vec<char> = text(&args[0])?.chars().collect();
    let start = (place(&args[1])? - 1).min(whole.len());
    let end = start.saturating_add(length(&args[2])?).min(whole.len());
    let mut result: String = whole[..start].iter().collect();
    result.push_str(&text(&args[3])?);
    result.extend(&whole[end..]);
    text_value(result)
}

/// Puts a text in the place of another one, wherever that occurs, or only where it
/// occurs for the n-th time.
fn substitute(args: &[Value]) -> Result<Value, Fault> {
    let (whole, old, new) = (text(&args[0])?, text(&args[1])?, text(&args[2])?);
    let which = args.get(3).map(place).transpose()?;
    if old.is_empty() {
        return text_value(whole);
    }
    let Some(n) = which else {
        return text_value(whole.replace(&old, &new));
    };
    text_value(whole.replacen(&old, &new, n))
}

fn exact(args: &[Value]) -> Result<Value, Fault> {
    Ok(Value::Bool(text(&args[0])? == text(&args[1])?))
}

fn char_of(args: &[Value]) -> Result<Value, Fault> {
    let code = u32::try_from(whole(&args[0])?).map_err(|_| Fault::Value)?;
    match char::from_u32(code) {
        Some(c) if code > 0 => text_value(c),
        _ => Err(Fault::Value),
    }
}

fn code(args: &[Value]) -> Result<Value, Fault> {
    let first = text(&args[0])?.chars().next().ok_or(Fault::Value)?;
    finite(f64::from(u32::from(first)))
}

/// Reads a number, with `,` between thousands and `%` behind it.
fn value(args: &[Value]) -> Result<Value, Fault> {
    let given = text(&args[0])?.trim().replace(',', "");
    let (digits, scale) = match given.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), 0.01),
        None => (given.as_str(), 1.0),
    };
    let n: f64 = digits.parse().map_err(|_| Fault::Value)?;
    finite(n * scale)
}

/// With two digits behind the point if nothing else is said, and `,` between
/// thousands.
fn fixed(args: &[Value]) -> Result<Value, Fault> {
    let digits = args.get(1).map_or(Ok(2), length)?.min(20);
    let n = number(&args[0])?;
    let shown = format!("{:.digits$}", n.abs());
    let (whole, rest) = shown.split_once('.').unwrap_or((&shown, ""));
    let mut result = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            result.push(',');
        }
        result.push(c);
    }
    if digits > 0 {
        result.push('.');
        result.push_str(rest);
    }
    if n < 0.0 && result.chars().any(|c| c.is_ascii_digit() && c != '0') {
        result.insert(0, '-');
    }
    text_value(result)
}

fn radix(value: &Value) -> Result<u32, Fault> {
    match whole(value)? {
        n @ 2..=36 => Ok(n as u32),
        _ => Err(Fault::Number),
    }
}

/// A number to another base, filled up with zeros to a length.
fn base(args: &[Value]) -> Result<Value, Fault> {
    let (mut n, radix) = (length(&args[0])?, radix(&args[1])?);
    let least = args.get(2).map_or(Ok(1), length)?.min(LONGEST);
    let mut digits = Vec::new();
    while n > 0 || digits.len() < least.max(1) {
        let digit = char::from_digit((n % radix as usize) as u32, radix).unwrap_or('0');
        digits.push(digit.to_ascii_uppercase());
        n /= radix as usize;
    }
    text_value(digits.iter().rev().collect::<String>())
}

fn decimal(args: &[Value]) -> Result<Value, Fault> {
    let radix = radix(&args[1])?;
    let digits = text(&args[0])?;
    let n = i64::from_str_radix(digits.trim(), radix).map_err(|_| Fault::Number)?;
    finite(n as f64)
}

// ---- logic --------------------------------------------------------------------

fn if_then(args: &[Value]) -> Result<Value, Fault> {
    if truth(&args[0])? {
        Ok(args[1].clone())
    } else {
        Ok(args.get(2).cloned().unwrap_or(Value::Bool(false)))
    }
}

fn and(args: &[Value]) -> Result<Value, Fault> {
    let mut result = true;
    for value in flat(args) {
        result &= truth(value)?;
    }
    Ok(Value::Bool(result))
}

fn or(args: &[Value]) -> Result<Value, Fault> {
    let mut result = false;
    for value in flat(args) {
        result |= truth(value)?;
    }
    Ok(Value::Bool(result))
}

/// True if an odd number of the values are.
fn xor(args: &[Value]) -> Result<Value, Fault> {
    let mut result = false;
    for value in flat(args) {
        result ^= truth(value)?;
    }
    Ok(Value::Bool(result))
}

fn not(args: &[Value]) -> Result<Value, Fault> {
    Ok(Value::Bool(!truth(&args[0])?))
}

fn isblank(args: &[Value]) -> Result<Value, Fault> {
    Ok(Value::Bool(matches!(args[0], Value::Blank)))
}

fn isnumber(args: &[Value]) -> Result<Value, Fault> {
    Ok(Value::Bool(matches!(args[0], Value::Number(_))))
}

fn istext(args: &[Value]) -> Result<Value, Fault> {
    Ok(Value::Bool(matches!(args[0], Value::Text(_))))
}

/// The n-th of the other arguments.
fn choose(args: &[Value]) -> Result<Value, Fault> {
    let n = place(&args[0])?;
    args.get(n).cloned().ok_or(Fault::Value)
}

/// The value behind the first case that equals the first argument; a single
/// argument at the end is the value for all others.
fn switch(args: &[Value]) -> Result<Value, Fault> {
    for pair in args[1..].chunks(2) {
        match pair {
            [case, result] if *case == args[0] => return Ok(result.clone()),
            [otherwise] => return Ok(otherwise.clone()),
            _ => {}
        }
    }
    Err(Fault::NotFound)
}

fn index(args: &[Value]) -> Result<Value, Fault> {
    let n = place(&args[1])?;
    flat(&args[..1])
        .get(n - 1)
        .map(|value| (*value).clone())
        .ok_or(Fault::NotFound)
}

/// The place of a value in a list: of the very same one if the third argument is
/// 0, otherwise of the greatest that is not greater, in a list going up.
fn match_in(args: &[Value]) -> Result<Value, Fault> {
    let list = flat(&args[1..2]);
    let exactly = match args.get(2) {
        Some(kind) => whole(kind)? == 0,
        None => false,
    };
    if exactly {
        let at = list
            .iter()
            .position(|value| **value == args[0])
            .ok_or(Fault::NotFound)?;
        return int_value(at + 1);
    }
    let wanted = number(&args[0])?;
    let mut found = None;
    for (at, value) in list.iter().enumerate() {
        if number(value)? <= wanted {
            found = Some(at + 1);
        }
    }
    found.map_or(Err(Fault::NotFound), int_value)
}

// ---- dates --------------------------------------------------------------------

/// Days since 1 January 1970 of a date; months may be any number.
fn to_days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (
        year + (month - 1).div_euclid(12),
        (month - 1).rem_euclid(12) + 1,
    );
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day.
fn from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn date(args: &[Value]) -> Result<Value, Fault> {
    let (year, month, day) = (whole(&args[0])?, whole(&args[1])?, whole(&args[2])?);
    if !(1..=9999).contains(&year) || month.abs() > 100_000 || day.abs() > 1_000_000 {
        return Err(Fault::Number);
    }
    finite(to_days(year, month, day) as f64)
}

fn year(args: &[Value]) -> Result<Value, Fault> {
    finite(from_days(whole(&args[0])?).0 as f64)
}

fn month(args: &[Value]) -> Result<Value, Fault> {
    finite(from_days(whole(&args[0])?).1 as f64)
}

fn day(args: &[Value]) -> Result<Value, Fault> {
    finite(from_days(whole(&args[0])?).2 as f64)
}

/// 1 to 7; from Sunday on, or from Monday on if the second argument is 2.
fn weekday(args: &[Value]) -> Result<Value, Fault> {
    let days = whole(&args[0])?;
    match args.get(1).map_or(Ok(1), whole)? {
        1 => finite(((days + 4).rem_euclid(7) + 1) as f64),
        2 => finite(((days + 3).rem_euclid(7) + 1) as f64),
        _ => Err(Fault::Number),
    }
}

/// From the second date to the first.
fn days(args: &[Value]) -> Result<Value, Fault> {
    finite((whole(&args[0])? - whole(&args[1])?) as f64)
}

/// The last day of a month that lies some months after the one of a date.
fn month_end(date: &Value, months: &Value) -> Result<i64, Fault> {
    let (year, month, _) = from_days(whole(date)?);
    let months = whole(months)?;
    if months.abs() > 100_000 {
        return Err(Fault::Number);
    }
    Ok(to_days(year, month + months + 1, 1) - 1)
}

/// The same day some months later, or the last one of a shorter month.
fn edate(args: &[Value]) -> Result<Value, Fault> {
    let end = month_end(&args[0], &args[1])?;
    let (_, _, day) = from_days(whole(&args[0])?);
    let (_, _, last) = from_days(end);
    finite((end - last + day.min(last)) as f64)
}

fn eomonth(args: &[Value]) -> Result<Value, Fault> {
    finite(month_end(&args[0], &args[1])? as f64)
}

/// How many days from Monday to Friday there are, both ends counted.
fn networkdays(args: &[Value]) -> Result<Value, Fault> {
    let (a, b) = (whole(&args[0])?, whole(&args[1])?);
    let (from, to) = (a.min(b), a.max(b));
    if to - from > 1_000_000 {
        return Err(Fault::Number);
    }
    let count = (from..=to)
        .filter(|day| (day + 3).rem_euclid(7) < 5)
        .count() as f64;
    finite(if a <= b { count } else { -count })
}
