//! All tools by name, and the one way to carry out what they plan.

use crate::arguments::{Arguments, Form, Group};
use crate::names::{self, Meant};
use crate::perform::Around;
use crate::ports::Ports;
use crate::selection::{self, Selection};
use crate::tools::Kit;
use crate::undo::Undo;
use crate::workspace::Workspace;
use crate::{Ground, Output, PlannedCall, Secrets, Tool, Wish, facts, perform, tools};
use agent_policy::{Facts, Permit, Query};
use agent_protocol::{
    Action, BackgroundCommand, BackgroundId, Digest, Failure, FailureKind, FileChange, ModelCall, Outcome, PortCard,
    ToolSpec,
};
use futures_util::future::BoxFuture;
use serde_json::Value;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

/// The tools of one project.
pub struct Toolbox {
    pub(crate) kit: Kit,
    /// What every call has around it.
    around: Around,
    /// In the order in which the model is told of them.
    tools: Vec<Entry>,
    /// Those that no model is told of: the program calls them.
    own: Vec<Entry>,
    /// The groups that are on.
    on: RwLock<Vec<Group>>,
    ports: Ports,
    present: Present,
}

/// Who is there while the model works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Present {
    /// A person, who can answer and decide.
    Person,
    Nobody,
}

struct Entry {
    form: &'static Form,
    tool: Box<dyn Tool>,
    /// May the model have it, where its group is on?
    allowed: bool,
}

impl Entry {
    fn spec(&self) -> ToolSpec {
        self.tool.spec(self.form)
    }
}

/// A group of tools, as far as the person allows them.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// `core`, `plan`, `git` …
    pub name: &'static str,
    /// The model has them.
    pub on: bool,
    /// In the order in which the model is told of them.
    pub specs: Vec<ToolSpec>,
}

/// What a call reaches for.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// What it would look at.
    pub action: Action,
    /// The tool's own name.
    pub name: String,
    /// What was not taken as the model wrote it, in words, one thing each; what weighs most
    /// comes first. Empty when all was.
    pub notes: Vec<String>,
}

impl Toolbox {
    /// All tools over the project at `root` (absolute, links resolved), with what this process finds around itself.
    ///
    /// # Panics
    /// Where no temporary folder can be made; the door uses [`Toolbox::with`].
    pub fn new(root: PathBuf) -> Self {
        let ground = Ground::of_this_process(root).expect("without a temporary folder nothing can be tried out");
        Toolbox::all(ground).0
    }

    /// Every tool there is, and what the person should know of those that are not ours.
    fn all(ground: Ground) -> (Self, Vec<String>) {
        let secrets = Secrets::new(ground.secret_values.iter().cloned());
        let workspace = Workspace::with(&ground.root, ground.home.clone());
        let undo = Undo::new(&workspace, &ground);
        let kit = Kit::new(&workspace, &ground, &undo);
        let mut tools = tools::all(&kit);
        let notices = tools::add_theirs(&kit, &ground, &mut tools);
        let tools = tools.into_iter();
        let tools = tools.map(|(form, tool)| Entry { form, allowed: tool.idle().is_none(), tool }).collect();
        let own = tools::own::tools().into_iter();
        let own = own.map(|(form, tool)| Entry { form, allowed: true, tool }).collect();
        let on = RwLock::new(selection::USUAL.to_vec());
        let watch = kit.runner.watch.clone();
        let ports = Ports::new(&ground.surroundings);
        (
            Toolbox { kit, around: Around { secrets, undo, watch }, tools, own, on, ports, present: Present::Person },
            notices,
        )
    }

    /// The tools that every one of `selections` leaves, and what the person should know about these. Without a word about
    /// groups, all are on where single tools are named, and the usual ones where none is.
    pub fn with(ground: Ground, selections: &[Selection]) -> (Self, Vec<String>) {
        let (mut toolbox, mut notices) = Toolbox::all(ground);
        let forms = toolbox.forms();
        for selection in selections {
            let left = selection::left(selection, &forms, &mut notices);
            toolbox.tools.iter_mut().zip(left).for_each(|(entry, left)| entry.allowed &= left);
        }
        *toolbox.on.get_mut().unwrap_or_else(PoisonError::into_inner) =
            selection::groups(selections, &toolbox.kit.ground.root, &mut notices);
        if toolbox.offered().next().is_none() {
            notices.push("tools.core and tools.exclude leave no tool; the model can only talk".into());
        }
        (toolbox, notices)
    }

    /// Nobody is there to answer or decide: what only a person can is not offered.
    pub fn alone(&mut self) {
        self.present = Present::Nobody;
        self.tools.iter_mut().for_each(|entry| entry.allowed &= entry.tool.alone().is_none());
    }

    /// All groups with the tools in them that the person allows; groups without one are left out.
    pub fn groups(&self) -> Vec<Offer> {
        let allowed = |group| self.tools.iter().filter(move |entry| entry.allowed && entry.form.group == group);
        let on = self.on();
        let offers = Group::ALL.into_iter().map(|group| Offer {
            name: group.name(),
            on: on.contains(&group),
            specs: allowed(group).map(|entry| entry.spec()).collect(),
        });
        offers.filter(|offer| !offer.specs.is_empty()).collect()
    }

    /// Has just these groups on from now on.
    pub fn offer(&self, names: &[String]) {
        let wanted = Group::ALL.into_iter().filter(|group| names.iter().any(|name| name == group.name())).collect();
        *self.on.write().unwrap_or_else(PoisonError::into_inner) = wanted;
    }

    fn on(&self) -> Vec<Group> {
        self.on.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the model is offered, always in the same order.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.offered().map(|entry| entry.spec()).collect()
    }

    /// Answers policy's questions of fact: bounded, blocking. What cannot be found out stays unanswered, which policy
    /// takes for the worst.
    pub fn facts(&self, queries: &[Query]) -> Facts {
        facts::facts(&self.kit.ground, queries)
    }

    /// First step: which tool is meant, and what would this call look at?
    ///
    /// # Errors
    /// A [`Failure`] for an unknown tool or arguments that cannot be read.
    pub fn reach(&self, call: &ModelCall) -> Result<Reached, Failure> {
        let (entry, arguments) = self.understood(call)?;
        let action = entry.tool.reach(&self.kit, &arguments)?;
        Ok(Reached { action, name: entry.form.tool.into(), notes: arguments.into_parts().1.in_words() })
    }

    /// Second step: what would it do? Blocking; may look where `look` permits.
    ///
    /// # Errors
    /// A [`Failure`] when it cannot be done.
    pub fn plan(&self, call: &ModelCall, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (entry, arguments) = self.understood(call)?;
        if entry.tool.reach(&self.kit, &arguments)? != *look.action() {
            let message = "what the path leads to changed since it was judged; try again";
            return Err(Failure::new(FailureKind::Stale, message));
        }
        // A failure may quote what it found.
        entry.tool.plan(&self.kit, &arguments, look).map_err(|failure| self.around.secrets.failure(failure))
    }

    /// A call is about to be planned, of which [`Toolbox::give_up_plan`] may be said until the next one is.
    pub fn begins_plan(&self) {
        self.kit.planning.begins();
    }

    /// Nobody waits for the plan at hand any more: what waits for a server stops waiting.
    pub fn give_up_plan(&self) {
        self.kit.planning.give_up();
    }

    /// Third step: does it, if the permit is for exactly this. The one executor: every result leaves through here,
    /// without secrets and cut to the room there is. A fault in a tool becomes a failed call. Whatever happens,
    /// `changed` tells what became of files: exactly for tools that write, and for commands that may write as far as
    /// they are covered, what anybody else did in the project meanwhile included. `stop` resolves when the person stops
    /// it: it is ended, unless it is a write, and then looked after.
    pub fn perform(
        &self,
        job: Box<dyn PlannedCall>,
        permit: Permit,
        out: Output,
        stop: BoxFuture<'static, ()>,
    ) -> BoxFuture<'static, Outcome> {
        perform::perform(self.around.clone(), job, permit, out, stop)
    }

    /// The commands in the background, oldest first, and each change to them.
    pub fn jobs(&self) -> watch::Receiver<Vec<BackgroundCommand>> {
        self.kit.runner.background.cards()
    }

    /// Ends a command in the background, or all of them. It has ended when [`Toolbox::jobs`] says so.
    pub fn stop_job(&self, job: Option<BackgroundId>) {
        self.kit.runner.background.stop(job);
    }

    /// The wishes of commands in the background to reach hosts; `None`: somebody hears of them already.
    pub fn job_wishes(&self) -> Option<UnboundedReceiver<Wish>> {
        self.kit.runner.background.network().wishes()
    }

    /// The ports on which something listens in the sandbox, by number, with where the person reaches them. Blocking.
    pub fn ports(&self) -> Vec<PortCard> {
        self.ports.list()
    }

    /// Leads a port of this machine into this one of the sandbox, or no longer; says why that did not happen. Must be
    /// called within a runtime; blocking.
    pub fn lead(&self, port: u16, open: bool) -> Option<String> {
        self.ports.lead(port, open)
    }

    /// Protected files that are not as they were, changed by what goes on or went on beside the calls: commands in the
    /// background, language servers, a call that was stopped. Each is told once. Bounded, blocking.
    pub fn tampered(&self) -> Vec<String> {
        self.around.watch.tampered()
    }

    /// The session is over: ends all that goes on in the background, and waits until it is gone. What of
    /// [`Toolbox::tampered`] was not told yet comes back.
    pub async fn wind_up(&self) -> Vec<String> {
        self.ports.close();
        self.kit.runner.background.wind_up().await;
        let watch = self.around.watch.clone();
        spawn_blocking(move || watch.tampered()).await.unwrap_or_default()
    }

    /// What became of files since a call that never told how it ended kept `before`, whoever changed them; empty where
    /// that is not kept any more. Blocking.
    pub fn recovered(&self, before: &Digest) -> Vec<FileChange> {
        self.around.undo.recovered(before)
    }

    /// The absolute path that a person means by `path`, links on the way to it resolved.
    ///
    /// # Errors
    /// A [`Failure`] for a path that leads nowhere.
    pub fn resolve(&self, path: &str) -> Result<PathBuf, Failure> {
        self.kit.workspace.resolve(path)
    }

    /// `text` without the secrets in it, as it may be written down; `None` where there are none.
    pub fn hide(&self, text: &str) -> Option<String> {
        match self.around.secrets.unwritten(text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(hidden) => Some(hidden),
        }
    }

    /// The tool that is meant, and the arguments in our own words.
    fn understood(&self, call: &ModelCall) -> Result<(&Entry, Arguments), Failure> {
        let (entry, given, renamed) = self.entry(call)?;
        let given = given.as_ref().unwrap_or(&call.arguments);
        let mut arguments = entry.form.read_as(&names::called(entry.form, &call.name), given)?;
        if let Some(renamed) = renamed {
            arguments.note_tool(renamed);
        }
        Ok((entry, arguments))
    }

    /// The tool that is meant; its arguments where they are others than the call's; a note where it has another name.
    fn entry(&self, call: &ModelCall) -> Result<(&Entry, Option<Value>, Option<String>), Failure> {
        let asked = shortened(&call.name);
        if let Some(own) = self.own.iter().find(|own| own.form.tool == call.name) {
            return Ok((own, None, None));
        }
        if let Some((name, given)) = several_in_one(call)? {
            let note = format!("`{asked}` was read as {name}, as its command says");
            let entry = self.tools.iter().find(|entry| entry.form.tool == name);
            let entry = entry.ok_or_else(|| self.unknown(&call.name, None))?;
            return Ok((self.offering(entry, &asked)?, Some(given), Some(note)));
        }
        let meant = names::by_arguments(&call.name, &call.arguments);
        let meant = meant.iter().find_map(|name| self.offered().find(|entry| entry.form.tool == *name));
        if let Some(entry) = meant {
            return Ok((entry, None, Some(format!("`{asked}` was read as {}", entry.form.tool))));
        }
        // Of two tools that a name may mean, the one that is there is meant.
        let offered: Vec<&Entry> = self.offered().collect();
        let forms: Vec<&'static Form> = offered.iter().map(|entry| entry.form).collect();
        let exact_elsewhere = self.tools.iter().any(|entry| entry.form.tool == call.name);
        match names::meant(&forms, &call.name) {
            Meant::Exactly(at) => return Ok((offered[at], None, None)),
            Meant::Read(at) if !exact_elsewhere => {
                let entry = offered[at];
                return Ok((entry, None, Some(format!("`{asked}` was read as {}", entry.form.tool))));
            }
            Meant::Read(_) | Meant::None { .. } => {}
        }
        match names::meant(&self.forms(), &call.name) {
            Meant::Exactly(at) | Meant::Read(at) => Err(self.off(&self.tools[at], &asked)),
            Meant::None { near } => Err(self.unknown(&call.name, near.map(|at| &self.tools[at]))),
        }
    }

    fn offering<'a>(&self, entry: &'a Entry, asked: &str) -> Result<&'a Entry, Failure> {
        if self.is_offered(entry) { Ok(entry) } else { Err(self.off(entry, asked)) }
    }

    /// There is such a tool, but the model does not have it.
    fn off(&self, entry: &Entry, asked: &str) -> Failure {
        let (tool, group) = (entry.form.tool, entry.form.group.name());
        let alone = entry.tool.alone().filter(|_| self.present == Present::Nobody);
        let how = match entry.tool.idle().or(alone) {
            Some(why) => why.to_owned(),
            None if entry.allowed => format!(
                "{tool} belongs to the group {group}, which is off; the person can turn it on with /tools, or with \
                 --tools at the start"
            ),
            None => format!("{tool} is switched off here"),
        };
        let message = format!("there is no tool {asked:?}: {how}; {}", self.list());
        Failure::new(FailureKind::UnknownTool, message)
    }

    fn unknown(&self, asked: &str, near: Option<&Entry>) -> Failure {
        let near = near.filter(|entry| self.is_offered(entry));
        let near = near.map_or(String::new(), |entry| format!("did you mean {}? ", entry.form.tool));
        let message = format!("there is no tool {:?}; {near}{}", shortened(asked), self.list());
        Failure::new(FailureKind::UnknownTool, message)
    }

    fn list(&self) -> String {
        let names: Vec<&str> = self.offered().map(|entry| entry.form.tool).collect();
        if names.is_empty() {
            "there are no tools; answer in words".into()
        } else {
            format!("the tools are {}", names.join(", "))
        }
    }

    fn offered(&self) -> impl Iterator<Item = &Entry> {
        let on = self.on();
        self.tools.iter().filter(move |entry| entry.allowed && on.contains(&entry.form.group))
    }

    fn is_offered(&self, entry: &Entry) -> bool {
        entry.allowed && self.on().contains(&entry.form.group)
    }

    fn forms(&self) -> Vec<&'static Form> {
        self.tools.iter().map(|entry| entry.form).collect()
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}

/// Other agents' editor that reads, writes and edits, as its `command` says: our tool, and the arguments without it.
fn several_in_one(call: &ModelCall) -> Result<Option<(&'static str, Value)>, Failure> {
    let parsed;
    let given = match &call.arguments {
        Value::Object(given) => given,
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(given)) => {
                parsed = given;
                &parsed
            }
            Ok(_) | Err(_) => return Ok(None),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return Ok(None),
    };
    let Some(meant) = given.get("command").and_then(Value::as_str).and_then(|said| names::by_command(&call.name, said))
    else {
        return Ok(None);
    };
    let name = meant.map_err(|why| Failure::new(FailureKind::InvalidArguments, why))?;
    let rest = given.iter().filter(|(key, _)| *key != "command").map(|(key, value)| (key.clone(), value.clone()));
    Ok(Some((name, Value::Object(rest.collect()))))
}
