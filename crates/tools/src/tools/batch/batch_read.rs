//! Several readings in one result: each under a heading, with its fair share of the room.

use crate::blocking::Stop;
use crate::words;
use agent_protocol::{Failure, Outcome};

const PICTURES: usize = 8;

/// What reads in so many bytes.
pub(super) type Read = Box<dyn FnOnce(usize, &Stop) -> Result<Outcome, Failure> + Send>;

/// A reading still to be made.
pub(super) struct FileReading {
    /// The file, as it is shown.
    pub(super) name: String,
    /// About so many bytes.
    pub(super) size: u64,
    pub(super) read: Read,
}

impl FileReading {
    fn heading(&self) -> String {
        format!("==> {} <==\n", self.name)
    }
}

/// All of them, in their order. What cannot be read is said in its place; it fails only where nothing can be.
pub(super) fn together(readings: Vec<FileReading>, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
    let headings: Vec<String> = readings.iter().map(FileReading::heading).collect();
    let mut left = room.saturating_sub(headings.iter().map(String::len).sum());
    let mut readings: Vec<(usize, FileReading)> = readings.into_iter().enumerate().collect();
    let total = readings.len();
    // The smaller ones come first, so that what they leave of their share goes to the larger ones.
    readings.sort_by_key(|(_, reading)| reading.size);
    let mut read: Vec<(usize, Result<Outcome, Failure>)> = Vec::new();
    for (done, (nth, reading)) in readings.into_iter().enumerate() {
        stop.check()?;
        let outcome = (reading.read)(left / (total - done), stop);
        let used = outcome.as_ref().map_or_else(|failure| failure.message.len() + 20, |outcome| outcome.told.len());
        left = left.saturating_sub(used);
        read.push((nth, outcome));
    }
    read.sort_by_key(|(nth, _)| *nth);
    one(headings, read.into_iter().map(|(_, outcome)| outcome).collect())
}

fn one(headings: Vec<String>, read: Vec<Result<Outcome, Failure>>) -> Result<Outcome, Failure> {
    let failed: Vec<&Failure> = read.iter().filter_map(|read| read.as_ref().err()).collect();
    let (total, missing) = (read.len(), failed.len());
    if let (Some(first), true) = (failed.first(), missing == total) {
        let messages: Vec<&str> = failed.iter().map(|failure| failure.message.as_str()).collect();
        return Err(Failure::new(first.kind, messages.join("\n")));
    }
    let (mut told, mut images) = (String::new(), Vec::new());
    for (heading, read) in headings.into_iter().zip(read) {
        let text = match read {
            Ok(outcome) if outcome.images.len() + images.len() > PICTURES => {
                format!("[image left out: at most {PICTURES} in a call]")
            }
            Ok(outcome) => {
                images.extend(outcome.images);
                outcome.told
            }
            Err(failure) => format!("[not read: {}]", failure.message),
        };
        let line_end = if text.ends_with('\n') { "" } else { "\n" };
        told.push_str(&format!("{heading}{text}{line_end}"));
    }
    let not_read = if missing > 0 { format!(", {missing} not read") } else { String::new() };
    let summary = format!("{}{not_read}", words::count(total as u64, "file"));
    Ok(Outcome { images, ..words::done(told.clone(), summary, told) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::FailureKind;

    fn of(sizes: &[usize], room: usize) -> Vec<usize> {
        let reading = |size: &usize| {
            let size = *size;
            let read: Read =
                Box::new(move |room, _| Ok(words::done("x".repeat(size.min(room)), String::new(), String::new())));
            FileReading { name: String::new(), size: size as u64, read }
        };
        let all = together(sizes.iter().map(reading).collect(), room, &Stop::default()).unwrap();
        all.told.split("==>  <==\n").skip(1).map(|text| text.trim_end().len()).collect()
    }

    #[test]
    fn what_small_files_leave_of_their_share_goes_to_the_large_ones() {
        let headings = 3 * "==>  <==\n".len();
        assert_eq!(of(&[10, 1000, 1000], 210 + headings), [10, 100, 100]);
        assert_eq!(of(&[1000, 10, 50], 210 + headings), [150, 10, 50]);
        assert_eq!(of(&[1, 2, 3], 210 + headings), [1, 2, 3]);
        assert_eq!(of(&[9, 9, 9], 0), [0, 0, 0]);
    }

    #[test]
    fn it_fails_only_where_nothing_can_be_read() {
        let reading = |fails: bool| {
            let outcome = words::done("text".into(), String::new(), String::new());
            let missing = Failure::new(FailureKind::NotFound, "gone");
            let read: Read = Box::new(move |_, _| if fails { Err(missing) } else { Ok(outcome) });
            FileReading { name: "a".into(), size: 1, read }
        };
        let all = |fail: &[bool]| together(fail.iter().map(|fails| reading(*fails)).collect(), 100, &Stop::default());
        assert_eq!(all(&[true, false]).unwrap().told, "==> a <==\n[not read: gone]\n==> a <==\ntext\n");
        assert_eq!(all(&[true, true]), Err(Failure::new(FailureKind::NotFound, "gone\ngone")));
    }
}
