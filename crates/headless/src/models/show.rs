//! All that is known of one model.

use super::{describe, loaded_as_json, not_known};
use crate::asking::{Asking, Stop, object};
use crate::columns::table;
use crate::learned::{Learned, in_memory, known_of, learned};
use crate::{End, Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::bytes;
use agent_protocol::{CLOUD_MARK, LoadedModel, ModelCard, ModelProfile};
use serde_json::json;

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
    let profile = known_of(&card, &known);
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
