//! Second agents, skills, what is remembered.

mod task;

use super::{Kit, Listed};

/// The group's tools.
pub(super) fn tools(_kit: &Kit) -> Vec<Listed> {
    vec![(&task::FORM, Box::new(task::Task))]
}
