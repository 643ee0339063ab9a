//! The ratatui screen: knows the protocol and nothing else of the house.
//!
//! `terminal/` alone owns the terminal, the editor child and the clipboard. Two shapes carry everything:
//! `update(app, msg) -> cmd` and `view(app, buffer)`; same state, same screen, time is in the state.

mod app;
mod clean;
mod cmd;
mod composer;
mod dialogs;
mod diff;
mod dropped;
mod errands;
mod first_word;
mod form;
mod jobs;
pub mod keymap;
pub mod names;
mod nearest;
mod palette;
mod run;
mod scrollback;
mod settings;
mod signs;
mod status;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod themes;
mod think;
mod todos;
mod transcript;
mod view;
mod welcome;

pub use run::run;
pub use settings::{
    Begin, Clipboard, Config, ConfigAtHand, EditingKeys, Exit, Left, ListedSetting, Mouse, Notify, ScreenMotion,
    ServerChoice, Settings, WindowTitle,
};
pub use themes::{Theme, ThemeFault};
