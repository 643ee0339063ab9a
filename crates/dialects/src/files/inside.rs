//! Names that stand inside a block, as its first line.

use super::endings::is_markdown;
use super::known::{Named, Names};
use super::line::pure;
use std::ops::Range;

/// A name inside, and the line that it stands on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inside {
    pub(super) named: Named,
    pub(super) line: usize,
}

/// What opens and closes a comment of one line.
const COMMENTS: &[(&str, &str)] = &[
    ("<!--", "-->"),
    ("/*", "*/"),
    ("{/*", "*/}"),
    ("(*", "*)"),
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("///", ""),
    ("//", ""),
    ("#", ""),
    ("--", ""),
    (";", ""),
    ("%", ""),
    ("rem ", ""),
];

/// The name that the first line of a block says; one that the system reads first may stand above it.
pub(super) fn name(lines: &[String], names: &Names) -> Option<Inside> {
    let mut filled = lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()).take(2);
    let (mut at, mut line) = filled.next()?;
    if is_for_the_system(line) {
        (at, line) = filled.next()?;
    }
    let (text, opener) = uncommented(line);
    let named = pure(text, names)?;
    let is_heading = opener == Some("#") && named.path().is_some_and(is_markdown);
    let fits = match (&named, opener) {
        (_, Some(_)) => !is_heading,
        // A bare name must stand apart from more like it, as lists have them.
        (Named::Known(_) | Named::Barred, None) => !is_listed(lines, at, names),
        (Named::New(_), None) => !line.contains(' ') && at + 1 < lines.len() && !is_listed(lines, at, names),
    };
    fits.then_some(Inside { named, line: at })
}

/// The files in one block, each below a comment with its name; none unless the first line is one.
pub(super) fn sections(lines: &[String], names: &Names) -> Vec<(Named, Range<usize>)> {
    let Some(first) = name(lines, names) else { return Vec::new() };
    let mut heads = vec![(first.named, 0)];
    for at in first.line + 1..lines.len() {
        let stands_apart = lines[at - 1].trim().is_empty() && !lines[at].starts_with([' ', '\t']);
        let (text, opener) = uncommented(&lines[at]);
        if !stands_apart || opener.is_none() || !text.contains('.') {
            continue;
        }
        match pure(text, names) {
            Some(named) if !heads.iter().any(|(known, _)| *known == named) => heads.push((named, at)),
            Some(_) | None => {}
        }
    }
    let ends: Vec<usize> = heads.iter().skip(1).map(|(_, at)| *at).chain([lines.len()]).collect();
    heads.into_iter().zip(ends).map(|((named, from), to)| (named, from..to)).collect()
}

/// Does another name follow right below?
fn is_listed(lines: &[String], at: usize, names: &Names) -> bool {
    lines.get(at + 1).is_some_and(|next| pure(next, names).is_some())
}

fn is_for_the_system(line: &str) -> bool {
    let line = line.trim_start().to_lowercase();
    ["#!", "<?php", "<?xml", "<!doctype", "# -*-", "'use strict'", "\"use strict\"", "\"use client\""]
        .iter()
        .any(|begin| line.starts_with(begin))
}

/// The inside of a comment, and what opened it.
fn uncommented(line: &str) -> (&str, Option<&'static str>) {
    let line = line.trim();
    let lower = line.get(..4).unwrap_or_default().to_lowercase();
    for (open, close) in COMMENTS {
        let opened = line.strip_prefix(open).or_else(|| if lower == *open { line.get(4..) } else { None });
        if let Some(inner) = opened
            && let Some(inner) = inner.trim_end().strip_suffix(close)
        {
            return (inner.trim(), Some(open));
        }
    }
    (line, None)
}

/// What is to stand in `path`: the lines without the one that names it.
pub(super) fn content(lines: &[String], path: &str) -> String {
    let names = Names::new(vec![path.to_owned()], &[], Vec::new());
    let own = name(lines, &names).filter(|found| found.named == Named::Known(path.to_owned()));
    let named = own.map(|found| found.line);
    let kept: Vec<&str> =
        lines.iter().enumerate().filter(|(at, _)| Some(*at) != named).map(|(_, line)| line.as_str()).collect();
    let first = if named == Some(first_filled(lines)) {
        kept.iter().position(|line| !line.trim().is_empty()).unwrap_or(0)
    } else {
        0
    };
    let text = kept[first..].join("\n");
    let text = text.trim_end_matches(['\n', '\r', ' ', '\t']);
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

fn first_filled(lines: &[String]) -> usize {
    lines.iter().position(|line| !line.trim().is_empty()).unwrap_or(0)
}
