//! Which of them the model is offered, and what the user is told of the others.

use crate::theirs::house::House;
use agent_protocol::Mode;
use agent_tools::Selection;

/// A file that defines the tool `name`.
fn defines(name: &str) -> String {
    format!("name = \"{name}\"\ndescription = \"lists\"\ncommand = [\"ls\"]\neffect = \"read\"\n")
}

#[test]
fn without_a_folder_there_is_nothing_to_offer_or_to_say() {
    let opened = House::new().trusted().open(Mode::Safe);
    assert_eq!((opened.offered(), opened.notices), (Vec::new(), Vec::new()));
}

#[test]
fn one_bad_file_takes_no_other_away_and_is_told_with_its_line() {
    let opened = House::new()
        .tool("a.toml", "name = \"a\"\nnam = 1\n")
        .tool("b.toml", &defines("listing_b"))
        .tool("c.toml", "name = \n")
        .tool("d.toml", &defines("listing_d").replace("\"ls\"", "\"./beside\""))
        .tool("notes.md", "no tool")
        .open(Mode::Safe);
    assert_eq!(opened.offered(), ["listing_b"]);
    let begins = [
        "/config/tools/a.toml:2:1: there is no `nam`; a definition has name, description, parameters, command, timeout",
        "/config/tools/c.toml:1:",
        "/config/tools/d.toml:1:1: there is no program beside beside this file",
    ];
    assert_eq!(opened.notices.len(), begins.len(), "{:?}", opened.notices);
    for (notice, begin) in opened.notices.iter().zip(begins) {
        assert!(notice.starts_with(begin), "{notice}");
    }
}

#[test]
fn none_is_called_like_a_tool_of_ours_or_like_another() {
    let names =
        ["read_file", "read-file", "cat", "shell", "readfile", "run_comand", "str_replace_editor", "mine", "mine"];
    let house = names
        .iter()
        .enumerate()
        .fold(House::new(), |house, (number, name)| house.tool(&format!("{number}.toml"), &defines(name)));
    let opened = house.open(Mode::Safe);
    assert_eq!(opened.offered(), ["mine"]);
    assert_eq!(
        opened.notices,
        [
            "/config/tools/0.toml: read_file is a built-in tool, and none takes its place; choose another name",
            "/config/tools/1.toml: a call of read-file is read as the built-in read_file; choose a name that is not so near to it",
            "/config/tools/2.toml: a call of cat is read as the built-in read_many_files; choose a name that is not so near to \
             it",
            "/config/tools/3.toml: a call of shell is read as the built-in run_command; choose a name that is not so near to it",
            "/config/tools/4.toml: a call of readfile is read as the built-in read_file; choose a name that is not so near to it",
            "/config/tools/5.toml: a call of run_comand is read as the built-in run_command; choose a name that is not so near \
             to it",
            "/config/tools/6.toml: a call of str_replace_editor is read as one of several built-in tools; choose another name",
            "/config/tools/8.toml: there is a tool mine already; choose another name",
        ]
    );
}

#[test]
fn a_project_s_tools_come_with_trust_alone_and_after_the_person_s() {
    let house = House::new()
        .tool("a.toml", &defines("listing"))
        .file(".agent/tools/a.toml", &defines("listing"))
        .file(".agent/tools/b.toml", &defines("listing_of_project"));
    let opened = house.open(Mode::Safe);
    assert_eq!(opened.offered(), ["listing"]);
    assert_eq!(
        opened.notices,
        [
            "the tools in .agent/tools are not offered, as this folder is not trusted yet; once it is, they come with the next \
          start"
        ]
    );
    let opened = house.trusted().open(Mode::Safe);
    assert_eq!(opened.offered(), ["listing", "listing_of_project"]);
    assert_eq!(opened.notices, ["/project/.agent/tools/a.toml: there is a tool listing already; choose another name"]);
}

#[test]
fn a_selection_leaves_them_out_like_ours() {
    let house = House::new().tool("a.toml", &defines("listing_a")).tool("b.toml", &defines("listing_b"));
    let selection = Selection { exclude: vec!["*_b".into()], ..Selection::default() };
    assert_eq!(house.open_with(Mode::Safe, &[selection]).offered(), ["listing_a"]);
    let selection = Selection { groups: vec!["core".into()], ..Selection::default() };
    assert!(house.open_with(Mode::Safe, &[selection]).offered().is_empty());
}

#[test]
fn a_program_that_says_nothing_of_itself_is_told_and_none_changes_anything_when_asked() {
    let opened = House::new()
        .program("curious", "#!/bin/sh\necho there > \"$0.trace\" || exit 3\n")
        .program("talker", "#!/bin/sh\necho usage: talker\n")
        .program("wrong", "#!/bin/sh\necho '{\"name\": \"wrong\", \"description\": 3}'\n")
        .open(Mode::Safe);
    assert!(opened.offered().is_empty());
    let begins = [
        "/config/tools/curious: does not print its definition when started with --describe",
        "/config/tools/talker: what it prints with --describe: is not JSON",
        "/config/tools/wrong: what it prints with --describe: description: must be text",
    ];
    assert_eq!(opened.notices.len(), begins.len(), "{:?}", opened.notices);
    for (notice, begin) in opened.notices.iter().zip(begins) {
        assert!(notice.starts_with(begin), "{notice}");
    }
}

/// The block of `docs/OWN_TOOLS.md` that is marked as `kind` and holds `word`.
fn example(kind: &str, word: &str) -> String {
    let page = include_str!("../../../../docs/OWN_TOOLS.md");
    let blocks = page.split("```").filter_map(|block| block.strip_prefix(kind)?.strip_prefix('\n'));
    blocks.filter(|block| block.contains(word)).map(str::to_owned).next().expect("the page has such an example")
}

#[test]
fn the_examples_of_the_page_are_tools() {
    let house = House::new();
    let house = house.tool("count_marks.toml", &example("toml", "command ="));
    let opened = house.program("take_note", &example("sh", "--describe")).open(Mode::Safe);
    assert_eq!((opened.offered(), opened.notices), (vec!["count_marks".into(), "take_note".into()], Vec::new()));
}
