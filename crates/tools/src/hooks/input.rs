//! What a hook reads on its standard input: one JSON object, in Claude Code's words.

use super::HookScene;
use crate::names;
use crate::toolbox::Toolbox;
use agent_protocol::{HookCall, HookEvent, HookInput, Mode, ModelCall};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Tools, as they are called there, whose calls are about files.
const OF_FILES: [&str; 4] = ["Read", "Write", "Edit", "MultiEdit"];

impl Toolbox {
    /// The arguments of a call under our names, which are mostly Claude Code's; as the model wrote them where they cannot be
    /// understood.
    pub(super) fn hook_arguments(&self, call: &ModelCall) -> Value {
        match self.understood_arguments(call) {
            Some(values) => Value::Object(values),
            None => call.arguments.clone(),
        }
    }
}

/// What is told, as text: for a call that is about several files once for each of them.
pub(super) fn texts(input: &HookInput, folder: &Path, scene: &HookScene, arguments: Option<&Value>) -> Vec<String> {
    let about = match &input.call {
        Some(call) => files(call).into_iter().map(Some).collect(),
        None => Vec::new(),
    };
    let about: Vec<Option<&PathBuf>> = if about.is_empty() { vec![None] } else { about };
    about.into_iter().map(|path| object(input, folder, scene, (arguments, path)).to_string()).collect()
}

/// The files that a call is about, where it is about files.
fn files(call: &HookCall) -> Vec<&PathBuf> {
    let of_files = names::elsewhere(&call.tool).is_some_and(|name| OF_FILES.contains(&name));
    if of_files { call.paths.iter().collect() } else { Vec::new() }
}

fn object(
    input: &HookInput,
    folder: &Path,
    scene: &HookScene,
    (arguments, path): (Option<&Value>, Option<&PathBuf>),
) -> Value {
    let mut told = Map::new();
    let mut say = |name: &str, value: Value| drop(told.insert(name.to_owned(), value));
    say("session_id", json!(scene.session));
    let transcript = scene.transcript.as_deref().map(|path| path.to_string_lossy().into_owned());
    say("transcript_path", json!(transcript.unwrap_or_default()));
    say("cwd", json!(folder.to_string_lossy()));
    say("hook_event_name", json!(input.event.told_name()));
    say("permission_mode", json!(mode(input.mode)));
    if let Some(call) = &input.call {
        say("tool_name", json!(names::elsewhere(&call.tool).unwrap_or(&call.tool)));
        say("agent_tool_name", json!(call.tool));
        say("tool_input", tool_input(arguments, path));
        if let Some(response) = response(call, path) {
            say("tool_response", response);
        }
    }
    if let Some(prompt) = &input.prompt {
        say("prompt", json!(prompt));
    }
    if let Some(message) = &input.message {
        say("message", json!(message));
    }
    match input.event {
        HookEvent::TurnEnd => say("stop_hook_active", json!(input.again)),
        HookEvent::SessionStart => say("source", json!(input.cause)),
        HookEvent::SessionEnd => say("reason", json!(input.cause)),
        HookEvent::PreTool | HookEvent::PostTool | HookEvent::UserPrompt | HookEvent::Notification => {}
    }
    Value::Object(told)
}

fn tool_input(arguments: Option<&Value>, path: Option<&PathBuf>) -> Value {
    let mut arguments = match arguments {
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(other) if !other.is_null() => return other.clone(),
        Some(_) | None => Map::new(),
    };
    if let Some(path) = path {
        // Whole, as it is there.
        arguments.insert("file_path".into(), json!(path.to_string_lossy()));
    }
    Value::Object(arguments)
}

/// What came of the call, where it ran.
fn response(call: &HookCall, path: Option<&PathBuf>) -> Option<Value> {
    let told = call.told.as_ref()?;
    let mut response = json!({ "success": !call.failed, "output": told });
    if names::elsewhere(&call.tool) == Some("Bash") {
        response["stdout"] = json!(told);
        response["stderr"] = json!("");
        response["interrupted"] = json!(false);
    }
    if let Some(path) = path {
        response["filePath"] = json!(path.to_string_lossy());
    }
    Some(response)
}

/// The mode in Claude Code's words.
fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Safe => "default",
        Mode::AcceptEdits => "acceptEdits",
        Mode::Plan => "plan",
        Mode::Unsafe => "bypassPermissions",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &HookInput, arguments: Value) -> Vec<Value> {
        let scene = HookScene { session: "s1".into(), transcript: Some("/s/s1.jsonl".into()) };
        let texts = texts(input, Path::new("/p"), &scene, Some(&arguments));
        texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    fn input(tool: &str, paths: &[&str]) -> HookInput {
        let call = HookCall {
            call: ModelCall { server_id: None, index: None, name: tool.into(), arguments: Value::Null },
            tool: tool.into(),
            paths: paths.iter().map(PathBuf::from).collect(),
            told: None,
            failed: false,
        };
        HookInput { call: Some(call), ..HookInput::new(HookEvent::PreTool, Mode::Safe) }
    }

    #[test]
    fn a_call_is_told_as_claude_code_tells_it() {
        let told =
            read(&input("edit_file", &["/p/a"]), json!({"file_path": "a", "old_string": "x", "new_string": "y"}));
        let expected = json!({
            "session_id": "s1",
            "transcript_path": "/s/s1.jsonl",
            "cwd": "/p",
            "hook_event_name": "PreToolUse",
            "permission_mode": "default",
            "tool_name": "Edit",
            "agent_tool_name": "edit_file",
            "tool_input": {"file_path": "/p/a", "old_string": "x", "new_string": "y"},
        });
        assert_eq!(told, [expected]);
    }

    #[test]
    fn of_several_files_each_is_told() {
        let told = read(&input("apply_patch", &["/p/a", "/p/b"]), json!({"patch": "…"}));
        let paths: Vec<_> = told.iter().map(|told| told["tool_input"]["file_path"].as_str().unwrap()).collect();
        assert_eq!((paths, told[0]["tool_name"].as_str()), (vec!["/p/a", "/p/b"], Some("MultiEdit")));
    }

    #[test]
    fn a_folder_that_a_command_runs_in_is_no_file_of_it() {
        let told = read(&input("run_command", &["/p"]), json!({"command": "ls"}));
        assert_eq!(told[0]["tool_input"], json!({"command": "ls"}));
        assert_eq!(told[0]["tool_name"], "Bash");
    }

    #[test]
    fn what_came_of_a_call_and_whether_a_turn_goes_on_is_told() {
        let mut after = input("run_command", &[]);
        (after.event, after.call.as_mut().unwrap().told) = (HookEvent::PostTool, Some("exit code 0".into()));
        let told = read(&after, json!({"command": "ls"}));
        assert_eq!(told[0]["tool_response"]["stdout"], "exit code 0");
        assert_eq!(told[0]["tool_response"]["success"], true);
        let end = HookInput { again: true, ..HookInput::new(HookEvent::TurnEnd, Mode::Plan) };
        let told = read(&end, Value::Null);
        assert_eq!(
            (&told[0]["stop_hook_active"], &told[0]["permission_mode"], told[0].get("tool_name")),
            (&json!(true), &json!("plan"), None)
        );
    }
}
