//! Recognises a reply that ends by announcing an action instead of taking it: "Let me check the file:".
//!
//! Only the last sentence counts. When in doubt it is an answer: a person who reads one is asked nothing.

/// How a plan begins that means now, in lower case.
const OPENERS: [&str; 12] = [
    "i will now ",
    "i'll now ",
    "now i will ",
    "now i'll ",
    "i am going to ",
    "i'm going to ",
    "i am now going to ",
    "i'm now going to ",
    "let me ",
    "i will start by ",
    "i'll start by ",
    "i will begin by ",
];

/// How a plan begins that may be for later, unless it is only about looking.
const LOOSE_OPENERS: [&str; 5] = ["i will ", "i'll ", "let us ", "let's ", "we will "];

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
const NOT_NOW: [&str; 36] = [
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
    "tell me",
    "after every",
    "after each",
    "for every",
    "for each",
    "before every",
    "always",
    " but ",
];

/// How looking begins; done unasked it harms nobody, so a loose plan of it counts.
const LOOKING: [&str; 16] = [
    "read",
    "look",
    "take a look",
    "check",
    "open",
    "search",
    "find",
    "list",
    "examin",
    "inspect",
    "explor",
    "view",
    "see ",
    "grep",
    "scan",
    "review",
];

/// Words by which somebody speaks of themselves, in languages that models are asked in.
const MYSELF: [&str; 13] =
    ["i ", "i'll ", "i'm ", "let me ", "let's ", "ich ", "je ", "yo ", "voy a ", "vou ", "я ", "我", "私"];

/// Does the reply end in a plan? `tools` are the names of the tools that are offered.
pub(crate) fn announces(reply: &str, tools: &[&str]) -> bool {
    let mut lines = reply.trim_end().lines().rev();
    let Some(line) = lines.next() else { return false };
    // A quotation, code, or one item of several: the reply is about a plan, and none itself.
    if line.starts_with(['>', '\t', '`']) || line.starts_with("    ") || is_one_of_several(line, lines.next()) {
        return false;
    }
    let sentence = last_sentence(line.trim()).to_lowercase().replace('’', "'");
    if sentence.contains('?') || NOT_NOW.iter().any(|words| sentence.contains(words)) {
        return false;
    }
    let sentence = sentence.trim_start_matches(['*', '_', '-', '#', ' ', '"']);
    if sentence.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']) {
        // Whatever the language: what was to follow the colon did not.
        let said = without_leads(sentence);
        return MYSELF.iter().any(|word| said.starts_with(word)) || is_action(said, tools);
    }
    // What was announced follows the colon; a condition makes it a promise for later.
    let kept = sentence.contains(": ") || ["if ", "when ", "once ", "unless "].iter().any(|w| sentence.starts_with(w));
    !kept && clauses(sentence).any(|clause| is_plan(clause, tools))
}

/// Is it a numbered item, or does an item stand before it?
fn is_one_of_several(line: &str, before: Option<&str>) -> bool {
    let item = |line: &str| {
        let line = line.trim_start();
        line.starts_with(['-', '*', '•']) && !line.starts_with("**") || line.starts_with(|c: char| c.is_ascii_digit())
    };
    line.trim_start().starts_with(|c: char| c.is_ascii_digit()) || (item(line) && before.is_some_and(item))
}

/// The sentence without the words it begins with, and what follows each of its commas.
fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    let rest = without_leads(sentence);
    std::iter::once(rest).chain(rest.match_indices(", ").map(|(at, comma)| without_leads(&rest[at + comma.len()..])))
}

fn without_leads(sentence: &str) -> &str {
    let mut rest = sentence;
    while let Some(shorter) = LEADS.iter().find_map(|lead| after_word(rest, lead)) {
        rest = shorter;
    }
    rest
}

fn is_plan(clause: &str, tools: &[&str]) -> bool {
    let after = |openers: &[&str]| openers.iter().find_map(|opener| clause.strip_prefix(opener)).map(str::to_owned);
    after(&OPENERS).is_some_and(|rest| is_action(&rest, tools))
        || after(&LOOSE_OPENERS)
            .is_some_and(|rest| begins(&rest, &LOOKING) || tools.iter().any(|tool| rest.contains(tool)))
}

fn is_action(rest: &str, tools: &[&str]) -> bool {
    begins(rest, &ACTIONS) || tools.iter().any(|tool| rest.contains(tool))
}

fn begins(rest: &str, actions: &[&str]) -> bool {
    let mut rest = rest;
    while let Some(shorter) = BETWEEN.iter().find_map(|word| after_word(rest, word)) {
        rest = shorter;
    }
    actions.iter().any(|action| rest.starts_with(action))
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
            "Next, I will now update the README.",
            "I will read main.rs and the tests.",
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
            "To fix this, we need to add a null check in main.rs.",
            "I see. I'll run the tests after every change.",
            "I will write tests for every function I add.",
            "To continue, I need to read the file, but it was refused.",
            "Here is the plan:\n\n1. I will read the file.\n2. I will change it.\n3. I will run the tests.",
            "Here is the plan:\n\n- Let me read the file.\n- Let me run the tests.",
            "The log says:\n> I will now read the file.",
            "I think we should keep it simple. Let's add more tests first, then refactor.",
            "I will change the bound in parse, then add a test.",
            "Just tell me:",
            "Bitte teile mir Folgendes mit:",
            "Every block header ends with a colon, such as\n\n    def f(x):",
            "Here is what I found:",
        ] {
            assert!(!announces(answer, &["read_file"]), "{answer}");
        }
    }
}
