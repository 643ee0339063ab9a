//! What the parser of YAML says.

use saphyr_parser::Parser;

/// What it says that is not about the text itself: a name that another file gives, its own bound on depth.
const OTHER: [&str; 2] = ["unknown anchor", "recursion limit"];

/// The line, from 1, and what is wrong there.
pub(super) fn fault(text: &str) -> Option<(usize, String)> {
    let error = Parser::new_from_str(text).find_map(Result::err)?;
    let why = error.info().to_owned();
    let is_other = OTHER.iter().any(|other| why.contains(other));
    (!is_other).then(|| (error.marker().line().clamp(1, text.lines().count().max(1)), why))
}
