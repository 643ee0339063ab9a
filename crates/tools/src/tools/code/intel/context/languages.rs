//! Languages by files and lines. Of very many files some are counted and the rest are estimated by them, which is said.

use super::survey::Survey;
use crate::blocking::Stop;
use crate::open::{Found, open, read_all};
use crate::tools::code::each::each;
use crate::workspace::Workspace;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files of which lines are counted; of more, so many evenly among them.
const COUNTED: usize = 3_000;
/// Bytes of the largest file that is counted.
const LARGEST: u64 = 1 << 20;
/// How long counting may take.
const TIME: Duration = Duration::from_secs(10);

/// Languages that are told.
const TOLD: usize = 10;

/// Endings and names of files, and what they are written in.
const KINDS: &[(&str, &str)] = &[
    ("Rust", "rs"),
    ("Python", "py pyi pyw"),
    ("JavaScript", "js jsx mjs cjs"),
    ("TypeScript", "ts tsx mts cts"),
    ("Go", "go"),
    ("C", "c h"),
    ("C++", "cc cpp cxx hpp hh hxx ipp"),
    ("C#", "cs"),
    ("F#", "fs fsx"),
    ("Java", "java"),
    ("Kotlin", "kt kts"),
    ("Scala", "scala sc"),
    ("Groovy", "groovy gradle"),
    ("Swift", "swift"),
    ("Objective-C", "m mm"),
    ("Ruby", "rb rake"),
    ("PHP", "php"),
    ("Perl", "pl pm"),
    ("Lua", "lua"),
    ("R", "r"),
    ("Julia", "jl"),
    ("Dart", "dart"),
    ("Elixir", "ex exs"),
    ("Erlang", "erl hrl"),
    ("Haskell", "hs lhs"),
    ("OCaml", "ml mli"),
    ("Clojure", "clj cljs cljc"),
    ("Zig", "zig"),
    ("Nim", "nim"),
    ("Solidity", "sol"),
    ("Shell", "sh bash zsh fish bats"),
    ("PowerShell", "ps1 psm1"),
    ("SQL", "sql"),
    ("HTML", "html htm"),
    ("CSS", "css scss sass less"),
    ("Vue", "vue"),
    ("Svelte", "svelte"),
    ("Assembly", "s asm"),
    ("Fortran", "f90 f95 f"),
    ("Terraform", "tf"),
    ("Protobuf", "proto"),
    ("GraphQL", "graphql gql"),
    ("CUDA", "cu cuh"),
    ("Notebook", "ipynb"),
    ("Markdown", "md mdx rst adoc"),
    ("YAML", "yml yaml"),
    ("JSON", "json jsonc"),
    ("TOML", "toml"),
    ("XML", "xml"),
];
/// What is written beside code and seldom is what a project is made of.
const BESIDE: &[&str] = &["Markdown", "YAML", "JSON", "TOML", "XML", "Notebook"];

/// How much there is of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Share {
    name: &'static str,
    files: usize,
    lines: u64,
    /// Not all of its files were counted.
    estimated: bool,
}

/// The languages of the project, those of code first, the most lines first.
pub(super) fn count(workspace: &Workspace, survey: &Survey, stop: &Stop) -> Vec<Share> {
    let known: HashMap<&str, &'static str> =
        KINDS.iter().flat_map(|(name, kinds)| kinds.split(' ').map(|kind| (kind, *name))).collect();
    let of = |file: &PathBuf| known.get(kind(file).as_str()).copied();
    let files: Vec<(&PathBuf, &'static str)> = survey.files.iter().filter_map(|file| Some((file, of(file)?))).collect();
    let step = files.len().div_ceil(COUNTED).max(1);
    let some: Vec<&(&PathBuf, &'static str)> = files.iter().step_by(step).collect();
    let (counted, _) =
        each(&some, TIME, stop, |(file, name)| Some((*name, lines(workspace, &survey.base.join(file))?)));
    let mut shares: HashMap<&str, (usize, usize, u64)> = HashMap::new();
    files.iter().for_each(|(_, name)| shares.entry(name).or_default().0 += 1);
    for (_, (name, lines)) in counted {
        let share = shares.entry(name).or_default();
        (share.1, share.2) = (share.1 + 1, share.2 + lines);
    }
    let share = |(name, (files, counted, lines)): (&'static str, (usize, usize, u64))| {
        let lines = lines * files as u64 / counted.max(1) as u64;
        Share { name, files, lines, estimated: counted < files }
    };
    let named = KINDS.iter().filter_map(|(name, _)| shares.get(name).map(|found| (*name, *found)));
    let mut shares: Vec<Share> = named.map(share).collect();
    shares.sort_by_key(|share| (BESIDE.contains(&share.name), u64::MAX - share.lines, share.name));
    shares
}

fn kind(file: &Path) -> String {
    file.extension().map(|kind| kind.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

fn lines(workspace: &Workspace, path: &Path) -> Option<u64> {
    let Ok(Found::File(mut file, _)) = open(workspace, path) else { return None };
    let bytes = read_all(&mut file, "", LARGEST).ok()?;
    Some(bytes.iter().filter(|byte| **byte == b'\n').count() as u64)
}

/// `Rust 210 files, 41,002 lines (92%)`; the share is that of all lines of code.
pub(super) fn words(shares: &[Share]) -> Vec<String> {
    let code = |share: &&Share| !BESIDE.contains(&share.name);
    let all: u64 = shares.iter().filter(code).map(|share| share.lines).sum();
    let one = |share: &Share| {
        let about = if share.estimated { "~" } else { "" };
        let counts = code(&share) && all > 0;
        let part = if counts { format!(" ({}%)", (share.lines * 100 + all / 2) / all) } else { String::new() };
        format!(
            "{} {about}{} in {}{part}",
            share.name,
            crate::words::count(share.lines, "line"),
            crate::words::count(share.files as u64, "file")
        )
    };
    let (told, small): (Vec<&Share>, Vec<&Share>) =
        shares.iter().partition(|share| !code(share) || share.lines * 200 >= all);
    let mut words: Vec<String> = told.into_iter().take(TOLD).map(one).collect();
    words.extend((!small.is_empty()).then(|| format!("{} more with less than 1%", small.len())));
    words
}

/// The one that most is written in.
pub(super) fn main(shares: &[Share]) -> String {
    shares.first().map_or_else(|| "no language known here".into(), |share| format!("mostly {}", share.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn counted(files: usize) -> Vec<String> {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for at in 0..files {
            std::fs::write(root.join(format!("a{at:05}.rs")), "a\nb\n").unwrap();
        }
        std::fs::write(root.join("b.py"), "a\n").unwrap();
        std::fs::write(root.join("c.md"), "a\n\n\n\n").unwrap();
        let workspace = Workspace::new(&root);
        let survey = Survey::of(&workspace, &root, &Stop::default());
        words(&count(&workspace, &survey, &Stop::default()))
    }

    #[test]
    fn languages_come_with_their_share_and_what_stands_beside_code_comes_last() {
        let expected = ["Rust 6 lines in 3 files (86%)", "Python 1 line in 1 file (14%)", "Markdown 4 lines in 1 file"];
        assert_eq!(counted(3), expected);
    }

    #[test]
    fn of_very_many_files_some_are_counted_and_that_is_said() {
        assert_eq!(counted(COUNTED + 500)[0], "Rust ~7000 lines in 3500 files (100%)");
    }
}
