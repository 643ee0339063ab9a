//! `[server]` and `[servers.NAME]`: of which kind a model server is, and which keys it wants to see. Only the user's own
//! file can say so.

use agent_backend::{Credentials, Host, Kind};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Of which kind a server is, and what it wants to see.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Access {
    pub(crate) kind: Kind,
    /// The variable that holds its key.
    pub(crate) api_key_env: Option<String>,
    /// Other headers, with the variables that hold their values.
    pub(crate) headers_env: BTreeMap<String, String>,
    /// Keys may go to another machine unencrypted.
    pub(crate) allow_plain_key: bool,
}

/// A model server under a name of the user's own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NamedServer {
    pub(crate) name: String,
    pub(crate) host: String,
    /// The model to talk to there, where another one was not named.
    pub(crate) model: Option<String>,
    pub(crate) access: Access,
}

impl Access {
    /// The variables that are named for it.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.api_key_env.iter().chain(self.headers_env.values()).map(String::as_str)
    }

    /// What the user is told where their key goes to `host` for others to read.
    pub(crate) fn key_in_the_open(&self, host: &Host) -> Option<String> {
        let is_open = self.variables().next().is_some() && host.is_exposed();
        is_open.then(|| format!("your key goes to {host} unencrypted, for others on the way to read (allow_plain_key)"))
    }

    /// The headers for `host`.
    ///
    /// # Errors
    /// A variable is not set or holds what no header may have, or others on the way to `host` could read the key.
    pub(crate) fn credentials(&self, host: &Host, env: impl Fn(&str) -> Option<String>) -> Result<Credentials> {
        if self.variables().next().is_some() && host.is_exposed() && !self.allow_plain_key {
            bail!(
                "the key for {host} would go there unencrypted, for others on the way to read; use https://, or set \
                 allow_plain_key = true for this server in your config"
            );
        }
        let value = |name: &String| {
            let value = env(name).filter(|value| !value.trim().is_empty());
            value.with_context(|| format!("the variable {name}, which holds a key for {host}, is not set; export it"))
        };
        let mut credentials = Credentials::default();
        if let Some(name) = &self.api_key_env {
            credentials = credentials.with_key(&value(name)?).with_context(|| format!("{name} cannot be used"))?;
        }
        for (header, name) in &self.headers_env {
            let value = value(name)?;
            credentials = credentials
                .with_header(header, &value)
                .with_context(|| format!("the header {header}, from {name}, cannot be used"))?;
        }
        Ok(credentials)
    }
}

/// `[server]`, or one of `[servers.NAME]`, as written.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerTable {
    /// Only of a named one: that of `[server]` stands above all sections.
    pub(super) host: Option<String>,
    pub(super) model: Option<String>,
    pub(super) kind: Option<KindName>,
    pub(super) api_key_env: Option<String>,
    pub(super) headers_env: BTreeMap<String, String>,
    pub(super) allow_plain_key: Option<bool>,
}

/// `kind`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KindName {
    Auto,
    Ollama,
    Openai,
}

impl ServerTable {
    /// What is wrong with `[server]`, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        match (&self.host, &self.model) {
            (Some(_), _) => Err("server.host: the address stands above all sections, as host".to_owned()),
            (_, Some(_)) => Err("server.model: the model stands above all sections, as model".to_owned()),
            (None, None) => self.headers(),
        }
    }

    /// What is wrong with `[servers.NAME]`, in words.
    pub(super) fn check_named(&self, name: &str) -> Result<(), String> {
        let named = |what: String| format!("servers.{name}: {what}");
        let host =
            self.host.as_deref().ok_or_else(|| named("it needs a host, like \"gpu.example:8000\"".to_owned()))?;
        Host::parse(host).map_err(|wrong| named(wrong.to_string()))?;
        self.headers().map_err(named)
    }

    fn headers(&self) -> Result<(), String> {
        let bad = self.headers_env.keys().find(|header| Credentials::default().with_header(header, "x").is_err());
        bad.map_or(Ok(()), |header| Err(format!("headers_env: {header:?} is no name of a header")))
    }

    /// Lays `above` over this: what it says counts.
    pub(super) fn cover_with(&mut self, above: ServerTable) {
        let ServerTable { host, model, kind, api_key_env, headers_env, allow_plain_key } = above;
        self.host = host.or(self.host.take());
        self.model = model.or(self.model.take());
        self.kind = kind.or(self.kind);
        self.api_key_env = api_key_env.or(self.api_key_env.take());
        self.headers_env.extend(headers_env);
        self.allow_plain_key = allow_plain_key.or(self.allow_plain_key);
    }

    pub(super) fn access(self) -> Access {
        Access {
            kind: match self.kind.unwrap_or(KindName::Auto) {
                KindName::Auto => Kind::Auto,
                KindName::Ollama => Kind::Ollama,
                KindName::Openai => Kind::OpenAi,
            },
            api_key_env: self.api_key_env.filter(|name| !name.is_empty()),
            headers_env: self.headers_env,
            allow_plain_key: self.allow_plain_key.unwrap_or(false),
        }
    }
}

/// The named servers, as they are used.
pub(super) fn resolved(servers: BTreeMap<String, ServerTable>) -> Vec<NamedServer> {
    let named = servers.into_iter().filter_map(|(name, mut table)| {
        let (host, model) = (table.host.take()?, table.model.take());
        Some(NamedServer { name, host, model, access: table.access() })
    });
    named.collect()
}
