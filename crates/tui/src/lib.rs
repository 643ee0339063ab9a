//! The ratatui screen: knows the protocol and nothing else of the house.
//!
//! `terminal/` alone owns the terminal, the editor child and the clipboard. Two shapes carry everything:
//! `update(app, msg) -> cmd` and `view(app, buffer)`; same state, same screen, time is in the state.

mod clean;
mod diff;
mod text;
mod palette;
mod transcript;
