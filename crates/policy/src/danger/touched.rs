//! What a program would change, as far as its words tell.

use super::flags::{has, of_git, operands, says, value};
use super::known::{ADJUSTERS, CHANGERS, COPIERS, READERS, REMOVERS, name, unversioned};
use super::programs::starts_others;
use super::script::{ScriptPart, ScriptWord};
use crate::lists::listed;

/// Something that a program names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touched {
    /// The path as it is spelled.
    pub(super) word: ScriptWord,
    pub(super) how: How,
}

/// How sure it is that a program changes what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// That is what the program does.
    Changes,
    /// It takes it away, with all below it.
    Removes,
    /// A folder is named, and this is the name that something gets in it.
    Enters,
    /// It is not known what the program does.
    Maybe,
    Starts,
    Links,
}

/// Programs that run the code they are given in a word.
const INTERPRETERS: &[&str] = &["python", "node", "perl", "ruby", "php", "lua", "deno", "bun"];

/// What `part` writes to by redirection, and what its program would change.
pub(super) fn touched(part: &ScriptPart) -> Vec<Touched> {
    let mut touched = all(How::Changes, part.writes.iter().cloned());
    if let Some((program, words)) = part.words.split_first() {
        touched.extend(by_program(name(program), words));
    }
    touched
}

fn all(how: How, words: impl IntoIterator<Item = ScriptWord>) -> Vec<Touched> {
    words.into_iter().map(|word| Touched { word, how }).collect()
}

fn by_program(program: &str, words: &[ScriptWord]) -> Vec<Touched> {
    let operands = || operands(words).into_iter().cloned();
    let named = |flags: &[&str]| all(How::Changes, value(words, flags));
    match program {
        "sort" => named(&["-o", "--output"]),
        "tree" => named(&["-o"]),
        "curl" => named(&["-o", "--output"]),
        "wget" => named(&["-O", "--output-document", "-P"]),
        "uniq" => all(How::Changes, operands().skip(1)),
        "dd" => named(&["of"]),
        "find" => by_find(words),
        "git" => by_git(words),
        "sed" | "perl" if has(words, &['i'], "in-place") => {
            let script = usize::from(program == "sed" && !says(words, &["-e", "-f", "--expression", "--file"]));
            all(How::Changes, operands().skip(script))
        }
        "sed" => Vec::new(),
        "mv" => {
            let mut sources: Vec<ScriptWord> = operands().collect();
            let target = value(words, &["-t", "--target-directory"]).or_else(|| sources.pop());
            let mut touched = all(How::Removes, sources);
            touched.extend(all(How::Changes, target));
            touched
        }
        "scp" | "rsync" => all(How::Changes, operands().next_back().filter(|word| !is_remote(&word.text))),
        "ln" | "link" => linked(words),
        copier if COPIERS.contains(&copier) => match value(words, &["-t", "--target-directory"]) {
            Some(folder) => all(How::Changes, [folder]),
            None => all(How::Changes, operands().skip(1).last()),
        },
        remover if REMOVERS.contains(&remover) => all(How::Removes, operands()),
        changer if CHANGERS.contains(&changer) => all(How::Changes, operands()),
        adjuster if ADJUSTERS.contains(&adjuster) => {
            all(How::Changes, operands().skip(usize::from(!says_how_by_flag(adjuster, words))))
        }
        reader if listed(READERS, reader) => Vec::new(),
        // What others start is looked at by itself.
        starter if starts_others(starter) => {
            let flags = words.iter().take_while(|word| word.text.starts_with('-'));
            guessed(starter, &flags.filter(|word| word.text.contains('=')).cloned().collect::<Vec<_>>())
        }
        _ => guessed(program, words),
    }
}

/// Is what an adjuster does said by a flag, as in `chmod -x`, so that its first operand is changed already?
fn says_how_by_flag(program: &str, words: &[ScriptWord]) -> bool {
    let letters = match program {
        "chmod" => "rwxXst",
        "chattr" => "aAcCdDeFijmPsStTux",
        "setfacl" => return !says(words, &["-m", "-x", "--modify", "--remove"]),
        _ => "",
    };
    let is_mode = |text: &str| text.len() > 1 && text[1..].chars().all(|letter| letters.contains(letter));
    words.iter().any(|word| {
        let text = word.text.as_str();
        text.starts_with("--reference=") || text.starts_with('-') && is_mode(text)
    })
}

/// The link that `ln` makes, and what it leads to. A symbolic link leads on from where it lies.
fn linked(words: &[ScriptWord]) -> Vec<Touched> {
    let mut sources: Vec<ScriptWord> = operands(words).into_iter().cloned().collect();
    let folder = value(words, &["-t", "--target-directory"]);
    let alone = folder.is_none() && sources.len() == 1;
    let link = folder.or_else(|| if alone { None } else { sources.pop() });
    let mut from = vec![String::new()];
    if let Some(link) = link.as_ref().filter(|_| has(words, &['s'], "symbolic")) {
        let above = link.text.trim_end_matches('/').rsplit_once('/').map_or("", |(above, _)| above);
        from.extend([format!("{above}/"), format!("{}/", link.text)]);
    }
    let mut touched = all(How::Changes, link);
    for source in sources {
        let starts = if source.text.starts_with('/') { &from[..1] } else { &from[..] };
        let named = starts.iter().filter(|start| *start != "/").map(|start| ScriptWord {
            text: format!("{start}{}", source.text),
            pattern: source.pattern.as_ref().map(|pattern| format!("{start}{pattern}")),
            unknown: source.unknown,
        });
        touched.extend(all(How::Links, named.collect::<Vec<_>>()));
    }
    touched
}

/// Anything that may be a path among the words of a program that is not known.
fn guessed(program: &str, words: &[ScriptWord]) -> Vec<Touched> {
    let interprets = INTERPRETERS.contains(&unversioned(program));
    let path = |(at, word): (usize, &ScriptWord)| {
        let code =
            interprets && at > 0 && matches!(words[at - 1].text.as_str(), "-c" | "-e" | "-p" | "-pe" | "-ne" | "-r");
        if code || word.text.contains(char::is_whitespace) || word.text.contains("://") {
            return None;
        }
        match word.text.strip_prefix("--").and_then(|flag| flag.split_once('=')) {
            Some((_, value)) => Some(ScriptWord { text: value.to_owned(), ..word.clone() }),
            None => (!word.text.starts_with('-')).then(|| word.clone()),
        }
    };
    let mut guessed = all(How::Maybe, words.iter().enumerate().filter_map(path));
    let script = words.first().filter(|word| interprets && !word.text.starts_with('-'));
    if let (Some(script), Some(first)) = (script, guessed.first_mut())
        && first.word == *script
    {
        first.how = How::Starts;
    }
    guessed
}

/// The names that copiers and movers give to things in the folder that they put them in.
pub(super) fn entries(part: &ScriptPart) -> Vec<Touched> {
    let Some((program, words)) = part.words.split_first() else { return Vec::new() };
    let program = name(program);
    if !(COPIERS.contains(&program) || ["mv", "rsync", "scp"].contains(&program)) {
        return Vec::new();
    }
    let mut sources: Vec<&ScriptWord> = operands(words);
    let named = value(words, &["-t", "--target-directory"]);
    let Some(folder) = named.or_else(|| sources.pop().cloned()) else { return Vec::new() };
    let last = |text: &str| text.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let entry = |source: &ScriptWord| {
        let joined = |folder: &str, name: &str| format!("{folder}/{}", last(name));
        let pattern = (folder.pattern.is_some() || source.pattern.is_some()).then(|| {
            let of = |word: &ScriptWord| word.pattern.clone().unwrap_or_else(|| word.text.clone());
            joined(&of(&folder), &of(source))
        });
        let unknown = folder.unknown || source.unknown;
        ScriptWord { text: joined(&folder.text, &source.text), pattern, unknown }
    };
    all(How::Enters, sources.into_iter().map(entry).collect::<Vec<_>>())
}

fn by_find(words: &[ScriptWord]) -> Vec<Touched> {
    let mut touched =
        all(How::Changes, ["-fprint", "-fprint0", "-fprintf", "-fls"].iter().filter_map(|flag| value(words, &[flag])));
    if says(words, &["-delete"]) {
        let starts = words.iter().take_while(|word| !word.text.starts_with('-')).cloned();
        touched.extend(all(How::Removes, starts));
    }
    touched
}

fn by_git(words: &[ScriptWord]) -> Vec<Touched> {
    match of_git(words) {
        Some(("rm", rest)) => all(How::Removes, operands(rest).into_iter().cloned()),
        Some(("checkout" | "restore" | "mv", rest)) => all(How::Changes, operands(rest).into_iter().cloned()),
        // The folder that is made.
        Some(("clone", rest)) => all(How::Changes, operands(rest).into_iter().skip(1).last().cloned()),
        Some(("init", rest)) => all(How::Changes, operands(rest).into_iter().last().cloned()),
        _ => Vec::new(),
    }
}

/// The folder of a new work tree: so ordinary a thing that it is no danger, but the sandbox has to let it be made.
pub(super) fn work_tree(part: &ScriptPart) -> Option<Touched> {
    let (_, words) = part.words.split_first().filter(|(program, _)| name(program) == "git")?;
    let Some(("worktree", rest)) = of_git(words) else { return None };
    match operands(rest).as_slice() {
        [add, folder, ..] if add.text == "add" => Some(Touched { word: (*folder).clone(), how: How::Changes }),
        _ => None,
    }
}

/// `host:path`
pub(super) fn is_remote(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, _)| !host.is_empty() && !host.contains('/'))
}
