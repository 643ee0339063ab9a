//! A loop that says what a test lists: some events at the start, and others when it is asked for something.

pub(crate) use crate::printing::up;

use crate::printing::streams;
use agent_headless::{End, Learned, Streams};
use agent_protocol::{
    Event, LoadedModel, Mode, ModelCard, ModelProfile, ModelsReason, Op, SandboxKind, SandboxSupport, ServerCard,
    ServerError, ServerEvent, ServerOp, ServerProgram, ServerState, SessionEvent,
};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What a test plays: the events at the start, and what follows each wish.
pub(crate) type Answers = Vec<(Op, Vec<Event>)>;

/// What was printed, and what was asked for.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) end: End,
    pub(crate) out: String,
    pub(crate) progress: String,
    pub(crate) ops: Vec<Op>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum On {
    Terminal,
    Pipe,
}

type Running<'a> = Pin<Box<dyn Future<Output = io::Result<End>> + 'a>>;

/// Plays the loop to a face. A wish that is not listed is heard and not answered.
pub(crate) async fn play<F>(on: On, start: Vec<Event>, answers: Answers, face: F) -> Printed
where
    F: for<'a> FnOnce(UnboundedSender<Op>, UnboundedReceiver<Event>, &'a mut Streams<'_>) -> Running<'a>,
{
    let (ops, mut wishes) = unbounded_channel();
    let (facts, events) = unbounded_channel();
    start.into_iter().for_each(|event| facts.send(event).unwrap());
    let playing = tokio::spawn(async move {
        let (mut answers, mut heard) = (answers.into_iter(), Vec::new());
        let mut next = answers.next();
        while let Some(op) = wishes.recv().await {
            if next.as_ref().is_some_and(|(wish, _)| *wish == op) {
                let (_, events) = next.take().unwrap();
                // A face that has left wants nothing any more.
                events.into_iter().for_each(|event| drop(facts.send(event)));
                next = answers.next();
            }
            heard.push(op);
        }
        heard
    });
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let terminal = on == On::Terminal;
    let mut streams = streams(&mut out, &mut progress, terminal);
    let end = face(ops, events, &mut streams).await.unwrap();
    let ops = playing.await.unwrap();
    Printed { end, out: String::from_utf8(out).unwrap(), progress: String::from_utf8(progress).unwrap(), ops }
}

pub(crate) fn opened() -> Event {
    Event::Session(SessionEvent::Opened {
        project: "/p".into(),
        host: "http://127.0.0.1:11434".into(),
        mode: Mode::Safe,
        tools: Vec::new(),
        sandbox: SandboxSupport {
            apart: true,
            kind: SandboxKind::Kernel,
            words: "Landlock and seccomp".into(),
            details: vec!["reads are not held".into()],
        },
        exposed: false,
    })
}

/// The server answers, and these are its models; none is chosen.
pub(crate) fn with_models(models: Vec<ModelCard>) -> Vec<Event> {
    vec![opened(), up(), Event::Server(ServerEvent::Models { models, reason: ModelsReason::NoneChosen })]
}

pub(crate) fn down() -> Event {
    Event::Server(ServerEvent::Server { state: ServerState::Down { trouble: nobody_answers(), can_start: true } })
}

pub(crate) fn nobody_answers() -> ServerError {
    let program = Some(Box::new(ServerProgram { start: "ollama serve".into(), home: "ollama.com".into() }));
    ServerError::Unreachable { host: "http://127.0.0.1:11434".into(), why: "connection refused".into(), program }
}

/// A server answers that manages its models itself.
pub(crate) fn only_talks() -> Event {
    let card = ServerCard { version: "1".into(), product: "some server".into(), ..ServerCard::default() };
    Event::Server(ServerEvent::Server { state: ServerState::Up(card) })
}

pub(crate) fn coder() -> ModelCard {
    ModelCard {
        name: "qwen3-coder:30b".into(),
        size_bytes: Some(18_556_700_761),
        context_length: Some(262_144),
        parameter_size: Some("30.5B".into()),
        quantization: Some("Q4_K_M".into()),
        family: Some("qwen3moe".into()),
        tools: Some(true),
        thinking: Some(false),
        vision: None,
        digest: Some("06c1097efce0431c2045fe7b2e5108366e43bee1b4603a7aded8f21689e90bca".into()),
        own_window: Some(65_536),
        own_options: serde_json::Map::new(),
        remote_host: None,
    }
}

pub(crate) fn tiny() -> ModelCard {
    ModelCard { name: "tiny:latest".into(), thinking: Some(true), ..ModelCard::default() }
}

/// The coder, mostly on the card.
pub(crate) fn coder_loaded() -> LoadedModel {
    LoadedModel {
        name: "qwen3-coder:30b".into(),
        digest: coder().digest,
        size_bytes: Some(21_300_000_000),
        vram_bytes: Some(17_000_000_000),
        context_length: Some(32_768),
        ..LoadedModel::default()
    }
}

pub(crate) fn loaded(models: Vec<LoadedModel>) -> (Op, Vec<Event>) {
    (Op::Server(ServerOp::Loaded), vec![Event::Server(ServerEvent::Loaded { models, trouble: None })])
}

/// The answer to a wish to know of `name`.
pub(crate) fn described(name: &str, card: Option<ModelCard>, loaded: Option<LoadedModel>) -> (Op, Vec<Event>) {
    let trouble = card.is_none().then(|| ServerError::ModelMissing { model: name.into() });
    let event = Event::Server(ServerEvent::ModelDescribed { name: name.into(), card, trouble, loaded });
    (Op::Server(ServerOp::DescribeModel { name: name.into() }), vec![event])
}

/// The answer to a wish to know of `name`, where the server fails at it.
pub(crate) fn untold(name: &str) -> (Op, Vec<Event>) {
    let trouble = Some(ServerError::Refused { status: 500, message: "disk I/O error".into() });
    let event = Event::Server(ServerEvent::ModelDescribed { name: name.into(), card: None, trouble, loaded: None });
    (Op::Server(ServerOp::DescribeModel { name: name.into() }), vec![event])
}

/// These are known of models.
pub(crate) fn known(profiles: &[ModelProfile]) -> Learned {
    let profiles = profiles.to_vec();
    Arc::new(move || profiles.clone())
}

/// What follows the line that begins with `name`, on one line.
pub(crate) fn json(printed: &Printed) -> serde_json::Value {
    assert_eq!(printed.out.lines().count(), 1, "one object: {}", printed.out);
    serde_json::from_str(&printed.out).unwrap()
}
