//! All tools by name, and the one way to carry out what they plan. Which tool a call means is found in `understood`.

mod understood;

use crate::arguments::{Form, Group};
use crate::buffers::OpenBuffers;
use crate::facts::git::RunByGit;
use crate::file_names::file_names;
use crate::perform::Around;
use crate::ports::Ports;
use crate::selection::{self, Left, Selection};
use crate::tools::own::repository::{CheckedOut, checked_out};
use crate::tools::{Listed, ToolContext};
use crate::undo::Undo;
use crate::workspace::Workspace;
use crate::{Ground, Output, PlannedCall, Secrets, Tool, Wish, facts, own_command, perform, tools};
use agent_policy::{Facts, OwnPermit, Permit, Query};
use agent_protocol::{
    Action, BackgroundCommand, BackgroundId, Chunk, Digest, Failure, FailureKind, FileChange, Levers, ModelCall,
    Outcome, PortCard, ToolSpec,
};
use futures_util::future::BoxFuture;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Once, PoisonError, RwLock};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::watch;
use tokio::task::spawn_blocking;

/// The tools of one project.
pub struct Toolbox {
    pub(crate) kit: ToolContext,
    /// What every call has around it.
    pub(crate) around: Around,
    /// In the order in which the model is told of them.
    tools: Vec<Entry>,
    /// Those that no model is told of: the program calls them.
    own: Vec<Entry>,
    /// The groups that are on.
    on: RwLock<Vec<Group>>,
    ports: Ports,
    run_by_git: RunByGit,
    /// What git runs is watched since then.
    pub(crate) git_watched: Once,
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
    /// Did the user exclude it by its name?
    excluded: bool,
}

impl Entry {
    fn new((form, tool): Listed) -> Self {
        Entry { form, allowed: tool.idle().is_none() && !form.unoffered, excluded: false, tool }
    }

    fn spec(&self) -> ToolSpec {
        self.tool.spec(self.form)
    }

    /// All names by which it is called.
    fn names(&self) -> impl Iterator<Item = String> {
        let spec = self.form.spec();
        std::iter::once(spec.name).chain(spec.aliases)
    }
}

/// A group of tools, as far as the user allows them.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// `core`, `plan`, `git` …
    pub name: &'static str,
    pub on: bool,
    /// In the order in which the model is told of them.
    pub specs: Vec<ToolSpec>,
}

/// What a call reaches for.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// What it would look at.
    pub action: Action,
    pub name: String,
    /// The offered tools that it does the work of, where it is not offered itself.
    pub stands_for: Vec<String>,
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

    /// Every tool there is, and what the user should know of those that are not ours.
    fn all(ground: Ground) -> (Self, Vec<String>) {
        let secrets = Secrets::new(ground.secret_values.iter().cloned());
        let workspace = Workspace::with(&ground.root, ground.home.clone());
        let undo = Undo::new(&workspace, &ground);
        let kit = ToolContext::new(&workspace, &ground, &undo);
        let mut tools = tools::all(&kit);
        let notices = tools::add_theirs(&kit, &ground, &mut tools);
        // Whatever has the same name comes before these.
        tools.extend(tools::unoffered());
        let tools = tools.into_iter().map(Entry::new).collect();
        let own = tools::own::tools().into_iter().chain([tools::agent::persons_memory(&kit)]).map(Entry::new).collect();
        let on = RwLock::new(selection::USUAL.to_vec());
        let watch = kit.runner.watch.clone();
        let buffers = OpenBuffers::new(ground.buffers.clone(), &workspace);
        let ports = Ports::new(&ground.surroundings);
        (
            Toolbox {
                kit,
                around: Around { secrets, undo, watch, seen: workspace.seen().clone(), buffers },
                tools,
                own,
                on,
                ports,
                run_by_git: RunByGit::default(),
                git_watched: Once::new(),
                present: Present::Person,
            },
            notices,
        )
    }

    /// The tools that every one of `selections` leaves, and what the user should know about these. Without a word about
    /// groups, all are on where single tools are named, and the usual ones where none is.
    pub fn with(ground: Ground, selections: &[Selection]) -> (Self, Vec<String>) {
        let (mut toolbox, mut notices) = Toolbox::all(ground);
        let forms = toolbox.forms();
        for selection in selections {
            for (entry, left) in toolbox.tools.iter_mut().zip(selection::left(selection, &forms, &mut notices)) {
                entry.allowed &= left == Left::Stays;
                entry.excluded |= left == Left::Excluded;
            }
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
        self.kit.ahead.alone();
        self.tools.iter_mut().for_each(|entry| entry.allowed &= entry.tool.alone().is_none());
    }

    /// All groups with the tools in them that the user allows; groups without one are left out.
    pub fn groups(&self) -> Vec<Offer> {
        let allowed = |group| self.tools.iter().filter(move |entry| entry.allowed && entry.form.group == group);
        let on = self.on();
        let offers = Group::ALL.into_iter().map(|group| Offer {
            name: group.name(),
            on: on.contains(&group),
            specs: allowed(group).map(|entry| self.spec(entry)).collect(),
        });
        offers.filter(|offer| !offer.specs.is_empty()).collect()
    }

    /// Has just these groups on from now on.
    pub fn offer(&self, names: &[String]) {
        let wanted = Group::ALL.into_iter().filter(|group| names.iter().any(|name| name == group.name())).collect();
        *self.on.write().unwrap_or_else(PoisonError::into_inner) = wanted;
    }

    /// Does what is done around the model in use just so from now on.
    pub fn adapt(&self, levers: Levers) {
        self.kit.adapt(levers);
    }

    /// The names of all tools that a call may mean.
    pub(crate) fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|entry| entry.form.tool)
    }

    fn on(&self) -> Vec<Group> {
        self.on.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the model is offered, always in the same order.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.offered().map(|entry| self.spec(entry)).collect()
    }

    /// The tool as the model is told of it. What is written under the name of one that only does its work is a call as well.
    fn spec(&self, entry: &Entry) -> ToolSpec {
        let mut spec = entry.spec();
        let serves = |other: &&Entry| other.form.unoffered && other.form.stands_for.first() == Some(&entry.form.tool);
        spec.aliases.extend(self.tools.iter().filter(serves).flat_map(Entry::names));
        spec
    }

    /// Answers policy's questions of fact: bounded, blocking. What cannot be found out stays unanswered, which policy
    /// takes for the worst.
    pub fn facts(&self, queries: &[Query]) -> Facts {
        let facts = facts::facts(&self.kit.ground, &self.run_by_git, queries);
        if queries.contains(&Query::RunByGit) {
            self.guard_what_git_runs(facts.run_by_git());
        }
        facts
    }

    /// The branch that is checked out in the project folder, or the first digits of the commit; `None` outside of a repository.
    pub fn checked_out(&self) -> Option<String> {
        checked_out(&self.kit.workspace).map(CheckedOut::name)
    }

    /// First step: which tool is meant, and what would this call look at?
    ///
    /// # Errors
    /// A [`Failure`] for an unknown tool or arguments that cannot be read.
    pub fn reach(&self, call: &ModelCall) -> Result<Reached, Failure> {
        let (entry, arguments) = self.understood(call)?;
        let action = entry.tool.reach(&self.kit, &arguments)?;
        let stands_for = entry.form.stands_for.iter().filter(|_| !self.is_offered(entry)).map(|name| (*name).into());
        let notes = arguments.into_parts().1.in_words();
        Ok(Reached { action, name: entry.form.tool.into(), stands_for: stands_for.collect(), notes })
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
    /// they are covered, what anybody else did in the project meanwhile included. `stop` resolves when the user stops
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

    /// Runs a command that the user typed themselves: in their shell, outside the sandbox. `live` gets what it puts out, and
    /// `stop` resolves when they stop it: then it is ended with all it started.
    pub fn run_own(
        &self,
        permit: OwnPermit,
        room: usize,
        live: UnboundedSender<Chunk>,
        stop: BoxFuture<'static, ()>,
    ) -> BoxFuture<'static, Outcome> {
        let (surroundings, secrets) = (self.kit.ground.surroundings.clone(), self.around.secrets.clone());
        Box::pin(async move {
            tokio::select! {
                outcome = own_command::run((&surroundings, &secrets), permit, room, live) => outcome,
                () = stop => perform::stopped(),
            }
        })
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

    /// The ports on which something listens in the sandbox, by number, with where the user reaches them. Blocking.
    pub fn ports(&self) -> Vec<PortCard> {
        self.ports.list()
    }

    /// The names of the project's files and folders, folders with a slash at the end, for a person to choose from: those
    /// changed last first, without what git ignores and what holds secrets. Are there more? Blocking.
    pub fn file_names(&self) -> (Vec<String>, bool) {
        file_names(&self.kit.workspace)
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
}
