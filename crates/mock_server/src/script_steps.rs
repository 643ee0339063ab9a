//! A script of steps: what a model does step by step, where each step needs something that the model has to see.
//!
//! A list of replies is a model that knows beforehand where everything stands and forgets nothing. One that follows such a script
//! has only what it is sent: what stands on no line of a result any more it looks for again, or, where it does not look,
//! goes on without. So the same script shows what another way of showing files and results costs, and what it saves.

use crate::Step;
use crate::request::{Chat, Heard, HeardCall};
use serde::Deserialize;
use serde_json::Value;

/// One step of such a script.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptStep {
    /// What has to be seen: each of these on a line of some result. What is left out with a note is not seen.
    #[serde(default)]
    pub needs: Vec<String>,
    /// What has to be said somewhere in what it is sent, by whomever. It does not look for it.
    #[serde(default)]
    pub knows: Vec<String>,
    /// How it looks for what it does not see: the first of these whose places are known. An argument
    /// `{"line_of": "fn main", "less": 3}` is the number of the line that holds this, less three, as results tell it.
    #[serde(default)]
    pub looks: Vec<Vec<Step>>,
    /// Where the prompt has more tokens than this, of four characters each, it finds nothing in it, and goes on without.
    #[serde(default)]
    pub at_most: Option<u64>,
    /// So often it looks for what this step needs; then it goes on without.
    #[serde(default = "ScriptStep::usual_tries")]
    pub tries: u32,
    /// What it does where it goes on without; the same as where it sees everything, when absent.
    #[serde(default)]
    pub otherwise: Option<Vec<Step>>,
    pub say: Vec<Step>,
}

impl ScriptStep {
    fn usual_tries() -> u32 {
        4
    }
}

/// How far the script was followed.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    step: usize,
    looked: u32,
}

impl Progress {
    /// What comes next; `None` where it is over.
    pub(crate) fn next(&mut self, steps: &[ScriptStep], chat: &Chat) -> Option<Vec<Step>> {
        let step = steps.get(self.step)?;
        let view = View::of(chat);
        let is_lost = step.at_most.is_some_and(|most| tokens(chat) > most);
        let told = |text: &String| chat.messages.iter().any(|message| message.content.contains(text));
        let sees_all = !is_lost && step.needs.iter().all(|text| view.shows(text)) && step.knows.iter().all(told);
        if !sees_all && !is_lost && self.looked < step.tries {
            let found = step.looks.iter().find_map(|look| placed(look, &view));
            if let Some(look) = found {
                self.looked += 1;
                return Some(look);
            }
        }
        (self.step, self.looked) = (self.step + 1, 0);
        let say = if sees_all { &step.say } else { step.otherwise.as_ref().unwrap_or(&step.say) };
        Some(placed(say, &view).unwrap_or_else(|| say.clone()))
    }
}

/// About so many tokens of messages.
fn tokens(chat: &Chat) -> u64 {
    let call = |call: &HeardCall| call.arguments.to_string().len();
    let message = |message: &Heard| message.content.len() + message.calls.iter().map(call).sum::<usize>();
    chat.messages.iter().map(message).sum::<usize>() as u64 / 4
}

/// The same steps with each place as the number that it has now; `None` where one is not known.
fn placed(steps: &[Step], view: &View<'_>) -> Option<Vec<Step>> {
    let placed = |step: &Step| match step {
        Step::Call { name, arguments } => {
            Some(Step::Call { name: name.clone(), arguments: with_places(arguments, view)? })
        }
        other => Some(other.clone()),
    };
    steps.iter().map(placed).collect()
}

fn with_places(arguments: &Value, view: &View<'_>) -> Option<Value> {
    let Value::Object(fields) = arguments else { return Some(arguments.clone()) };
    if let Some(text) = fields.get("line_of").and_then(Value::as_str) {
        let less = fields.get("less").and_then(Value::as_u64).unwrap_or(0);
        return view.line_of(text).map(|line| Value::from(line.saturating_sub(less).max(1)));
    }
    let fields = fields.iter().map(|(name, value)| Some((name.clone(), with_places(value, view)?)));
    fields.collect::<Option<_>>().map(Value::Object)
}

/// What the model is shown in the results of its calls.
struct View<'a>(Vec<&'a str>);

impl<'a> View<'a> {
    fn of(chat: &'a Chat) -> Self {
        let results = chat.messages.iter().filter(|message| message.role == "tool");
        View(results.flat_map(|result| result.content.lines()).collect())
    }

    /// Does it stand on a line? Remarks in brackets only say where it stands, or that it is gone.
    fn shows(&self, text: &str) -> bool {
        self.0.iter().any(|line| !line.starts_with('[') && line.contains(text))
    }

    /// The number of the line that holds this, as it was told last.
    fn line_of(&self, text: &str) -> Option<u64> {
        self.0.iter().rev().find_map(|line| if line.starts_with('[') { behind(line, text) } else { before(line, text) })
    }
}

/// The number before the text of a line: `12<tab>fn main()`, `12:fn main()`, `src/a.rs: 31 hits, the first 12:fn main()`.
fn before(line: &str, text: &str) -> Option<u64> {
    let head = &line[..line.find(text)?];
    let ends = head.match_indices(['\t', ':']).map(|(at, _)| &head[..at]);
    ends.map(|head| &head[head.trim_end_matches(|sign: char| sign.is_ascii_digit()).len()..])
        .find_map(|figures| figures.parse().ok())
}

/// The number behind a name in a remark: `fn main 12–40`, `offset=12`.
fn behind(line: &str, text: &str) -> Option<u64> {
    let mut rests = line.match_indices(text).map(|(at, _)| &line[at + text.len()..]);
    rests.find_map(|rest| {
        let rest = if text.ends_with('=') { rest } else { rest.strip_prefix(' ')? };
        rest[..rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse_steps(steps: Value) -> Vec<ScriptStep> {
        serde_json::from_value(steps).expect("readable steps")
    }

    /// A conversation with these results.
    fn seen(results: &[&str]) -> Chat {
        let result = |text: &&str| json!({"role": "tool", "tool_name": "read_file", "content": text});
        let messages: Vec<Value> = results.iter().map(result).collect();
        Chat::read(&json!({"model": "m", "messages": messages})).expect("a readable request")
    }

    fn look_then_edit() -> Vec<ScriptStep> {
        parse_steps(json!([{
            "needs": ["fn area("],
            "looks": [
                [{"call": {"name": "read_file", "arguments": {"offset": {"line_of": "area", "less": 2}}}}],
                [{"call": {"name": "grep_search", "arguments": {"pattern": "area"}}}],
            ],
            "tries": 2,
            "otherwise": [{"text": "I do not know."}],
            "say": [{"text": "Done."}],
        }]))
    }

    #[test]
    fn what_is_not_seen_is_looked_for_where_it_is_said_to_stand() {
        let (steps, mut progress) = (look_then_edit(), Progress::default());
        let search = progress.next(&steps, &seen(&["nothing here"]));
        assert_eq!(search, Some(vec![Step::call("grep_search", json!({"pattern": "area"}))]));
        let outlined = seen(&["1\tmod a;\n[lines 2–90 not shown; fn area 40–44 · fn side 50]"]);
        assert_eq!(progress.next(&steps, &outlined), Some(vec![Step::call("read_file", json!({"offset": 38}))]));
        let shown = seen(&["40\tfn area() {"]);
        assert_eq!(progress.next(&steps, &shown), Some(vec![Step::text("Done.")]));
        assert_eq!(progress.next(&steps, &shown), None, "the script is over");
    }

    #[test]
    fn who_looked_in_vain_goes_on_without() {
        let (steps, mut progress) = (look_then_edit(), Progress::default());
        for _ in 0..2 {
            let look = progress.next(&steps, &seen(&[]));
            assert_eq!(look, Some(vec![Step::call("grep_search", json!({"pattern": "area"}))]));
        }
        assert_eq!(progress.next(&steps, &seen(&[])), Some(vec![Step::text("I do not know.")]));
    }

    #[test]
    fn places_are_read_from_every_kind_of_result() {
        let line = |result: &str, text: &str| View::of(&seen(&[result])).line_of(text);
        assert_eq!(line("a.rs\n12:fn area() {\n30:    area();\n", "fn area"), Some(12));
        assert_eq!(line("a.rs: 31 hits, the first 12:fn area() {", "fn area"), Some(12));
        assert_eq!(line("7\tlet a = 3: u8;\n", "3: u8"), Some(7));
        assert_eq!(line("[lines 2–90 not shown; fn area 40–44 · fn side 50]", "side"), Some(50));
        assert_eq!(line("[lines 2–90 not shown; fn area 40–44; offset=2 shows more]", "offset="), Some(2));
        assert_eq!(line("an area of 40", "area"), None);
        let chat = seen(&["3\tfn area", "9\tfn area"]);
        assert_eq!(View::of(&chat).line_of("fn area"), Some(9), "what was told last counts");
    }

    #[test]
    fn a_model_that_is_sent_too_much_finds_nothing_in_it() {
        let steps =
            json!([{"needs": ["fn area("], "at_most": 100, "say": [{"text": "a"}], "otherwise": [{"text": "b"}]}]);
        let says = |results: &[&str]| Progress::default().next(&parse_steps(steps.clone()), &seen(results));
        assert_eq!(says(&["fn area("]), Some(vec![Step::text("a")]));
        assert_eq!(says(&["fn area(", &"word ".repeat(100)]), Some(vec![Step::text("b")]));
    }

    #[test]
    fn what_has_to_be_said_may_stand_anywhere() {
        let steps = json!([{"knows": ["(+3"], "say": [{"text": "a"}], "otherwise": [{"text": "b"}]}]);
        let says = |results: &[&str]| Progress::default().next(&parse_steps(steps.clone()), &seen(results));
        assert_eq!(says(&["[changed: a.rs (+3 −1)]"]), Some(vec![Step::text("a")]));
        assert_eq!(says(&["nothing"]), Some(vec![Step::text("b")]));
    }

    #[test]
    fn what_is_only_named_in_a_remark_is_not_seen() {
        let chat = seen(&["[result of read_file a.rs: 40 lines, left out to make room; fn area( 3]"]);
        assert!(!View::of(&chat).shows("fn area("));
    }
}
