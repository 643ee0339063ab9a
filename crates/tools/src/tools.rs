//! The table of tools. Each has its file here: arguments, what it looks at, what it does; and beside it the words that
//! the model reads.

mod edit_file;
mod glob_files;
mod grep_search;
mod list_directory;
mod read_file;
mod run_command;
mod write_file;

use crate::Tool;
use crate::arguments::{Form, Kind, Need, Parameter};
use crate::workspace::Workspace;
use agent_protocol::ToolSpec;

/// All tools, in the order in which the model is told of them.
pub(crate) fn all(workspace: &Workspace) -> Vec<Box<dyn Tool>> {
    vec![
        Box::new(read_file::ReadFile::new(workspace.clone())),
        Box::new(write_file::WriteFile::new(workspace.clone())),
        Box::new(edit_file::EditFile::new(workspace.clone())),
        Box::new(list_directory::ListDirectory::new(workspace.clone())),
        Box::new(glob_files::GlobFiles::new(workspace.clone())),
        Box::new(grep_search::GrepSearch::new(workspace.clone())),
        Box::new(run_command::RunCommand::new(workspace.clone())),
    ]
}

/// The file that a tool is about.
const FILE_PATH: Parameter = Parameter {
    name: "file_path",
    aliases: &["path", "file", "filename", "name"],
    kind: Kind::Text,
    need: Need::Required,
    says: "",
    example: "\"src/main.rs\"",
};

/// The folder that a tool works in.
const PATH: Parameter = Parameter {
    name: "path",
    aliases: &["dir", "directory", "folder", "file", "filepath", "dirpath", "directorypath", "root"],
    kind: Kind::Text,
    need: Need::Optional,
    says: "default .",
    example: "\"src\"",
};

/// A tool as the model is told of it; `description` is the text of its `.md` file.
fn spec(form: &Form, description: &str) -> ToolSpec {
    let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    ToolSpec { name: form.tool.into(), description, parameters: form.schema(), aliases: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::path::Path;

    /// Every character is prompt, in every request.
    const LONGEST: usize = 2_900;

    fn specs() -> Vec<ToolSpec> {
        all(&Workspace::new(Path::new("/"))).iter().map(|tool| tool.spec()).collect()
    }

    #[test]
    fn the_schemas_stay_short() {
        let tools: Vec<_> = specs().into_iter().map(|spec| json!({ "type": "function", "function": spec })).collect();
        let length = serde_json::to_string(&tools).unwrap().chars().count();
        assert!(length <= LONGEST, "{length} characters");
    }

    #[test]
    fn the_schemas_are_these() {
        insta::assert_json_snapshot!(specs());
    }
}
