//! Finds the tool that is meant by a name, as models write names.
//!
//! In this order: the name itself; the same in another spelling; another agent's name for it; each of these behind a
//! prefix like `functions.`; the one tool whose name is one slip of the pen away. Nothing else is guessed.
//!
//! **Invariant.** A name that only asks to look never means a tool that changes things.

use crate::arguments::{Form, plain};
use crate::typo::{LONGEST, only_near};
use serde_json::Value;
use strsim::damerau_levenshtein;

/// Prefixes that say nothing of whose tool is meant. Behind any other, only a tool's own name counts: `search` of some
/// server is not ours.
const PLAIN_PREFIXES: [&str; 14] = [
    "function",
    "functions",
    "tool",
    "tools",
    "defaultapi",
    "api",
    "container",
    "repobrowser",
    "agent",
    "local",
    "builtin",
    "default",
    "filesystem",
    "namespacefunctions",
];

/// Other agents' tools that are none of ours, with the one that serves instead.
const INSTEAD: [(&str, &str); 10] = [
    ("appendfile", "edit_file"),
    ("deletefile", "run_command"),
    ("removefile", "run_command"),
    ("movefile", "run_command"),
    ("renamefile", "run_command"),
    ("copyfile", "run_command"),
    ("createdirectory", "run_command"),
    ("makedirectory", "run_command"),
    ("mkdir", "run_command"),
    ("codebasesearch", "grep_search"),
];

/// What our tools are called in Claude Code, where it has one that does the same: what its hooks look for, and are told.
const ELSEWHERE: [(&str, &str); 20] = [
    ("read_file", "Read"),
    ("read_many_files", "Read"),
    ("write_file", "Write"),
    ("edit_file", "Edit"),
    ("edit_lines", "Edit"),
    ("insert_lines", "Edit"),
    ("multi_edit", "MultiEdit"),
    ("apply_patch", "MultiEdit"),
    ("batch_operations", "MultiEdit"),
    ("run_command", "Bash"),
    ("grep_search", "Grep"),
    ("glob_files", "Glob"),
    ("list_directory", "LS"),
    ("web_fetch", "WebFetch"),
    ("web_search", "WebSearch"),
    ("task", "Task"),
    ("todo_write", "TodoWrite"),
    ("exit_plan_mode", "ExitPlanMode"),
    ("ask_user", "AskUserQuestion"),
    ("skill", "Skill"),
];

/// Tools that may make a new file or change one, whichever of the two the call is: whoever guards one guards both.
const MAKE_AND_CHANGE: [&str; 2] = ["apply_patch", "batch_operations"];

/// What `tool` is called in Claude Code.
pub(crate) fn elsewhere(tool: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(ours, _)| *ours == tool).map(|(_, theirs)| *theirs)
}

/// All names by which a hook may mean `tool`.
pub(crate) fn meant_by_hooks(tool: &str) -> Vec<&'static str> {
    match elsewhere(tool) {
        Some("MultiEdit") if MAKE_AND_CHANGE.contains(&tool) => vec!["MultiEdit", "Edit", "Write"],
        Some("MultiEdit") => vec!["MultiEdit", "Edit"],
        name => name.into_iter().collect(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meant {
    /// The one at this place, by its own name.
    Exactly(usize),
    /// The one at this place, by another.
    Read(usize),
    /// None; the one at this place may come nearest.
    None { near: Option<usize> },
}

/// Finds what `asked` means among `forms`.
pub(crate) fn meant(forms: &[&Form], asked: &str) -> Meant {
    if let Some(at) = forms.iter().position(|form| form.tool == asked) {
        return Meant::Exactly(at);
    }
    let bare = bare(asked);
    match whole(forms, bare).or_else(|| behind_a_prefix(forms, bare)).or_else(|| mended(forms, &plain(bare))) {
        Some(at) => Meant::Read(at),
        None => Meant::None { near: near(forms, &plain(last_part(bare).unwrap_or(bare))) },
    }
}

/// By which of its names, in plain spelling, `form` is called as `asked`: without prefixes, and as it is meant.
pub(crate) fn called(form: &Form, asked: &str) -> String {
    let bare = bare(asked);
    let known: Vec<String> = names(form).collect();
    for name in [Some(bare), last_part(bare)].into_iter().flatten().map(plain) {
        let short = [Some(name.as_str()), name.strip_suffix("tool"), name.strip_prefix("tool")];
        if let Some(name) = short.into_iter().flatten().find(|name| known.iter().any(|known| known == name)) {
            return name.to_owned();
        }
    }
    let mended = only_near(known.iter().map(|name| (name, name)), &plain(bare));
    mended.cloned().unwrap_or_else(|| plain(asked))
}

/// Without what stands around names: blanks, quotes, `()`, a number like `:0`, and tokens that were glued to them.
fn bare(asked: &str) -> &str {
    let asked = asked.split("<|").next().unwrap_or(asked).trim();
    let asked = asked.trim_matches(['`', '"', '\'']).trim_end_matches("()");
    match asked.rsplit_once([':', '#']) {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => asked,
    }
}

/// The tool called `name`, in any spelling, or with `tool` at one end.
fn whole(forms: &[&Form], name: &str) -> Option<usize> {
    let name = plain(name);
    let called = |form: &&Form, name: &str| {
        plain(form.tool) == name || form.aliases.split_whitespace().any(|a| plain(a) == name)
    };
    let find = |name: &str| forms.iter().position(|form| called(form, name));
    find(&name).or_else(|| find(name.strip_suffix("tool")?)).or_else(|| find(name.strip_prefix("tool")?))
}

fn behind_a_prefix(forms: &[&Form], name: &str) -> Option<usize> {
    let last = last_part(name)?;
    let prefix = plain(&name[..name.len() - last.len()]);
    if PLAIN_PREFIXES.contains(&prefix.as_str()) {
        return whole(forms, last);
    }
    let last = plain(last);
    forms.iter().position(|form| plain(form.tool) == last)
}

/// What stands behind the last `.`, `:`, `/` or `__`.
fn last_part(name: &str) -> Option<&str> {
    let ends = [".", ":", "/", "__"].iter().filter_map(|mark| name.rfind(mark).map(|at| at + mark.len()));
    ends.max().map(|at| &name[at..])
}

/// The only tool with a name one slip away. Where two are as near, none is meant.
fn mended(forms: &[&Form], name: &str) -> Option<usize> {
    if INSTEAD.iter().any(|(other, _)| *other == name) {
        return None;
    }
    let known = forms.iter().enumerate().flat_map(|(at, form)| names(form).map(move |known| (known, at)));
    only_near(known, name)
}

/// The tool that may come nearest to `name`, to be named as a question.
fn near(forms: &[&Form], name: &str) -> Option<usize> {
    if let Some((_, instead)) = INSTEAD.iter().find(|(other, _)| *other == name) {
        return forms.iter().position(|form| form.tool == *instead);
    }
    if name.len() > LONGEST {
        return None;
    }
    let far = |form: &Form| names(form).map(|known| damerau_levenshtein(&known, name)).min().unwrap_or(usize::MAX);
    let best = forms.iter().enumerate().map(|(at, form)| (far(form), at)).min()?;
    (best.0 <= name.chars().count() / 4).then_some(best.1)
}

fn names(form: &Form) -> impl Iterator<Item = String> {
    std::iter::once(form.tool).chain(form.aliases.split_whitespace()).map(plain)
}

/// Which tools a name may mean that some agents have for one of them and some for the other, as the arguments say; the
/// first that is there.
pub(crate) fn by_arguments(asked: &str, given: &Value) -> &'static [&'static str] {
    let bare = bare(asked);
    let name = match last_part(bare) {
        None => bare,
        Some(last) if PLAIN_PREFIXES.contains(&plain(&bare[..bare.len() - last.len()]).as_str()) => last,
        Some(_) => return &[],
    };
    match plain(name).as_str() {
        "cat" if is_one_path(given) => &["read_file", "read_many_files"],
        "find" if is_about_names(given) => &["glob_files"],
        _ => &[],
    }
}

/// One path, and not a list of several.
fn is_one_path(given: &Value) -> bool {
    let several = |value: &Value| match value {
        Value::Array(list) => list.len() > 1,
        Value::String(text) => matches!(serde_json::from_str(text), Ok(Value::Array(list)) if list.len() > 1),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    };
    given.as_object().is_none_or(|given| !given.values().any(several))
}

/// What `find` looks for is a file's name: by the names of the arguments, or a pattern that is one of names only.
fn is_about_names(given: &Value) -> bool {
    let Some(given) = given.as_object() else { return given.as_str().is_some_and(is_glob) };
    let said = |names: &[&str]| {
        let mut said = given.iter().filter(|(key, _)| names.contains(&plain(key).as_str()));
        said.find_map(|(_, value)| value.as_str().filter(|text| !text.is_empty()))
    };
    match said(&["pattern", "query", "regex", "search", "text", "expression", "searchterm", "keyword"]) {
        Some(pattern) => is_glob(pattern),
        None => said(&["name", "filename", "glob", "globpattern", "filepattern", "filenamepattern"]).is_some(),
    }
}

/// `*.rs`, `src/**/*.js`; not `foo.*bar` or `a*b|c`.
fn is_glob(pattern: &str) -> bool {
    let mut stars = pattern.match_indices('*');
    let is_of_glob = |(at, _): (usize, &str)| !pattern[..at].ends_with(['.', ']', '}', '\\', ')']);
    pattern.contains('*') && !pattern.contains(['\\', '(', ')', '|', '^', '$', '+', ' ']) && stars.all(is_of_glob)
}

/// Names of one tool of other agents that does several things, and says in `command` which.
const EDITORS: [&str; 7] =
    ["strreplaceeditor", "strreplacebasededittool", "texteditor", "fileeditor", "editor", "editanthropic", "fswrite"];

/// What `asked` with such a `command` means: one of our tools, or why none.
pub(crate) fn by_command(asked: &str, command: &str) -> Option<Result<&'static str, &'static str>> {
    let asked = bare(asked);
    let name = plain(last_part(asked).unwrap_or(asked));
    let name = name.strip_suffix("tool").filter(|short| EDITORS.contains(short)).unwrap_or(&name);
    if !EDITORS.contains(&name) {
        return None;
    }
    Some(match plain(command).as_str() {
        "view" => Ok("read_file"),
        "create" | "write" => Ok("write_file"),
        "strreplace" => Ok("edit_file"),
        "insert" => Ok("insert_lines"),
        "append" => Err("there is no append; use edit_file to replace the last line with itself and the new lines"),
        "undoedit" => Err("there is no undo_edit; use edit_file to change the text back"),
        _ => Err("there is no such command; use read_file, write_file, edit_file or run_command"),
    })
}

#[cfg(test)]
mod tests;
