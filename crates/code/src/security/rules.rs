//! The rules by language, one file each; lists of like things.

mod c;
mod go;
mod java;
mod python;
mod ruby_php;
mod rust;
mod script;
mod settings;
mod shell;
mod web;

use super::rule::Table;

pub(super) static RUST: Table = Table::new(&[rust::RULES]);
pub(super) static PYTHON: Table = Table::new(&[python::RUNNING, python::TRUSTING]);
pub(super) static SCRIPT: Table = Table::new(&[script::RULES, web::RULES]);
pub(super) static GO: Table = Table::new(&[go::RULES]);
pub(super) static C: Table = Table::new(&[c::RULES]);
pub(super) static JAVA: Table = Table::new(&[java::RULES]);
pub(super) static SHELL: Table = Table::new(&[shell::RULES]);
pub(super) static PHP: Table = Table::new(&[ruby_php::PHP]);
pub(super) static RUBY: Table = Table::new(&[ruby_php::RUBY]);
pub(super) static DOCKER: Table = Table::new(&[settings::DOCKER]);
pub(super) static WORKFLOW: Table = Table::new(&[settings::WORKFLOW]);
pub(super) static SETTINGS: Table = Table::new(&[settings::CLUSTER]);
