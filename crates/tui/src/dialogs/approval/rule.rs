//! The words of a rule about to be kept, narrowed by the user before they say yes to it.

use crate::composer::Editor;
use crate::text::quoting;
use agent_protocol::{CommandPart, Rule};

/// A rule in the making.
pub(super) struct Narrowing {
    pub(super) editor: Editor,
    offered: Vec<String>,
}

impl Narrowing {
    /// The offered words, to be narrowed.
    pub(super) fn of(words: &[String]) -> Self {
        Narrowing { editor: Editor::holding(&quoting::join(words)), offered: words.to_vec() }
    }

    /// The rule as it stands now, for a command of these `parts`.
    ///
    /// # Errors
    /// What is wrong with it: rules are never wider than offered, and fit the command that is asked about.
    pub(super) fn rule(&self, parts: &[CommandPart]) -> Result<Rule, String> {
        let words = quoting::split(&self.editor.whole()).ok_or("a quote is left open")?;
        if !words.starts_with(&self.offered) {
            return Err(format!("that is wider than offered: it has to begin with {}", quoting::join(&self.offered)));
        }
        let fits = |part: &&CommandPart| part.words.starts_with(&words);
        let offered = |part: &&CommandPart| part.words.starts_with(&self.offered);
        match parts.iter().find(offered) {
            Some(part) if !parts.iter().any(|part| fits(&part)) => {
                Err(format!("that does not fit this command: {}", quoting::join(&part.words)))
            }
            Some(_) | None => Ok(Rule::Words { words }),
        }
    }
}
