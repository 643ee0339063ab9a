//! The choice of what the model is offered.

use super::harness::{Stage, turn};
use super::looks::look;
use agent_protocol::{CallOp, ContextEvent, Event, ModelCard, Op, ServerEvent, ToolCost, ToolGroup, ToolsBy};

fn cost(tool: &str) -> u64 {
    20 + 7 * tool.len() as u64
}

fn group(name: &str, tools: &[&str], on: bool, characters: u64) -> ToolGroup {
    let tools: Vec<String> = tools.iter().map(|tool| (*tool).to_owned()).collect();
    let tokens = tools.iter().map(|tool| cost(tool)).sum();
    ToolGroup { name: name.into(), tools, on, characters, tokens }
}

pub(super) fn offered(on: &[&str]) -> Event {
    let is_on = |name: &str| on.contains(&name);
    let groups = vec![
        group(
            "core",
            &["read_file", "write_file", "edit_file", "list_directory", "glob_files", "grep_search", "run_command"],
            is_on("core"),
            2_870,
        ),
        group("plan", &["todo_write", "exit_plan_mode", "ask_user"], is_on("plan"), 890),
        group("git", &["git_operation", "git_status", "git_diff", "pwd"], is_on("git"), 690),
        group(
            "dev",
            &["python_dev", "nodejs_dev", "golang_dev", "test_runner", "format_code", "lint_code"],
            is_on("dev"),
            2_390,
        ),
        group("web\u{1b}[2J", &["web_fetch\u{202e}", "web_search"], is_on("web"), 480),
    ];
    let tools = groups.iter().filter(|group| group.on).flat_map(|group| &group.tools);
    let costs = tools.map(|name| ToolCost { name: name.clone(), tokens: cost(name) }).collect();
    Event::Context(ContextEvent::Offered { by: ToolsBy::Server, costs, groups })
}

fn set(groups: &[&str]) -> Op {
    Op::Call(CallOp::SetGroups { groups: groups.iter().map(|group| (*group).to_owned()).collect() })
}

#[test]
fn a_group_is_turned_on_and_off_at_once() {
    let mut stage = Stage::new();
    stage.hear(offered(&["core", "plan"])).keys("/tools<enter>").keys("<down><down><space>").wait(400);
    assert_eq!(stage.ops(), [set(&["core", "plan", "git"])]);
    assert!(stage.shows("› [ ] git"), "what holds is what the house says: {}", stage.screen());
    stage.hear(offered(&["core", "plan", "git"]));
    assert!(stage.shows("› [x] git") && stage.shows("Space turn off"), "{}", stage.screen());
    stage.keys("<up><enter>");
    assert_eq!(stage.ops(), [set(&["core", "git"])]);
    stage.keys("<esc>");
    assert!(!stage.shows("[x]"));
}

#[test]
fn nothing_is_turned_on_in_the_middle_of_a_turn() {
    let mut stage = Stage::new();
    stage.hear(offered(&["core"])).hear(turn("go")).keys("/tools<enter>").keys("<down><space>").wait(400);
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("tools are chosen between turns"), "{}", stage.screen());
}

#[test]
fn every_group_says_what_it_costs_and_those_that_are_on_say_it_of_each_tool() {
    let mut stage = Stage::new();
    stage.hear(offered(&["core", "plan"])).keys("/tools<enter>");
    let shown = stage.screen();
    for told in [
        "› [x] core     7 tools  ≈ 658 tokens  2,870 characters",
        "[ ] git      4 tools  ≈ 318 tokens    690 characters",
        "git_operation, git_status, git_diff, pwd",
        "write_file       ≈ 90",
        "in every prompt: 10 tools, ≈ 942 tokens, 3,760 characters, 5 % of the window",
        "the server reads all of it again",
    ] {
        assert!(shown.contains(told), "{told}\n{shown}");
    }
}

#[test]
fn whoever_types_at_the_groups_begins_a_message() {
    let mut stage = Stage::new();
    stage.hear(offered(&["core"])).keys("/tools<enter>").keys("why?");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "why?".into()));
    stage.keys("<c-u>/tools<enter>").paste("pasted");
    assert_eq!(stage.app.composer.text(), "pasted");
}

#[test]
fn without_groups_or_a_model_that_calls_tools_the_panel_tells_what_there_is() {
    let mut stage = Stage::new();
    stage
        .hear(Event::Context(ContextEvent::Offered { by: ToolsBy::Server, costs: Vec::new(), groups: Vec::new() }))
        .keys("/tools<enter>");
    assert!(stage.shows("read_file") && !stage.shows("[x]"), "{}", stage.screen());
    stage.keys("<esc>").hear(offered(&["core"]));
    let card = ModelCard { tools: Some(false), ..super::harness::model("gemma3:12b") };
    stage.hear(Event::Server(ServerEvent::ModelSet { card, window: 16_384 })).keys("/tools<enter>");
    assert!(stage.shows("this model cannot call tools"), "{}", stage.screen());
}

#[test]
fn the_status_counts_the_tools_that_are_on() {
    let mut stage = Stage::new();
    stage.hear(offered(&["plan", "git"])).keys("/status<enter>");
    assert!(stage.shows("7; /tools lists them"), "{}", stage.screen());
}

#[test]
fn the_groups_of_tools() {
    look("groups", |stage| {
        stage.hear(offered(&["core", "plan"])).keys("/tools<enter>");
    });
}

#[test]
fn the_groups_of_tools_further_down() {
    look("groups_down", |stage| {
        stage.hear(offered(&["core", "plan", "web"])).keys("/tools<enter>").keys("<end><down><down>");
    });
}

/// As many groups as there can be, and names of tools from servers that nobody chose for a small screen.
fn offered_with_long_names(on: &[&str]) -> Event {
    let Event::Context(ContextEvent::Offered { by, mut costs, mut groups }) = offered(on) else {
        unreachable!("what is offered")
    };
    let names = ["context7_resolve_library_identifier", "context7_get_library_documentation", "fetch_数据库_schema"];
    let tools = group("documentation-servers-of-the-house", &names, on.contains(&"docs"), 12_480);
    if tools.on {
        costs.extend(names.map(|name| ToolCost { name: name.into(), tokens: cost(name) }));
    }
    groups.push(tools);
    Event::Context(ContextEvent::Offered { by, costs, groups })
}

#[test]
fn six_groups_of_tools_with_long_names() {
    look("groups_long", |stage| {
        stage.hear(offered_with_long_names(&["core", "docs"])).keys("/tools<enter>").keys("<end>");
    });
    look("groups_long_off", |stage| {
        stage.hear(offered_with_long_names(&["core"])).keys("/tools<enter>").keys("<end>");
    });
}

#[test]
fn no_group_of_tools() {
    look("groups_none", |stage| {
        stage.hear(offered(&[])).keys("/tools<enter>");
    });
}
