//! Text on its way to the screen: wrapping, markdown, syntax colours.
//!
//! Everything here takes foreign text and gives clean lines; nothing here knows of events or of the terminal.

pub(crate) mod code;
pub(crate) mod flow;
pub(crate) mod highlight;
pub(crate) mod ink;
pub(crate) mod long;
pub(crate) mod markdown;
pub(crate) mod quoting;
pub(crate) mod width;
pub(crate) mod wrap;

/// Rows of text, styled and ready to be drawn.
pub(crate) type Lines = Vec<ratatui::text::Line<'static>>;
