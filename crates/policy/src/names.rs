//! Names that stand for something: what other programs obey (protected), what holds secrets, what runs on a build.
//!
//! Looks at names only, folded as file systems fold them; where a path leads was found out before.

mod fold;
mod guarded;
mod kept_back;
mod obeyed;
mod place;
mod secret;

use fold::folded;
pub use guarded::GuardedFile;
pub(crate) use guarded::guarded;
pub use kept_back::secrets_at_home;
pub use place::Resolved;
use std::path::{Component, Path};

/// Why writing to `path` needs a question in every mode, in words that follow its name: `names programs that git runs`.
/// `None`: an ordinary name. What the folders down to the `project` are called counts for nothing.
pub fn protected(path: Resolved<'_>, project: &Path, home: Option<Resolved<'_>>) -> Option<&'static str> {
    let names = components(path.path());
    // Whatever is above the project is the user's choice.
    let above = if path.path().starts_with(project) { components(project).len() } else { 0 };
    let home = home.map(|home| components(home.path()));
    obeyed::by_name(&names[above..]).or_else(|| obeyed::by_place(&names, above, home.as_deref()))
}

/// The same by the names in `below` alone, wherever they lie: the part of a path below the project, or of that the last
/// two names. Places of the system and of the home are no names.
pub fn obeyed(below: &Path) -> Option<&'static str> {
    obeyed::by_name(&components(below))
}

/// Does the name of `path` say that it holds secrets?
pub fn is_secret(path: Resolved<'_>, home: Option<Resolved<'_>>) -> bool {
    secret::by_name(&components(path.path())) || secret::by_place(path.path(), home.map(Resolved::path))
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
