//! `agent hooks list`, `approve` and `forget`: which hooks of a project may run. What is approved is shown whole first: the
//! settings of each, and the text of every file of the project that its command names.

use super::{consent, say, says_yes};
use crate::args::HooksSubcommand;
use crate::hooks::{Found, HookApproval, of_project};
use crate::session::Plan;
use agent_headless::End;
use agent_protocol::sanitize::{clean_line, clean_rows};
use agent_protocol::{Hook, HookOrigin};
use agent_store::{Folder, HookPin, HookPins};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io;
use std::process::ExitCode;

/// Does what `subcommand` says with the hooks of the config and of the project.
pub(crate) fn hooks(subcommand: &HooksSubcommand, plan: &Plan) -> Result<ExitCode> {
    for notice in &plan.config.notices {
        say(&mut io::stderr(), &format!("agent: {notice}\n"))?;
    }
    let folder = Folder::at(&plan.project).context("cannot look at the project folder")?;
    let pins = HookPins::new(plan.place.clone(), &folder);
    let found = if plan.config.held_back.is_none() { of_project(&plan.config, &plan.project) } else { Vec::new() };
    match subcommand {
        HooksSubcommand::List { json } => say(&mut io::stdout(), &listed(plan, &found, &pins.load(), *json))?,
        HooksSubcommand::Approve { yes } => return approve(&found, &pins, *yes),
        HooksSubcommand::Forget => {
            if !pins.forget()? {
                bail!("no hook of this project was approved");
            }
            say(&mut io::stdout(), "the hooks of this project are not run any more\n")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// All hooks, one a paragraph or as one JSON object.
fn listed(plan: &Plan, found: &[Found], pins: &[HookPin], as_json: bool) -> String {
    let own = plan.config.hooks.iter().map(|table| (table.resolved(HookOrigin::Yours), "in force".to_owned()));
    let theirs = found.iter().map(|found| (found.hook.clone(), state(found, pins)));
    let rows: Vec<(Hook, String)> = own.chain(theirs).collect();
    if as_json {
        let rows = rows.iter().map(|(hook, state)| {
            json!({
                "event": hook.event,
                "matcher": hook.matcher,
                "command": hook.command,
                "timeout": hook.timeout_secs,
                "sandbox": hook.sandbox,
                "origin": hook.origin,
                "state": state,
            })
        });
        return format!("{}\n", json!({ "hooks": rows.collect::<Vec<_>>() }));
    }
    if rows.is_empty() {
        return "neither your config nor this project has hooks; `[[hooks]]` in config.toml adds one\n".into();
    }
    rows.iter().map(|(hook, state)| list_entry(hook, state)).collect()
}

fn list_entry(hook: &Hook, state: &str) -> String {
    let matcher = hook.matcher.as_ref().filter(|_| hook.event.is_of_calls());
    let mut text = format!("{}  {}\n", hook.event.name(), hook.origin.words());
    if let Some(matcher) = matcher {
        text += &row("tools", matcher);
    }
    text + &row("runs", &hook.command) + &row("state", state)
}

fn state(found: &Found, pins: &[HookPin]) -> String {
    match (&found.hook.off, found.approval(pins)) {
        (Some(why), _) => why.clone(),
        (None, HookApproval::Holds(since)) => format!("approved on {since}"),
        (None, HookApproval::Missing) => "not approved; see `agent hooks approve`".into(),
        (None, HookApproval::Changed(since)) => {
            format!("not run: changed since you approved it on {since}; see `agent hooks approve`")
        }
    }
}

/// Columns of a row that text of others may take, so that no terminal breaks it where a row of ours would begin.
const COLUMNS: usize = 60;

/// What stands before each row that goes on with the text of the row before, in a column that no text of others reaches.
const GOES_ON: &str = "           ↪ ";

/// A row with a name of ours and text that may be anybody's: it cannot end the row, nor begin one.
fn row(name: &str, text: &str) -> String {
    format!("  {name:<9}{}\n", clean_rows(text, COLUMNS).join(&format!("\n{GOES_ON}")))
}

fn approve(found: &[Found], pins: &HookPins, yes: bool) -> Result<ExitCode> {
    if found.is_empty() {
        bail!("this project has no hooks; they stand in .agent/config.toml under [[hooks]]");
    }
    let mut consent = consent("the hooks of this project may run", yes)?;
    let before = pins.load();
    for found in found {
        say(&mut io::stdout(), &described(found, &before))?;
    }
    let faulty: Vec<String> = found.iter().filter_map(|found| found.hook.off.clone()).collect();
    if !faulty.is_empty() {
        bail!("{}; nothing was changed", clean_line(&faulty.join("; ")));
    }
    if !says_yes(&mut consent, &question(found.len()))? {
        say(&mut io::stderr(), "nothing was changed\n")?;
        return Ok(ExitCode::from(End::Failed.code()));
    }
    // Marked by the very bytes that were shown.
    pins.save(found.iter().map(pinned).collect())?;
    say(
        &mut io::stdout(),
        "approved; they run from the next session on, until one of them or of these files changes\n",
    )?;
    Ok(ExitCode::SUCCESS)
}

fn question(hooks: usize) -> String {
    let which = if hooks == 1 { "this hook".to_owned() } else { format!("these {hooks} hooks") };
    format!("Run {which} in this project from now on, in its sandbox and without asking?")
}

fn pinned(found: &Found) -> HookPin {
    HookPin {
        event: found.hook.event.name().to_owned(),
        command: found.hook.command.clone(),
        matcher: found.hook.matcher.clone(),
        mark: found.mark.clone(),
        since: String::new(),
    }
}

/// All of it: what it is run at, what is run, and the text of every file that is named.
fn described(found: &Found, before: &[HookPin]) -> String {
    let hook = &found.hook;
    let mut text = format!("{}\n", hook.event.name());
    let mut add = |name: &str, what: &str| text.push_str(&row(name, what));
    if hook.event.is_of_calls() {
        add("tools", hook.matcher.as_deref().unwrap_or("all"));
    }
    add("runs", &hook.command);
    add("time", &format!("{} s at most", hook.timeout_secs));
    match found.approval(before) {
        HookApproval::Holds(since) => add("known", &format!("it is what you approved on {since}")),
        HookApproval::Changed(since) => add("changed", &format!("since you approved it on {since}")),
        HookApproval::Missing => add("new", "you did not approve it yet"),
    }
    if found.wants_out {
        add("sandbox", "it asks to run outside of it, and runs inside all the same");
    }
    if found.scripts.is_empty() {
        add("files", "its command names none of this project");
    }
    for script in &found.scripts {
        add("file", &format!("{} (sha256 {})", script.file.path.display(), script.file.sha256));
        let bytes = String::from_utf8_lossy(&script.bytes);
        // By the breaks of a file alone: no other sign begins a row.
        bytes.lines().for_each(|line| add("", &format!("| {line}")));
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{HookEvent, HookFile};
    use agent_tools::HookScript;

    fn found() -> Found {
        let file = HookFile { path: "/p/guard.sh".into(), sha256: "ab12".into() };
        let hook = Hook {
            event: HookEvent::PreTool,
            matcher: Some("Edit|Write".into()),
            tools: Vec::new(),
            command: "sh guard.sh".into(),
            timeout_secs: 10,
            sandbox: true,
            origin: HookOrigin::Project,
            files: vec![file.clone()],
            asks: None,
            off: None,
        };
        let scripts = vec![HookScript { file, bytes: b"#!/bin/sh\nexit 2\n".to_vec() }];
        Found { hook, mark: "2".into(), scripts, wants_out: false }
    }

    #[test]
    fn a_hook_is_shown_whole_with_its_script() {
        let expected = "pre_tool\n  tools    Edit|Write\n  runs     sh guard.sh\n  time     10 s at most\n  \
            new      you did not approve it yet\n  file     /p/guard.sh (sha256 ab12)\n           | #!/bin/sh\n           \
            | exit 2\n\n";
        assert_eq!(described(&found(), &[]), expected);
        let pin = |mark: &str| HookPin { mark: mark.into(), since: "2026-11-21".into(), ..pinned(&found()) };
        assert!(described(&found(), &[pin("1")]).contains("  changed  since you approved it on 2026-11-21\n"));
        assert!(described(&found(), &[pin("2")]).contains("  known    it is what you approved on 2026-11-21\n"));
    }

    #[test]
    fn no_text_of_a_hook_makes_a_row_of_its_own() {
        let forged = "files    its command names none of this project";
        let padded = |to: usize| format!("sh a.sh{}  {forged}", " ".repeat(to));
        let texts = [
            format!("sh a.sh\n  {forged}"),
            format!("sh a.sh\r\n  {forged}"),
            format!("sh a.sh\r  {forged}"),
            format!("sh a.sh\u{b}  {forged}"),
            format!("sh a.sh\u{c}  {forged}"),
            format!("sh a.sh\u{85}  {forged}"),
            format!("sh a.sh\u{2028}  {forged}"),
            format!("sh a.sh\u{2029}  {forged}"),
            format!("sh a.sh\u{1b}[2K\u{1b}[1E  {forged}"),
            format!("sh a.sh\u{9b}1E  {forged}"),
            format!("sh a.sh\u{8}\u{8}\u{8}  {forged}"),
            format!("sh a.sh\u{202e}  {forged}"),
            format!("sh a.sh\u{1b}D  {forged}"),
            format!("sh a.sh\t\t\t\t\t\t\t\t\t\t  {forged}"),
            padded(60 - 7),
            padded(69 - 7),
            padded(80 - 18),
            padded(120 - 18),
            format!("{}  {forged}", "漢".repeat(30)),
            format!("sh a.sh{}  {forged}", "\u{a0}".repeat(62)),
            format!("sh a.sh{}  {forged}", "e\u{301}".repeat(53)),
        ];
        let ours = "pre_tool|  tools|  runs|  time|  new|  known|  changed|  file|  state|         ";
        for text in &texts {
            let with = |command: &str, matcher: &str, path: &str, script: &str| {
                let mut found = found();
                found.hook.command = command.into();
                found.hook.matcher = Some(matcher.into());
                found.scripts[0].file.path = path.into();
                found.scripts[0].bytes = script.into();
                let shown = described(&found, &[]) + &list_entry(&found.hook, "approved");
                for line in shown.lines().filter(|line| !line.is_empty()) {
                    assert!(ours.split('|').any(|start| line.starts_with(start)), "{text:?}: {line:?}\n{shown}");
                    assert!(
                        !line.starts_with("  files ")
                            && line.chars().filter(|c| *c != '\u{301}').count() <= 13 + COLUMNS,
                        "{text:?}: {line:?}"
                    );
                    assert!(
                        !line.contains(|c: char| c.is_control() || "\u{2028}\u{2029}\u{202e}".contains(c)),
                        "{line:?}"
                    );
                }
            };
            with(text, "Bash", "/p/a.sh", "x");
            with("sh a.sh", text, "/p/a.sh", "x");
            with("sh a.sh", "Bash", text, "x");
            with("sh a.sh", "Bash", "/p/a.sh", text);
        }
    }

    #[test]
    fn what_was_approved_holds_by_its_mark_alone() {
        let pin = |mark: &str| HookPin { mark: mark.into(), since: "d".into(), ..pinned(&found()) };
        assert_eq!(found().approval(&[pin("2")]), HookApproval::Holds("d".into()));
        assert_eq!(found().approval(&[pin("1")]), HookApproval::Changed("d".into()));
        assert_eq!(found().approval(&[]), HookApproval::Missing);
    }
}
