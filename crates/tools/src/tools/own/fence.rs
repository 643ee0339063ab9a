//! How a file that is read ahead stands before the model: its name, and its text in a fence.

/// `title` on a line of its own, and the text of the file called `shown` in a fence that it cannot close.
pub(super) fn fenced(title: &str, shown: &str, text: &str) -> String {
    let longest = text.lines().map(|line| line.chars().take_while(|c| *c == '`').count()).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    format!("{title}\n{fence}{}\n{text}{end}{fence}\n", language(shown))
}

/// What a fence is called that holds this file.
fn language(name: &str) -> &str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "py" => "python",
        "rs" => "rust",
        "js" | "mjs" | "cjs" => "javascript",
        "ts" => "typescript",
        "sh" => "bash",
        "md" => "markdown",
        "yml" => "yaml",
        ending if ending.contains('/') => "",
        ending => ending,
    }
}
