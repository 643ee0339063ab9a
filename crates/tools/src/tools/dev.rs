//! The programs of languages, tests, formatters and linters.

mod checks;

use super::{Kit, Listed};

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools(kit: &Kit) -> Vec<Listed> {
    checks::tools(kit)
}
