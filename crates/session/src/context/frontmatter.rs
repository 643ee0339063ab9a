//! Reads the head of a Markdown file: `key: value` lines between two lines of three dashes, as skills and agents have
//! them.
//!
//! The part of YAML that people write there: plain, quoted, folded and kept values, and flat lists. Not a reader of YAML:
//! what lies deeper than a list is read as text.

use std::fmt::{self, Display, Formatter};

/// The head of a file, taken apart, and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter<'a> {
    fields: Vec<HeadField>,
    /// What stands below the head.
    pub body: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct HeadField {
    key: String,
    value: String,
    line: usize,
}

/// Why a head cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatterFault {
    /// The line, counted from 1.
    pub line: usize,
    /// What is the matter with it.
    pub words: String,
}

impl Display for FrontMatterFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.words)
    }
}

impl FrontMatter<'_> {
    /// The value of `key`, if it is there and not empty. Of a list: its items, with commas between them.
    pub fn get(&self, key: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.key.eq_ignore_ascii_case(key))?;
        (!field.value.is_empty()).then_some(field.value.as_str())
    }

    /// The items of a list: what stands between commas, in brackets or not, or one to a line.
    pub fn list(&self, key: &str) -> Vec<&str> {
        let value = self.get(key).unwrap_or_default();
        let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value);
        let items = inner.split(',').map(|item| item.trim().trim_matches(['"', '\'']));
        items.filter(|item| !item.is_empty()).collect()
    }

    /// The line `key` stands on, counted from 1.
    pub fn line(&self, key: &str) -> Option<usize> {
        self.fields.iter().find(|field| field.key.eq_ignore_ascii_case(key)).map(|field| field.line)
    }

    /// All keys, as they were written.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.key.as_str())
    }
}

/// Reads the head of `text`. A text that does not begin with a line of three dashes has none: all of it is body.
///
/// # Errors
/// The head has no end, or a line of it is no `key: value`.
pub fn front_matter(text: &str) -> Result<FrontMatter<'_>, FrontMatterFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = HeadLines { rest: text, number: 0 };
    if lines.next().is_none_or(|(_, line)| line.trim_end() != "---") {
        return Ok(FrontMatter { fields: Vec::new(), body: text });
    }
    let mut head = Vec::new();
    while let Some((number, line)) = lines.next() {
        if matches!(line.trim_end(), "---" | "...") {
            return Ok(FrontMatter { fields: fields(&head)?, body: lines.rest });
        }
        head.push((number, line));
    }
    Err(fault(1, "the head has no end; close it with a line of three dashes"))
}

fn fault(line: usize, words: impl Into<String>) -> FrontMatterFault {
    FrontMatterFault { line, words: words.into() }
}

/// The lines of a text with their numbers, and what is left of it.
struct HeadLines<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> Iterator for HeadLines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.number += 1;
        Some((self.number, line.trim_end_matches('\r')))
    }
}

fn fields(head: &[(usize, &str)]) -> Result<Vec<HeadField>, FrontMatterFault> {
    let mut fields: Vec<HeadField> = Vec::new();
    let mut at = 0;
    while let Some(&(line, text)) = head.get(at) {
        at += 1;
        if is_idle(text) {
            continue;
        }
        let (key, first) = key_of(text).ok_or_else(|| fault(line, "this is no `key: value`"))?;
        let more = head[at..].iter().take_while(|(_, text)| belongs(text)).count();
        let below: Vec<&str> = head[at..at + more].iter().map(|(_, text)| *text).collect();
        at += more;
        if fields.iter().any(|field| field.key.eq_ignore_ascii_case(key)) {
            return Err(fault(line, format!("`{key}` is said twice")));
        }
        let value = parse_value(first, &below).map_err(|words| fault(line, format!("`{key}` {words}")))?;
        fields.push(HeadField { key: key.to_owned(), value, line });
    }
    Ok(fields)
}

/// Says the line nothing?
fn is_idle(text: &str) -> bool {
    let text = text.trim_start();
    text.is_empty() || text.starts_with('#')
}

/// Does the line go on with the value above it?
fn belongs(text: &str) -> bool {
    text.trim().is_empty() || text.starts_with([' ', '\t']) || text == "-" || text.starts_with("- ")
}

fn key_of(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let plain =
        !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.'));
    (plain && (value.is_empty() || value.starts_with([' ', '\t']))).then_some((key, value.trim()))
}

#[cfg(test)]
mod tests;

/// The value. `Err`: what is the matter with it, to be said after the key.
fn parse_value(first: &str, below: &[&str]) -> Result<String, String> {
    match first.chars().next() {
        Some(style @ ('|' | '>')) if is_block(first) => Ok(block(style, below)),
        Some(quote @ ('"' | '\'')) => quoted(quote, first, below),
        Some('[') => Ok(flowing(first, below)),
        Some(_) => Ok(flowing(without_comment(first), below)),
        None => Ok(listed(below).unwrap_or_else(|| flowing("", below))),
    }
}

/// `|` or `>`, with the marks that say what becomes of the last line's end.
fn is_block(first: &str) -> bool {
    without_comment(first)[1..].chars().all(|mark| mark.is_ascii_digit() || matches!(mark, '+' | '-'))
}

/// Lines below a key, kept as they are (`|`) or run together (`>`), where an empty line begins a new one.
fn block(style: char, below: &[&str]) -> String {
    let full = below.iter().filter(|line| !line.trim().is_empty());
    let indent = full.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let lines: Vec<&str> = below.iter().map(|line| line.get(indent..).unwrap_or("").trim_end()).collect();
    let text = if style == '|' {
        lines.join("\n")
    } else {
        let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
        paragraphs.map(|lines| lines.join(" ")).collect::<Vec<_>>().join("\n")
    };
    text.trim_matches('\n').to_owned()
}

/// A value that goes on below: its lines run together.
fn flowing(first: &str, below: &[&str]) -> String {
    let lines = std::iter::once(first).chain(below.iter().map(|line| without_comment(line)));
    lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The items of a list, one to a line, with commas between them; `None` where this is no list.
fn listed(below: &[&str]) -> Option<String> {
    let lines = below.iter().map(|line| without_comment(line).trim()).filter(|line| !line.is_empty());
    let items: Option<Vec<&str>> = lines
        .map(|line| {
            let item = line.strip_prefix('-').filter(|rest| rest.is_empty() || rest.starts_with(' '))?.trim();
            Some(item.trim_matches(['"', '\'']))
        })
        .collect();
    items.filter(|items| !items.is_empty()).map(|items| items.join(", "))
}

/// A text in quotes, over as many lines as it takes.
fn quoted(quote: char, first: &str, below: &[&str]) -> Result<String, String> {
    let text = flowing_as_is(first, below);
    let mut value = String::new();
    let mut letters = text[1..].chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quote == '"' => value.push(escaped(letters.next())?),
            '\'' if quote == '\'' && letters.next_if_eq(&'\'').is_some() => value.push('\''),
            letter if letter == quote => {
                let rest: String = letters.collect();
                return match without_comment(&rest).trim() {
                    "" => Ok(value),
                    _ => Err("goes on after its closing quote".into()),
                };
            }
            letter => value.push(letter),
        }
    }
    Err("has no closing quote".into())
}

fn flowing_as_is(first: &str, below: &[&str]) -> String {
    let lines = std::iter::once(&first).chain(below).map(|line| line.trim()).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

fn escaped(letter: Option<char>) -> Result<char, String> {
    match letter {
        Some('n') => Ok('\n'),
        Some('t') => Ok('\t'),
        Some(same @ ('"' | '\\' | '/' | ' ')) => Ok(same),
        Some(other) => Err(format!("has an escape nobody knows here: \\{other}")),
        None => Err("has no closing quote".into()),
    }
}

/// The line up to a `#` with room before it.
fn without_comment(line: &str) -> &str {
    let starts = line.match_indices('#').map(|(at, _)| at);
    let comment = starts.into_iter().find(|&at| at == 0 || line[..at].ends_with([' ', '\t']));
    line[..comment.unwrap_or(line.len())].trim_end()
}
