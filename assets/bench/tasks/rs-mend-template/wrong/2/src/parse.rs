use crate::fault::Fault;

/// A part of a letter.
#[derive(Debug, PartialEq)]
pub enum Piece {
    Text(String),
    Hole { at: usize, name: String, default: Option<Vec<Piece>> },
}

const OR: &str = "@@OR@@";

pub fn parse(text: &str) -> Result<Vec<Piece>, Fault> {
    parse_part(text, 0)
}

/// Reads a part of a letter which begins at the byte `base` of the whole.
fn parse_part(text: &str, base: usize) -> Result<Vec<Piece>, Fault> {
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
            let end = closing(inside).ok_or_else(|| Fault::new(base + dollar, "hole is not closed"))?;
            pieces.push(hole(&inside[..end], base + dollar)?);
            at = dollar + 2 + end + 1;
        } else {
            return Err(Fault::new(base + dollar, "dollar sign stands alone"));
        }
    }
    if at < text.len() {
        pieces.push(Piece::Text(text[at..].to_string()));
    }
    Ok(pieces)
}

/// The brace that closes a hole, from what follows its opening one.
fn closing(inside: &str) -> Option<usize> {
    let bytes = inside.as_bytes();
    let mut open = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'$' if bytes.get(at + 1) == Some(&b'{') => {
                open += 1;
                at += 1;
            }
            b'}' if open == 0 => return Some(at),
            b'}' => open -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Reads what stands between the braces of the hole at `dollar`.
fn hole(inside: &str, dollar: usize) -> Result<Piece, Fault> {
    let (name, default) = match inside.split_once(OR) {
        Some((name, default)) => (name, Some(parse_part(default, dollar + 2 + name.len() + OR.len())?)),
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
