//! Commands in fences.

const SHELLS: &[&str] = &["sh", "bash", "shell", "console", "zsh", "shell-session", "shellsession", "terminal"];

/// Is it how people call a Unix shell?
pub(super) fn is_shell(language: &str) -> bool {
    SHELLS.contains(&language)
}

/// The command in a block for a shell; `None` where it shows output, too, or has something to be filled in.
pub(super) fn command(lines: &[String]) -> Option<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).filter(|line| !line.trim().is_empty()).collect();
    let prompted = lines.iter().filter(|line| prompt(line).is_some()).count();
    let mut said = Vec::new();
    let mut goes_on = false;
    for line in &lines {
        match prompt(line) {
            Some(command) => said.push(command),
            None if prompted == 0 || goes_on => said.push(line),
            None => return None,
        }
        goes_on = line.ends_with('\\');
    }
    let command = said.join("\n");
    let says = command.lines().any(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
    (says && !has_gap(&command)).then_some(command)
}

/// What follows on a prompt.
fn prompt(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("$ ").or_else(|| line.strip_prefix("% ")).or_else(|| line.strip_prefix("> $ "))
}

/// Is there something that a person is to fill in?
fn has_gap(command: &str) -> bool {
    let words = ["path/to", "your_", "your-", "/your/", "<your", "<path", "<file", "<name", "[options]", "..."];
    let lower = command.to_lowercase();
    // `go test ./...` is a real command.
    let lower = lower.replace("./...", ".").replace("/...", "/");
    words.iter().any(|word| lower.contains(word))
}
