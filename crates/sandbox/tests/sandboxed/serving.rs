//! A program that is talked to over its streams, and one that reads what it is given.

use crate::ground::{Ground, LONG};
use agent_protocol::Profile::Project;
use agent_sandbox::{Shell, serve};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

#[tokio::test]
async fn a_command_reads_what_it_is_given_and_then_the_end() {
    let ground = Ground::new();
    let text = "one\ntwo".repeat(20_000);
    let shell = Shell { input: Some(text.clone()), ..ground.shell("wc -c; cat") };
    let ended = agent_sandbox::run(&shell, &ground.sandbox(Project, LONG), &ground.around, |_| ()).await.unwrap();
    assert_eq!(ended.output.head.lines().next().map(str::trim), Some(text.len().to_string().as_str()));
}

#[tokio::test]
async fn a_server_answers_as_often_as_it_is_asked() {
    let ground = Ground::new();
    let shell = ground.shell("echo ready >&2; while read line; do echo \"you said $line\"; done; echo over");
    let mut serving = serve(&shell, &ground.sandbox(Project, LONG), &ground.around).unwrap();
    let mut said = BufReader::new(serving.output).lines();
    for word in ["a", "b"] {
        serving.input.write_all(format!("{word}\n").as_bytes()).await.unwrap();
        assert_eq!(said.next_line().await.unwrap().unwrap(), format!("you said {word}"));
    }
    drop(serving.input);
    assert_eq!(said.next_line().await.unwrap().unwrap(), "over");
    serving.family.finished().await;
    let mut errors = String::new();
    serving.errors.read_to_string(&mut errors).await.unwrap();
    assert_eq!(errors, "ready\n");
}

#[tokio::test]
async fn nothing_is_left_of_a_server_that_nobody_has_served_any_more() {
    let ground = Ground::new();
    let shell = ground.shell("sleep 300 & echo begun; cat");
    let mut serving = serve(&shell, &ground.sandbox(Project, LONG), &ground.around).unwrap();
    let mut said = BufReader::new(&mut serving.output).lines();
    assert_eq!(said.next_line().await.unwrap().unwrap(), "begun");
    assert!(!ground.survivors().is_empty());
    drop(serving);
    assert_eq!(ground.survivors(), Vec::<String>::new());
}
