//! One config file, as written. Everything may be missing; nothing unknown may be there.

use super::amounts;
use super::hooks::HookTable;
use super::lsp;
use super::mcp::McpServer;
use super::nearest::nearest;
use super::server::ServerTable;
use super::web::Web;
use agent_protocol::sanitize::clean_line;
use agent_protocol::{HostPattern, LeverChanges, Mode, Think};
use agent_tui::keymap::{self, Binding};
use agent_tui::{Notify, Theme};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::num::NonZeroU32;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::Error;

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, where it is known.
    column: Option<usize>,
    words: String,
}

impl Fault {
    fn at_line(line: usize, words: impl Display) -> Self {
        Fault { line, column: None, words: words.to_string() }
    }

    /// What is wrong, without the place.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// At byte `at` of `text`.
    pub(crate) fn at(text: &str, at: usize, words: impl Display) -> Self {
        Fault { line: line(text, at), column: Some(column(text, at)), words: words.to_string() }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "{}:{column}: {}", self.line, self.words),
            None => write!(f, "{}: {}", self.line, self.words),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct File {
    pub(crate) host: Option<String>,
    pub(crate) proxy: Option<bool>,
    pub(crate) model: Option<String>,
    #[serde(deserialize_with = "amounts::num_ctx")]
    pub(crate) num_ctx: Option<u64>,
    #[serde(deserialize_with = "amounts::keep_alive")]
    pub(crate) keep_alive: Option<String>,
    pub(crate) release_on_exit: Option<bool>,
    pub(crate) think: Option<Think>,
    pub(crate) mode: Option<Mode>,
    pub(crate) options: Map<String, Value>,
    pub(crate) limits: Limits,
    pub(crate) tools: Tools,
    /// Another spelling of `tools.core`.
    #[serde(rename = "coreTools")]
    pub(crate) core_tools: Option<Vec<String>>,
    /// Another spelling of `tools.exclude`.
    #[serde(rename = "excludeTools")]
    pub(crate) exclude_tools: Option<Vec<String>>,
    pub(crate) sandbox: SandboxTable,
    pub(crate) undo: Undo,
    pub(crate) mcp: BTreeMap<String, McpServer>,
    pub(crate) sessions: SessionsTable,
    pub(crate) web: Web,
    pub(crate) screen: Screen,
    pub(crate) composer: ComposerTable,
    pub(crate) keys: BTreeMap<String, Spanned<String>>,
    pub(crate) lsp: lsp::Servers,
    pub(crate) server: ServerTable,
    pub(crate) servers: BTreeMap<String, ServerTable>,
    pub(crate) hooks: Vec<HookTable>,
    /// What later versions know: an error in a file of the user's, and passed over in one of a project's, which may be
    /// written for those.
    pub(super) check: Option<Spanned<IgnoredAny>>,
    pub(crate) checks: Checks,
    pub(crate) harness: LeverChanges,
}

/// `[checks]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Checks {
    pub(crate) command: Option<String>,
    pub(crate) rounds: Option<u32>,
    /// What later versions know; of the user's file it is an error.
    #[serde(flatten)]
    pub(super) later: BTreeMap<String, IgnoredAny>,
}

/// Names of fields that no valid file of the user's has.
const LATER: [&str; 1] = ["check"];

/// `[limits]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Limits {
    pub(crate) steps: Option<NonZeroU32>,
    pub(crate) repeats: Option<NonZeroU32>,
    pub(crate) alternations: Option<NonZeroU32>,
    pub(crate) same_words: Option<NonZeroU32>,
}

/// `[tools]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Tools {
    pub(crate) mode: Option<ToolsMode>,
    pub(crate) groups: Option<Vec<String>>,
    pub(crate) core: Option<Vec<String>>,
    pub(crate) exclude: Option<Vec<String>>,
}

/// `tools.mode`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToolsMode {
    Auto,
    Native,
    Text,
    Files,
}

/// `[sandbox]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SandboxTable {
    pub(crate) mode: Option<SandboxMode>,
    pub(crate) require: Option<bool>,
    pub(crate) writable: Option<Vec<PathBuf>>,
    pub(crate) network: Option<Network>,
    pub(crate) hosts: Option<Vec<HostName>>,
    pub(crate) upstream_proxy: Option<UpstreamProxy>,
    pub(crate) ports: Option<Vec<u16>>,
    pub(crate) env: Option<Vec<String>>,
    pub(crate) cache_gb: Option<u32>,
}

/// `sandbox.network`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Network {
    Ask,
    Allow,
    Deny,
}

/// One of `sandbox.hosts`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct HostName(pub(crate) HostPattern);

impl TryFrom<String> for HostName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(HostName)
    }
}

/// `sandbox.upstream_proxy`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct UpstreamProxy(pub(crate) Option<String>);

impl TryFrom<String> for UpstreamProxy {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.trim().is_empty() {
            return Ok(UpstreamProxy(None));
        }
        match agent_tools::Upstream::read(&text) {
            Ok(_) => Ok(UpstreamProxy(Some(text))),
            Err(wrong) => Err(format!("upstream_proxy {wrong}")),
        }
    }
}

/// `sandbox.mode`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SandboxMode {
    Auto,
    Off,
}

/// `[undo]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Undo {
    pub(crate) enabled: Option<bool>,
    pub(crate) max_file_mb: Option<NonZeroU32>,
    pub(crate) max_files: Option<NonZeroU32>,
    pub(crate) budget_mb: Option<NonZeroU32>,
    pub(crate) keep_days: Option<NonZeroU32>,
    pub(crate) store_mb: Option<NonZeroU32>,
}

/// `[sessions]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SessionsTable {
    pub(crate) enabled: Option<bool>,
}

/// `[composer]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ComposerTable {
    pub(crate) vim: Option<bool>,
}

/// `[screen]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Screen {
    pub(crate) mouse: Option<bool>,
    pub(crate) colour: Option<Colour>,
    #[serde(deserialize_with = "theme")]
    pub(crate) theme: Option<ThemeName>,
    pub(crate) screen_reader: Option<bool>,
    pub(crate) notify: Option<NotifyName>,
    pub(crate) title: Option<bool>,
    pub(crate) reduced_motion: Option<bool>,
    pub(crate) inline: Option<bool>,
}

/// `screen.theme`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ThemeName {
    /// The one for the terminal's background.
    Auto,
    Found(&'static Theme),
    /// None of ours: it stands in a file of the user's own, or nowhere. With the place of the name, in bytes.
    Own {
        name: String,
        at: usize,
    },
}

/// A theme by its name.
fn theme<'de, D: Deserializer<'de>>(said: D) -> Result<Option<ThemeName>, D::Error> {
    let said = Spanned::<String>::deserialize(said)?;
    let name = said.get_ref();
    Ok(Some(match (name.as_str(), Theme::named(name)) {
        ("auto", _) => ThemeName::Auto,
        (_, Ok(theme)) => ThemeName::Found(theme),
        (_, Err(_)) => ThemeName::Own { name: name.clone(), at: said.span().start },
    }))
}

/// `screen.colour`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Colour {
    Auto,
    Never,
}

/// `screen.notify`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotifyName {
    Auto,
    Osc9,
    Osc777,
    Osc99,
    Bell,
    Off,
}

impl From<NotifyName> for Notify {
    fn from(name: NotifyName) -> Self {
        match name {
            NotifyName::Auto => Notify::Auto,
            NotifyName::Osc9 => Notify::Osc9,
            NotifyName::Osc777 => Notify::Osc777,
            NotifyName::Osc99 => Notify::Osc99,
            NotifyName::Bell => Notify::Bell,
            NotifyName::Off => Notify::Off,
        }
    }
}

impl File {
    /// Reads one layer. The error says the line, mostly the column, and names the nearest valid word.
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let mut file: File = toml::from_str(text).map_err(|error| fault(text, &error))?;
        for (name, keys) in &file.keys {
            let at = line(text, keys.span().start);
            keymap::parse(name, keys.get_ref()).map_err(|wrong| Fault::at_line(at, wrong))?;
        }
        keymap::check(&file.bindings()).map_err(|(name, wrong)| {
            let at = file.keys.get(name).map_or(1, |keys| line(text, keys.span().start));
            Fault::at_line(at, wrong)
        })?;
        for (name, server) in &file.mcp {
            server.check(name).map_err(|wrong| Fault::at_line(section(text, &format!("mcp.{name}")), wrong))?;
        }
        file.server.check().map_err(|wrong| Fault::at_line(section(text, "server"), wrong))?;
        for (name, server) in &file.servers {
            let section = section(text, &format!("servers.{name}"));
            server.check_named(name).map_err(|wrong| Fault::at_line(section, wrong))?;
        }
        for (name, server) in &file.lsp {
            let at = line(text, server.span().start);
            let fault = server.get_ref().fault().map(|fault| Fault::at_line(at, format!("lsp.{name}: {fault}")));
            fault.map_or(Ok(()), Err)?;
        }
        join(&mut file.tools.core, file.core_tools.take());
        join(&mut file.tools.exclude, file.exclude_tools.take());
        Ok(file)
    }

    /// What only later versions know, and where it stands in `text`.
    pub(super) fn later(&self, text: &str) -> Vec<(&'static str, Fault)> {
        let fields = [&self.check];
        let fault = |name: &'static str, at: &Spanned<IgnoredAny>| {
            Fault::at_line(line(text, at.span().start), format!("unknown field `{name}`"))
        };
        let found = LATER.into_iter().zip(fields);
        let found = found.filter_map(|(name, at)| at.as_ref().map(|at| (name, fault(name, at))));
        let check = self.checks.later.keys().next();
        let in_checks = |name: &String| {
            let words = format!("unknown field `checks.{name}`, expected `checks.command` or `checks.rounds`");
            ("checks", Fault::at_line(section(text, "checks"), words))
        };
        found.chain(check.map(in_checks)).collect()
    }

    /// The keys that differ from the built-in ones.
    pub(crate) fn bindings(&self) -> Vec<Binding> {
        let parsed = self.keys.iter().map(|(name, keys)| keymap::parse(name, keys.get_ref()));
        parsed.map(|binding| binding.expect("the keys were checked when their file was read")).collect()
    }

    /// Lays `above` over this layer: what it says counts.
    pub(crate) fn cover_with(&mut self, above: File) {
        fn cover<T>(below: &mut Option<T>, above: Option<T>) {
            if above.is_some() {
                *below = above;
            }
        }
        cover(&mut self.host, above.host);
        cover(&mut self.proxy, above.proxy);
        cover(&mut self.model, above.model);
        cover(&mut self.num_ctx, above.num_ctx);
        cover(&mut self.keep_alive, above.keep_alive);
        cover(&mut self.release_on_exit, above.release_on_exit);
        cover(&mut self.think, above.think);
        cover(&mut self.mode, above.mode);
        self.options.extend(above.options);
        cover(&mut self.limits.steps, above.limits.steps);
        cover(&mut self.limits.repeats, above.limits.repeats);
        cover(&mut self.limits.alternations, above.limits.alternations);
        cover(&mut self.limits.same_words, above.limits.same_words);
        cover(&mut self.checks.command, above.checks.command);
        cover(&mut self.checks.rounds, above.checks.rounds);
        self.harness.cover_with(above.harness);
        cover(&mut self.tools.mode, above.tools.mode);
        cover(&mut self.tools.groups, above.tools.groups);
        cover(&mut self.tools.core, above.tools.core);
        cover(&mut self.tools.exclude, above.tools.exclude);
        cover(&mut self.sandbox.mode, above.sandbox.mode);
        cover(&mut self.sandbox.require, above.sandbox.require);
        cover(&mut self.sandbox.writable, above.sandbox.writable);
        cover(&mut self.sandbox.network, above.sandbox.network);
        cover(&mut self.sandbox.hosts, above.sandbox.hosts);
        cover(&mut self.sandbox.upstream_proxy, above.sandbox.upstream_proxy);
        cover(&mut self.sandbox.ports, above.sandbox.ports);
        cover(&mut self.sandbox.env, above.sandbox.env);
        cover(&mut self.sandbox.cache_gb, above.sandbox.cache_gb);
        cover(&mut self.undo.enabled, above.undo.enabled);
        cover(&mut self.undo.max_file_mb, above.undo.max_file_mb);
        cover(&mut self.undo.max_files, above.undo.max_files);
        cover(&mut self.undo.budget_mb, above.undo.budget_mb);
        cover(&mut self.undo.keep_days, above.undo.keep_days);
        cover(&mut self.undo.store_mb, above.undo.store_mb);
        self.mcp.extend(above.mcp);
        cover(&mut self.sessions.enabled, above.sessions.enabled);
        self.web.cover_with(above.web);
        cover(&mut self.screen.mouse, above.screen.mouse);
        cover(&mut self.composer.vim, above.composer.vim);
        cover(&mut self.screen.colour, above.screen.colour);
        cover(&mut self.screen.theme, above.screen.theme);
        cover(&mut self.screen.screen_reader, above.screen.screen_reader);
        cover(&mut self.screen.notify, above.screen.notify);
        cover(&mut self.screen.title, above.screen.title);
        cover(&mut self.screen.reduced_motion, above.screen.reduced_motion);
        cover(&mut self.screen.inline, above.screen.inline);
        self.keys.extend(above.keys);
        self.lsp.extend(above.lsp);
        self.hooks.extend(above.hooks);
        self.server.cover_with(above.server);
        self.servers.extend(above.servers);
    }
}

/// Two spellings of one list in one file are one list.
fn join(list: &mut Option<Vec<String>>, other: Option<Vec<String>>) {
    if let Some(other) = other {
        list.get_or_insert_default().extend(other);
    }
}

/// The line at which the table of this name begins, as far as it can be found.
fn section(text: &str, name: &str) -> usize {
    let begin = text.lines().position(|line| line.trim().starts_with(&format!("[{name}]")));
    begin.map_or(1, |at| at + 1)
}

/// The line at byte `at`, from 1.
pub(super) fn line(text: &str, at: usize) -> usize {
    text[..text.floor_char_boundary(at)].matches('\n').count() + 1
}

/// The column at byte `at`, from 1.
fn column(text: &str, at: usize) -> usize {
    let before = &text[..text.floor_char_boundary(at)];
    before[before.rfind('\n').map_or(0, |end| end + 1)..].chars().count() + 1
}

/// Line and column at byte `at`, both from 1.
pub(super) fn place(text: &str, at: usize) -> String {
    format!("{}:{}", line(text, at), column(text, at))
}

/// The line, the column and what is wrong there.
pub(super) fn located(text: &str, error: &Error) -> String {
    fault(text, error).to_string()
}

fn fault(text: &str, error: &Error) -> Fault {
    let at = error.span().map_or(0, |span| span.start);
    let line = line(text, at);
    let key = text.lines().nth(line - 1).and_then(|text| text.split_once('=')).map_or("", |(key, _)| key.trim());
    // All of it is told in one line.
    let message = error.message().lines().map(str::trim).collect::<Vec<_>>().join(", ");
    // It quotes the file, which may be a stranger's.
    let words = clean_line(&explain(key, &message)).into_owned();
    Fault { line, column: Some(column(text, at)), words }
}

/// What is wrong, in words for a person: the key where a value is of the wrong kind, the nearest valid word where one is
/// unknown.
fn explain(key: &str, message: &str) -> String {
    if let Some(wrong) = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: ")) {
        return format!("{key}: {}", in_plain_words(wrong));
    }
    let mut words = message.split('`').skip(1).step_by(2);
    let (Some(wrong), valid) = (words.next(), words.filter(|word| !LATER.contains(word)).collect::<Vec<_>>()) else {
        return message.to_owned();
    };
    match nearest(wrong, &valid) {
        // All that there is would be a page.
        Some(near) if message.starts_with("unknown") => {
            let what = message.split(", expected").next().unwrap_or(message);
            format!("{what}; did you mean `{near}`?")
        }
        Some(_) | None => message.to_owned(),
    }
}

/// What was expected, as it would be said to a person.
fn in_plain_words(wrong: &str) -> String {
    let Some((found, expected)) = wrong.split_once(", expected ") else { return wrong.to_owned() };
    let expected = match expected {
        "a nonzero u32" => "a whole number above 0",
        "u16" => "a whole number from 0 to 65535",
        "a boolean" => "true or false",
        "a sequence" => "a list, like [\"a\", \"b\"]",
        "a map" => "a table",
        other if other.starts_with("struct ") => "a table",
        other => other,
    };
    format!("{found}, expected {expected}")
}
