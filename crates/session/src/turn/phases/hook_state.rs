//! What a session knows of its hooks: which there are, which are off, and which are under way that nothing waits for.

use agent_protocol::{FiringId, Hook, HookEvent};

/// The hooks of a session.
#[derive(Debug, Default)]
pub(crate) struct Hooks {
    all: Vec<Hook>,
    firings: u64,
    /// Under way, and whatever they say changes nothing: for the row that tells of them.
    loose: Vec<(FiringId, HookEvent)>,
    /// Those of the beginning: no turn begins before they have said what the model is to know.
    pub(crate) starting: Option<FiringId>,
    /// Those of the end: the session is not at rest before they have ended.
    pub(crate) leaving: Option<FiringId>,
    /// What those of the beginning want the model to know with the first words.
    pub(crate) first_words: Vec<String>,
}

impl Hooks {
    pub(crate) fn new(all: Vec<Hook>) -> Self {
        Hooks { all, ..Hooks::default() }
    }

    /// All of them, as they stand.
    pub(crate) fn all(&self) -> &[Hook] {
        &self.all
    }

    /// Those in force for this, in the order of the settings; `tool`: the one that a call is carried out by.
    pub(crate) fn hooks_for<'a>(&'a self, event: HookEvent, tool: Option<&'a str>) -> impl Iterator<Item = &'a Hook> {
        self.meant(event, tool).filter(|hook| hook.asks.is_none())
    }

    /// Those that guard this and cannot be run, each with the reason.
    pub(crate) fn asking<'a>(
        &'a self,
        event: HookEvent,
        tool: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a Hook, &'a str)> {
        self.meant(event, tool).filter_map(|hook| Some((hook, hook.asks.as_deref()?)))
    }

    fn meant<'a>(&'a self, event: HookEvent, tool: Option<&'a str>) -> impl Iterator<Item = &'a Hook> {
        let means = move |hook: &&Hook| tool.is_none_or(|tool| hook.tools.iter().any(|name| name == tool));
        self.all.iter().filter(move |hook| hook.event == event && hook.off.is_none()).filter(means)
    }

    /// Is there any in force for this?
    pub(crate) fn any_at(&self, event: HookEvent) -> bool {
        self.hooks_for(event, None).next().is_some()
    }

    pub(crate) fn next_firing(&mut self) -> FiringId {
        self.firings += 1;
        FiringId(self.firings)
    }

    pub(crate) fn let_loose(&mut self, firing: FiringId, event: HookEvent) {
        self.loose.push((firing, event));
    }

    /// What it was run at, where nothing waits for it; it has ended.
    pub(crate) fn take_loose(&mut self, firing: FiringId) -> Option<HookEvent> {
        let at = self.loose.iter().position(|(open, _)| *open == firing)?;
        Some(self.loose.remove(at).1)
    }

    /// A file changed that hooks are known by: these are not run from now on, and what they guard is asked about. Were they
    /// run until now?
    pub(crate) fn stop_running(&mut self, file: &str) -> bool {
        let names = |hook: &&mut Hook| hook.files.iter().any(|named| named.path.display().to_string() == file);
        let running = self.all.iter_mut().filter(|hook| hook.asks.is_none() && hook.off.is_none());
        let mut any = false;
        for hook in running.filter(names) {
            let why = Some(format!("{file} changed {}", hook.origin.since()));
            match hook.event {
                HookEvent::PreTool => hook.asks = why,
                HookEvent::PostTool
                | HookEvent::UserPrompt
                | HookEvent::TurnEnd
                | HookEvent::SessionStart
                | HookEvent::SessionEnd
                | HookEvent::Notification => hook.off = why,
            }
            any = true;
        }
        any
    }
}
