//! `agents_file`: writes an `AGENTS.md` from what can be told of a project without a model: what its README says first, how it is
//! built and tested, what lies on top. No model is told of it; a person asks for it, and sees the whole of it before it is written.

use super::project_facts::top;
use crate::arguments::{Arguments, BLANK, Form};
use crate::blocking::Stop;
use crate::change::{Author, EditPart, Edits, Findings, KnownState, Verb, before};
use crate::open::plain_file_below;
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::tools::dev::checks::commands::{self, KnownCommands};
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, words};
use agent_policy::Permit;
use agent_protocol::sanitize::clean_line;
use agent_protocol::{Action, Failure, FailureKind};
use std::path::{Path, PathBuf};

/// The file, as every agent reads it.
const FILE: &str = "AGENTS.md";

/// Bytes of the longest README that is looked into, and characters of what it says first.
const README_LIMIT: u64 = 64 * 1_024;
const FIRST_WORDS: usize = 300;

pub(super) static FORM: Form =
    Form { tool: "agents_file", description: "Writes what is known of the project into AGENTS.md.", ..BLANK };

pub(super) struct AgentsFile;

impl Tool for AgentsFile {
    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(path(kit)))
    }

    fn plan(&self, kit: &ToolContext, _arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let path = path(kit);
        if before(&kit.workspace, &path)?.is_some() {
            let message = format!("{FILE} is there already; /init on the screen asks the model to make it better");
            return Err(Failure::new(FailureKind::NotReady, message));
        }
        let part = EditPart {
            after: Some(text(&kit.workspace, &commands::known(kit))),
            verb: Verb::Create,
            path,
            before: None,
            note: None,
            how: Some("it is told to the model from the next session on, where the folder is trusted".into()),
            author: Author::Model,
            known: KnownState::Whole,
            findings: Findings::default(),
        };
        Ok(Edits::new(kit.workspace.clone(), vec![part]).titled(format!("Write {FILE}")).planned())
    }
}

fn path(kit: &ToolContext) -> PathBuf {
    kit.workspace.root().join(FILE)
}

/// The whole file.
fn text(workspace: &Workspace, commands: &KnownCommands) -> String {
    let name = workspace.root().file_name().unwrap_or_default().to_string_lossy();
    let name = clean_line(&name);
    let mut text = format!("# {name}\n");
    text.extend(first_words(workspace).map(|words| format!("\n{words}\n")));
    let lines = |what: &str, lines: &[String]| {
        lines.iter().map(|line| format!("- {what}: `{}`\n", clean_line(line))).collect::<String>()
    };
    let commands = lines("build", &commands.build) + &lines("test", &commands.test);
    if !commands.is_empty() {
        text += &format!("\n## Commands\n\n{commands}");
    }
    let names = top(workspace, &Stop::default());
    if !names.is_empty() {
        let names: String = names.iter().map(|name| format!("- `{name}`\n")).collect();
        text += &format!("\n## What lies where\n\n{names}");
    }
    text
}

/// The first sentences of the README: lines that are no heading, badge, quote or list.
fn first_words(workspace: &Workspace) -> Option<String> {
    let names = ["README.md", "README", "README.txt", "readme.md"];
    let bytes = names.iter().find_map(|name| plain_file_below(workspace.root(), Path::new(name), README_LIMIT))?;
    let readme = String::from_utf8(bytes).ok()?;
    let is_plain = |line: &&str| line.starts_with(|c: char| c.is_alphabetic());
    let lines: Vec<&str> =
        readme.lines().map(str::trim).skip_while(|line| !is_plain(line)).take_while(is_plain).collect();
    let words = lines.join(" ");
    let words = clean_line(&words);
    (!words.is_empty()).then(|| words::shortened(&words, FIRST_WORDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(files: &[(&str, &str)], commands: &KnownCommands) -> String {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap().join("shop");
        std::fs::create_dir(&root).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        text(&Workspace::new(&root), commands)
    }

    #[test]
    fn it_holds_what_can_be_told_without_a_model() {
        let files = [
            ("README.md", "# Shop\n\n[![build](x)](y)\n\nSells things\nto people.\n\nMore.\n"),
            ("src/a.py", "pass\n"),
            ("go.mod", "module shop\n"),
        ];
        let commands = KnownCommands {
            build: vec!["go build ./...".into()],
            test: vec!["go test ./...".into()],
            missing: Vec::new(),
        };
        assert_eq!(
            written(&files, &commands),
            "# shop\n\nSells things to people.\n\n## Commands\n\n- build: `go build ./...`\n- test: `go test ./...`\n\n\
             ## What lies where\n\n- `src/`\n- `README.md`\n- `go.mod`\n"
        );
    }

    #[test]
    fn of_an_empty_folder_it_is_a_heading() {
        assert_eq!(written(&[], &KnownCommands::default()), "# shop\n");
        assert!(written(&[("README", "\u{1b}[31mred\n")], &KnownCommands::default()).contains("README"));
    }
}
