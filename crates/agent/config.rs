//! Settings from files and environment, in layers; flags come on top of them at the end.
//!
//! Each file is parsed by itself, so that an error names the file and the line, and merged afterwards. One of the user's
//! that cannot be read whole stops the start: what keeps them safe may stand in it. One of the project's holds the session
//! back instead, for whoever wrote it shall not decide whether anybody can work there.

pub(crate) mod amounts;
mod described;
mod file;
mod hooks;
pub(crate) mod listing;
mod lsp;
mod mcp;
mod models;
mod nearest;
mod options;
pub(crate) mod owner;
pub(crate) mod policy;
mod project;
mod reading;
mod salvage;
pub(crate) mod server;
mod themes;
mod web;
pub(crate) mod writing;

use agent_backend::Host;
use agent_policy::Network;
use agent_protocol::{HostPattern, LeverChanges, Mode, Think};
use agent_session::{Family, Limits, ModelSize, OfferedGroup, ToolsMode};
use agent_tools::{Accounts, LanguageServer, Selection};
use agent_tui::keymap::Binding;
use agent_tui::{Notify, Theme};
use anyhow::{Context, Result, anyhow};
use file::File;
pub(crate) use file::SandboxMode;
use hooks::HookTable;
use project::Whose;
use reading::{parsed, read, read_models, text};
use serde_json::{Map, Value};
use server::{Access, NamedServer};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const DEFAULT: &str = include_str!("../../config/default.toml");

/// What is known of families of models.
const MODELS: &str = include_str!("../../config/models.toml");

const DEFAULTED: &str = "config/default.toml sets it, and no layer can unset it";

/// `[sandbox]`, resolved.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sandbox {
    pub(crate) mode: SandboxMode,
    pub(crate) require: bool,
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) network: Network,
    pub(crate) hosts: Vec<HostPattern>,
    /// The proxy that stands between us and everything else.
    pub(crate) upstream_proxy: Option<String>,
    pub(crate) ports: Vec<u16>,
    pub(crate) env: Vec<String>,
    /// Bytes that the caches of all projects together may take; 0: none outlasts its session.
    pub(crate) caches: u64,
}

impl From<file::SandboxTable> for Sandbox {
    fn from(file: file::SandboxTable) -> Self {
        Sandbox {
            mode: file.mode.expect(DEFAULTED),
            require: file.require.expect(DEFAULTED),
            writable: file.writable.expect(DEFAULTED),
            network: match file.network.expect(DEFAULTED) {
                file::Network::Ask => Network::Ask,
                file::Network::Allow => Network::Allow,
                file::Network::Deny => Network::Deny,
            },
            hosts: file.hosts.expect(DEFAULTED).into_iter().map(|host| host.0).collect(),
            upstream_proxy: file.upstream_proxy.expect(DEFAULTED).0,
            ports: file.ports.expect(DEFAULTED),
            env: file.env.expect(DEFAULTED),
            caches: u64::from(file.cache_gb.expect(DEFAULTED)) * 1_000_000_000,
        }
    }
}

/// `[undo]`, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UndoConfig {
    pub(crate) enabled: bool,
    /// Bytes a file may have.
    pub(crate) max_file: u64,
    /// Files a project may have so that all of it is covered around a command.
    pub(crate) max_files: u64,
    /// Bytes one session may keep.
    pub(crate) budget: u64,
    /// What is older goes.
    pub(crate) keep: Duration,
    /// Bytes all projects together may keep.
    pub(crate) store: u64,
}

impl From<file::Undo> for UndoConfig {
    fn from(file: file::Undo) -> Self {
        let count = |number: Option<NonZeroU32>| u64::from(number.expect(DEFAULTED).get());
        let megabytes = |number| count(number) << 20;
        UndoConfig {
            enabled: file.enabled.expect(DEFAULTED),
            max_file: megabytes(file.max_file_mb),
            max_files: count(file.max_files),
            budget: megabytes(file.budget_mb),
            keep: Duration::from_secs(count(file.keep_days) * 24 * 60 * 60),
            store: megabytes(file.store_mb),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    pub(crate) host: Option<String>,
    /// Of which kind the server there is, and what it wants to see.
    pub(crate) access: Access,
    /// The server that the files or the server's own variable name, with what `[server]` says of it.
    pub(crate) own_server: (Option<String>, Access),
    pub(crate) named_servers: Vec<NamedServer>,
    /// Every model server that a layer or the environment names, whichever of them is used.
    pub(crate) model_servers: Vec<String>,
    pub(crate) proxy: bool,
    pub(crate) model: Option<String>,
    pub(crate) num_ctx: Option<u64>,
    /// The server's own default, as far as the environment tells.
    pub(crate) server_window: Option<u64>,
    pub(crate) keep_alive: Option<String>,
    /// Let the server take the model out of its memory when the program ends.
    pub(crate) release_on_exit: bool,
    pub(crate) think: Option<Think>,
    pub(crate) mode: Mode,
    pub(crate) options: Map<String, Value>,
    /// The longest reply that is asked for, in tokens; 0: without a bound of the user's own.
    pub(crate) max_reply_tokens: Option<u64>,
    pub(crate) limits: Limits,
    pub(crate) tools_mode: ToolsMode,
    /// What the user and the project say of tools; each narrows what the one before leaves.
    pub(crate) selections: Vec<Selection>,
    pub(crate) servers: Vec<LanguageServer>,
    /// The user's first, then the built-in ones.
    pub(crate) families: Vec<Family>,
    /// Which form of work suits models of which size: the user's first.
    pub(crate) sizes: Vec<ModelSize>,
    /// The command that checks a project after changes.
    pub(crate) check: Option<String>,
    /// What is done around a model.
    pub(crate) levers: LeverChanges,
    pub(crate) sandbox: Sandbox,
    pub(crate) undo: UndoConfig,
    /// Servers that bring tools of their own.
    pub(crate) mcp: Vec<agent_tools::mcp::Server>,
    pub(crate) hooks: Vec<HookTable>,
    /// Those of the project, which run only where they were approved.
    pub(crate) project_hooks: Vec<HookTable>,
    /// What happens in a session is written down.
    pub(crate) sessions: bool,
    /// With whom searches are made.
    pub(crate) web: Accounts,
    /// The variables that hold keys: for searches, and for model servers.
    pub(crate) key_variables: Vec<String>,
    pub(crate) mouse: bool,
    /// Is a message edited with keys of vi?
    pub(crate) vim: bool,
    /// The styles of the screen; without colour where none is wanted.
    pub(crate) theme: &'static Theme,
    /// The terminal is asked for its background, and the theme for that taken.
    pub(crate) theme_by_background: bool,
    /// The session is in lines, whatever the terminal can do.
    pub(crate) screen_reader: bool,
    /// Little moves by itself on the screen.
    pub(crate) reduced_motion: bool,
    /// The screen is drawn where the shell was, so that the conversation goes into the terminal's own scrollback.
    pub(crate) inline: bool,
    /// How somebody who looks elsewhere is told.
    pub(crate) notify: Notify,
    /// Does the window's title say what goes on?
    pub(crate) title: bool,
    pub(crate) keys: Vec<Binding>,
    /// What is wrong with a file of the project's, which holds the session back; `None`: nothing is.
    pub(crate) held_back: Option<String>,
    /// What the user should know about their layers.
    pub(crate) notices: Vec<String>,
    /// The files that were read, besides the built-in ones.
    pub(crate) files: Vec<PathBuf>,
}

impl Config {
    /// Those of these groups that the user named, be it by "all".
    pub(crate) fn named_groups(&self, groups: &[OfferedGroup]) -> Vec<String> {
        let named = self.selections.first().map(|own| own.groups.as_slice()).unwrap_or_default();
        let is_named = |group: &&OfferedGroup| named.iter().any(|name| *name == group.name || name == "all");
        groups.iter().filter(is_named).map(|group| group.name.clone()).collect()
    }

    /// The server at `address` is talked to, with the keys that the settings have for this very address: no other server
    /// sees them.
    pub(crate) fn talk_to(&mut self, address: String) {
        let is_there = |host: &str| Host::parse(host).is_ok_and(|host| Host::parse(&address) == Ok(host));
        let (own, access) = &self.own_server;
        let own = is_there(own.as_deref().unwrap_or_default()).then_some(access);
        let mut named = self.named_servers.iter().filter(|server| is_there(&server.host)).map(|server| &server.access);
        self.access = own.or_else(|| named.next()).cloned().unwrap_or_default();
        self.model_servers.push(address.clone());
        self.host = Some(address);
    }

    /// The server that the user calls `name` is talked to.
    ///
    /// # Errors
    /// None is called so.
    pub(crate) fn talk_to_named(&mut self, name: &str) -> Result<()> {
        let Some(server) = self.named_servers.iter().find(|server| server.name == name).cloned() else {
            let names: Vec<&str> = self.named_servers.iter().map(|server| server.name.as_str()).collect();
            let known = match names.as_slice() {
                [] => "your config names none; one stands under [servers.NAME]".to_owned(),
                names => format!("your config names {}", names.join(", ")),
            };
            return Err(anyhow!("there is no server called {name}; {known}"));
        };
        self.access = server.access;
        self.host = Some(server.host);
        self.model = server.model.or(self.model.take());
        Ok(())
    }
}

/// Where the layers are found.
#[derive(Debug, Clone)]
pub(crate) struct Sources<'a> {
    pub(crate) user_folder: &'a Path,
    pub(crate) project: &'a Path,
    /// Looks an environment variable up.
    pub(crate) env: fn(&str) -> Option<String>,
    pub(crate) faulty: Faulty,
}

/// What becomes of a file of the user's that cannot be read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Faulty {
    /// It is an error: nothing runs with other settings than it was given.
    Refuse,
    /// It is left out and said: nothing happens in the project, and somebody wants to know what is wrong.
    Say,
}

/// What begins the sentence that names such a file.
pub(crate) const NOTHING_STARTED: &str =
    "nothing was started, as your settings cannot be read whole; mend this, or ask `agent doctor`";

/// What the user is told where `fault`, in a file of the project's, holds the session back.
pub(crate) fn held_back_words(fault: &str) -> String {
    format!(
        "{fault}; until that is mended this is safe mode: unsafe mode (also by --unsafe), your lasting rules and what the \
         project brings along (AGENTS.md, notes, tools, agents, skills) are off"
    )
}

impl Sources<'_> {
    /// The user's layer in the file at `path`, if there is one; `seen` learns of it.
    fn take<T>(&self, path: &Path, layer: Result<Option<T>>, seen: &mut Seen) -> Result<Option<T>> {
        if !matches!(layer, Ok(None)) {
            seen.files.push(path.to_owned());
        }
        match (layer, self.faulty) {
            (Err(error), Faulty::Say) => {
                seen.notices.push(format!("{error:#}; nothing else starts before that is mended"));
                Ok(None)
            }
            (layer, Faulty::Refuse | Faulty::Say) => layer,
        }
    }

    /// Takes from the project's layer what tightens `merged`, also where only a part of it can be read.
    fn take_from_project(&self, merged: &mut File, seen: &mut Seen) -> Option<File> {
        let path = self.project.join(".agent/config.toml");
        let layer = text(&path);
        if !matches!(layer, Ok(None)) {
            seen.files.push(path.clone());
        }
        let text = match layer {
            Ok(text) => text?,
            Err(error) => {
                seen.hold_back(format!("{error:#}"));
                return None;
            }
        };
        match File::parse(&text) {
            Ok(layer) => {
                project::tighten(merged, &layer, &Whose::Project, &mut seen.notices);
                Some(layer)
            }
            Err(fault) => {
                seen.hold_back(format!("{}:{fault}", path.display()));
                let layer = salvage::salvaged(&text)?;
                // What was not taken of it may stand somewhere else than it was written: nobody is told of that.
                project::tighten(merged, &layer, &Whose::Project, &mut Vec::new());
                Some(layer)
            }
        }
    }
}

/// What was met while reading.
#[derive(Debug, Default)]
struct Seen {
    files: Vec<PathBuf>,
    notices: Vec<String>,
    held_back: Option<String>,
}

impl Seen {
    fn hold_back(&mut self, fault: String) {
        self.notices.push(held_back_words(&fault));
        self.held_back = Some(fault);
    }
}

/// Reads and merges all layers below the flags.
pub(crate) fn load(sources: &Sources<'_>) -> Result<Config> {
    let mut merged = File::parse(DEFAULT).map_err(|error| anyhow!(error)).context("built-in config/default.toml")?;
    let mut seen = Seen::default();
    let user = sources.user_folder.join("config.toml");
    if let Some(layer) = sources.take(&user, read(&user), &mut seen)? {
        if owner::is_ours_alone(&user) {
            merged.cover_with(layer);
            seen.notices.extend(options::doubts(&merged.options, &user));
        } else {
            project::tighten(&mut merged, &layer, &Whose::Open(&user), &mut seen.notices);
        }
    }
    let (families, sizes) = models(sources, &mut seen)?;
    let mut selections = vec![selection(&merged)];
    let theirs = sources.take_from_project(&mut merged, &mut seen);
    selections.extend(theirs.as_ref().map(selection));
    let project_hooks = theirs.map(|theirs| theirs.hooks).unwrap_or_default();
    // Of a file that cannot be read whole only what tightens counts.
    let project_hooks = if seen.held_back.is_none() { project_hooks } else { Vec::new() };
    if seen.held_back.is_some() && matches!(merged.mode, Some(Mode::AcceptEdits | Mode::Unsafe)) {
        merged.mode = Some(Mode::Safe);
    }
    let mut said = from_env(sources.env)?;
    let elsewhere = said.host.take();
    merged.cover_with(said);
    let Seen { files, notices, held_back } = seen;
    let resolved = resolve(merged, sources.env);
    let mut config = Config { selections, project_hooks, families, sizes, held_back, notices, files, ..resolved };
    elsewhere.into_iter().for_each(|host| config.talk_to(host));
    Ok(config)
}

fn selection(layer: &File) -> Selection {
    let list = |words: &Option<Vec<String>>| words.clone().unwrap_or_default();
    Selection { core: list(&layer.tools.core), exclude: list(&layer.tools.exclude), groups: list(&layer.tools.groups) }
}

/// What is known of models: the user's words first, then the built-in ones.
fn models(sources: &Sources<'_>, seen: &mut Seen) -> Result<(Vec<Family>, Vec<ModelSize>)> {
    let path = sources.user_folder.join("models.toml");
    let (mut families, mut sizes) = sources.take(&path, read_models(&path), seen)?.unwrap_or_default();
    let built_in = models::parse(MODELS).map_err(|error| anyhow!(error)).context("built-in config/models.toml")?;
    families.extend(built_in.0);
    sizes.extend(built_in.1);
    Ok((families, sizes))
}

fn from_env(env: fn(&str) -> Option<String>) -> Result<File> {
    let said = |name| env(name).filter(|value| !value.trim().is_empty());
    let num_ctx = said("AGENT_NUM_CTX")
        .map(|text| amounts::window(&text).map_err(|wanted| anyhow!("AGENT_NUM_CTX is {text:?}; {wanted}")))
        .transpose()?;
    Ok(File { host: said("AGENT_HOST"), model: said("AGENT_MODEL"), num_ctx, ..File::default() })
}

/// `OLLAMA_HOST` comes last of all hosts: it is the server's variable, not ours.
fn resolve(mut file: File, env: fn(&str) -> Option<String>) -> Config {
    let wanted = file.screen.colour.expect(DEFAULTED) == file::Colour::Auto
        && env("NO_COLOR").is_none_or(|value| value.is_empty());
    let (theme, theme_by_background) = themes::resolved(file.screen.theme.take().filter(|_| wanted));
    let max_reply_tokens = options::take_reply(&mut file.options);
    let keys = file.bindings();
    let servers_own = env("OLLAMA_HOST").filter(|host| !host.trim().is_empty());
    let named_servers = server::resolved(file.servers);
    let access = file.server.access();
    let named_hosts = named_servers.iter().map(|server| &server.host);
    let accesses = std::iter::once(&access).chain(named_servers.iter().map(|server| &server.access));
    let key_variables = accesses.flat_map(Access::variables).map(str::to_owned).chain(file.web.variables()).collect();
    let host = file.host.or_else(|| servers_own.clone());
    Config {
        model_servers: host.iter().chain(&servers_own).chain(named_hosts).cloned().collect(),
        own_server: (host.clone(), access.clone()),
        host,
        access,
        named_servers,
        proxy: file.proxy.expect(DEFAULTED),
        model: file.model,
        num_ctx: file.num_ctx,
        // The server's variable, not ours: what it does not mean is no error of ours.
        server_window: env("OLLAMA_CONTEXT_LENGTH").and_then(|tokens| tokens.trim().parse().ok()),
        keep_alive: file.keep_alive,
        release_on_exit: file.release_on_exit.expect(DEFAULTED),
        think: file.think,
        mode: file.mode.expect(DEFAULTED),
        options: file.options,
        max_reply_tokens,
        limits: limits(&file.limits),
        tools_mode: tools_mode(file.tools.mode.expect(DEFAULTED)),
        selections: Vec::new(),
        servers: lsp::resolved(file.lsp),
        families: Vec::new(),
        sizes: Vec::new(),
        check: file.checks.command.filter(|command| !command.trim().is_empty()),
        levers: LeverChanges { check_rounds: file.checks.rounds.or(file.harness.check_rounds), ..file.harness },
        sandbox: file.sandbox.into(),
        undo: file.undo.into(),
        mcp: mcp::resolved(file.mcp, env("HOME").as_deref(), file.proxy.expect(DEFAULTED)),
        hooks: file.hooks,
        project_hooks: Vec::new(),
        sessions: file.sessions.enabled.expect(DEFAULTED),
        key_variables,
        web: file.web.resolve(env),
        mouse: file.screen.mouse.expect(DEFAULTED),
        vim: file.composer.vim.expect(DEFAULTED),
        theme,
        theme_by_background,
        screen_reader: file.screen.screen_reader.expect(DEFAULTED),
        reduced_motion: file.screen.reduced_motion.expect(DEFAULTED),
        inline: file.screen.inline.expect(DEFAULTED),
        notify: file.screen.notify.expect(DEFAULTED).into(),
        title: file.screen.title.expect(DEFAULTED),
        keys,
        held_back: None,
        notices: Vec::new(),
        files: Vec::new(),
    }
}

/// When the loop guard speaks up.
fn limits(file: &file::Limits) -> Limits {
    Limits {
        steps: file.steps.expect(DEFAULTED).get(),
        repeats: file.repeats.expect(DEFAULTED).get(),
        alternations: file.alternations.expect(DEFAULTED).get(),
        same_words: file.same_words.expect(DEFAULTED).get(),
    }
}

/// How the model gets its tools.
fn tools_mode(mode: file::ToolsMode) -> ToolsMode {
    match mode {
        file::ToolsMode::Auto => ToolsMode::Auto,
        file::ToolsMode::Native => ToolsMode::Native,
        file::ToolsMode::Text => ToolsMode::Text,
        file::ToolsMode::Files => ToolsMode::Files,
    }
}

#[cfg(test)]
mod tests;
