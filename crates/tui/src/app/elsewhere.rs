//! Slash commands that hands know from other programs and that are none here: what to use instead, in a line. To add one: its row.

/// A word, and what there is in its place.
const ELSEWHERE: &[(&str, &str)] = &[
    ("mcp", "`agent mcp servers` shows the servers of others and lets one in; their tools are in /tools"),
    ("agents", "the model gives a task to an agent of its own by the tool `task`; /tools switches the group agent on"),
    ("theme", "`/config screen.theme = dark` sets the theme; it holds from the next start"),
    ("vim", "`/config composer.vim = true` brings a few keys of vi; it holds from the next start"),
    ("statusline", "the last line is as it is; /status shows the rest"),
    ("terminal-setup", "nothing has to be set up: Alt+Enter or Ctrl+J begins a new line in every terminal"),
    ("tui", "what was said stays in the terminal when you leave"),
    ("raw", "/copy copies the last answer as it came"),
    ("debug", "`AGENT_LOG=debug agent` writes more into agent.log in the state folder"),
    ("editor", "Ctrl+G opens the message in your editor"),
    ("feedback", "/export json writes the session into a file that can be sent along; nothing is sent from here"),
    ("bug", "/export json writes the session into a file that can be sent along; nothing is sent from here"),
    ("mention", "write @ and the beginning of its name in your message: the file is read with it"),
    ("add-dir", "files outside the project are asked about when they are wanted; start in the folder that holds both"),
    ("cd", "the folder is that of the start: `agent -C DIR` starts in another"),
    ("pwd", "/status shows the folder; it stands at the left of the last line"),
    ("btw", "write it: what you say while the model works is told to it with the next step"),
    ("side", "write it: what you say while the model works is told to it with the next step"),
    ("queue", "write it and press Enter: what you say while the model works waits for its turn"),
    ("login", "nobody has to log in: the model runs on your own machine"),
    ("logout", "nobody is logged in: the model runs on your own machine"),
];

/// What there is in place of the command `word`.
pub(super) fn instead(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(name, _)| *name == word).map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::{ELSEWHERE, instead};
    use crate::app::commands::is_known;

    #[test]
    fn what_is_a_command_here_is_not_answered_with_another() {
        for (name, words) in ELSEWHERE {
            assert!(!is_known(name), "{name}");
            assert!(words.chars().count() < 130, "one line: {words}");
        }
        assert!(instead("theme").is_some() && instead("help").is_none());
    }
}
