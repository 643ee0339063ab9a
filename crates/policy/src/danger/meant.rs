//! What the words of a command mean on this machine: where links lead, and what patterns match.
//!
//! Only what was asked beforehand is known; the rest counts as it is spelled.

use super::ground::{Loss, alternatives, lead, loss_by_spelling, loss_of, resolve};
use super::known::name;
use super::script::{ScriptPart, ScriptWord};
use super::touched::{How, Touched, entries, touched};
use super::{Places, WritablePlaces, flags, walk};
use crate::{Glyph, Pattern, Query};
use std::path::{Path, PathBuf};

const MOST: usize = 200;

/// What must be known before it is told what `command`, started in `cwd`, would change.
pub(crate) fn queries(command: &str, cwd: &Path) -> Vec<Query> {
    let open = WritablePlaces::default();
    let places = Places { root: cwd, cwd, home: None, own: &[], guarded: &[], open, facts: None };
    let mut queries: Vec<Query> = Vec::new();
    walk(command, &places, |part, folder| {
        let all = touched(part).into_iter().chain(entries(part)).flat_map(|touched| asked(&touched, folder));
        for query in all.chain(folders(part, folder)) {
            if !queries.contains(&query) {
                queries.push(query);
            }
        }
        (queries.len() >= MOST).then_some(())
    });
    queries.truncate(MOST);
    queries
}

/// Where it goes by `cd`.
fn folders(part: &ScriptPart, folder: Option<&Path>) -> Option<Query> {
    let (program, words) = part.words.split_first()?;
    let to = flags::operands(words).into_iter().next().filter(|_| ["cd", "pushd"].contains(&name(program)))?;
    lead(to, folder).map(Query::Leads)
}

fn asked(touched: &Touched, folder: Option<&Path>) -> Vec<Query> {
    let Touched { word, how } = touched;
    match (&word.pattern, folder) {
        (Some(text), Some(folder)) if !word.unknown => {
            let above = resolve(text, false, Some(folder)).and_then(|path| plain_parent(&path));
            let matches = Query::Matches { folder: folder.to_owned(), pattern: pattern(text) };
            above.map(Query::Leads).into_iter().chain([matches]).collect()
        }
        (Some(_), _) => Vec::new(),
        (None, _) => {
            let path = lead(word, folder);
            let above = path.as_deref().filter(|_| *how == How::Removes).and_then(Path::parent).map(Path::to_owned);
            path.into_iter().chain(above).map(Query::Leads).collect()
        }
    }
}

/// The folder of `path`, where no pattern stands in that.
fn plain_parent(path: &Path) -> Option<PathBuf> {
    path.parent().filter(|parent| !parent.to_string_lossy().contains(['*', '?', '['])).map(Path::to_owned)
}

/// Where `path` leads, if that is known.
pub(super) fn led(path: &Path, places: &Places<'_>) -> Option<PathBuf> {
    Some(places.facts?.led(path)?.real.clone())
}

/// The places that something is done to: what a word names, and where links in that lead.
pub(super) fn paths(touched: &Touched, folder: Option<&Path>, places: &Places<'_>) -> Vec<PathBuf> {
    let Touched { word, how } = touched;
    let named: Vec<PathBuf> = match (&word.pattern, folder, places.facts) {
        // A program that nobody knows may only read what it is given in such numbers.
        (Some(_), _, _) if *how == How::Maybe => Vec::new(),
        (Some(text), Some(folder), Some(facts)) => facts.matches(folder, &pattern(text)).unwrap_or_default().to_vec(),
        (Some(_), _, _) => Vec::new(),
        (None, _, _) if word.unknown => Vec::new(),
        (None, _, _) => alternatives(&word.text).filter_map(|text| resolve(&text, false, folder)).collect(),
    };
    let real = |path: &PathBuf| match how {
        // What a link leads to stays where the link goes.
        How::Removes => Some(led(path.parent()?, places)?.join(path.file_name()?)),
        How::Changes | How::Enters | How::Links | How::Maybe | How::Starts => led(path, places),
    };
    let reals: Vec<PathBuf> = named.iter().filter_map(real).collect();
    named.into_iter().chain(reals).collect()
}

/// The folder in which a pattern, or what ends in `/`, takes all there is, as links lead to it.
fn swept(word: &ScriptWord, folder: Option<&Path>, places: &Places<'_>) -> Option<PathBuf> {
    match &word.pattern {
        Some(text) => led(&plain_parent(&resolve(text, word.unknown, folder)?)?, places),
        None => word.text.ends_with('/').then(|| led(&lead(word, folder)?, places)).flatten(),
    }
}

/// What would be lost if all that `word` names in `folder` were gone.
pub(super) fn loss(word: &ScriptWord, folder: Option<&Path>, places: &Places<'_>) -> Option<Loss> {
    loss_by_spelling(word, folder, places).or_else(|| {
        let swept = swept(word, folder, places)?;
        match word.pattern.as_deref().and_then(|pattern| Path::new(pattern).file_name()) {
            None => loss_of(&swept, places),
            Some(name) => {
                let text = swept.join(name).to_string_lossy().into_owned();
                let word = ScriptWord { pattern: Some(text.clone()), text, unknown: false };
                loss_by_spelling(&word, folder, places)
            }
        }
    })
}

/// A pattern as `tools` is asked about it, from one with backslashes before what stands for itself.
fn pattern(text: &str) -> Pattern {
    let mut glyphs = Vec::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        glyphs.push(match character {
            '*' => Glyph::Any,
            '?' => Glyph::One,
            '\\' => Glyph::Literal(rest.next().unwrap_or('\\')),
            '[' => match rest.as_str().char_indices().skip(1).find(|(_, end)| *end == ']') {
                Some((end, _)) => {
                    rest = rest.as_str()[end + 1..].chars();
                    Glyph::One
                }
                None => Glyph::Literal('['),
            },
            literal => Glyph::Literal(literal),
        });
    }
    Pattern(glyphs)
}
