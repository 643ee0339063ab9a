//! Every tool goes through the whole loop: each case of the tools is called from outside, asked about and answered yes,
//! and must end and leave the project as it does on the tools' own floor. What belongs to a model is called by one.

use crate::case::{Case, cases};
use crate::scripted::*;
use crate::stage::{compare, lay_out, script, tree};
use agent_protocol::*;
use agent_protocol::{CallEvent, CallOp, TurnEvent};
use agent_tools::Toolbox;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Tools whose way through the loop has tests of its own, and where.
const ELSEWHERE: &[(&str, &str)] = &[("task", "agents.rs")];

/// How a case went.
enum Went {
    /// As it should, by this tool.
    Through { tool: String, done: bool },
    /// It could not be played here.
    LeftOut { why: String },
}

#[expect(clippy::print_stdout, reason = "what is left out is said")]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_case_ends_in_the_loop_as_it_does_without() {
    let mut running = tokio::task::JoinSet::new();
    let (mut faults, mut left_out, mut tools) = (String::new(), 0, BTreeMap::<String, bool>::new());
    let mut waiting = cases().into_iter();
    loop {
        // A few at a time: each is a whole session.
        while running.len() < 6
            && let Some(case) = waiting.next()
        {
            running.spawn(async move { (case.name.clone(), play(&case).await) });
        }
        let Some(ended) = running.join_next().await else { break };
        match ended.unwrap() {
            (_, Ok(Went::Through { tool, done })) => *tools.entry(tool).or_default() |= done,
            (name, Ok(Went::LeftOut { why })) => {
                left_out += 1;
                println!("left out: {name}: {why}");
            }
            (name, Err(fault)) => faults.push_str(&format!("\n--- {name}\n{fault}\n")),
        }
    }
    let refused: Vec<&String> = tools.iter().filter(|(_, done)| !**done).map(|(tool, _)| tool).collect();
    println!("{left_out} left out; never done, only refused: {refused:?}");
    assert!(faults.is_empty(), "{faults}");
    tools.extend(of_a_model().await.into_iter().map(|tool| (tool, true)));
    assert_eq!(missing(&tools.into_keys().collect()), Vec::<String>::new(), "these never went through the loop");
}

/// Tools of the registry that did not go through.
fn missing(went: &BTreeSet<String>) -> Vec<String> {
    let elsewhere = |name: &str| ELSEWHERE.iter().any(|(known, _)| *known == name);
    let groups = Toolbox::new(std::env::temp_dir()).groups();
    let names = groups.into_iter().flat_map(|group| group.specs).map(|spec| spec.name);
    names.filter(|name| !went.contains(name) && !elsewhere(name)).collect()
}

async fn play(case: &Case) -> Result<Went, String> {
    let calling: Value = serde_json::from_str(&case.call()).map_err(|error| error.to_string())?;
    let place = crate::scripted::folder();
    let project = place.path().canonicalize().unwrap().join("project");
    lend_user_folder(place.path());
    lay_out(case, &project)?;
    lend_rust(&place.path().join("home"));
    let skills = skills(&calling, &project);
    let at_once = calling["at_once"].as_u64().map(Duration::from_secs);
    let levers = calling.get("levers").cloned().unwrap_or_else(|| json!({}));
    let levers = serde_json::from_value(levers).map_err(|error| error.to_string())?;
    let usual = Opening { kept: false, levers, ..Opening::default() };
    let opening = Opening { mode: Mode::Safe, groups: groups(&calling), skills, at_once, ..usual };
    let mut session = open_in(place, opening);
    for earlier in calling["earlier"].as_array().into_iter().flatten() {
        let Called { outcome, .. } = call(&mut session, earlier, None, None).await?;
        if outcome.status != Status::Done {
            return Err(format!("an earlier call: {}", outcome.told));
        }
    }
    script(case, "meanwhile", &project)?;
    let amend = calling.get("amend").map(|amend| proposal(amend, &project));
    let Called { outcome, tool, before, staged } = call(&mut session, &calling, amend, Some(case)).await?;
    let went = Went::Through { tool, done: matches!(outcome.status, Status::Done | Status::Exited { .. }) };
    if outcome.status == (Status::Failed { kind: FailureKind::NotInstalled }) {
        return Ok(Went::LeftOut { why: outcome.told });
    }
    if !staged {
        return Ok(Went::LeftOut {
            why: "what happens between plan and deed cannot be staged: nobody is asked".into(),
        });
    }
    if let Some(why) = otherwise_judged(case, &calling, outcome.status) {
        return Ok(Went::LeftOut { why });
    }
    let expected = expected(&case.said());
    let status = format!("{:?}", outcome.status);
    if expected.as_ref().is_some_and(|expected| *expected != status) {
        return Err(format!("it ended as {status}, not {}: {}", expected.unwrap_or_default(), outcome.told));
    }
    compare(case, before, &project)?;
    script(case, "check", &project)?;
    session.leave().await;
    Ok(went)
}

/// Formatters of Rust are started through a program that looks for them at home.
fn lend_rust(home: &Path) {
    let own = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".rustup"));
    if let Some(own) = own.filter(|own| own.is_dir()) {
        std::os::unix::fs::symlink(own, home.join(".rustup")).unwrap();
    }
}

/// The cases know the user's own folder as one beside the project.
fn lend_user_folder(place: &Path) {
    let own = place.join("home/.config/agent");
    std::fs::create_dir_all(&own).unwrap();
    std::os::unix::fs::symlink(own, place.join("user")).unwrap();
}

fn skills(case: &Value, project: &Path) -> Vec<SkillCard> {
    let card = |(name, description): (&String, &Value)| SkillCard {
        name: name.clone(),
        description: description.as_str().unwrap().into(),
        path: project.join(".agent/skills").join(name).join("SKILL.md"),
    };
    case["skills"].as_object().into_iter().flatten().map(card).collect()
}

/// The cases are judged in unsafe mode, and without a person who could have changed what is refused outright.
fn otherwise_judged(case: &Case, calling: &Value, status: Status) -> Option<String> {
    let denied = status == Status::Failed { kind: FailureKind::Denied };
    if calling.get("amend").is_some() && denied {
        return Some("it is refused before anybody could change it".into());
    }
    let refused = expected(&case.said()).is_some_and(|expected| expected.contains(": Denied "));
    (refused && !denied).then(|| "safe mode asks where unsafe mode refuses".into())
}

fn groups(case: &Value) -> Vec<String> {
    let some = case["groups"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let some: Vec<String> = some.map(str::to_owned).collect();
    if some.is_empty() {
        return Toolbox::new(std::env::temp_dir()).groups().iter().map(|group| group.name.into()).collect();
    }
    [vec!["core".to_owned(), "plan".to_owned()], some].concat()
}

fn proposal(amend: &Value, project: &Path) -> Proposal {
    match serde_json::from_value(amend.clone()).unwrap() {
        Proposal::Text { path, text } => Proposal::Text { path: project.join(path), text },
        other => other,
    }
}

/// The status that a case says, in its debug form, however far its call came.
fn expected(said: &str) -> Option<String> {
    let line = |start: &str| said.lines().find_map(|line| line.strip_prefix(start).map(str::to_owned));
    let failed = |kind: String| format!("Failed {{ kind: {kind} }}");
    let failed_at = line("failed at reach: ").or_else(|| line("failed at plan: "));
    line("status: ")
        .or_else(|| failed_at.map(failed))
        .or_else(|| line("denied: ").map(|_| failed("Denied".into())))
        .or_else(|| line("impossible: ").map(|_| failed("InvalidArguments".into())))
}

/// What came of a call.
struct Called {
    outcome: Outcome,
    /// Our own name of what was called.
    tool: String,
    /// The project right before the deed.
    before: crate::stage::Tree,
    /// What has to happen between plan and deed did, if anything has to.
    staged: bool,
}

/// One call from outside; every question is answered yes, after `between` of the case has run where that is about the deed.
async fn call(
    session: &mut Session,
    call: &Value,
    mut amend: Option<Proposal>,
    between: Option<&Case>,
) -> Result<Called, String> {
    let project = session.project();
    let name = call["name"].as_str().unwrap_or_default().to_owned();
    let between = between.filter(|case| case.script("between").is_some());
    let mut called = (name.clone(), tree(&project), between.is_none());
    session.op(Op::Call(CallOp::Call { name, arguments: call["arguments"].clone() }));
    let mut outcome = None;
    loop {
        let event = session.events.recv().await.ok_or("the session ended")?;
        match event {
            Event::Call(CallEvent::Understood { name, .. }) => called.0 = name,
            Event::Call(CallEvent::Asked { question }) => {
                let looks = matches!(question.subject, Subject::Action { action: Action::Read { .. } });
                let answer = match amend.take_if(|_| !looks) {
                    Some(proposal) => Answer::Instead { proposal },
                    None => {
                        if let Some(case) = between.filter(|_| !looks && !called.2) {
                            script(case, "between", &project)?;
                            called.2 = true;
                        }
                        Answer::Yes { remember: None, word: None }
                    }
                };
                called.1 = tree(&project);
                session.op(Op::Call(CallOp::Reply { ask: question.id, answer }));
            }
            Event::Call(CallEvent::Finished { outcome: ended, .. }) => outcome = Some(ended),
            Event::Turn(TurnEvent::Ended { .. }) => break,
            _ => {}
        }
    }
    let (tool, before, staged) = called;
    Ok(Called { outcome: outcome.ok_or("it never finished")?, tool, before, staged })
}

/// What is between a model and its person goes through the loop when a model calls it. Gives the names of what did.
async fn of_a_model() -> Vec<String> {
    let todos = json!({"todos": [{"id": "1", "content": "look", "status": "in_progress"}]});
    let question = json!({"question": "which?", "choices": ["this", "that"]});
    let cases = [
        (Mode::Safe, "todo_write", todos),
        (Mode::Safe, "ask_user", question),
        (Mode::Plan, "exit_plan_mode", json!({"plan": "1. look"})),
    ];
    let mut went = Vec::new();
    for (mode, name, arguments) in cases {
        let mut session = open(mode, vec![calls(name, arguments), says("fine")]);
        session.say("go");
        loop {
            match session.events.recv().await.unwrap() {
                Event::Call(CallEvent::Asked { question }) => {
                    let answer = Answer::Yes { remember: None, word: Some("this".into()) };
                    session.op(Op::Call(CallOp::Reply { ask: question.id, answer }));
                }
                Event::Call(CallEvent::Finished { outcome, .. }) => {
                    assert_eq!(outcome.status, Status::Done, "{name}: {}", outcome.told);
                    went.push(name.to_owned());
                }
                Event::Turn(TurnEvent::Ended { reason, .. }) => {
                    assert_eq!(reason, TurnEndReason::Done);
                    break;
                }
                _ => {}
            }
        }
    }
    went
}
