//! What the model is sent, and how it becomes shorter.

pub(crate) mod fitting;
pub(crate) mod history;
pub(crate) mod report;
pub(crate) mod untold;
