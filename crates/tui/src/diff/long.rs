//! Lines that are far longer than a screen is wide: what changes in them must not be lost among what does not.

use agent_protocol::sanitize::figures::grouped;
use std::borrow::Cow;

/// Characters of an unchanged stretch beyond which its middle is left out.
const LONG: usize = 400;
/// Characters that are kept of it at its beginning and at its end.
const KEPT_BEGINNING: usize = 40;
const KEPT_END: usize = 120;

/// An unchanged stretch of a line, its middle left out and counted where it is long.
pub(super) fn folded(part: &str) -> Cow<'_, str> {
    if part.len() <= LONG {
        return Cow::Borrowed(part);
    }
    let count = part.chars().count();
    let kept = KEPT_BEGINNING + KEPT_END;
    if count <= LONG {
        return Cow::Borrowed(part);
    }
    let at = |number: usize| part.char_indices().nth(number).map_or(part.len(), |(at, _)| at);
    let (beginning, end) = (&part[..at(KEPT_BEGINNING)], &part[at(count - KEPT_END)..]);
    let left_out = grouped(u64::try_from(count - kept).unwrap_or(u64::MAX));
    Cow::Owned(format!("{beginning} ⋯ {left_out} unchanged characters ⋯ {end}"))
}

/// The line `this` in the parts that it shares with `other` at both ends, and the part in between that differs. For
/// lines too long to have their words compared.
pub(super) fn parted<'a>(this: &'a str, other: &str) -> [(bool, &'a str); 3] {
    let alike = |(one, two): &(char, char)| one == two;
    let before: usize = this.chars().zip(other.chars()).take_while(alike).map(|(c, _)| c.len_utf8()).sum();
    let (beginning, rest) = this.split_at(before);
    let after: usize =
        rest.chars().rev().zip(other[before..].chars().rev()).take_while(alike).map(|(c, _)| c.len_utf8()).sum();
    let (middle, end) = rest.split_at(rest.len() - after);
    [(false, beginning), (true, middle), (false, end)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_middle_of_a_long_stretch_is_left_out_and_counted() {
        assert!(matches!(folded("short"), Cow::Borrowed("short")));
        let long = format!("{}{}", "a".repeat(2_000), "é".repeat(500));
        let shown = folded(&long);
        assert_eq!(shown, format!("{} ⋯ 2,340 unchanged characters ⋯ {}", "a".repeat(40), "é".repeat(120)));
    }

    proptest! {
        #[test]
        fn the_parts_of_two_lines_are_those_lines_and_differ_in_the_middle(one in "[aé]{0,9}", two in "[aé]{0,9}") {
            let [(_, start), (_, middle), (_, end)] = parted(&one, &two);
            let [(_, other_start), (_, other_middle), (_, other_end)] = parted(&two, &one);
            prop_assert_eq!(format!("{start}{middle}{end}"), one.clone());
            prop_assert_eq!((start, end), (other_start, other_end));
            prop_assert_eq!(middle == other_middle, one == two);
        }
    }
}
