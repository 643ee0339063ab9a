//! New imports, added to those that a file has.

use super::Pair;
use super::blanks::{Edit, applied};
use super::leading::is_import;
use super::parts::joined as joined_lines;
use super::style::{Style, plain};
use crate::Language;
use std::collections::HashSet;

/// The text of the file `path` with one import more, behind those that it has.
pub fn with_import(path: &str, text: &str, import: &str) -> String {
    let (language, style) = (Language::of(path, text), Style::of(text));
    let lines: Vec<String> = plain(text).lines().map(str::to_owned).collect();
    let edits = match language {
        Some(Language::Go) => added_to_go(&lines, &[import.to_owned()]).into_iter().collect(),
        _ => vec![put_behind_imports(&lines, vec![import.to_owned()], language)],
    };
    style.restored(&joined_lines(&applied(&lines, edits).unwrap_or(lines)))
}

/// What the answer brings in and the file does not.
pub(super) fn added(pair: &Pair<'_>) -> Vec<Edit> {
    let (before, answer) = (&pair.before.lines, &pair.answer.lines);
    if pair.language == Some(Language::Go) {
        return added_to_go(before, answer).into_iter().collect();
    }
    let known: HashSet<String> = imports(before, pair.language).into_iter().map(|import| bare(&import.2)).collect();
    let (mut lines, mut edits) = (Vec::<String>::new(), Vec::<Edit>::new());
    for (_, _, import) in imports(answer, pair.language) {
        if known.contains(&bare(&import)) || lines.iter().any(|line| import.contains(line)) {
            continue;
        }
        match in_place_of(&import, pair) {
            Some(edit) if edits.iter().all(|other| other.from != edit.from) => edits.push(edit),
            Some(_) | None => lines.extend(import),
        }
    }
    if lines.is_empty() {
        return edits;
    }
    edits.push(put_behind_imports(before, lines, pair.language));
    edits
}

/// The edit that puts these imports behind those that are there, or where imports go, with a blank line around them.
fn put_behind_imports(before: &[String], mut lines: Vec<String>, language: Option<Language>) -> Edit {
    let at = end(before, language);
    let follows = before.get(at).is_some_and(|line| !line.trim().is_empty());
    if imports(before, language).is_empty() {
        if at > 0 && !before[at - 1].trim().is_empty() {
            lines.insert(0, String::new());
        }
        if follows {
            lines.push(String::new());
        }
    }
    Edit { from: at, to: at, lines }
}

/// The edit that puts `import` in place of the one import of the file that brings other names from the same place, without what
/// nothing that stays uses of it: after a name was changed, the old one is imported no more.
fn in_place_of(import: &[String], pair: &Pair<'_>) -> Option<Edit> {
    let from = place(import, pair.language)?;
    let of_file = imports(&pair.before.lines, pair.language);
    let mut same = of_file.iter().filter(|(.., old)| place(old, pair.language) == Some(from.clone()));
    let ((begin, behind, old), None) = (same.next()?, same.next()) else { return None };
    let new = bound(import, pair.language);
    let dropped: Vec<String> = bound(old, pair.language).into_iter().filter(|name| !new.contains(name)).collect();
    let used = used_besides_imports(pair, &of_file);
    let (still, gone): (Vec<&String>, Vec<&String>) = dropped.iter().partition(|name| used.contains(name.as_str()));
    let lines = match still.is_empty() {
        true => import.to_vec(),
        false if gone.is_empty() => return None,
        false => vec![joined(import, (&from, &still), pair.language)?],
    };
    Some(Edit { from: *begin, to: *behind, lines })
}

/// The words of all that stays of the file, and of what the answer writes anew.
fn used_besides_imports<'a>(pair: &'a Pair<'_>, of_file: &[(usize, usize, Vec<String>)]) -> HashSet<&'a str> {
    let is_import = |at: usize| of_file.iter().any(|(begin, behind, _)| (*begin..*behind).contains(&at));
    let is_written_anew = |at: usize| {
        let inside =
            pair.before.parts.iter().filter(|part| part.parent.is_none() && (part.start..part.end).contains(&at));
        inside.into_iter().any(|part| pair.answer.parts.iter().any(|other| other.key == part.key))
    };
    let stays = pair.before.lines.iter().enumerate().filter(|(at, _)| !is_import(*at) && !is_written_anew(*at));
    let all = stays.map(|(_, line)| line).chain(&pair.answer.lines[end(&pair.answer.lines, pair.language)..]);
    all.flat_map(|line| words(line)).collect()
}

/// One line of Python that brings what `import` does, and these names from the same place; `None` where it is no plain one.
fn joined(import: &[String], (from, others): (&str, &[&String]), language: Option<Language>) -> Option<String> {
    let [line] = import else { return None };
    let plain = language == Some(Language::Python) && !line.contains(['(', '*', '\\', '#']) && !line.contains(" as ");
    let names = line.strip_prefix(&format!("from {from} import "))?.split(',').map(str::trim);
    let names: Vec<&str> = names.chain(others.iter().map(|name| name.as_str())).collect();
    plain.then(|| format!("from {from} import {}", names.join(", ")))
}

/// From where an import brings names: `a.b` of `from a.b import c`, `'./x'` of `import { c } from './x'`.
fn place(import: &[String], language: Option<Language>) -> Option<String> {
    let text = import.join(" ");
    let place = match language {
        Some(Language::Python) => text.strip_prefix("from ")?.split_once(" import")?.0,
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
            text.strip_prefix("import ")?.rsplit_once(" from ")?.1
        }
        _ => return None,
    };
    Some(place.trim().trim_end_matches(';').replace('"', "'"))
}

/// Does the answer use what the file imports, and import it no more?
pub(super) fn forgotten(pair: &Pair<'_>) -> bool {
    let (before, answer) = (&pair.before.lines, &pair.answer.lines);
    let of_answer = imports(answer, pair.language);
    let imported: HashSet<String> = of_answer.iter().flat_map(|(.., import)| bound(import, pair.language)).collect();
    let inside = |at: usize| of_answer.iter().any(|(begin, behind, _)| (*begin..*behind).contains(&at));
    let rest = answer.iter().enumerate().filter(|(at, _)| !inside(*at)).map(|(_, line)| line);
    let used: HashSet<&str> = rest.flat_map(|line| words(line)).collect();
    let of_file = imports(before, pair.language);
    let mut names = of_file.iter().flat_map(|(.., import)| bound(import, pair.language));
    names.any(|name| used.contains(name.as_str()) && !imported.contains(&name) && !defines(pair, &name))
}

fn defines(pair: &Pair<'_>, name: &str) -> bool {
    pair.answer.parts.iter().any(|part| part.name == name)
}

/// The words of a line of code.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The names that an import brings.
fn bound(import: &[String], language: Option<Language>) -> Vec<String> {
    let text = import.join(" ");
    let last = |text: &str| words(text).last().map(str::to_owned).into_iter().collect::<Vec<_>>();
    let all = |text: &str| words(text).map(str::to_owned).collect::<Vec<_>>();
    match language {
        Some(Language::Python) => {
            let Some((_, names)) = text.split_once("import ") else { return Vec::new() };
            let name = |name: &str| match name.split_once(" as ") {
                Some((_, other)) => words(other).next().map(str::to_owned),
                None => words(name).next().map(str::to_owned),
            };
            names.split(',').filter_map(name).collect()
        }
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
            let ends = text.find(" from ").or_else(|| text.find('='));
            ends.map(|end| all(&text[..end])).unwrap_or_default().into_iter().skip(1).collect()
        }
        Some(Language::Rust) => match text.split_once('{') {
            Some((_, names)) => all(names),
            None => last(&text),
        },
        Some(Language::Java) => last(&text),
        Some(Language::Go | Language::C | Language::Cpp | Language::Bash) | None => Vec::new(),
    }
}

fn bare(import: &[String]) -> String {
    import.concat().chars().filter(|c| !c.is_whitespace() && *c != ';').collect()
}

/// Each import at the margin: its first line, the one behind it, its text.
fn imports(lines: &[String], language: Option<Language>) -> Vec<(usize, usize, Vec<String>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !is_import(&lines[at], language) {
            at += 1;
            continue;
        }
        let begin = at;
        let mut open = 0;
        loop {
            let line = &lines[at];
            open += line.matches(['(', '{']).count();
            open = open.saturating_sub(line.matches([')', '}']).count());
            at += 1;
            if at == lines.len() || (open == 0 && !line.trim_end().ends_with('\\')) {
                break;
            }
        }
        found.push((begin, at, lines[begin..at].to_vec()));
    }
    found
}

/// Where imports go: behind the last one before the first definition, or behind what has to stand first.
pub(super) fn end(lines: &[String], language: Option<Language>) -> usize {
    let found = imports(lines, language);
    // One that stands far down belongs to something else.
    let mut end = None;
    for (begin, behind, _) in found {
        let near = end.is_none_or(|end: usize| begin <= end + 12);
        if near {
            end = Some(behind);
        }
    }
    end.unwrap_or_else(|| start(lines, language))
}

/// Behind what has to stand first: `#!`, `package`, words about the file.
fn start(lines: &[String], language: Option<Language>) -> usize {
    let mut at = lines.iter().take_while(|line| stands_first(line)).count();
    let quoted = lines.get(at).and_then(|line| ["\"\"\"", "'''"].into_iter().find(|mark| line.starts_with(mark)));
    if let Some(mark) = quoted.filter(|_| language == Some(Language::Python)) {
        let closes = |line: &String, first: bool| if first { line[3..].contains(mark) } else { line.contains(mark) };
        let end = lines[at..].iter().enumerate().position(|(number, line)| closes(line, number == 0));
        at += end.map_or(0, |end| end + 1);
    }
    let package = lines.iter().position(|line| line.starts_with("package "));
    package.map_or(at, |package| package + 1)
}

fn stands_first(line: &str) -> bool {
    ["#!", "# -*-", "'use strict'", "\"use strict\"", "\"use client\"", "#pragma once", "#![", "//!"]
        .iter()
        .any(|begin| line.starts_with(begin))
}

/// Go has them in one bracket.
fn added_to_go(before: &[String], answer: &[String]) -> Option<Edit> {
    let known: HashSet<&str> = specs(before).into_iter().collect();
    let new: Vec<&str> = specs(answer).into_iter().filter(|spec| !known.contains(spec)).collect();
    if new.is_empty() {
        return None;
    }
    if let Some(open) = before.iter().position(|line| line.trim_end() == "import (") {
        let close = open + before[open..].iter().position(|line| line.starts_with(')'))?;
        return Some(Edit { from: close, to: close, lines: new.iter().map(|spec| format!("\t{spec}")).collect() });
    }
    let at = end(before, Some(Language::Go));
    let mut lines: Vec<String> = new.iter().map(|spec| format!("import {spec}")).collect();
    if !before.iter().any(|line| line.starts_with("import ")) {
        lines.insert(0, String::new());
    }
    Some(Edit { from: at, to: at, lines })
}

/// What is imported, with its other name.
fn specs(lines: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in lines {
        match line.trim() {
            "import (" => inside = true,
            ")" => inside = false,
            spec if inside && spec.ends_with('"') => found.push(spec),
            line => found.extend(line.strip_prefix("import ").filter(|spec| spec.ends_with('"'))),
        }
    }
    found
}
