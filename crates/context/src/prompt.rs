//! The one system message of a session, made once at its start.

/// Our own instructions.
const INSTRUCTIONS: &str = include_str!("../../../assets/prompts/system.md");

/// What the person or the project says to every model, from `AGENTS.md` and its kin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectWords {
    /// The file it stands in, as a person would name it.
    pub source: String,
    /// Its text.
    pub text: String,
}

/// The system message for a project in `folder` on `system` (`linux`, `macos` …).
pub fn system_prompt(folder: &str, system: &str, words: &[ProjectWords]) -> String {
    let mut prompt = format!("{INSTRUCTIONS}\nProject folder: {folder} ({system})\n");
    for ProjectWords { source, text } in words {
        prompt.push_str(&format!("\n# From {source}\n\n{}\n", text.trim()));
    }
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_words_follow_the_instructions_under_their_source() {
        let words = [ProjectWords { source: "AGENTS.md".into(), text: "Use tabs.\n".into() }];
        let prompt = system_prompt("/p", "linux", &words);
        assert!(prompt.starts_with("You are agent"));
        assert!(prompt.ends_with("Project folder: /p (linux)\n\n# From AGENTS.md\n\nUse tabs.\n"));
    }

    #[test]
    fn the_same_project_gives_the_same_bytes() {
        assert_eq!(system_prompt("/p", "linux", &[]), system_prompt("/p", "linux", &[]));
    }
}
