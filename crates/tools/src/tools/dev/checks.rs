//! Tests, formatters and linters: which one a project has is found by its files, what it says is told in few lines.

pub(in crate::tools) mod add_imports;
mod cannot_run;
mod changed;
pub(in crate::tools) mod check_project;
pub(in crate::tools) mod commands;
mod definitions;
pub(in crate::tools) mod finish_rename;
mod format_code;
mod formatters;
mod frameworks;
mod lint_code;
mod linters;
mod messages;
mod near;
mod place;
mod readings;
mod test_runner;
mod unfinished;
mod uses;

use crate::arguments::{Arguments, Foreign, Habit, Kind, Parameter, Unit};
use crate::program::LONGEST;
use crate::tools::{Listed, ToolContext};
use agent_protocol::Failure;
use std::path::PathBuf;

/// These tools, in the order in which the model is told of them.
pub(super) fn tools() -> Vec<Listed> {
    vec![
        (&test_runner::FORM, Box::new(test_runner::TestRunner)),
        (&format_code::FORM, Box::new(format_code::FormatCode)),
        (&lint_code::FORM, Box::new(lint_code::LintCode)),
    ]
}

/// What is tested or linted.
const PATH: Parameter = Parameter::new("path", Kind::Text, "\"src\"")
    .also(
        "dir directory folder file files filepath filename paths dirpath directorypath folderpath root \
        targetdirectory target absolutepath relativepath cwd workingdirectory workdir project projectpath",
    )
    .optional()
    .says("file or folder, default .");

/// More words for the program.
const ARGS: Parameter = Parameter::new("args", Kind::Texts, "[\"--release\"]")
    .also("arguments extraargs additionalargs options flags argv");

/// Seconds it may take.
const TIMEOUT: Parameter = Parameter::new("timeout", Kind::Number, "300")
    .also("timeoutsecs timeoutseconds timeoutsec seconds timelimit maxseconds");

const FOREIGN: &[Foreign] = &[
    Foreign { names: "timeoutms timeoutmilliseconds timeoutmillis", unit: Unit::Milliseconds("timeout") },
    Foreign { names: "timeoutminutes timeoutmins minutes", unit: Unit::Minutes("timeout") },
];

/// What a timeout is often meant in.
const HABITS: &[(&str, Habit)] = &[("timeout", Habit::Seconds { at_most: LONGEST as i64 })];

/// What is tested or linted, resolved.
fn path(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    kit.workspace.resolve(&arguments.optional_text("path")?.unwrap_or_default())
}

/// Seconds that it may take.
fn timeout_secs(arguments: &Arguments) -> Result<u64, Failure> {
    Ok(arguments.optional_number("timeout")?.filter(|seconds| *seconds > 0).unwrap_or(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ToolSpec;
    use serde_json::json;

    /// Of the 2,400 characters that the group has; every one of them is prompt.
    #[test]
    fn these_tools_leave_room_for_the_others() {
        let specs = tools().into_iter();
        let specs = specs.map(|(form, _)| ToolSpec { aliases: Vec::new(), ..form.spec() });
        let sent = specs.map(|spec| json!({ "type": "function", "function": spec }).to_string());
        let each: Vec<usize> = sent.map(|text| text.chars().count()).collect();
        assert!(each.iter().sum::<usize>() <= 880, "{each:?}");
    }
}
