//! `agent models`: lists, shows, downloads and removes models. Talks to the loop like any other face; says nothing to a
//! model.

mod list;
mod pull;
mod remove;
mod show;

use crate::advice::{advice, untold};
use crate::asking::{Asking, Stop, failed, stopped};
use crate::learned::Learned;
use crate::{End, Form, Streams};
use agent_protocol::{BenchResult, Capability, Event, LoadedModel, ModelCard, Op, ServerError, ServerEvent, ServerOp};
use serde_json::{Value, json};
use std::io::{self, BufRead};
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
    /// They said so beforehand.
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
        Subcommand::List(results) => list::list(&results, &mut asking, form, streams).await,
        Subcommand::Show { name, known } => show::show(&name, &known, &mut asking, form, streams).await,
        Subcommand::Pull { name } => pull::pull(&name, &mut asking, form, streams).await,
        Subcommand::Remove { name, consent } => remove::remove(&name, consent, &mut asking, form, streams).await,
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
    Ok(failed(End::of(trouble), &words, form, streams)?)
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
    Ok(failed(End::of(trouble), &untold(name, trouble), form, streams)?)
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
