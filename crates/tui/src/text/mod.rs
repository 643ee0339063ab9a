//! Text on its way to the screen: wrapping, markdown, syntax colours.

pub(crate) mod highlight;
pub(crate) mod wrap;
