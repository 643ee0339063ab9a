//! Searches files for a regular expression, in parallel, with the results in the order of the files.
//!
//! Binary files count as having nothing in them; what a byte order mark announces is decoded; other bytes that are no
//! UTF-8 are shown as what the file looks like.

use crate::blocking::Stop;
use crate::open::{Found, open};
use crate::text::Charset;
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};
use std::borrow::Cow;
use std::cell::LazyCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Characters of a line that are shown; a longer one is cut around the match.
const WIDTH: usize = 300;
/// Characters shown before the match in a line that is cut.
const LEAD: usize = 100;
/// Lines kept of one file. All are counted.
pub(crate) const KEPT: usize = 500;
/// The most memory that one line may take, in bytes. A file with a longer one is passed over.
const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// Bytes of a file by which its encoding is told.
const TOLD_BY: u64 = 256 * 1024;

/// The most memory that a regular expression may take when it is built, in bytes.
const PROGRAM: usize = 16 * 1024 * 1024;

#[derive(Debug, Clone)]
pub(crate) struct Search {
    matcher: RegexMatcher,
    context: usize,
    /// Files that could not be read to their end.
    unread: Arc<AtomicU64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Matters,
    Ignored,
}

/// What was found in one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    pub(crate) path: PathBuf,
    pub(crate) matches: u64,
    /// The first of them with their context.
    pub(crate) lines: Vec<HitLine>,
}

/// One line of a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HitLine {
    Match(u64, String),
    Context(u64, String),
    /// Lines between are left out.
    Gap,
}

fn builder(case: Case) -> RegexMatcherBuilder {
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).crlf(true).case_insensitive(case == Case::Ignored);
    builder.size_limit(PROGRAM).dfa_size_limit(PROGRAM);
    builder
}

/// What is wrong with a pattern, in a line.
fn fault(error: &grep_regex::Error) -> String {
    let why = error.to_string();
    why.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned()
}

impl Search {
    pub(crate) fn new(pattern: &str, case: Case, context: usize) -> Result<Self, Failure> {
        let matcher = builder(case).build(pattern).map_err(|error| {
            let why = fault(&error);
            let advice = match pattern.contains("\\n") || pattern.contains('\n') {
                true => "search one line at a time",
                false => "write a backslash before any of . * + ? ( ) [ ] { } | ^ $ \\ that is meant as it is",
            };
            let message = format!("{pattern:?} is no regular expression that can be searched for ({why}); {advice}");
            Failure::new(FailureKind::InvalidArguments, message)
        })?;
        Ok(Search { matcher, context, unread: Arc::default() })
    }

    /// The same, where a pattern that is no regular expression is searched for as it stands; why that is so.
    pub(crate) fn or_literally(pattern: &str, case: Case, context: usize) -> Result<(Self, Option<String>), Failure> {
        // These are regular expressions, of another kind or for several lines: no text is meant.
        let is_meant_so = |why: &str| ["look-", "backreference", "size limit"].iter().any(|kind| why.contains(kind));
        let is_of_lines = pattern.contains("\\n") || pattern.contains('\n');
        let why = builder(case).build(pattern).err().map(|error| fault(&error));
        let why = why.filter(|why| !is_meant_so(why) && !is_of_lines);
        match (why, builder(case).fixed_strings(true).build(pattern)) {
            (Some(why), Ok(matcher)) => Ok((Search { matcher, context, unread: Arc::default() }, Some(why))),
            _ => Search::new(pattern, case, context).map(|search| (search, None)),
        }
    }

    /// What is in `files`, in their order; those without a match are left out.
    pub(crate) fn files(&self, workspace: &Workspace, files: &[PathBuf], stop: &Stop) -> Vec<Hits> {
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8).min(files.len());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut searcher = self.searcher();
                    while !stop.wanted() {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(path) = files.get(index) else { break };
                        if let Some(hits) = self.file(&mut searcher, workspace, path, stop) {
                            found.lock().expect("no thread panics while it pushes").push((index, hits));
                        }
                    }
                });
            }
        });
        let mut found = found.into_inner().expect("no thread panics while it pushes");
        found.sort_by_key(|(index, _)| *index);
        found.into_iter().map(|(_, hits)| hits).collect()
    }

    pub(crate) fn searcher(&self) -> Searcher {
        SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            .before_context(self.context)
            .after_context(self.context)
            .heap_limit(Some(LONGEST_LINE))
            .build()
    }

    /// How many files could not be read to their end until now.
    pub(crate) fn unread(&self) -> u64 {
        self.unread.load(Ordering::Relaxed)
    }

    fn passed_over(&self, stop: &Stop) -> Option<Hits> {
        if !stop.wanted() {
            self.unread.fetch_add(1, Ordering::Relaxed);
        }
        None
    }

    /// What is in the file at `path`; `None`: nothing, or it cannot be read.
    pub(crate) fn file(
        &self,
        searcher: &mut Searcher,
        workspace: &Workspace,
        path: &Path,
        stop: &Stop,
    ) -> Option<Hits> {
        let file = match open(workspace, path) {
            Ok(Found::File(file, _)) => file,
            // Gone by now, or something else.
            Ok(Found::Missing | Found::Folder) => return None,
            Err(_) => return self.passed_over(stop),
        };
        let charset = LazyCell::new(|| charset(workspace, path));
        let mut collector = Collector { matcher: &self.matcher, charset, hits: Hits::default(), binary: false };
        if searcher.search_reader(&self.matcher, Stoppable { file, stop }, &mut collector).is_err() {
            return self.passed_over(stop);
        }
        let found = collector.hits.matches > 0 && !collector.binary;
        found.then(|| Hits { path: path.into(), ..collector.hits })
    }
}

/// What there is to know of files that could not be read to their end; empty where there is none.
pub(crate) fn unread(files: u64) -> String {
    match files {
        0 => String::new(),
        1 => "1 file could not be read, or has a line of more than 8 MB, and was not searched".into(),
        many => format!("{many} files could not be read, or have a line of more than 8 MB, and were not searched"),
    }
}

/// A file that can be read until nobody waits for it any more.
struct Stoppable<'a> {
    file: File,
    stop: &'a Stop,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.wanted() { Err(io::Error::other("stopped")) } else { self.file.read(buffer) }
    }
}

/// In which the file is written, as its beginning looks.
fn charset(workspace: &Workspace, path: &Path) -> Charset {
    let mut bytes = Vec::new();
    if let Ok(Found::File(file, _)) = open(workspace, path) {
        let _ = file.take(TOLD_BY).read_to_end(&mut bytes);
    }
    if bytes.len() as u64 == TOLD_BY {
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1));
    }
    Charset::of(&bytes)
}

struct Collector<'a, C> {
    matcher: &'a RegexMatcher,
    charset: LazyCell<Charset, C>,
    hits: Hits,
    binary: bool,
}

impl<C: FnOnce() -> Charset> Collector<'_, C> {
    fn around(&self, bytes: &[u8], start: usize) -> String {
        around(bytes, start, |bytes| match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => self.charset.decode(bytes),
        })
    }

    fn keep(&mut self, line: HitLine) {
        if self.hits.lines.len() < KEPT {
            self.hits.lines.push(line);
        }
    }
}

impl<C: FnOnce() -> Charset> Sink for Collector<'_, C> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.hits.matches += 1;
        let bytes = found.bytes();
        let start = self.matcher.find(bytes).ok().flatten().map_or(0, |place| place.start());
        let line = self.around(bytes, start);
        self.keep(HitLine::Match(found.line_number().unwrap_or(0), line));
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        let line = self.around(context.bytes(), 0);
        self.keep(HitLine::Context(context.line_number().unwrap_or(0), line));
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        self.keep(HitLine::Gap);
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}

/// The line, or what is around byte `start` of it.
fn around<'a>(bytes: &'a [u8], start: usize, read: impl Fn(&'a [u8]) -> Cow<'a, str>) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let line = read(bytes);
    if line.chars().count() <= WIDTH {
        return line.into_owned();
    }
    let before = read(&bytes[..start.min(bytes.len())]).chars().count();
    let skipped = before.saturating_sub(LEAD);
    let shown: String = line.chars().skip(skipped).take(WIDTH).collect();
    let front = if skipped > 0 { "…" } else { "" };
    let back = if line.chars().count() > skipped + WIDTH { "…" } else { "" };
    format!("{front}{shown}{back}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn search(pattern: &str, context: usize, files: &[(&str, &[u8])]) -> Vec<Hits> {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let paths: Vec<PathBuf> = files.iter().map(|(name, _)| root.join(name)).collect();
        for (path, (_, bytes)) in paths.iter().zip(files) {
            std::fs::write(path, bytes).unwrap();
        }
        let search = Search::new(pattern, Case::Ignored, context).unwrap();
        let mut hits = search.files(&Workspace::new(&root), &paths, &Stop::default());
        for hit in &mut hits {
            hit.path = hit.path.strip_prefix(&root).unwrap().into();
        }
        hits
    }

    fn hit(path: &str, lines: Vec<HitLine>) -> Hits {
        let matches = lines.iter().filter(|line| matches!(line, HitLine::Match(..))).count() as u64;
        Hits { path: path.into(), matches, lines }
    }

    #[test]
    fn every_encoding_is_searched_and_binary_files_are_passed_over() {
        let found = search(
            "caf",
            0,
            &[
                ("crlf", b"one\r\nCAFE\r\n"),
                ("latin", b"a caf\xe9\nb\n"),
                ("binary", b"cafe\n\0\n"),
                ("utf16", b"\xff\xfec\0a\0f\0e\0\n\0"),
                ("none", b"tea\n"),
            ],
        );
        let line = |number, text: &str| vec![HitLine::Match(number, text.into())];
        assert_eq!(
            found,
            [hit("crlf", line(2, "CAFE")), hit("latin", line(1, "a café")), hit("utf16", line(1, "cafe"))]
        );
    }

    #[test]
    fn the_end_of_a_line_is_found_whatever_ends_it() {
        let found = search(
            "e$",
            0,
            &[("lf", b"cafe\n"), ("crlf", b"cafe\r\n"), ("none", b"cafe"), ("utf16", b"\xff\xfec\0a\0f\0e\0\n\0")],
        );
        let names: Vec<_> = found.iter().map(|hits| hits.path.to_str().unwrap()).collect();
        assert_eq!(names, ["lf", "crlf", "none", "utf16"]);
    }

    #[test]
    fn context_comes_with_gaps() {
        let found = search("x", 1, &[("f", b"x\nb\nc\nd\nx\n")]);
        let context = |number, text: &str| HitLine::Context(number, text.into());
        let expected = vec![
            HitLine::Match(1, "x".into()),
            context(2, "b"),
            HitLine::Gap,
            context(4, "d"),
            HitLine::Match(5, "x".into()),
        ];
        assert_eq!(found, [hit("f", expected)]);
    }

    #[test]
    fn long_lines_are_cut_around_the_match() {
        let line = format!("{}NEEDLE{}\n", "é".repeat(1000), "y".repeat(1000));
        let found = search("needle", 0, &[("f", line.as_bytes())]);
        let HitLine::Match(1, text) = &found[0].lines[0] else { panic!("{found:?}") };
        assert!(text.contains("éNEEDLEy") && text.starts_with('…') && text.ends_with('…'), "{text}");
        assert_eq!(text.chars().count(), WIDTH + 2);
    }

    #[test]
    fn many_matches_are_counted_but_not_all_kept() {
        let found = search("x", 0, &[("f", "x\n".repeat(2000).as_bytes())]);
        assert_eq!((found[0].matches, found[0].lines.len()), (2000, KEPT));
    }

    #[test]
    fn a_file_that_cannot_be_read_to_its_end_is_counted() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let endless = format!("{} needle", "x".repeat(LONGEST_LINE + 1));
        let paths = [root.join("endless"), root.join("gone"), root.join("short")];
        std::fs::write(&paths[0], endless).unwrap();
        std::fs::write(&paths[2], "a needle\n").unwrap();
        let search = Search::new("needle", Case::Matters, 0).unwrap();
        let hits = search.files(&Workspace::new(&root), &paths, &Stop::default());
        assert_eq!((hits.len(), search.unread()), (1, 1));
        assert!(unread(search.unread()).starts_with("1 file could not be read"));
    }

    #[test]
    fn what_is_no_regular_expression_is_explained() {
        for (pattern, why) in [("fn (", "(unclosed group); write a backslash"), ("a\\nb", "search one line")] {
            let failure = Search::new(pattern, Case::Matters, 0).unwrap_err();
            assert_eq!(failure.kind, FailureKind::InvalidArguments);
            assert!(failure.message.contains(why), "{}", failure.message);
        }
    }
}
