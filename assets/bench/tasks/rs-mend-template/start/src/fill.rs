use std::collections::BTreeMap;

use crate::fault::Fault;
use crate::parse::Piece;

/// Writes the pieces with their values to `out`.
pub fn fill(pieces: &[Piece], values: &BTreeMap<&str, &str>, out: &mut String) -> Result<(), Fault> {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Hole { at, name, default } => match (values.get(name.as_str()), default) {
                (Some(value), _) => out.push_str(value),
                (None, Some(default)) => fill(default, values, out)?,
                (None, None) => return Err(Fault::new(*at, format!("no value for '{name}'"))),
            },
        }
    }
    Ok(())
}
