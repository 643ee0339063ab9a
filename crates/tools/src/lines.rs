//! Reads a file line by line in bounded memory, however long the file or a line is.

use std::io::{self, BufRead};

/// Takes lines from `reader`.
pub(crate) struct LineReader<R> {
    reader: R,
}

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its first bytes.
    pub(crate) bytes: Vec<u8>,
    /// How many more there were.
    pub(crate) cut: u64,
}

impl<R: BufRead> LineReader<R> {
    pub(crate) fn new(reader: R) -> Self {
        LineReader { reader }
    }

    /// The next line with at most `keep` bytes, or `None` at the end.
    pub(crate) fn next(&mut self, keep: usize) -> io::Result<Option<Line>> {
        let mut line = Line { bytes: Vec::new(), cut: 0 };
        let mut any = false;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let kept = part.len().min(keep - line.bytes.len());
            line.bytes.extend_from_slice(&part[..kept]);
            line.cut += (part.len() - kept) as u64;
            let used = end.map_or(part.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if line.cut == 0 && line.bytes.last() == Some(&b'\r') {
            line.bytes.pop();
        }
        Ok(any.then_some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, keep: usize) -> Vec<(String, u64)> {
        let mut lines = LineReader::new(io::BufReader::with_capacity(3, text.as_bytes()));
        std::iter::from_fn(|| lines.next(keep).unwrap())
            .map(|line| (String::from_utf8(line.bytes).unwrap(), line.cut))
            .collect()
    }

    #[test]
    fn ends_are_dropped_and_long_lines_cut() {
        assert_eq!(lines("", 9), []);
        assert_eq!(lines("one\r\n\ntwo", 9), [("one".into(), 0), (String::new(), 0), ("two".into(), 0)]);
        assert_eq!(lines("abcdefghij\nk\n", 4), [("abcd".into(), 6), ("k".into(), 0)]);
    }
}
