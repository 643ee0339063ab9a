//! Reads source text: what is defined and used where, how long and how deep functions are, and what looks dangerous.
//!
//! Text in, facts out: no file is opened here and nothing is run. Grammars load when their language is first read.

pub mod security;
