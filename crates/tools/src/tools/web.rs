//! Pages and searches.

use super::{Kit, Listed};

/// The group's tools.
pub(super) fn tools(_kit: &Kit) -> Vec<Listed> {
    Vec::new()
}
