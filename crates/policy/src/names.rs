//! Names that stand for something: what other programs obey (protected), what holds secrets, what runs on a build.
//!
//! Looks at names only, folded as file systems fold them; where a path leads was found out before.

mod fold;
mod obeyed;
mod secret;

use fold::folded;
use std::path::{Component, Path};

/// Why writing to a path needs a question in every mode, in words that follow its name: `names programs that git runs`.
/// `None`: an ordinary name. `below` is the part of it below the project folder (the whole path where it lies elsewhere),
/// `path` all of it, absolute and resolved.
pub fn protected(below: &Path, path: &Path, home: Option<&Path>) -> Option<&'static str> {
    let names = components(path);
    // Whatever is above the project is the person's choice.
    let above = if below.is_absolute() { 0 } else { names.len().saturating_sub(components(below).len()) };
    let home = home.map(components);
    obeyed::by_name(&names[above..]).or_else(|| obeyed::by_place(&names, above, home.as_deref()))
}

/// Does the name of `path` say that it holds secrets?
pub fn is_secret(path: &Path, home: Option<&Path>) -> bool {
    secret::by_name(&components(path)) || secret::by_place(path, home)
}

/// What would run it without being asked for by name, in words that follow its name: `runs when the project is built`.
/// Worth a word in a question, and no reason for one.
pub fn runs_on_build(below: &Path) -> Option<&'static str> {
    obeyed::on_build(components(below).last()?)
}

/// The names in `path`, folded; what is no name (the root, `.`, `..`) is left out.
fn components(path: &Path) -> Vec<String> {
    let names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(folded(&name.to_string_lossy())),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    });
    names.collect()
}

#[cfg(test)]
mod tests;
