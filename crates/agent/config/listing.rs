//! Which settings hold, and which file or variable each of them is from: for whoever wonders why something is as it is.

use super::described::{self, Described};
use super::file::File;
use super::project::{Whose, tighten};
use super::{DEFAULT, Sources, owner, read, text};
use agent_tui::ListedSetting;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::{Table, Value as Toml};

/// Lists of which a project's own only narrows the user's: both hold.
const NARROWED: [&str; 5] = ["tools.core", "tools.exclude", "tools.groups", "coreTools", "excludeTools"];

/// Variables that go before every file, with the setting that each of them is.
const VARIABLES: [(&str, &str); 3] = [("AGENT_HOST", "host"), ("AGENT_MODEL", "model"), ("AGENT_NUM_CTX", "num_ctx")];

/// Letters of a setting before the place that it is from.
const COLUMN: usize = 48;

/// Who says what a setting is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    /// The file of the user's.
    User,
    /// The file of the project's.
    Project,
    /// A variable of the environment.
    Variable(&'static str),
    /// A flag of this start.
    Flag(&'static str),
}

impl Origin {
    fn word(&self) -> &'static str {
        match self {
            Origin::Default => "default",
            Origin::User => "your config.toml",
            Origin::Project => "this project's config.toml",
            Origin::Variable(name) | Origin::Flag(name) => name,
        }
    }
}

/// A setting as it holds.
#[derive(Debug, Clone, PartialEq)]
struct Setting {
    name: String,
    value: Toml,
    from: Origin,
}

/// A setting that a flag of this start sets: its name, the value, and the flag.
pub(crate) type Flagged = (&'static str, Toml, &'static str);

/// All that is set; below the flags, where these are not put over it.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Files that may say something, and whether each is there.
    files: Vec<(PathBuf, bool)>,
    settings: Vec<Setting>,
    /// What a file says and may not.
    refused: Vec<(String, Origin)>,
    /// Is there a file of the user's that cannot be read whole?
    pub(crate) faulty: bool,
}

impl Listing {
    /// Reads all layers once more, each by itself.
    pub(crate) fn of(sources: &Sources<'_>) -> Self {
        let (user, project) = (sources.user_folder.join("config.toml"), sources.project.join(".agent/config.toml"));
        let others = ["models.toml", "policy.toml"].map(|name| sources.user_folder.join(name));
        let files = [user.clone()].into_iter().chain(others).chain([project.clone()]);
        let mut listing =
            Listing { files: files.map(|path| (path.clone(), path.exists())).collect(), ..Self::default() };
        let mut merged = File::parse(DEFAULT).unwrap_or_default();
        leaves(DEFAULT).into_iter().for_each(|(name, value)| listing.put(name, value, Origin::Default));
        match read(&user) {
            Ok(Some(layer)) if owner::is_ours_alone(&user) => {
                written(&user).into_iter().for_each(|(name, value)| listing.put(name, value, Origin::User));
                merged.cover_with(layer);
            }
            Ok(Some(_)) => listing.put_what_tightens(&merged, written(&user), &Whose::Open(&user), &Origin::User),
            Ok(None) => {}
            Err(_) => listing.faulty = true,
        }
        listing.put_what_tightens(&merged, written(&project), &Whose::Project, &Origin::Project);
        listing.put_variables(sources.env);
        listing
    }

    fn put(&mut self, name: String, value: Toml, from: Origin) {
        match self.settings.iter_mut().find(|setting| setting.name == name) {
            Some(setting) if !(from == Origin::Project && NARROWED.contains(&name.as_str())) => {
                (setting.value, setting.from) = (value, from);
            }
            Some(_) | None => self.settings.push(Setting { name, value, from }),
        }
    }

    /// Takes from a layer that can only make things safer what is safer: the same rule decides that decides at the start.
    fn put_what_tightens(&mut self, merged: &File, layer: Vec<(String, Toml)>, whose: &Whose<'_>, from: &Origin) {
        for (name, value) in layer {
            let alone = File::parse(&alone(&name, &value));
            let mut notices = Vec::new();
            if let Ok(layer) = &alone {
                tighten(&mut merged.clone(), layer, whose, &mut notices);
            }
            if alone.is_ok() && notices.is_empty() {
                self.put(name, value, from.clone());
            } else {
                self.refused.push((name, from.clone()));
            }
        }
    }

    fn put_variables(&mut self, env: fn(&str) -> Option<String>) {
        let said = |name: &str| env(name).filter(|value| !value.trim().is_empty());
        for (variable, name) in VARIABLES {
            if let Some(value) = said(variable) {
                let value = value.parse().map(Toml::Integer).unwrap_or(Toml::String(value));
                self.put(name.to_owned(), value, Origin::Variable(variable));
            }
        }
        let is_set = self.settings.iter().any(|setting| setting.name == "host");
        if let Some(host) = said("OLLAMA_HOST").filter(|_| !is_set) {
            self.put("host".into(), Toml::String(host), Origin::Variable("OLLAMA_HOST"));
        }
        let is_auto = |setting: &Setting| setting.name == "screen.colour" && setting.value.as_str() == Some("auto");
        if said("NO_COLOR").is_some() && self.settings.iter().any(is_auto) {
            self.put("screen.colour".into(), Toml::String("never".into()), Origin::Variable("NO_COLOR"));
        }
    }

    /// The flags of this start go before all else.
    pub(crate) fn put_flags(&mut self, flags: &[Flagged]) {
        for (name, value, flag) in flags {
            self.settings.retain(|setting| setting.name != *name);
            self.put((*name).to_owned(), value.clone(), Origin::Flag(flag));
        }
    }

    /// Leaves only what is called `name` or stands in the section of this name.
    ///
    /// # Errors
    /// There is nothing of this name.
    pub(crate) fn narrow(&mut self, name: &str) -> Result<()> {
        let is_in = |of: &str| of.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.settings.retain(|setting| is_in(&setting.name));
        self.refused.retain(|(of, _)| is_in(of));
        if self.settings.is_empty() && self.refused.is_empty() {
            anyhow::bail!("nothing is set under {name}; `agent config --defaults` shows every setting there is");
        }
        Ok(())
    }

    /// For people: the files, then a line a setting.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (path, there) in &self.files {
            text += &format!("{}{}\n", path.display(), if *there { "" } else { "  (not there)" });
        }
        let mut section = None;
        let mut settings: Vec<&Setting> = self.settings.iter().collect();
        // What stands above all sections comes first, as it has to in a file.
        settings.sort_by_key(|setting| (setting.name.contains('.'), setting.name.clone()));
        for Setting { name, value, from } in settings {
            let of = name.rsplit_once('.').map(|(section, _)| section);
            if text.is_empty() || section != Some(of) {
                text.push('\n');
            }
            section = Some(of);
            text += &format!("{:COLUMN$}  {}\n", format!("{name} = {value}"), from.word());
        }
        if !self.refused.is_empty() {
            text += "\nnot taken, as such a file can only make things safer:\n";
        }
        for (name, from) in &self.refused {
            text += &format!("{name:COLUMN$}  {}\n", from.word());
        }
        text
    }

    /// The same for the screen, and what is not set, each with what is known of it.
    pub(crate) fn rows(&self) -> Vec<ListedSetting> {
        let described = described::all();
        let about = |name: &str| described.iter().find(|known| known.name == name);
        let set = self.settings.iter().map(|setting| ListedSetting {
            name: setting.name.clone(),
            value: on_screen(setting),
            from: setting.from.word().to_owned(),
            about: about(&setting.name).map(|known| known.about.clone()).unwrap_or_default(),
            is_set: !is_hidden(setting),
        });
        let is_unset = |known: &&Described| self.settings.iter().all(|setting| setting.name != known.name);
        let unset = described.iter().filter(is_unset).map(|known| ListedSetting {
            name: known.name.clone(),
            value: format!("not set; like {}", known.example.as_deref().unwrap_or("true")),
            from: Origin::Default.word().to_owned(),
            about: known.about.clone(),
            is_set: false,
        });
        let mut rows: Vec<ListedSetting> = set.chain(unset).collect();
        rows.sort_by_key(|row| (row.name.contains('.'), row.name.clone()));
        rows.extend(self.refused.iter().map(|(name, from)| ListedSetting {
            name: name.clone(),
            value: "not taken, as such a file can only make things safer".to_owned(),
            from: from.word().to_owned(),
            about: String::new(),
            is_set: false,
        }));
        rows
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> Value {
        let files = self.files.iter().map(|(path, there)| json!({ "path": path, "there": there }));
        let settings = self
            .settings
            .iter()
            .map(|Setting { name, value, from }| json!({ "name": name, "value": value, "from": from.word() }));
        let refused = self.refused.iter().map(|(name, from)| json!({ "name": name, "from": from.word() }));
        json!({
            "files": files.collect::<Vec<_>>(),
            "settings": settings.collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
        })
    }
}

/// A value as the screen shows it, where others may look on: a key that stands in a file itself, and not the name of a variable
/// that holds it, is not spelled out.
fn on_screen(setting: &Setting) -> String {
    if is_hidden(setting) { "(set; not shown here)".to_owned() } else { setting.value.to_string() }
}

fn is_hidden(setting: &Setting) -> bool {
    setting.name.ends_with("_key") && setting.value.as_str().is_some_and(|key| !key.starts_with('$'))
}

/// The text of a file that sets this alone.
fn alone(name: &str, value: &Toml) -> String {
    let table =
        name.rsplit('.').fold(value.clone(), |inner, key| Toml::Table(Table::from_iter([(key.to_owned(), inner)])));
    table.as_table().map(Table::to_string).unwrap_or_default()
}

/// What is written in a file; nothing where there is none or it cannot be read.
fn written(path: &Path) -> Vec<(String, Toml)> {
    text(path).ok().flatten().map(|text| leaves(&text)).unwrap_or_default()
}

/// Each setting of a file by its whole name.
pub(super) fn leaves(text: &str) -> Vec<(String, Toml)> {
    let mut found = BTreeMap::new();
    if let Ok(table) = text.parse::<Table>() {
        collect(&table, "", &mut found);
    }
    found.into_iter().collect()
}

fn collect(table: &Table, section: &str, found: &mut BTreeMap<String, Toml>) {
    for (key, value) in table {
        let name = if section.is_empty() { key.clone() } else { format!("{section}.{key}") };
        match value {
            Toml::Table(inner) => collect(inner, &name, found),
            other => drop(found.insert(name, other.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Faulty;
    use std::fs;

    fn listing(user: &str, project: &str, env: fn(&str) -> Option<String>) -> Listing {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("user")).unwrap();
        fs::create_dir_all(at("p/.agent")).unwrap();
        fs::write(at("user/config.toml"), user).unwrap();
        fs::set_permissions(at("user/config.toml"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(at("p/.agent/config.toml"), project).unwrap();
        Listing::of(&Sources { user_folder: &at("user"), project: &at("p"), env, faulty: Faulty::Say })
    }

    fn found(listing: &Listing, name: &str) -> Vec<(String, &'static str)> {
        let named = listing.settings.iter().filter(|setting| setting.name == name);
        named.map(|setting| (setting.value.to_string(), setting.from.word())).collect()
    }

    #[test]
    fn each_setting_has_the_last_layer_that_may_say_it() {
        let user = "model = \"a\"\nmode = \"accept_edits\"\n[limits]\nsteps = 30\n[tools]\ncore = [\"read_file\"]\n";
        let project =
            "mode = \"safe\"\nmodel = \"b\"\n[limits]\nsteps = 20\nrepeats = 900\n[tools]\ncore = [\"*_file\"]\n";
        let listing = listing(user, project, |name| (name == "AGENT_NUM_CTX").then(|| "8192".into()));
        assert_eq!(found(&listing, "model"), [("\"a\"".into(), "your config.toml")]);
        assert_eq!(found(&listing, "mode"), [("\"safe\"".into(), "this project's config.toml")]);
        assert_eq!(found(&listing, "limits.steps"), [("20".into(), "this project's config.toml")]);
        assert_eq!(found(&listing, "limits.repeats")[0].1, "default");
        assert_eq!(found(&listing, "num_ctx"), [("8192".into(), "AGENT_NUM_CTX")]);
        assert_eq!(found(&listing, "tools.core").len(), 2, "a project's list narrows, and both hold");
        let refused: Vec<&str> = listing.refused.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(refused, ["limits.repeats", "model"]);
        assert!(!listing.faulty);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_said_and_what_is_built_in_stands() {
        let listing = listing("mode = 3\n", "", |_| None);
        assert!(listing.faulty);
        assert_eq!(found(&listing, "mode"), [("\"safe\"".into(), "default")]);
    }

    #[test]
    fn a_section_is_shown_alone_and_one_that_sets_nothing_says_where_to_look() {
        let mut all = listing("", "", |_| None);
        all.narrow("sandbox").unwrap();
        assert!(all.settings.iter().all(|setting| setting.name.starts_with("sandbox.")));
        let error = all.narrow("sand").unwrap_err().to_string();
        assert!(error.contains("agent config --defaults"), "{error}");
    }

    #[test]
    fn the_screen_gets_every_setting_and_no_key() {
        let user = "model = \"a\"\n[web]\ntavily_key = \"tvly-1\"\ngoogle_key = \"$GOOGLE\"\n";
        let rows = listing(user, "model = \"b\"\n", |_| None).rows();
        let row =
            |name: &str| rows.iter().filter(|row| row.name == name).map(|row| row.value.as_str()).collect::<Vec<_>>();
        assert_eq!(row("web.tavily_key"), ["(set; not shown here)"]);
        assert_eq!(row("web.google_key"), ["\"$GOOGLE\""]);
        assert_eq!(row("model"), ["\"a\"", "not taken, as such a file can only make things safer"]);
        let unset = rows.iter().find(|row| row.name == "harness.read_lines").unwrap();
        assert_eq!((unset.value.as_str(), unset.is_set), ("not set; like 250", false));
        assert!(unset.about.starts_with("Lines that a read shows"), "{}", unset.about);
        let first_of_a_section = rows.iter().position(|row| row.name.contains('.')).unwrap();
        assert!(
            rows[..first_of_a_section].iter().any(|row| row.name == "mode"),
            "what stands above all sections is first"
        );
    }

    #[test]
    fn a_flag_of_this_start_goes_before_all_files() {
        let mut listing = listing("model = \"a\"\n[tools]\ngroups = [\"git\"]\n", "", |_| None);
        let groups = Toml::Array(vec![Toml::String("core".into())]);
        listing.put_flags(&[("model", Toml::String("b".into()), "--model"), ("tools.groups", groups, "--tools")]);
        assert_eq!(found(&listing, "model"), [("\"b\"".into(), "--model")]);
        assert_eq!(found(&listing, "tools.groups"), [("[\"core\"]".into(), "--tools")]);
    }

    #[test]
    fn what_is_printed_for_people_can_be_read_at_a_glance() {
        let mut listing = listing("model = \"a\"\n[limits]\nsteps = 30\n", "model = \"b\"\n", |_| None);
        listing.files =
            vec![("/home/u/.config/agent/config.toml".into(), true), ("/p/.agent/config.toml".into(), false)];
        listing
            .settings
            .retain(|setting| ["model", "mode", "limits.steps", "limits.repeats"].contains(&&*setting.name));
        insta::assert_snapshot!(listing.text());
    }
}
