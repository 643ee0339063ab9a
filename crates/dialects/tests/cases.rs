//! The house's own cases: each is read right, and reads the same wherever it is cut.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

#[path = "reader/case.rs"]
mod case;
#[path = "reader/cuts.rs"]
mod cuts;
#[path = "reader/judge.rs"]
mod judge;
#[path = "reader/reading.rs"]
mod reading;
#[path = "reader/said.rs"]
mod said;

use agent_dialects::Piece;
use case::Case;
use cuts::Chance;
use judge::{Claim, Verdict};
use said::Said;
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("cases/dialects-own.jsonl");
const TOOLSETS: &str = include_str!("cases/toolsets.json");

/// Texts up to this size are cut at every character.
const CUT_EVERYWHERE: usize = 3000;

fn cases() -> Vec<(Case, Claim)> {
    let case = |line| (serde_json::from_str(line).unwrap(), serde_json::from_str(line).unwrap());
    CASES.lines().map(case).collect()
}

fn reader(case: &Case) -> impl Fn(&[&str]) -> Vec<Piece> {
    let toolsets: Map<String, Value> = serde_json::from_str(TOOLSETS).unwrap();
    let tools = case.tools(&toolsets);
    move |way| reading::read(&tools, case.start(), case.pieces(way.iter().copied()))
}

fn wrong(class: &str, is_right: impl Fn(Verdict) -> bool) -> Vec<String> {
    let of_class: Vec<_> = cases().into_iter().filter(|(_, claim)| claim.class == class).collect();
    assert!(!of_class.is_empty(), "no case of class {class}");
    let said = |case: &Case| Said::of(reader(case)(&[&case.input]));
    let wrong = of_class.into_iter().filter(|(case, claim)| !is_right(claim.judge(&said(case))));
    wrong.map(|(case, _)| case.id).collect()
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
    let (case, claim) = cases().into_iter().find(|(_, claim)| claim.class == "call").unwrap();
    let right = Said::of(reader(&case)(&[&case.input]));
    assert!(claim.judge(&right).all);
    let without_call = Said { calls: Vec::new(), ..Said::of(reader(&case)(&[&case.input])) };
    assert!(!claim.judge(&without_call).calls);
    let mut other_argument = Said::of(reader(&case)(&[&case.input]));
    other_argument.calls[0]["arguments"]["path"] = json!(["elsewhere"]);
    assert!(!claim.judge(&other_argument).calls);
}

#[test]
fn a_text_reads_the_same_character_by_character_and_in_any_pieces() {
    for (case, _) in cases() {
        let read = reader(&case);
        let whole = read(&[&case.input]);
        assert_eq!(read(&cuts::characters(&case.input).collect::<Vec<_>>()), whole, "{}", case.id);
        let mut chance = Chance::of(&case.id);
        for most in [2, 5, 17, 60, 400] {
            assert_eq!(read(&cuts::random(&case.input, most, &mut chance)), whole, "{} up to {most}", case.id);
        }
        if let Some(chunks) = &case.chunks {
            assert_eq!(read(&chunks.iter().map(String::as_str).collect::<Vec<_>>()), whole, "{}", case.id);
        }
    }
}

#[test]
fn a_text_reads_the_same_wherever_it_is_cut_in_two() {
    let mut tried = 0;
    for (case, _) in cases().into_iter().filter(|(case, _)| case.input.len() <= CUT_EVERYWHERE) {
        let read = reader(&case);
        let whole = read(&[&case.input]);
        for (at, _) in case.input.char_indices().skip(1) {
            let (first, second) = case.input.split_at(at);
            assert_eq!(read(&[first, second]), whole, "{} cut at {at}: {first:?} | {second:?}", case.id);
            tried += 1;
        }
    }
    assert!(tried > 10_000, "only {tried} cuts tried");
}
