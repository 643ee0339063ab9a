//! A session as a trajectory in ATIF, held to the fields that Harbor's models name: an unknown one is an error there.

use agent_protocol::*;
use agent_session::export::atif;
use serde_json::{Value, json};

const ROOT: &[&str] = &[
    "schema_version",
    "session_id",
    "trajectory_id",
    "agent",
    "steps",
    "notes",
    "final_metrics",
    "continued_trajectory_ref",
    "extra",
    "subagent_trajectories",
];
const AGENT: &[&str] = &["name", "version", "model_name", "tool_definitions", "extra"];
const STEP: &[&str] = &[
    "step_id",
    "timestamp",
    "source",
    "model_name",
    "reasoning_effort",
    "message",
    "reasoning_content",
    "tool_calls",
    "observation",
    "metrics",
    "is_copied_context",
    "llm_call_count",
    "extra",
];
const OF_AGENTS: &[&str] = &["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];
const CALL: &[&str] = &["tool_call_id", "function_name", "arguments", "extra"];
const RESULT: &[&str] = &["source_call_id", "content", "subagent_trajectory_ref", "extra"];
const METRICS: &[&str] = &[
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "cost_usd",
    "prompt_token_ids",
    "completion_token_ids",
    "logprobs",
    "extra",
];
const SUMS: &[&str] = &[
    "total_prompt_tokens",
    "total_completion_tokens",
    "total_cached_tokens",
    "total_cost_usd",
    "total_steps",
    "extra",
];

/// Fields that are none of those that `known` lists, or lack of those that are `needed`.
fn fields(at: &str, value: &Value, known: &[&str], needed: &[&str]) -> Vec<String> {
    let Some(object) = value.as_object() else { return vec![format!("{at} is no object")] };
    let unknown = object.keys().filter(|name| !known.contains(&name.as_str())).map(|name| format!("{at}.{name}"));
    let missing = needed.iter().filter(|name| !object.contains_key(**name)).map(|name| format!("{at} lacks {name}"));
    let extra = object.get("extra").filter(|extra| !extra.is_object()).map(|_| format!("{at}.extra is no object"));
    unknown.chain(missing).chain(extra).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What Harbor's models would refuse.
fn faults(whole: &Value) -> Vec<String> {
    let mut faults = fields("root", whole, ROOT, &["schema_version", "agent", "steps"]);
    faults.extend(fields("agent", &whole["agent"], AGENT, &["name", "version"]));
    faults.extend(fields("sums", &whole["final_metrics"], SUMS, &[]));
    if list(&whole["steps"]).is_empty() {
        faults.push("no step".into());
    }
    for (at, step) in list(&whole["steps"]).iter().enumerate() {
        if step["step_id"] != json!(at + 1) {
            faults.push(format!("step {at} has the number {}", step["step_id"]));
        }
        faults.extend(of_step(&format!("step {}", at + 1), step, whole));
    }
    for inner in list(&whole["subagent_trajectories"]) {
        if !inner["trajectory_id"].is_string() {
            faults.push("an inner trajectory has no name".into());
        }
        faults.extend(self::faults(inner));
    }
    faults
}

fn of_step(at: &str, step: &Value, whole: &Value) -> Vec<String> {
    let mut faults = fields(at, step, STEP, &["step_id", "source", "message"]);
    let source = step["source"].as_str().unwrap_or_default();
    if !["system", "user", "agent"].contains(&source) || !step["message"].is_string() {
        faults.push(format!("{at}: source or message"));
    }
    let of_agents = OF_AGENTS.iter().filter(|name| source != "agent" && step.get(**name).is_some());
    faults.extend(of_agents.map(|name| format!("{at}: {name} with {source}")));
    if step["llm_call_count"] == 0 && (step.get("metrics").is_some() || step.get("reasoning_content").is_some()) {
        faults.push(format!("{at}: no reply, and what only a reply has"));
    }
    if let Some(metrics) = step.get("metrics") {
        faults.extend(fields(&format!("{at}.metrics"), metrics, METRICS, &[]));
    }
    let calls = list(&step["tool_calls"]);
    for call in calls {
        faults.extend(fields(&format!("{at}.call"), call, CALL, &["tool_call_id", "function_name", "arguments"]));
        faults.extend((!call["arguments"].is_object()).then(|| format!("{at}: arguments are no object")));
    }
    for result in list(&step["observation"]["results"]) {
        faults.extend(fields(&format!("{at}.result"), result, RESULT, &[]));
        let known = calls.iter().any(|call| call["tool_call_id"] == result["source_call_id"]);
        faults.extend((!known).then(|| format!("{at}: a result of no call")));
        for reference in list(&result["subagent_trajectory_ref"]) {
            let inner = list(&whole["subagent_trajectories"]);
            let leads = inner.iter().any(|inner| inner["trajectory_id"] == reference["trajectory_id"]);
            faults.extend((!leads).then(|| format!("{at}: a reference that leads nowhere")));
        }
    }
    faults
}

fn card() -> SessionCard {
    SessionCard {
        id: SessionId("20261122-134501-3f9a".into()),
        title: "Fix it".into(),
        project: "/home/a/p".into(),
        began: 1_795_355_101,
        updated: 1_795_355_200,
        model: Some("qwen3:8b".into()),
        turns: 1,
        bytes: 1_000,
        parent: None,
        open: false,
    }
}

/// A session of these events, each as it is written down.
fn session(events: &[Value]) -> Vec<Record> {
    let setting = Setting {
        project: "/home/a/p".into(),
        instructions: "be brief".into(),
        tools: vec!["read_file".into()],
        version: "0.1.0".into(),
    };
    let event = |event: &Value| Record::Event { event: serde_json::from_value(event.clone()).unwrap() };
    std::iter::once(Record::Setting(setting)).chain(events.iter().map(event)).collect()
}

fn written(records: &[Record]) -> Value {
    let whole: Value = serde_json::from_str(&atif(&card(), records).unwrap()).unwrap();
    assert_eq!(faults(&whole), Vec::<String>::new(), "{whole:#}");
    whole
}

fn proposed(id: u64, name: &str, arguments: Value) -> Value {
    json!({"type": "proposed", "call": {"id": id, "name": name, "arguments": arguments}})
}

fn finished(id: u64, told: &str) -> Value {
    let outcome = json!({"status": {"status": "exited", "code": 1}, "told": told, "summary": "exit 1"});
    json!({"type": "finished", "call": id, "outcome": outcome})
}

fn replied(prompt: u64, cached: u64, reply: u64) -> Value {
    let usage = json!({"prompt_tokens": prompt, "cached_tokens": cached, "reply_tokens": reply, "total_ns": 5});
    json!({"type": "replied", "usage": usage})
}

fn ended() -> Value {
    json!({"type": "turn_ended", "turn": 1, "reason": {"reason": "done"}, "usage": {}})
}

#[test]
fn a_reply_its_calls_and_their_results_are_one_step() {
    let whole = written(&session(&[
        json!({"type": "turn_started", "turn": 1, "text": "fix it"}),
        json!({"type": "thinking", "text": "I should "}),
        json!({"type": "thinking", "text": "look."}),
        json!({"type": "text", "text": "Looking."}),
        replied(1_000, 200, 50),
        proposed(1, "run_command", json!({"command": "make"})),
        proposed(2, "read_file", json!("a.rs")),
        finished(1, "it fails"),
        finished(2, "no arguments"),
        json!({"type": "text", "text": "Done."}),
        replied(1_300, 1_000, 10),
        ended(),
    ]));
    let steps = list(&whole["steps"]);
    let sources: Vec<_> = steps.iter().map(|step| step["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["system", "user", "agent", "agent"]);
    let step = &steps[2];
    assert_eq!((&step["reasoning_content"], &step["message"]), (&json!("I should look."), &json!("Looking.")));
    assert_eq!(step["tool_calls"][1]["arguments"], json!({"arguments": "a.rs"}));
    assert_eq!(step["observation"]["results"][0]["source_call_id"], "call-1");
    assert_eq!(step["observation"]["results"][0]["extra"]["code"], 1);
    let metrics =
        json!({"prompt_tokens": 1_000, "cached_tokens": 200, "completion_tokens": 50, "extra": {"total_ns": 5}});
    assert_eq!(step["metrics"], metrics);
    assert_eq!(steps[3]["extra"]["ended"]["reason"], "done");
    let sums = &whole["final_metrics"];
    let sums = [&sums["total_prompt_tokens"], &sums["total_cached_tokens"], &sums["total_completion_tokens"]];
    assert_eq!(sums, [&json!(2_300), &json!(1_200), &json!(60)]);
}

#[test]
fn what_the_program_does_by_itself_is_no_reply_and_what_it_tells_the_model_is_a_step() {
    let mut records = session(&[json!({"type": "turn_started", "turn": 1, "text": "fix it"}), replied(10, 0, 1)]);
    let remark = Message::by(Role::User, PartOrigin::Program, "the check fails");
    let talk =
        |from, messages| Record::Conversation { from, messages, broken_tail: false, settled: false, unsent: false };
    records.push(talk(0, vec![Message::text(Role::User, "fix it"), remark.clone()]));
    records.push(talk(0, vec![remark]));
    let mut call = proposed(3, "run_command", json!({"command": "make"}));
    call["call"]["origin"] = json!({"way": "program"});
    records.extend(session(&[call, finished(3, "ok")]).split_off(1));
    let whole = written(&records);
    let steps = list(&whole["steps"]);
    let counts: Vec<_> = steps.iter().filter_map(|step| step.get("llm_call_count")).collect();
    assert_eq!(counts, [&json!(1), &json!(0)], "{whole:#}");
    let told = steps.iter().filter(|step| step["message"] == "the check fails").count();
    assert_eq!(told, 1, "what was made shorter is not told twice");
}

#[test]
fn what_an_agent_did_is_a_trajectory_inside_and_another_model_is_named() {
    let inner = |event: Value| json!({"type": "delegated", "call": 1, "event": event});
    let whole = written(&session(&[
        json!({"type": "turn_started", "turn": 1, "text": "ask somebody"}),
        replied(10, 0, 1),
        proposed(1, "task", json!({})),
        inner(json!({"type": "text", "text": "Found."})),
        inner(replied(70, 0, 7)),
        finished(1, "Found."),
        proposed(2, "task", json!({})),
        finished(2, "There is no such agent."),
        json!({"type": "model_set", "card": {"name": "other:1b"}, "window": 1}),
        json!({"type": "text", "text": "Good."}),
        replied(20, 0, 2),
    ]));
    let step = &whole["steps"][2];
    let reference = json!([{"trajectory_id": "agent-of-call-1"}]);
    assert_eq!(step["observation"]["results"][0]["subagent_trajectory_ref"], reference);
    assert_eq!(step["observation"]["results"][1].get("subagent_trajectory_ref"), None);
    assert_eq!(whole["subagent_trajectories"][0]["final_metrics"]["total_prompt_tokens"], 70);
    assert_eq!(whole["steps"][3]["model_name"], "other:1b");
    assert_eq!(step.get("model_name"), None);
}

#[test]
fn what_harbor_would_refuse_is_found() {
    let good = written(&session(&[
        json!({"type": "turn_started", "turn": 1, "text": "go"}),
        replied(1, 0, 1),
        proposed(1, "a", json!({})),
        finished(1, "b"),
    ]));
    let spoiled = |path: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = value;
        faults(&bad).len()
    };
    assert!(spoiled("/steps/1/step_id", json!(7)) > 0);
    assert!(spoiled("/steps/2/source", json!("tool")) > 0);
    assert!(spoiled("/steps/2/metrics", json!({"tokens": 1})) > 0);
    assert!(spoiled("/steps/2/tool_calls/0/arguments", json!("x")) > 0);
    assert!(spoiled("/steps/2/observation/results/0/source_call_id", json!("call-9")) > 0);
    assert!(atif(&card(), &[]).is_none(), "a trajectory has at least one step");
}
