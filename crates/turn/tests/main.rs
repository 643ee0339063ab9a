//! The machine as it is played by its hands and its front ends: inputs in, effects out.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod acts;
mod attaching;
mod by_files;
mod by_text;
mod calling;
mod checking;
mod delegating;
mod export;
mod facts;
mod families;
mod fitting;
mod fixed_windows;
mod forms;
mod fresh;
mod jobs;
mod loop_guard;
mod origins;
mod other_work;
mod own_command;
mod pages;
mod play;
mod progress;
mod reaching;
mod receipts;
mod rescue;
mod safety;
mod sessions;
mod setbacks;
mod small;
mod thinking;
mod trajectory;
mod turns;
mod undoing;
mod window;
mod working;
