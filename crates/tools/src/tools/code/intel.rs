//! What a project is made of, and what looks dangerous in it.

use crate::tools::{Kit, Listed};

/// These tools, in the order in which the model is told of them.
pub(super) fn tools(_kit: &Kit) -> Vec<Listed> {
    Vec::new()
}
