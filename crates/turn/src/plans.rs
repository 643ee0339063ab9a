//! Recognises a reply that ends by announcing an action instead of taking it: "Let me check the file:".
//!
//! Only the last sentence counts. When in doubt it is an answer: a person who reads one is asked nothing.

/// How a plan begins, in lower case.
const OPENERS: [&str; 12] = [
    "i will now ",
    "i'll now ",
    "i will ",
    "i'll ",
    "i am going to ",
    "i'm going to ",
    "i am now going to ",
    "i'm now going to ",
    "let me ",
    "let us ",
    "let's ",
    "we will ",
];

/// Words that may stand before it.
const LEADS: [&str; 22] = [
    "ok",
    "okay",
    "sure",
    "alright",
    "right",
    "great",
    "good",
    "perfect",
    "now",
    "so",
    "then",
    "next",
    "first",
    "and",
    "but",
    "well",
    "yes",
    "of course",
    "certainly",
    "finally",
    "also",
    "to begin",
];

/// Words that may stand between it and what it is about.
const BETWEEN: [&str; 16] = [
    "now",
    "first",
    "next",
    "then",
    "quickly",
    "also",
    "just",
    "start by",
    "begin by",
    "go ahead and",
    "proceed to",
    "try to",
    "take a moment to",
    "carefully",
    "continue by",
    "start",
];

/// What can be done with tools; a longer word that begins so counts too: `reading`.
const ACTIONS: [&str; 47] = [
    "read",
    "look",
    "take a look",
    "check",
    "open",
    "search",
    "find",
    "list",
    "run",
    "execut",
    "examin",
    "inspect",
    "explor",
    "view",
    "see what",
    "see how",
    "see if",
    "see where",
    "creat",
    "writ",
    "add",
    "edit",
    "updat",
    "modif",
    "fix",
    "chang",
    "implement",
    "test",
    "grep",
    "fetch",
    "get the",
    "locat",
    "review",
    "analy",
    "scan",
    "verif",
    "investigat",
    "appl",
    "replac",
    "remov",
    "delet",
    "renam",
    "mov",
    "install",
    "build",
    "insert",
    "refactor",
];

/// Words that make it an offer, a condition or a promise for later.
const NOT_NOW: [&str; 28] = [
    "if you",
    "if that",
    "if it",
    "if anything",
    "if needed",
    "if necessary",
    "when you",
    "whenever",
    "once you",
    "after you",
    "as soon as",
    "unless",
    "let me know",
    "would you",
    "should i",
    "shall i",
    "do you want",
    "you can",
    "add that",
    "note that",
    "from now on",
    "in future",
    "in the future",
    "next time",
    "later",
    "feel free",
    "tomorrow",
    "wait for",
];

/// Does the reply end in a plan? `tools` are the names of the tools that are offered.
pub(crate) fn announces(reply: &str, tools: &[&str]) -> bool {
    let reply = reply.trim();
    let Some(line) = reply.lines().next_back().map(str::trim) else { return false };
    if reply.contains("```") && line.starts_with("```") {
        return false;
    }
    let sentence = last_sentence(line).to_lowercase().replace('’', "'");
    if sentence.contains('?') || NOT_NOW.iter().any(|words| sentence.contains(words)) {
        return false;
    }
    if line.ends_with([':', '：']) {
        // Whatever the language: what was to follow the colon did not.
        return !is_heading(line);
    }
    let sentence = sentence.trim_start_matches(['*', '_', '-', '#', '>', ' ', '"']);
    // What was announced follows the colon; a condition makes it a promise for later.
    let kept = sentence.contains(": ") || ["if ", "when ", "once ", "unless "].iter().any(|w| sentence.starts_with(w));
    if kept {
        return false;
    }
    after_opener(sentence).is_some_and(|rest| is_action(rest, tools))
}

/// Scripts that put no spaces between words begin about here: Thai, and those of China and Japan.
const WITHOUT_SPACES: [std::ops::RangeInclusive<char>; 2] = ['\u{e00}'..='\u{eff}', '\u{2e80}'..='\u{9fff}'];

/// So many characters of such a script say more than a word.
const MORE_THAN_A_WORD: usize = 5;

/// Is a line before a colon only a heading, like `Note:`? One word says nothing of what will be done.
fn is_heading(line: &str) -> bool {
    let words = line.trim_end_matches([':', '：', ' ']).trim_start_matches(['*', '_', '-', '>', ' ']);
    let dense = words.chars().filter(|c| WITHOUT_SPACES.iter().any(|script| script.contains(c))).count();
    words.starts_with('#') || (words.split_whitespace().nth(1).is_none() && dense < MORE_THAN_A_WORD)
}

/// What follows an opener at the beginning of a sentence, or after its last comma.
fn after_opener(sentence: &str) -> Option<&str> {
    let mut rest = sentence;
    while let Some(shorter) = LEADS.iter().find_map(|lead| after_word(rest, lead)) {
        rest = shorter;
    }
    let clauses = std::iter::once(rest).chain(rest.match_indices(", ").map(|(at, comma)| &rest[at + comma.len()..]));
    let mut begun = clauses.flat_map(|clause| OPENERS.iter().map(move |opener| clause.strip_prefix(opener)));
    begun.find_map(|rest| rest)
}

fn is_action(rest: &str, tools: &[&str]) -> bool {
    let mut rest = rest;
    while let Some(shorter) = BETWEEN.iter().find_map(|word| after_word(rest, word)) {
        rest = shorter;
    }
    ACTIONS.iter().any(|action| rest.starts_with(action)) || tools.iter().any(|tool| rest.contains(tool))
}

/// What follows `word` and the comma or space after it.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    let shorter = rest.trim_start_matches([',', ' ', '!', '.', ':']);
    (shorter.len() < rest.len()).then_some(shorter)
}

/// The last sentence of a line, its end mark included. A full stop ends one only before a space: `main.rs` has none.
fn last_sentence(line: &str) -> &str {
    let body = line.trim_end_matches(['.', '!', '?', '…', ':', '：', '*', '_', '"', ' ']);
    let ends = [". ", "! ", "? ", "… ", "。", "！", "？"];
    let start = ends.iter().filter_map(|end| body.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    line[start..].trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_recognised() {
        for plan in [
            "I will now read the file.",
            "Let me check the file:",
            "Sure! I'll start by looking at src/main.rs.",
            "The bug is in the parser. Let me fix it.",
            "Okay, first, I will explore the project structure.",
            "To understand the problem, let me take a look at the tests.",
            "I’m going to run the tests now...",
            "Now I'll use read_file to see it.",
            "**Let me search for the function.**",
            "Ich sehe mir die Datei an:",
            "Next, I will update the README.",
            "The tests fail.\n\nLet me look at the error message",
            "我来读取文件：",
            "Je regarde les tests :",
            "- Checking the tests:",
        ] {
            assert!(announces(plan, &["read_file"]), "{plan}");
        }
    }

    #[test]
    fn an_answer_is_not() {
        for answer in [
            "",
            "Hello! How can I help you today?",
            "I'll be here if you need me.",
            "Should I look at the tests?",
            "Let me know if you want me to fix it.",
            "I will fix it if you like, if that helps.",
            "Would you like me to read the file?",
            "I'll read it once you have saved it.",
            "I'll use tabs from now on.",
            "I will explain: a closure captures its surroundings.",
            "Done. I changed main.rs and the tests pass.",
            "I read the file. It defines one function.",
            "The function will read the file and let me check it.",
            "You need to run the tests.",
            "First I read the file, then I fixed it.",
            "I'll update the docs? Or not?",
            "Let me read it first. It says: hello.",
            "Run this:\n```sh\nlet me look\n```",
            "I will remember that.",
            "If the tests fail, I will check the log.",
            "I should add that this is slow.",
            "Let me list them: one, two, three.",
            "Let me summarize what was done. All tests pass.",
            "We need to check that the user has permission.",
            "Then I need to test whether the list is empty.",
            "It works.\n\nNote:",
            "It works.\n\n- Result :",
            "It works.\n\n## Next steps:",
            "好了。\n\n总结：",
        ] {
            assert!(!announces(answer, &["read_file"]), "{answer}");
        }
    }
}
