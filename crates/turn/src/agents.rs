//! The kinds of agents that a task can be given to: two of ours, and the person's own.
//!
//! Only says what they are told and which tools they get; `delegating` has them work.

use crate::machine::Machine;
use crate::{OfferedGroup, Trust};
use agent_protocol::ToolSpec;

/// The tool by which tasks are given.
const TASK: &str = "task";

/// What belongs to the conversation with the person: an agent cannot speak to them, and gives no tasks itself.
const NOT_FOR_AGENTS: [&str; 4] = [TASK, "todo_write", "exit_plan_mode", "ask_user"];

/// What only looks.
const LOOKS: [&str; 13] = [
    "read_file",
    "list_directory",
    "glob_files",
    "grep_search",
    "read_many_files",
    "extract_functions",
    "find_references",
    "analyze_code",
    "search_code",
    "project_context",
    "git_status",
    "git_diff",
    "pwd",
];

/// Letters of a description that the model is told.
const MOST_LETTERS: usize = 100;

/// A kind of agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKind {
    /// By which it is asked for: `reviewer`.
    pub name: String,
    /// What it is good for, for the model.
    pub description: String,
    /// What it is told.
    pub prompt: String,
    /// What it may have of the tools that are offered.
    pub tools: AgentTools,
    /// It was found in the project: it counts only where that is trusted.
    pub of_project: bool,
}

/// What an agent may have of the tools that are offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentTools {
    /// All of them.
    Offered,
    /// Those of these names, and those of groups of these names.
    Only(Vec<String>),
}

impl AgentKind {
    /// The kinds that are always there.
    pub fn ours() -> [AgentKind; 2] {
        let kind = |name: &str, prompt: &str, tools| AgentKind {
            name: name.to_owned(),
            description: String::new(),
            prompt: prompt.to_owned(),
            tools,
            of_project: false,
        };
        let looks = AgentTools::Only(LOOKS.map(str::to_owned).to_vec());
        [
            kind(
                "general-purpose",
                include_str!("../../../assets/prompts/agents/general-purpose.md"),
                AgentTools::Offered,
            ),
            kind("explore", include_str!("../../../assets/prompts/agents/explore.md"), looks),
        ]
    }

    /// What it gets of `offered`.
    pub(crate) fn tools_of(&self, offered: &[ToolSpec], groups: &[OfferedGroup]) -> Vec<ToolSpec> {
        let of_group = |name: &str, spec: &ToolSpec| {
            groups.iter().any(|group| group.name == name && group.specs.iter().any(|member| member.name == spec.name))
        };
        let has = |spec: &ToolSpec| match &self.tools {
            AgentTools::Offered => true,
            AgentTools::Only(names) => names.iter().any(|name| is_called(spec, name) || of_group(name, spec)),
        };
        offered.iter().filter(|spec| !NOT_FOR_AGENTS.contains(&spec.name.as_str()) && has(spec)).cloned().collect()
    }
}

impl Machine {
    /// All kinds there are, the person's own first: one that is named like one of ours takes its place.
    pub(crate) fn agent_kinds(&self) -> Vec<AgentKind> {
        let trusted = matches!(self.settings.trust, Trust::Settled);
        let own = self.settings.agents.iter().filter(|kind| trusted || !kind.of_project).cloned();
        let mut kinds: Vec<AgentKind> = own.collect();
        let ours = AgentKind::ours().into_iter();
        let ours: Vec<AgentKind> =
            ours.filter(|kind| kinds.iter().all(|own| plain(&own.name) != plain(&kind.name))).collect();
        kinds.extend(ours);
        kinds
    }

    /// The kind that is meant by `name`.
    pub(crate) fn agent_kind(&self, name: &str) -> Option<AgentKind> {
        self.agent_kinds().into_iter().find(|kind| plain(&kind.name) == plain(name))
    }

    /// The model is told of the person's own kinds with the tool; ours stand there already.
    pub(crate) fn tell_of_agents(&mut self) {
        let own: Vec<String> =
            self.agent_kinds().iter().filter(|kind| !kind.description.is_empty()).map(in_a_line).collect();
        if own.is_empty() {
            return;
        }
        let told = format!(" Also: {}", own.join("; "));
        let settings = &mut self.settings;
        let specs = settings.tools.iter_mut().chain(settings.groups.iter_mut().flat_map(|group| &mut group.specs));
        for spec in specs.filter(|spec| spec.name == TASK) {
            let before = spec.description.find(" Also: ").unwrap_or(spec.description.len());
            spec.description.truncate(before);
            spec.description.push_str(&told);
        }
    }
}

/// May this tool be meant? Other agents' files name tools in their own words.
fn is_called(spec: &ToolSpec, name: &str) -> bool {
    let wanted = plain(name);
    std::iter::once(&spec.name).chain(&spec.aliases).any(|known| plain(known) == wanted)
}

fn in_a_line(kind: &AgentKind) -> String {
    let what = kind.description.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = what.chars().take(MOST_LETTERS).collect();
    format!("{} ({})", kind.name, shown.trim_end_matches('.'))
}

/// A name without what models write in different ways: `generalPurpose` and `general-purpose` are one.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(name: &str, aliases: &[&str]) -> ToolSpec {
        let aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
        ToolSpec { name: name.into(), description: String::new(), parameters: serde_json::Value::Null, aliases }
    }

    fn offered() -> Vec<ToolSpec> {
        vec![
            spec("read_file", &["cat"]),
            spec("write_file", &[]),
            spec("git_status", &[]),
            spec("git_operation", &[]),
            spec("task", &["agent"]),
            spec("ask_user", &[]),
        ]
    }

    fn names(tools: AgentTools) -> Vec<String> {
        let git = OfferedGroup { name: "git".into(), specs: offered()[2..4].to_vec(), on: true };
        let kind = AgentKind { tools, ..AgentKind::ours()[0].clone() };
        kind.tools_of(&offered(), &[git]).into_iter().map(|spec| spec.name).collect()
    }

    #[test]
    fn an_agent_has_what_is_offered_but_for_what_belongs_to_the_person() {
        assert_eq!(names(AgentTools::Offered), ["read_file", "write_file", "git_status", "git_operation"]);
    }

    #[test]
    fn tools_are_named_one_by_one_by_group_and_in_other_agents_words() {
        let only = |names: &[&str]| AgentTools::Only(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(names(only(&["git", "Cat"])), ["read_file", "git_status", "git_operation"]);
        assert_eq!(names(only(&["WriteFile", "agent", "magic"])), ["write_file"]);
    }

    #[test]
    fn the_exploring_one_changes_nothing() {
        let [_, explore] = AgentKind::ours();
        let found: Vec<String> = explore.tools_of(&offered(), &[]).into_iter().map(|spec| spec.name).collect();
        assert_eq!(found, ["read_file", "git_status"]);
    }
}
