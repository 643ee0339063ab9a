//! What kind of a call it is, for the editor's icons, and where it looks or writes.

use agent_protocol::{FileDiff, PreviewBody, ToolCall};
use serde_json::{Value, json};
use std::path::Path;

/// The kinds of the protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ToolKind {
    Read,
    Edit,
    Delete,
    Search,
    Execute,
    Think,
    Fetch,
    SwitchMode,
    #[default]
    Other,
}

impl ToolKind {
    /// As it goes over the wire.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ToolKind::Read => "read",
            ToolKind::Edit => "edit",
            ToolKind::Delete => "delete",
            ToolKind::Search => "search",
            ToolKind::Execute => "execute",
            ToolKind::Think => "think",
            ToolKind::Fetch => "fetch",
            ToolKind::SwitchMode => "switch_mode",
            ToolKind::Other => "other",
        }
    }
}

/// The names under which tools take the path of a file or folder.
const PATHS: [&str; 3] = ["file_path", "path", "directory"];

/// The kind of a tool by its name; one that is not ours is of no kind.
pub(crate) fn tool_kind(name: &str) -> ToolKind {
    match name {
        "read_file" | "read_many_files" | "list_directory" | "extract_functions" | "analyze_code"
        | "project_context" | "git_status" | "git_diff" | "pwd" | "skill" => ToolKind::Read,
        "glob_files" | "grep_search" | "search_code" | "find_references" | "lsp" | "security_scan" => ToolKind::Search,
        "write_file" | "edit_file" | "multi_edit" | "batch_operations" | "apply_patch" | "edit_lines"
        | "insert_lines" | "format_code" | "save_memory" => ToolKind::Edit,
        "run_command" | "jobs" | "git_operation" | "python_dev" | "nodejs_dev" | "golang_dev" | "test_runner"
        | "lint_code" => ToolKind::Execute,
        "web_fetch" | "web_search" => ToolKind::Fetch,
        "todo_write" | "task" | "ask_user" => ToolKind::Think,
        "exit_plan_mode" => ToolKind::SwitchMode,
        _ => ToolKind::Other,
    }
}

/// The kind as what it would do tells it, where that tells more than its name.
pub(crate) fn preview_kind(body: &PreviewBody) -> Option<ToolKind> {
    match body {
        PreviewBody::Diff { files } if files.iter().all(|file| file.after.is_none()) => Some(ToolKind::Delete),
        PreviewBody::Diff { .. } => Some(ToolKind::Edit),
        PreviewBody::Command { .. } => Some(ToolKind::Execute),
        PreviewBody::Fetch { .. } => Some(ToolKind::Fetch),
        PreviewBody::Plan { .. } => Some(ToolKind::SwitchMode),
        PreviewBody::Task { .. } | PreviewBody::Choices { .. } => Some(ToolKind::Think),
        PreviewBody::Plain | PreviewBody::Call { .. } => None,
    }
}

/// Where a call looks, as far as its arguments say so.
pub(crate) fn named_places(call: &ToolCall, project: &Path) -> Vec<Value> {
    let arguments = &call.call.arguments;
    let named = PATHS.iter().find_map(|name| arguments.get(*name)?.as_str()).filter(|path| !path.starts_with('~'));
    let line = arguments.get("offset").and_then(Value::as_u64);
    named.map(|path| place(&project.join(path), line)).into_iter().collect()
}

/// Where a change changes something: each file at its first line that is another.
pub(crate) fn changed_places(files: &[FileDiff]) -> Vec<Value> {
    files.iter().map(|file| place(&file.path, first_line(file))).collect()
}

fn place(path: &Path, line: Option<u64>) -> Value {
    let path = path.display().to_string();
    match line {
        Some(line) => json!({"path": path, "line": line}),
        None => json!({"path": path}),
    }
}

/// From 1. None of a file that goes.
fn first_line(file: &FileDiff) -> Option<u64> {
    let (before, after) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref()?);
    let same = before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count();
    Some(file.skipped + same as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{CallId, ModelCall, Origin};

    #[test]
    fn a_change_stands_where_its_first_other_line_is() {
        let file = |before: Option<&str>, after: Option<&str>, skipped| FileDiff {
            path: "/p/a.rs".into(),
            shown_path: "a.rs".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
            note: None,
            skipped,
            marks: Vec::new(),
        };
        assert_eq!(first_line(&file(Some("a\nb\n"), Some("a\nc\n"), 0)), Some(2));
        assert_eq!(first_line(&file(Some("a\nb\n"), Some("a\nc\n"), 40)), Some(42));
        assert_eq!(first_line(&file(None, Some("a\n"), 0)), Some(1));
        assert_eq!(first_line(&file(Some("a\n"), None, 0)), None);
    }

    #[test]
    fn a_look_stands_where_its_arguments_say() {
        let call = |arguments| ToolCall {
            id: CallId(1),
            call: ModelCall { server_id: None, index: None, name: "read_file".into(), arguments },
            origin: Origin::default(),
        };
        let named = |arguments| named_places(&call(arguments), Path::new("/p"));
        assert_eq!(named(json!({"file_path": "src/a.rs", "offset": 7})), [json!({"path": "/p/src/a.rs", "line": 7})]);
        assert_eq!(named(json!({"path": "/q"})), [json!({"path": "/q"})]);
        assert_eq!(named(json!({"command": "ls"})), Vec::<Value>::new());
    }
}
