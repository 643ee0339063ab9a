//! What a slash command of the user's own says: words, and commands whose output stands among them.

use serde::{Deserialize, Serialize};

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Words, as they stand there.
    Words(String),
    /// A shell line; what it puts out stands in its place.
    Output(String),
}

impl Piece {
    /// As it stands in a message before the command has run.
    pub fn written(&self) -> String {
        match self {
            Piece::Words(words) => words.clone(),
            Piece::Output(command) => format!("!`{command}`"),
        }
    }

    /// All of a message, as it is shown.
    pub fn all_written(pieces: &[Piece]) -> String {
        pieces.iter().map(Piece::written).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Piece;

    #[test]
    fn a_message_shows_its_commands_where_their_output_will_stand() {
        let pieces = [Piece::Words("Explain:\n".into()), Piece::Output("git status".into()), Piece::Words("\n".into())];
        assert_eq!(Piece::all_written(&pieces), "Explain:\n!`git status`\n");
    }
}
