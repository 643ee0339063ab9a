//! Lists the installed models, one a row, and shows all that is known of one.

use super::{abilities, describe, loaded_as_json, not_known};
use crate::advice::none_installed;
use crate::asking::{Asking, Stop, object};
use crate::models::{Learned, in_memory, learned, profile_of};
use crate::streams::{honest, table};
use crate::{End, Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::{bytes, window};
use agent_protocol::{BenchResult, CLOUD_MARK, Event, LoadedModel, ModelCard, ModelProfile, ServerCard, ServerEvent};
use serde_json::{Value, json};

/// So much of a digest tells models apart.
const DIGEST_SHOWN: usize = 12;

pub(super) async fn show(
    name: &str,
    known: &Learned,
    asking: &mut Asking,
    form: Form,
    streams: &mut Streams<'_>,
) -> Result<End, Stop> {
    let (card, loaded) = match describe(name, asking).await? {
        Ok(described) => described,
        Err(trouble) => return not_known(name, &trouble, asking, form, streams),
    };
    let shared = if loaded.is_some() { Vec::new() } else { sharing(&card, asking).await? };
    let known = known();
    let profile = profile_of(&card, &known);
    match form {
        Form::Text => {
            writeln!(streams.out, "{}", clean_line(&card.name))?;
            let rows = rows(&card, &lies(loaded.as_ref(), &shared), profile);
            table(&rows).iter().try_for_each(|line| writeln!(streams.out, "  {}", clean_line(line)))?;
            streams.out.flush()?;
        }
        Form::Json => {
            let told = json!({
                "host": asking.known.session.host,
                "version": asking.up().await?.version,
                "model": card,
                "loaded": loaded.as_ref().map(loaded_as_json),
                "may_be_loaded_as": shared.iter().map(|other| &other.name).collect::<Vec<_>>(),
                "learned": profile,
            });
            object(streams, told, End::Answered)?;
        }
    }
    Ok(End::Answered)
}

/// What lies in memory and may be this model: servers list models that share weights by the name that came first.
async fn sharing(card: &ModelCard, asking: &mut Asking) -> Result<Vec<LoadedModel>, Stop> {
    let loaded = asking.loaded().await?.unwrap_or_default();
    Ok(loaded.into_iter().filter(|other| other.weights.is_some() && other.may_be(card)).collect())
}

/// Whether it lies in memory, and how.
fn lies(loaded: Option<&LoadedModel>, shared: &[LoadedModel]) -> String {
    let perhaps = |other: &LoadedModel| format!("perhaps, under the name {} ({})", other.name, in_memory(other));
    match (loaded, shared) {
        (Some(loaded), _) => in_memory(loaded),
        (None, []) => "no".to_owned(),
        (None, several) => several.iter().map(perhaps).collect::<Vec<_>>().join("; "),
    }
}

fn rows(card: &ModelCard, lies: &str, profile: Option<&ModelProfile>) -> Vec<[String; 2]> {
    let able = |able: Option<bool>| match able {
        Some(true) => "yes",
        Some(false) => "no",
        None => "the server does not say",
    };
    let tokens = |count: u64| format!("{count} tokens");
    let digest = card.digest.as_deref().map(|digest| digest.trim_start_matches("sha256:"));
    let facts = [
        ("size", card.size_bytes.map(bytes)),
        ("parameters", card.parameter_size.clone()),
        ("quantisation", card.quantization.clone()),
        ("family", card.family.clone()),
        ("trained window", card.context_length.map(tokens)),
        ("its own window", card.own_window.map(tokens)),
        ("tools", Some(able(card.tools).to_owned())),
        ("thinking", Some(able(card.thinking).to_owned())),
        ("runs on", card.remote_host.as_ref().map(|host| format!("{host} ({CLOUD_MARK})"))),
        ("digest", digest.map(|digest| digest.chars().take(DIGEST_SHOWN).collect())),
        ("in memory", Some(lies.to_owned())),
    ];
    let mut rows: Vec<[String; 2]> =
        facts.into_iter().filter_map(|(name, fact)| Some([name.to_owned(), fact?])).collect();
    let learned = profile.map(learned).unwrap_or_default();
    let names = std::iter::once("learned").chain(std::iter::repeat(""));
    rows.extend(names.zip(learned).map(|(name, line)| [name.to_owned(), line]));
    rows
}

pub(super) async fn list(
    results: &[BenchResult],
    asking: &mut Asking,
    form: Form,
    streams: &mut Streams<'_>,
) -> Result<End, Stop> {
    // Without a chosen model the loop lists them by itself, as soon as the server is there.
    let models = asking
        .until(|event| match event {
            Event::Server(ServerEvent::Models { models, .. }) => Some(models),
            _ => None,
        })
        .await?;
    let loaded = asking.loaded().await?.unwrap_or_default();
    let server = asking.up().await?;
    match form {
        Form::Text => print(&models, (&loaded, results), &server, streams)?,
        Form::Json => {
            let models: Vec<Value> = models.iter().map(|card| entry(card, &loaded, results)).collect();
            let told = json!({"host": asking.known.session.host, "version": server.version, "models": models});
            object(streams, told, End::Answered)?;
        }
    }
    Ok(End::Answered)
}

fn entry(card: &ModelCard, loaded: &[LoadedModel], results: &[BenchResult]) -> Value {
    let mut told = json!(card);
    told["loaded"] = json!(loaded.iter().find(|loaded| loaded.is(card)).map(loaded_as_json));
    if let Some(result) = results.iter().find(|result| result.is_of(card)) {
        told["bench"] = json!(result);
        told["bench"]["stale"] = json!(result.is_stale(card));
    }
    told
}

fn print(
    models: &[ModelCard],
    (loaded, results): (&[LoadedModel], &[BenchResult]),
    server: &ServerCard,
    streams: &mut Streams<'_>,
) -> std::io::Result<()> {
    if models.is_empty() {
        return writeln!(streams.out, "{}", none_installed(server));
    }
    let heading = ["NAME", "SIZE", "PARAMETERS", "QUANTISATION", "TRAINED", "CAN", "IN MEMORY"].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(heading).chain(models.iter().map(|card| row(card, loaded))).collect();
    let mut lines = table(&rows).into_iter();
    lines.try_for_each(|line| writeln!(streams.out, "{}", honest(&line, streams.out_is_terminal)))?;
    let found = solved(models, results);
    if !found.is_empty() {
        writeln!(streams.out, "\nsolved in `agent bench`:")?;
        let mut lines = table(&found).into_iter();
        lines.try_for_each(|line| writeln!(streams.out, "  {}", honest(&line, streams.out_is_terminal)))?;
    }
    streams.out.flush()
}

/// What `agent bench` found, a line for each model that it was asked about.
fn solved(models: &[ModelCard], results: &[BenchResult]) -> Vec<[String; 2]> {
    let found = |card: &ModelCard| {
        let result = results.iter().find(|result| result.is_of(card))?;
        Some([cell(&card.name), cell(&result.words(card))])
    };
    models.iter().filter_map(found).collect()
}

fn row(card: &ModelCard, loaded: &[LoadedModel]) -> [String; 7] {
    let said = |word: &Option<String>| word.as_deref().map_or_else(|| "–".to_owned(), cell);
    let loaded = loaded.iter().find(|loaded| loaded.is(card));
    [
        cell(&card.name),
        card.size_bytes.map_or_else(|| "–".to_owned(), bytes),
        said(&card.parameter_size),
        said(&card.quantization),
        card.context_length.map_or_else(|| "–".to_owned(), window),
        abilities(card),
        loaded.map(in_memory).or_else(|| card.cloud_mark().map(str::to_owned)).unwrap_or_default(),
    ]
}

/// A server's word as one cell: it forges no row.
fn cell(word: &str) -> String {
    clean_line(word).into_owned()
}
