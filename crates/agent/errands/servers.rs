//! `agent mcp list`, `approve` and `forget`: which servers may bring tools. What is approved is shown first: the program
//! with the hash of its bytes, what it gets, and every tool in the words that the model will read.

use super::consent;
use crate::args::ServersErrand;
use crate::servers::{Approval, offered, standing};
use crate::session::Plan;
use crate::{config::Config, guard};
use agent_clean::clean_text;
use agent_headless::{Consent, End};
use agent_mcp::{Connection, Mark, Offered, Server, Way, differences};
use agent_policy::Fence;
use agent_sandbox::Surroundings;
use agent_store::{Pin, PinnedTool, Pins};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Does what `errand` says with the servers of the config.
pub(crate) fn servers(runtime: &Runtime, errand: &ServersErrand, plan: &Plan) -> Result<ExitCode> {
    for notice in &plan.config.notices {
        say(&mut io::stderr(), &format!("agent: {notice}\n"))?;
    }
    let pins = Pins::new(plan.place.clone());
    let around = Surroundings::new(std::env::vars_os(), &plan.config.sandbox.env, &plan.project)
        .context("cannot make a temporary folder; see TMPDIR")?;
    let programs = around.programs().to_vec();
    match errand {
        ServersErrand::List { json } => say(&mut io::stdout(), &listed(&plan.config, &pins, &programs, *json))?,
        ServersErrand::Approve { name, yes } => return approve(runtime, plan, &pins, &programs, name, *yes),
        ServersErrand::Forget { name } => {
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
        .map(|(server, state, tools)| format!("{}  {}\n  {state}, {}\n", server.name, server.way, count(tools)))
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
    let consent = consent(&format!("{name} may be used"), yes)?;
    let mark = Mark::of(server, programs)?;
    let fence = Fence::for_server(&guard::grounds(plan), guard::enclosure(&plan.config).kind);
    let tools = runtime.block_on(async { Connection::open(server, &fence).await?.tools().await })?;
    let before = pins.find(name);
    say(&mut io::stdout(), &described(server, &mark, &tools, before.as_ref()))?;
    if !agreed(consent, name)? {
        say(&mut io::stderr(), "nothing was changed\n")?;
        return Ok(ExitCode::from(End::Failed.code()));
    }
    let tools = tools.into_iter().map(pinned).collect();
    pins.save(Pin { server: name.to_owned(), mark: mark.whole, glance: mark.glance, tools, since: String::new() })?;
    say(&mut io::stdout(), &format!("{name} is approved; its tools are there from the next session on\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn count(tools: usize) -> String {
    if tools == 1 { "1 tool".into() } else { format!("{tools} tools") }
}

/// All that is approved.
fn described(server: &Server, mark: &Mark, tools: &[Offered], before: Option<&Pin>) -> String {
    let mut text = format!("{}\n", server.name);
    let mut row = |name: &str, what: &str| text.push_str(&format!("  {name:<9}{what}\n"));
    match &server.way {
        Way::Program { .. } => row("runs", &server.way.to_string()),
        Way::Address { .. } => row("calls", &server.way.to_string()),
    }
    mark.files.iter().for_each(|(path, hash)| row("file", &format!("{} (sha256 {hash})", path.display())));
    let variables = server.variables();
    if !variables.is_empty() {
        row("gets", &format!("{} of your environment", variables.join(", ")));
    }
    if let Some(before) = before {
        row("changed", &changes(before, mark, tools));
    }
    text.push_str(&format!("It has {}; in its words:\n", count(tools.len())));
    tools.iter().for_each(|tool| text.push_str(&tool_words(tool)));
    text
}

fn changes(before: &Pin, mark: &Mark, tools: &[Offered]) -> String {
    let known: Vec<Offered> = before.tools.iter().cloned().map(offered).collect();
    let mut words = differences(&known, tools);
    if before.mark != mark.whole {
        words.insert(0, "its program or its settings".into());
    }
    if words.is_empty() { format!("nothing since {}", before.since) } else { words.join(", ") }
}

fn tool_words(tool: &Offered) -> String {
    let takes = tool.schema["properties"].as_object().map(|properties| properties.keys().cloned().collect::<Vec<_>>());
    let takes = takes
        .filter(|names| !names.is_empty())
        .map_or(String::new(), |names| format!("\n      takes {}", names.join(", ")));
    let description = if tool.description.is_empty() { "(nothing)" } else { &tool.description };
    format!("  {}\n      {description}{takes}\n", tool.name)
}

fn pinned(tool: Offered) -> PinnedTool {
    PinnedTool { name: tool.name, description: tool.description, schema: tool.schema }
}

fn agreed(consent: Consent, name: &str) -> Result<bool> {
    let mut input = match consent {
        Consent::Given => return Ok(true),
        Consent::Asked(input) => input,
    };
    say(&mut io::stderr(), &format!("Use {name} from now on? [y/N] "))?;
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// What servers say is foreign to a terminal.
fn say(stream: &mut dyn Write, text: &str) -> Result<()> {
    stream.write_all(clean_text(text).as_bytes()).and_then(|()| stream.flush()).context("cannot write the answer")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn all_that_is_approved_is_shown() {
        let way = Way::Program { argv: vec!["notes".into(), "my notes".into()], env: vec!["KEY".into()] };
        let server = Server { name: "notes".into(), way, timeout: Duration::from_secs(1) };
        let files = vec![("/bin/notes".into(), "ab12".into())];
        let mark = Mark { whole: "2".into(), glance: "g".into(), files };
        let schema = json!({ "type": "object", "properties": { "text": {}, "tag": {} } });
        let tool =
            |description: &str| Offered { name: "add".into(), description: description.into(), schema: schema.clone() };
        let expected = "notes\n  runs     notes 'my notes'\n  file     /bin/notes (sha256 ab12)\n  \
            gets     KEY of your environment\nIt has 1 tool; in its words:\n  add\n      Adds.\n      takes text, tag\n";
        assert_eq!(described(&server, &mark, &[tool("Adds.")], None), expected);
        let since = "2026-11-21".to_owned();
        let before =
            Pin { server: "notes".into(), mark: "1".into(), glance: "g".into(), tools: vec![pinned(tool("x"))], since };
        let shown = described(&server, &mark, &[tool("Adds.")], Some(&before));
        let changed = "changed  its program or its settings, add has another description: \"Adds.\"\n";
        assert!(shown.contains(changed), "{shown}");
    }
}
