//! Where the project defines a name at the top of a file, and the line that would import it from there.
//!
//! An import is only written where the project itself leaves no doubt how: from a module beside the file, from a package at the top,
//! by a relative path as the file has others.

use super::changed::ChangedFile;
use super::uses::{CodeFile, Extent, each_code_file, places};
use crate::open::plain_file_below;
use crate::workspace::Workspace;
use agent_syntax::Language;
use regex::Regex;
use std::path::{Path, PathBuf};

/// Words in a `package.json` of projects whose names are imported by a build step.
const IMPORT_BY_THEMSELVES: [&str; 4] = ["\"nuxt", "auto-import", "\"meteor", "\"ember-source"];

/// Bytes of a `package.json` that is looked into.
const PACKAGE: u64 = 1 << 20;

/// What the project knows of some names.
pub(super) struct Definitions {
    names: Vec<(String, Vec<Definition>, Vec<String>)>,
    pub(super) extent: Extent,
    /// A build step imports what is not imported.
    pub(super) imports_by_itself: bool,
}

/// A definition at the top of a file.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    pub(super) shown: String,
    language: Language,
    text: String,
}

impl Definitions {
    pub(super) fn find(workspace: &Workspace, wanted: &[&str]) -> Definitions {
        let mut names: Vec<(String, Vec<Definition>, Vec<String>)> = Vec::new();
        for name in wanted {
            if names.iter().all(|(known, ..)| known != name) {
                names.push(((*name).to_owned(), Vec::new(), Vec::new()));
            }
        }
        let extent = each_code_file(workspace, |file| look_into(&file, &mut names));
        let package = plain_file_below(workspace.root(), Path::new("package.json"), PACKAGE)
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .unwrap_or_default();
        let imports_by_itself = IMPORT_BY_THEMSELVES.iter().any(|word| package.contains(word));
        Definitions { names, extent, imports_by_itself }
    }

    /// Files in which the name stands.
    pub(super) fn mentions(&self, name: &str) -> &[String] {
        self.names.iter().find(|(known, ..)| known == name).map_or(&[], |(_, _, mentions)| mentions)
    }

    /// The definitions of it that a file of this kind may mean: none in itself, none in another language.
    pub(super) fn of(&self, name: &str, file: &str) -> Vec<&Definition> {
        let language = Language::of(file, "");
        let all = self.names.iter().find(|(known, ..)| known == name).map_or(&[][..], |(_, defined, _)| defined);
        all.iter().filter(|one| one.shown != file && family(Some(one.language)) == family(language)).collect()
    }
}

fn look_into(file: &CodeFile, names: &mut [(String, Vec<Definition>, Vec<String>)]) {
    let mut here = names.iter_mut().filter(|(name, ..)| !places(&file.text, name).is_empty()).peekable();
    if here.peek().is_none() {
        return;
    }
    for (name, defined, mentions) in here {
        mentions.push(file.shown.clone());
        if defines(file, name) {
            let (shown, text) = (file.shown.clone(), file.text.clone());
            defined.push(Definition { shown, language: file.language, text });
        }
    }
}

/// Does it define the name at the margin?
fn defines(file: &CodeFile, name: &str) -> bool {
    let name = regex::escape(name);
    let line = match file.language {
        Language::Python => format!(r"(?m)^(?:(?:async )?def|class) {name}\b|^{name}\s*(?::[^=\n]+)?=[^=]"),
        Language::JavaScript | Language::TypeScript | Language::Tsx => format!(
            r"(?m)^(?:export )?(?:default )?(?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|var|interface|type|enum) {name}\b"
        ),
        Language::Rust => {
            format!(
                r"(?m)^(?:pub(?:\([^)]*\))? )?(?:(?:async|const|unsafe) )*(?:fn|struct|enum|trait|type|const|static|union) {name}\b"
            )
        }
        Language::Go => format!(r"(?m)^(?:func|type|var|const) {name}\b"),
        Language::C | Language::Cpp | Language::Java | Language::Bash => return false,
    };
    Regex::new(&line).is_ok_and(|line| line.is_match(&file.text))
}

/// Languages that import from each other.
fn family(language: Option<Language>) -> Option<Language> {
    match language {
        Some(Language::TypeScript | Language::Tsx) => Some(Language::JavaScript),
        other => other,
    }
}

/// The line that imports `name` into `file` from where it is defined; `None` where that is not clear.
pub(super) fn import_of(workspace: &Workspace, file: &ChangedFile, name: &str, from: &Definition) -> Option<String> {
    let text = file.now.as_deref()?;
    if name.starts_with('_') || is_test(&from.shown) {
        return None;
    }
    match from.language {
        Language::Python => python(workspace, (&file.shown, text), name, from),
        Language::JavaScript | Language::TypeScript | Language::Tsx => javascript((&file.shown, text), name, from),
        Language::Rust => rust(workspace, &file.shown, name, from),
        Language::Go | Language::C | Language::Cpp | Language::Java | Language::Bash => None,
    }
}

fn is_test(path: &str) -> bool {
    ["test_", "_test.", ".test.", ".spec.", "tests/", "test/", "__tests__/"].iter().any(|part| path.contains(part))
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

fn folder(path: &str) -> PathBuf {
    Path::new(path).parent().unwrap_or(Path::new("")).to_owned()
}

fn python(workspace: &Workspace, (file, text): (&str, &str), name: &str, from: &Definition) -> Option<String> {
    // Two modules that import each other may not load.
    if imports_word(&from.text, stem(file)) || !stem(&from.shown).chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let is_package = |folder: &Path| workspace.root().join(folder).join("__init__.py").is_file();
    let (here, there) = (folder(file), folder(&from.shown));
    if !is_package(&there) {
        let module = stem(&from.shown);
        let known = format!(r"(?m)^(?:from\s+([\w.]*\b{module})\s+import\b|import\s+({module})\s*$)");
        let known = Regex::new(&known).ok()?.captures(text).and_then(|known| known.get(1).or(known.get(2)));
        // Its neighbors are imported by their names alone, unless it does otherwise.
        let beside = here == there && !is_package(&here) && !imports_by_folder(text, &here);
        let module = known.map(|known| known.as_str()).or(beside.then_some(module))?;
        return Some(format!("from {module} import {name}"));
    }
    let is_init = stem(&from.shown) == "__init__";
    if here == there && !is_init && text.contains("\nfrom .") || here == there && text.starts_with("from .") {
        return (!is_init).then(|| format!("from .{} import {name}", stem(&from.shown)));
    }
    let top = there.ancestors().take_while(|folder| is_package(folder)).last()?;
    let above = top.parent().unwrap_or(Path::new(""));
    let is_seen = above.as_os_str().is_empty() || above == Path::new("src") || above == here;
    let below = there.strip_prefix(above).ok()?;
    let parts = below.iter().map(|part| part.to_string_lossy().into_owned());
    let parts: Vec<String> = parts.chain((!is_init).then(|| stem(&from.shown).to_owned())).collect();
    is_seen.then(|| format!("from {} import {name}", parts.join(".")))
}

/// Does a file of this folder import through the folder's name, or by a relative path?
fn imports_by_folder(text: &str, folder: &Path) -> bool {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let starts = |line: &str, word: &str| {
        line.split_whitespace().nth(1).is_some_and(|path| path.split('.').any(|part| part == word))
    };
    let imports = text.lines().filter(|line| line.starts_with("from ") || line.starts_with("import "));
    imports.into_iter().any(|line| line.starts_with("from .") || !name.is_empty() && starts(line, &name))
}

fn javascript((file, text): (&str, &str), name: &str, from: &Definition) -> Option<String> {
    let exported = format!(
        r"(?m)^export\s+(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|const|let|var|enum)\s+{name}\b|^export\s*\{{(?:[^}}]*[\s,])?{name}\s*(?:,[^}}]*)?\}}\s*;?\s*$",
        name = regex::escape(name)
    );
    if !Regex::new(&exported).ok()?.is_match(&from.text) || from.shown.ends_with(".d.ts") {
        return None;
    }
    let relative = Regex::new(r#"(?m)^import\s[^;]*?from\s+(['"])(\.[^'"]*)['"](;?)"#).ok()?;
    let like = relative.captures(text);
    let is_typed = |path: &str| path.ends_with(".ts") || path.ends_with(".tsx");
    let (quote, is_whole, end) = match &like {
        Some(like) => {
            (like[1].to_owned(), like[2].rsplit('/').next().is_some_and(|last| last.contains('.')), like[3].to_owned())
        }
        // Node wants the ending, and who bundles takes it; with types nobody knows.
        None if is_typed(file) || is_typed(&from.shown) || !text.contains("import ") && !text.contains("export ") => {
            return None;
        }
        None => ("\"".to_owned(), true, ";".to_owned()),
    };
    let mut path = relative_path(&folder(file), Path::new(&from.shown));
    let ending = path.rsplit('.').next().unwrap_or_default().to_owned();
    if !is_whole {
        path.truncate(path.len() - ending.len() - 1);
    } else if is_typed(&path) {
        let other = if like.as_ref().is_some_and(|like| is_typed(&like[2])) { ending.as_str() } else { "js" };
        path = format!("{}.{other}", &path[..path.len() - ending.len() - 1]);
    }
    Some(format!("import {{ {name} }} from {quote}{path}{quote}{end}"))
}

/// `../b/c.js`, seen from a folder.
fn relative_path(from: &Path, to: &Path) -> String {
    let shared = from.iter().zip(to.iter()).take_while(|(one, other)| one == other).count();
    let up = from.iter().count() - shared;
    let begin = if up == 0 { "./".to_owned() } else { "../".repeat(up) };
    let rest: Vec<String> = to.iter().skip(shared).map(|part| part.to_string_lossy().into_owned()).collect();
    begin + &rest.join("/")
}

/// From a module right below the root of the same crate, where there is one root.
fn rust(workspace: &Workspace, file: &str, name: &str, from: &Definition) -> Option<String> {
    let (package, inner) = from.shown.rsplit_once("src/").map(|(package, inner)| (package.to_owned(), inner))?;
    let root = workspace.root().join(&package).join("src");
    let is_one = root.join("main.rs").is_file() != root.join("lib.rs").is_file();
    let is_same = file.starts_with(&format!("{package}src/")) && !file.contains("/bin/");
    let public = format!(
        r"(?m)^pub(?:\((?:crate|super)\))?\s+(?:(?:async|const|unsafe)\s+)*(?:fn|struct|enum|trait|type|const|static)\s+{}\b",
        regex::escape(name)
    );
    if !is_one || !is_same || inner.contains('/') || !Regex::new(&public).ok()?.is_match(&from.text) {
        return None;
    }
    Some(match stem(inner) {
        "lib" | "main" => format!("use crate::{name};"),
        module => format!("use crate::{module}::{name};"),
    })
}

/// Does a line of imports hold the word?
fn imports_word(text: &str, word: &str) -> bool {
    let is_import = |line: &&str| line.trim_start().starts_with("import ") || line.trim_start().starts_with("from ");
    text.lines().filter(is_import).any(|line| !places(line, word).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_a_folder() {
        let path = |from: &str, to: &str| relative_path(Path::new(from), Path::new(to));
        assert_eq!(path("src", "src/a.js"), "./a.js");
        assert_eq!(path("src/b/c", "src/a.js"), "../../a.js");
        assert_eq!(path("", "lib/a.js"), "./lib/a.js");
    }
}
