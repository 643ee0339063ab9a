//! Writes a command anew from its decoded words, so that what is run is what was read.

use super::walk::{BUILTIN, Program, WalkStep};
use super::words::{Joint, Piece, Redirect, Word};
use crate::Facts;
use std::path::Path;

/// The line that is run.
pub(super) fn line(steps: &[WalkStep<'_>], facts: &Facts) -> String {
    let mut line = String::new();
    for (at, step) in steps.iter().enumerate() {
        if at > 0 {
            line.push_str(match step.simple.joint {
                Joint::Then => "; ",
                Joint::And => " && ",
                Joint::Or => " || ",
                Joint::Pipe => " | ",
            });
        }
        program(step, facts, &mut line);
    }
    line
}

fn program(step: &WalkStep<'_>, facts: &Facts, line: &mut String) {
    let (Ok(program), Ok(uses)) = (&step.program, &step.uses) else { return };
    line.push_str(&name(program, facts));
    for (at, word) in step.simple.words.iter().enumerate() {
        if at > 0 {
            line.push(' ');
            match &word.pattern {
                Some(pieces) if uses.files.contains(&at) => {
                    line.push_str(&pattern(word, pieces, !uses.names_only));
                }
                Some(_) | None => line.push_str(&quote(&word.text)),
            }
        }
        for (_, added) in uses.added.iter().filter(|(after, _)| *after == at) {
            line.push(' ');
            line.push_str(added);
        }
    }
    for redirect in &step.simple.redirects {
        line.push(' ');
        line.push_str(&match redirect {
            Redirect::From(word) => format!("< {}", quote(&word.text)),
            Redirect::Away(1) => ">/dev/null".into(),
            Redirect::Away(stream) => format!("{stream}>/dev/null"),
            Redirect::Onto(stream, other) => format!("{stream}>&{other}"),
        });
    }
}

fn name(program: &Program, facts: &Facts) -> String {
    let found = facts.program(&program.name).and_then(Path::to_str);
    match &program.spelled {
        Some(spelled) => quote(&spelled.display().to_string()),
        None if BUILTIN.contains(&program.name.as_str()) => program.name.clone(),
        None => quote(found.unwrap_or(&program.name)),
    }
}

/// A program and its arguments as a line that every shell reads as just these words.
pub fn spelled(argv: &[String]) -> String {
    argv.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// `word`, so that every shell reads it as it is.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:=@%+,-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A word whose pattern the shell still matches; a name that it finds cannot be taken for a flag.
fn pattern(word: &Word, pieces: &[Piece], guarded: bool) -> String {
    let mut text = String::from(if guarded && word.leads_with_pattern() { "./" } else { "" });
    let mut plain = String::new();
    for piece in pieces {
        if let Piece::Plain(c) = piece {
            plain.push(*c);
            continue;
        }
        if !plain.is_empty() {
            text.push_str(&quote(&std::mem::take(&mut plain)));
        }
        match piece {
            Piece::Plain(_) => {}
            Piece::Any => text.push('*'),
            Piece::One => text.push('?'),
            Piece::Class(inside) => text.push_str(&format!("[{inside}]")),
        }
    }
    if !plain.is_empty() {
        text.push_str(&quote(&plain));
    }
    text
}
