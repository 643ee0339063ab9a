//! What was remembered in earlier sessions, as the model is told of it.

use crate::context::ProjectWords;

/// Characters of one file of notes that are told. The newest stand at its end, and are kept.
const BUDGET: usize = 4_000;

const ABOUT: &str =
    "Notes of earlier sessions. They tell how things were then; what you find in the project counts more.";

/// What of a file of notes is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notes {
    /// As it stands in the system message.
    pub words: ProjectWords,
    pub text: String,
    /// Lines at the beginning that are left out.
    pub left_out: usize,
}

/// The notes in `file`, which a person would call `source`; `None` where it says nothing.
pub fn notes(source: &str, file: &str) -> Option<Notes> {
    let lines: Vec<&str> = file.lines().map(str::trim_end).collect();
    let mut room = BUDGET;
    let fits = lines.iter().rev().take_while(|line| {
        let length = line.chars().count() + 1;
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    });
    let (left, kept) = lines.split_at(lines.len() - fits.count());
    let left_out = left.iter().filter(|line| !line.is_empty()).count();
    let text = kept.join("\n").trim_matches('\n').to_owned();
    if text.trim().is_empty() && left_out == 0 {
        return None;
    }
    let cut = match left_out {
        0 => String::new(),
        1 => " The oldest line is left out here.".to_owned(),
        more => format!(" The oldest {more} lines are left out here."),
    };
    let words = ProjectWords { source: source.into(), text: format!("{ABOUT}{cut}\n\n{text}") };
    Some(Notes { words, text, left_out })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_told_as_notes_of_earlier_sessions() {
        let notes = notes("your memory.md", "# Notes\n\n- Tests run with make.\n").unwrap();
        assert_eq!((notes.text.as_str(), notes.left_out), ("# Notes\n\n- Tests run with make.", 0));
        let prompt = crate::context::system_prompt("/p", "linux", &[notes.words]);
        let expected = format!("\n# From your memory.md\n\n{ABOUT}\n\n# Notes\n\n- Tests run with make.\n");
        assert!(prompt.ends_with(&expected), "{prompt}");
    }

    #[test]
    fn of_more_than_there_is_room_for_the_newest_are_told() {
        let file: String = (0..500).map(|nth| format!("- fact number {nth:03}\n")).collect();
        let notes = notes("memory.md", &file).unwrap();
        assert!(notes.text.chars().count() <= BUDGET && notes.text.ends_with("- fact number 499"));
        let told = notes.text.lines().count();
        assert_eq!((told, notes.left_out), (BUDGET / 18, 500 - BUDGET / 18));
        assert!(notes.words.text.contains(&format!("The oldest {} lines are left out here.", notes.left_out)));
    }

    #[test]
    fn a_file_without_words_tells_nothing() {
        assert_eq!((notes("m", ""), notes("m", "\n  \n")), (None, None));
    }

    #[test]
    fn one_endless_line_is_left_out_and_that_is_told() {
        let notes = notes("m", &format!("- {}\n", "x".repeat(BUDGET))).unwrap();
        assert_eq!((notes.text.as_str(), notes.left_out), ("", 1));
    }
}
