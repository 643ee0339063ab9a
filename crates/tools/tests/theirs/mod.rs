//! Tools that a person or a project brought along, from the folder to the result.

mod house;
mod offering;
mod running;
