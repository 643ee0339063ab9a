//! Walks through a command from program to program: in which folders could each run, and what must be so for it to only
//! read?

use super::claims::{Care, Claim};
use super::paths::lexical;
use super::readers::{self, Search, Uses};
use super::words::{Joint, Redirect, Simple, Word};
use std::path::{Path, PathBuf};

/// More folders than this are not kept in mind.
const MOST_FOLDERS: usize = 8;

/// One program of a command.
pub(super) struct WalkStep<'a> {
    pub(super) simple: &'a Simple,
    /// The program's plain name, and whether its system folder was written before it.
    pub(super) program: Result<Program, String>,
    /// What it looks at; or why it is not proved to only read.
    pub(super) uses: Result<Uses, String>,
    pub(super) claims: Vec<Claim>,
}

/// A program as it is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) name: String,
    /// Where it was said to be, if it was.
    pub(super) spelled: Option<PathBuf>,
}

/// What the shell itself does.
pub(super) const BUILTIN: &[&str] = &["cd", "type", "command"];

/// The folders that the shell may be in, by how what ran before ended.
struct Folders {
    after_success: Vec<PathBuf>,
    after_failure: Vec<PathBuf>,
    /// A `cd` went where nobody knows.
    lost: bool,
}

/// Every program of `script`, started in `cwd`.
pub(super) fn walk<'a>(script: &'a [Simple], cwd: &Path) -> Vec<WalkStep<'a>> {
    let mut folders = Folders { after_success: vec![cwd.to_owned()], after_failure: Vec::new(), lost: false };
    let mut steps = Vec::new();
    for (at, simple) in script.iter().enumerate() {
        let piped = simple.joint == Joint::Pipe || script.get(at + 1).is_some_and(|next| next.joint == Joint::Pipe);
        let start = match simple.joint {
            // Those of one pipe all start where its first one does.
            Joint::Pipe => folders.now(),
            Joint::Then => folders.begin(),
            Joint::And => folders.after_success.clone(),
            Joint::Or => folders.after_failure.clone(),
        };
        let mut step = step(simple, &start);
        if folders.lost {
            step.uses = Err("it runs after a `cd` that is not proved".into());
        }
        if step.program.as_ref().is_ok_and(|program| program.name == "cd") {
            folders.enter(&mut step, &start, piped);
        } else if simple.joint != Joint::Pipe {
            folders.stay(simple.joint, start);
        }
        steps.push(step);
    }
    steps
}

impl Folders {
    fn now(&self) -> Vec<PathBuf> {
        let mut all = self.after_success.clone();
        all.extend(self.after_failure.iter().filter(|folder| !self.after_success.contains(folder)).cloned());
        all
    }

    fn begin(&mut self) -> Vec<PathBuf> {
        let now = self.now();
        *self = Folders { after_success: now.clone(), after_failure: Vec::new(), lost: self.lost };
        now
    }

    /// A program ran that leaves the folder as it is.
    fn stay(&mut self, joint: Joint, start: Vec<PathBuf>) {
        self.end(joint, start.clone(), start);
    }

    fn end(&mut self, joint: Joint, success: Vec<PathBuf>, failure: Vec<PathBuf>) {
        match joint {
            Joint::Then | Joint::Pipe => (self.after_success, self.after_failure) = (success, failure),
            Joint::And => {
                self.after_success = success;
                add(&mut self.after_failure, failure);
            }
            Joint::Or => {
                add(&mut self.after_success, success);
                self.after_failure = failure;
            }
        }
        self.lost |= self.after_success.len() + self.after_failure.len() > MOST_FOLDERS;
    }

    /// A `cd`.
    fn enter(&mut self, step: &mut WalkStep<'_>, start: &[PathBuf], piped: bool) {
        match destinations(step.simple, start, piped) {
            Ok((claims, entered)) => {
                step.claims = claims;
                self.end(step.simple.joint, entered, start.to_vec());
            }
            Err(why) => {
                step.uses = Err(why);
                self.lost = true;
            }
        }
    }
}

fn add(folders: &mut Vec<PathBuf>, more: Vec<PathBuf>) {
    for folder in more {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
}

/// Where a `cd` leads from each of the folders it may start in.
fn destinations(simple: &Simple, start: &[PathBuf], piped: bool) -> Result<(Vec<Claim>, Vec<PathBuf>), String> {
    let operands = match &simple.words[1..] {
        [dashes, rest @ ..] if dashes.text == "--" => rest,
        all => all,
    };
    let [operand] = operands else { return Err("`cd` is given no one folder".into()) };
    let shown = operand.text.clone();
    if piped || operand.is_pattern() || shown.is_empty() || shown.starts_with('-') || !simple.redirects.is_empty() {
        return Err("this `cd` goes where it cannot be told beforehand".into());
    }
    let (mut claims, mut entered) = (Vec::new(), Vec::new());
    for folder in start {
        let path = folder.join(&shown);
        entered.push(lexical(&path).ok_or("this `cd` goes above all folders")?);
        claims.push(Claim::Enter { path, shown: shown.clone() });
    }
    Ok((claims, entered))
}

fn step<'a>(simple: &'a Simple, folders: &[PathBuf]) -> WalkStep<'a> {
    let program = program(&simple.words[0]);
    let uses = match &program {
        Ok(program) if program.name == "cd" => Ok(Uses::default()),
        Ok(program) => readers::uses(&program.name, &simple.words),
        Err(why) => Err(why.clone()),
    };
    let claims = uses.as_ref().map(|uses| claims(simple, uses, folders));
    let (uses, claims) = match claims {
        Ok(Ok(claims)) => (uses, claims),
        Ok(Err(why)) => (Err(why), Vec::new()),
        Err(_) => (uses, Vec::new()),
    };
    WalkStep { simple, program, uses, claims }
}

fn program(word: &Word) -> Result<Program, String> {
    let text = word.text.as_str();
    let (name, spelled) = match ["/usr/bin/", "/bin/"].iter().find_map(|folder| text.strip_prefix(folder)) {
        Some(name) => (name, Some(PathBuf::from(text))),
        None => (text, None),
    };
    if name.contains('/') {
        return Err(format!("`{text}` is run as a file of its own"));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-[".contains(c);
    if name.is_empty() || name != ":" && !name.chars().all(plain) || spelled.is_some() && BUILTIN.contains(&name) {
        return Err(format!("`{text}` is not a plain name of a program"));
    }
    Ok(Program { name: name.into(), spelled })
}

fn claims(simple: &Simple, uses: &Uses, folders: &[PathBuf]) -> Result<Vec<Claim>, String> {
    let care = Care { no_folders: uses.no_folders, project_only: uses.git, only_there: uses.only_there };
    let mut claims = Vec::new();
    for folder in folders {
        for (at, word) in simple.words.iter().enumerate().skip(1) {
            let file = uses.files.contains(&at);
            match word.glyphs() {
                Some(_) if word.text.starts_with('/') => {
                    return Err(format!("`{}` matches outside the project", word.text));
                }
                Some(_) if file && uses.names_only && !word.text.contains('/') => {}
                Some(pattern) if file => {
                    if !word.base().is_empty() {
                        claims.push(look(folder, word.base(), Care { no_folders: false, ..care }));
                    }
                    let (folder, shown) = (folder.clone(), word.text.clone());
                    // Where it matches nothing, the shell passes it on as the name that it is written as.
                    claims.push(look(&folder, &word.text, care));
                    claims.push(Claim::Matches { folder, pattern, shown, care });
                }
                Some(pattern) => {
                    let (folder, shown) = (folder.clone(), word.text.clone());
                    claims.push(Claim::MatchesNothing { folder, pattern, shown });
                }
                None if file && !is_stream(&word.text, uses.git) => claims.push(look(folder, &word.text, care)),
                None => {}
            }
        }
        claims.extend(uses.named.iter().map(|name| look(folder, name, care)));
        claims.extend(simple.redirects.iter().filter_map(|redirect| match redirect {
            Redirect::From(word) if !is_stream(&word.text, false) => Some(look(folder, &word.text, Care::default())),
            Redirect::From(_) | Redirect::Away(_) | Redirect::Onto(..) => None,
        }));
        searches(simple, uses, folder, &mut claims);
        if uses.git {
            claims.push(Claim::Git { folder: folder.clone() });
        }
        if let Some(prints) = &uses.prints {
            claims.push(Claim::Prints { folder: folder.clone(), prints: prints.clone() });
        }
    }
    Ok(claims)
}

/// The standard input, or what is always empty.
fn is_stream(text: &str, git: bool) -> bool {
    text == "-" || text == "/dev/null" && !git
}

fn look(folder: &Path, name: &str, care: Care) -> Claim {
    Claim::Look { path: folder.join(name), shown: name.into(), care }
}

fn searches(simple: &Simple, uses: &Uses, folder: &Path, claims: &mut Vec<Claim>) {
    if uses.search == Search::Nothing {
        return;
    }
    let how = uses.search;
    if uses.here {
        claims.push(Claim::Search { base: folder.to_owned(), how });
    }
    for word in uses.files.iter().map(|at| &simple.words[*at]).filter(|word| !is_stream(&word.text, false)) {
        claims.push(Claim::Search { base: folder.join(word.base()), how });
    }
}
