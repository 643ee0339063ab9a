//! What the model gets to see: the standing instructions, and how large one thing may be in a small window.
//!
//! Pure; drops nothing by itself.

mod prompt;
mod window;

pub use prompt::{ProjectWords, system_prompt};
pub use window::{choose_window, room_for_result, squeeze};
