//! The commands that do no work in the project: the server's models, kept sessions, and the doctor.

mod acp;
mod bench;
mod config;
mod hooks;
mod init;
mod manual;
mod mcp;
mod servers;
mod sessions;

use crate::args::{Doctor, ModelServer, Models, ModelsSubcommand};
use crate::config::Config;
use crate::config::policy::FILE;
use crate::session::{self, Leave, Plan, Purpose, Speaker};
use crate::start::{speak, speak_into};
pub(crate) use acp::acp;
use agent_backend::Host;
use agent_headless::{CacheCard, Checkup, Consent, Contact, End, Form, Learned, Probes, Streams, Subcommand};
use agent_protocol::sanitize::clean_text;
use agent_sandbox::CacheUse;
use agent_store::{Folder, Profiles};
use agent_tools::mcp::Way;
use anyhow::{Context, Result, bail};
pub(crate) use bench::{bench, bench_results};
pub(crate) use config::config;
pub(crate) use hooks::hooks;
pub(crate) use init::init;
pub(crate) use manual::manual;
pub(crate) use mcp::mcp;
pub(crate) use sessions::sessions;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// `agent models`
pub(crate) fn models(runtime: &Runtime, wish: &Models, plan: Plan) -> Result<ExitCode> {
    let subcommand = match wish.subcommand.clone().unwrap_or(ModelsSubcommand::List) {
        ModelsSubcommand::List => Subcommand::List(Vec::new()),
        ModelsSubcommand::Show { name } => Subcommand::Show { name, known: learned(&plan) },
        ModelsSubcommand::Pull { name } => Subcommand::Pull { name },
        ModelsSubcommand::Rm { name, yes } => {
            // That there is no such model matters more than that nobody agreed; only the server knows.
            Subcommand::Remove { consent: asked(yes), name }
        }
    };
    let form = if wish.json { Form::Json } else { Form::Text };
    let plan = for_subcommand(plan, Purpose::Server, &wish.model_server)?;
    let subcommand = match subcommand {
        Subcommand::List(_) => Subcommand::List(bench_results(&plan)),
        other @ (Subcommand::Show { .. } | Subcommand::Pull { .. } | Subcommand::Remove { .. }) => other,
    };
    speak(runtime, plan, async |ops, events, streams| {
        agent_headless::models(ops, events, subcommand, form, streams).await
    })
}

/// Leave for `what`, which cannot be taken back.
fn consent(what: &str, yes: bool) -> Result<Consent> {
    match asked(yes) {
        Consent::Nobody => bail!("nobody is here to agree that {what}; --yes agrees beforehand"),
        consent @ (Consent::Given | Consent::Asked(_)) => Ok(consent),
    }
}

/// The answer to a question that is put to whoever is there; what cannot be read is no yes.
fn says_yes(consent: &mut Consent, question: &str) -> Result<bool> {
    let input = match consent {
        Consent::Given => return Ok(true),
        Consent::Asked(input) => input,
        Consent::Nobody => return Ok(false),
    };
    say(&mut io::stderr(), &format!("{question} [y/N] "))?;
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// What is said of files, projects and servers is foreign to a terminal.
fn say(stream: &mut dyn Write, text: &str) -> Result<()> {
    stream.write_all(clean_text(text).as_bytes()).and_then(|()| stream.flush()).context("cannot write the answer")
}

/// Who agrees: the flag, whoever sits at the terminal, or nobody.
fn asked(yes: bool) -> Consent {
    let input = std::io::stdin();
    match (yes, input.is_terminal()) {
        (true, _) => Consent::Given,
        (false, true) => Consent::Asked(Box::new(BufReader::new(input))),
        (false, false) => Consent::Nobody,
    }
}

/// `agent doctor`
pub(crate) fn doctor(runtime: &Runtime, wish: &Doctor, plan: Plan) -> Result<ExitCode> {
    let (purpose, probes) =
        if wish.no_probes { (Purpose::Server, Probes::Leave) } else { (Purpose::Examine, Probes::Ask) };
    let mut plan = for_subcommand(plan, purpose, &wish.model_server)?;
    plan.config.model = wish.model.clone().or(plan.config.model.take());
    plan.model_named = wish.model.is_some();
    let checkup = checkup(&plan, probes, if wish.json { Form::Json } else { Form::Text })?;
    speak(runtime, plan, async |ops, events, streams| agent_headless::doctor(ops, events, checkup, streams).await)
}

/// Examines `model` as the doctor does, and says nothing of it.
fn examine(runtime: &Runtime, plan: Plan, model: &str) -> Result<End> {
    let mut plan = for_subcommand(plan, Purpose::Examine, &ModelServer::default())?;
    plan.config.model = Some(model.to_owned());
    plan.model_named = true;
    let checkup = checkup(&plan, Probes::Ask, Form::Json)?;
    let (mut out, mut progress) = (io::sink(), io::sink());
    let mut streams = Streams {
        out: &mut out,
        progress: &mut progress,
        out_is_terminal: false,
        progress_is_terminal: false,
        redraws: false,
    };
    let face =
        async |ops, events, streams: &mut Streams<'_>| agent_headless::doctor(ops, events, checkup, streams).await;
    Ok(speak_into(runtime, plan, &mut streams, face)??)
}

fn checkup(plan: &Plan, probes: Probes, form: Form) -> Result<Checkup> {
    Ok(Checkup {
        version: env!("CARGO_PKG_VERSION").into(),
        contacts: contacts(&plan.config, |name| std::env::var(name).ok())?,
        config_files: config_files(plan),
        state_folder: plan.place.folder().to_owned(),
        caches: caches(plan),
        model: session::chosen_model(plan),
        known: learned(plan),
        probes,
        form,
    })
}

/// What commands keep between sessions, where they keep anything.
fn caches(plan: &Plan) -> Option<CacheCard> {
    let most = Some(plan.config.sandbox.caches).filter(|most| *most > 0)?;
    let label = Folder::at(&plan.project).ok()?.label();
    let CacheUse { here, all } = agent_sandbox::measure_caches(&plan.caches, &label);
    Some(CacheCard { folder: plan.caches.clone(), here, all, most })
}

/// Nobody speaks, and nothing may happen in the project.
fn for_subcommand(mut plan: Plan, purpose: Purpose, server: &ModelServer) -> Result<Plan> {
    server.over(&mut plan.config)?;
    plan.go_to_remembered_server();
    Ok(Plan {
        purpose,
        speaker: Speaker::Script,
        allow_write: false,
        allow_run: false,
        allow_commit: false,
        allow_call: false,
        allow_net: false,
        leave: Leave::default(),
        earlier: None,
        ..plan
    })
}

/// What is known of models whenever it is asked for.
fn learned(plan: &Plan) -> Learned {
    let profiles = Profiles::new(plan.place.clone());
    Arc::new(move || profiles.load())
}

/// The files that were read, those with rules included.
fn config_files(plan: &Plan) -> Vec<PathBuf> {
    let rules = [plan.user_folder.join(FILE), plan.project.join(".agent").join(FILE)];
    plan.config.files.iter().cloned().chain(rules.into_iter().filter(|path| path.is_file())).collect()
}

/// Every address this program ever talks to.
fn contacts(config: &Config, env: impl Fn(&str) -> Option<String>) -> Result<Vec<Contact>> {
    let host = session::host(config)?;
    let server = Contact { address: host.to_string(), what: "the model server".into() };
    let proxy = if config.proxy { proxy(&host, env) } else { None };
    let upstream = config.sandbox.upstream_proxy.as_deref().map(|address| Contact {
        address: without_credentials(address),
        what: "the proxy of [sandbox], through which commands reach hosts".into(),
    });
    let servers = config.mcp.iter().filter_map(|server| match &server.way {
        Way::Address { url, .. } => {
            Some(Contact { address: place(url), what: format!("the MCP server {}", server.name) })
        }
        Way::Program { .. } => None,
    });
    Ok(std::iter::once(server).chain(proxy).chain(upstream).chain(servers).collect())
}

/// Scheme and host of `url`: what comes behind may be a secret.
fn place(url: &str) -> String {
    url.split('/').take(3).collect::<Vec<_>>().join("/")
}

/// The proxy of the environment that stands between us and `host`. What may be a password in it is nobody's business.
fn proxy(host: &Host, env: impl Fn(&str) -> Option<String>) -> Option<Contact> {
    if host.is_loopback() {
        return None;
    }
    let own = if host.to_string().starts_with("https:") { "HTTPS_PROXY" } else { "HTTP_PROXY" };
    let said = |name: &str| env(name).filter(|value| !value.trim().is_empty());
    let (name, address) = [own, "ALL_PROXY"]
        .into_iter()
        .find_map(|name| Some((name, said(name).or_else(|| said(&name.to_lowercase()))?)))?;
    let address = without_credentials(&address);
    Some(Contact { address, what: format!("the proxy of {name}, unless NO_PROXY names the server") })
}

/// An address without what may be a password in it.
fn without_credentials(address: &str) -> String {
    let (scheme, place) = address.split_once("://").unwrap_or(("", address));
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    if scheme.is_empty() { place.to_owned() } else { format!("{scheme}://{place}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy_of(host: &str, variables: &[(&str, &str)]) -> Option<String> {
        let env = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        proxy(&Host::parse(host).unwrap(), env).map(|contact| contact.address)
    }

    #[test]
    fn the_proxy_is_that_of_the_servers_own_scheme_and_shows_no_password() {
        let both = [("HTTP_PROXY", "http://me:secret@proxy:3128"), ("https_proxy", "other:1"), ("ALL_PROXY", "")];
        assert_eq!(proxy_of("http://far.example", &both).as_deref(), Some("http://proxy:3128"));
        assert_eq!(proxy_of("https://far.example", &both).as_deref(), Some("other:1"));
        assert_eq!(proxy_of("https://far.example", &[("ALL_PROXY", "socks5://p:1")]).as_deref(), Some("socks5://p:1"));
        assert_eq!(proxy_of("https://far.example", &[]), None);
        assert_eq!(proxy_of("127.0.0.1", &both), None, "none stands between us and our own machine");
    }
}
