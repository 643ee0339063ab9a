//! All installed models, one a row.

use super::{abilities, loaded_as_json};
use crate::advice::none_installed;
use crate::asking::{Asking, Stop, object};
use crate::columns::table;
use crate::learned::in_memory;
use crate::streams::honest;
use crate::{End, Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::{bytes, window};
use agent_protocol::{BenchResult, Event, LoadedModel, ModelCard, ServerCard, ServerEvent};
use serde_json::{Value, json};

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
        Some([shown(&card.name), shown(&result.words(card))])
    };
    models.iter().filter_map(found).collect()
}

fn row(card: &ModelCard, loaded: &[LoadedModel]) -> [String; 7] {
    let said = |word: &Option<String>| word.as_deref().map_or_else(|| "–".to_owned(), shown);
    let loaded = loaded.iter().find(|loaded| loaded.is(card));
    [
        shown(&card.name),
        card.size_bytes.map_or_else(|| "–".to_owned(), bytes),
        said(&card.parameter_size),
        said(&card.quantization),
        card.context_length.map_or_else(|| "–".to_owned(), window),
        abilities(card),
        loaded.map(in_memory).or_else(|| card.cloud_mark().map(str::to_owned)).unwrap_or_default(),
    ]
}

/// A server's word as one cell: it forges no row.
fn shown(word: &str) -> String {
    clean_line(word).into_owned()
}
