//! Skills and what is remembered, as the user sees them.

use super::groups::offered;
use super::harness::Stage;
use super::looks::look;
use agent_protocol::{
    ContextEvent, Event, ListEvent, ListOp, MemoryCard, MemoryScope, Op, SkillCard, ToolGroup, TurnOp,
};

pub(super) fn skills() -> Event {
    let skill = |name: &str, description: &str| SkillCard {
        name: name.into(),
        description: description.into(),
        path: format!("/home/me/.config/agent/skills/{name}/SKILL.md").into(),
    };
    let long = "Fills forms in PDF files, extracts text and tables from them, merges and splits documents, and says \
                which fields a form has";
    Event::List(ListEvent::Skills {
        skills: vec![skill("pdf", long), skill("review\u{1b}[2J", "Reviews a change\u{202e} before it is committed")],
    })
}

/// The groups with the one that has the tool for skills, on or off.
fn agents(on: bool) -> Event {
    let Event::Context(ContextEvent::Offered { by, costs, mut groups }) = offered(&["core", "plan"]) else {
        unreachable!()
    };
    let tools = vec!["save_memory".into(), "skill".into()];
    groups.push(ToolGroup { name: "agent".into(), tools, on, characters: 440, tokens: 100 });
    Event::Context(ContextEvent::Offered { by, costs, groups })
}

fn memory(told: bool) -> Event {
    let global = MemoryCard {
        scope: MemoryScope::Global,
        path: "/home/me/.config/agent/memory.md".into(),
        text: "# Notes for later sessions\n\n- Write short answers.\n- Ask before\u{1b}[2J adding a dependency.".into(),
        left_out: 3,
        told: true,
    };
    let project = MemoryCard {
        scope: MemoryScope::Project,
        path: "/home/me/project/.agent/memory.md".into(),
        text: "- The tests run with `make check`, and need the database that `make up` starts on this machine.".into(),
        left_out: 0,
        told,
    };
    Event::List(ListEvent::Memory { files: vec![global, project] })
}

#[test]
fn a_skill_is_chosen_and_begins_a_message() {
    let mut stage = Stage::new();
    stage.hear(agents(true)).keys("/skills<enter>");
    assert_eq!(stage.ops(), [Op::List(ListOp::Skills)]);
    stage.hear(skills()).keys("<down><down><up><enter>");
    assert!(stage.shows("use the skill pdf:"), "{}", stage.screen());
    stage.keys("fill it<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "use the skill pdf: fill it".into() })]);
}

#[test]
fn without_a_skill_it_is_told_where_they_belong() {
    let mut stage = Stage::new();
    stage.keys("/skills<enter>").hear(Event::List(ListEvent::Skills { skills: Vec::new() }));
    assert!(stage.shows("no skills are installed"), "{}", stage.screen());
}

#[test]
fn whoever_types_at_the_list_begins_a_message() {
    let mut stage = Stage::new();
    stage.keys("/skills<enter>").hear(skills()).keys("hello");
    assert!(!stage.shows("Fills forms") && stage.shows("hello"), "{}", stage.screen());
}

#[test]
fn what_is_remembered_is_asked_for_and_listed() {
    let mut stage = Stage::new();
    stage.keys("/memory<enter>");
    assert_eq!(stage.ops(), [Op::List(ListOp::Memory)]);
    stage.hear(memory(true));
    assert!(stage.shows("/home/me/project/.agent/memory.md") && stage.shows("- Write short answers."));
    stage.keys("<esc>");
    assert!(!stage.shows("Write short answers"));
}

#[test]
fn the_list_of_skills() {
    look("skills", |stage| {
        stage.hear(agents(true)).keys("/skills<enter>").hear(skills());
    });
}

#[test]
fn the_list_of_skills_where_the_model_has_no_tool_for_them() {
    look("skills_off", |stage| {
        stage.hear(agents(false)).keys("/skills<enter>").hear(skills()).keys("<down>");
    });
}

#[test]
fn the_panel_of_what_is_remembered() {
    look("memory", |stage| {
        stage.keys("/memory<enter>").hear(memory(true));
    });
}

#[test]
fn the_panel_of_what_is_remembered_and_not_told() {
    look("memory_not_told", |stage| {
        stage.keys("/memory<enter>").hear(memory(false));
    });
}
