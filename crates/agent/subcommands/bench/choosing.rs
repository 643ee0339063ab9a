//! Which models are measured, and for how long: asked at a terminal where none was named.

use super::new::takes_one;
use super::say;
use crate::args::{BenchWish, time};
use crate::session::{Plan, host, server};
use agent_protocol::ModelCard;
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::bytes;
use anyhow::{Result, anyhow, bail};
use std::io::BufRead;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Parts of names and families of models that do not chat.
const NO_CHAT: [&str; 3] = ["embed", "bert", "rerank"];

const HOW_LONG: &str = "How long may it take (45m, 2h)? Enter: until all is done.\n\
                        What is not done by then `agent bench resume` makes.";

/// How many models a run can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    One,
    Any,
}

impl Count {
    fn question(self) -> &'static str {
        match self {
            Count::One => "Which model",
            Count::Any => "Which models",
        }
    }

    fn answers(self, offers: &[Offer]) -> String {
        let all = if offers.iter().all(|offer| offer.fits) { "all" } else { "all that fit" };
        match self {
            Count::One => "Its number:".to_owned(),
            Count::Any => format!("Numbers with commas between, or Enter for {all}:"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) models: Vec<String>,
    /// How long it may take; none: until all is done.
    pub(super) time: Option<Duration>,
}

/// A model that is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Offer {
    name: String,
    words: String,
    fits: bool,
}

/// Asks on `input` for what `wish` leaves open; none where the server does not answer or has no model, which what follows says better.
pub(super) fn choose(
    runtime: &Runtime,
    plan: &Plan,
    wish: &BenchWish,
    input: &mut impl BufRead,
) -> Result<Option<Chosen>> {
    let host = host(&plan.config)?;
    let server = server(&host, &plan.config)?;
    let Ok(cards) = runtime.block_on(server.models()) else { return Ok(None) };
    let machine = agent_bench::Machine::this();
    // What a card holds no file tells, and what another machine has nobody.
    let memory =
        (host.is_loopback() && machine.cards.is_empty() && machine.memory_gb > 0).then_some(machine.memory_gb << 30);
    let offers = offers(&cards, memory);
    if offers.is_empty() {
        return Ok(None);
    }
    let count = if takes_one(wish) { Count::One } else { Count::Any };
    say(&format!("{} of {host}?", count.question()));
    for (number, offer) in (1..).zip(&offers) {
        say(&format!("  {number}  {}", offer.words));
    }
    let models = asked(input, &count.answers(&offers), |line| picked(line, &offers, count))?;
    let time = match wish.time {
        Some(time) => Some(time),
        None => asked(input, HOW_LONG, |line| if line.is_empty() { Ok(None) } else { time(line).map(Some) })?,
    };
    Ok(Some(Chosen { models, time }))
}

fn offers(cards: &[ModelCard], memory: Option<u64>) -> Vec<Offer> {
    let chats = |card: &&ModelCard| {
        let words = format!("{} {}", card.name, card.family.as_deref().unwrap_or_default()).to_lowercase();
        !NO_CHAT.iter().any(|part| words.contains(part))
    };
    cards.iter().filter(chats).map(|card| offer(card, memory)).collect()
}

fn offer(card: &ModelCard, memory: Option<u64>) -> Offer {
    let fits = match (card.size_bytes, memory) {
        // A cloud model is taken only where it is named.
        _ if card.remote_host.is_some() => false,
        (Some(size), Some(memory)) => size <= memory,
        (_, _) => true,
    };
    let parts = [
        Some(card.name.clone()),
        card.size_bytes.map(bytes),
        card.parameter_size.clone(),
        card.quantization.clone(),
        card.cloud_mark().map(str::to_owned),
        (!fits && card.remote_host.is_none()).then(|| "larger than this machine's memory".to_owned()),
    ];
    let words = parts.into_iter().flatten().collect::<Vec<_>>().join("  ");
    Offer { name: card.name.clone(), words: clean_line(&words).into_owned(), fits }
}

/// The models that `line` names by their numbers; an empty one means all that fit, where there may be several.
fn picked(line: &str, offers: &[Offer], count: Count) -> Result<Vec<String>, String> {
    if count == Count::One && (line.is_empty() || line.contains(',')) {
        return Err("one number, please: settings are tried with one model".into());
    }
    if line.is_empty() {
        let fits: Vec<String> = offers.iter().filter(|offer| offer.fits).map(|offer| offer.name.clone()).collect();
        return if fits.is_empty() { Err("none fits; name one by its number all the same".into()) } else { Ok(fits) };
    }
    let number = |word: &str| {
        let number = word.trim().parse::<usize>().ok().and_then(|number| offers.get(number.checked_sub(1)?));
        number.map(|offer| offer.name.clone()).ok_or_else(|| format!("{word} is no number of the list"))
    };
    line.split(',').map(number).collect()
}

/// Asks until the answer can be read.
fn asked<T>(input: &mut impl BufRead, question: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<T> {
    loop {
        say(question);
        let mut line = String::new();
        if input.read_line(&mut line).map_err(|error| anyhow!("the answer cannot be read: {error}"))? == 0 {
            bail!("nobody answered; --models names the models");
        }
        match read(line.trim()) {
            Ok(answer) => return Ok(answer),
            Err(why) => say(&clean_line(&why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str, gigabytes: u64) -> ModelCard {
        ModelCard { name: name.into(), size_bytes: Some(gigabytes << 30), ..ModelCard::default() }
    }

    #[test]
    fn models_that_do_not_chat_are_not_offered_and_what_is_too_large_is_said() {
        let bert = ModelCard { family: Some("nomic-bert".into()), ..card("words", 1) };
        let offers =
            offers(&[card("qwen3:8b", 5), card("nomic-embed-text", 1), bert, card("big:70b", 40)], Some(16 << 30));
        let fits: Vec<(&str, bool)> = offers.iter().map(|offer| (offer.name.as_str(), offer.fits)).collect();
        assert_eq!(fits, [("qwen3:8b", true), ("big:70b", false)]);
        assert!(offers[1].words.ends_with("larger than this machine's memory"), "{}", offers[1].words);
    }

    #[test]
    fn numbers_name_models_and_enter_all_that_fit() {
        let offers = offers(&[card("a", 5), card("b", 6), card("c", 40)], Some(16 << 30));
        let names = |line: &str| picked(line, &offers, Count::Any);
        assert_eq!(names("").unwrap(), ["a", "b"]);
        assert_eq!(names("3, 1").unwrap(), ["c", "a"]);
        for wrong in ["0", "4", "a", "1,"] {
            assert!(names(wrong).is_err(), "{wrong}");
        }
        assert!(picked("", &offers[2..], Count::Any).is_err());
        assert_eq!(picked("2", &offers, Count::One).unwrap(), ["b"]);
        for wrong in ["", "1,2", "4"] {
            assert!(picked(wrong, &offers, Count::One).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_asked_for_again() {
        let read = |line: &str| line.parse::<u32>().map_err(|_| "a number, please".to_owned());
        assert_eq!(asked(&mut "x\n7\n".as_bytes(), "How many?", read).unwrap(), 7);
        assert!(asked(&mut "x\n".as_bytes(), "How many?", read).is_err(), "nobody is there any more");
    }
}
