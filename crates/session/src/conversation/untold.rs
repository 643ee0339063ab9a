//! What happened between turns that the model would not know otherwise: it is told at the next thing said, in a line for
//! each, and of files what is so in the end, however often they went back and forth.

use agent_protocol::{FileState, UndoneFile};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Names that a line holds at most; the model can look for itself.
const MOST_NAMES: usize = 12;

/// Commands of the user's own that are told at once.
const MOST_OWN: usize = 4;

/// Letters of what was said that a line repeats.
const MOST_LETTERS: usize = 60;

/// How plan mode begins where the plan goes to the user by the tool for it.
const PLAN_WITH_TOOL: &str = "this is plan mode: nothing is changed; look at what you need, then put a plan before the \
                              user with exit_plan_mode";
/// The same where that tool is not offered.
const PLAN_AS_ANSWER: &str = "this is plan mode: nothing is changed; look at what you need, then write your plan as your \
                              answer, step by step, and end with that";
const PLAN_MODE_ENDS: &str = "plan mode is over: you may make changes again";

/// What the model does not know yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Untold {
    news: News,
    /// Is it plan mode, and does the model know?
    plan_mode: PlanMode,
}

#[derive(Debug, Clone, Default)]
struct News {
    lines: Vec<String>,
    /// Commands that the user ran themselves, each with its output.
    own: Vec<String>,
    /// What hooks want the model to know.
    hooks: Vec<String>,
    /// What became of commands in the background.
    jobs: Vec<String>,
    /// Files that were brought back or forth, by path.
    files: BTreeMap<PathBuf, Moved>,
}

#[derive(Debug, Clone, Copy, Default)]
struct PlanMode {
    on: bool,
    known: bool,
}

/// How the model hands over a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanBy {
    /// By the tool that puts it before the user.
    Tool,
    /// As its answer: nobody is there to decide on it, or that tool is off.
    Answer,
}

#[derive(Debug, Clone)]
struct Moved {
    shown_path: String,
    before: FileState,
    after: FileState,
}

impl PlanBy {
    fn hint(self) -> &'static str {
        match self {
            PlanBy::Tool => PLAN_WITH_TOOL,
            PlanBy::Answer => PLAN_AS_ANSWER,
        }
    }
}

impl Untold {
    pub(crate) fn add(&mut self, line: String) {
        self.news.lines.push(line);
    }

    /// The model was told this line in another place.
    pub(crate) fn drop_line(&mut self, line: &str) {
        self.news.lines.retain(|known| known != line);
    }

    /// The user ran a command themselves. Of many only the last are told.
    pub(crate) fn of_own_command(&mut self, text: String) {
        let own = &mut self.news.own;
        if own.len() == MOST_OWN {
            own.remove(0);
        }
        own.push(text);
    }

    /// A hook wants the model to know this.
    pub(crate) fn of_hook(&mut self, text: String) {
        self.news.hooks.push(text);
    }

    /// Something became of a command in the background.
    pub(crate) fn of_jobs(&mut self, line: String) {
        self.news.jobs.push(line);
    }

    /// That alone, for whoever cannot wait for the next thing said.
    pub(crate) fn tell_of_jobs(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news.jobs)
    }

    /// Files were brought back, or forth again.
    pub(crate) fn moved(&mut self, files: &[UndoneFile]) {
        for file in files.iter().filter(|file| file.left.is_none()) {
            let moved = self.news.files.entry(file.path.clone()).or_insert_with(|| Moved {
                shown_path: file.shown_path.clone(),
                before: file.before.clone(),
                after: file.after.clone(),
            });
            moved.after.clone_from(&file.after);
        }
    }

    /// The conversation went back to before `text`; of that, and of all since, it knows nothing any more but that these
    /// files are still as they became.
    pub(crate) fn went_back(&mut self, text: &str, files: &[String]) {
        self.news = News::default();
        if let Some(names) = names(files) {
            let said: String =
                text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_LETTERS).collect();
            self.add(format!(
                "the conversation went back to before \"{said}\", but the files did not: what was changed since is \
                 still there in {names}"
            ));
        }
    }

    /// All of it was told, with something that was said.
    pub(crate) fn mark_told(&mut self) {
        self.news = News::default();
        self.plan_mode.known = self.plan_mode.on;
    }

    /// It is plan mode now, or is not any more.
    pub(crate) fn plan_mode(&mut self, on: bool) {
        self.plan_mode.on = on;
    }

    /// The same, and the model has been told.
    pub(crate) fn knows_plan_mode(&mut self, on: bool) {
        self.plan_mode = PlanMode { on, known: on };
    }

    /// What the model was told of the mode and has to know as long as that holds.
    pub(crate) fn standing(&self, plan: PlanBy) -> Option<&'static str> {
        (self.plan_mode.on && self.plan_mode.known).then(|| plan.hint())
    }

    pub(crate) fn clear(&mut self) {
        self.news = News::default();
        self.plan_mode.known = false;
    }

    /// All of it, in the paragraphs that stand before what is said; it is told then.
    pub(crate) fn tell(&mut self, plan: PlanBy) -> Vec<String> {
        let PlanMode { on, known } = self.plan_mode;
        let mode = (on != known).then(|| if on { plan.hint() } else { PLAN_MODE_ENDS }.to_owned());
        let News { lines, own, hooks, jobs, files } = std::mem::take(&mut self.news);
        self.mark_told();
        let moved: Vec<String> =
            files.into_values().filter(|file| file.before != file.after).map(|file| file.shown_path).collect();
        let moved = names(&moved).map(|names| {
            format!("the user took changes back or brought them back: {names}; look at them before you build on them")
        });
        let lines = lines.into_iter().chain(jobs).chain(moved).chain(mode).map(|line| format!("({line})"));
        own.into_iter().chain(hooks).chain(lines).collect()
    }
}

fn names(files: &[String]) -> Option<String> {
    let more = files.len().saturating_sub(MOST_NAMES);
    let shown = files.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match (files.len(), more) {
        (0, _) => None,
        (_, 0) => Some(shown),
        (_, more) => Some(format!("{shown} and {more} more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(untold: &mut Untold, path: &str, before: u64, after: u64) {
        let state = |size| FileState::Unkept { why: agent_protocol::Unkept::Special, size };
        let file = UndoneFile {
            path: path.into(),
            shown_path: path.into(),
            before: state(before),
            after: state(after),
            left: None,
        };
        untold.moved(&[file]);
    }

    #[test]
    fn of_files_only_what_is_so_in_the_end_is_told_and_once() {
        let mut untold = Untold::default();
        for (before, after) in [(2, 1), (1, 2), (2, 1)] {
            moved(&mut untold, "a", before, after);
        }
        moved(&mut untold, "b", 2, 1);
        moved(&mut untold, "b", 1, 2);
        let told = untold.tell(PlanBy::Tool).concat();
        assert!(told.contains(": a; look at them"), "{told}");
        assert_eq!(told.matches("(the user").count(), 1);
        assert_eq!(untold.tell(PlanBy::Tool), [""; 0]);
    }

    #[test]
    fn many_names_are_counted() {
        let names: Vec<String> = (0..20).map(|number| format!("f{number}")).collect();
        let mut untold = Untold::default();
        untold.went_back("fix  it", &names);
        assert!(untold.tell(PlanBy::Tool).concat().contains("before \"fix it\""));
        untold.went_back("x", &names);
        assert!(untold.tell(PlanBy::Tool).concat().contains("f11 and 8 more"));
    }
}
