//! The table of tools. Each has its file here: arguments, what it looks at, what it does; and beside it the words that
//! the model reads.

pub(crate) mod agent;
mod batch;
mod code;
mod dev;
mod edit_file;
mod edit_lines;
mod git;
mod glob_files;
mod grep_search;
mod jobs;
mod list_directory;
mod mcp;
pub(crate) mod own;
mod plan;
mod read_file;
mod refused;
mod run_command;
mod user;
mod web;
mod write_file;

use crate::arguments::{Form, Kind, Parameter};
use crate::reserved_names::Reserved;
pub(crate) use crate::tool::ToolContext;
use crate::{Ground, Tool};
pub use read_file::picture::picture;

/// A tool with the form of its arguments.
pub(crate) type Listed = (&'static Form, Box<dyn Tool>);

/// All tools, group by group, in the order in which the model is told of them.
pub(crate) fn all(kit: &ToolContext) -> Vec<Listed> {
    let groups = [
        core(),
        plan::tools(),
        git::tools(),
        dev::tools(),
        code::tools(kit),
        batch::tools(),
        web::tools(),
        agent::tools(kit),
    ];
    let mut tools: Vec<Listed> = groups.into_iter().flatten().collect();
    let mut reserved = Reserved::by(tools.iter().map(|(form, _)| *form));
    tools.extend(mcp::tools(&kit.ground, &mut reserved));
    tools
}

/// Those of which no model is told: they take what models write who learned it with other agents. Whoever brings a tool of
/// such a name has it.
pub(crate) fn unoffered() -> Vec<Listed> {
    let mut tools = batch::unoffered();
    tools.push((&edit_lines::EDIT, Box::new(edit_lines::EditLines)));
    tools.push((&edit_lines::INSERT, Box::new(edit_lines::InsertLines)));
    tools
}

/// Adds the tools that the user or the project brought along. What the user should know of them comes back.
pub(crate) fn add_theirs(kit: &ToolContext, ground: &Ground, tools: &mut Vec<Listed>) -> Vec<String> {
    user::add(kit, ground, tools)
}

fn core() -> Vec<Listed> {
    vec![
        (&read_file::FORM, Box::new(read_file::ReadFile)),
        (&write_file::FORM, Box::new(write_file::WriteFile)),
        (&edit_file::FORM, Box::new(edit_file::EditFile)),
        (&list_directory::FORM, Box::new(list_directory::ListDirectory)),
        (&glob_files::FORM, Box::new(glob_files::GlobFiles)),
        (&grep_search::FORM, Box::new(grep_search::GrepSearch)),
        (&run_command::FORM, Box::new(run_command::RunCommand)),
        (&jobs::FORM, Box::new(jobs::Jobs)),
    ]
}

/// The forms of all tools.
#[cfg(test)]
pub(crate) fn forms() -> Vec<&'static Form> {
    all(&kit()).into_iter().chain(unoffered()).map(|(form, _)| form).collect()
}

#[cfg(test)]
fn kit() -> ToolContext {
    use crate::{undo::Undo, workspace::Workspace};
    let ground = Ground::of_this_process("/".into()).expect("there is a temporary folder");
    let workspace = Workspace::new(&ground.root);
    ToolContext::new(&workspace, &ground, &Undo::new(&workspace, &ground))
}

/// The file that a tool is about.
const FILE_PATH: Parameter = Parameter::new("file_path", Kind::Text, "\"src/main.rs\"")
    .also(
        "path file filename name targetfile absolutepath relativepath relativeworkspacepath fullpath pathname \
        paths files filepaths uri",
    )
    .required();

/// The folder that a tool works in.
const PATH: Parameter = Parameter::new("path", Kind::Text, "\"src\"")
    .also(
        "dir directory folder file filepath dirpath directorypath folderpath root paths dirname targetdirectory \
        absolutepath relativepath relativeworkspacepath searchpath searchdirectory cwd workingdirectory basepath",
    )
    .optional()
    .says("default .");

/// The folder in which a search looks. Models that know nothing but the project mean it by `/`.
fn searched(
    kit: &ToolContext,
    arguments: &crate::arguments::Arguments,
) -> Result<std::path::PathBuf, agent_protocol::Failure> {
    let given = arguments.optional_text("path")?.unwrap_or_default();
    kit.workspace.resolve(if given.trim() == "/" { "" } else { &given })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Group;
    use agent_protocol::ToolSpec;
    use serde_json::json;
    use std::collections::BTreeMap;

    /// Every character is prompt, in every request.
    fn longest(group: Group) -> usize {
        match group {
            Group::Core => 2_900,
            Group::Plan | Group::Batch | Group::Agent => 900,
            Group::Web => 500,
            Group::Git => 700,
            Group::Dev => 2_400,
            Group::Code => 1_500,
            // What others bring is theirs to keep short.
            Group::User | Group::Mcp => 0,
        }
    }

    /// The tools of `group` as the model is told of them.
    fn told(group: Group) -> Vec<ToolSpec> {
        let of_group = all(&kit()).into_iter().filter(|(form, _)| form.group == group);
        of_group.map(|(form, tool)| ToolSpec { aliases: Vec::new(), ..tool.spec(form) }).collect()
    }

    #[test]
    fn the_schemas_stay_short() {
        for group in Group::ALL {
            let tools = told(group).into_iter().map(|spec| json!({ "type": "function", "function": spec }));
            let length = serde_json::to_string(&tools.collect::<Vec<_>>()).unwrap().chars().count();
            assert!(length <= longest(group).max(2), "{}: {length} characters", group.name());
        }
    }

    #[test]
    fn the_schemas_are_these() {
        let groups = Group::ALL.map(|group| (group.name(), told(group))).into_iter();
        let told: BTreeMap<&str, Vec<ToolSpec>> = groups.filter(|(_, told)| !told.is_empty()).collect();
        insta::assert_json_snapshot!("schemas", told);
    }
}
