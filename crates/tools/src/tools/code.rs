//! What stands where in code, and what is wrong with it.

mod intel;

use super::{Kit, Listed};

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools(kit: &Kit) -> Vec<Listed> {
    intel::tools(kit)
}
