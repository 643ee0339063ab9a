//! The table of tools. Each has its file here: arguments, what it looks at, what it does; and beside it the words that
//! the model reads.

mod edit_file;
mod glob_files;
mod grep_search;
mod list_directory;
mod read_file;
mod refused;
mod run_command;
mod write_file;

use crate::arguments::{Form, Kind, Need, Parameter, plain};
use crate::undo::Undo;
use crate::workspace::Workspace;
use crate::{Ground, Tool};
use agent_protocol::ToolSpec;

/// All tools with the forms of their arguments, in the order in which the model is told of them.
pub(crate) fn all(workspace: &Workspace, ground: &Ground, undo: &Undo) -> Vec<(&'static Form, Box<dyn Tool>)> {
    vec![
        (&read_file::FORM, Box::new(read_file::ReadFile::new(workspace.clone()))),
        (&write_file::FORM, Box::new(write_file::WriteFile::new(workspace.clone()))),
        (&edit_file::FORM, Box::new(edit_file::EditFile::new(workspace.clone()))),
        (&list_directory::FORM, Box::new(list_directory::ListDirectory::new(workspace.clone()))),
        (&glob_files::FORM, Box::new(glob_files::GlobFiles::new(workspace.clone()))),
        (&grep_search::FORM, Box::new(grep_search::GrepSearch::new(workspace.clone()))),
        (&run_command::FORM, Box::new(run_command::RunCommand::new(workspace.clone(), ground, undo.clone()))),
    ]
}

/// The forms of all tools.
#[cfg(test)]
pub(crate) fn forms() -> Vec<&'static Form> {
    let ground = Ground::of_this_process("/".into()).expect("there is a temporary folder");
    let workspace = Workspace::new(&ground.root);
    all(&workspace, &ground, &Undo::new(&workspace, &ground)).into_iter().map(|(form, _)| form).collect()
}

/// The file that a tool is about.
const FILE_PATH: Parameter = Parameter {
    name: "file_path",
    aliases: "path file filename name targetfile absolutepath relativepath relativeworkspacepath fullpath pathname paths \
        files filepaths uri",
    kind: Kind::Text,
    need: Need::Required,
    says: "",
    example: "\"src/main.rs\"",
};

/// The folder that a tool works in.
const PATH: Parameter = Parameter {
    name: "path",
    aliases: "dir directory folder file filepath dirpath directorypath folderpath root paths dirname targetdirectory \
        absolutepath relativepath relativeworkspacepath searchpath searchdirectory cwd workingdirectory basepath",
    kind: Kind::Text,
    need: Need::Optional,
    says: "default .",
    example: "\"src\"",
};

/// A tool as the model is told of it; `description` is the text of its `.md` file.
fn spec(form: &Form, description: &str) -> ToolSpec {
    let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let spellings = |alias: &str| [alias.to_owned(), plain(alias)];
    let mut aliases: Vec<String> = form.aliases.split_whitespace().flat_map(spellings).collect();
    aliases.push(plain(form.tool));
    aliases.dedup();
    ToolSpec { name: form.tool.into(), description, parameters: form.schema(), aliases }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::path::Path;

    /// Every character is prompt, in every request.
    const LONGEST: usize = 2_900;

    /// The tools as the model is told of them.
    fn told() -> Vec<ToolSpec> {
        let ground = Ground::of_this_process("/".into()).unwrap();
        let workspace = Workspace::new(Path::new("/"));
        let specs = all(&workspace, &ground, &Undo::new(&workspace, &ground)).into_iter().map(|(_, tool)| tool.spec());
        specs.map(|spec| ToolSpec { aliases: Vec::new(), ..spec }).collect()
    }

    #[test]
    fn the_schemas_stay_short() {
        let tools: Vec<_> = told().into_iter().map(|spec| json!({ "type": "function", "function": spec })).collect();
        let length = serde_json::to_string(&tools).unwrap().chars().count();
        assert!(length <= LONGEST, "{length} characters");
    }

    #[test]
    fn the_schemas_are_these() {
        insta::assert_json_snapshot!(told());
    }
}
