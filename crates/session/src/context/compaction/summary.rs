//! The summary that a model writes of the earlier conversation: how it is asked for, and whether it can be used.

use super::form::{SECTIONS, find};
use crate::context::{Estimator, Features};

/// Why a summary cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryFault {
    /// There is nothing in it.
    Empty,
    Refused,
    /// It is longer than allowed.
    TooLong {
        /// So long, in tokens.
        tokens: u64,
    },
    /// It has not the form that was asked for.
    NoForm,
}

/// How many words a summary should have. Small models count badly, but keep to the size of a number.
const WORDS: u64 = 350;

/// How a refusal begins, in small letters and with straight apostrophes.
const REFUSALS: [&str; 16] = [
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "sorry, but",
    "i can't",
    "i cannot",
    "i can not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "i won't",
    "i will not",
    "i apologize",
    "as an ai",
    "unfortunately, i",
];

/// The words that ask the model for a summary in the fixed form: goal, decisions, files, commands, open items.
pub fn summary_request(instructions: &str) -> String {
    let wish = match instructions.trim() {
        "" => String::new(),
        instructions => format!("\nThe user asks of this summary: {instructions}\n"),
    };
    format!(
        "(The conversation must be made shorter. Write a summary that will stand in its place: you will go on from it \
         alone, so keep what is needed to go on, with exact names, paths, numbers and error messages. Do not go on with \
         the task now. Call no tools. Write these five headings, a few short lines under each, \"none\" where there is \
         nothing, at most {WORDS} words in all, and nothing else:\n\n\
         ## Goal\nwhat the user wants, and what they forbade\n\
         ## Decisions\nwhat was decided or found out, and why\n\
         ## Files\neach file that was read or changed: its path, and what matters in it or what was changed\n\
         ## Commands\neach command that mattered, and what came of it\n\
         ## Open\nwhat is still to be done, the next step first\n{wish})"
    )
}

/// Reads what the model answered, its thinking left out: the five headings, in their order, as it filled them. Empty, a refusal, longer than
/// `most_tokens`, or in another form: why it cannot be used.
pub fn read_summary(reply: &str, estimator: &Estimator, most_tokens: u64) -> Result<String, SummaryFault> {
    let text = reply.trim();
    if text.is_empty() {
        return Err(SummaryFault::Empty);
    }
    let Some(found) = find(text) else {
        return Err(if is_refusal(text) { SummaryFault::Refused } else { SummaryFault::NoForm });
    };
    if (0..SECTIONS.len()).all(|section| says_nothing(found.section_text(section))) {
        return Err(SummaryFault::Empty);
    }
    let summary = found.written();
    match estimator.tokens(&Features::of_text(&summary)) {
        tokens if tokens > most_tokens => Err(SummaryFault::TooLong { tokens }),
        _ => Ok(summary),
    }
}

fn says_nothing(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    bare.is_empty() || ["none", "nothing", "n/a"].iter().any(|word| bare.eq_ignore_ascii_case(word))
}

fn is_refusal(text: &str) -> bool {
    let beginning: String = text.chars().take(120).collect::<String>().to_lowercase().replace('’', "'");
    REFUSALS.iter().any(|refusal| beginning.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(refusal))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reply: &str) -> Result<String, SummaryFault> {
        read_summary(reply, &Estimator::new(None), 1_000)
    }

    const PLAIN: &str =
        "## Goal\nfind it\n\n## Decisions\nnone\n\n## Files\n- a.rs\n\n## Commands\nnone\n\n## Open\n- fix it";

    #[test]
    fn the_form_is_asked_for_with_the_persons_words() {
        let request = summary_request("keep the names");
        assert!(SECTIONS.iter().all(|(heading, _)| request.contains(&format!("\n## {heading}\n"))));
        assert!(request.contains("Call no tools") && request.contains("The user asks of this summary: keep the names"));
        assert!(!summary_request(" \n").contains("The user asks"));
        assert!(request.len() < 1_200, "small models read slowly: {}", request.len());
    }

    #[test]
    fn the_form_as_it_was_asked_for_stays() {
        assert_eq!(read(PLAIN).as_deref(), Ok(PLAIN));
    }

    #[test]
    fn the_form_is_found_however_it_is_dressed() {
        for reply in [
            "Here is the summary:\n\n# goal:\nfind it\n# DECISIONS\nnone\n# Files touched\n- a.rs\n# Commands and outcomes\nnone\n# Open items\n- fix it",
            "**Goal:** find it\n**Decisions:** none\n**Files**\n- a.rs\n**Commands**: none\n**Open**\n- fix it",
            "Goal: find it\nDecisions: none\nFiles:\n- a.rs\nCommands: none\nOpen:\n- fix it",
            "1. Goal\nfind it\n2. Decisions\nnone\n3. Files\n- a.rs\n4. Commands\nnone\n5. Open\n- fix it",
            "### Open\n- fix it\n### Files\n- a.rs\n### Goal\nfind it\n### Commands\nnone\n### Decisions\nnone",
            "Sure!\n```markdown\n## Goal\nfind it\n## Decisions\nnone\n## Files\n- a.rs\n## Commands\nnone\n## Open\n- fix it\n```\nLet me know.",
        ] {
            assert_eq!(read(reply).as_deref(), Ok(PLAIN), "{reply}");
        }
    }

    #[test]
    fn code_in_a_summary_is_no_heading_and_stays() {
        let reply = "## Goal\nrun\n```sh\n# Files\nls\n```\n\n## Open\nnext";
        assert_eq!(read(reply).as_deref(), Ok(reply));
    }

    #[test]
    fn what_cannot_be_used_is_told_apart() {
        assert_eq!(read(" \n"), Err(SummaryFault::Empty));
        assert_eq!(read("## Goal\n\n## Decisions\nNone.\n## Open\n- none"), Err(SummaryFault::Empty));
        assert_eq!(read("I’m sorry, I can't do that."), Err(SummaryFault::Refused));
        assert_eq!(read("We looked at files and the goal is near."), Err(SummaryFault::NoForm));
        assert_eq!(read("## Goal\nonly this"), Err(SummaryFault::NoForm));
        let long = format!("## Goal\n{}\n## Open\nx", "many words ".repeat(2_000));
        assert!(matches!(read(&long), Err(SummaryFault::TooLong { tokens }) if tokens > 1_000));
    }
}
