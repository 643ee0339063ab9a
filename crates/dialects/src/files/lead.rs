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
    "updated",
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
    "instead of",
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
    "means",
    "same as",
    "what changed",
    "changes made",
    "the change",
    "key change",
    "relevant part",
    "is defined",
    "defined as",
    "error message",
    "diff",
    "you had",
    "part of the code",
    "causes",
    "caused by",
    "suppose",
    "imagine",
    "works like",
    "would look",
    "could look",
    "given",
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

/// What the line above a block says of it.
pub(super) fn lead(line: &str) -> Lead {
    let line = line.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
    match () {
        () if says(SHOWS) => Lead::Aside,
        () if says(MADE) => Lead::Wanted,
        () if says(ASIDES) => Lead::Aside,
        () if says(ASKED) => Lead::Wanted,
        () => Lead::Unsaid,
    }
}
