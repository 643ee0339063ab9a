//! One slip of the pen: a letter too many, too few, another one, or two that changed places.

use strsim::damerau_levenshtein;

/// Shorter names are not mended: too many are one letter apart.
const SHORTEST: usize = 5;
/// Longer ones are like nothing, and would take long to compare.
pub(crate) const LONGEST: usize = 64;

/// What the `known` names that are one slip away from `asked` stand for, where all of them stand for the same.
pub(crate) fn only_near<Name: AsRef<str>, Meant: PartialEq>(
    known: impl Iterator<Item = (Name, Meant)>,
    asked: &str,
) -> Option<Meant> {
    if !(SHORTEST..=LONGEST).contains(&asked.len()) {
        return None;
    }
    let one_slip = |name: &str| name.len() >= SHORTEST && damerau_levenshtein(name, asked) == 1;
    let mut near = known.filter(|(name, _)| one_slip(name.as_ref())).map(|(_, meant)| meant);
    let only = near.next()?;
    near.all(|other| other == only).then_some(only)
}

#[cfg(test)]
mod tests {
    use super::only_near;

    const KNOWN: [(&str, u8); 5] = [("content", 1), ("contents", 1), ("command", 2), ("comment", 3), ("path", 4)];

    #[test]
    fn one_slip_means_the_only_one_it_can() {
        for (asked, meant) in [
            ("contentt", Some(1)),
            ("ocntent", Some(1)),
            ("comand", Some(2)),
            ("commant", None),
            ("patj", None),
            ("patth", None),
            ("contt", None),
            ("", None),
        ] {
            assert_eq!(only_near(KNOWN.into_iter(), asked), meant, "{asked}");
        }
    }

    #[test]
    fn endless_names_are_like_nothing() {
        let endless = "a".repeat(100_000);
        assert_eq!(only_near([(endless.as_str(), 1)].into_iter(), &format!("{endless}a")), None);
    }
}
