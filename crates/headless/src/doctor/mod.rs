//! `agent doctor`: says with what this program works, and examines the model. Everything that can be said is said, also
//! where no server answers.

mod page;

use crate::advice::{advice, no_model, untold, way_to_start};
use crate::asking::{Asking, Known, Stop, object, stopped};
use crate::models::{Learned, loaded_as_json, profile_of};
use crate::{End, Form, Streams};
use agent_protocol::{
    Event, LoadedModel, ModelCard, ModelProfile, ModelsReason, Op, ProbeFinding, ProbeVerdict, ServerError,
    ServerEvent, ServerOp, ServerState, TurnEndReason, TurnEvent, Usage,
};
use page::Page;
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// What this front end is given by the binary.
#[derive(Clone)]
pub struct Checkup {
    /// The version of this program.
    pub version: String,
    /// Every address this program ever talks to.
    pub contacts: Vec<Contact>,
    /// The files of settings that were read.
    pub config_files: Vec<PathBuf>,
    /// Where things are kept between sessions.
    pub state_folder: PathBuf,
    /// What the sandbox keeps for package managers; `None`: nothing.
    pub caches: Option<CacheCard>,
    pub model: Option<String>,
    /// What was learned of models.
    pub known: Learned,
    /// Whether the model is examined.
    pub probes: Probes,
    pub form: Form,
}

/// The caches of sandboxed commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheCard {
    pub folder: PathBuf,
    pub here: u64,
    pub all: u64,
    /// Bytes that all may take.
    pub most: u64,
}

/// An address this program talks to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    pub address: String,
    /// What is there: `the model server`.
    pub what: String,
}

/// Whether the model is examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probes {
    /// It is, with a few short requests. It must be the model of the session.
    Ask,
    /// It is only looked at; the session has no model.
    Leave,
}

/// Looks at everything, prints it, and says how it ended.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub async fn doctor(
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    checkup: Checkup,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut asking = Asking::begin(ops, events)?;
    let mut report = Report::new(&checkup);
    let mut page = Page::new(checkup.form);
    let result = look(&checkup, &mut asking, &mut report, &mut page, streams).await;
    page.no_question(streams)?;
    match finish(result, &checkup, &asking, &mut report, &mut page, streams) {
        Ok(end) => Ok(end),
        Err(stop) => stopped(stop, checkup.form, streams),
    }
}

/// Fills the report, and prints what is known on the way.
async fn look(
    checkup: &Checkup,
    asking: &mut Asking,
    report: &mut Report,
    page: &mut Page,
    streams: &mut Streams<'_>,
) -> Result<(), Stop> {
    while asking.known.session.sandbox.is_none() {
        asking.next().await?;
    }
    page.program(checkup, &asking.known, streams)?;
    asking.up().await?;
    page.server(&asking.known, streams)?;
    let found = find_model(checkup, asking, report).await?;
    page.installed(report.installed, streams)?;
    match found {
        Ok(card) => {
            page.model(&card, streams)?;
            report.card = Some(card);
            if checkup.probes == Probes::Ask {
                examine(asking, report, page, streams).await?;
            }
        }
        Err((end, why)) => (report.end, report.error) = (end, Some(why)),
    }
    report.in_memory = asking.loaded().await?;
    Ok(())
}

/// The chosen model, or why there is none.
async fn find_model(
    checkup: &Checkup,
    asking: &mut Asking,
    report: &mut Report,
) -> Result<Result<ModelCard, (End, String)>, Stop> {
    let set_or_listed = asking.until(|event| match event {
        Event::Server(ServerEvent::ModelSet { card, .. }) => Some(Ok(card)),
        Event::Server(ServerEvent::Models { models, reason }) => Some(Err((models, reason))),
        _ => None,
    });
    match set_or_listed.await? {
        Ok(card) => {
            asking.send(Op::Server(ServerOp::Models));
            let listed = asking.until(|event| match event {
                Event::Server(ServerEvent::Models { models, .. }) => Some(models.len()),
                _ => None,
            });
            report.installed = Some(listed.await?);
            Ok(Ok(card))
        }
        Err((models, reason)) => {
            report.installed = Some(models.len());
            match (&checkup.model, &reason) {
                (Some(name), ModelsReason::NoneChosen) => describe(name, &models, asking).await,
                (None, ModelsReason::NoneChosen) if let Some(only) = ModelCard::only_one(&models) => {
                    take(only, &models, checkup.probes, asking).await
                }
                // That is also said of a model that the server could not tell about.
                (_, ModelsReason::Missing { name }) => Ok(describe(name, &models, asking).await?.and_then(|_| {
                    let why = format!("the server can tell about the model {name} only now; run `agent doctor` again");
                    Err((End::Failed, why))
                })),
                (_, ModelsReason::NotUsed { name }) => {
                    let described = describe(name, &models, asking).await?;
                    Ok(described.and_then(|card| Err((End::NoModel, not_asked(&card)))))
                }
                _ => Ok(Err((End::NoModel, no_model(&models, &reason, &asking.up().await?)))),
            }
        }
    }
}

/// Why a model that the server tells of is not examined: it is a cloud model, and nobody agreed to that.
fn not_asked(card: &ModelCard) -> String {
    let name = &card.name;
    match &card.remote_host {
        Some(host) => format!(
            "{name} runs on {host}: what it is sent leaves this machine, so it was not asked anything; start `agent --model \
             {name}` once and say yes"
        ),
        None => format!("the server can tell about the model {name} only now; run `agent doctor` again"),
    }
}

/// Takes the only model there is, as `-p` does. To be examined it has to be the session's.
async fn take(
    name: &str,
    installed: &[ModelCard],
    probes: Probes,
    asking: &mut Asking,
) -> Result<Result<ModelCard, (End, String)>, Stop> {
    if probes == Probes::Leave {
        return describe(name, installed, asking).await;
    }
    asking.send(Op::Server(ServerOp::SetModel { name: name.to_owned() }));
    let set = asking.until(|event| match event {
        Event::Server(ServerEvent::ModelSet { card, .. }) => Some(Some(card)),
        Event::Server(ServerEvent::Models { .. }) => Some(None),
        _ => None,
    });
    match set.await? {
        Some(card) => Ok(Ok(card)),
        // It went meanwhile, or nothing can be told of it: asked alone, the server says which.
        None => Ok(describe(name, installed, asking).await?.and_then(|_| {
            let why = format!("the server can tell about the model {name} only now; run `agent doctor` again");
            Err((End::Failed, why))
        })),
    }
}

/// The chosen model where the session has none.
async fn describe(
    name: &str,
    installed: &[ModelCard],
    asking: &mut Asking,
) -> Result<Result<ModelCard, (End, String)>, Stop> {
    asking.send(Op::Server(ServerOp::DescribeModel { name: name.to_owned() }));
    let described = asking.until(|event| match event {
        Event::Server(ServerEvent::ModelDescribed { name: about, card, trouble, .. }) if about == name => {
            Some((card, trouble))
        }
        _ => None,
    });
    Ok(match described.await? {
        (Some(card), _) => Ok(card),
        (None, None | Some(ServerError::ModelMissing { .. })) => Err((
            End::NoModel,
            no_model(installed, &ModelsReason::Missing { name: name.to_owned() }, &asking.up().await?),
        )),
        (None, Some(trouble)) => Err((End::from_trouble(&trouble), untold(name, &trouble))),
    })
}

/// Puts the questions to the model and prints what comes of each.
async fn examine(
    asking: &mut Asking,
    report: &mut Report,
    page: &mut Page,
    streams: &mut Streams<'_>,
) -> Result<(), Stop> {
    asking.send(Op::Server(ServerOp::Examine));
    loop {
        match asking.next().await? {
            Event::Server(ServerEvent::Examining { probe }) => page.question(probe, streams)?,
            Event::Server(ServerEvent::Probed { finding }) => {
                page.finding(&finding, streams)?;
                report.findings.push(finding);
            }
            Event::Server(ServerEvent::Diagnosed { profile }) => report.profile = Some(*profile),
            Event::Turn(TurnEvent::Ended { reason, usage, .. }) => {
                report.usage = Some(usage);
                return ended(reason, asking, report).await;
            }
            _ => {}
        }
    }
}

/// The examination is over, for this reason.
async fn ended(reason: TurnEndReason, asking: &mut Asking, report: &mut Report) -> Result<(), Stop> {
    let (end, why) = match reason {
        TurnEndReason::Done => return Ok(()),
        TurnEndReason::Interrupted => return Err(Stop::Signal(End::Interrupted)),
        TurnEndReason::Broken { trouble: trouble @ ServerError::Unreachable { .. } } => {
            // It is looked for once more, which also tells whether it could be started from here.
            let back =
                |event| matches!(event, Event::Server(ServerEvent::Server { state: ServerState::Up(_) })).then_some(());
            asking.until(back).await?;
            let went = "the server went away in the middle of the examination and is back";
            (End::NoServer, format!("{went} ({trouble}); run `agent doctor` again"))
        }
        TurnEndReason::Broken { trouble } => {
            (End::Failed, format!("the examination broke off: {trouble}; {}", advice(&trouble)))
        }
        TurnEndReason::Length
        | TurnEndReason::StepLimit
        | TurnEndReason::TimeLimit
        | TurnEndReason::Repeating
        | TurnEndReason::Stuck { .. }
        | TurnEndReason::Full
        | TurnEndReason::TooSmall { .. }
        | TurnEndReason::Lost => {
            (End::Failed, "the examination ended before its last question; run `agent doctor` again".to_owned())
        }
    };
    (report.end, report.error) = (end, Some(why));
    Ok(())
}

fn finish(
    result: Result<(), Stop>,
    checkup: &Checkup,
    asking: &Asking,
    report: &mut Report,
    page: &mut Page,
    streams: &mut Streams<'_>,
) -> Result<End, Stop> {
    let known = (checkup.known)();
    let mut kept = report.card.as_ref().and_then(|card| profile_of(card, &known));
    match result {
        Ok(()) => report.judge(),
        Err(Stop::Down { trouble, can_start }) => {
            report.down(&trouble, can_start);
            if report.card.is_none() {
                kept = known.iter().find(|known| Some(&known.name) == checkup.model.as_ref());
            }
        }
        Err(stop) => return Err(stop),
    }
    // An examination that could not judge is not kept, and other sessions learn as well; what cannot be kept is known now.
    report.profile = kept.cloned().or(report.profile.take());
    match checkup.form {
        Form::Text => page.rest(report, &asking.known, streams)?,
        Form::Json => object(streams, report.as_json(checkup, &asking.known), report.end)?,
    }
    Ok(report.end)
}

#[derive(Debug)]
struct Report {
    /// Models on the server's disk.
    installed: Option<usize>,
    /// What the server has in memory.
    in_memory: Option<Vec<LoadedModel>>,
    card: Option<ModelCard>,
    findings: Vec<ProbeFinding>,
    profile: Option<ModelProfile>,
    /// What the server counted of the examination.
    usage: Option<Usage>,
    /// What stands in the way, with the next step.
    error: Option<String>,
    end: End,
    model: Option<String>,
}

impl Report {
    fn new(checkup: &Checkup) -> Self {
        Report {
            installed: None,
            in_memory: None,
            card: None,
            findings: Vec::new(),
            profile: None,
            usage: None,
            error: None,
            end: End::Answered,
            model: checkup.model.clone(),
        }
    }

    /// Everything was looked at: a question the model failed at is what the shell learns.
    fn judge(&mut self) {
        if self.end == End::Answered && self.with(ProbeVerdict::Failed) > 0 {
            self.end = End::Failed;
        }
    }

    fn down(&mut self, trouble: &ServerError, can_start: bool) {
        self.end = End::NoServer;
        self.error = Some(format!("{trouble}; {}", way_to_start(trouble, can_start)));
    }

    /// So many questions went like this.
    fn with(&self, verdict: ProbeVerdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }

    fn as_json(&self, checkup: &Checkup, known: &Known) -> Value {
        let contacts: Vec<Value> =
            checkup.contacts.iter().map(|contact| json!({"address": contact.address, "what": contact.what})).collect();
        let files: Vec<String> = checkup.config_files.iter().map(|path| path.display().to_string()).collect();
        let in_memory: Option<Vec<Value>> =
            self.in_memory.as_ref().map(|models| models.iter().map(loaded_as_json).collect());
        json!({
            "agent": checkup.version,
            "server": server(known),
            "counts": self.usage,
            "contacts": contacts,
            "config_files": files,
            "state_folder": checkup.state_folder.display().to_string(),
            "caches": checkup.caches.as_ref().map(|caches| {
                let folder = caches.folder.display().to_string();
                json!({"folder": folder, "here": caches.here, "all": caches.all, "most": caches.most})
            }),
            "fence": known.session.sandbox,
            "notices": known.notices,
            "installed": self.installed,
            "in_memory": in_memory,
            "model": self.model,
            "card": self.card,
            "window": known.session.measured,
            "findings": self.findings,
            "profile": self.profile,
            "error": self.error,
        })
    }
}

fn server(known: &Known) -> Value {
    let card = known.session.server_card();
    json!({
        "address": known.session.host,
        "product": card.map(|card| &card.product),
        "version": card.map(|card| &card.version),
        "exposed": known.session.exposed,
        "windows": card.map(|card| &card.windows),
        "slots": card.and_then(|card| card.slots),
    })
}
