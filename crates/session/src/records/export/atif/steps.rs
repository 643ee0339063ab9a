//! The steps of a trajectory: what is said, and each reply of the model with its calls and what came of them.

use agent_protocol::{CallId, Outcome, Status, ToolCall, Usage, Way};
use serde_json::{Map, Value, json};
pub(super) struct Steps {
    all: Vec<Step>,
    /// The last of them is a reply that can still grow.
    open: bool,
    /// The model of the trajectory, and the one that answers now.
    model: Option<String>,
    current: Option<String>,
}

/// Who a step is by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    System,
    User,
    Agent,
}

/// What only a step of the agent has.
#[derive(Default)]
struct Reply {
    model: Option<String>,
    thinking: String,
    calls: Vec<(CallId, Map<String, Value>)>,
    results: Vec<Map<String, Value>>,
    usage: Option<Usage>,
}

struct Step {
    source: Source,
    message: String,
    /// Empty where the step is by somebody else.
    reply: Reply,
    extra: Map<String, Value>,
}

impl Steps {
    pub(super) fn new(model: Option<String>) -> Self {
        Steps { all: Vec::new(), open: false, current: model.clone(), model }
    }

    /// From here on this model answers.
    pub(super) fn model(&mut self, name: &str) {
        self.model.get_or_insert_with(|| name.to_owned());
        self.current = Some(name.to_owned());
    }

    pub(super) fn system(&mut self, text: &str, extra: Value) {
        let extra = extra.as_object().cloned().unwrap_or_default();
        self.push(Step { source: Source::System, message: text.to_owned(), reply: Reply::default(), extra });
    }

    pub(super) fn user(&mut self, text: &str) {
        self.push(Step { source: Source::User, message: text.to_owned(), reply: Reply::default(), extra: Map::new() });
    }

    fn push(&mut self, step: Step) {
        self.open = false;
        if !step.message.trim().is_empty() {
            self.all.push(step);
        }
    }

    pub(super) fn thinking(&mut self, text: &str) {
        self.unanswered().1.thinking.push_str(text);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.unanswered().0.push_str(text);
    }

    pub(super) fn was_thinking(&mut self, text: &str) {
        let (message, reply) = self.unanswered();
        message.clear();
        reply.thinking.push_str(text);
    }

    pub(super) fn replied(&mut self, usage: &Usage) {
        self.unanswered().1.usage = Some(*usage);
    }

    /// Calls come behind the reply that holds them. Those of the program itself, and of messages, have none.
    pub(super) fn proposed(&mut self, call: &ToolCall) {
        let mut entry = Map::new();
        entry.insert("tool_call_id".into(), id_of_call(call.id).into());
        entry.insert("function_name".into(), call.name().into());
        entry.insert("arguments".into(), arguments(&call.call.arguments));
        if !call.origin.is_plain() {
            let origin = serde_json::to_value(&call.origin).unwrap_or_default();
            entry.insert("extra".into(), json!({"origin": origin}));
        }
        let nobodys = matches!(call.origin.way, Way::Program | Way::Message);
        if nobodys {
            self.open = false;
        }
        self.reply().1.calls.push((call.id, entry));
        if nobodys {
            self.open = false;
        }
    }

    /// The call was changed before it was carried out.
    pub(super) fn understood(&mut self, call: CallId, name: &str, notes: &[String]) {
        let Some(reply) = self.holder(call) else { return };
        let Some((_, entry)) = reply.calls.iter_mut().find(|(id, _)| *id == call) else { return };
        let extra = entry.entry("extra").or_insert_with(|| json!({}));
        extra["understood"] = json!({"name": name, "notes": notes});
    }

    pub(super) fn finished(&mut self, call: CallId, outcome: &Outcome, agent: Option<&str>) {
        let mut result = Map::new();
        result.insert("source_call_id".into(), id_of_call(call).into());
        result.insert("content".into(), outcome.told.clone().into());
        if let Some(agent) = agent {
            result.insert("subagent_trajectory_ref".into(), json!([{"trajectory_id": agent}]));
        }
        let changed: Vec<_> = outcome.changed.iter().filter_map(|file| serde_json::to_value(file).ok()).collect();
        let mut extra = status(outcome.status);
        extra.insert("summary".into(), outcome.summary.clone().into());
        if !changed.is_empty() {
            extra.insert("changed".into(), changed.into());
        }
        result.insert("extra".into(), extra.into());
        if let Some(reply) = self.holder(call) {
            reply.results.push(result);
        }
    }

    /// Something of ours about the last step of the agent; several of a kind become a list.
    pub(super) fn remark(&mut self, name: &str, value: Value) {
        let Some(step) = self.all.iter_mut().rev().find(|step| step.source == Source::Agent) else { return };
        match step.extra.get_mut(name) {
            None => drop(step.extra.insert(name.to_owned(), value)),
            Some(Value::Array(list)) => list.push(value),
            Some(one) => *one = json!([one.clone(), value]),
        }
    }

    pub(super) fn close(&mut self) {
        self.open = false;
    }

    /// The reply that is written now, which has not come to its end.
    fn unanswered(&mut self) -> (&mut String, &mut Reply) {
        if let Some(Step { reply, .. }) = self.all.last() {
            self.open &= reply.usage.is_none() && reply.calls.is_empty();
        }
        self.reply()
    }

    fn reply(&mut self) -> (&mut String, &mut Reply) {
        if !self.open {
            let reply = Reply { model: self.current.clone(), ..Reply::default() };
            self.all.push(Step { source: Source::Agent, message: String::new(), reply, extra: Map::new() });
            self.open = true;
        }
        let Step { message, reply, .. } = self.all.last_mut().expect("one was made where none was open");
        (message, reply)
    }

    /// The reply with this call. Numbers are not used twice in a session; the last is meant where they are.
    fn holder(&mut self, call: CallId) -> Option<&mut Reply> {
        let mut replies = self.all.iter_mut().rev().map(|step| &mut step.reply);
        replies.find(|reply| reply.calls.iter().any(|(id, _)| *id == call))
    }

    /// All of them and their sums; `None` where there are none. References lead to agents that are there.
    pub(super) fn finish(self, is_there: impl Fn(&str) -> bool) -> Option<(Vec<Value>, Value)> {
        let mut sums = Sums::default();
        let mut steps = Vec::new();
        for (at, step) in self.all.into_iter().enumerate() {
            steps.push(step.object(at + 1, self.model.as_deref(), &mut sums, &is_there));
        }
        let count = steps.len();
        (count > 0).then(|| (steps, sums.object(count)))
    }
}

impl Step {
    fn object(self, id: usize, model: Option<&str>, sums: &mut Sums, is_there: &impl Fn(&str) -> bool) -> Value {
        let mut step = Map::new();
        step.insert("step_id".into(), id.into());
        let source = match &self.source {
            Source::System => "system",
            Source::User => "user",
            Source::Agent => "agent",
        };
        step.insert("source".into(), source.into());
        step.insert("message".into(), self.message.clone().into());
        if self.source == Source::Agent {
            let said = !self.message.is_empty() || !self.reply.thinking.is_empty();
            self.reply.fill(&mut step, said, model, sums, is_there);
        }
        if !self.extra.is_empty() {
            step.insert("extra".into(), self.extra.into());
        }
        step.into()
    }
}

impl Reply {
    fn fill(
        self,
        step: &mut Map<String, Value>,
        said: bool,
        model: Option<&str>,
        sums: &mut Sums,
        is_there: &impl Fn(&str) -> bool,
    ) {
        let by_model = said || self.usage.is_some();
        step.insert("llm_call_count".into(), u64::from(by_model).into());
        let other = self.model.filter(|name| by_model && Some(name.as_str()) != model);
        step.extend(other.map(|name| ("model_name".to_owned(), name.into())));
        if !self.thinking.is_empty() {
            step.insert("reasoning_content".into(), self.thinking.into());
        }
        if !self.calls.is_empty() {
            step.insert("tool_calls".into(), self.calls.into_iter().map(|(_, entry)| Value::from(entry)).collect());
        }
        if !self.results.is_empty() {
            let results: Vec<Value> = self.results.into_iter().map(|result| referring(result, is_there)).collect();
            step.insert("observation".into(), json!({"results": results}));
        }
        if let Some(usage) = self.usage {
            step.insert("metrics".into(), sums.add(&usage));
        }
    }
}

/// A reference that leads nowhere is an error in ATIF.
fn referring(mut result: Map<String, Value>, is_there: &impl Fn(&str) -> bool) -> Value {
    let leads = result.get("subagent_trajectory_ref").and_then(|list| list[0]["trajectory_id"].as_str().map(is_there));
    if leads == Some(false) {
        result.remove("subagent_trajectory_ref");
    }
    result.into()
}

/// Tokens of all steps. `prompt` includes the cached ones, as it does in what servers tell.
#[derive(Default)]
struct Sums {
    prompt: u64,
    cached: u64,
    completion: u64,
    nanoseconds: u64,
}

impl Sums {
    fn add(&mut self, usage: &Usage) -> Value {
        self.prompt += usage.prompt_tokens.unwrap_or(0);
        self.cached += usage.cached_tokens.unwrap_or(0);
        self.completion += usage.reply_tokens.unwrap_or(0);
        self.nanoseconds += usage.total_ns.unwrap_or(0);
        let known = [
            ("prompt_tokens", usage.prompt_tokens),
            ("cached_tokens", usage.cached_tokens),
            ("completion_tokens", usage.reply_tokens),
        ];
        let mut metrics: Map<String, Value> =
            known.into_iter().filter_map(|(name, count)| Some((name.to_owned(), count?.into()))).collect();
        let times = [("prompt_ns", usage.prompt_ns), ("reply_ns", usage.reply_ns), ("total_ns", usage.total_ns)];
        let times: Map<String, Value> =
            times.into_iter().filter_map(|(name, time)| Some((name.to_owned(), time?.into()))).collect();
        if !times.is_empty() {
            metrics.insert("extra".into(), times.into());
        }
        metrics.into()
    }

    fn object(&self, steps: usize) -> Value {
        json!({
            "total_prompt_tokens": self.prompt,
            "total_cached_tokens": self.cached,
            "total_completion_tokens": self.completion,
            "total_steps": steps,
            "extra": {"total_ns": self.nanoseconds},
        })
    }
}

fn id_of_call(call: CallId) -> String {
    format!("call-{}", call.0)
}

/// They have to be an object. What a model wrote instead is kept inside of one.
fn arguments(written: &Value) -> Value {
    match written {
        Value::Object(_) => written.clone(),
        Value::Null => json!({}),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => json!({"arguments": written}),
    }
}

/// How it ended: `status`, and what belongs to it.
fn status(status: Status) -> Map<String, Value> {
    match serde_json::to_value(status) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    }
}
