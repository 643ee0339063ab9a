//! What the program does of its own accord around a model, so that more gets solved. `docs/HARNESS.md` says of each what it is
//! worth and when it fires.

use serde::{Deserialize, Serialize};

/// What happens to a change after which a file has a fault in its syntax that it had not before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyntaxGate {
    /// Nothing.
    Off,
    /// It is made, and the model is told where the fault is.
    Tell,
    /// It is refused once with the place of the fault; the next change of that file is made.
    Refuse,
}

/// In which form a model is led to change files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditForm {
    /// A part by the text that is replaced, or the whole file, as it likes.
    Both,
    /// A part; the whole only of files that are new.
    Replace,
    /// The whole file, where it is not long.
    Whole,
}

/// Declares the values that hold and what one layer says of them, so that neither can lack what the other has.
macro_rules! levers {
    ($($(#[$about:meta])* $name:ident: $kind:ty = $usual:expr, off $off:expr;)*) => {
        /// What holds for the model in use.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Levers {
            $($(#[$about])* pub $name: $kind,)*
        }

        impl Default for Levers {
            fn default() -> Self {
                Levers { $($name: $usual,)* }
            }
        }

        /// What one layer says: a config, a family of models, or a size. What it leaves open is as the layer below has it.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct LeverChanges {
            $($(#[$about])* pub $name: Option<$kind>,)*
        }

        impl LeverChanges {
            /// The names of all of them, as files spell them.
            pub const NAMES: &[&str] = &[$(stringify!($name),)*];

            /// All of them switched off.
            pub fn off() -> Self {
                LeverChanges { $($name: Some($off),)* }
            }

            /// Those that this layer sets.
            pub fn named(&self) -> Vec<&'static str> {
                let mut found = Vec::new();
                $(if self.$name.is_some() { found.push(stringify!($name)); })*
                found
            }

            /// Lays `above` over this layer: what it says counts.
            pub fn cover_with(&mut self, above: LeverChanges) {
                $(self.$name = above.$name.or(self.$name);)*
            }
        }

        impl Levers {
            /// Takes over what a layer says.
            pub fn change(&mut self, layer: &LeverChanges) {
                $(self.$name = layer.$name.unwrap_or(self.$name);)*
            }
        }
    };
}

levers! {
    /// How often in a turn what fails in a check goes back to the model; 0: nothing is checked at its end.
    check_rounds: u32 = 2, off 0;
    /// Tries at one task whose check still fails after that, each from the files as they were. Who is there is asked before a
    /// second; 0: never.
    attempts: u32 = 1, off 0;
    /// What happens to a change that breaks the syntax of a file.
    syntax: SyntaxGate = SyntaxGate::Tell, off SyntaxGate::Off;
    /// Lines that a file in use may have so that a whole new text of it is taken by call; a longer one is changed in parts. 0:
    /// any length.
    whole_file_lines: u32 = 120, off 0;
    /// Lines that a read shows where the model names no number; the rest comes as an outline. 0: as many as fit.
    read_lines: u32 = 250, off 0;
    /// Hits beyond which a search answers with counts by file. 0: never.
    search_hits: u32 = 40, off 0;
    /// Tokens of conversation beyond which old results become one line each; never more than three quarters of the window. 0:
    /// only the window counts.
    working_tokens: u32 = 24_000, off 0;
    /// Long runs of lines that programs print while all goes well are told as one.
    fold_output: bool = true, off false;
    /// Tokens of thinking in one reply after which the model is told to act; 1: as the window suggests; 0: no bound.
    think_tokens: u32 = 1, off 0;
    /// Facts about the project go with the first message.
    facts: bool = true, off false;
    /// An answer in the place of a change that was asked for: files in it are proposed, and the model is told once that nothing
    /// was changed.
    unmade_changes: bool = true, off false;
    /// Looks in a row without a change, where one was asked for, before the model is told. 0: never.
    looks: u32 = 12, off 0;
    /// Steps in a row without any progress before the model is told. 0: never.
    idle: u32 = 6, off 0;
    /// Tokens of one call beyond which the reply is ended. 0: never.
    longest_call: u32 = 12_000, off 0;
    /// Only the tools that a small model can keep apart are offered.
    few_tools: bool = false, off false;
    /// In which form the model is led to change files. Where an examination found that it writes files and misses edits, and
    /// neither the config, its family nor its size says anything: the whole file.
    edit: EditForm = EditForm::Both, off EditForm::Both;
    /// A model that works by files changes long ones by SEARCH/REPLACE blocks. Where an examination found that it can, and nothing
    /// else says anything: so it is.
    blocks: bool = false, off false;
    /// New errors that a running language server sees after a change are told.
    diagnostics: bool = true, off false;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_above_counts_and_what_it_leaves_open_stays() {
        let mut layer = LeverChanges { looks: Some(3), idle: Some(0), ..LeverChanges::default() };
        layer.cover_with(LeverChanges { looks: Some(5), facts: Some(false), ..LeverChanges::default() });
        let mut levers = Levers::default();
        levers.change(&layer);
        assert_eq!(levers, Levers { looks: 5, idle: 0, facts: false, ..Levers::default() });
        assert_eq!(layer.named(), ["facts", "looks", "idle"]);
    }
}
