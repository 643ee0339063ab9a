//! Recognises a reply that ends by announcing an action instead of taking it: "Let me check the file:".
//!
//! Only the last sentence counts. When in doubt it is an answer: a person who reads one is asked nothing.

use crate::turn::patterns::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Words that may stand before a plan.
const LEADS: &str = r"(?:(?:ok|okay|sure|alright|right|great|good|perfect|now|so|then|next|first|and|but|well|yes|of course|certainly|finally|also|to begin)[, !.:]+)*";

/// How a plan begins that means now.
const OPENERS: &str = r"(?:i will now |i'll now |now i will |now i'll |(?:i am|i'm) (?:now )?going to |let me |(?:i will|i'll) start by |i will begin by )";

/// How a plan begins that may be for later, unless it is only about looking.
const LOOSE_OPENERS: &str = r"(?:i will |i'll |let us |let's |we will )";

/// Words that may stand between it and what it is about.
const BETWEEN: &str = r"(?:(?:now|first|next|then|quickly|also|just|(?:start|begin|continue) by|go ahead and|proceed to|try to|take a moment to|carefully|start)[, !.:]+)*";

/// How looking begins; done unasked it harms nobody, so a loose plan of it counts. A longer word counts too: `reading`.
const LOOKING: &str =
    r"(?:read|look|take a look|check|open|search|find|list|examin|inspect|explor|view|see |grep|scan|review)";

/// What can be done with tools.
const ACTIONS: &str = r"(?:read|look|take a look|check|open|search|find|list|run|execut|examin|inspect|explor|view|see (?:what|how|if|where)|creat|writ|add|edit|updat|modif|fix|chang|implement|test|grep|fetch|get the|locat|review|analy|scan|verif|investigat|appl|replac|remov|delet|renam|mov|install|build|insert|refactor)";

/// Words that make it an offer, a condition or a promise for later.
const NOT_NOW: &str = r"if (?:you|that|it|anything|needed|necessary)|when you|whenever|once you|as soon as|unless|let me know|would you|(?:should|shall) i|do you want|you can|(?:add|note) that|from now on|in (?:the )?future|next time|later|feel free|tomorrow|wait for|tell me|after (?:you|every|each)|for (?:every|each)|before every|always| but ";

/// Words by which somebody speaks of themselves, in languages that models are asked in.
const MYSELF: &str = r"(?:i |i'll |i'm |let me |let's |ich |je |yo |voy a |vou |я |我|私)";

/// A clause that is a plan.
static PLAN: LazyLock<Regex> = LazyLock::new(|| {
    let (now, loose) = (format!("{OPENERS}{BETWEEN}{ACTIONS}"), format!("{LOOSE_OPENERS}{BETWEEN}{LOOKING}"));
    pattern(&format!("(?:^|, ){LEADS}(?:{now}|{loose})"))
});
/// A clause that begins like one.
static OPENED: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!("(?:^|, ){LEADS}(?:{OPENERS}|{LOOSE_OPENERS})(?P<rest>.*)")));
/// What may stand before a colon after which nothing follows.
static ANNOUNCED: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{LEADS}(?:{MYSELF}|{BETWEEN}{ACTIONS})")));
static IS_NOT_NOW: LazyLock<Regex> = LazyLock::new(|| pattern(NOT_NOW));
/// What was announced follows the colon; a condition makes it a promise for later.
static IS_KEPT: LazyLock<Regex> = LazyLock::new(|| pattern("^(?:if|when|once|unless) |: "));

/// Does the reply end in a plan? `tools` are the names of the tools that are offered.
pub(crate) fn announces(reply: &str, tools: &[&str]) -> bool {
    let mut lines = reply.trim_end().lines().rev();
    let Some(line) = lines.next() else { return false };
    // A quotation, code, or one item of several: the reply is about a plan, and none itself.
    if line.starts_with(['>', '\t', '`']) || line.starts_with("    ") || is_one_of_several(line, lines.next()) {
        return false;
    }
    let sentence = last_sentence(line.trim()).to_lowercase().replace('’', "'");
    if sentence.contains('?') || IS_NOT_NOW.is_match(&sentence) {
        return false;
    }
    let sentence = sentence.trim_start_matches(['*', '_', '-', '#', ' ', '"']);
    let names_a_tool = |text: &str| tools.iter().any(|tool| text.contains(tool));
    if sentence.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']) {
        // Whatever the language: what was to follow the colon did not.
        return ANNOUNCED.is_match(sentence) || names_a_tool(sentence);
    }
    let opened = OPENED.captures(sentence).is_some_and(|found| names_a_tool(&found["rest"]));
    !IS_KEPT.is_match(sentence) && (PLAN.is_match(sentence) || opened)
}

/// Is it a numbered item, or does an item stand before it?
fn is_one_of_several(line: &str, before: Option<&str>) -> bool {
    let item = |line: &str| {
        let line = line.trim_start();
        line.starts_with(['-', '*', '•']) && !line.starts_with("**") || line.starts_with(|c: char| c.is_ascii_digit())
    };
    line.trim_start().starts_with(|c: char| c.is_ascii_digit()) || (item(line) && before.is_some_and(item))
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
