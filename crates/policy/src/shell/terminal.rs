//! Finds programs that wait for somebody at a terminal, which no command has: editors, pagers, prompts. They would stand
//! still until their time is up; the form that needs no terminal is named instead.
//!
//! Says nothing where it is not sure: a command that is called interactive is not run.

use super::ends::cut::{PipePart, cut};
use crate::lists::listed;

/// A kind of programs that wait for somebody.
struct WaitingKind {
    /// Their names, parted by blanks.
    names: &'static str,
    /// Do these do, given these words?
    when: fn(&ProgramCall<'_>) -> bool,
    instead: &'static str,
}

struct ProgramCall<'a> {
    words: Vec<&'a str>,
    /// It reads what another program writes, or a file.
    fed: bool,
    /// Another program reads what it writes.
    read: bool,
    sets: &'a [String],
}

impl ProgramCall<'_> {
    /// One of these stands there, as it is or with a value behind `=`.
    fn has(&self, flags: &[&str]) -> bool {
        let is = |word: &&str, flag: &str| {
            *word == flag || word.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
        };
        self.words.iter().any(|word| flags.iter().any(|flag| is(word, flag)))
    }

    /// A cluster of short flags holds this letter.
    fn letter(&self, letter: char) -> bool {
        let cluster = |word: &&&str| word.starts_with('-') && !word.starts_with("--");
        self.words.iter().filter(cluster).any(|word| word.contains(letter))
    }

    /// What is no flag.
    fn operands(&self) -> impl Iterator<Item = &str> {
        self.words.iter().copied().filter(|word| !word.starts_with('-'))
    }

    fn asks_for_help(&self) -> bool {
        self.has(&["--help", "-h", "--version", "-V", "-v", "-version", "help", "version"])
    }

    /// The subcommand of git with what follows it.
    fn git(&self) -> (Option<&str>, ProgramCall<'_>) {
        let mut at = 0;
        while let Some(word) = self.words.get(at).filter(|word| word.starts_with('-')) {
            at += if matches!(*word, "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace") { 2 } else { 1 };
        }
        let words = self.words.get(at + 1..).unwrap_or_default().to_vec();
        (self.words.get(at).copied(), ProgramCall { words, ..*self })
    }

    /// What is not a flag of its own nor the value of one of these.
    fn operands_beside(&self, taking: &[&str]) -> usize {
        let mut words = self.words.iter();
        let mut count = 0;
        while let Some(word) = words.next() {
            match word.starts_with('-') {
                true if taking.contains(word) => drop(words.next()),
                true => {}
                false => count += 1,
            }
        }
        count
    }
}

const EDITS: &str = "it opens an editor; use edit_file or write_file";

const KINDS: &[WaitingKind] = &[
    WaitingKind {
        names: "vi vim nvim vimdiff",
        when: |given| {
            !given.has(&["-es", "-Es", "--headless", "-c", "+q", "+qa", "+wq"])
                && !given.words.iter().any(|word| word.starts_with('+'))
                && !given.letter('s')
                && !given.letter('e')
        },
        instead: EDITS,
    },
    WaitingKind { names: "nano pico micro hx helix kak joe mcedit ne", when: |_| true, instead: EDITS },
    WaitingKind { names: "emacs", when: |given| !given.has(&["--batch", "-batch", "--script"]), instead: EDITS },
    WaitingKind {
        names: "less more most",
        when: |given| !given.fed && !given.read && given.operands().next().is_some(),
        instead: "it is a pager; read_file shows a file, or use `cat`",
    },
    WaitingKind {
        names: "top htop btop atop",
        when: |given| !given.letter('b'),
        instead: "it redraws a screen for ever; use `ps aux --sort=-%cpu | head`, or `top -b -n 1`",
    },
    WaitingKind {
        names: "watch",
        when: |given| given.operands().next().is_some(),
        instead: "it repeats for ever; run the command once, or several times with a loop that ends",
    },
    WaitingKind {
        names: "tail",
        when: |given| {
            !given.fed
                && !given.read
                && (given.letter('f') || given.letter('F') || given.has(&["--follow"]))
                && !given.has(&["--pid"])
        },
        instead: "it follows the file for ever; use `tail -n 50 FILE`, or start it with background: true",
    },
    WaitingKind {
        names: "python python3 pypy pypy3",
        when: |given| repl(given, &["-W", "-X"]) || given.letter('i') && given.operands().next().is_none(),
        instead: "it waits for somebody to type; use `python3 -c '…'`, a script file, or `python3 - <<'EOF'`",
    },
    WaitingKind {
        names: "ipython bpython ptpython",
        when: |given| repl(given, &[]),
        instead: "it waits for somebody to type; use `python3 -c '…'` or a script file",
    },
    WaitingKind {
        names: "node nodejs",
        when: |given| repl(given, &["-r", "--require", "--import"]),
        instead: "it waits for somebody to type; use `node -e '…'` or a script file",
    },
    WaitingKind {
        names: "irb pry ghci iex erl scala jshell lua R julia",
        when: |given| repl(given, &[]),
        instead: "it waits for somebody to type; give it a script file",
    },
    WaitingKind {
        names: "bash sh zsh fish dash ksh",
        when: |given| !given.fed && given.words.iter().all(|word| matches!(*word, "-i" | "-l" | "--login")),
        instead: "it is a shell that waits for somebody to type; run the command itself",
    },
    WaitingKind {
        names: "sqlite3",
        when: |given| {
            !given.fed
                && given.operands_beside(&["-cmd", "-init", "-separator", "-newline", "-nullvalue"]) < 2
                && !given.has(&["-cmd"])
        },
        instead: "it waits for somebody to type; use `sqlite3 FILE 'SELECT …'`",
    },
    WaitingKind {
        names: "psql",
        when: |given| {
            !given.fed
                && !given.letter('c')
                && !given.letter('f')
                && !given.letter('l')
                && !given.has(&["--command", "--file", "--list"])
        },
        instead: "it waits for somebody to type; use `psql -c 'SELECT …'` or `psql -f FILE`",
    },
    WaitingKind {
        names: "mysql mariadb",
        when: |given| !given.fed && !given.letter('e') && !given.has(&["--execute"]),
        instead: "it waits for somebody to type; use `mysql -e 'SELECT …'`",
    },
    WaitingKind {
        names: "redis-cli mongosh mongo",
        when: |given| {
            !given.fed
                && !given.has(&["--eval", "--pipe", "--scan", "--bigkeys", "--stat"])
                && given.operands_beside(&["-h", "-p", "-a", "-n", "-u", "--user", "--pass", "--host", "--port"]) == 0
        },
        instead: "it waits for somebody to type; give it the command as words",
    },
    WaitingKind {
        names: "ssh",
        when: |given| {
            !given.fed && !given.has(&["-N", "-Q", "-G", "-O", "-f"]) && given.operands_beside(SSH_TAKES) == 1
        },
        instead: "it opens a shell elsewhere; use `ssh -o BatchMode=yes HOST 'COMMAND'`",
    },
    WaitingKind {
        names: "git",
        when: edits_with_git,
        instead: "it opens an editor or asks; give the message with -m (or --no-edit), name paths in place of -p and -i, and for a rebase set GIT_SEQUENCE_EDITOR",
    },
    WaitingKind {
        names: "npm pnpm yarn",
        when: |given| {
            !given.fed
                && given.words.first() == Some(&"init")
                && !given.has(&["-y", "--yes", "-w", "--help"])
                && given.operands().count() == 1
        },
        instead: "it asks questions; use `npm init -y`",
    },
    WaitingKind {
        names: "docker podman",
        when: |given| {
            matches!(given.words.first(), Some(&("run" | "exec")))
                && given
                    .words
                    .iter()
                    .skip(1)
                    .take_while(|word| word.starts_with('-'))
                    .any(|word| matches!(*word, "-it" | "-ti" | "-t" | "--tty" | "-itd"))
                && !given.has(&["-d", "--detach", "-itd"])
        },
        instead: "there is no terminal; leave -t and -i out",
    },
    WaitingKind {
        names: "gdb lldb",
        when: |given| !given.fed && !given.has(&["-batch", "--batch", "-b", "-x", "--command", "-ex"]),
        instead: "it waits for somebody to type; use `gdb -batch -ex run -ex bt --args PROGRAM`",
    },
    WaitingKind {
        names: "crontab",
        when: |given| given.letter('e'),
        instead: "it opens an editor; use `crontab -l`, change the text, and `crontab FILE`",
    },
    WaitingKind { names: "visudo vipw passwd", when: |_| true, instead: "it asks at a terminal; leave it to the user" },
    WaitingKind {
        names: "tmux screen",
        when: |given| matches!(given.words.first(), None | Some(&("attach" | "a" | "-r" | "-x" | "-R"))),
        instead: "there is no terminal to attach to; start the program with background: true",
    },
];

/// Flags of ssh that take a value.
const SSH_TAKES: &[&str] =
    &["-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-o", "-p", "-R", "-S", "-W", "-w"];

fn repl(given: &ProgramCall<'_>, taking: &[&str]) -> bool {
    let only_flags = given.operands_beside(taking) == 0 && !given.words.contains(&"-");
    let does = ["-c", "-m", "-e", "-p", "--eval", "--print", "--test", "--check", "--run", "-E"];
    !given.fed && only_flags && !given.has(&does) && !given.words.iter().any(|word| word.starts_with("--"))
}

fn edits_with_git(given: &ProgramCall<'_>) -> bool {
    let edited = |name: &str| given.sets.iter().any(|set| set == name);
    let configured = |key: &str| given.words.iter().any(|word| word.starts_with(key));
    let (Some(subcommand), rest) = given.git() else { return false };
    let no_editor = edited("GIT_EDITOR") || edited("EDITOR") || edited("VISUAL") || configured("core.editor");
    match subcommand {
        "rebase" => {
            let handled = edited("GIT_SEQUENCE_EDITOR") || configured("sequence.editor") || no_editor;
            (rest.has(&["--interactive"]) || rest.has(&["-i"])) && !handled || rest.has(&["--edit-todo"])
        }
        "commit" => {
            let told = [
                "-m",
                "--message",
                "-F",
                "--file",
                "-C",
                "--reuse-message",
                "--no-edit",
                "--fixup",
                "--dry-run",
                "-h",
                "--help",
            ];
            let message = rest.has(&told)
                || rest.letter('m')
                || rest.letter('F')
                || rest.letter('C')
                || rest.words.iter().any(|word| word.starts_with("--squash"));
            !message && !no_editor || rest.has(&["-p", "--patch", "--interactive"]) && !rest.fed
        }
        "add" | "checkout" | "restore" | "reset" | "stash" => {
            rest.has(&["-p", "--patch", "-i", "--interactive"]) && !rest.fed && !rest.words.starts_with(&["show"])
        }
        "clean" => rest.has(&["-i", "--interactive"]) && !rest.fed,
        "mergetool" => true,
        "config" => rest.has(&["-e", "--edit"]) && !no_editor,
        _ => false,
    }
}

/// The program of `command` that would wait for somebody, and what to do instead: `vim: it opens an editor; use …`.
pub fn needs_terminal(command: &str) -> Option<String> {
    for list in cut(command)?.iter().filter(|list| !list.behind) {
        for (_, pipe) in &list.pipes {
            for (at, part) in pipe.iter().enumerate() {
                let found = waits(part, at > 0, at + 1 < pipe.len());
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

fn waits(part: &PipePart, behind: bool, read: bool) -> Option<String> {
    let mut words: Vec<&str> = part.words.iter().map(String::as_str).collect();
    let mut sets = part.sets.clone();
    // `env NAME=value` and the like stand before the program; a limit of time ends whatever waits.
    while let Some("env" | "command" | "exec" | "nohup") = words.first().copied() {
        words.remove(0);
        while let Some(name) = words.first().and_then(|word| word.split_once('=')).map(|(name, _)| name) {
            sets.push(name.to_owned());
            words.remove(0);
        }
    }
    let (program, rest) = words.split_first()?;
    let name = program.rsplit('/').next().unwrap_or(program);
    let given = ProgramCall { words: rest.to_vec(), fed: behind || part.fed, read, sets: &sets };
    let kind = KINDS.iter().find(|kind| listed(kind.names, name))?;
    let waits = !given.asks_for_help() && (kind.when)(&given);
    waits.then(|| format!("{name}: {}", kind.instead))
}

#[cfg(test)]
mod tests;
