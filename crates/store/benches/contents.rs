//! What it costs to keep contents so that they can be brought back. `cargo bench -p agent-store`.
//!
//! Prints a line a figure and, at the end, which bar is missed; ends with an error if one is.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it saw, and may stop where it stumbles"
)]

use agent_protocol::Digest;
use agent_store::{Contents, Folder, Place};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Megabytes by which 1,000 edits of one line in a file of 1 MB may grow what is kept.
const ENOUGH_GROWTH: f64 = 40.0;
/// Milliseconds in which 10,000 files of 8 KB are kept on two threads.
const ENOUGH_TO_KEEP: f64 = 1_000.0;
/// Milliseconds in which 100,000 objects are looked through.
const ENOUGH_TO_COLLECT: f64 = 1_000.0;
/// Bytes a disk gives out at once.
const BLOCK: u64 = 4_096;

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let part = |count: usize| if quick { count / 100 } else { count };
    let mut missed = Vec::new();
    let mut bar = |name: &str, value: f64, most: f64| {
        if value > most {
            missed.push(format!("{name}: {value:.1} of {most}"));
        }
    };
    bar("megabytes of growth", edits(part(1_000)), ENOUGH_GROWTH);
    bar("milliseconds to keep files", files(part(10_000)), ENOUGH_TO_KEEP);
    bar("milliseconds to collect", collecting(part(100_000)), ENOUGH_TO_COLLECT);
    if missed.is_empty() {
        println!("\nevery bar is held");
    } else if !quick {
        println!("\nmissed:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

/// A state folder that goes when it is dropped.
struct Shop(tempfile::TempDir);

impl Shop {
    fn new() -> Self {
        Shop(tempfile::tempdir().unwrap())
    }

    fn place(&self) -> Place {
        Place::new(self.0.path().join("state"))
    }

    fn contents(&self) -> Contents {
        Contents::new(&self.place(), &Folder::at(self.0.path()).unwrap())
    }

    /// Bytes of all objects, and what the disk gives out for them.
    fn size(&self) -> (u64, u64) {
        let sizes = sizes(&self.0.path().join("state"));
        (sizes.iter().sum(), sizes.iter().map(|size| size.div_ceil(BLOCK) * BLOCK).sum())
    }
}

fn sizes(folder: &Path) -> Vec<u64> {
    let inside = fs::read_dir(folder).unwrap().map(Result::unwrap);
    inside
        .flat_map(|entry| match entry.metadata().unwrap() {
            found if found.is_dir() => sizes(&entry.path()),
            found => vec![found.len()],
        })
        .collect()
}

/// Numbers without a pattern, the same ones each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// A line as programs have them: few words often, many words seldom.
    fn line(&mut self) -> String {
        const WORDS: [&str; 24] = [
            "let", "if", "self", "return", "match", "Some", "input", "value", "for", "in", "result", "state", "push",
            "index", "name", "fn", "into", "await", "while", "pub", "struct", "error", "token", "count",
        ];
        let mut line = " ".repeat(4 * self.below(5));
        for _ in 0..2 + self.below(7) {
            let word = WORDS[self.below(24).min(self.below(24))];
            line.push_str(word);
            if self.below(3) == 0 {
                line.push_str(&format!("_{:x}", self.below(4_096)));
            }
            line.push([' ', '.', '(', ' '][self.below(4)]);
        }
        line
    }

    fn lines(&mut self, bytes: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut length = 0;
        while length < bytes {
            lines.push(self.line());
            length += lines.last().map_or(0, String::len) + 1;
        }
        lines
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed().as_secs_f64() * 1e3)
}

/// Megabytes that so many edits of one line in a file of 1 MB take.
fn edits(count: usize) -> f64 {
    let (shop, mut dice) = (Shop::new(), Dice(7));
    let contents = shop.contents();
    let mut lines = dice.lines(1_000_000);
    let (_, first) = timed(|| contents.keep(lines.join("\n").as_bytes()).unwrap());
    let before = shop.size();
    println!("a file of 1 MB: kept in {:.2} MB and {first:.1} ms", before.1 as f64 / 1e6);
    let (mut all, mut longest) = (0.0, 0.0_f64);
    for _ in 0..count {
        let (place, line) = (dice.below(lines.len()), dice.line());
        lines[place] = line;
        let text = lines.join("\n");
        let (_, time) = timed(|| contents.keep(text.as_bytes()).unwrap());
        all += time;
        longest = longest.max(time);
    }
    let (bytes, disk) = shop.size();
    let (bytes, disk) = ((bytes - before.0) as f64 / 1e6, (disk - before.1) as f64 / 1e6);
    println!("{count} edits of one line in it: {disk:.2} MB on disk ({bytes:.2} MB of bytes)");
    println!("  {:.2} ms a keep, the longest {longest:.2} ms", all / count as f64);
    disk
}

/// Milliseconds in which so many files of 8 KB are kept, none of them known.
fn files(count: usize) -> f64 {
    let (shop, mut dice) = (Shop::new(), Dice(11));
    let files: Vec<String> = (0..count).map(|_| dice.lines(8_000).join("\n")).collect();
    let keep = |contents: &Contents| {
        let halves = files.chunks(files.len().div_ceil(2).max(1));
        thread::scope(|scope| {
            let keep = |half: &[String]| half.iter().map(|file| contents.keep(file.as_bytes()).unwrap()).collect();
            let threads: Vec<_> = halves.map(|half| scope.spawn(move || keep(half))).collect();
            threads.into_iter().flat_map(|thread| -> Vec<Digest> { thread.join().unwrap() }).collect::<Vec<_>>()
        })
    };
    let first = shop.contents();
    let (digests, cold) = timed(|| keep(&first));
    let (_, again) = timed(|| keep(&first));
    let (_, other) = timed(|| keep(&shop.contents()));
    let (_, back) = timed(|| digests.iter().for_each(|digest| drop(first.fetch(digest).unwrap())));
    println!("{count} files of 8 KB: {:.1} MB on disk", shop.size().1 as f64 / 1e6);
    println!(
        "  kept in {cold:.0} ms on two threads; again in the same session {again:.0} ms, in another {other:.0} ms"
    );
    println!("  all fetched in {back:.0} ms");
    cold
}

/// Milliseconds in which so many objects are looked through.
fn collecting(count: usize) -> f64 {
    let shop = Shop::new();
    let contents = shop.contents();
    (0..count).for_each(|number| drop(contents.keep(&number.to_le_bytes()).unwrap()));
    let month = Duration::from_secs(30 * 24 * 3_600);
    let (found, looked) = timed(|| Contents::collect(&shop.place(), month, u64::MAX));
    println!("{} objects looked through in {looked:.0} ms", found.left);
    drop(contents);
    // What was kept in the last seconds is spared; these are from long ago.
    backdate(&shop.place().folder().join("undo"));
    let (rest, removing) = timed(|| Contents::collect(&shop.place(), month, u64::MAX));
    println!(
        "  {} of them removed in {removing:.0} ms{}",
        rest.removed,
        if rest.unfinished { ", then it stops" } else { "" }
    );
    looked.max(removing)
}

fn backdate(folder: &Path) {
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(90 * 24 * 3_600);
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.metadata().unwrap().is_dir() {
            backdate(&entry.path());
        } else {
            fs::File::open(entry.path()).unwrap().set_modified(long_ago).unwrap();
        }
    }
}
