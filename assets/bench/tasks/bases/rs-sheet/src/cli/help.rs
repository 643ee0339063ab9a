//! Texts for people who look for something.

use crate::eval::LAZY;
use crate::functions::GROUPS;

pub const HELP: &str = "\
gridtext [--config FILE] COMMAND

  show FILE [RANGE]         a table of the values
  get FILE CELL             one value
  set FILE CELL INPUT       types something into a cell
  explain FILE CELL         a formula in words
  check FILE                lists cells with errors; exit code 1 if there are any
  import CSV FILE           makes a grid file of a CSV file
  export FILE [--formulas]  the sheet as CSV
  run FILE                  commands from the standard input, see 'help' there
  functions                 all functions by group
";

/// All functions, by group.
pub fn functions() -> String {
    let mut text = String::from("logic\n");
    for (name, help) in LAZY {
        text.push_str(&format!("  {name:<12} {help}\n"));
    }
    for (group, functions) in GROUPS {
        text.push_str(&format!("{group}\n"));
        for function in functions {
            text.push_str(&format!("  {:<12} {}\n", function.name, function.help));
        }
    }
    text
}
