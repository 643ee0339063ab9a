//! What the words above a block say that it is.

/// What is to become of a block, by the words above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// It is what the file is to become.
    Wanted,
    /// It only shows something.
    Aside,
    /// They do not say.
    Unsaid,
}

/// How something is used or what it prints, whatever else is said.
const SHOWS: &[&str] = &[
    "usage",
    "what changed",
    "what i changed",
    "what has changed",
    "use it",
    "used like",
    "use this",
    "use the",
    "using it",
    "call it",
    "call the",
    "you can call",
    "you can test",
    "you can use",
    "you can run",
    "you can now",
    "output",
    "gives",
    "produces",
    "displays",
    "running `",
    "prints",
    "print:",
    "will print",
    "result:",
    "test it",
    "to test",
    "to run",
    "run it",
    "run the",
    "run:",
    "try it",
    "how to use",
    "in your terminal",
    "command line",
    "from the shell",
    "install",
    "example of how",
    "for example",
    "for instance",
    "e.g.",
];

/// What a file is now to be.
const MADE: &[&str] = &[
    "here is the code",
    "here's the code",
    "here is the implementation",
    "here's the implementation",
    "here is the script",
    "here's the script",
    "here is the function",
    "here's the function",
    "here is the program",
    "here's the program",
    "updated",
    "changed",
    "to fix",
    "fixes",
    "to solve",
    "to resolve",
    "modified",
    "fixed",
    "corrected",
    "complete",
    "full",
    "entire",
    "revised",
    "rewritten",
    "refactored",
    "improved",
    "new version",
    "final version",
    "optimized",
    "cleaned",
    "renamed",
];

/// What was, or what might be.
const ASIDES: &[&str] = &[
    "example",
    "original",
    "current code",
    "currently",
    "existing code",
    "before the change",
    "before:",
    "the problem",
    "the bug",
    "the issue",
    "the error",
    "this line",
    "the line",
    "that line",
    "following line",
    "problematic",
    "was:",
    "previously",
    "old code",
    "traceback",
    "looks like",
    "similar to",
    "syntax",
    "in general",
    "such as",
    "something like",
    "alternative",
    "explanation",
    "breakdown",
    "snippet",
    "consider",
    "if you",
    "equivalent",
    "same as",
    "changes made",
    "the change is",
    "the change:",
    "the changes are",
    "key change",
    "relevant part",
    "is defined",
    "defined as",
    "error message",
    "you had",
    "part of the code",
    "causes",
    "caused by",
    "suppose",
    "imagine",
    "works like",
    "would look",
    "could look",
    "structure",
];

/// What is asked for, said less plainly.
const ASKED: &[&str] = &[
    "here is",
    "here's",
    "here are",
    "following code",
    "following content",
    "create",
    "rename",
    "replace",
    "change",
    "added",
    "solution",
    "code:",
    "implementation",
    "implement",
    "write",
    "rewrite",
    "fix",
    "update",
    "modify",
    "content",
    "version",
    "save",
];

/// What the line above a block says of it: its last sentence, and in that whichever comes first of the plain words.
pub(super) fn lead(line: &str) -> Lead {
    let line = last_sentence(line).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let first = |words: &[&str]| words.iter().filter_map(|word| line.find(word)).min();
    match (first(SHOWS), first(MADE)) {
        (Some(shows), Some(made)) if made < shows => Lead::Wanted,
        (Some(_), _) => Lead::Aside,
        (None, Some(_)) => Lead::Wanted,
        (None, None) if says(ASIDES) => Lead::Aside,
        (None, None) if says(ASKED) => Lead::Wanted,
        (None, None) => Lead::Unsaid,
    }
}

fn last_sentence(line: &str) -> &str {
    let line = line.trim();
    let ends = [". ", "! ", "? "].iter().filter_map(|end| line.rfind(end)).max();
    ends.map_or(line, |end| &line[end + 2..])
}
