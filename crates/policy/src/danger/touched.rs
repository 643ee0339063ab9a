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
    /// How sure it is.
    pub(super) how: How,
}

/// How sure it is that a program changes what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// That is what the program does.
    Changes,
    /// It takes it away, with all below it.
    Removes,
    /// It is not known what the program does.
    Maybe,
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
        copier if COPIERS.contains(&copier) => match value(words, &["-t", "--target-directory"]) {
            Some(folder) => all(How::Changes, [folder]),
            None => all(How::Changes, operands().skip(1).last()),
        },
        remover if REMOVERS.contains(&remover) => all(How::Removes, operands()),
        changer if CHANGERS.contains(&changer) => all(How::Changes, operands()),
        adjuster if ADJUSTERS.contains(&adjuster) => all(How::Changes, operands().skip(1)),
        reader if listed(READERS, reader) => Vec::new(),
        // What others start is looked at by itself.
        starter if starts_others(starter) => {
            let flags = words.iter().take_while(|word| word.text.starts_with('-'));
            guessed(starter, &flags.filter(|word| word.text.contains('=')).cloned().collect::<Vec<_>>())
        }
        _ => guessed(program, words),
    }
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
    all(How::Maybe, words.iter().enumerate().filter_map(path))
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
