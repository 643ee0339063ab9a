//! What a session knows of its hooks: which there are, which are off, and which are under way that nothing waits for.

use agent_protocol::{FiringId, Hook, HookEvent, HookOrigin};

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
    pub(crate) fn at<'a>(&'a self, event: HookEvent, tool: Option<&'a str>) -> impl Iterator<Item = &'a Hook> {
        let means = move |hook: &&Hook| tool.is_none_or(|tool| hook.tools.iter().any(|name| name == tool));
        self.all.iter().filter(move |hook| hook.event == event && hook.off.is_none()).filter(means)
    }

    /// Is there any in force for this?
    pub(crate) fn any_at(&self, event: HookEvent) -> bool {
        self.at(event, None).next().is_some()
    }

    pub(crate) fn next_firing(&mut self) -> FiringId {
        self.firings += 1;
        FiringId(self.firings)
    }

    /// Nothing waits for it.
    pub(crate) fn let_loose(&mut self, firing: FiringId, event: HookEvent) {
        self.loose.push((firing, event));
    }

    /// What it was run at, where nothing waits for it; it has ended.
    pub(crate) fn take_loose(&mut self, firing: FiringId) -> Option<HookEvent> {
        let at = self.loose.iter().position(|(open, _)| *open == firing)?;
        Some(self.loose.remove(at).1)
    }

    /// A file changed that hooks of the project were approved with: these are off from now on. Were they on?
    pub(crate) fn switch_off(&mut self, file: &str) -> bool {
        let names = |hook: &&mut Hook| hook.files.iter().any(|named| named.path.display().to_string() == file);
        let on = self.all.iter_mut().filter(|hook| hook.origin == HookOrigin::Project && hook.off.is_none());
        let mut any = false;
        for hook in on.filter(names) {
            hook.off = Some(format!("{file} changed since you approved it"));
            any = true;
        }
        any
    }
}
