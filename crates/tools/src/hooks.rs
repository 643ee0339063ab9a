//! Runs hooks: programs that are asked, or told, when something happens in a session. What each gets to read stands in
//! `input`, and what is made of what it says in `said`.
//!
//! Decides nothing: what a hook wants is told to the machine, and what becomes of it is decided there.

mod input;
mod resolved;
mod said;
mod scripts;

use crate::cap;
use crate::facts::git::git_hooks;
use crate::names;
use crate::own_command::persons_variables;
use crate::program::Watch;
use crate::redact::Secrets;
use crate::toolbox::Toolbox;
use agent_policy::{GuardedFile, HookPermit};
use agent_protocol::{HookDecision, HookEvent, HookFault, HookFile, HookInput, HookOrigin, HookRun, HookSaid, Profile};
use agent_sandbox::{More, Shell, Surroundings};
use regex::Regex;
pub(crate) use scripts::plainly;
pub use scripts::{HookScript, OwnHookFiles, hook_mark, hook_scripts, own_hook_files};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// Files of one call that a hook is asked about, one after the other; with more, nobody vouches for the rest.
const MOST_FILES: usize = 40;

/// Bytes of what a hook puts in place of arguments that the model reads.
const TOLD: usize = 2_000;

/// Files of one folder of git's hooks that are watched.
const MOST_WATCHED: usize = 1_000;

/// A script is not longer than this.
const LONGEST_FILE: u64 = 16 << 20;

/// Where hooks that were written for Claude Code look for the project folder.
const PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";

/// What every hook is told of the session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookScene {
    /// The name of the session; empty as long as nothing of it is written down.
    pub session: String,
    /// Where it is written down; none: nowhere yet.
    pub transcript: Option<PathBuf>,
}

/// What all hooks are run with.
struct HookGround {
    surroundings: Arc<Surroundings>,
    secrets: Secrets,
    watch: Watch,
}

impl Toolbox {
    /// The tools that a hook's matcher means: those that it names whole, by our name or by Claude Code's. None, nothing and
    /// `*` mean all.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    pub fn hook_tools(&self, matcher: Option<&str>) -> Result<Vec<String>, String> {
        let matcher = matcher.map(str::trim).filter(|matcher| !matcher.is_empty() && *matcher != "*");
        let pattern = matcher.map(|matcher| Regex::new(&format!("^(?:{matcher})$"))).transpose();
        let pattern =
            pattern.map_err(|_| format!("its matcher {:?} is no regular expression", matcher.unwrap_or("")))?;
        let meant = |tool: &&str| {
            let Some(pattern) = &pattern else { return true };
            // Tools of other servers are called `mcp__server__tool` there.
            let of_server = tool.contains("__") && pattern.is_match(&format!("mcp__{tool}"));
            let elsewhere = names::meant_by_hooks(tool).into_iter().any(|name| pattern.is_match(name));
            pattern.is_match(tool) || elsewhere || of_server
        };
        Ok(self.tool_names().filter(meant).map(str::to_owned).collect())
    }

    /// Watches what hooks run: commands that change it are told of like those that change other protected files. Before
    /// anything is started.
    pub fn guard(&self, files: &[PathBuf]) {
        self.around.watch.guard(&self.kit.ground.root, files);
    }

    /// The same of what git's settings make it run, as they are when something is judged for the first time, which no
    /// command precedes.
    pub(crate) fn guard_what_git_runs(&self, files: &[GuardedFile]) {
        self.git_watched.call_once(|| {
            let all: Vec<PathBuf> = files.iter().flat_map(|file| watched_in(&file.path)).collect();
            self.guard(&all);
        });
    }

    /// Runs hooks one after the other, each with the arguments that the one before put in place of the call's, until one says that
    /// it ends here. Dropping the future ends the one that runs with all it started.
    pub async fn fire_hooks(&self, permits: Vec<HookPermit>, mut input: HookInput, scene: HookScene) -> Vec<HookRun> {
        let mut runs = Vec::new();
        for permit in permits {
            let run = self.fire_hook(permit, input.clone(), scene.clone()).await;
            let over = run.said.decision == HookDecision::Refuse || run.said.stop;
            if let (Some(arguments), Some(call)) = (&run.said.input, &mut input.call) {
                (call.call.name, call.call.arguments) = (call.tool.clone(), arguments.clone());
                // They may be others by now.
                call.paths.clear();
            }
            runs.push(run);
            if over {
                break;
            }
        }
        runs
    }

    /// Runs one: for a call that looks at several files once for each of them, as long as none is refused.
    async fn fire_hook(&self, permit: HookPermit, input: HookInput, scene: HookScene) -> HookRun {
        let around = HookGround {
            surroundings: self.kit.ground.surroundings.clone(),
            secrets: self.around.secrets.clone(),
            watch: self.around.watch.clone(),
        };
        let arguments = input.call.as_ref().map(|call| self.hook_arguments(&call.call));
        let hook = permit.hook();
        let (name, origin) = (hook.label(), hook.origin);
        let (said, tampered) = fire(&around, &permit, &input, (scene, arguments)).await;
        HookRun { name, origin, said: without_secrets(said, &around.secrets), tampered }
    }
}

/// What the hook said in all, and the protected files that it changed.
async fn fire(
    around: &HookGround,
    permit: &HookPermit,
    input: &HookInput,
    (scene, arguments): (HookScene, Option<Value>),
) -> (HookSaid, Vec<String>) {
    if let Some(fault) = changed(permit.hook().files.clone()).await {
        return (faulty(fault), Vec::new());
    }
    let texts = input::texts(input, permit.folder(), &scene, arguments.as_ref());
    if texts.len() > MOST_FILES {
        let words = format!("the call is about {} files; a hook is asked about {MOST_FILES} at most", texts.len());
        return (faulty(HookFault::NotRun(words)), Vec::new());
    }
    let one = texts.len() == 1;
    let wire = around.watch.arm(permit.sandbox()).await;
    let mut all = HookSaid::default();
    for text in texts {
        let said = run(around, permit, input.event, text).await;
        all = both(all, said);
        if all.fault.is_some() || all.decision == HookDecision::Refuse || all.stop {
            break;
        }
    }
    if !one {
        // What it would put in place of the arguments is meant for one file alone.
        all.input = None;
    }
    let tampered = wire.sprung().await.tampered;
    (all, tampered)
}

/// Runs it once.
async fn run(around: &HookGround, permit: &HookPermit, event: HookEvent, text: String) -> HookSaid {
    let hook = permit.hook();
    let shell = Shell {
        line: hook.command.clone(),
        argv: Vec::new(),
        cwd: permit.folder().to_owned(),
        held: None,
        input: Some(text),
    };
    let more = More { variables: variables(permit), ..More::default() };
    match agent_sandbox::run_apart(&shell, permit.sandbox(), &around.surroundings, more).await {
        Ok((ended, errors)) => said::read(event, &ended, &errors, hook.timeout_secs),
        Err(error) => faulty(HookFault::NotRun(error.to_string())),
    }
}

fn variables(permit: &HookPermit) -> Vec<(String, String)> {
    let folder = permit.folder().to_string_lossy().into_owned();
    let own = permit.sandbox().profile() == Profile::Unfenced && permit.hook().origin == HookOrigin::Yours;
    let own = if own { persons_variables() } else { Vec::new() };
    own.into_iter().chain([(PROJECT_DIR.to_owned(), folder)]).collect()
}

/// Is one of the files another by now than when it was approved?
async fn changed(files: Vec<HookFile>) -> Option<HookFault> {
    let look = move || files.into_iter().find(|file| hash(&file.path).as_deref() != Some(file.sha256.as_str()));
    match spawn_blocking(look).await {
        Ok(changed) => changed.map(|file| HookFault::Changed(file.path.display().to_string())),
        Err(_) => Some(HookFault::NotRun("its files could not be looked at".into())),
    }
}

/// The SHA-256 of a file in hexadecimal digits; none where it cannot be read.
fn hash(path: &Path) -> Option<String> {
    path.metadata().ok().filter(|found| found.is_file() && found.len() <= LONGEST_FILE)?;
    let bytes = std::fs::read(path).ok()?;
    Some(digits(&Sha256::digest(bytes)))
}

fn digits(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn faulty(fault: HookFault) -> HookSaid {
    HookSaid { fault: Some(fault), ..HookSaid::default() }
}

/// What a hook said of one file, and then of the next.
fn both(first: HookSaid, then: HookSaid) -> HookSaid {
    let joined = |first: String, then: String| match (first.is_empty(), then.is_empty() || first == then) {
        (true, _) => then,
        (false, true) => first,
        (false, false) => format!("{first}\n{then}"),
    };
    let stricter = strictness(&then) > strictness(&first);
    HookSaid {
        decision: if stricter { then.decision } else { first.decision },
        reason: if stricter { then.reason } else { first.reason },
        context: joined(first.context, then.context),
        input: then.input.or(first.input),
        input_told: String::new(),
        stop: first.stop || then.stop,
        shown: joined(first.shown, then.shown),
        fault: first.fault.or(then.fault),
    }
}

fn strictness(said: &HookSaid) -> u8 {
    match said.decision {
        HookDecision::None => 0,
        HookDecision::Allow => 1,
        HookDecision::Ask => 2,
        HookDecision::Refuse => 3,
    }
}

fn without_secrets(said: HookSaid, secrets: &Secrets) -> HookSaid {
    let hidden = |text: String| secrets.hidden(&text).into_owned();
    let fault = said.fault.map(|fault| match fault {
        HookFault::Failed(words) => HookFault::Failed(hidden(words)),
        HookFault::NotRun(words) => HookFault::NotRun(hidden(words)),
        fault @ (HookFault::TimedOut(_) | HookFault::Changed(_)) => fault,
    });
    let input_told = said.input.as_ref().map(|input| cap::text(hidden(input.to_string()), TOLD, said::REST));
    HookSaid {
        input_told: input_told.unwrap_or_default(),
        reason: hidden(said.reason),
        context: hidden(said.context),
        shown: hidden(said.shown),
        fault,
        ..said
    }
}
/// What is watched of `path`: itself, or what git would run in such a folder.
fn watched_in(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_owned()] };
    let there = entries.flatten().take(MOST_WATCHED).map(|entry| entry.path()).filter(|path| !path.is_dir());
    there.chain(git_hooks().map(|name| path.join(name))).collect()
}
