//! Says of commands what the gate says: `classify FILE.jsonl DIR`.
//!
//! Each line of the file is a case with its `id`, `cmd`, `fixture`, `expect` and `accept`; the project of the fixture F is
//! `DIR/F/p/ws`, the home of its person `DIR/F/home`. Prints `{"id", "verdict"}` a line (`auto`: proved to only read, `ask`,
//! `deny`), and last how many of the readers were proved and how much was proved that must not be.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use agent_policy::{Kept, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Mode, Profile};
use agent_sandbox::Surroundings;
use agent_tools::{Ground, Toolbox};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A project with its rules and its tools.
struct Project {
    root: PathBuf,
    policy: Policy,
    toolbox: Toolbox,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, folder] = arguments.as_slice() else { return Err("usage: classify FILE.jsonl DIR".into()) };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut projects: HashMap<String, Project> = HashMap::new();
    let (mut readers, mut proved, mut others, mut wrong) = (0, 0, 0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line)?;
        let fixture = word(&case, "fixture")?;
        if !projects.contains_key(fixture) {
            projects.insert(fixture.into(), Project::open(&Path::new(folder).join(fixture))?);
        }
        let verdict = projects[fixture].verdict(word(&case, "cmd")?);
        println!("{}", json!({"id": case["id"], "verdict": verdict}));
        let auto = usize::from(verdict == "auto");
        if case["expect"] == "auto" {
            readers += 1;
            proved += auto;
        }
        let accepted = case["accept"].as_array().ok_or("a case lacks `accept`")?;
        if !accepted.iter().any(|accepted| accepted == "auto") {
            others += 1;
            wrong += auto;
        }
    }
    println!("auto-readers {proved}/{readers}, must-not-auto {wrong}/{others} wrong");
    Ok(())
}

fn word<'a>(case: &'a Value, field: &str) -> Result<&'a str, String> {
    case[field].as_str().ok_or_else(|| format!("a case lacks `{field}`"))
}

impl Project {
    fn open(place: &Path) -> Result<Self, Box<dyn Error>> {
        let missing = |path: &Path| format!("{} is missing; make it with mkfix.sh", path.display());
        let resolved = |path: PathBuf| path.canonicalize().map_err(|_| missing(&path));
        let (root, home) = (resolved(place.join("p/ws"))?, resolved(place.join("home"))?);
        let own = [".config/agent", ".local/state/agent", ".local/share/agent"].map(|own| home.join(own));
        let policy = Policy::new(Setup {
            kept: Kept { read_only: true, ..Kept::default() },
            trusted: true,
            home: Some(home.clone()),
            own: own.into_iter().chain([root.join(".agent")]).collect(),
            ..Setup::new(root.clone(), Mode::Safe)
        });
        let variables = std::env::vars_os().filter(|(name, _)| name != "HOME");
        let variables = variables.chain([("HOME".into(), home.clone().into())]);
        let surroundings = Arc::new(Surroundings::new(variables, &[], &root)?);
        let ground = Ground { home: Some(home), surroundings, ..Ground::of_this_process(root.clone())? };
        let (toolbox, _) = Toolbox::with(ground, &[]);
        Ok(Project { root, policy, toolbox })
    }

    fn verdict(&self, command: &str) -> &'static str {
        let cwd = self.root.clone();
        let action = Action::Run {
            command: command.into(),
            argv: Vec::new(),
            cwd,
            timeout_secs: 120,
            profile: Profile::Project,
            background: false,
            input: None,
        };
        let facts = self.toolbox.facts(&queries(&action));
        match self.policy.judge(action, &facts) {
            Verdict::Allow(_) => "auto",
            Verdict::Ask(_) => "ask",
            Verdict::Deny(_) | Verdict::Impossible(_) => "deny",
        }
    }
}
