//! Whether all files that a hook's command can mean can be told from its words. Reads the line as a shell does, as far as
//! that is needed to see what it puts together only when it runs, and refuses that.
//!
//! Does not look at files. Code of another language in the command itself is shown with it, and not followed.

use super::PROJECT_DIR;

/// Variables that are known before it runs.
const KNOWN: [&str; 2] = [PROJECT_DIR, "PWD"];

/// Programs that run a text they are given, or read.
const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash", "elvish", "nu", "xonsh",
];

/// Programs of which only their input says what they run, or their words once they are put together.
const INDIRECT: &[&str] = &["eval", "xargs", "parallel", "watch", "trap", "su", "runuser", "script", "pushd", "popd"];

/// Interpreters that run what they read where no file is named.
const INTERPRETERS: &[&str] = &["python", "python2", "python3", "node", "perl", "ruby", "php", "lua", "deno", "bun"];

/// Scripts within scripts that are looked into.
const DEEPEST: usize = 6;

/// What a command is refused for, in words that end with the form that is understood; `None`: its files can be resolved.
pub(super) fn why_unresolved(command: &str) -> Option<String> {
    let what = unresolved(command, 0)?;
    Some(format!(
        "which files its command means cannot be told because of {what}; name each by its path, as in `sh hooks/guard.sh`, and \
         move everything else into that script"
    ))
}

/// Words that the command only writes to, as `>` names them.
pub(super) fn written_to(command: &str) -> Vec<String> {
    Line::parse(command).map(|line| line.targets).unwrap_or_default()
}

fn unresolved(command: &str, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return Some("scripts within scripts".into());
    }
    let line = match Line::parse(command) {
        Ok(line) => line,
        Err(what) => return Some(what),
    };
    line.programs.iter().find_map(|words| of_program(words, depth))
}

/// What of a program with these words says only when it runs what that is.
fn of_program(words: &[String], depth: usize) -> Option<String> {
    let is_flag = |word: &String| word.starts_with('-') && word != "-";
    if words.first().is_some_and(|program| program == "cd") && words[1..].iter().all(is_flag)
        || words.len() > 1 && words[0] == "cd" && words[1..].iter().any(|word| word == "-")
    {
        return Some("`cd` without a folder".into());
    }
    if let Some(set) = words.iter().find(|word| KNOWN.iter().any(|name| sets(word, name))) {
        return Some(format!("`{set}`"));
    }
    for (at, word) in words.iter().enumerate() {
        let rest = &words[at + 1..];
        let name = word.rsplit('/').next().unwrap_or_default();
        if ["/dev/stdin", "/dev/fd", "/proc"].iter().any(|place| word.starts_with(place)) {
            return Some(format!("`{word}`"));
        }
        if INDIRECT.contains(&name) {
            return Some(format!("`{name}`"));
        }
        if name == "find" && rest.iter().any(|word| ["-exec", "-execdir", "-ok", "-okdir"].contains(&word.as_str())) {
            return Some("`find -exec`".into());
        }
        if name == "env" && rest.iter().any(|word| word.starts_with("-S") || word.starts_with("--split-string")) {
            return Some("`env -S`".into());
        }
        let mut plain = rest.iter().filter(|word| !is_flag(word));
        if SHELLS.contains(&name) {
            let takes_text = |word: &&String| is_flag(word) && !word.starts_with("--") && word.contains('c');
            match rest.iter().position(|word| takes_text(&word)) {
                Some(flag) => {
                    let inner = rest.get(flag + 1).and_then(|text| unresolved(text, depth + 1));
                    if inner.is_some() {
                        return inner;
                    }
                }
                None if plain.next().is_none_or(|script| script == "-") => {
                    return Some(format!("`{name}` without a script"));
                }
                None => {}
            }
        } else if at == 0 && INTERPRETERS.contains(&name) && plain.next().is_none_or(|script| script == "-") {
            let asks = |word: &String| ["-V", "--version", "-v"].contains(&word.as_str()) || word.starts_with("-m");
            if !rest.iter().any(asks) {
                return Some(format!("`{name}` without a script"));
            }
        }
    }
    None
}

/// Does the word give this variable another value?
fn sets(word: &str, name: &str) -> bool {
    word == name || word.strip_prefix(name).is_some_and(|rest| rest.starts_with('=') || rest.starts_with("+="))
}

/// A line as the shell takes it apart.
#[derive(Default)]
struct Line {
    /// The words of each program, quotes gone.
    programs: Vec<Vec<String>>,
    /// What `>` writes to.
    targets: Vec<String>,
}

#[derive(Default)]
struct Parser {
    line: Line,
    words: Vec<String>,
    word: Option<String>,
    /// The next word is what is written to.
    writes: bool,
}

impl Line {
    /// # Errors
    /// What in it is only known when it runs.
    fn parse(text: &str) -> Result<Line, String> {
        let mut parser = Parser::default();
        let letters: Vec<char> = text.chars().collect();
        let mut at = 0;
        while let Some(&letter) = letters.get(at) {
            let next = letters.get(at + 1).copied();
            match letter {
                '\'' => at += parser.single(&letters[at + 1..])?,
                '"' => at += parser.double(&letters[at + 1..])?,
                '\\' => {
                    parser.push(next.ok_or("an open `\\`")?);
                    at += 1;
                }
                '$' => at += parser.variable(&letters[at + 1..])?,
                '`' => return Err("a backquote".into()),
                '*' | '?' => return Err(format!("the pattern `{letter}`")),
                '[' if !(parser.word.is_none() && next.is_some_and(|next| next == '[' || next.is_whitespace()))
                    && parser.word.as_deref() != Some("[") =>
                {
                    return Err("the pattern `[`".into());
                }
                '{' if next.is_none_or(|next| !next.is_whitespace()) => return Err("`{…}`".into()),
                '~' if parser.word.as_deref().is_none_or(|word| word.ends_with(['=', ':'])) => {
                    return Err("`~`".into());
                }
                '<' if next == Some('<') => return Err("a here-document".into()),
                '#' if parser.word.is_none() => {
                    at += letters[at..].iter().take_while(|letter| **letter != '\n').count();
                    continue;
                }
                '>' => {
                    parser.end_word();
                    // `>>`, `>|`, `>&2`.
                    at += letters[at + 1..].iter().take_while(|letter| matches!(letter, '>' | '|')).count();
                    parser.writes = letters.get(at + 1) != Some(&'(');
                }
                '&' if parser.writes && parser.word.is_none() => {}
                ';' | '|' | '&' | '(' | ')' | '\n' => parser.end_program(),
                '<' => parser.end_word(),
                letter if letter.is_whitespace() => parser.end_word(),
                letter => parser.push(letter),
            }
            at += 1;
        }
        parser.end_program();
        Ok(parser.line)
    }
}

impl Parser {
    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match std::mem::take(&mut self.writes) {
            true => self.line.targets.push(word),
            false => self.words.push(word),
        }
    }

    fn end_program(&mut self) {
        self.end_word();
        self.writes = false;
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            self.line.programs.push(words);
        }
    }

    /// Letters that it takes, the closing quote included.
    fn single(&mut self, rest: &[char]) -> Result<usize, String> {
        let length = rest.iter().position(|letter| *letter == '\'').ok_or("an open quote")?;
        self.word.get_or_insert_default().extend(&rest[..length]);
        Ok(length + 1)
    }

    fn double(&mut self, rest: &[char]) -> Result<usize, String> {
        self.word.get_or_insert_default();
        let mut at = 0;
        loop {
            match rest.get(at).ok_or("an open quote")? {
                '"' => return Ok(at + 1),
                '`' => return Err("a backquote".into()),
                '$' => at += self.variable(&rest[at + 1..])?,
                '\\' if rest.get(at + 1).is_some_and(|next| matches!(next, '"' | '\\' | '$' | '`')) => {
                    self.push(rest[at + 1]);
                    at += 1;
                }
                letter => self.push(*letter),
            }
            at += 1;
        }
    }

    /// What stands behind a `$`; how many letters that takes.
    fn variable(&mut self, rest: &[char]) -> Result<usize, String> {
        let named = |from: &[char]| -> String {
            from.iter().take_while(|letter| letter.is_ascii_alphanumeric() || **letter == '_').collect()
        };
        let (name, taken) = match rest.first() {
            None => (String::new(), 0),
            Some('{') => {
                let name = named(&rest[1..]);
                let closed = rest.get(1 + name.len()) == Some(&'}');
                if !closed {
                    return Err(format!("`${{{name}…}}`"));
                }
                let taken = name.len() + 2;
                (name, taken)
            }
            Some('(') => return Err("`$(…)`".into()),
            Some('\'') => return Err("`$'…'`".into()),
            Some(letter) if letter.is_ascii_alphanumeric() || *letter == '_' => {
                let name = named(rest);
                let taken = name.len();
                (name, taken)
            }
            Some('"') | Some('@' | '*' | '#' | '?' | '!' | '-' | '$' | '[') => return Err("a variable".into()),
            Some(_) => (String::new(), 0),
        };
        if name.is_empty() {
            self.push('$');
            return Ok(0);
        }
        if !KNOWN.contains(&name.as_str()) {
            return Err(format!("`${name}`"));
        }
        self.word.get_or_insert_default().push_str(&format!("${{{name}}}"));
        Ok(taken)
    }
}
