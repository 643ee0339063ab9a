//! Calls as models write them, not to the letter, that must land all the same.

use crate::edits::samples::Sample;
use crate::edits::words::{
    Numbers, common_indent, drifted, each_line, indent, one_line, other_steps, shared, smart_quotes,
};

/// A call on a file, and the file that must come of it.
pub(crate) struct Landing {
    pub(crate) text: String,
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) done: String,
}

/// Makes a call of a sample, where the sample has what it takes.
pub(crate) type Perturb = fn(&Sample, &mut Numbers) -> Option<Landing>;

/// All by name.
pub(crate) const ALL: &[(&str, Perturb)] = &[
    ("to the letter", |sample, _| said(sample, sample.old.clone(), sample.new.clone())),
    ("indentation: less", |sample, _| both(sample, |line| less(sample, line))),
    ("indentation: more", |sample, _| both(sample, |line| format!("  {line}"))),
    ("indentation: other steps", |sample, _| both(sample, |line| other_steps(line, step(sample), narrow(sample)))),
    ("indentation: less in old_string only", |sample, _| in_old(sample, |line| less(sample, line))),
    ("indentation: other steps in old_string only", |sample, _| {
        in_old(sample, |line| other_steps(line, step(sample), narrow(sample)))
    }),
    ("indentation: of the first line lost", first_line_bare),
    ("tabs for spaces, spaces for tabs", |sample, _| {
        both(sample, |line| other_steps(line, step(sample), if step(sample) == "\t" { "    " } else { "\t" }))
    }),
    ("tabs for spaces in old_string only", |sample, _| {
        in_old(sample, |line| other_steps(line, step(sample), if step(sample) == "\t" { "    " } else { "\t" }))
    }),
    ("trailing space in the call", trailing_in_call),
    ("trailing space in old_string only", |sample, _| in_old(sample, |line| format!("{line} "))),
    ("trailing space in the file", |sample, numbers| in_file(sample, numbers, |line, _| Some(format!("{line}  ")))),
    ("smart quotes in the call", smart_in_call),
    ("smart quotes in old_string only", |sample, _| in_old(sample, smart_quotes)),
    ("smart quotes in the file", |sample, numbers| in_file(sample, numbers, |line, _| Some(smart_quotes(line)))),
    ("dashes and fixed spaces in the call", dashes_in_call),
    ("line ends: CRLF in the file", |sample, _| {
        let text = sample.text.replace('\n', "\r\n");
        Some(Landing { text, done: sample.done().replace('\n', "\r\n"), ..to_the_letter(sample) })
    }),
    ("line ends: CRLF in the call", |sample, _| {
        said(sample, sample.old.replace('\n', "\r\n"), sample.new.replace('\n', "\r\n"))
    }),
    ("blank line before", |sample, _| said(sample, format!("\n{}", sample.old), format!("\n{}", sample.new))),
    ("blank line before old_string only", |sample, _| said(sample, format!("\n{}", sample.old), sample.new.clone())),
    ("line end after old_string only", |sample, _| said(sample, format!("{}\n", sample.old), sample.new.clone())),
    ("blank lines after", |sample, _| said(sample, format!("{}\n\n", sample.old), format!("{}\n\n", sample.new))),
    ("first line lost", |sample, _| {
        let ((_, old), (_, new)) = (sample.old.split_once('\n')?, sample.new.split_once('\n')?);
        (shared(&sample.old, &sample.new).0 > 0).then(|| loosely(sample, old, new))
    }),
    ("last line lost", |sample, _| {
        let ((old, _), (new, _)) = (sample.old.rsplit_once('\n')?, sample.new.rsplit_once('\n')?);
        (shared(&sample.old, &sample.new).1 > 0).then(|| loosely(sample, old, new))
    }),
    ("a token drifted", token_drifted),
    ("a token drifted, right in new_string", token_drifted_in_old),
    ("a token drifted, indentation too", |sample, numbers| {
        let call = token_drifted(sample, numbers)?;
        let bare = |text: &str| each_line(text, |line| less(sample, line));
        Some(Landing { old: bare(&call.old), new: bare(&call.new), ..call })
    }),
    ("stale view", stale),
    ("repeated context", repeated),
    ("line numbers", numbered),
    ("several at once", |sample, numbers| {
        let call = trailing_in_call(sample, numbers)?;
        let bare = |text: &str| format!("\n{}", each_line(text, |line| less(sample, line)));
        let crlf = |text: String| text.replace('\n', "\r\n");
        Some(Landing { text: crlf(call.text), old: bare(&call.old), new: bare(&call.new), done: crlf(call.done) })
    }),
];

/// Calls that say too little to be sure: they may be refused, but what lands must be right.
pub(crate) const DOUBTFUL: &[(&str, Perturb)] = &[
    ("all indentation lost", |sample, _| both(sample, |line| line.trim_start().into()).filter(|_| has_depth(sample))),
    ("all indentation lost in old_string", |sample, _| in_old(sample, |line| line.trim_start().into())),
    ("all indentation one step deep", |sample, _| {
        both(sample, |line| format!("{}{}", step(sample), line.trim_start()))
    }),
    ("a line in between lost", |sample, numbers| {
        let (in_old, in_new) = numbers.one_of(&quiet_lines(sample))?;
        said(sample, without_line(&sample.old, in_old), without_line(&sample.new, in_new))
    }),
    ("two lines in between changed places", |sample, numbers| {
        let quiet = quiet_lines(sample);
        let next: Vec<_> =
            quiet.windows(2).filter(|two| two[0].0 + 1 == two[1].0 && two[0].1 + 1 == two[1].1).collect();
        let two = numbers.one_of(&next)?;
        said(sample, swapped(&sample.old, two[0].0), swapped(&sample.new, two[0].1))
    }),
    ("two tokens drifted", |sample, numbers| {
        let call = token_drifted(sample, numbers)?;
        let again = Sample { old: call.old.clone(), new: call.new.clone(), ..sample.clone() };
        let Landing { old, new, .. } = token_drifted(&again, numbers)?;
        Some(Landing { old, new, ..call })
    }),
    ("a token drifted, the rest repeated", |sample, numbers| {
        let Landing { text, done, .. } = repeated(sample, numbers)?;
        let call = token_drifted(sample, numbers)?;
        let elsewhere = text.contains(&call.old);
        if elsewhere { None } else { Some(Landing { text, done, ..call }) }
    }),
    ("a blank line in between lost", |sample, _| {
        let old = sample.old.replacen("\n\n", "\n", 1);
        if old == sample.old { None } else { said(sample, old, sample.new.replacen("\n\n", "\n", 1)) }
    }),
];

/// Are the lines of the old text indented differently, so that one sees that the call has lost it?
fn has_depth(sample: &Sample) -> bool {
    let mut indents = sample.old.split('\n').filter(|line| !line.trim().is_empty()).map(indent);
    let first = indents.next();
    indents.any(|indent| Some(indent) != first)
}

fn without_line(text: &str, number: usize) -> String {
    let lines = text.split('\n').enumerate().filter(|(index, _)| *index != number).map(|(_, line)| line);
    lines.collect::<Vec<_>>().join("\n")
}

fn swapped(text: &str, number: usize) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.swap(number, number + 1);
    lines.join("\n")
}

fn to_the_letter(sample: &Sample) -> Landing {
    let Sample { text, old, new, .. } = sample.clone();
    Landing { text, old, new, done: sample.done() }
}

/// The file as it is, and another call.
#[expect(clippy::unnecessary_wraps, reason = "the form of every entry in the table")]
fn said(sample: &Sample, old: String, new: String) -> Option<Landing> {
    Some(Landing { old, new, ..to_the_letter(sample) })
}

/// The file as it is, and every line of the call changed.
fn both(sample: &Sample, change: impl Fn(&str) -> String) -> Option<Landing> {
    let (old, new) = (each_line(&sample.old, &change), each_line(&sample.new, &change));
    if old == sample.old { None } else { said(sample, old, new) }
}

/// The file as it is, and every line of the old text changed.
fn in_old(sample: &Sample, change: impl Fn(&str) -> String) -> Option<Landing> {
    let old = each_line(&sample.old, &change);
    if old == sample.old { None } else { said(sample, old, sample.new.clone()) }
}

/// Without the indentation that all lines have, or with odd one where they have none.
fn less(sample: &Sample, line: &str) -> String {
    match common_indent(&sample.old, &sample.new).as_str() {
        "" => format!("   {line}"),
        common => line.strip_prefix(common).unwrap_or(line).into(),
    }
}

/// One step of indentation in the file.
fn step(sample: &Sample) -> &'static str {
    match sample.name.rsplit('.').next() {
        Some("go") => "\t",
        Some("ts" | "yaml" | "html") => "  ",
        _ => "    ",
    }
}

/// A narrower or wider one.
fn narrow(sample: &Sample) -> &'static str {
    if step(sample) == "    " { "  " } else { "    " }
}

/// With another indentation, so that it is not to the letter.
fn loosely(sample: &Sample, old: &str, new: &str) -> Landing {
    let bare = |text: &str| each_line(text, |line| less(sample, line));
    Landing { old: bare(old), new: bare(new), ..to_the_letter(sample) }
}

/// The first line has lost its indentation, the last one has a blank at its end.
fn first_line_bare(sample: &Sample, _: &mut Numbers) -> Option<Landing> {
    let same = indent(&sample.old) == indent(&sample.new) && !indent(&sample.old).is_empty();
    let bare = |text: &str| text.trim_start().to_owned();
    same.then(|| Landing { old: bare(&sample.old) + " ", new: bare(&sample.new), ..to_the_letter(sample) })
}

fn trailing_in_call(sample: &Sample, numbers: &mut Numbers) -> Option<Landing> {
    let blanks = [" ", "  ", "\t"][numbers.below(3)];
    both(sample, |line| if line.len() % 2 == 0 { format!("{line}{blanks}") } else { line.into() })
}

/// A line that both texts share is another in the file: it must stay so.
fn in_file(
    sample: &Sample,
    numbers: &mut Numbers,
    change: impl Fn(&str, &mut Numbers) -> Option<String>,
) -> Option<Landing> {
    let (first, last) = shared(&sample.old, &sample.new);
    let lines: Vec<&str> = sample.old.split('\n').collect();
    let mut changed = Vec::new();
    for number in (0..first).chain(lines.len() - last..lines.len()) {
        let line =
            change(lines[number], numbers).filter(|line| line != lines[number] && !lines[number].trim().is_empty());
        changed.extend(line.map(|line| (number, line)));
    }
    let nth = if changed.is_empty() { return None } else { numbers.below(changed.len()) };
    let (number, line) = &changed[nth];
    let real = one_line(&sample.old, *number, |_| line.clone());
    let in_new = if *number < first { *number } else { number + sample.new.split('\n').count() - lines.len() };
    let done = one_line(&sample.new, in_new, |_| line.clone());
    let put = |with: &str| sample.text.replacen(&sample.old, with, 1);
    Some(Landing { text: put(&real), done: put(&done), ..to_the_letter(sample) })
}

fn smart_in_call(sample: &Sample, _: &mut Numbers) -> Option<Landing> {
    let has_quotes = |text: &str| text.contains(['"', '\'']);
    (has_quotes(&sample.old)).then(|| Landing {
        old: smart_quotes(&sample.old),
        new: smart_quotes(&sample.new),
        ..to_the_letter(sample)
    })
}

fn dashes_in_call(sample: &Sample, numbers: &mut Numbers) -> Option<Landing> {
    let inner = |line: &str| line.trim().contains([' ', '-']);
    let fixed = |line: &str| {
        let (indent, rest) = line.split_at(indent(line).len());
        format!("{indent}{}", rest.replace(" - ", " – ").replacen(' ', "\u{a0}", 1))
    };
    let (first, _) = shared(&sample.old, &sample.new);
    let lines: Vec<usize> = (0..first).filter(|number| inner(sample.old.split('\n').nth(*number).unwrap())).collect();
    let number = numbers.one_of(&lines)?;
    said(sample, one_line(&sample.old, number, fixed), one_line(&sample.new, number, fixed))
}

/// A line between the first and the last that the change leaves alone, and its like in the new text.
fn quiet_lines(sample: &Sample) -> Vec<(usize, usize)> {
    let (first, last) = shared(&sample.old, &sample.new);
    let (old, new) = (sample.old.split('\n').count(), sample.new.split('\n').count());
    let before = (1..first).map(|line| (line, line));
    let after = (old - last..old - 1).map(|line| (line, line + new - old));
    before.chain(after).filter(|(line, _)| *line > 0 && *line < old - 1).collect()
}

fn token_drifted(sample: &Sample, numbers: &mut Numbers) -> Option<Landing> {
    let (in_old, in_new, line) = drift(sample, numbers)?;
    let old = one_line(&sample.old, in_old, |_| line.clone());
    said(sample, old, one_line(&sample.new, in_new, |_| line.clone()))
}

fn token_drifted_in_old(sample: &Sample, numbers: &mut Numbers) -> Option<Landing> {
    let (in_old, _, line) = drift(sample, numbers)?;
    said(sample, one_line(&sample.old, in_old, |_| line.clone()), sample.new.clone())
}

/// A quiet line of at least five, with a token drifted.
fn drift(sample: &Sample, numbers: &mut Numbers) -> Option<(usize, usize, String)> {
    let lines: Vec<&str> = sample.old.split('\n').collect();
    let mut found = Vec::new();
    for (in_old, in_new) in quiet_lines(sample) {
        found.extend(drifted(lines[in_old], numbers).map(|line| (in_old, in_new, line)));
    }
    let nth = numbers.below(found.len().max(1));
    if lines.len() < 5 { None } else { found.into_iter().nth(nth) }
}

/// Since the model read it, the file got lines above, others below, and a line elsewhere changed.
fn stale(sample: &Sample, numbers: &mut Numbers) -> Option<Landing> {
    let (before, after) = sample.text.split_once(&sample.old)?;
    let changed = |text: &str, numbers: &mut Numbers| {
        let number = numbers.below(text.split('\n').count());
        let line = drifted(text.split('\n').nth(number).unwrap(), numbers);
        one_line(text, number, |now| line.clone().unwrap_or_else(|| now.into()))
    };
    let (before, after) = (changed(before, numbers), changed(after, numbers));
    let more: String = (0..=numbers.below(9)).map(|nth| format!("# a line more, {nth}\n")).collect();
    let put = |middle: &str| format!("{more}{before}{middle}{after}{more}");
    let call = loosely(sample, &sample.old, &sample.new);
    Some(Landing { text: put(&sample.old), done: put(&sample.new), ..call })
}

/// The same lines again at the end, but for one.
fn repeated(sample: &Sample, numbers: &mut Numbers) -> Option<Landing> {
    let lines: Vec<&str> = sample.old.split('\n').collect();
    let number = numbers.below(lines.len());
    let line = drifted(lines[number], numbers)?;
    let again = one_line(&sample.old, number, |_| line.clone());
    let put = |text: String| format!("{text}\n{again}\n");
    let call = loosely(sample, &sample.old, &sample.new);
    Some(Landing { text: put(sample.text.clone()), done: put(sample.done()), ..call })
}

/// As `read_file` shows lines, with the indentation lost on the way.
fn numbered(sample: &Sample, numbers: &mut Numbers) -> Option<Landing> {
    let first = sample.text.split(&sample.old).next()?.matches('\n').count() + 1;
    let mut number = |text: &str| {
        let blank = if numbers.below(2) == 0 { "" } else { "  " };
        let line = |(nth, line): (usize, &str)| format!("{blank}{}\t{line}", first + nth);
        text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
    };
    let call = loosely(sample, &sample.old, &sample.new);
    Some(Landing { old: number(&call.old), new: number(&call.new), ..call })
}
