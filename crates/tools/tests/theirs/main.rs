//! Tools that a person or a project brought along, from the folder to the result.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod house;
mod offering;
mod running;
