//! The sentences of an answer that it says itself: no code, no quotation, no table.

use super::names::file_name;

/// Words that announce a list of what is not done, and mark a heading of such a part.
const PLANNED: [&str; 22] = [
    "should",
    "would",
    "could",
    "will",
    "plan",
    "planned",
    "propose",
    "proposed",
    "suggest",
    "suggested",
    "suggestions",
    "recommend",
    "recommended",
    "need",
    "needs",
    "can",
    "might",
    "example",
    "todo",
    "history",
    "changelog",
    "commit",
];

/// Words by which an answer says that something was taken back, or made only for a while.
const TAKEN_BACK: [&str; 15] = [
    "revert",
    "undid",
    "undone",
    "restored",
    "rolled back",
    "temporar",
    "put back",
    "put it back",
    "removed it",
    "deleted it",
    "removed them",
    "deleted them",
    "cleaned up",
    "back to its",
    "back to how",
];

/// Words by which an answer leaves it to the person to do it.
const PROPOSED: [&str; 16] = [
    "you can ",
    "you could",
    "you should",
    "you'll",
    "you will",
    "you need",
    "you may",
    "you might",
    "would look",
    "could look",
    "apply th",
    "copy ",
    "paste",
    "suggest",
    "propos",
    "recommend",
];

/// Bytes of a line that can be prose. What is longer is data, and reading it closely would take its time.
const LONGEST_LINE: usize = 3_000;

/// One piece of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A word in small letters.
    Word(String),
    /// The name of a file.
    File(String),
    /// Other code.
    Code(String),
    /// A sign between words.
    Mark(char),
}

/// A sentence, or what stands for one.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) tokens: Vec<Token>,
    /// In small letters, as it is written.
    pub(super) text: String,
    /// It stands first on its line.
    pub(super) begins_line: bool,
    /// It is a question.
    pub(super) asks: bool,
    /// It belongs to a list of what could be done, or of what others did.
    pub(super) planned: bool,
}

/// An answer as far as it speaks.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) sentences: Vec<Sentence>,
    /// It shows code of more than a line.
    pub(super) shows_code: bool,
    /// It says that something was taken back again.
    pub(super) takes_back: bool,
    /// It leaves something to the person to do.
    pub(super) proposes: bool,
}

impl Answer {
    pub(super) fn read(text: &str) -> Self {
        let text = text.replace('’', "'");
        let low = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| low.contains(word));
        let mut answer = Answer { takes_back: has(&TAKEN_BACK), proposes: has(&PROPOSED), ..Answer::default() };
        let (mut fence, mut planned) = (None, false);
        for line in text.lines() {
            let bare = line.trim_start();
            let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'));
            let fences = mark.is_some_and(|mark| bare.starts_with(&mark.to_string().repeat(3)));
            if fences && (fence.is_none() || fence == mark) {
                answer.shows_code = true;
                fence = if fence.is_none() { mark } else { None };
            } else if fence.is_none() && !bare.starts_with(['>', '|']) && (1..LONGEST_LINE).contains(&bare.len()) {
                let listed = bare.starts_with(['-', '*', '+', '•']) || starts_with_number(bare);
                let heading = bare.starts_with('#') || bare.starts_with("**") || bare.trim_end().ends_with(':');
                if !listed {
                    planned = heading && is_planned(bare);
                }
                answer.line(bare, listed && planned);
            }
        }
        answer
    }

    fn line(&mut self, line: &str, planned: bool) {
        let line = if starts_with_number(line) { line.trim_start_matches(|c: char| c.is_ascii_digit()) } else { line };
        let line = line.trim_start_matches(['.', ')', ' ']);
        let mut begins_line = true;
        for (tokens, text, end) in sentences(&unquoted(line)) {
            let asks = matches!(end, '?' | '？');
            self.sentences.push(Sentence { tokens, text, begins_line, asks, planned });
            begins_line = false;
        }
    }
}

fn starts_with_number(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(['.', ')'])
}

fn is_planned(line: &str) -> bool {
    let low = line.to_lowercase();
    let mut words = low.split(|c: char| !c.is_alphabetic() && c != '\'');
    words.any(|word| PLANNED.contains(&word) || word.ends_with("'ll") || word == "let's")
}

/// Without what stands in quotation marks.
fn unquoted(line: &str) -> String {
    const PAIRS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」')];
    let mut kept = String::with_capacity(line.len());
    let (mut rest, mut in_code) = (line, false);
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        in_code ^= c == '`';
        let close = PAIRS.iter().find(|(open, _)| *open == c && !in_code).and_then(|(_, close)| after.find(*close));
        match close {
            Some(end) => {
                kept.push_str(" … ");
                let quoted = after[end..].chars().next().map_or(0, char::len_utf8);
                rest = &after[end + quoted..];
            }
            None => {
                kept.push(c);
                rest = after;
            }
        }
    }
    kept
}

/// The sentences of a line, each with the sign that ends it.
fn sentences(line: &str) -> Vec<(Vec<Token>, String, char)> {
    let (mut all, mut tokens, mut text) = (Vec::new(), Vec::new(), String::new());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '`' => code(rest, &mut tokens),
            c if is_part(c) => word(rest, &mut tokens),
            c => {
                if !c.is_whitespace() && !matches!(c, '*' | '#' | '_' | '~') {
                    tokens.push(Token::Mark(c));
                }
                c.len_utf8()
            }
        };
        text.push_str(&rest[..length].to_lowercase());
        rest = &rest[length..];
        let ends = matches!(c, '.' | '!' | '?' | ';') && rest.chars().next().is_none_or(|next| !is_part(next));
        if ends || matches!(c, '。' | '！' | '？' | '；') {
            all.push((std::mem::take(&mut tokens), std::mem::take(&mut text), c));
        }
    }
    if !tokens.is_empty() {
        all.push((tokens, text, '.'));
    }
    all
}

/// Can it stand inside a word or a name?
fn is_part(c: char) -> bool {
    let far = u32::from(c) >= 0x2e80;
    (c.is_alphanumeric() && !far) || matches!(c, '\'' | '/' | '\\' | '@' | '+' | '-')
}

fn word(rest: &str, tokens: &mut Vec<Token>) -> usize {
    let inside = |(at, c): &(usize, char)| {
        // A dot or a colon belongs to a name only where it goes on.
        let joins = matches!(c, '.' | '_' | ':' | '~')
            && rest[at + c.len_utf8()..].chars().next().is_some_and(|c| is_part(c) || c == '_');
        is_part(*c) || *c == '_' || joins
    };
    let length = rest.char_indices().take_while(inside).last().map_or(1, |(at, c)| at + c.len_utf8());
    let word = rest[..length].trim_end_matches('_');
    tokens.push(match file_name(word) {
        Some(name) => Token::File(name),
        None if word.chars().any(char::is_alphanumeric) => Token::Word(word.trim_matches('-').to_lowercase()),
        None => Token::Mark('-'),
    });
    length
}

fn code(rest: &str, tokens: &mut Vec<Token>) -> usize {
    let ticks = rest.chars().take_while(|c| *c == '`').count();
    let close = "`".repeat(ticks);
    let Some(end) = rest[ticks..].find(&close) else { return ticks };
    let inside = rest[ticks..ticks + end].trim();
    tokens.push(match file_name(inside) {
        Some(name) => Token::File(name),
        None => Token::Code(inside.to_lowercase()),
    });
    ticks + end + ticks
}

impl Token {
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            Token::File(_) | Token::Code(_) | Token::Mark(_) => None,
        }
    }

    pub(super) fn file(&self) -> Option<&str> {
        match self {
            Token::File(name) => Some(name),
            Token::Word(_) | Token::Code(_) | Token::Mark(_) => None,
        }
    }

    /// Is it one of the words of this list?
    pub(super) fn among(&self, list: &str) -> bool {
        self.word().is_some_and(|word| list.split_whitespace().any(|known| known == word))
    }

    pub(super) fn is(&self, words: &[&str]) -> bool {
        self.word().is_some_and(|word| words.contains(&word))
    }
}
