//! Which programs a script starts: also those that stand behind a program whose work is to start others.

use super::known::{SHELLS, name, unversioned};
use super::script::{Item, ScriptPart, ScriptWord, ShellStart, read};
use super::starters;

/// Scripts within scripts that are looked into.
const DEEPEST: usize = 6;

/// Pieces that are looked at; whoever writes more is asked about like anybody else.
const MOST: usize = 4_000;

/// Programs that run code of another language that a word gives them.
const INTERPRETERS: &[&str] = &["python", "perl", "node", "nodejs", "ruby", "php"];

/// The pieces of `script` with what stands behind starters and shells, each where it would be started.
pub(super) fn pieces(script: &str, known: ShellStart<'_>) -> Vec<Item> {
    let mut pieces = Vec::new();
    collect(script, known, 0, &mut pieces);
    pieces
}

fn collect(script: &str, known: ShellStart<'_>, depth: usize, pieces: &mut Vec<Item>) {
    let mut said = None;
    for item in read(script, known) {
        if pieces.len() > MOST {
            return;
        }
        let Item::Part(part) = item else {
            pieces.push(item);
            continue;
        };
        let told = if part.fed { said.take() } else { None };
        said = text_said(&part);
        unfold(part, told, known, depth, pieces);
    }
}

/// What `echo` and its like would hand on.
fn text_said(part: &ScriptPart) -> Option<String> {
    let (program, words) = part.words.split_first()?;
    matches!(name(program), "echo" | "printf").then(|| joined(words))
}

/// Adds `part`, and what it starts.
fn unfold(part: ScriptPart, told: Option<String>, known: ShellStart<'_>, depth: usize, pieces: &mut Vec<Item>) {
    if depth < DEEPEST && pieces.len() < MOST {
        for script in scripts(&part, told.clone()) {
            // Its folder is its own.
            pieces.push(Item::Open);
            collect(&script, known, depth + 1, pieces);
            pieces.push(Item::Close);
        }
        let handed = handed_on(&part, told.as_deref());
        for mut words in started(&part.words) {
            words.extend(handed.iter().cloned());
            let inner = ScriptPart { words, writes: Vec::new(), ..part.clone() };
            unfold(inner, None, known, depth + 1, pieces);
        }
    }
    pieces.push(Item::Part(part));
}

/// Words that `xargs` puts behind those of the program that it starts.
fn handed_on(part: &ScriptPart, told: Option<&str>) -> Vec<ScriptWord> {
    if part.words.first().is_none_or(|program| name(program) != "xargs") {
        return Vec::new();
    }
    let told = told.unwrap_or_default().split_whitespace().chain(part.document.split_whitespace());
    told.filter(|word| !word.starts_with('-')).map(ScriptWord::plain).collect()
}

/// Is it a program's work to start others, or to run a text it is given?
pub(super) fn starts_others(program: &str) -> bool {
    let told = ["eval", "trap"];
    SHELLS.contains(&program)
        || SHELLS.contains(&unversioned(program))
        || told.contains(&program)
        || starters::is_starter(program)
}

fn joined(words: &[ScriptWord]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Texts that the part has run as scripts. What is put into it by a pipe was `told` by the part before.
fn scripts(part: &ScriptPart, told: Option<String>) -> Vec<String> {
    let Some((program, words)) = part.words.split_first() else { return Vec::new() };
    let after = |flag: fn(&str) -> bool| {
        let at = words.iter().position(|word| flag(&word.text));
        at.and_then(|at| words.get(at + 1)).map(|word| word.text.clone())
    };
    let cluster = |text: &str| text.starts_with('-') && !text.starts_with("--") && text.contains('c');
    match name(program) {
        shell if SHELLS.contains(&shell) => {
            let operand = words.iter().any(|word| !word.text.starts_with('-'));
            let fed = (!operand).then(|| told.unwrap_or_default() + &part.document);
            after(cluster).or(fed).into_iter().collect()
        }
        "eval" => vec![joined(words)],
        other if INTERPRETERS.contains(&unversioned(other)) => {
            after(|text| matches!(text, "-c" | "-e" | "-r" | "--eval"))
                .map(|code| quoted_scripts(&code))
                .unwrap_or_default()
        }
        "trap" => words.first().map(|word| word.text.clone()).into_iter().collect(),
        other => starters::texts(other, words),
    }
}

/// What code of another language may hand to a shell: its quoted texts, where it starts one, and folders that it takes
/// away whole.
fn quoted_scripts(code: &str) -> Vec<String> {
    let starts =
        ["system(", "system \"", "system '", "popen(", "exec(", "execSync(", "exec \"", "exec '", "subprocess.", "`"];
    let starts = starts.iter().any(|start| code.contains(start));
    let removes = ["rmtree", "rm_rf", "rm_r(", "rmSync", "remove_tree", "remove_dir_all"];
    let removes = removes.iter().any(|remove| code.contains(remove));
    let mut scripts = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['\'', '"', '`']) {
        let (quote, after) = (&rest[at..=at], &rest[at + 1..]);
        let Some(end) = after.find(quote) else { break };
        let text = &after[..end];
        // One word alone can be anything.
        if starts && text.contains(' ') && scripts.len() < 16 {
            scripts.push(text.to_owned());
        }
        if removes && text.starts_with(['/', '~']) && !text.contains(char::is_whitespace) {
            scripts.push(format!("rm -rf {text}"));
        }
        rest = &after[end + 1..];
    }
    scripts
}

/// Programs that stand as words among the words of another.
fn started(words: &[ScriptWord]) -> Vec<Vec<ScriptWord>> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let program = name(program);
    if program == "find" {
        return by_find(rest);
    }
    if program == "git" {
        return after(rest, &["bisect", "run"])
            .or_else(|| after(rest, &["submodule", "foreach"]))
            .into_iter()
            .collect();
    }
    starters::started(program, rest)
}

fn after(words: &[ScriptWord], first: &[&str]) -> Option<Vec<ScriptWord>> {
    let begins = words.iter().map(|word| word.text.as_str()).take(first.len()).eq(first.iter().copied());
    (begins && words.len() > first.len()).then(|| words[first.len()..].to_vec())
}

/// `find … -exec program … ;`
fn by_find(mut words: &[ScriptWord]) -> Vec<Vec<ScriptWord>> {
    let starts = |word: &ScriptWord| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let ends = |word: &ScriptWord| matches!(word.text.as_str(), ";" | "+");
    let mut inner = Vec::new();
    while let Some(at) = words.iter().position(starts) {
        let rest = &words[at + 1..];
        let (program, after) = rest.split_at(rest.iter().position(ends).unwrap_or(rest.len()));
        inner.extend((!program.is_empty()).then(|| program.to_vec()));
        words = after;
    }
    inner
}
