//! What a piece of code defines, by the looks of its lines alone: no grammar is at hand here.

/// Words that begin definitions in one language or another.
const BEGIN: &[&str] = &[
    "def",
    "class",
    "fn",
    "func",
    "function",
    "struct",
    "enum",
    "trait",
    "interface",
    "impl",
    "module",
    "sub",
    "fun",
    "namespace",
    "object",
    "protocol",
];

/// Words that may stand before those.
const BEFORE: &[&str] = &[
    "pub",
    "pub(crate)",
    "pub(super)",
    "export",
    "default",
    "async",
    "static",
    "public",
    "private",
    "protected",
    "final",
    "abstract",
    "const",
    "unsafe",
    "extern",
    "inline",
    "type",
    "local",
    "override",
    "internal",
    "sealed",
    "data",
    "open",
    "virtual",
    "constexpr",
    "partial",
    "declare",
    "typedef",
    "function*",
];

/// Words before a bracket that make no definition.
const NONE: &[&str] = &["if", "for", "while", "switch", "return", "else", "catch", "do", "new", "await", "print"];

/// The names of what is defined at the margin, in order.
pub(super) fn definitions(text: &str) -> Vec<String> {
    text.lines().filter_map(defined).collect()
}

/// What a line at the margin defines.
fn defined(line: &str) -> Option<String> {
    if line.starts_with([' ', '\t', '#', '/', '*', '@', '<', '}']) {
        return None;
    }
    let mut words = line.split_whitespace();
    let mut word = words.next()?;
    while BEFORE.contains(&word) {
        // `const add = (a, b) => …`
        if matches!(word, "const" | "type")
            && let Some(name) = assigned(line)
        {
            return Some(name);
        }
        word = words.next()?;
    }
    if BEGIN.contains(&word) {
        let rest = words.collect::<Vec<_>>().join(" ");
        // `func (s *Server) run()`
        let rest = if rest.starts_with('(') { rest.split_once(')').map_or("", |(_, rest)| rest) } else { &rest };
        return Some(name_at(rest.trim())).filter(|name| !name.is_empty());
    }
    if matches!(word, "let" | "var") {
        return assigned(line);
    }
    called(line)
}

/// `name = function…`, `name = (…) =>`.
fn assigned(line: &str) -> Option<String> {
    let (left, right) = line.split_once('=')?;
    let is_function = right.contains("=>") || right.trim_start().starts_with("function") || right.contains("async ");
    let name = left.split([':', '<']).next()?.split_whitespace().next_back()?;
    is_function.then(|| name_at(name)).filter(|name| !name.is_empty())
}

/// `int main(void) {`, `main() {`.
fn called(line: &str) -> Option<String> {
    let line = line.trim_end();
    if !(line.ends_with('{') || line.ends_with(')')) || line.contains('=') {
        return None;
    }
    let (head, _) = line.split_once('(')?;
    let mut words = head.split_whitespace().rev();
    let name = words.next()?.trim_start_matches(['*', '&']);
    let alone = words.next().is_none();
    let fits = name.chars().all(|c| c.is_alphanumeric() || "_:~".contains(c)) && !NONE.contains(&name);
    // A lone call is no definition; one that a brace follows is.
    let begins = line.split_whitespace().next().is_some_and(|word| NONE.contains(&word));
    (fits && !begins && !name.is_empty() && (!alone || line.ends_with('{'))).then(|| name.to_owned())
}

fn name_at(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':'))
        .collect::<String>()
        .trim_end_matches([':', '.'])
        .to_owned()
}

/// Does a text only use the file `path`: import it from outside?
pub(super) fn uses(text: &str, path: &str) -> bool {
    let base = path.rsplit('/').next().unwrap_or(path);
    let stem = base.split('.').next().unwrap_or(base);
    if stem.is_empty() || ["index", "main", "mod", "lib", "__init__"].contains(&stem) {
        return false;
    }
    text.lines().any(|line| {
        let begins = ["from ", "import ", "#include", "use ", "require"].iter().any(|begin| line.starts_with(begin));
        let loads = begins || line.contains("require(") || line.contains("import(");
        loads && line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).any(|word| word == stem)
    })
}
