//! How much chance there is in a value: keys are made by chance, words and names are not.

/// Fewer different letters than this are no chance.
const LEAST_DIFFERENT: usize = 6;

/// Words in values that only stand for a secret.
const PLACEHOLDERS: [&str; 9] =
    ["example", "placeholder", "changeme", "change-me", "change_me", "xxxx", "your", "dummy", "redacted"];

/// More of them, which also stand in names.
const SAMPLES: [&str; 10] =
    ["sample", "fake", "test", "foobar", "todo", "insert", "0000000", "1234567", "abcdef", "deadbeef"];

/// Does it look like chance? Words, dotted names, versions, dates and UUIDs do not.
pub(super) fn looks_random(value: &str) -> bool {
    let core = value.trim_end_matches('=');
    let lower = core.to_ascii_lowercase();
    let digits = core.bytes().filter(u8::is_ascii_digit).count();
    let letters = core.bytes().filter(u8::is_ascii_alphabetic).count();
    core.len() >= 16
        && digits >= 1
        && letters >= 3
        && !PLACEHOLDERS.iter().any(|word| lower.contains(word))
        && !is_uuid(core)
        && !is_account(core)
        && different(core) >= 8
        && switches(core) * 5 >= core.len()
}

/// The public address of an account in a chain of blocks: its key is half as long again.
fn is_account(text: &str) -> bool {
    text.strip_prefix("0x").is_some_and(|hex| hex.len() == 40 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn different(text: &str) -> usize {
    let mut bytes = text.as_bytes().to_vec();
    bytes.sort_unstable();
    bytes.dedup();
    bytes.len()
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Lower,
    Upper,
    Digit,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}

/// How often small letters, capitals and digits take turns. A word with a capital in front counts as one run, and marks
/// between words as no turn.
fn switches(text: &str) -> usize {
    let classes: Vec<Class> = text.bytes().map(class).collect();
    let turn = |index: usize| {
        let (one, other) = (classes[index], classes[index + 1]);
        let word_begins =
            one == Class::Upper && other == Class::Lower && (index == 0 || classes[index - 1] != Class::Upper);
        one != other && one != Class::Other && other != Class::Other && !word_begins
    };
    (0..classes.len().saturating_sub(1)).filter(|index| turn(*index)).count()
}

/// Has `text` both letters and digits, and enough different ones?
pub(super) fn is_mixed(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.as_bytes().iter().any(is);
    different(text) >= LEAST_DIFFERENT && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// Does `value` say that it only stands for a secret?
pub(crate) fn stands_for_nothing(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    different(&lower) < 5 || PLACEHOLDERS.iter().chain(&SAMPLES).any(|word| lower.contains(word))
}

/// Bits of chance in each character of `value`, as far as its own characters tell: words have about 3, keys above 3.5.
pub(crate) fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = value.len() as f64;
    let bits = |count: &u32| {
        let share = f64::from(*count) / length;
        -share * share.log2()
    };
    counts.iter().filter(|count| **count > 0).map(bits).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_told_from_words() {
        assert!(entropy("q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaK") > 4.0);
        assert!(entropy("passwordpassword") < 3.0 && entropy("aaaaaaaa") < 0.1);
    }
}
