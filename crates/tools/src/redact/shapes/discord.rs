//! Tokens of Discord's bots: the bot's number as base64, the time, and what nobody else knows, with dots between them.
//!
//! No word in them says what they are, so they are found by their dots.

use super::super::Span;
use super::super::chance::looks_random;
use super::may_begin;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use std::ops::RangeInclusive;

const WHAT: &str = "Discord token";

const NUMBER: RangeInclusive<usize> = 24..=28;
const TIME: RangeInclusive<usize> = 6..=7;
const REST: RangeInclusive<usize> = 27..=40;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for (dot, _) in text.match_indices('.') {
        let Some(second) = part(bytes, dot + 1, &TIME).filter(|end| bytes.get(*end) == Some(&b'.')) else { continue };
        let Some(end) = part(bytes, second + 1, &REST) else { continue };
        let Some(start) = begin(bytes, dot) else { continue };
        if is_number(&text[start..dot]) || looks_random(&text[start..dot]) && looks_random(&text[second + 1..end]) {
            spans.push(Span { range: start..end, what: WHAT });
        }
    }
}

fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-".contains(byte)
}

/// Where the part ends that begins at `from`, where it has as many letters as one has.
fn part(bytes: &[u8], from: usize, wanted: &RangeInclusive<usize>) -> Option<usize> {
    let letters = bytes[from..].iter().take(wanted.end() + 1).take_while(|byte| is_letter(byte)).count();
    wanted.contains(&letters).then_some(from + letters)
}

/// Where the number begins that ends at `dot`.
fn begin(bytes: &[u8], dot: usize) -> Option<usize> {
    let letters = bytes[..dot].iter().rev().take(*NUMBER.end()).take_while(|byte| is_letter(byte)).count();
    let starts = NUMBER.take_while(|length| *length <= letters).map(|length| dot - length);
    starts.into_iter().find(|start| matches!(bytes[*start], b'M' | b'N' | b'O') && may_begin(&bytes[..*start]))
}

fn is_number(text: &str) -> bool {
    BASE64_STANDARD_NO_PAD.decode(text).is_ok_and(|digits| digits.iter().all(u8::is_ascii_digit))
}
