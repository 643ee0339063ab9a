//! `agent models`: lists, shows, downloads and removes models, and says what was learned of them. Talks to the loop like any other front end; says nothing to a
//! model.

mod pull;
mod show;

use crate::advice::{advice, untold};
use crate::asking::{Asking, Stop, failed, stopped};
use crate::{End, Form, Streams};
use agent_protocol::sanitize::figures::{brief, counted, rate, window};
use agent_protocol::{
    BenchResult, Capability, Event, Examined, LoadedModel, ModelCard, ModelProfile, Op, ServerError, ServerEvent,
    ServerOp, ToolsBy,
};
use serde_json::{Value, json};
use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// What is to be done.
pub enum Subcommand {
    List(Vec<BenchResult>),
    /// Tell all that is known of a model.
    Show {
        name: String,
        /// What was learned of models.
        known: Learned,
    },
    Pull {
        name: String,
    },
    /// Remove a model from the server's disk.
    Remove {
        name: String,
        consent: Consent,
    },
}

/// Whether the user agrees to what cannot be taken back.
pub enum Consent {
    Given,
    /// They are asked, and answer here.
    Asked(Box<dyn BufRead + Send>),
    /// Nobody is here to be asked.
    Nobody,
}

/// Does the subcommand and says how it ended.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub async fn models(
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    subcommand: Subcommand,
    form: Form,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut asking = Asking::begin(ops, events)?;
    let result = match subcommand {
        Subcommand::List(results) => show::list(&results, &mut asking, form, streams).await,
        Subcommand::Show { name, known } => show::show(&name, &known, &mut asking, form, streams).await,
        Subcommand::Pull { name } => pull::pull(&name, &mut asking, form, streams).await,
        Subcommand::Remove { name, consent } => pull::remove(&name, consent, &mut asking, form, streams).await,
    };
    let told = asking.tell_notices(streams);
    match result {
        Ok(end) => told.map(|()| end),
        Err(stop) => stopped(stop, form, streams),
    }
}

/// What is known of one installed model, and how it lies in memory.
async fn describe(
    name: &str,
    asking: &mut Asking,
) -> Result<Result<(ModelCard, Option<LoadedModel>), ServerError>, Stop> {
    asking.up().await?;
    asking.send(Op::Server(ServerOp::DescribeModel { name: name.to_owned() }));
    let described = asking.until(|event| match event {
        Event::Server(ServerEvent::ModelDescribed { name: about, card, trouble, loaded }) if about == name => {
            Some((card, trouble, loaded))
        }
        _ => None,
    });
    Ok(match described.await? {
        (Some(card), _, loaded) => Ok((card, loaded)),
        (None, trouble, _) => Err(trouble.unwrap_or_else(|| ServerError::ModelMissing { model: name.to_owned() })),
    })
}

/// Says why something could not be done with a model, and what can be done about it.
fn not_done(trouble: &ServerError, asking: &Asking, form: Form, streams: &mut Streams<'_>) -> Result<End, Stop> {
    let pulls = asking.known.session.server_card().is_some_and(|server| server.can(Capability::Pull));
    let words = match trouble {
        ServerError::ModelMissing { model } if pulls => {
            format!("{trouble}; `agent models` lists what is, and `agent models pull {model}` gets it")
        }
        ServerError::ModelMissing { .. } => format!("{trouble}; `agent models` lists what is"),
        other => other.with_step(&advice(other)),
    };
    Ok(failed(End::from_trouble(trouble), &words, form, streams)?)
}

/// Says why nothing is known of a model, and what can be done about it.
fn not_known(
    name: &str,
    trouble: &ServerError,
    asking: &Asking,
    form: Form,
    streams: &mut Streams<'_>,
) -> Result<End, Stop> {
    if matches!(trouble, ServerError::ModelMissing { .. }) {
        return not_done(trouble, asking, form, streams);
    }
    Ok(failed(End::from_trouble(trouble), &untold(name, trouble), form, streams)?)
}

/// A model in memory, with its share on the graphics card worked out.
pub(crate) fn loaded_as_json(loaded: &LoadedModel) -> Value {
    let mut told = json!(loaded);
    told["gpu_percent"] = json!(loaded.gpu_percent());
    told
}

/// What a model can do besides chatting.
pub(crate) fn abilities(card: &ModelCard) -> String {
    let tools = match card.tools {
        Some(true) => Some("tools"),
        Some(false) => None,
        None => Some("tools ?"),
    };
    let thinking = (card.thinking == Some(true)).then_some("thinking");
    tools.into_iter().chain(thinking).collect::<Vec<_>>().join(", ")
}

/// What was learned of models, as it is kept at the moment: another session may learn more at any time.
pub type Learned = Arc<dyn Fn() -> Vec<ModelProfile> + Send + Sync>;

/// What is known of the model of `card`: the digest tells, and where a server gives none, the name.
pub(crate) fn profile_of<'a>(card: &ModelCard, known: &'a [ModelProfile]) -> Option<&'a ModelProfile> {
    known.iter().find(|profile| match &card.digest {
        Some(digest) => profile.digest == *digest,
        None => profile.name == card.name,
    })
}

/// One line a matter; none where nothing was learned.
pub(crate) fn learned(profile: &ModelProfile) -> Vec<String> {
    let speed = [
        profile.reading.map(|tokens| format!("reads {} tokens/s", rate(tokens))),
        profile.writing.map(|tokens| format!("writes {} tokens/s", rate(tokens))),
        profile.load_ms.map(|ms| format!("loads in {}", brief(Duration::from_millis(ms)))),
    ];
    let place = [
        profile.window.map(|tokens| format!("window {}", window(tokens))),
        profile.gpu_percent.map(|percent| format!("{percent} % GPU")),
    ];
    let counts = profile
        .calibration
        .as_ref()
        .map(|counts| format!("how many characters a token holds, from {}", counted(counts.samples, "count")));
    let mut lines: Vec<String> = [joined(&speed), joined(&place), counts].into_iter().flatten().collect();
    if let Some(examined) = &profile.examined {
        lines.extend(found(examined));
    }
    lines.extend(profile.tuned.iter().flat_map(|tuned| &tuned.found).map(|found| format!("suits it: {found}")));
    lines
}

fn joined(parts: &[Option<String>]) -> Option<String> {
    let parts: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// What an examination found of its calls.
fn found(examined: &Examined) -> Vec<String> {
    let tools = match examined.tools_by {
        Some(ToolsBy::Server) => "tools are best offered by the server",
        Some(ToolsBy::Text) => "tools are best described in the prompt",
        Some(ToolsBy::Files) => "it works best by files, without calls",
        None => "it could call no tool",
    };
    let ways: Vec<&str> = examined.ways.iter().map(|way| way.words()).collect();
    let dialects =
        if examined.dialects.is_empty() { String::new() } else { format!(" ({})", examined.dialects.join(", ")) };
    let came = (!ways.is_empty()).then(|| format!("its calls came {}{dialects}", ways.join(", ")));
    let faults = examined.faults.iter().map(|fault| format!("fault: {fault}"));
    [Some(tools.to_owned()), came].into_iter().flatten().chain(faults).collect()
}

/// How a model lies in memory: `window 32k · 21.3 GB · 100 % GPU`.
pub(crate) fn in_memory(loaded: &LoadedModel) -> String {
    let parts = [
        loaded.context_length.map(|tokens| format!("window {}", window(tokens))),
        loaded.size_bytes.map(agent_protocol::sanitize::figures::bytes),
        loaded.gpu_percent().map(|percent| format!("{percent} % GPU")),
    ];
    joined(&parts).unwrap_or_else(|| "loaded".to_owned())
}
