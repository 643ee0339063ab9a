//! The sentences of an answer that it says itself: no code, no quotation, no table, no question, no list of what is planned.

use super::names::file_name;
use crate::turn::patterns::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Bytes of a line that can be prose. What is longer is data, and reading it closely would take its time.
const LONGEST_LINE: usize = 3_000;

/// A heading, or a line that ends in a colon, of a list of what is not done yet or was done by others.
static PLANNED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(should|would|could|will|plan|planned|propose[ds]?|suggest(ed|ions?)?|recommend(ed)?|needs?|can|might|example|todo|history|changelog|commit|let's)\b|'ll\b",
    )
});

/// Something was taken back, or made only for a while.
static TAKEN_BACK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"revert|undid|undone|restored|rolled back|temporar|put (it )?back|(removed|deleted) (it|them)|cleaned up|back to (its|how)",
    )
});

/// It is left to the user to do it.
static PROPOSED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"you (can|could|should|will|need|may|might) |you'll|(would|could) look|apply th|copy |paste|suggest|propos|recommend",
    )
});

static MARKS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\d+[.)]|[^\w`‹(]|_)+"));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#""[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」"#));
static SENTENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r".+?([.!?;]+(\s+|$)|[。！？；]|$)"));

/// A sentence in which each name of a file is a sign: `I've updated ‹0›`.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// The names behind the signs.
    files: Vec<String>,
    /// It stands first on its line.
    pub(super) begins_line: bool,
}

impl Sentence {
    /// The files whose signs stand in this part of it.
    pub(super) fn files_in(&self, part: &str) -> Vec<String> {
        let signs = self.files.iter().enumerate();
        signs.filter(|(at, _)| part.contains(&format!("‹{at}›"))).map(|(_, file)| file.clone()).collect()
    }
}

/// An answer as far as it speaks.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) sentences: Vec<Sentence>,
    /// It shows code of more than a line.
    pub(super) shows_code: bool,
    /// It says that something was taken back again.
    pub(super) takes_back: bool,
    /// It leaves something to the user to do.
    pub(super) proposes: bool,
}

impl Answer {
    pub(super) fn parse(text: &str) -> Self {
        let text = text.replace('’', "'");
        let (takes_back, proposes) = (TAKEN_BACK.is_match(&text), PROPOSED.is_match(&text));
        let mut answer = Answer { takes_back, proposes, ..Answer::default() };
        let (mut fence, mut planned) = (None, false);
        for line in text.lines().map(str::trim) {
            let opens = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
            if opens.is_some() && (fence.is_none() || fence == opens) {
                answer.shows_code = true;
                fence = if fence.is_none() { opens } else { None };
            } else if fence.is_none() && !line.starts_with(['>', '|']) && (1..LONGEST_LINE).contains(&line.len()) {
                let listed = line.starts_with(['-', '*', '+', '•', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
                let heads = line.starts_with(['#']) || line.starts_with("**") || line.ends_with(':');
                planned = if listed { planned } else { heads && PLANNED.is_match(line) };
                if !(listed && planned) {
                    answer.sentences.extend(sentences(line));
                }
            }
        }
        answer
    }
}

/// The sentences of a line that are no questions.
fn sentences(line: &str) -> Vec<Sentence> {
    let line = QUOTED.replace_all(line, " … ");
    let (line, files) = with_signs(&MARKS.replace(&line, ""));
    let stated = |text: &&str| !text.trim_end().ends_with(['?', '？']);
    let texts = SENTENCE.find_iter(&line).map(|found| found.as_str()).enumerate();
    texts
        .filter(|(_, text)| stated(text))
        .map(|(at, text)| Sentence {
            text: text.trim_matches(|c: char| c.is_whitespace() || ".!;。！；".contains(c)).to_owned(),
            files: files.clone(),
            begins_line: at == 0,
        })
        .collect()
}

/// The line with a sign in the place of each name of a file, and the names. Marks for emphasis go.
fn with_signs(line: &str) -> (String, Vec<String>) {
    let mut files = Vec::new();
    let words = line.split(' ').map(|word| {
        let word = word.replace("**", "");
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.trim_start_matches(|c: char| !c.is_alphanumeric() && !"./~_@".contains(c));
        match file_name(bare) {
            Some(file) => {
                files.push(file);
                word.replace(&format!("`{bare}`"), bare).replace(bare, &format!("‹{}›", files.len() - 1))
            }
            None => word,
        }
    });
    let text = words.collect::<Vec<_>>().join(" ");
    (text, files)
}
