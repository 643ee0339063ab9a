//! The programs of languages, tests, formatters and linters.

mod checks;
mod golang;
mod nodejs;
mod python;
mod shared;

use super::{Kit, Listed};

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools(kit: &Kit) -> Vec<Listed> {
    let mut tools: Vec<Listed> = vec![
        (&python::FORM, Box::new(python::PythonDev::new(kit))),
        (&nodejs::FORM, Box::new(nodejs::NodejsDev::new(kit))),
        (&golang::FORM, Box::new(golang::GolangDev::new(kit))),
    ];
    tools.extend(checks::tools(kit));
    tools
}
