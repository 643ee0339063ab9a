//! Whether a message asks for behavior that tests may have to follow, or for other tests.

use super::asked::without_limits;
use super::language::{has, sentences, split_words};

/// What asks for other behavior, or for other tests, wherever it stands.
const OTHER_BEHAVIOR: [&str; 10] = [
    "instead",
    "rather than",
    "no longer",
    "not any more",
    "should now",
    "must now",
    "from now on",
    "by default",
    "the tests expect",
    "tests too",
];

/// What orders it. The same words name things as well: `the last update`.
const ORDERS: &str = "change rename replace remove delete drop update adapt switch convert migrate";

/// The same of what is to happen to something: `it should be renamed`.
const IS_DONE: &str = "changed renamed replaced removed deleted dropped updated adapted switched converted migrated";

/// What an order stands behind, where it does not begin its clause.
const BEFORE_ORDERS: &str = "to please must should shall and then also now just";

/// What stands before `you` in an order that has the form of a question.
const POLITE: &str = "can could will would";

/// What stands before `to` where something goes wrong: `it fails to remove one`.
const IN_VAIN: &str = "fail fails failed failing unable try tries tried trying attempts attempting";

/// What turns an order into its opposite.
const NEGATIONS: &str = "not never no without don't doesn't mustn't shouldn't can't cannot";

/// How changing something begins: `changing`, `edits`, `touch`.
const CHANGES: [&str; 9] = ["chang", "touch", "edit", "modif", "alter", "adapt", "updat", "adjust", "rewrit"];

/// How it is said that something stays.
const STAYS: [&str; 7] = ["unchanged", "untouched", "intact", "alone", "as they are", "as is", "leave the tests"];

/// Does it ask for other behavior, or for other tests, and not for tests that stay? Then nothing can be said of whether tests may
/// change.
pub(crate) fn may_change_tests(asked: &str) -> bool {
    let low = without_limits(&asked.replace('’', "'").to_lowercase());
    let clauses: Vec<&str> = sentences(&low).into_iter().flat_map(clauses).collect();
    !clauses.iter().any(|clause| keeps_tests(clause)) && clauses.iter().any(|clause| changes_behavior(clause))
}

fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([',', ':', '(', ')']).flat_map(|part| part.split(" but "))
}

/// `do not change the tests`, `leave the tests as they are`.
fn keeps_tests(clause: &str) -> bool {
    let words = split_words(clause);
    let is_changed = |word: &&str| CHANGES.iter().any(|start| word.starts_with(start));
    let is_barred = words.iter().any(|word| has(NEGATIONS, word)) && words.iter().any(is_changed);
    words.iter().any(|word| has("test tests", word)) && (is_barred || holds_any(&words, &STAYS))
}

fn changes_behavior(clause: &str) -> bool {
    let words = split_words(clause);
    let is_ordered = |at: usize| {
        let (before, word) = (&words[..at], words[at]);
        let has_object = at + 1 < words.len();
        let is_order = has(ORDERS, word) && has_object && may_be_ordered(before);
        let is_done = has(IS_DONE, word) && before.last() == Some(&"be");
        (is_order || is_done) && !before.iter().any(|word| has(NEGATIONS, word))
    };
    holds_any(&words, &OTHER_BEHAVIOR) || (0..words.len()).any(is_ordered)
}

/// May an order stand behind these words?
fn may_be_ordered(before: &[&str]) -> bool {
    match before {
        [] => true,
        [.., polite, "you"] => has(POLITE, polite),
        [.., vain, "to"] => !has(IN_VAIN, vain),
        [.., last] => has(BEFORE_ORDERS, last),
    }
}

/// Do these words hold one of the phrases, in whole words?
fn holds_any(words: &[&str], phrases: &[&str]) -> bool {
    let text = format!(" {} ", words.join(" "));
    phrases.iter().any(|phrase| text.contains(&format!(" {phrase} ")))
}

#[cfg(test)]
mod tests {
    use super::may_change_tests;

    #[test]
    fn tests_may_change_where_other_behavior_is_asked_for_and_they_are_not_to_stay() {
        for asked in [
            "return a list instead of a string",
            "Rename the function calc to weight.",
            "please change the default to 5",
            "it should no longer print a header",
            "The limit must be changed to 10.",
            "Fix a.py and update the tests.",
            "update the tests, do not change a.py",
            "Could you replace the parser?",
        ] {
            assert!(may_change_tests(asked), "{asked}");
        }
        for asked in [
            "Fix add(), do not change the tests",
            "Fix add() but don’t touch the tests.",
            "change add() without editing the tests",
            "Rename calc to weight. Leave the tests as they are.",
            "fix the crash after the last update",
            "The switch statement in a.c is wrong, fix it.",
            "fix the crash on remove",
            "fix it: when you delete one, it fails to update the list",
            "fix the order, but change nothing else",
            "Fix the exchange rate. It should not change the total.",
        ] {
            assert!(!may_change_tests(asked), "{asked}");
        }
    }
}
