//! What can still be read of a file that cannot be read whole: it, without the lines that are wrong.
//!
//! Only for a layer of which nothing is taken but what tightens: a line whose section was wrong may be read as one of the
//! section before.

use super::file::File;

/// More wrong lines than this, and nothing of the file is taken.
const MOST: usize = 64;

/// Of a longer file nothing is taken either: it is read again for every wrong line.
const LONGEST: usize = 64 * 1024;

/// So many lines before the one that is named may something begin that does not end.
const BEFORE: usize = 32;

/// As much of the layer in `text` as can be read.
pub(super) fn salvaged(text: &str) -> Option<File> {
    let mut lines: Vec<&str> = text.lines().collect();
    for _ in 0..MOST {
        match File::parse(&lines.join("\n")) {
            _ if text.len() > LONGEST => return None,
            Ok(file) => return Some(file),
            Err(fault) => {
                let at = begins(&lines, fault.line - 1)?;
                lines[at] = "";
            }
        }
    }
    None
}

/// Where begins what goes wrong in line `at`: behind the last lines that stand for themselves.
fn begins(lines: &[&str], at: usize) -> Option<usize> {
    let reads = |lines: &[&str]| lines.join("\n").parse::<toml::Table>().is_ok();
    let written = |at: &usize| lines.get(*at).is_some_and(|line| !line.trim().is_empty());
    (0..=at).rev().filter(written).take(BEFORE).find(|at| reads(&lines[..*at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Option<u32> {
        salvaged(text).and_then(|file| file.limits.steps).map(std::num::NonZeroU32::get)
    }

    #[test]
    fn what_stands_beside_a_wrong_line_is_read() {
        for wrong in ["setps = 3", "repeats = \"x\"", "repeats = [[[", "repeats", "= 3", "repeats = 0", "\0"] {
            assert_eq!(steps(&format!("[limits]\n{wrong}\nsteps = 5\n")), Some(5), "before: {wrong}");
            assert_eq!(steps(&format!("[limits]\nsteps = 5\n{wrong}\n")), Some(5), "behind: {wrong}");
        }
        assert_eq!(steps("[limits]\nsteps = 5\n[tols]\nexclude = [\"a\"]\n"), Some(5));
        assert_eq!(steps("mode = \"saef\"\n[limits]\nsteps = 5\n[keys]\nsend = \"nokey\"\n"), Some(5));
    }

    #[test]
    fn what_does_not_end_takes_only_what_follows_with_it() {
        assert_eq!(steps("[limits]\nsteps = 5\n[tools]\nexclude = [\"a\",\n\"b\"\n"), Some(5));
        assert_eq!(steps("[limits]\nsteps = 5\n[tools]\nexclude = \"\"\"a\nb\n\nc\n"), Some(5));
    }

    #[test]
    fn what_is_no_settings_at_all_is_none() {
        let page: String = (0..200).map(|line| format!("line {line} of something else\n")).collect();
        assert_eq!(salvaged(&page), None);
        assert_eq!(salvaged(""), Some(File::default()));
    }
}
