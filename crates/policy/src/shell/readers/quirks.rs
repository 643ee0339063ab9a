//! What the table cannot say of single programs.

use super::options::ParsedArgs;
use super::{Search, Uses};
use crate::lists::listed;
use crate::shell::words::Word;

/// Old forms like `tail +5f` take a word with `+` for more than a name.
pub(super) fn no_plus(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    match given.texts().find(|text| text.starts_with('+')) {
        Some(text) => Err(format!("`{text}` may be more than the name of a file")),
        None => given.files(0),
    }
}

pub(super) fn uniq(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let several = given.operands.iter().any(|at| given.words[at - 1].is_pattern());
    if given.operands.len() > 1 || several {
        return Err("`uniq` writes to the second file it is given".into());
    }
    no_plus(given)
}

/// Programs that compare the files in folders which they are given.
pub(super) fn no_folders(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    Ok(Uses { no_folders: true, ..given.files(0)? })
}

/// `tree` takes the value of a flag from the next word only.
pub(super) fn tree(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let joined = |word: &&Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.len() > 2;
    let valued = |word: &Word| word.text[1..].contains(['L', 'I', 'P']);
    match given.words.iter().filter(joined).find(|word| valued(word)) {
        Some(word) => Err(format!("`{}` holds a flag that wants a word of its own", word.text)),
        None => Ok(Uses { here: given.operands.is_empty(), ..given.files(0)? }),
    }
}

/// `strings @file` reads its arguments from that file.
pub(super) fn strings(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    match given.words.iter().find(|word| word.text.starts_with('@')) {
        Some(Word { text, .. }) => Err(format!("`{text}` reads further words from a file")),
        None => given.files(0),
    }
}

pub(super) fn grep(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let patterned = given.has(&["-e", "--regexp"]);
    let files = given.files(usize::from(!patterned))?;
    if !given.has(&["-r", "--recursive"]) {
        return Ok(files);
    }
    // Where an exclusion comes first, everything else is included.
    let first = given.flags.iter().find(|(flag, _)| flag == "--include" || flag == "--exclude");
    let included = first.is_some_and(|(flag, _)| flag == "--include");
    let narrow = included && only_sources(given.values(&["--include"]));
    let search = if narrow { Search::Nothing } else { Search::All };
    Ok(Uses { search, here: files.files.is_empty(), ..files })
}

pub(super) fn rg(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let wide = ["-u", "--unrestricted", "--hidden", "-.", "--no-ignore"];
    let no_pattern = ["-e", "--regexp", "--files", "--type-list", "--version"];
    let files = given.files(usize::from(!given.has(&no_pattern)))?;
    // What is asked for by name is found though it is hidden.
    let mut globs = given.values(&["-g", "--glob", "--iglob"]).filter(|glob| !glob.starts_with('!'));
    let mut types = given.values(&["-t", "--type"]);
    let named = globs.any(|glob| !is_source(glob)) || types.any(|kind| !listed(PLAIN_TYPES, kind));
    let ignored = given.flags.iter().any(|(flag, _)| flag.starts_with("--no-ignore"));
    let listing = given.has(&["--type-list", "--version"]);
    let search = match () {
        () if listing || given.has(&["--files"]) => Search::Nothing,
        () if named || ignored || given.has(&wide) => Search::All,
        () => Search::Visible,
    };
    let mut added = vec![(0, "--no-config")];
    // An ignore file with a `!` brings back what is hidden; a flag wins over it.
    added.extend((search == Search::Visible).then_some((0, "--glob='!.*'")));
    Ok(Uses { search, here: files.files.is_empty() && !listing, added, ..files })
}

/// Kinds of files to `rg` that hold nothing but source text.
const PLAIN_TYPES: &str = "c cpp cs css dart elixir go h haskell html java jl js kotlin lua markdown md ocaml php py \
    python r ruby rust scala sql swift toml ts typescript vue zig";
/// Endings of files that hold nothing but source text.
const SOURCES: &str = "rs py js jsx ts tsx mjs cjs go c h cc cpp hpp hh cxx java kt rb php cs swift scala lua dart \
    vue svelte html css scss md rst toml sql proto zig hs ml ex exs erl clj jl pyi";

/// Is there at least one pattern, and do all of them name nothing but source text?
fn only_sources<'a>(mut patterns: impl Iterator<Item = &'a str>) -> bool {
    let first = patterns.next();
    first.is_some_and(is_source) && patterns.all(is_source)
}

/// `*.rs`, `src/**/*.rs`, `*.{js,ts}`, and nothing cleverer.
fn is_source(pattern: &str) -> bool {
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    let Some(ending) = name.strip_prefix("*.") else { return false };
    let several = ending.strip_prefix('{').and_then(|endings| endings.strip_suffix('}'));
    several.unwrap_or(ending).split(',').all(|ending| listed(SOURCES, ending))
}

/// `echo` opens nothing, but what it matches is shown.
pub(super) fn echo(arguments: &[Word]) -> Uses {
    let patterns = arguments.iter().enumerate().filter(|(_, word)| word.is_pattern());
    Uses { files: patterns.map(|(at, _)| at + 1).collect(), names_only: true, ..Uses::default() }
}

/// A format that only prints: bash's own `printf` also sets variables.
pub(super) fn printf(arguments: &[Word]) -> Result<Uses, String> {
    let dashes = usize::from(arguments.first().is_some_and(|word| word.text == "--"));
    let Some(format) = arguments.get(dashes) else { return Ok(Uses::default()) };
    if format.text.starts_with('-') || format.is_pattern() {
        return Err("a flag of `printf` can set a variable".into());
    }
    let uses = echo(arguments);
    let mut rest = format.text.as_str();
    if rest.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 4) {
        return Err("a width in the format of `printf` may fill the memory".into());
    }
    while let Some(at) = rest.find('%') {
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || "#-+ .'hlLjzt".contains(c));
        let Some(kind) = rest.chars().next() else { break };
        if kind == '*' {
            return Err("a width of `printf` that is a word of its own may fill the memory".into());
        }
        if !"diouxXeEfFgGaAcsbq%".contains(kind) {
            return Err(format!("`%{kind}` of `printf` does more than print"));
        }
        rest = &rest[1..];
    }
    Ok(uses)
}

/// `command -v name` only looks a name up; without the flag it runs it.
pub(super) fn command(arguments: &[Word]) -> Result<Uses, String> {
    match arguments {
        [flag, names @ ..] if matches!(flag.text.as_str(), "-v" | "-V") => {
            match names.iter().find(|name| !is_name(&name.text)) {
                Some(name) => Err(format!("`{}` is not a plain name", name.text)),
                None => Ok(Uses::default()),
            }
        }
        _ => Err("`command` runs another program".into()),
    }
}

/// Names of programs or people, not of files.
pub(super) fn names(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    match given.texts().find(|text| !is_name(text)) {
        Some(text) => Err(format!("`{text}` is not a plain name")),
        None => Ok(Uses::default()),
    }
}

fn is_name(text: &str) -> bool {
    !text.starts_with('-') && text.chars().all(|c| c.is_ascii_alphanumeric() || "._+-[".contains(c))
}

/// Without `+` an operand sets the clock.
pub(super) fn date(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    if given.values(&["-d", "--date"]).any(|date| date.contains("TZ")) {
        return Err("a zone in the text of a date is read from a file".into());
    }
    let named: Vec<String> = given.values(&["-r", "--reference"]).map(str::to_owned).collect();
    let mut operands = given.texts();
    match (operands.next(), operands.next()) {
        (None, _) => Ok(Uses { named, ..Uses::default() }),
        (Some(format), None) if format.starts_with('+') => Ok(Uses { named, ..Uses::default() }),
        (Some(text), _) => Err(format!("`date {text}` may set the clock")),
    }
}

/// How its paths are shown is told by a further path.
pub(super) fn realpath(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let named = given.values(&["--relative-to", "--relative-base"]).map(str::to_owned).collect();
    Ok(Uses { named, ..given.files(0)? })
}

/// With `-e` its operands are its lines; otherwise it takes one file.
pub(super) fn shuf(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let pattern = given.operands.iter().any(|at| given.words[at - 1].is_pattern());
    match given.operands.len() {
        _ if given.has(&["-e", "--echo"]) => Ok(Uses::default()),
        0 | 1 if !pattern => given.files(0),
        _ => Err("`shuf` takes one file".into()),
    }
}

/// Five seconds at most.
pub(super) fn sleep(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    match (given.operands.len(), given.text(0).trim_end_matches('s').parse::<f64>()) {
        (1, Ok(seconds)) if (0.0..=5.0).contains(&seconds) => Ok(Uses::default()),
        _ => Err("`sleep` would take longer than five seconds".into()),
    }
}

/// Between plain names of encodings: one with a `/` can name a file of the system's own.
pub(super) fn iconv(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let mut encodings = given.values(&["-f", "-t", "--from-code", "--to-code"]);
    match encodings.find(|encoding| !is_name(encoding.trim_end_matches("//TRANSLIT").trim_end_matches("//IGNORE"))) {
        Some(encoding) => Err(format!("`{encoding}` is not a plain name of an encoding")),
        None => given.files(0),
    }
}

/// So many numbers are printed at most.
const MOST_NUMBERS: f64 = 1_000_000.0;

/// Numbers that end: `seq inf` and the like go on for ever.
pub(super) fn seq(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let negative =
        |text: &str| text.len() > 1 && text.strip_prefix('-').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let separated = given.has(&["-s", "--separator"]);
    let mut numbers = Vec::new();
    for (at, Word { text, .. }) in given.words.iter().enumerate() {
        let number = given.operands.contains(&(at + 1)) || negative(text);
        if negative(text) && separated {
            return Err(format!("`{text}` may be more than a number"));
        }
        if number {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let small = digits.len() <= 8 && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
            let number = text.parse::<f64>().ok().filter(|_| small);
            numbers.push(number.ok_or_else(|| format!("`{text}` is no small number"))?);
        }
    }
    if !given.values(&["-f", "--format"]).all(is_number_format) {
        return Err("the format of `seq` is not plain".into());
    }
    let (first, step, last) = match numbers[..] {
        [last] => (1.0, 1.0, last),
        [first, last] => (first, 1.0, last),
        [first, step, last] => (first, step, last),
        _ => return Err("`seq` is not given one to three numbers".into()),
    };
    // By a step of nothing this is no number, or endless.
    let count = (last - first) / step;
    if count <= MOST_NUMBERS {
        Ok(Uses::default())
    } else {
        Err("`seq` would print more than a million numbers".into())
    }
}

/// One `%g` or its like, with a short width.
fn is_number_format(format: &str) -> bool {
    let Some((before, after)) = format.split_once('%') else { return false };
    let kind = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let width = after.len() - kind.len();
    width < 4 && kind.starts_with(['g', 'f', 'e']) && !kind.contains('%') && before.len() + kind.len() < 100
}

/// Numbers that are taken apart at once.
pub(super) fn factor(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    match given.texts().find(|text| text.len() > 20) {
        Some(text) => Err(format!("`{text}` is no small number")),
        None => Ok(Uses::default()),
    }
}

/// `xxd` reads flags only before its first operand, and writes to the second.
pub(super) fn xxd(arguments: &[Word]) -> Result<Uses, String> {
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        let text = word.text.as_str();
        if !text.starts_with('-') || text == "-" {
            break;
        }
        at += match text {
            "-a" | "-b" | "-e" | "-E" | "-i" | "-p" | "-ps" | "-plain" | "-u" | "-C" | "-d" => 1,
            "-c" | "-g" | "-l" | "-s" | "-o" if arguments.get(at + 1).is_some_and(|value| is_count(&value.text)) => 2,
            _ if ["-c", "-g", "-l", "-s", "-o"].iter().any(|flag| text.strip_prefix(flag).is_some_and(is_count)) => 1,
            _ => return Err(format!("`{text}` is not among its flags that are known to only read")),
        };
    }
    match arguments.len() - at {
        0 => Ok(Uses::default()),
        1 if !arguments[at].is_pattern() => Ok(Uses { files: vec![at + 1], ..Uses::default() }),
        _ => Err("`xxd` writes to the second file it is given".into()),
    }
}

fn is_count(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']).trim_start_matches("0x");
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit())
}
