//! The tools of languages: what exactly each action runs, and real runs where the program is installed.
//!
//! A test whose program is not there says so and passes; `.ci/run` installs them all.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stderr, reason = "a test that is passed over says so")]

mod golang;
mod house;
mod nodejs;
mod python;
mod words;
