//! `agent mcp list`, `approve` and `forget`: which servers may bring tools. What is approved is shown first: the program
//! with the hash of its bytes and what it gets, before it is started; then every tool in the words that the model will
//! read.

use super::{consent, say, says_yes};
use crate::args::ServersSubcommand;
use crate::servers::{Approval, offered, standing};
use crate::session::Plan;
use crate::{config::Config, guard};
use agent_headless::{Consent, End};
use agent_policy::SandboxLimits;
use agent_protocol::sanitize::{clean_line, foreign_block};
use agent_sandbox::Surroundings;
use agent_store::{Pin, PinnedTool, Pins};
use agent_tools::mcp::{Connection, Mark, Offered, Server, Way, differences};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Does what `subcommand` says with the servers of the config.
pub(crate) fn servers(runtime: &Runtime, subcommand: &ServersSubcommand, plan: &Plan) -> Result<ExitCode> {
    for notice in &plan.config.notices {
        say(&mut io::stderr(), &format!("agent: {notice}\n"))?;
    }
    let pins = Pins::new(plan.place.clone());
    let around = Surroundings::new(std::env::vars_os(), &guard::listed_variables(&plan.config).0, &plan.project)
        .context("cannot make a temporary folder; see TMPDIR")?;
    let programs = around.programs().to_vec();
    match subcommand {
        ServersSubcommand::List { json } => say(&mut io::stdout(), &listed(&plan.config, &pins, &programs, *json))?,
        ServersSubcommand::Approve { name, yes } => return approve(runtime, plan, &pins, &programs, name, *yes),
        ServersSubcommand::Forget { name } => {
            if !pins.forget(name)? {
                bail!("no server {name} was approved");
            }
            say(&mut io::stdout(), &format!("{name} is not used any more\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// All servers of the config, one a line or as one JSON object.
fn listed(config: &Config, pins: &Pins, programs: &[PathBuf], as_json: bool) -> String {
    let rows = config.mcp.iter().map(|server| {
        let pin = pins.find(&server.name);
        let (state, tools) = match standing(server, pin.as_ref(), programs) {
            Approval::Holds(pin) => (format!("approved on {}", pin.since), pin.tools.len()),
            Approval::Missing => (format!("not approved; see `agent mcp approve {}`", server.name), 0),
            Approval::Broken(why) => (why, 0),
        };
        (server, state, tools)
    });
    if as_json {
        let rows = rows.map(|(server, state, tools)| {
            json!({ "name": server.name, "runs": server.way.to_string(), "state": state, "tools": tools })
        });
        return format!("{}\n", json!({ "servers": rows.collect::<Vec<_>>() }));
    }
    let lines: Vec<String> = rows
        .map(|(server, state, tools)| {
            let named = format!("{}  {}", server.name, server.way);
            format!("{}\n  {}, {}\n", clean_line(&named), clean_line(&state), count(tools))
        })
        .collect();
    if lines.is_empty() {
        return "your config names no MCP server; `[mcp.NAME]` in config.toml adds one\n".into();
    }
    lines.concat()
}

fn approve(
    runtime: &Runtime,
    plan: &Plan,
    pins: &Pins,
    programs: &[PathBuf],
    name: &str,
    yes: bool,
) -> Result<ExitCode> {
    let Some(server) = plan.config.mcp.iter().find(|server| server.name == name) else {
        let names: Vec<&str> = plan.config.mcp.iter().map(|server| server.name.as_str()).collect();
        bail!(
            "your config has no server {name:?}; it has {}",
            if names.is_empty() { "none".into() } else { names.join(", ") }
        );
    };
    let mut consent = consent(&format!("{name} may be used"), yes)?;
    let mark = Mark::of(server, programs)?;
    let fence = SandboxLimits::for_server(&guard::grounds(plan), guard::sandbox(plan).kind);
    let before = pins.find(name);
    let agreed = agreed(runtime, server, &mark, before.as_ref(), &fence, &mut consent)?;
    let Some(tools) = agreed else {
        say(&mut io::stderr(), "nothing was changed\n")?;
        return Ok(ExitCode::from(End::Failed.code()));
    };
    let tools = tools.into_iter().map(pinned).collect();
    pins.save(Pin { server: name.to_owned(), mark: mark.whole, glance: mark.glance, tools, since: String::new() })?;
    say(&mut io::stdout(), &format!("{name} is approved; its tools are there from the next session on\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The tools that were agreed to. Asks twice: before anything of it runs or is sent, and again with what it has.
fn agreed(
    runtime: &Runtime,
    server: &Server,
    mark: &Mark,
    before: Option<&Pin>,
    fence: &SandboxLimits,
    consent: &mut Consent,
) -> Result<Option<Vec<Offered>>> {
    say(&mut io::stdout(), &described(server, mark, before))?;
    let first = match &server.way {
        Way::Program { .. } => "Start it to see its tools?",
        Way::Address { .. } => "Call it to see its tools?",
    };
    if !says_yes(consent, first)? {
        return Ok(None);
    }
    let tools = runtime.block_on(async { Connection::open(server, fence).await?.tools().await })?;
    say(&mut io::stdout(), &offer(&tools, before))?;
    let second = format!("Use {} from now on?", server.name);
    Ok(says_yes(consent, &second)?.then_some(tools))
}

fn count(tools: usize) -> String {
    if tools == 1 { "1 tool".into() } else { format!("{tools} tools") }
}

/// What would run or be called, and what it gets.
fn described(server: &Server, mark: &Mark, before: Option<&Pin>) -> String {
    let mut text = format!("{}\n", server.name);
    let mut row = |name: &str, what: &str| text.push_str(&format!("  {name:<9}{}\n", clean_line(what)));
    match &server.way {
        Way::Program { .. } => row("runs", &server.way.to_string()),
        Way::Address { .. } => row("calls", &server.way.to_string()),
    }
    mark.files.iter().for_each(|(path, hash)| row("file", &format!("{} (sha256 {hash})", path.display())));
    let variables = server.variables();
    if !variables.is_empty() {
        row("gets", &format!("{} of your environment", variables.join(", ")));
    }
    match before {
        Some(before) if before.mark != mark.whole => {
            row("changed", &format!("its program or its settings, since you approved it on {}", before.since));
        }
        Some(before) => row("known", &format!("its program and its settings are those of {}", before.since)),
        None => {}
    }
    text
}

/// What it has, in the words that the model will read.
fn offer(tools: &[Offered], before: Option<&Pin>) -> String {
    let mut text = format!("It has {}; in its words:\n", count(tools.len()));
    tools.iter().for_each(|tool| text.push_str(&tool_words(tool)));
    if let Some(before) = before {
        let known: Vec<Offered> = before.tools.iter().cloned().map(offered).collect();
        let words = differences(&known, tools);
        let words = if words.is_empty() { vec![format!("nothing since {}", before.since)] } else { words };
        text.push_str(&format!("Changed in that: {}\n", words.join(", ")));
    }
    text
}

fn tool_words(tool: &Offered) -> String {
    let description = if tool.description.is_empty() { "(nothing)" } else { &tool.description };
    let mut text = format!("  {}\n{}\n", clean_line(&tool.name), foreign_block(description, "      "));
    for (place, words) in tool.texts() {
        let place = if place.is_empty() { "its arguments" } else { &place };
        let said = format!("{place}: {words}");
        text.push_str(&foreign_block(said.trim_end_matches([':', ' ']), "      "));
        text.push('\n');
    }
    text
}

fn pinned(tool: Offered) -> PinnedTool {
    PinnedTool { name: tool.name, description: tool.description, schema: tool.schema }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_policy::Grounds;
    use std::io::Cursor;
    use std::path::Path;
    use std::time::Duration;

    fn server(argv: &[&str], env: &[&str]) -> Server {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let way = Way::Program { argv: owned(argv), env: owned(env) };
        Server { name: "notes".into(), way, timeout: Duration::from_secs(30) }
    }

    fn mark() -> Mark {
        Mark { whole: "2".into(), glance: "g".into(), files: vec![("/bin/notes".into(), "ab12".into())] }
    }

    fn tool(description: &str) -> Offered {
        let text = json!({ "type": "string", "description": "The note.", "enum": ["a"] });
        let schema = json!({ "type": "object", "properties": { "text": text, "when": {} }, "required": ["text"] });
        Offered { name: "add".into(), description: description.into(), schema }
    }

    fn before() -> Pin {
        let since = "2026-11-21".to_owned();
        Pin { server: "notes".into(), mark: "1".into(), glance: "g".into(), tools: vec![pinned(tool("x"))], since }
    }

    #[test]
    fn what_would_run_is_shown_with_what_it_gets_and_whether_it_is_known() {
        let server = server(&["notes", "my notes"], &["KEY"]);
        let expected = "notes\n  runs     notes 'my notes'\n  file     /bin/notes (sha256 ab12)\n  \
            gets     KEY of your environment\n";
        assert_eq!(described(&server, &mark(), None), expected);
        let changed = "  changed  its program or its settings, since you approved it on 2026-11-21\n";
        assert_eq!(described(&server, &mark(), Some(&before())), format!("{expected}{changed}"));
    }

    #[test]
    fn every_text_that_a_model_will_read_is_shown() {
        let expected = "It has 1 tool; in its words:\n  add\n      Adds.\n      text: string; needed; \
            one of \"a\"; The note.\n      when\n";
        assert_eq!(offer(&[tool("Adds.")], None), expected);
        let changed = "Changed in that: add has another description: \"Adds.\"\n";
        assert_eq!(offer(&[tool("Adds.")], Some(&before())), format!("{expected}{changed}"));
    }

    /// Did the server run, after `answer` to the first question?
    fn ran_after(answer: &'static str) -> (bool, Result<Option<Vec<Offered>>>) {
        let folder = tempfile::tempdir().unwrap();
        let root: &Path = &folder.path().canonicalize().unwrap();
        let script = root.join("notes.sh");
        std::fs::write(&script, "touch \"$0.ran\"\n").unwrap();
        let grounds = Grounds { root: root.to_owned(), writable: Vec::new(), ports: Vec::new() };
        let fence = SandboxLimits::for_server(&grounds, agent_sandbox::probe().kind);
        let runtime = Runtime::new().unwrap();
        let server = server(&["sh", script.to_str().unwrap()], &[]);
        let mut consent = Consent::Asked(Box::new(Cursor::new(answer)));
        let agreed = agreed(&runtime, &server, &mark(), None, &fence, &mut consent);
        (root.join("notes.sh.ran").exists(), agreed)
    }

    #[test]
    fn nothing_of_a_server_runs_before_the_person_agrees_to_that() {
        let (ran, agreed) = ran_after("n\n");
        assert!(!ran && agreed.unwrap().is_none());
        let (ran, agreed) = ran_after("y\n");
        assert!(ran && agreed.is_err(), "it runs, and has nothing to say");
    }
}
