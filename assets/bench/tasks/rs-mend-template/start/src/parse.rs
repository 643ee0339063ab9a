use crate::fault::Fault;

/// A part of a letter.
#[derive(Debug, PartialEq)]
pub enum Piece {
    Text(String),
    Hole { at: usize, name: String, default: Option<Vec<Piece>> },
}

const OR: &str = "@@OR@@";

pub fn parse(text: &str) -> Result<Vec<Piece>, Fault> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('$') {
        let dollar = at + found;
        if dollar > at {
            pieces.push(Piece::Text(text[at..dollar].to_string()));
        }
        let rest = &text[dollar + 1..];
        if rest.starts_with('$') {
            pieces.push(Piece::Text("$".to_string()));
            at = dollar + 2;
        } else if let Some(inside) = rest.strip_prefix('{') {
            let end = inside.find('}').ok_or_else(|| Fault::new(dollar, "hole is not closed"))?;
            pieces.push(hole(&inside[..end], dollar)?);
            at = dollar + 2 + end + 1;
        } else {
            return Err(Fault::new(dollar, "dollar sign stands alone"));
        }
    }
    if at < text.len() {
        pieces.push(Piece::Text(text[at..].to_string()));
    }
    Ok(pieces)
}

/// Reads what stands between the braces of the hole at `dollar`.
fn hole(inside: &str, dollar: usize) -> Result<Piece, Fault> {
    let (name, default) = match inside.split_once(OR) {
        Some((name, default)) => (name, Some(parse(default)?)),
        None => (inside, None),
    };
    if !is_name(name) {
        return Err(Fault::new(dollar + 2, format!("bad name '{name}'")));
    }
    Ok(Piece::Hole { at: dollar, name: name.to_string(), default })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
