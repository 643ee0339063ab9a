//! Commands in the background: on the status line, in their list, and in a question about one.

use super::harness::{Stage, asks_command, turn};
use agent_protocol::{
    BackgroundCommand, BackgroundId, BackgroundState, CallEvent, CallOp, ContextEvent, Event, Op, PreviewBody,
};

fn job(id: u64, command: &str, state: BackgroundState) -> BackgroundCommand {
    let description = if id == 1 { "Start the server".into() } else { String::new() };
    BackgroundCommand { id: BackgroundId(id), command: command.into(), description, state, since: 0 }
}

fn two(second: BackgroundState) -> Event {
    Event::Call(CallEvent::Jobs {
        jobs: vec![job(1, "npm run dev", BackgroundState::Running), job(2, "cargo watch -x test", second)],
    })
}

pub(super) fn with_jobs() -> Stage {
    let mut stage = Stage::new();
    stage.hear(two(BackgroundState::Running));
    stage
}

#[test]
fn the_status_line_counts_those_that_run_and_only_them() {
    let mut stage = with_jobs();
    assert!(stage.shows("  2 jobs  "));
    stage.hear(two(BackgroundState::Ended { code: Some(1) }));
    assert!(stage.shows("  1 job  "));
    assert!(
        stage.shows("number 2 in the background ended with exit code 1: cargo watch -x test"),
        "{}",
        stage.screen()
    );
    stage.hear(Event::Context(ContextEvent::Cleared));
    assert!(stage.shows("  1 job  "), "a conversation that is forgotten leaves them running");
    stage.hear(Event::Call(CallEvent::Jobs { jobs: vec![job(1, "npm run dev", BackgroundState::Stopped)] }));
    assert!(!stage.shows("job"), "{}", stage.screen());
}

#[test]
fn the_list_shows_how_each_stands_and_its_time_goes_on() {
    let mut stage = with_jobs();
    stage.wait(5_000).hear(two(BackgroundState::Ended { code: Some(101) })).keys("/ps<enter>").wait(60_000);
    stage.resize(80, 24);
    insta::assert_snapshot!("jobs_listed_80x24", stage.part());
}

#[test]
fn one_is_stopped_from_the_list_by_a_key_pressed_twice() {
    let mut stage = with_jobs();
    stage.keys("/ps<enter><up><=s>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("s  again stops it") || stage.shows("s again stops it"), "{}", stage.screen());
    stage.keys("<=s>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::StopJob { job: Some(BackgroundId(1)) })]);
    stage.hear(Event::Call(CallEvent::Jobs { jobs: vec![job(1, "npm run dev", BackgroundState::Stopped)] }));
    assert!(stage.shows("stopped, after 2 s"), "{}", stage.screen());
}

#[test]
fn a_command_stops_all_or_one_and_says_what_is_not_there() {
    let mut stage = with_jobs();
    stage.keys("/stop<enter>/stop 2<enter>");
    assert_eq!(
        stage.ops(),
        [Op::Call(CallOp::StopJob { job: None }), Op::Call(CallOp::StopJob { job: Some(BackgroundId(2)) })]
    );
    stage.keys("/stop 7<enter>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("no command 7 runs in the background; /ps lists them"));
    let mut idle = Stage::new();
    idle.keys("/stop<enter>");
    assert!(idle.shows("nothing runs in the background"));
    idle.keys("/ps<enter>");
    assert!(idle.shows("nothing was started in the background"));
}

/// The question of the harness, for a command that would go on.
fn asks_to_start() -> Event {
    let Event::Call(CallEvent::Asked { mut question }) = asks_command("npm run dev") else { panic!("it asks") };
    question.preview.title = "Start npm run dev (Start the server)".into();
    if let PreviewBody::Command { background, timeout_secs, .. } = &mut question.preview.body {
        (*background, *timeout_secs) = (true, 0);
    }
    Event::Call(CallEvent::Asked { question })
}

#[test]
fn a_question_says_plainly_that_it_goes_on_and_that_undo_does_not_cover_it() {
    let mut stage = Stage::new();
    stage.hear(turn("serve it")).hear(asks_to_start());
    stage.resize(80, 24);
    insta::assert_snapshot!("job_asked_80x24", stage.part());
}
