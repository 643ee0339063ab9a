//! Which tools the model may have, as the user or the project says: by name, by other agents' names, by pattern.
//!
//! What cannot be kept is never taken for less than it says: a tool limited to some commands is left out whole.

use crate::arguments::{Form, Group};
use crate::names::{Meant, meant};
use globset::{GlobBuilder, GlobMatcher};
use std::path::Path;

/// What one layer of settings says about tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only these; empty: all.
    pub core: Vec<String>,
    /// Not these.
    pub exclude: Vec<String>,
    /// Only tools of these groups; `auto` stands for those that the project shows signs of. Empty: not said.
    pub groups: Vec<String>,
}

/// The groups that are on where nobody says anything: what the user set up themself is meant.
pub(crate) const USUAL: [Group; 4] = [Group::Core, Group::Plan, Group::User, Group::Mcp];

/// All that a group can be called, `auto` and `all` at the end.
pub fn group_names() -> Vec<&'static str> {
    Group::ALL.iter().map(|group| group.name()).chain(["auto", "all"]).collect()
}

/// The groups that are on at the start: those of the first selection, as far as the others leave them.
pub(crate) fn groups(selections: &[Selection], root: &Path, notices: &mut Vec<String>) -> Vec<Group> {
    let mut on = USUAL.to_vec();
    for (at, selection) in selections.iter().enumerate() {
        let said: Vec<Group> = selection.groups.iter().flat_map(|word| group(word, root, notices)).collect();
        match (at, selection.groups.is_empty(), selection.core.is_empty()) {
            (0, false, _) => on = said,
            // Whatever is named is meant.
            (0, true, false) => on = Group::ALL.to_vec(),
            (_, false, _) => on.retain(|group| said.contains(group)),
            (0, true, true) | (_, true, _) => {}
        }
    }
    Group::ALL.into_iter().filter(|group| on.contains(group)).collect()
}

fn group(word: &str, root: &Path, notices: &mut Vec<String>) -> Vec<Group> {
    let word = word.trim().to_lowercase();
    match word.as_str() {
        "all" => Group::ALL.to_vec(),
        "auto" => signs(root),
        _ => match Group::ALL.into_iter().find(|group| group.name() == word) {
            Some(group) => vec![group],
            None => {
                let all: Vec<&str> = Group::ALL.iter().map(|group| group.name()).collect();
                notices.push(format!(
                    "tools.groups holds {word:?}, which is no group; there are {}, auto and all",
                    all.join(", ")
                ));
                Vec::new()
            }
        },
    }
}

/// Files that show what a project is made of.
const MADE_OF: [&str; 10] = [
    "Cargo.toml",
    "package.json",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "Makefile",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
];

/// The usual groups, and those that what lies in the project calls for.
fn signs(root: &Path) -> Vec<Group> {
    let mut groups = USUAL.to_vec();
    if root.join(".git").exists() {
        groups.push(Group::Git);
    }
    if MADE_OF.iter().any(|name| root.join(name).exists()) {
        groups.extend([Group::Dev, Group::Code]);
    }
    groups
}

/// What a selection leaves of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Stays,
    /// Others are named, and it is not.
    Unnamed,
    /// It is not to be had, by no way.
    Excluded,
}

/// What is left of `forms`, in their order. Words that mean no tool, or more than can be kept, give notices.
pub(crate) fn left(selection: &Selection, forms: &[&'static Form], notices: &mut Vec<String>) -> Vec<Left> {
    let mut left = vec![if selection.core.is_empty() { Left::Stays } else { Left::Unnamed }; forms.len()];
    for word in &selection.core {
        match read(word, forms) {
            Wish::Tools(named) => {
                named.iter().flat_map(|at| offered_for(*at, forms)).for_each(|at| left[at] = Left::Stays);
            }
            Wish::Limited(at) => notices.push(format!(
                "tools.core holds {word:?}: limits in parentheses are not supported, so {0} stays off; write {0:?} to \
                 have it whole",
                forms[at].tool
            )),
            Wish::Nothing { near } => notices.push(no_tool("tools.core", word, near.map(|at| forms[at].tool))),
        }
    }
    for word in &selection.exclude {
        match read(word, forms) {
            Wish::Tools(named) => named.iter().for_each(|at| left[*at] = Left::Excluded),
            Wish::Limited(at) => {
                left[at] = Left::Excluded;
                notices.push(format!(
                    "tools.exclude holds {word:?}: limits in parentheses are not supported, so {} is off altogether",
                    forms[at].tool
                ));
            }
            Wish::Nothing { near } => notices.push(no_tool("tools.exclude", word, near.map(|at| forms[at].tool))),
        }
    }
    left
}

/// The tool itself; for one of which no model is told, those that do its work.
fn offered_for(at: usize, forms: &[&'static Form]) -> Vec<usize> {
    if !forms[at].unoffered {
        return vec![at];
    }
    (0..forms.len()).filter(|other| forms[at].stands_for.contains(&forms[*other].tool)).collect()
}

/// What one word of a list means.
enum Wish {
    Tools(Vec<usize>),
    /// `run_command(git *)`: the tool, in some cases only.
    Limited(usize),
    Nothing {
        near: Option<usize>,
    },
}

fn read(word: &str, forms: &[&'static Form]) -> Wish {
    let word = word.trim();
    if let Some((name, _)) = word.split_once('(')
        && !word.ends_with("()")
    {
        return match named(name, forms) {
            Ok(at) => Wish::Limited(at),
            Err(near) => Wish::Nothing { near },
        };
    }
    if let Some(pattern) = pattern(word) {
        let found: Vec<usize> = (0..forms.len()).filter(|at| pattern.is_match(forms[*at].tool)).collect();
        return if found.is_empty() { Wish::Nothing { near: None } } else { Wish::Tools(found) };
    }
    match named(word, forms) {
        Ok(at) => Wish::Tools(vec![at]),
        Err(near) => Wish::Nothing { near },
    }
}

/// The tool of this name; else the nearest.
fn named(name: &str, forms: &[&'static Form]) -> Result<usize, Option<usize>> {
    match meant(forms, name) {
        Meant::Exactly(at) | Meant::Read(at) => Ok(at),
        Meant::None { near } => Err(near),
    }
}

fn pattern(word: &str) -> Option<GlobMatcher> {
    if !word.contains(['*', '?', '[', '{']) {
        return None;
    }
    Some(GlobBuilder::new(&word.to_lowercase()).build().ok()?.compile_matcher())
}

fn no_tool(list: &str, word: &str, near: Option<&str>) -> String {
    let near = near.map_or(String::new(), |name| format!("; did you mean {name:?}?"));
    format!("{list} holds {word:?}, which is no tool{near}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ground, Toolbox};
    use agent_protocol::{FailureKind, ModelCall};
    use serde_json::json;
    use std::path::PathBuf;

    fn selection(core: &[&str], exclude: &[&str]) -> Selection {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Selection { core: owned(core), exclude: owned(exclude), groups: Vec::new() }
    }

    fn ground() -> Ground {
        Ground::of_this_process(PathBuf::from("/p")).unwrap()
    }

    fn with(selections: &[Selection]) -> (Vec<String>, Vec<String>) {
        let (toolbox, notices) = Toolbox::with(ground(), selections);
        (toolbox.specs().into_iter().map(|spec| spec.name).collect(), notices)
    }

    #[test]
    fn tools_are_left_by_name_alias_and_pattern() {
        let specs = Toolbox::new(PathBuf::from("/p")).specs();
        let all: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        for (core, exclude, left) in [
            (vec![], vec![], all.clone()),
            (vec!["read_file", "edit", "run_shell_command"], vec![], vec!["read_file", "edit_file", "run_command"]),
            (vec!["*_file"], vec![], vec!["read_file", "write_file", "edit_file"]),
            (vec!["find", "cat"], vec![], vec!["grep_search", "read_many_files"]),
            (vec!["*_file"], vec!["Write"], vec!["read_file", "edit_file"]),
            (vec!["{run,grep,glob,list}_*", "*_file"], vec!["{grep,glob}_*", "*_file", "ls"], vec!["run_command"]),
        ] {
            let left: Vec<String> = left.into_iter().map(Into::into).collect();
            assert_eq!(with(&[selection(&core, &exclude)]), (left, Vec::new()), "{core:?} {exclude:?}");
        }
    }

    #[test]
    fn groups_are_on_as_they_are_named_and_a_second_selection_only_narrows() {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let of = |groups: &[&str]| Selection { groups: words(groups), ..Selection::default() };
        let on = |selections: &[Selection]| {
            let mut notices = Vec::new();
            let on = groups(selections, folder.path(), &mut notices);
            (on.into_iter().map(Group::name).collect::<Vec<_>>().join(" "), notices.len())
        };
        for (selections, names) in [
            (vec![Selection::default()], "core plan user mcp"),
            (vec![of(&["git", "core"])], "core git"),
            (vec![of(&["auto"])], "core plan git user mcp"),
            (vec![of(&["all"]), of(&["git"])], "git"),
            (vec![Selection::default(), of(&["all"])], "core plan user mcp"),
            (vec![Selection::default(), selection(&["*"], &[])], "core plan user mcp"),
            (vec![selection(&["git_status"], &[])], "core plan git dev code batch web agent user mcp"),
        ] {
            assert_eq!(on(&selections), (names.to_owned(), 0), "{selections:?}");
        }
        assert_eq!(on(&[of(&["core", "magic"])]), ("core".to_owned(), 1));
    }

    #[test]
    fn a_second_selection_only_narrows() {
        let both = [selection(&["read_file", "ls"], &[]), selection(&["*"], &["Read"])];
        assert_eq!(with(&both).0, ["list_directory"]);
        let apart = [selection(&["read_file"], &[]), selection(&["run_command"], &[])];
        let (left, notices) = with(&apart);
        assert_eq!(left, Vec::<String>::new());
        assert_eq!(notices, ["tools.core and tools.exclude leave no tool; the model can only talk"]);
    }

    #[test]
    fn words_that_mean_no_tool_are_said_with_the_nearest() {
        let (left, notices) = with(&[selection(&["read_file", "reed_fiel"], &["sing_a_song", "*_magic"])]);
        assert_eq!(left, ["read_file"]);
        assert_eq!(
            notices,
            [
                "tools.core holds \"reed_fiel\", which is no tool; did you mean \"read_file\"?",
                "tools.exclude holds \"sing_a_song\", which is no tool",
                "tools.exclude holds \"*_magic\", which is no tool",
            ]
        );
    }

    #[test]
    fn a_tool_limited_to_some_commands_is_left_out_whole() {
        let (left, notices) = with(&[selection(&["read_file", "run_shell_command(git *)"], &[])]);
        assert_eq!((left, notices.len()), (vec!["read_file".to_owned()], 1));
        assert!(
            notices[0].ends_with("run_command stays off; write \"run_command\" to have it whole"),
            "{}",
            notices[0]
        );
        let (left, notices) = with(&[selection(&[], &["run_command(rm)"])]);
        assert!(!left.contains(&"run_command".to_owned()));
        assert!(notices[0].ends_with("so run_command is off altogether"), "{}", notices[0]);
    }

    #[test]
    fn where_nobody_is_there_what_only_a_person_can_is_not_offered_and_a_call_of_it_is_told_what_to_do_instead() {
        let all = Selection { groups: vec!["all".into()], ..Selection::default() };
        let (mut toolbox, _) = Toolbox::with(ground(), std::slice::from_ref(&all));
        let names = |toolbox: &Toolbox| toolbox.specs().into_iter().map(|spec| spec.name).collect::<Vec<_>>();
        let before = names(&toolbox);
        toolbox.alone();
        let after = names(&toolbox);
        let gone: Vec<&String> = before.iter().filter(|name| !after.contains(name)).collect();
        assert_eq!(gone, ["exit_plan_mode", "ask_user", "save_memory"]);
        let in_groups = toolbox.groups().into_iter().flat_map(|group| group.specs);
        assert!(in_groups.map(|spec| spec.name).all(|name| after.contains(&name)), "nor can it be turned on");
        let call = |name: &str| ModelCall { server_id: None, index: None, name: name.into(), arguments: json!({}) };
        for name in ["exit_plan_mode", "ask_user", "ExitPlanMode", "save_memory"] {
            let message = toolbox.reach(&call(name)).unwrap_err().message;
            assert!(message.contains(": nobody is here to "), "{message}");
        }
    }

    #[test]
    fn what_does_the_work_of_offered_tools_is_answered_unless_one_of_them_or_it_is_off() {
        let patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch\n";
        let edits = json!([{"old": "a", "new": "b"}, {"old": "c", "new": "d"}]);
        let calls = [
            ("apply_patch", json!({"input": patch})),
            ("run_command", json!({"command": ["apply_patch", patch]})),
            ("multi_edit", json!({"operations": [{"file": "a", "old": "b", "new": "c"}]})),
            ("edit_file", json!({"file_path": "a", "edits": edits})),
            ("read_many_files", json!({"paths": ["a", "b"]})),
            ("read_file", json!({"file_path": ["a", "b"]})),
        ];
        for (core, exclude, answered) in [
            (vec![], vec![], [true; 6]),
            (vec!["read_file", "edit_file", "run_command"], vec![], [false, false, true, true, true, true]),
            (vec!["apply_patch"], vec![], [true, false, true, true, false, false]),
            (vec![], vec!["edit_file"], [false, false, false, false, true, true]),
            (vec![], vec!["apply_patch"], [false, false, true, true, true, true]),
            (vec![], vec!["multi_edit", "read_many_files"], [true, true, false, false, false, false]),
        ] {
            let (toolbox, notices) = Toolbox::with(ground(), &[selection(&core, &exclude)]);
            toolbox.offer(&["core".to_owned()]);
            assert_eq!(notices, Vec::<String>::new());
            let reaches = |(name, arguments): &(&str, serde_json::Value)| {
                let call =
                    ModelCall { server_id: None, index: None, name: (*name).into(), arguments: arguments.clone() };
                toolbox.reach(&call).is_ok()
            };
            assert_eq!(calls.each_ref().map(reaches), answered, "{core:?} {exclude:?}");
        }
    }

    #[test]
    fn a_tool_that_is_off_cannot_be_called_by_any_name() {
        let (toolbox, _) = Toolbox::with(ground(), &[selection(&["run_command", "read_file"], &["bash"])]);
        for name in ["run_command", "Bash", "functions.run_command", "run_comand"] {
            let call =
                ModelCall { server_id: None, index: None, name: name.into(), arguments: json!({"command": "ls"}) };
            let failure = toolbox.reach(&call).unwrap_err();
            assert_eq!(failure.kind, FailureKind::UnknownTool, "{name}");
            assert!(
                failure.message.ends_with("run_command is switched off here; the tools are read_file"),
                "{}",
                failure.message
            );
        }
        let call = |command: &str| ModelCall {
            server_id: None,
            index: None,
            name: "str_replace_editor".into(),
            arguments: json!({"command": command, "path": "a", "file_text": "b"}),
        };
        assert!(toolbox.reach(&call("view")).is_ok());
        assert_eq!(toolbox.reach(&call("create")).unwrap_err().kind, FailureKind::UnknownTool);
    }
}
