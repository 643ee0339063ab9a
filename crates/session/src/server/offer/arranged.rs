//! Which of the tools that are on go to the model, and in which order: fewer for a small one, the form of change first that
//! it can do, the tool for plans in plan mode. What is left out here is answered all the same where a model calls it.

use super::PLAN_TOOL;
use crate::OfferedGroup;
use agent_protocol::{EditForm, Levers, ToolSpec};

const WRITE: &str = "write_file";
const EDIT: &str = "edit_file";

/// What a small model does not get: what it takes for other tools or loses itself in, and what no task needs.
const TOO_MANY: [&str; 3] = ["jobs", "todo_write", "ask_user"];

/// How `write_file` says that there is another way, and what it says where that is to be taken first.
const BOTH_WAYS: &str = " To change a part, use edit_file.";
const OTHER_WAY: &str = " To change one that is there, use edit_file.";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Arrangement {
    pub(super) levers: Levers,
    /// Plan mode was on, once. The tool for it stays then: each change has the server read all of the prompt anew.
    pub(super) plans: bool,
    /// Groups that the user turned on although little was to be left of them.
    pub(super) wanted: Vec<String>,
}

impl Arrangement {
    /// What the model gets of `specs`, which are on.
    pub(super) fn arrange(&self, specs: &[ToolSpec], groups: &[OfferedGroup]) -> Vec<ToolSpec> {
        let mut arranged: Vec<ToolSpec> = specs.iter().filter(|spec| self.leaves(spec, groups)).cloned().collect();
        match self.levers.edit {
            EditForm::Both => {}
            EditForm::Whole => whole_first(&mut arranged, self.levers.whole_file_lines),
            EditForm::Replace => replacing_first(&mut arranged),
        }
        arranged
    }

    fn leaves(&self, spec: &ToolSpec, groups: &[OfferedGroup]) -> bool {
        let name = spec.name.as_str();
        let is_of = |group: &OfferedGroup| group.specs.iter().any(|member| member.name == name);
        let is_wanted = || groups.iter().any(|group| self.wanted.contains(&group.name) && is_of(group));
        match name {
            PLAN_TOOL => self.plans,
            _ => !self.levers.few_tools || !TOO_MANY.contains(&name) || is_wanted(),
        }
    }
}

/// Files are written whole, and only long ones changed in part.
fn whole_first(specs: &mut [ToolSpec], most_lines: u32) {
    if !order(specs, [WRITE, EDIT]) {
        return;
    }
    let long = match most_lines {
        0 => "Only for long files".to_owned(),
        lines => format!("Only for files of more than {lines} lines"),
    };
    for spec in specs {
        match spec.name.as_str() {
            WRITE => spec.description = spec.description.replace(BOTH_WAYS, ""),
            EDIT => spec.description = format!("{long}. {}", spec.description),
            _ => {}
        }
    }
}

/// Files that are there are changed in part, and only new ones written.
fn replacing_first(specs: &mut [ToolSpec]) {
    if !order(specs, [EDIT, WRITE]) {
        return;
    }
    for spec in specs.iter_mut().filter(|spec| spec.name == WRITE) {
        spec.description = spec.description.replace(", or replace all of it.", ".").replace(BOTH_WAYS, OTHER_WAY);
    }
}

/// Puts both in this order, where both are there.
fn order(specs: &mut [ToolSpec], [first, second]: [&str; 2]) -> bool {
    let at = |name: &str| specs.iter().position(|spec| spec.name == name);
    let (Some(first), Some(second)) = (at(first), at(second)) else { return false };
    if first > second {
        specs.swap(first, second);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(name: &str) -> ToolSpec {
        let description = match name {
            WRITE => "Create a file with its folders, or replace all of it. To change a part, use edit_file.",
            EDIT => "Replace text in a file.",
            _ => "",
        };
        ToolSpec {
            name: name.into(),
            description: description.into(),
            parameters: serde_json::Value::Null,
            aliases: Vec::new(),
        }
    }

    fn names(specs: &[ToolSpec]) -> Vec<&str> {
        specs.iter().map(|spec| spec.name.as_str()).collect()
    }

    fn usual() -> Vec<OfferedGroup> {
        let group = |name: &str, tools: &[&str]| OfferedGroup {
            name: name.into(),
            specs: tools.iter().map(|name| spec(name)).collect(),
            on: true,
        };
        vec![
            group("core", &["read_file", WRITE, EDIT, "grep_search", "run_command", "jobs"]),
            group("plan", &["todo_write", PLAN_TOOL, "ask_user"]),
            group("user", &["deploy"]),
            group("mcp", &["notes__add"]),
        ]
    }

    fn arranged(arrangement: &Arrangement) -> Vec<ToolSpec> {
        let groups = usual();
        let all: Vec<ToolSpec> = groups.iter().flat_map(|group| group.specs.clone()).collect();
        arrangement.arrange(&all, &groups)
    }

    #[test]
    fn a_small_model_gets_what_it_can_keep_apart_and_whatever_the_person_brought() {
        let few = Levers { few_tools: true, ..Levers::default() };
        let small = Arrangement { levers: few, ..Arrangement::default() };
        let left = ["read_file", WRITE, EDIT, "grep_search", "run_command", "deploy", "notes__add"];
        assert_eq!(names(&arranged(&small)), left);
        let plans = Arrangement { plans: true, ..small.clone() };
        assert!(names(&arranged(&plans)).contains(&PLAN_TOOL), "plan mode works as it does for any other");
        let wanted = Arrangement { wanted: vec!["plan".into()], ..small };
        let with_plan = names(&arranged(&wanted)).join(" ");
        assert!(with_plan.contains("todo_write ask_user") && !with_plan.contains("jobs"), "{with_plan}");
    }

    #[test]
    fn any_other_gets_all_but_the_tool_for_plan_mode() {
        let all: Vec<String> = usual().iter().flat_map(|group| &group.specs).map(|spec| spec.name.clone()).collect();
        let usually: Vec<&str> = all.iter().map(String::as_str).filter(|name| *name != PLAN_TOOL).collect();
        assert_eq!(names(&arranged(&Arrangement::default())), usually);
        assert_eq!(names(&arranged(&Arrangement { plans: true, ..Arrangement::default() })), all);
    }

    #[test]
    fn the_form_of_change_that_suits_comes_first_and_says_when() {
        let told = |edit| {
            let levers = Levers { edit, ..Levers::default() };
            let specs = arranged(&Arrangement { levers, ..Arrangement::default() });
            let two = specs.into_iter().filter(|spec| [WRITE, EDIT].contains(&spec.name.as_str()));
            two.map(|spec| format!("{}: {}", spec.name, spec.description)).collect::<Vec<_>>()
        };
        assert_eq!(
            told(EditForm::Whole),
            [
                "write_file: Create a file with its folders, or replace all of it.",
                "edit_file: Only for files of more than 120 lines. Replace text in a file.",
            ]
        );
        assert_eq!(
            told(EditForm::Replace),
            [
                "edit_file: Replace text in a file.",
                "write_file: Create a file with its folders. To change one that is there, use edit_file.",
            ]
        );
    }
}
