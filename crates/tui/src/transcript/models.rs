//! What is told of installed models, as notices.

use agent_protocol::sanitize::figures::{bytes, window};
use agent_protocol::{LoadedModel, ModelCard, NoticeLevel, ServerError};

/// A notice: how much it matters, and its words. Whoever shows it cleans them.
pub(super) type RemarkText = (NoticeLevel, String);

/// What is known of one model.
pub(super) fn described(
    name: &str,
    card: Option<&ModelCard>,
    trouble: Option<&ServerError>,
    loaded: Option<&LoadedModel>,
) -> RemarkText {
    match (card, trouble) {
        (Some(card), _) => (NoticeLevel::Info, format!("{name}: {}", known(card, loaded))),
        (None, Some(trouble)) => warning(name, trouble),
        (None, None) => (NoticeLevel::Warning, format!("{name}: nothing is known of it")),
    }
}

/// A model is gone, or is not.
pub(super) fn removed(name: &str, trouble: Option<&ServerError>) -> RemarkText {
    match trouble {
        None => (NoticeLevel::Info, format!("{name} is removed")),
        Some(trouble) => (NoticeLevel::Warning, format!("{name} is not removed: {trouble}; {}", trouble.advice())),
    }
}

/// What the server has in memory.
pub(super) fn in_memory(models: &[LoadedModel], trouble: Option<&ServerError>) -> RemarkText {
    if let Some(trouble) = trouble {
        return warning("what the server has in memory", trouble);
    }
    let model = |model: &LoadedModel| format!("{}: {}", model.name, place(model));
    let models: Vec<String> = models.iter().map(model).collect();
    let words = if models.is_empty() { "the server has no model in memory".to_owned() } else { models.join("\n") };
    (NoticeLevel::Info, words)
}

fn warning(about: &str, trouble: &ServerError) -> RemarkText {
    (NoticeLevel::Warning, format!("{about}: {}", trouble.with_step(&trouble.advice())))
}

fn known(card: &ModelCard, loaded: Option<&LoadedModel>) -> String {
    let can = |ability: Option<bool>, yes: &str, no: &str| ability.map(|can| if can { yes } else { no }.to_owned());
    let besides = [
        can(card.tools, "calls tools", "cannot call tools"),
        can(card.thinking, "thinks", "does not think"),
        loaded.map(place),
    ];
    facts(card).into_iter().chain(besides.into_iter().flatten()).collect::<Vec<_>>().join(" · ")
}

/// The size of a model, how it is made, and what window it was made for, as far as it is known.
pub(crate) fn facts(card: &ModelCard) -> Vec<String> {
    let facts = [
        card.parameter_size.clone(),
        card.quantization.clone(),
        card.size_bytes.map(bytes),
        card.context_length.map(|tokens| format!("trained for {} tokens", window(tokens))),
    ];
    facts.into_iter().flatten().collect()
}

/// How it lies in memory.
fn place(loaded: &LoadedModel) -> String {
    let held = loaded.context_length.map(|tokens| format!(" with a window of {}", window(tokens)));
    let card = loaded.gpu_percent().map(|percent| format!(", {percent} % on the graphics card"));
    format!("in memory{}{}", held.unwrap_or_default(), card.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{described, in_memory, removed};
    use agent_protocol::{LoadedModel, ModelCard, NoticeLevel, ServerError};

    #[test]
    fn a_model_is_described_in_a_line() {
        let card = ModelCard {
            parameter_size: Some("8.2B".into()),
            size_bytes: Some(5_225_376_047),
            context_length: Some(40_960),
            tools: Some(true),
            thinking: Some(false),
            ..ModelCard::default()
        };
        let loaded = LoadedModel {
            name: "qwen3:8b".into(),
            size_bytes: Some(100),
            vram_bytes: Some(63),
            context_length: Some(16_384),
            ..LoadedModel::default()
        };
        let place = "in memory with a window of 16k, 63 % on the graphics card";
        let words = format!("m: 8.2B · 5.2 GB · trained for 40k tokens · calls tools · does not think · {place}");
        assert_eq!(described("m", Some(&card), None, Some(&loaded)), (NoticeLevel::Info, words));
        assert_eq!(in_memory(&[loaded], None), (NoticeLevel::Info, format!("qwen3:8b: {place}")));
    }

    #[test]
    fn what_could_not_be_done_says_why_and_what_helps() {
        let missing = ServerError::ModelMissing { model: "m".into() };
        let words = "m is not removed: the model m is not installed; install it, or choose another with /model";
        assert_eq!(removed("m", Some(&missing)), (NoticeLevel::Warning, words.into()));
        assert_eq!(removed("m", None), (NoticeLevel::Info, "m is removed".into()));
    }
}
