//! The house's own cases: each is read right, and reads the same wherever it is cut.

use crate::reader::case::Case;
use crate::reader::cuts::{self, Chance};
use crate::reader::judge::{Claim, Verdict};
use crate::reader::said::Said;
use crate::reader::way::Ways;
use agent_dialects::{Piece, Tools};
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("cases/dialects-own.jsonl");
/// What was found by turning those cases over: markup within values, calls that broke off, talk about marks.
const MORE: &str = include_str!("cases/dialects-more.jsonl");
const TOOLSETS: &str = include_str!("cases/toolsets.json");

/// Texts up to this size are cut at every character.
const CUT_EVERYWHERE: usize = 3000;

/// A case with the tools it is offered.
struct Own {
    case: Case,
    ways: Ways,
    claim: Claim,
    tools: Tools,
}

impl Own {
    fn read(&self, way: &[&str]) -> Vec<Piece> {
        self.ways.read(&self.case, &self.tools, way)
    }

    fn whole(&self) -> Vec<Piece> {
        self.read(&[&self.case.input])
    }
}

fn cases() -> Vec<Own> {
    let toolsets: Map<String, Value> = serde_json::from_str(TOOLSETS).unwrap();
    let own = |line| {
        let case: Case = serde_json::from_str(line).unwrap();
        let tools = case.tools(&toolsets);
        Own { case, ways: serde_json::from_str(line).unwrap(), claim: serde_json::from_str(line).unwrap(), tools }
    };
    CASES.lines().chain(MORE.lines()).map(own).collect()
}

fn wrong(class: &str, is_right: impl Fn(Verdict) -> bool) -> Vec<String> {
    let of_class: Vec<_> = cases().into_iter().filter(|own| own.claim.class == class).collect();
    assert!(!of_class.is_empty(), "no case of class {class}");
    let wrong = of_class.into_iter().filter(|own| !is_right(own.claim.judge(&Said::of(own.whole()))));
    wrong.map(|own| own.ways.id).collect()
}

#[test]
fn every_call_is_found_exactly_and_the_text_around_it_is_shown() {
    assert_eq!(wrong("call", |verdict| verdict.all), Vec::<String>::new());
}

#[test]
fn text_stays_text() {
    assert_eq!(wrong("text", |verdict| verdict.all && !verdict.false_call), Vec::<String>::new());
}

#[test]
fn reasoning_is_told_from_the_answer() {
    assert_eq!(wrong("reasoning", |verdict| verdict.all && !verdict.false_call), Vec::<String>::new());
}

#[test]
fn a_call_that_is_cut_off_is_neither_run_nor_shown() {
    assert_eq!(wrong("truncated", |verdict| verdict.all && !verdict.false_call), Vec::<String>::new());
}

#[test]
fn choices_of_the_house_are_kept() {
    assert_eq!(wrong("policy", |verdict| verdict.all), Vec::<String>::new());
}

#[test]
fn a_wrong_reading_is_noticed() {
    let own = cases().into_iter().find(|own| own.claim.class == "call").unwrap();
    assert!(own.claim.judge(&Said::of(own.whole())).all);
    let without_call = Said { calls: Vec::new(), ..Said::of(own.whole()) };
    assert!(!own.claim.judge(&without_call).calls);
    let mut other_argument = Said::of(own.whole());
    other_argument.calls[0]["arguments"]["path"] = json!(["elsewhere"]);
    assert!(!own.claim.judge(&other_argument).calls);
}

#[test]
fn a_text_reads_the_same_character_by_character_and_in_any_pieces() {
    for own in cases() {
        let (whole, input, id) = (own.whole(), &own.case.input, &own.ways.id);
        for way in own.ways.all(&own.case) {
            assert_eq!(own.read(&way), whole, "{id} in {} pieces", way.len());
        }
        let mut chance = Chance::of(id);
        for most in [2, 5, 17, 60, 400] {
            assert_eq!(own.read(&cuts::random(input, most, &mut chance)), whole, "{id} up to {most}");
        }
    }
}

#[test]
fn a_text_reads_the_same_wherever_it_is_cut_in_two() {
    let mut tried = 0;
    for own in cases().into_iter().filter(|own| own.case.input.len() <= CUT_EVERYWHERE) {
        let (whole, input) = (own.whole(), &own.case.input);
        for (at, _) in input.char_indices().skip(1) {
            let (first, second) = input.split_at(at);
            assert_eq!(own.read(&[first, second]), whole, "{} cut: {first:?} | {second:?}", own.ways.id);
            tried += 1;
        }
    }
    assert!(tried > 10_000, "only {tried} cuts tried");
}
