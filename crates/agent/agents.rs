//! The kinds of agents that the user and the project bring along: a Markdown file each, in `agents/` beside the config
//! and in `.agent/agents/` of the project.
//!
//! A file may begin with a few lines of front matter (`name`, `description`, `tools`); the rest is what the agent is told.
//! What cannot be read is left out, and told with file and line.

use crate::config::owner::is_ours_alone;
use agent_protocol::ToolSpec;
use agent_session::{AgentKind, AgentTools, OfferedGroup};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use strsim::damerau_levenshtein;

/// More than this would leave a small window no room for work.
const LONGEST: u64 = 32 * 1_024;

/// More kinds than this would be a page of prompt.
const MOST: usize = 20;

/// What is read of the front matter.
const KEYS: [&str; 3] = ["name", "description", "tools"];

const LONGEST_NAME: usize = 40;

/// The kinds of the user, then those of the project; what is wrong with a file is noted.
pub(crate) fn load(user_folder: &Path, project: &Path, notices: &mut Vec<String>) -> Vec<AgentKind> {
    let mut kinds = in_folder(&user_folder.join("agents"), None, notices);
    for kind in in_folder(&project.join(".agent/agents"), Some(project), notices) {
        let (name, mut yours) = (&kind.name, kinds.iter().filter(|own| !own.of_project));
        if yours.any(|own| own.is_called(name)) {
            notices.push(format!("the project's agent {name} is not used: yours has the same name"));
        } else if AgentKind::ours().iter().any(|ours| ours.is_called(name)) {
            notices.push(format!("the project's agent {name} is not used: a built-in one has the same name"));
        } else {
            kinds.push(kind);
        }
    }
    kinds
}

/// What is odd about the tools that these `kinds` name: what there is not they do not get.
pub(crate) fn oddities(kinds: &[AgentKind], tools: &[ToolSpec], groups: &[OfferedGroup]) -> Vec<String> {
    let odd = kinds.iter().filter_map(|kind| {
        let unknown = kind.unknown_tools(tools, groups).join(", ");
        let whose = if kind.of_project { "the project's" } else { "your" };
        (!unknown.is_empty()).then(|| format!("{whose} agent {} names tools that are not there: {unknown}", kind.name))
    });
    odd.collect()
}

/// Those in `folder`, by name. A file of a project may be no link out of it.
fn in_folder(folder: &Path, project: Option<&Path>, notices: &mut Vec<String>) -> Vec<AgentKind> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    if files.len() > MOST {
        notices.push(format!("{}: {} agents; only the first {MOST} are used", folder.display(), files.len()));
        files.truncate(MOST);
    }
    let mut kinds: Vec<AgentKind> = Vec::new();
    for path in files {
        match read(&path, project).and_then(|text| parse(&text, &path)) {
            Ok(kind) if kinds.iter().any(|known| known.name == kind.name) => {
                notices.push(format!("{}: there is another agent {}", path.display(), kind.name));
            }
            Ok(kind) => kinds.push(AgentKind { of_project: project.is_some(), ..kind }),
            Err(why) => notices.push(format!("{why}; this agent is left out")),
        }
    }
    kinds
}

fn read(path: &Path, project: Option<&Path>) -> Result<String, String> {
    let shown = path.display();
    let real = path.canonicalize().map_err(|error| format!("{shown}: {error}"))?;
    if project.is_some_and(|project| !real.starts_with(project)) {
        return Err(format!("{shown}: leads out of the project"));
    }
    if !real.is_file() {
        return Err(format!("{shown}: is no file"));
    }
    if project.is_none() && !is_ours_alone(&real) {
        return Err(format!("{shown}: belongs to another user, or others can write to it"));
    }
    let mut bytes = Vec::new();
    let file = File::open(&real).map_err(|error| format!("{shown}: {error}"))?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| format!("{shown}: {error}"))?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("{shown}: is longer than {} KiB", LONGEST / 1_024));
    }
    String::from_utf8(bytes).map_err(|_| format!("{shown}: is not UTF-8 text"))
}

/// What stands above the text of a file.
#[derive(Default)]
struct Front {
    name: Option<String>,
    description: String,
    tools: Option<Vec<String>>,
    /// Lines of a list belong to `tools`.
    listing: bool,
}

fn parse(text: &str, path: &Path) -> Result<AgentKind, String> {
    let at = |line: usize, what: &str| format!("{}:{line}: {what}", path.display());
    let text = text.trim_start_matches('\u{feff}');
    let (mut front, mut body) = (Front::default(), text);
    if text.lines().next().map(str::trim_end) == Some("---") {
        let mut end = None;
        for (number, line) in text.lines().enumerate().skip(1) {
            if line.trim_end() == "---" {
                end = Some(number);
                break;
            }
            front.line(line).map_err(|what| at(number + 1, &what))?;
        }
        let end = end.ok_or_else(|| at(1, "the front matter does not end; put a line --- below it"))?;
        let skipped: usize = text.split_inclusive('\n').take(end + 1).map(str::len).sum();
        body = &text[skipped..];
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = front.name.unwrap_or(stem);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(plain) {
        return Err(at(1, "the name of an agent is a short word of letters, digits, - and _"));
    }
    if body.trim().is_empty() {
        return Err(at(text.lines().count().max(1), "says nothing to the agent"));
    }
    let description = if front.description.is_empty() { "the user's own".to_owned() } else { front.description };
    let tools = front.tools.map_or(AgentTools::Offered, AgentTools::Only);
    Ok(AgentKind { name, description, prompt: body.trim().to_owned(), tools, of_project: false })
}

impl Front {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if let Some(entry) = line.strip_prefix("- ").filter(|_| self.listing) {
            self.tools.get_or_insert_default().push(unquoted(entry).to_owned());
            return Ok(());
        }
        let (key, value) = line.split_once(':').ok_or("expected `key: value`")?;
        let value = value.trim();
        self.listing = false;
        match key.trim() {
            "name" => self.name = Some(unquoted(value).to_owned()),
            "description" => self.description = unquoted(value).to_owned(),
            "tools" => {
                let list = value.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(value);
                let names = list.split(',').map(unquoted).filter(|name| !name.is_empty());
                self.tools = Some(names.map(str::to_owned).collect());
                self.listing = value.is_empty();
            }
            // Other programs keep their own here (model, color …): it says nothing to us. But a list of tools that is not
            // read would leave the agent all of them.
            other => {
                let near = |known: &&&str| damerau_levenshtein(&other.to_lowercase(), known) <= 1;
                if let Some(meant) = KEYS.iter().find(near) {
                    return Err(format!("there is no `{other}`; did you mean `{meant}`?"));
                }
            }
        }
        Ok(())
    }
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let within = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn parsed(text: &str) -> Result<AgentKind, String> {
        parse(text, Path::new("/u/reviewer.md"))
    }

    #[test]
    fn a_file_is_an_agent_named_like_it() {
        let kind = parsed("You review.\n").unwrap();
        assert_eq!(
            (kind.name.as_str(), kind.prompt.as_str(), kind.tools),
            ("reviewer", "You review.", AgentTools::Offered)
        );
    }

    #[test]
    fn front_matter_names_it_and_its_tools_in_three_ways() {
        let only = AgentTools::Only(vec!["read_file".into(), "git".into()]);
        for tools in ["tools: read_file, git", "tools: [\"read_file\", 'git']", "tools:\n  - read_file\n  - git"] {
            let kind =
                parsed(&format!("---\nname: careful\ndescription: Reviews: all\n{tools}\nmodel: x\n---\n\nYou.\n"));
            let kind = kind.unwrap();
            assert_eq!((kind.name.as_str(), kind.description.as_str()), ("careful", "Reviews: all"));
            assert_eq!((kind.prompt.as_str(), kind.tools), ("You.", only.clone()));
        }
    }

    #[test]
    fn tools_that_are_not_there_are_told() {
        let kinds = [parsed("---\ntools: read_file, Magic, core\n---\nYou.").unwrap(), parsed("You.").unwrap()];
        let spec = |name: &str| ToolSpec {
            name: name.into(),
            description: String::new(),
            parameters: serde_json::Value::Null,
            aliases: Vec::new(),
        };
        let core = OfferedGroup { name: "core".into(), specs: vec![spec("read_file")], on: true };
        let told = oddities(&kinds, &[spec("read_file")], &[core]);
        assert_eq!(told, ["your agent reviewer names tools that are not there: Magic"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_file_and_line() {
        for (text, says) in [
            ("---\nname: x\nwhat\n---\nYou.", "/u/reviewer.md:3: expected `key: value`"),
            ("---\ntool: read_file\n---\nYou.", "/u/reviewer.md:2: there is no `tool`; did you mean `tools`?"),
            ("---\nTools: read_file\n---\nYou.", "/u/reviewer.md:2: there is no `Tools`; did you mean `tools`?"),
            ("---\nname: x\nYou: do", "/u/reviewer.md:1: the front matter does not end"),
            ("---\nname: a b\n---\nYou.", "/u/reviewer.md:1: the name of an agent"),
            ("---\nname: x\n---\n\n", "/u/reviewer.md:4: says nothing"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
    }

    #[test]
    fn the_persons_go_before_the_projects_and_what_is_odd_is_left_out() {
        let (user, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let project_path = project.path().canonicalize().unwrap();
        let theirs = project_path.join(".agent/agents");
        fs::create_dir_all(user.path().join("agents")).unwrap();
        fs::create_dir_all(&theirs).unwrap();
        fs::write(user.path().join("agents/one.md"), "mine").unwrap();
        fs::write(user.path().join("agents/notes.txt"), "no agent").unwrap();
        fs::write(theirs.join("one.md"), "theirs").unwrap();
        fs::write(theirs.join("two.md"), "theirs").unwrap();
        fs::write(theirs.join("Explore.md"), "theirs").unwrap();
        fs::write(theirs.join("long.md"), "x".repeat(40_000)).unwrap();
        fs::write(user.path().join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(user.path().join("secret"), theirs.join("link.md")).unwrap();
        let mut notices = Vec::new();
        let kinds = load(user.path(), &project_path, &mut notices);
        let found: Vec<(&str, &str, bool)> =
            kinds.iter().map(|kind| (kind.name.as_str(), kind.prompt.as_str(), kind.of_project)).collect();
        assert_eq!(found, [("one", "mine", false), ("two", "theirs", true)]);
        let told = notices.join("\n");
        assert!(told.contains("long.md: is longer than 32 KiB") && told.contains("link.md: leads out"), "{told}");
        assert!(told.contains("the project's agent one is not used: yours"), "{told}");
        assert!(told.contains("the project's agent Explore is not used: a built-in"), "{told}");
    }
}
