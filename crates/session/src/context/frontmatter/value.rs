//! What one key of a head says: what stands behind its colon, and the lines below that belong to it.

/// The value. `Err`: what is the matter with it, to be said after the key.
pub(super) fn parse_value(first: &str, below: &[&str]) -> Result<String, String> {
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
