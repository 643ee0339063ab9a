//! Catastrophes: what nobody means, however it is spelled.

use super::Places;
use super::flags::{has, operands, says};
use super::ground::{Loss, alternatives, lead, resolve};
use super::known::name;
use super::meant::loss;
use super::script::{ScriptPart, ScriptWord};
use crate::lists::listed;
use std::path::Path;

/// What was seen of a script so far.
#[derive(Default)]
pub(super) struct SweptPlaces {
    /// A `find` hands on all that is in such a place.
    swept: Option<Loss>,
}

const ONE_BY_ONE: &str = "name exactly the files that are meant";

/// What of `part` nobody means, in words for the model.
pub(super) fn ruin(
    part: &ScriptPart,
    folder: Option<&Path>,
    places: &Places<'_>,
    seen: &mut SweptPlaces,
) -> Option<String> {
    if let Some(path) = part.writes.iter().filter_map(|word| lead(word, folder)).find(|path| is_raw(path)) {
        return Some(raw(&path));
    }
    let (program, words) = part.words.split_first()?;
    let program = name(program);
    match program {
        "rm" | "srm" => removes(part, words, folder, places, seen),
        "find" => sweeps(words, folder, places, seen),
        "mv" => moves(words, folder, places),
        "rsync" => mirrors(words, folder, places),
        _ if is_found_rm(&part.words[0].text) => removes(part, words, folder, places, seen),
        "chmod" | "chown" | "chgrp" | "chattr" | "setfacl" => hands_over(program, words, folder, places),
        "kill" => kills(words),
        "killall5" => Some("it would end every process of the system; end only what you started, by its number".into()),
        "pkill" | "killall" if has(words, &['u', 'U'], "user") => {
            Some("it would end every process of a user; end only what you started, by its number".into())
        }
        "shutdown" | "reboot" | "halt" | "poweroff" | "init" | "telinit" | "systemctl" | "loginctl" => {
            stops(program, words)
        }
        _ => overwrites(program, words, folder),
    }
}

fn removes(
    part: &ScriptPart,
    words: &[ScriptWord],
    folder: Option<&Path>,
    places: &Places<'_>,
    seen: &SweptPlaces,
) -> Option<String> {
    let swept = seen.swept.filter(|_| part.fed && operands(words).is_empty());
    let recursive = has(words, &['r', 'R'], "recursive");
    if let Some(lost) = operands(words).into_iter().find_map(|word| keys(word, folder, places, recursive)) {
        return Some(removed(lost));
    }
    let named = |word: &ScriptWord| {
        // All that braces stand for is one word here; directly below the root or a home, each is a part of it.
        let brace = word.text.find("/{").map(|at| ScriptWord::plain(&word.text[..at.max(1)]));
        loss(word, folder, places).or_else(|| {
            let lost = loss(&brace.filter(|_| !word.unknown)?, folder, places);
            lost.filter(|lost| matches!(lost, Loss::System | Loss::Home | Loss::OthersHome))
        })
    };
    let lost = swept.or_else(|| operands(words).into_iter().find_map(named))?;
    (recursive || swept.is_some()).then(|| removed(lost))
}

/// Keys that would be lost with `word`: their folder, where that goes as well, or all that is in it.
fn keys(word: &ScriptWord, folder: Option<&Path>, places: &Places<'_>, recursive: bool) -> Option<Loss> {
    let all = word.pattern.as_ref().is_some_and(|pattern| pattern.ends_with("/*"));
    let words = alternatives(&word.text).map(|text| ScriptWord { text, ..word.clone() });
    words.filter(|_| recursive || all).find_map(|word| loss(&word, folder, places)).filter(|loss| *loss == Loss::Keys)
}

/// `$(which rm)`
fn is_found_rm(program: &str) -> bool {
    let inner = program.strip_prefix("$(").and_then(|inner| inner.strip_suffix(')')).unwrap_or_default();
    matches!(inner.split_whitespace().collect::<Vec<_>>()[..], ["which" | "command" | "type" | "whence", .., "rm"])
}

/// `rsync --delete` takes away all that the other side does not have.
fn mirrors(words: &[ScriptWord], folder: Option<&Path>, places: &Places<'_>) -> Option<String> {
    let deletes = words.iter().any(|word| word.text.starts_with("--del"));
    let dry = has(words, &['n'], "dry-run");
    let target = operands(words).last().copied().filter(|_| deletes && !dry)?;
    let lost = loss(target, folder, places)
        .filter(|loss| matches!(loss, Loss::System | Loss::Home | Loss::OthersHome | Loss::Keys))?;
    Some(removed(lost))
}

fn removed(lost: Loss) -> String {
    format!("it would remove {}; {ONE_BY_ONE}", lost.words())
}

/// Tests of `find` that leave all, or nearly all, as it is.
const WIDE: &[&str] = &["-type", "-mindepth", "-xdev", "-mount", "-depth", "-d", "-print", "-print0", "-H", "-L", "-P"];

fn sweeps(words: &[ScriptWord], folder: Option<&Path>, places: &Places<'_>, seen: &mut SweptPlaces) -> Option<String> {
    let tests = words.iter().position(|word| word.text.starts_with('-') && !matches!(&*word.text, "-H" | "-L" | "-P"));
    let (starts, tests) = words.split_at(tests.unwrap_or(words.len()));
    let here = ScriptWord::plain(".");
    let starts: Vec<&ScriptWord> = match operands(starts) {
        none if none.is_empty() => vec![&here],
        some => some,
    };
    let lost = starts.into_iter().find_map(|word| loss(word, folder, places))?;
    if narrows(tests) {
        return None;
    }
    seen.swept = Some(lost);
    let by_program = tests
        .windows(2)
        .any(|pair| pair[0].text.starts_with("-exec") && matches!(name(&pair[1]), "rm" | "shred" | "unlink" | "srm"));
    (by_program || says(tests, &["-delete"])).then(|| removed(lost))
}

/// Do the tests of a `find` pick some of what there is?
fn narrows(tests: &[ScriptWord]) -> bool {
    let mut at = 0;
    while let Some(word) = tests.get(at) {
        let next = tests.get(at + 1).map_or("", |word| word.text.as_str());
        match word.text.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-delete" => return false,
            "-name" | "-iname" | "-path" | "-wholename" if matches!(next, "*" | "*/*" | "?*") => at += 1,
            "-type" | "-mindepth" => at += 1,
            wide if WIDE.contains(&wide) => {}
            _ => return true,
        }
        at += 1;
    }
    false
}

fn moves(words: &[ScriptWord], folder: Option<&Path>, places: &Places<'_>) -> Option<String> {
    let operands = operands(words);
    let into = says(words, &["-t", "--target-directory"]);
    let sources = if into { &operands[..] } else { operands.split_last()?.1 };
    let lost = sources
        .iter()
        .filter_map(|word| loss(word, folder, places))
        .find(|loss| !matches!(loss, Loss::History | Loss::Keys))?;
    Some(format!("it would move {} away; {ONE_BY_ONE}", lost.words()))
}

fn hands_over(program: &str, words: &[ScriptWord], folder: Option<&Path>, places: &Places<'_>) -> Option<String> {
    if !has(words, &['R'], "recursive") {
        return None;
    }
    let lost = operands(words).into_iter().filter_map(|word| loss(word, folder, places));
    let lost = lost.into_iter().find(|loss| matches!(loss, Loss::System | Loss::Home))?;
    Some(format!("{program} would change all of {}; {ONE_BY_ONE}", lost.words()))
}

fn kills(words: &[ScriptWord]) -> Option<String> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let processes = match texts.as_slice() {
        ["-l" | "-L" | "--list" | "--help", ..] => &[],
        ["-s" | "-n" | "--signal", _, rest @ ..] | ["--", rest @ ..] => rest,
        [flag, rest @ ..] if flag.starts_with('-') => rest,
        all => all,
    };
    let everything = processes.iter().any(|process| matches!(*process, "-1" | "1"));
    everything.then(|| "it would end every process of the user; end only what you started, by its number".into())
}

/// What stops the machine when it is told to a program that can do other things as well.
const STOPS: &str = "poweroff reboot halt kexec soft-reboot rescue emergency suspend hibernate hybrid-sleep exit \
    isolate terminate-user kill-user";

fn stops(program: &str, words: &[ScriptWord]) -> Option<String> {
    let told = operands(words).first().map_or("", |word| word.text.as_str());
    let stops = match program {
        "init" | "telinit" => matches!(told, "0" | "1" | "6" | "s" | "S"),
        "systemctl" | "loginctl" => listed(STOPS, told),
        _ => !says(words, &["-c", "--help", "--version", "--show"]),
    };
    stops.then(|| "it would stop the machine; leave that to the user".into())
}

/// Programs that write on disks as such.
const FORMATTERS: &str = "wipefs mkswap mke2fs fdisk sfdisk cfdisk gdisk sgdisk parted blkdiscard badblocks \
    cryptsetup hdparm pvcreate zpool diskutil newfs";

/// Programs that write in what their words name.
const WRITERS: &[&str] = &["cp", "mv", "install", "tee", "shred", "truncate", "ln", "sponge"];

fn overwrites(program: &str, words: &[ScriptWord], folder: Option<&Path>) -> Option<String> {
    let formats = program == "mkfs" || program.starts_with("mkfs.") || listed(FORMATTERS, program);
    if formats && !says(words, &["-l", "--list", "-n", "--no-act", "--help", "--version", "-V"]) {
        let device = operands(words).into_iter().filter_map(|word| lead(word, folder)).find(|path| is_raw(path));
        return device.map(|path| format!("it would erase {}; leave disks to the user", path.display()));
    }
    let named: Vec<_> = match program {
        "dd" => words.iter().filter_map(|word| resolve(word.text.strip_prefix("of=")?, word.unknown, folder)).collect(),
        "cp" | "install" | "mv" | "ln" => {
            operands(words).last().and_then(|word| lead(word, folder)).into_iter().collect()
        }
        writer if WRITERS.contains(&writer) => {
            operands(words).into_iter().filter_map(|word| lead(word, folder)).collect()
        }
        _ => Vec::new(),
    };
    named.iter().find(|path| is_raw(path)).map(|path| raw(path))
}

fn raw(path: &Path) -> String {
    format!("it would write on {} itself; write to a file in the project", path.display())
}

/// Names of disks, their parts and their kin.
const DISKS: &[&str] = &[
    "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "nbd", "sr", "disk", "rdisk", "mapper", "zd", "bcache",
    "pmem", "ram", "zram", "loop", "mtd",
];

/// Is it a disk, memory, or the system's own lever?
fn is_raw(path: &Path) -> bool {
    if path == Path::new("/proc/sysrq-trigger") {
        return true;
    }
    let Ok(inside) = path.strip_prefix("/dev") else { return false };
    let device = inside.components().next().map(|name| name.as_os_str().to_string_lossy().into_owned());
    device.is_some_and(|device| {
        matches!(device.as_str(), "mem" | "kmem" | "port") || DISKS.iter().any(|disk| device.starts_with(disk))
    })
}
