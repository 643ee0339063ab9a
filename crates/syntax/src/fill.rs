//! What an answer means for the file it is for. Pure: two texts in, one out.
//!
//! Small models that are asked for a whole file often send a part of it: only the function that they changed, or the file
//! with `# ... rest of the code ...` where the rest belongs. Such an answer is put in its place, definition by definition
//! as the outlines of both texts have them, or filled up from the file. What cannot be placed without a guess is refused,
//! with words for the model. Neither opens nor writes a file.

mod blanks;
mod choose;
mod elision;
mod imports;
mod leading;
mod likeness;
mod members;
mod merge;
mod pairs;
mod parts;
mod plain;
mod stray;
mod style;
mod vanish;

use crate::Language;
use pairs::Pairs;
use parts::Parsed;
use style::Style;

pub use imports::with_import;
pub use vanish::{Vanishing, vanishing};

/// A text for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// All of the file, with the line ends and the final newline that it has now.
    pub text: String,
    /// How the answer was read.
    pub how: How,
    /// Does its grammar make sense of it? `None` where there is no grammar.
    pub parses: Option<bool>,
}

/// How an answer was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// It is the whole file.
    Whole,
    /// It holds parts of the file.
    Parts {
        /// Names of the definitions that were put in place.
        put: Vec<String>,
        /// Places that were filled from the file: where lines stand for the rest, or where it ends too soon.
        filled: usize,
    },
}

/// Why an answer cannot be made a file of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfillable {
    /// A line stands for other text, and it cannot be told for which.
    Elided {
        /// Which line of the answer, from 1.
        line: usize,
    },
    /// Most of the file would be gone.
    Drops {
        /// So many definitions, or lines, would be left.
        kept: usize,
        of: usize,
        /// Definitions that would be gone.
        names: Vec<String>,
    },
    /// It holds a part of the file, and its grammar cannot make anything of it.
    Broken {
        /// The first line of the answer, from 1, that makes no sense.
        line: usize,
    },
    /// It is no text for this file.
    NotTheFile,
    /// There is nothing in it.
    Empty,
}

/// Names that are told to the model.
const MOST_NAMES: usize = 8;

impl Unfillable {
    /// For the model: what is wrong, and what to send.
    pub fn words(&self, path: &str) -> String {
        match self {
            Unfillable::Elided { line } => format!(
                "line {line} of the text for {path} stands for code that is left out, and it is not clear for which; send \
                 {path} again, whole, with nothing left out"
            ),
            Unfillable::Drops { kept, of, names } if names.is_empty() => format!(
                "the text for {path} has {kept} of its {of} lines; the rest would be lost; send {path} again, whole, with \
                 everything that is to stay"
            ),
            Unfillable::Drops { kept, of, names: missing } => {
                let said = names(missing);
                format!(
                    "the text for {path} has {kept} of its {of} definitions; missing: {said}; send {path} again, whole, \
                     with everything that is to stay"
                )
            }
            Unfillable::Broken { line } => format!(
                "line {line} of the text for {path} makes no sense in its language, and most of the file is missing; send \
                 {path} again, whole and complete"
            ),
            Unfillable::NotTheFile => {
                format!(
                    "the text for {path} does not belong in {path}; send the whole of {path}, or name the right file"
                )
            }
            Unfillable::Empty => format!("the text for {path} is empty; send the whole of {path}"),
        }
    }
}

/// Two texts of one file, in one style, without line ends.
#[derive(Debug)]
struct Pair<'a> {
    path: &'a str,
    language: Option<Language>,
    before: Parsed,
    answer: Parsed,
}

/// Files with fewer definitions are often written anew.
const FEW: usize = 4;

/// What would be lost without a word where `text` takes the place of `before`: code that a line stands for, or nearly all of a
/// file's definitions in a text of less than half its length. For texts that are to be the whole file.
pub fn loss(path: &str, before: &str, text: &str) -> Option<Unfillable> {
    let language = Language::of(path, before);
    let style = Style::of(before);
    let (old, new) = (style::plain(before), style::plain(text));
    if let Some(line) = elision::first(&old, &new, language) {
        return Some(Unfillable::Elided { line });
    }
    let (is, will) = (Parsed::of(path, language, &old), Parsed::of(path, language, &style.fitted(&new)));
    let pairs = Pairs::of(&is, &will);
    let (of, kept) = pairs.counts(&is);
    let is_loss = is.by_tree && of >= FEW && kept * 5 <= of && new.lines().count() * 2 < old.lines().count();
    let names = || pairs.missing(&is).iter().map(|part| part.said()).collect();
    is_loss.then(|| Unfillable::Drops { kept, of, names: names() })
}

/// The first few of these names, and how many more there are.
fn names(all: &[String]) -> String {
    let more = all.len().saturating_sub(MOST_NAMES);
    let named = all.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{named} and {more} more") } else { named }
}

/// What `answer` means for the file `path` that holds `before`.
///
/// # Errors
/// [`Unfillable`] where text would be lost that nobody wants gone, or where it would have to be guessed.
pub fn fill(path: &str, before: &str, answer: &str) -> Result<Filled, Unfillable> {
    let language = Language::of(path, before);
    let whole = |text: String| Filled { parses: parts::parses(language, &text), text, how: How::Whole };
    if answer == before {
        return Ok(whole(before.to_owned()));
    }
    if answer.trim().is_empty() && !before.trim().is_empty() {
        return Err(Unfillable::Empty);
    }
    let style = Style::of(before);
    let (old, new) = (style::plain(before), style.fitted(&style::plain(answer)));
    let (new, filled) = elision::filled(&old, &new, language)?;
    let pair =
        Pair { path, language, before: Parsed::of(path, language, &old), answer: Parsed::of(path, language, &new) };
    let pair = stray::at_home(pair);
    let (text, mut how) = choose::choose(&pair, filled)?;
    if let (How::Whole, 1..) = (&how, filled) {
        how = How::Parts { put: Vec::new(), filled };
    }
    let text = style.restored(&text);
    Ok(Filled { parses: parts::parses(language, &text), text, how })
}
