//! The errands that need no turn, against a loop that plays its part from a list.

mod doctor;
mod models;
mod stage;
