//! Tools that somebody brings along without building anything: files and programs in a folder of the user, and of a
//! project they trust.
//!
//! A file (TOML) says which program is started with which words; a program prints its definition when it is asked with
//! `--describe`, and takes the arguments as JSON on its standard input. Either is carried out by the runner of all our
//! tools: with the same question, fence, caps and undo. What is wrong with one is told, and takes no other away.
//!
//! **Invariant.** None is called like a tool of ours, or like what is read as one.

use super::{Listed, ToolContext};
use crate::arguments::{Arguments, Form, Group};
use crate::names::{Meant, by_command, meant};
use crate::program::{Runner, Still, WantedRun};
use crate::reserved_names::{Reserved, form};
use crate::workspace::Workspace;
use crate::{Ground, PlannedCall, Tool};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, FailureKind, ToolSpec};
use definition::Definition;
use folder::{FoundDefinition, Program, Whose};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

mod definition;
mod described;
mod folder;
mod located;
mod schema;
mod template;

/// What all programs together have to say what they are: nothing is on the screen yet.
const TO_DESCRIBE: Duration = Duration::from_secs(3);

/// Adds what lies in the folders to the tools that are there. What the user should know comes back.
pub(super) fn add(kit: &ToolContext, ground: &Ground, tools: &mut Vec<Listed>) -> Vec<String> {
    let mut notices = Vec::new();
    let mut brought = Vec::new();
    let until = Instant::now() + TO_DESCRIBE;
    if let Some(folder) = &ground.user_folder {
        let found = folder::look(&folder.join("tools"), Path::new("/"), Whose::Persons, &mut notices);
        brought.extend(defined(found, Whose::Persons, (ground, until), &mut notices));
    }
    let projects = ground.root.join(".agent/tools");
    if ground.trusted {
        let found = folder::look(&projects, &ground.root, Whose::Projects, &mut notices);
        brought.extend(defined(found, Whose::Projects, (ground, until), &mut notices));
    } else if ground.user_folder.is_some() && projects.symlink_metadata().is_ok() {
        let words = "the tools in .agent/tools are not offered, as this folder is not trusted yet; once it is, they come \
                     with the next start";
        notices.push(words.into());
    }
    let ours: Vec<&'static Form> = tools.iter().map(|(form, _)| *form).collect();
    let mut reserved = Reserved::by(ours.iter().copied());
    for (definition, origin) in brought {
        match refusal(&definition.name, &ours, &mut reserved) {
            Some(why) => notices.push(format!("{}: {why}", origin.file.display())),
            None => tools.push(listed(definition, origin, kit)),
        }
    }
    notices
}

/// Why a tool cannot have this name.
fn refusal(name: &str, ours: &[&'static Form], reserved: &mut Reserved) -> Option<String> {
    if by_command(name, "").is_some() {
        return Some(format!("a call of {name} is read as one of several built-in tools; choose another name"));
    }
    match meant(ours, name) {
        Meant::Exactly(_) => Some(format!("{name} is a built-in tool, and none takes its place; choose another name")),
        Meant::Read(at) => {
            let builtin = ours[at].tool;
            Some(format!("a call of {name} is read as the built-in {builtin}; choose a name that is not so near to it"))
        }
        Meant::None { .. } if !reserved.take(name) => {
            Some(format!("there is a tool {name} already; choose another name"))
        }
        Meant::None { .. } => None,
    }
}

/// Where a tool comes from.
struct Origin {
    whose: Whose,
    /// The file that defines it.
    file: PathBuf,
    /// The program that lies there or beside it, as it was.
    program: Option<Program>,
}

/// The tools that `found` define.
fn defined(
    found: Vec<FoundDefinition>,
    whose: Whose,
    (ground, until): (&Ground, Instant),
    notices: &mut Vec<String>,
) -> Vec<(Definition, Origin)> {
    let (mut files, mut programs) = (Vec::new(), Vec::new());
    for one in found {
        match one {
            FoundDefinition::File(file, text) => files.push((file, text)),
            FoundDefinition::Program(program) => programs.push(program),
        }
    }
    let mut brought = Vec::new();
    for (file, text) in files {
        match definition::of_file(&text).and_then(|definition| Ok((beside(&definition, &file, &programs)?, definition)))
        {
            Ok((program, definition)) => brought.push((definition, Origin { whose, file, program })),
            Err(why) => notices.push(format!("{}:{why}", file.display())),
        }
    }
    // What a file starts is a part of that tool, and none itself.
    programs.retain(|program| !brought.iter().any(|(_, origin)| origin.program.as_ref() == Some(program)));
    for (program, described) in described::all(programs, ground, until) {
        let file = program.path.clone();
        match described {
            Ok(definition) => brought.push((definition, Origin { whose, file, program: Some(program) })),
            Err(why) => notices.push(format!("{}: {why}", file.display())),
        }
    }
    brought
}

/// The program beside the `file` that it starts, if it starts one there.
fn beside(definition: &Definition, file: &Path, programs: &[Program]) -> Result<Option<Program>, String> {
    let Some(name) = definition.command.as_ref().and_then(|command| command.program.strip_prefix("./")) else {
        return Ok(None);
    };
    let path = file.with_file_name(name);
    let found = programs.iter().find(|program| program.path == path);
    let missing =
        || format!("1:1: there is no program {name} beside this file that you alone can change; see its rights");
    Ok(Some(found.cloned().ok_or_else(missing)?))
}

fn listed(definition: Definition, origin: Origin, kit: &ToolContext) -> Listed {
    let form = form(&definition.name, Group::User);
    let (workspace, runner) = (kit.workspace.clone(), kit.runner.clone());
    (form, Box::new(Brought { form, definition, origin, workspace, runner }))
}

/// A tool of somebody else's making.
struct Brought {
    form: &'static Form,
    definition: Definition,
    origin: Origin,
    workspace: Workspace,
    runner: Runner,
}

impl Brought {
    /// The arguments as the schema wants them, with paths resolved, and these.
    fn read(&self, arguments: &Arguments) -> Result<(Map<String, Value>, Vec<PathBuf>), Failure> {
        let mut values = self.definition.schema.check(arguments.values()).map_err(|why| self.invalid(&why))?;
        let mut paths = Vec::new();
        for name in &self.definition.paths {
            if let Some(value) = values.get_mut(name) {
                self.resolve(name, value, &mut paths)?;
            }
        }
        Ok((values, paths))
    }

    /// Puts where it leads in the place of each path.
    fn resolve(&self, name: &str, value: &mut Value, paths: &mut Vec<PathBuf>) -> Result<(), Failure> {
        match value {
            Value::String(given) => {
                let path = self.workspace.resolve(given)?;
                let unspoken = || self.invalid(&format!("`{name}` leads to a name that is no text"));
                *given = path.to_str().ok_or_else(unspoken)?.to_owned();
                paths.push(path);
                Ok(())
            }
            Value::Array(list) => list.iter_mut().try_for_each(|value| self.resolve(name, value, paths)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                Err(self.invalid(&format!("`{name}` must be a path, or a list of paths")))
            }
        }
    }

    /// What is started, and what it reads.
    fn started(&self, values: Map<String, Value>) -> Result<(Vec<String>, Option<String>), Failure> {
        let beside = self.origin.program.as_ref().map(|program| program.path.display().to_string());
        let Some(command) = &self.definition.command else {
            let program = beside.unwrap_or_else(|| self.origin.file.display().to_string());
            return Ok((vec![program], Some(Value::Object(values).to_string())));
        };
        let program = match beside {
            Some(path) => path,
            None if command.program.starts_with('/') => command.program.clone(),
            None => {
                self.runner.need(&command.program, "the package of your system that has it")?;
                command.program.clone()
            }
        };
        let words = command.words(&values).map_err(|why| self.invalid(&why))?;
        Ok((std::iter::once(program).chain(words).collect(), None))
    }

    fn invalid(&self, why: &str) -> Failure {
        Failure::new(FailureKind::InvalidArguments, format!("{}: {why}", self.form.tool))
    }
}

impl Tool for Brought {
    fn spec(&self, _form: &Form) -> ToolSpec {
        ToolSpec {
            name: self.form.tool.into(),
            description: self.definition.description.clone(),
            parameters: self.definition.schema.told.clone(),
            aliases: Vec::new(),
        }
    }

    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let (_, mut paths) = self.read(arguments)?;
        if paths.is_empty() {
            paths.push(self.workspace.root().to_owned());
        }
        Ok(Action::Read { paths })
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (program, tool) = (self.origin.program.clone(), self.form.tool);
        let unchanged = move || match &program {
            Some(program) if !program.is_the_same() => Err(another(tool)),
            Some(_) | None => Ok(()),
        };
        unchanged()?;
        let (values, paths) = self.read(arguments)?;
        if look.leave() == Leave::Rule
            && let Some(path) = paths.iter().find(|path| self.workspace.is_secret(path))
        {
            let shown = self.workspace.shown(path);
            let message = format!("the name of {shown} says that it holds secrets, which only a person hands out");
            return Err(Failure::new(FailureKind::Denied, message));
        }
        let (argv, input) = self.started(values)?;
        let Definition { profile, timeout_secs, .. } = self.definition;
        let title = Some(format!("Run {} ({})", self.form.tool, self.origin.whose.in_words()));
        let wanted = WantedRun::argv(argv, self.workspace.root().to_owned());
        // Once more before it is started: the question may have stood open for long.
        let still: Option<Still> = Some(Arc::new(unchanged));
        Ok(self.runner.job(WantedRun { title, profile, timeout_secs, input, has_timeout: false, still, ..wanted }))
    }
}

fn another(tool: &str) -> Failure {
    let message =
        format!("the program of {tool} is not the one that was found at the start; the user has to start anew");
    Failure::new(FailureKind::Stale, message)
}
