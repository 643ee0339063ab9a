//! The kinds of agents that a task can be given to: two of ours, and the user's own.
//!
//! Only says what they are told and which tools they get; `delegating` has them work.

use agent_protocol::ToolSpec;

/// The tool by which tasks are given.
pub(crate) const TASK: &str = "task";

/// What belongs to the conversation with the user: an agent cannot speak to them, and gives no tasks itself.
const NOT_FOR_AGENTS: [&str; 4] = [TASK, "todo_write", "exit_plan_mode", "ask_user"];
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

/// Tools that are offered together, or not.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedGroup {
    /// `core`, `plan`, `git` …
    pub name: String,
    /// Its tools, in the order in which the model is told of them.
    pub specs: Vec<ToolSpec>,
    pub on: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKind {
    /// By which it is asked for: `reviewer`.
    pub name: String,
    /// What it is good for, for the model.
    pub description: String,
    pub prompt: String,
    /// What it may have of the tools that are offered.
    pub tools: AgentTools,
    /// It was found in the project: it counts only where that is trusted.
    pub of_project: bool,
}

/// What an agent may have of the tools that are offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentTools {
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

    /// Is it asked for by this name? Models write one name in different ways.
    pub fn is_called(&self, name: &str) -> bool {
        plain(&self.name) == plain(name)
    }

    /// Those of the tools it names that are neither among `offered` nor in one of the `groups`, nor a group.
    pub fn unknown_tools(&self, offered: &[ToolSpec], groups: &[OfferedGroup]) -> Vec<String> {
        let AgentTools::Only(names) = &self.tools else { return Vec::new() };
        let specs: Vec<&ToolSpec> = offered.iter().chain(groups.iter().flat_map(|group| &group.specs)).collect();
        let known = |name: &str| {
            groups.iter().any(|group| group.name == name) || specs.iter().any(|spec| is_called(spec, name))
        };
        names.iter().filter(|name| !known(name)).cloned().collect()
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

/// The kind that is meant by `name`, of those that were `brought` along and ours; else the names that there are.
pub(crate) fn kind_of(name: &str, brought: &[AgentKind], trusted: bool) -> Result<AgentKind, Vec<String>> {
    let kinds = all_kinds(brought, trusted);
    let names = || kinds.iter().map(|kind| kind.name.clone()).collect();
    kinds.iter().find(|kind| kind.is_called(name)).cloned().ok_or_else(names)
}

/// Those that were brought along and count, then ours. One of the user that is named like one of ours takes its place;
/// one of the project takes nobody's, for the model is told what ours may do.
pub(crate) fn all_kinds(brought: &[AgentKind], trusted: bool) -> Vec<AgentKind> {
    let ours = AgentKind::ours();
    let is_taken = |kind: &AgentKind| {
        ours.iter().chain(brought.iter().filter(|own| !own.of_project)).any(|other| other.is_called(&kind.name))
    };
    let counts = |kind: &&AgentKind| !kind.of_project || trusted && !is_taken(kind);
    let mut kinds: Vec<AgentKind> = brought.iter().filter(counts).cloned().collect();
    let left: Vec<&AgentKind> = ours.iter().filter(|kind| !kinds.iter().any(|own| own.is_called(&kind.name))).collect();
    kinds.extend(left.into_iter().cloned());
    kinds
}

/// May this tool be meant? Other agents' files name tools in their own words.
fn is_called(spec: &ToolSpec, name: &str) -> bool {
    let wanted = plain(name);
    std::iter::once(&spec.name).chain(&spec.aliases).any(|known| plain(known) == wanted)
}

pub(crate) fn in_a_line(kind: &AgentKind) -> String {
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
    fn tools_that_there_are_not_are_known_for_it() {
        let web = OfferedGroup { name: "web".into(), specs: vec![spec("web_fetch", &[])], on: false };
        let tools = AgentTools::Only(["Cat", "web", "WebFetch", "magic", "task"].map(str::to_owned).to_vec());
        let kind = AgentKind { tools, ..AgentKind::ours()[0].clone() };
        assert_eq!(kind.unknown_tools(&offered(), &[web]), ["magic"]);
    }

    #[test]
    fn a_project_s_kind_takes_the_place_of_no_other() {
        let kind = |name: &str, of_project| AgentKind {
            name: name.into(),
            prompt: if of_project { "theirs" } else { "mine" }.into(),
            tools: AgentTools::Offered,
            of_project,
            ..AgentKind::ours()[0].clone()
        };
        let brought = [kind("general-purpose", false), kind("one", false)];
        let theirs = [kind("Explore", true), kind("ONE", true), kind("two", true)];
        let brought: Vec<AgentKind> = brought.into_iter().chain(theirs).collect();
        let found = |trusted| -> Vec<(String, bool)> {
            let kinds = all_kinds(&brought, trusted);
            kinds.iter().map(|kind| (kind.name.clone(), kind.tools == AgentTools::Offered)).collect()
        };
        let named = |names: &[(&str, bool)]| -> Vec<(String, bool)> {
            names.iter().map(|(name, all)| ((*name).to_owned(), *all)).collect()
        };
        let (mine, looks) = ([("general-purpose", true), ("one", true)], ("explore", false));
        assert_eq!(found(false), named(&[mine[0], mine[1], looks]));
        assert_eq!(found(true), named(&[mine[0], mine[1], ("two", true), looks]));
    }

    #[test]
    fn the_exploring_one_changes_nothing() {
        let [_, explore] = AgentKind::ours();
        let found: Vec<String> = explore.tools_of(&offered(), &[]).into_iter().map(|spec| spec.name).collect();
        assert_eq!(found, ["read_file", "git_status"]);
    }
}
