//! The tools of languages: what exactly each action runs, and real runs where the program is installed.
//!
//! A test whose program is not there says so and passes; `.ci/run` installs them all.

mod golang;
mod house;
mod nodejs;
mod python;
mod words;
