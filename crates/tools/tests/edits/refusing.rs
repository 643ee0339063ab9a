//! Calls that must not land: they could mean several places, or none that is there.

use crate::edits::samples::Sample;
use crate::edits::words::{Numbers, drifted, each_line, one_line, shared, smart_quotes};

/// A call on a file that must stay as it is.
pub(crate) struct Refusal {
    pub(crate) text: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Makes a call of a sample, where the sample has what it takes.
pub(crate) type Perturb = fn(&Sample, &mut Numbers) -> Option<Refusal>;

/// Several places could be meant.
pub(crate) const AMBIGUOUS: &[(&str, Perturb)] = &[
    ("twice in the file", |sample, _| twice(sample, str::to_owned, str::to_owned)),
    ("twice, other indentation", |sample, _| twice(sample, str::to_owned, |text| shifted(text, "   "))),
    ("twice, the second one deeper", |sample, _| {
        twice(sample, |text| shifted(text, "    "), |text| shifted(text, " "))
    }),
    ("twice, trailing space", |sample, _| {
        twice(
            sample,
            |text| each_line(text, |line| format!("{line} ")),
            |text| each_line(text, |line| format!("{line}  ")),
        )
    }),
    ("twice, smart quotes", |sample, _| {
        twice(sample, str::to_owned, smart_quotes).filter(|_| sample.old.contains(['"', '\'']))
    }),
    ("twice, blank lines before", |sample, _| twice(sample, str::to_owned, |text| format!("\n\n\n\n\n{text}"))),
    ("twice but for the token that drifted", twice_drifted),
    ("a line that stands in several places", common_line),
];

/// What is sought is not there, or not as the change needs it.
pub(crate) const MISSES: &[(&str, Perturb)] = &[
    ("a token drifted in the line to be changed", changed_line_drifted),
    ("gone since it was read", |sample, numbers| {
        let lines =
            sample.old.split('\n').map(|line| drifted(line, numbers).unwrap_or_else(|| format!("{line} // other")));
        let real = lines.collect::<Vec<_>>().join("\n");
        Some(Refusal { text: sample.text.replacen(&sample.old, &real, 1), ..call(sample) })
    }),
    ("removed since it was read", |sample, _| {
        Some(Refusal { text: sample.text.replacen(&sample.old, "", 1), ..call(sample) })
    }),
];

fn call(sample: &Sample) -> Refusal {
    let Sample { text, old, new, .. } = sample.clone();
    Refusal { text, old, new }
}

fn shifted(text: &str, by: &str) -> String {
    each_line(text, |line| format!("{by}{line}"))
}

/// The same again at the end of the file, changed by `second`; the call changed by `said`.
#[expect(clippy::unnecessary_wraps, reason = "the form of every entry in the table")]
fn twice(sample: &Sample, second: impl Fn(&str) -> String, said: impl Fn(&str) -> String) -> Option<Refusal> {
    let text = format!("{}\n\n\n{}\n", sample.text, second(&sample.old));
    Some(Refusal { text, old: said(&sample.old), new: said(&sample.new) })
}

fn twice_drifted(sample: &Sample, numbers: &mut Numbers) -> Option<Refusal> {
    let lines: Vec<&str> = sample.old.split('\n').collect();
    if lines.len() < 5 {
        return None;
    }
    let number = 1 + numbers.below(lines.len() - 2);
    let (in_file, in_call) = (drifted(lines[number], numbers)?, format!("{} extra", lines[number]));
    let text = format!("{}\n{}\n", sample.text, one_line(&sample.old, number, |_| in_file.clone()));
    Some(Refusal {
        text,
        old: one_line(&sample.old, number, |_| in_call.clone()),
        new: one_line(&sample.new, number, |_| in_call.clone()),
    })
}

fn common_line(sample: &Sample, _: &mut Numbers) -> Option<Refusal> {
    let lines: Vec<&str> = sample.text.split('\n').map(str::trim).collect();
    let often = |line: &&str| !line.is_empty() && lines.iter().filter(|other| *other == line).count() > 1;
    let line = sample.old.split('\n').map(str::trim).find(often)?;
    Some(Refusal { old: format!("   {line}  "), new: format!("   {line} more"), ..call(sample) })
}

fn changed_line_drifted(sample: &Sample, numbers: &mut Numbers) -> Option<Refusal> {
    let (first, last) = shared(&sample.old, &sample.new);
    let lines: Vec<&str> = sample.old.split('\n').collect();
    // Where the new text has the line as it is, the model put it right.
    let changed: Vec<usize> = (first..lines.len() - last)
        .filter(|number| !sample.new.split('\n').any(|line| line == lines[*number]))
        .collect();
    let number = numbers.one_of(&changed)?;
    let line = drifted(lines[number], numbers)?;
    Some(Refusal { old: one_line(&sample.old, number, |_| line.clone()), ..call(sample) })
}
