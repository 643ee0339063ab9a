//! The machine as it is played by its hands and its front ends: inputs in, effects out.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod acts;
mod by_files;
mod by_text;
mod calling;
mod delegating;
mod export;
mod fitting;
mod fixed_windows;
mod jobs;
mod loop_guard;
mod origins;
mod other_work;
mod pages;
mod play;
mod reaching;
mod receipts;
mod rescue;
mod safety;
mod sessions;
mod setbacks;
mod small;
mod turns;
mod undoing;
mod window;
