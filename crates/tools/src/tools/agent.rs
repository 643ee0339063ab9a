//! Second agents, skills, what is remembered.

mod save_memory;
mod skill;
mod task;

use super::{Listed, ToolContext};

/// What saves a fact for a person who wrote it themselves: the same as for a model, also where no model may.
pub(crate) fn persons_memory(kit: &ToolContext) -> Listed {
    (&save_memory::PERSONS, Box::new(save_memory::SaveMemory::new(kit.workspace.clone(), &kit.ground)))
}

pub(super) fn tools(kit: &ToolContext) -> Vec<Listed> {
    let workspace = || kit.workspace.clone();
    vec![
        (&task::FORM, Box::new(task::Task)),
        (&save_memory::FORM, Box::new(save_memory::SaveMemory::new(workspace(), &kit.ground))),
        (&skill::FORM, Box::new(skill::Skill::new(workspace(), kit.ground.skills.clone()))),
    ]
}
