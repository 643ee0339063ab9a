//! `save_memory`: adds a fact to what the model is told in later sessions: a line of a Markdown file that the user can
//! edit.
//!
//! **Invariant.** A fact is one line of visible text: what the user says yes to is all that is told later.

mod fact;

use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::change::{Author, EditPart, Edits, Findings, KnownState, Verb, before};
use crate::read_only_job::{self, ReadOnlyJob};
use crate::tools::ToolContext;
use crate::workspace::{Workspace, resolve_by};
use crate::{Ground, PlannedCall, Secrets, Tool, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use std::path::PathBuf;

pub(super) static FORM: Form = Form {
    tool: "save_memory",
    group: Group::Agent,
    aliases: "memory save remember save_fact memorize add_memory create_memory update_memory memory_save write_memory \
        store_memory",
    description: include_str!("save_memory.md"),
    parameters: &[
        Parameter::new("fact", Kind::Text, "\"the tests run with make check\"")
            .also("memory content text note value knowledge information statement factual")
            .required()
            .says("one line"),
        Parameter::new("scope", Kind::One(&[PROJECT, GLOBAL]), "\"project\"")
            .also("where level target type")
            .optional()
            .says("default project"),
    ],
    meant: &[
        ("scope", "local workspace repository repo folder", PROJECT),
        ("scope", "user all everywhere personal person home", GLOBAL),
    ],
    ..BLANK
};

/// For a fact that the user wrote.
pub(super) static PERSONS: Form = Form {
    tool: "persons_memory",
    description: "Saves a fact for later sessions.",
    parameters: &[
        Parameter::new("fact", Kind::Text, "\"the tests run with make check\"").required(),
        Parameter::new("scope", Kind::One(&[PROJECT, GLOBAL]), "\"project\"").optional(),
    ],
    ..BLANK
};

const PROJECT: &str = "project";
const GLOBAL: &str = "global";

/// The file's name, in our folder of the project and in the user's.
const FILE: &str = "memory.md";
/// What a new file begins with.
const HEADING: &str = "# Notes for later sessions\n";

pub(super) struct SaveMemory {
    workspace: Workspace,
    secrets: Secrets,
    user_folder: Option<PathBuf>,
}

impl SaveMemory {
    pub(super) fn new(workspace: Workspace, ground: &Ground) -> Self {
        let secrets = Secrets::new(ground.secret_values.iter().cloned());
        SaveMemory { workspace, secrets, user_folder: ground.user_folder.clone() }
    }

    /// The file that is meant, links followed.
    fn path(&self, arguments: &Arguments) -> Result<PathBuf, Failure> {
        let file = match (arguments.one("scope")?, &self.user_folder) {
            (Some(GLOBAL), Some(folder)) => folder.join(FILE),
            (Some(GLOBAL), None) => {
                let message = "nothing is remembered for all projects here; leave `scope` out";
                return Err(Failure::new(FailureKind::Denied, message));
            }
            _ => self.workspace.root().join(".agent").join(FILE),
        };
        resolve_by(&file, &mut |_| ())
    }

    fn fact(&self, arguments: &Arguments) -> Result<String, Failure> {
        fact::read(&arguments.word("fact")?, &self.secrets).map_err(|what| arguments.fault("fact", &what))
    }
}

impl Tool for SaveMemory {
    fn alone(&self) -> Option<&'static str> {
        Some("nobody is here to agree to what is remembered; say in your answer what is worth keeping")
    }

    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        self.fact(arguments)?;
        Ok(read_only_job::action(self.path(arguments)?))
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (fact, path) = (self.fact(arguments)?, self.path(arguments)?);
        let shown = self.workspace.shown(&path);
        let before = before(&self.workspace, &path)?;
        let text = before.as_ref().map_or(HEADING, |before| before.text.as_str());
        let title = format!("Remember in {shown}");
        if fact::stands_in(text, &fact) {
            return Ok(known_already(path, title, &shown));
        }
        let part = EditPart {
            after: Some(fact::added(text, &fact)),
            verb: if before.is_some() { Verb::Edit } else { Verb::Create },
            path,
            before,
            note: None,
            how: Some("it is told from the next session on".into()),
            author: Author::Model,
            known: KnownState::Whole,
            findings: Findings::default(),
        };
        Ok(Edits::new(self.workspace.clone(), vec![part]).titled(title).planned())
    }
}

/// Nobody is asked for what changes nothing.
fn known_already(path: PathBuf, title: String, shown: &str) -> Box<dyn PlannedCall> {
    let told = format!("this stands in {shown} already, word for word; nothing was written");
    Box::new(ReadOnlyJob {
        paths: vec![path],
        title,
        rest: "",
        work: Box::new(move |_, _| Ok(words::done(told, "known already".into(), String::new()))),
    })
}
