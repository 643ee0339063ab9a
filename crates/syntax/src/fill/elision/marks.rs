//! Which lines say that something is left out.

/// Marks of comments on a line of their own.
const OPENERS: &[&str] = &["<!--", "{/*", "/*", "//", "#", "--", ";", "%", "\"\"\"", "*"];
const CLOSERS: &[&str] = &["-->", "*/}", "*/", "\"\"\""];

/// Words of which such lines are made.
const WORDS: &[&str] = &[
    "rest",
    "of",
    "the",
    "code",
    "existing",
    "file",
    "class",
    "classes",
    "function",
    "functions",
    "method",
    "methods",
    "remains",
    "remain",
    "remaining",
    "unchanged",
    "same",
    "as",
    "before",
    "is",
    "are",
    "stay",
    "stays",
    "other",
    "others",
    "previous",
    "omitted",
    "for",
    "brevity",
    "here",
    "and",
    "no",
    "changes",
    "not",
    "changed",
    "original",
    "content",
    "contents",
    "implementation",
    "imports",
    "import",
    "keep",
    "goes",
    "above",
    "below",
    "this",
    "in",
    "your",
    "unmodified",
    "all",
    "part",
    "parts",
    "body",
    "logic",
    "lines",
    "your",
    "previously",
    "defined",
    "definitions",
    "tests",
    "script",
    "module",
    "program",
    "kept",
    "it",
    "on",
    "from",
    "rules",
    "styles",
    "fields",
    "field",
    "variables",
    "constants",
    "properties",
    "members",
    "constructor",
    "routes",
    "handlers",
    "helper",
    "helpers",
    "types",
    "cases",
    "entries",
    "items",
    "settings",
    "configuration",
    "dependencies",
    "scripts",
    "attributes",
    "components",
    "elements",
    "markup",
    "page",
    "document",
    "section",
    "sections",
    "with",
];

/// Words of which it has at least one.
const KEYS: &[&str] =
    &["rest", "existing", "unchanged", "same", "remain", "remains", "remaining", "omitted", "unmodified", "previous"];

/// Says more when dots stand with it.
const DOTTED: &[&str] =
    &["other", "others", "code", "before", "original", "keep", "kept", "methods", "functions", "imports"];

/// Does a line say that something is left out there?
pub(super) fn is_elision(line: &str) -> bool {
    let text = line.trim();
    // In Python, a body needs a statement.
    let text = text.strip_prefix("pass").map(str::trim_start).filter(|rest| rest.starts_with('#')).unwrap_or(text);
    let mut inner = OPENERS.iter().find_map(|open| text.strip_prefix(open)).unwrap_or(text);
    let is_comment = inner.len() < text.len();
    inner = CLOSERS.iter().find_map(|close| inner.strip_suffix(close)).unwrap_or(inner);
    let inner = inner.trim().trim_start_matches(['#', '/', '*']).trim();
    let bare = inner.trim_matches(['(', ')', '[', ']', '{', '}', '<', '>', ' ', ':', ',']);
    let words = bare.trim_matches(['.', '…', ' ']);
    let dots = bare.starts_with("...") || bare.ends_with("...") || bare.starts_with('…') || bare.ends_with('…');
    if words.is_empty() {
        // A bracket without its partner is code that goes on.
        return dots && is_closed(inner);
    }
    let words: Vec<String> = words
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let among = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let encloses = (bare.starts_with("...") || bare.starts_with('…')) && (bare.ends_with("...") || bare.ends_with('…'));
    let known = words.iter().filter(|word| WORDS.contains(&word.as_str())).count();
    let says = among(KEYS) || (dots && among(DOTTED));
    let mostly = known == words.len() || (dots && known * 2 >= words.len());
    // Words alone are code or prose unless they stand in a comment, in brackets or between dots.
    (is_comment || dots || text.starts_with(['(', '['])) && ((says && mostly) || (encloses && is_comment))
}

/// Are there as many brackets that open as close?
fn is_closed(text: &str) -> bool {
    let count = |marks: [char; 3]| text.matches(marks).count();
    count(['(', '[', '{']) == count([')', ']', '}'])
}

/// The part of a line up to the mark that opens a body.
pub(super) fn opened(line: &str) -> Option<&str> {
    let line = line.trim();
    line.ends_with(['{', ':']).then_some(line)
}

/// A line that holds a body with nothing in it but a mark for the rest: what opens it, the mark, what closes it.
pub(super) fn body(line: &str) -> Option<(&str, &str, &str)> {
    let line = line.trim_end();
    if let Some(head) = line.strip_suffix("...").filter(|head| head.trim_end().ends_with(':')) {
        return Some((head.trim_end(), "...", ""));
    }
    let open = line.find('{')?;
    let close = line.rfind('}').filter(|close| *close > open)?;
    let inner = line[open + 1..close].trim();
    (!inner.is_empty() && is_elision(inner)).then_some((&line[..=open], inner, &line[close..]))
}
