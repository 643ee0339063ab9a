//! Calls that the program makes for the model: no model is told of them, and each goes the way of every other call.

mod agents_file;
mod attached;
mod chosen;
mod excerpt;
mod fence;
mod gather_files;
mod places;
mod project_facts;
pub(crate) mod repository;
mod wanted;

use super::Listed;
use super::dev::checks::{add_imports, check_project, finish_rename};

pub(crate) fn tools() -> Vec<Listed> {
    vec![
        (&agents_file::FORM, Box::new(agents_file::AgentsFile)),
        (&gather_files::FORM, Box::new(gather_files::GatherFiles)),
        (&project_facts::FORM, Box::new(project_facts::ProjectFacts)),
        (&check_project::FORM, Box::new(check_project::CheckProject)),
        (&finish_rename::FORM, Box::new(finish_rename::FinishRename)),
        (&add_imports::FORM, Box::new(add_imports::AddImports)),
    ]
}
