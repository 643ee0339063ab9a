//! Judges replies. Says what happened in words that a person can check.

use super::Answer;
use super::kit::{Taken, Tool};
use super::questions::{AFTER, Asked, BEFORE, EDITED, FACT, First, ONE, TEXT, TWO, WRITTEN, greetings};
use crate::conversation::schema::{self, SchemaReply};
use agent_dialects::{FileReader, FilesKnown, Piece, Wants};
use agent_protocol::{Message, ModelCall, Origin, ProbeVerdict, Role, Way};

#[derive(Debug)]
pub(super) struct Judged {
    pub(super) verdict: ProbeVerdict,
    pub(super) words: String,
    /// What the model needed help with.
    pub(super) habits: Vec<String>,
}

impl Judged {
    pub(super) fn failed(words: String) -> Self {
        Judged { verdict: ProbeVerdict::Failed, words, habits: Vec::new() }
    }

    /// It works: as it should, or with help.
    fn works(words: &str, taken: Vec<String>) -> Self {
        let mut habits: Vec<String> = Vec::new();
        for habit in taken {
            if !habits.contains(&habit) {
                habits.push(habit);
            }
        }
        if habits.is_empty() {
            return Judged { verdict: ProbeVerdict::Passed, words: words.to_owned(), habits };
        }
        Judged { verdict: ProbeVerdict::Rescued, words: habits.join("; "), habits }
    }

    fn from(result: Result<Self, String>) -> Self {
        result.unwrap_or_else(Judged::failed)
    }
}

#[derive(Debug)]
pub(super) enum After {
    Judged(Judged),
    /// One more request, before that can be said.
    Then(Asked),
}

/// Judges the reply to what was asked.
pub(super) fn judge(asked: Asked, answer: &Answer) -> After {
    After::Judged(match asked {
        Asked::OneCall(tool) => one_call(&tool, answer),
        Asked::TwoCalls(tool) => return two_calls(tool, answer),
        Asked::SecondCall(tool, first) => second_call(&tool, answer, *first),
        Asked::Write(tool) => write(&tool, answer),
        Asked::Edit(tool) => edit(&tool, answer),
        Asked::Stop(_) => stop(answer),
        Asked::Schema(tool) => match held_call(&tool, answer) {
            Ok(()) => Judged::works("a call came, with the tools beside the schema", Vec::new()),
            Err(why) => return After::Then(Asked::SchemaAlone(tool, why)),
        },
        Asked::SchemaAlone(tool, before) => match held_call(&tool, answer) {
            Ok(()) => Judged::works(
                &format!("a call came, without tools beside the schema (with them: {before})"),
                Vec::new(),
            ),
            Err(why) => Judged::failed(format!("{before}; without tools beside the schema {why}")),
        },
        Asked::ThinkOff => return After::Then(Asked::ThinkOn { thought_when_off: has_thought(answer) }),
        Asked::ThinkOn { thought_when_off } => think(thought_when_off, has_thought(answer)),
        Asked::Blocks => blocks(answer),
    })
}

fn one_call(tool: &Tool, answer: &Answer) -> Judged {
    if answer.calls.is_empty() && answer.lost.is_empty() && tells_of_file(&answer.text) {
        return Judged::failed(format!("no call: it made up a result, {}", quoted(&answer.text)));
    }
    Judged::from(only_call(tool, answer).and_then(|taken| {
        is_about(&taken, ONE)?;
        Ok(Judged::works("one call, by the server", taken.habits))
    }))
}

fn two_calls(tool: Tool, answer: &Answer) -> After {
    match answer.calls.as_slice() {
        [(call, _)] => match half(&tool, answer) {
            Ok((habits, missing)) => {
                let (reply, call) = (as_sent(answer), call.clone());
                After::Then(Asked::SecondCall(tool, Box::new(First { reply, call, habits, missing })))
            }
            Err(why) => After::Judged(Judged::failed(why)),
        },
        calls => After::Judged(Judged::from(both(&tool, calls, answer))),
    }
}

/// One good call came alone: what it needed help with, and which file is missing.
fn half(tool: &Tool, answer: &Answer) -> Result<(Vec<String>, &'static str), String> {
    let [first, second] = TWO;
    let taken = only_call(tool, answer)?;
    if is_about(&taken, second).is_ok() {
        return Ok((taken.habits, first));
    }
    is_about(&taken, first)?;
    Ok((taken.habits, second))
}

fn both(tool: &Tool, calls: &[(ModelCall, Origin)], answer: &Answer) -> Result<Judged, String> {
    let [one, other] = calls else {
        let many = || format!("{} calls where two were asked for", calls.len());
        return Err(if calls.is_empty() { no_call(answer) } else { many() });
    };
    let [first, second] = TWO;
    let (mut one, mut other) = (parse_call(tool, one)?, parse_call(tool, other)?);
    if is_about(&one, second).is_ok() {
        std::mem::swap(&mut one, &mut other);
    }
    is_about(&one, first)?;
    is_about(&other, second)?;
    Ok(Judged::works("two calls in one reply", [one.habits, other.habits, lost_beside(answer)].concat()))
}

/// The reply as it goes back to the model.
fn as_sent(answer: &Answer) -> Message {
    let thinking = has_thought(answer).then(|| answer.thinking.clone());
    let calls = answer.calls.iter().map(|(call, _)| call.clone()).collect();
    Message { thinking, calls, ..Message::text(Role::Assistant, answer.text.clone()) }
}

/// The call that follows the result of the first.
fn second_call(tool: &Tool, answer: &Answer, first: First) -> Judged {
    let judged = only_call(tool, answer).and_then(|taken| {
        is_about(&taken, first.missing)?;
        let late = "the calls came one after the other".to_owned();
        Ok(Judged::works("", [vec![late], first.habits, taken.habits].concat()))
    });
    Judged::from(judged.map_err(|why| format!("only one of two calls came; then {why}")))
}

fn write(tool: &Tool, answer: &Answer) -> Judged {
    Judged::from(only_call(tool, answer).and_then(|taken| {
        is_about(&taken, WRITTEN)?;
        let Taken { values, mut habits } = taken;
        let content = without_last_end(values.get(1).map_or("", String::as_str));
        if content != TEXT {
            let difference = difference(TEXT, content);
            if without_blanks(content) != without_blanks(TEXT) {
                return Err(format!("the text is not what was given: {difference}"));
            }
            habits.insert(0, format!("the text differs in white space: {difference}"));
        }
        Ok(Judged::works("the text came as it was given", habits))
    }))
}

fn edit(tool: &Tool, answer: &Answer) -> Judged {
    Judged::from(only_call(tool, answer).and_then(|taken| {
        is_about(&taken, EDITED)?;
        let [_, old, new] = taken.values.as_slice() else { return Err("the call is not complete".into()) };
        let after = match BEFORE.matches(old.as_str()).count() {
            _ if old.is_empty() => return Err("the text to replace is empty".into()),
            0 => return Err(format!("the text to replace is not in the file: {}", quoted(old))),
            1 => BEFORE.replacen(old.as_str(), new, 1),
            places => return Err(format!("the text to replace is in {places} places: {}", quoted(old))),
        };
        if without_last_end(&after) != without_last_end(AFTER) {
            return Err(format!("the edit makes another text: {}", difference(AFTER, &after)));
        }
        Ok(Judged::works("the text to replace was met exactly", taken.habits))
    }))
}

/// The blocks of the answer, read as those of a model that works by files, make of the file what was asked for.
fn blocks(answer: &Answer) -> Judged {
    let known = FilesKnown { shown: vec![EDITED.into()], project: Vec::new(), barred: Vec::new(), wants: Wants::Work };
    let mut reader = FileReader::new(known);
    let pieces = [reader.push(&answer.text), reader.finish()].concat();
    let calls = pieces.iter().filter_map(|piece| match piece {
        Piece::Call(found) if found.name == "edit_file" => Some(&found.arguments),
        _ => None,
    });
    let mut text = greetings("you");
    let mut places = 0;
    for arguments in calls {
        let side = |name: &str| arguments.get(name).and_then(|side| side.as_str()).unwrap_or_default();
        let (old, new) = (side("old_string"), side("new_string"));
        match text.matches(old).count() {
            _ if old.is_empty() => return Judged::failed("a block has nothing to search for".into()),
            1 => text = text.replacen(old, new, 1),
            found => {
                return Judged::failed(format!(
                    "what a block searches for is {found} times in the file: {}",
                    quoted(old)
                ));
            }
        }
        places += 1;
    }
    if places == 0 {
        return Judged::failed(format!("no block: it wrote {}", quoted(&answer.text)));
    }
    let wanted = greetings("stranger");
    if without_last_end(&text) != without_last_end(&wanted) {
        return Judged::failed(format!("the blocks make another text: {}", difference(&wanted, &text)));
    }
    Judged::works("its blocks were met exactly", Vec::new())
}

fn stop(answer: &Answer) -> Judged {
    let text = answer.text.trim();
    let says_it = text.to_lowercase().contains(FACT);
    Judged::from(match answer.calls.first() {
        Some((call, _)) => Err(format!("it called {} again instead of answering", call.name)),
        None if !answer.lost.is_empty() => Err(format!("it tried another call instead of answering: {}", lost(answer))),
        None if answer.cut => Err("it did not come to an end: the reply reached its length limit".into()),
        None if text.is_empty() => Err("it said nothing after the result".into()),
        None if !says_it => Err(format!("the answer does not say what the result says: {}", quoted(text))),
        None => Ok(Judged::works("it answered with what the result says", Vec::new())),
    })
}

/// What came with thinking off, and with thinking on.
fn think(thought_when_off: bool, thought_when_on: bool) -> Judged {
    let words = match (thought_when_off, thought_when_on) {
        (false, true) => return Judged::works("it thinks when told to, and only then", Vec::new()),
        (true, true) => "it thinks even when told not to",
        (false, false) => "it does not think even when told to",
        (true, false) => "it thinks when told not to, and does not when told to",
    };
    Judged::failed(words.into())
}

fn has_thought(answer: &Answer) -> bool {
    !answer.thinking.trim().is_empty()
}

/// The call of a reply that was held to a schema: as JSON, or as the server made it a call all the same.
fn held_call(tool: &Tool, answer: &Answer) -> Result<(), String> {
    let taken = match (answer.calls.as_slice(), schema::parse_reply(&answer.text)) {
        ([], Some(SchemaReply::Call(call))) => tool.parse_arguments(&call)?,
        ([], Some(SchemaReply::Answer(_))) => return Err("it answered instead of calling".into()),
        (_, _) => only_call(tool, answer)?,
    };
    is_about(&taken, ONE)
}

/// The one call of a reply.
fn only_call(tool: &Tool, answer: &Answer) -> Result<Taken, String> {
    match answer.calls.as_slice() {
        [] => Err(no_call(answer)),
        [call] => {
            let Taken { values, habits } = parse_call(tool, call)?;
            Ok(Taken { values, habits: [habits, lost_beside(answer)].concat() })
        }
        calls => Err(format!("{} calls where one was asked for", calls.len())),
    }
}

fn parse_call(tool: &Tool, (call, origin): &(ModelCall, Origin)) -> Result<Taken, String> {
    let Taken { values, habits } = tool.parse_arguments(call)?;
    let way = match (origin.way, &origin.dialect) {
        (Way::Server | Way::Outside | Way::Program | Way::Message, _) => None,
        (Way::Text, Some(dialect)) => Some(format!("the call came as text ({dialect})")),
        (Way::Text, None) => Some("the call came as text".into()),
        (Way::ServerError, _) => Some("the call was read from a server error".into()),
        (Way::Retry, _) => Some("the model was asked again".into()),
        (Way::Constrained, _) => Some("the reply was held to a schema".into()),
    };
    Ok(Taken { values, habits: way.into_iter().chain(origin.repairs.clone()).chain(habits).collect() })
}

/// Why there is no call, as far as the reply tells.
fn no_call(answer: &Answer) -> String {
    let (said, thought) = (!answer.text.trim().is_empty(), has_thought(answer));
    match answer.usage.reply_tokens {
        _ if !answer.lost.is_empty() => format!("its call cannot be used: {}", lost(answer)),
        _ if answer.cut => "no call: the reply reached its length limit first".into(),
        _ if said => format!("no call: it wrote {}", quoted(&answer.text)),
        _ if thought => "no call: it only thought".into(),
        Some(tokens) if tokens > 1 => format!("no call: {tokens} tokens were written, and the server passed on none"),
        Some(_) | None => "no call: the reply was empty".into(),
    }
}

fn lost(answer: &Answer) -> String {
    answer.lost.join("; ")
}

/// A call that cannot be used beside one that can.
fn lost_beside(answer: &Answer) -> Vec<String> {
    let told = || format!("another call cannot be used: {}", lost(answer));
    if answer.lost.is_empty() { Vec::new() } else { vec![told()] }
}

/// Is this the file that was meant?
fn is_about(taken: &Taken, file: &str) -> Result<(), String> {
    let path = taken.values.first().map_or("", String::as_str).trim();
    let bare = path.trim_start_matches("./");
    if bare == file { Ok(()) } else { Err(format!("it named {} instead of {file}", quoted(path))) }
}

/// Does a reply without a call tell what stands in a file nobody has read? Only chooses the words.
fn tells_of_file(text: &str) -> bool {
    const TELLS: [&str; 7] =
        ["tool_response", "tool_output", "observation:", "contains", "contents", "content of", "content:"];
    const SORRY: [&str; 7] = ["cannot", "can't", "unable", "not able", "do not have", "don't have", "?"];
    let text = text.to_lowercase();
    TELLS.iter().any(|word| text.contains(word)) && !SORRY.iter().any(|word| text.contains(word))
}

fn without_last_end(text: &str) -> &str {
    text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Characters of a text that are quoted.
const QUOTED: usize = 60;

/// Characters of a line that are shown around a difference.
const AROUND: usize = 24;

/// Characters before a difference that are shown with it.
const LEAD: usize = 8;

/// The beginning of a text, on one line.
pub(super) fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    excerpt(&line, 0, QUOTED)
}

/// The first difference between what a text should be and what it is.
pub(super) fn difference(wanted: &str, came: &str) -> String {
    let (mut wanted, mut came) = (wanted.split('\n'), came.split('\n'));
    let mut number = 1;
    loop {
        match (wanted.next(), came.next()) {
            (Some(wanted), Some(came)) if wanted == came => number += 1,
            (Some(wanted), Some(came)) => return format!("line {number} {}", difference_in_line(wanted, came)),
            (Some(wanted), None) => return format!("line {number} is missing: {}", excerpt(wanted, 0, AROUND)),
            (None, Some(came)) => return format!("line {number} is one too many: {}", excerpt(came, 0, AROUND)),
            (None, None) => return "nothing".into(),
        }
    }
}

fn difference_in_line(wanted: &str, came: &str) -> String {
    let same = wanted.chars().zip(came.chars()).take_while(|(wanted, came)| wanted == came).count();
    let from = same.saturating_sub(LEAD);
    format!("should be {} and is {}", excerpt(wanted, from, AROUND), excerpt(came, from, AROUND))
}

/// So many characters of a text, in quotes, with what has no shape made visible.
fn excerpt(text: &str, from: usize, length: usize) -> String {
    let shown: String = text.chars().skip(from).take(length).map(visible).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if text.chars().nth(from + length).is_some() { "…" } else { "" };
    format!("`{before}{shown}{after}`")
}

fn visible(c: char) -> char {
    match c {
        '\t' => '⇥',
        c if c.is_control() => '·',
        c => c,
    }
}
