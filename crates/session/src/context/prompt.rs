//! The one system message of a session, made once at its start.

/// Begins what is said of the project.
const PROJECT: &str = "\nProject folder: ";

const INSTRUCTIONS: &str = include_str!("../../../../assets/prompts/system.md");

/// What the user or the project says to every model, from `AGENTS.md` and its kin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectWords {
    /// The file it stands in, as a person would name it.
    pub source: String,
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

/// The system message of an agent that is told `prompt`: the project, and what the user and the project say, stand in
/// the one of the session.
pub fn agent_prompt(prompt: &str, session: &str) -> String {
    let project = session.find(PROJECT).map_or("", |at| &session[at..]);
    format!("{}\n{project}", prompt.trim_end())
}

/// What a system message consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SystemParts<'a> {
    /// What the user or the project says, headings included.
    pub(crate) words: &'a str,
    pub(crate) sources: usize,
    /// What is said of the tools, where they go by text.
    pub(crate) tools: &'a str,
}

/// Takes a system message apart.
pub(crate) fn split(system: &str, tools_by_text: bool) -> SystemParts<'_> {
    let end = if tools_by_text { system.rfind("\n# Tools\n") } else { None };
    let (standing, tools) = system.split_at(end.unwrap_or(system.len()));
    let words = standing.find(PROJECT).and_then(|at| Some(at + standing[at..].find("\n# From ")?));
    let words = &standing[words.unwrap_or(standing.len())..];
    SystemParts { words, sources: words.matches("\n# From ").count(), tools }
}

/// The sources that stand in both of these system messages, and say something else by now. One that stands in one of them alone
/// may be new, gone, or not trusted.
pub fn changed_sources<'a>(before: &str, now: &'a str) -> Vec<&'a str> {
    let before: Vec<(&str, &str)> = by_source(before).collect();
    let changed = by_source(now).filter(|(source, text)| {
        before.iter().any(|(earlier, was)| earlier == source && was.trim_end() != text.trim_end())
    });
    changed.map(|(source, _)| source).collect()
}

/// What each source says, in a system message without tools.
fn by_source(system: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = split(system, false).words;
    words.split("\n# From ").filter_map(|section| section.split_once('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_source_that_says_something_else_by_now_changed() {
        let prompt = |folder: &str, words: &[(&str, &str)]| {
            let words =
                words.iter().map(|(source, text)| ProjectWords { source: (*source).into(), text: (*text).into() });
            system_prompt(folder, "linux", &words.collect::<Vec<_>>())
        };
        let (yours, theirs) = (("your AGENTS.md", "Be brief."), ("AGENTS.md", "Use tabs."));
        let before = prompt("/p", &[yours, theirs]);
        assert_eq!(changed_sources(&before, &prompt("/p", &[yours, ("AGENTS.md", "Use spaces.")])), ["AGENTS.md"]);
        for same in [vec![yours, theirs], vec![theirs, yours], vec![yours], vec![yours, theirs, ("MEMORY.md", "x")]] {
            assert_eq!(changed_sources(&before, &prompt("/q", &same)), Vec::<&str>::new(), "{same:?}");
        }
    }

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

    #[test]
    fn a_system_message_is_taken_apart_as_it_was_put_together() {
        let words = ["A", "B"].map(|source| ProjectWords { source: source.into(), text: "Use tabs.".into() });
        let prompt = system_prompt("/p", "linux", &words);
        let expected =
            SystemParts { words: "\n# From A\n\nUse tabs.\n\n# From B\n\nUse tabs.\n", sources: 2, tools: "" };
        assert_eq!(split(&prompt, false), expected);
        let by_text = format!("{prompt}\n# Tools\n\nx()\n");
        assert_eq!(split(&by_text, true), SystemParts { tools: "\n# Tools\n\nx()\n", ..expected });
        assert_eq!(split("Be kind.", true), SystemParts { words: "", sources: 0, tools: "" });
    }
}
