//! What the person said, told apart from what else stands in messages in their place: results of calls that were written as
//! text, and what the program tells the model by itself.

use super::calls::words_of_refusal;
use super::said::Said;
use super::standing::Standing;
use agent_protocol::{Message, Role};

/// What the program says in the person's place: how it begins, and how it ends, as it may. Both must fit, for people write
/// in brackets too.
const REMARKS: [(&str, &[&str]); 11] = [
    ("(go on)", WHOLE),
    ("(your call could not be read)", WHOLE),
    ("(your call could not be read: ", RESCUES),
    ("(your call was cut off before it was complete", RESCUES),
    ("(your call of ", RESCUES),
    (QUOTES_THE_SERVER, RESCUES),
    ("(your last reply ", RESCUES),
    ("(you called ", &["or say what stands in your way)"]),
    ("(you make the same two calls by turns", &["or say what stands in your way)"]),
    ("(you repeated the same words and were stopped", &["in a few words)"]),
    ("(you said what you would do, and made no call", &["give your answer again in full)"]),
];

/// The beginning is all of it.
const WHOLE: &[&str] = &[];

/// A remark that repeats a server's words, which may have paragraphs.
const QUOTES_THE_SERVER: &str = "(your last call could not be read: ";

const RESCUES: &[&str] = &[
    "answer again, with one complete call or with text)",
    "and the argument is text)",
    ", and was not run)",
    "or say what came out)",
];

/// What the person said in `messages`, in order, and how many of their words were left out before.
pub(super) fn said(messages: &[Message]) -> Said {
    let mut all = Said::default();
    for message in messages {
        match message.role {
            Role::User => match Standing::read(&message.content) {
                Some(standing) => {
                    all.left_out += standing.said.left_out;
                    all.words.extend(standing.said.words);
                    all.words.extend(spoken(standing.behind));
                }
                None => all.words.extend(spoken(&message.content)),
            },
            Role::Tool => all.words.extend(words_of_refusal(&message.content).map(str::to_owned)),
            Role::System | Role::Assistant => {}
        }
    }
    all
}

/// Does this message begin with the result of a call that was written as text?
pub(super) fn begins_with_result(message: &Message) -> bool {
    message.role == Role::User && Ends::default().of_result(&message.content).is_some()
}

/// What of a message's text the person said. Nothing of it is changed; what is not theirs divides it.
fn spoken(content: &str) -> Vec<String> {
    let mut spoken = Vec::new();
    let mut ends = Ends::default();
    let (mut begin, mut at) = (0, 0);
    while at < content.len() {
        let rest = &content[at..];
        let is_paragraph = at == 0 || content[..at].ends_with("\n\n") || begin == at;
        match ends.of_result(rest).or_else(|| ends.of_remark(rest).filter(|_| is_paragraph)) {
            Some(length) => {
                keep(&content[begin..at], &mut spoken);
                begin = at + length;
                // More of its kind may follow.
                begin += content[begin..].len() - content[begin..].trim_start_matches('\n').len();
                at = begin;
            }
            None => at += rest.find('\n').map_or(rest.len(), |line| line + 1),
        }
    }
    keep(&content[begin..], &mut spoken);
    spoken
}

fn keep(words: &str, spoken: &mut Vec<String>) {
    let words = words.trim_matches('\n');
    if !words.trim().is_empty() {
        spoken.push(words.to_owned());
    }
}

/// Looks for ends; what was looked for in vain is not looked for again, for there is less and less to find it in.
#[derive(Debug, Default)]
struct Ends {
    no_tag: bool,
    no_fence: bool,
    no_remark: bool,
}

impl Ends {
    /// How long the result is that `text` begins with, if it does.
    fn of_result(&mut self, text: &str) -> Option<usize> {
        if text.starts_with("<tool_response>\n") {
            let found = if self.no_tag { None } else { end_of_line(text, "\n</tool_response>") };
            self.no_tag = found.is_none();
            return found;
        }
        let ticks = text.len() - text.trim_start_matches('`').len();
        if ticks < 3 || self.no_fence || !text[ticks..].starts_with("tool_output\n") {
            return None;
        }
        let found = end_of_line(text, &format!("\n{}", &text[..ticks]));
        self.no_fence = found.is_none();
        found
    }

    /// How long the remark is that `text` begins with, if it does.
    fn of_remark(&mut self, text: &str) -> Option<usize> {
        let (beginning, ends) = REMARKS.iter().find(|(beginning, _)| text.starts_with(beginning))?;
        if ends.is_empty() {
            return Some(beginning.len()).filter(|at| ends_paragraph(text, *at));
        }
        if *beginning != QUOTES_THE_SERVER {
            let length = text.find("\n\n").unwrap_or(text.len());
            return Some(length).filter(|length| ends.iter().any(|end| text[..*length].ends_with(end)));
        }
        let all = |end: &&str| {
            let mut found = text.match_indices(*end).map(|(at, end)| at + end.len());
            found.find(|at| ends_paragraph(text, *at))
        };
        let found = if self.no_remark { None } else { ends.iter().filter_map(all).min() };
        self.no_remark = found.is_none();
        found
    }
}

/// Where the first `end` ends that ends a line.
fn end_of_line(text: &str, end: &str) -> Option<usize> {
    let mut ends = text.match_indices(end).map(|(at, _)| at + end.len());
    ends.find(|at| matches!(text.as_bytes().get(*at), None | Some(b'\n')))
}

fn ends_paragraph(text: &str, at: usize) -> bool {
    text[at..].is_empty() || text[at..].starts_with("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(content: &str) -> Vec<String> {
        said(&[Message::text(Role::User, content)]).words
    }

    #[test]
    fn what_a_person_says_stays_as_it_is() {
        for text in [
            " two\n\n(in brackets)\n\nparagraphs",
            "```\ncode\n```",
            "(your call is wrong, use grep)",
            "(go on) now (or not)",
            "a (go on)",
        ] {
            assert_eq!(words(text), [text]);
        }
    }

    #[test]
    fn what_the_program_says_by_itself_is_not_the_persons() {
        assert_eq!(words("(go on)"), [""; 0]);
        let told = "(your call of write_file was cut off before it was complete: content is missing; answer again, with one \
                    complete call or with text)";
        assert_eq!(words(told), [""; 0]);
        assert_eq!(words(&format!("{told}\n\nuse tabs\n\n(go on)\n\nplease")), ["use tabs", "please"]);
        let quoting =
            "(your last call could not be read: one\n\ntwo; answer again, with one complete call or with text)";
        assert_eq!(words(&format!("first\n\n{quoting}")), ["first"]);
    }

    #[test]
    fn results_by_text_are_not_the_persons() {
        let results = "<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response>";
        assert_eq!(words(results), [""; 0]);
        assert_eq!(words(&format!("{results}\n\nand now?")), ["and now?"]);
        assert_eq!(words("````tool_output\n```\n# a\n````\n\nand now?"), ["and now?"]);
        assert!(begins_with_result(&Message::text(Role::User, results)));
        assert_eq!(words("<tool_response>\nnever ends"), ["<tool_response>\nnever ends"]);
    }

    #[test]
    fn what_they_said_against_a_call_is_theirs() {
        let result = Message::text(Role::Tool, "refused by the person, who says: not that file");
        assert_eq!(said(&[result]).words, ["not that file"]);
    }
}
