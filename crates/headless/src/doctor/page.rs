//! The same for people: calm rows, what is known first.

use super::Report;
use super::{Checkup, Contact};
use crate::asking::Known;
use crate::models::abilities;
use crate::models::{in_memory, learned};
use crate::streams::Redrawn;
use crate::{Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::{bytes, window};
use agent_protocol::{
    CLOUD_MARK, ModelCard, Probe, ProbeFinding, ProbeVerdict, SandboxKind, Usage, WindowChoice, WindowState, WindowsBy,
};
use std::io;
use std::path::Path;

/// Columns of the names of rows.
const NAMES: usize = 11;

const QUESTIONS: usize = 35;

/// The page that is being printed.
#[derive(Debug)]
pub(super) struct Page {
    form: Form,
    question: Redrawn,
}

impl Page {
    pub(super) fn new(form: Form) -> Self {
        Page { form, question: Redrawn::default() }
    }

    /// What is known without any server.
    pub(super) fn program(&self, checkup: &Checkup, known: &Known, streams: &mut Streams<'_>) -> io::Result<()> {
        self.rows("agent", std::slice::from_ref(&checkup.version), streams)?;
        let shown = |path: &Path| path.display().to_string();
        let files: Vec<String> = checkup.config_files.iter().map(|path| shown(path)).collect();
        let none = ["no file of your own; the built-in settings hold".to_owned()];
        self.rows("config", if files.is_empty() { &none } else { &files }, streams)?;
        self.rows("state", &[shown(&checkup.state_folder)], streams)?;
        if let Some(caches) = &checkup.caches {
            let taken = format!(
                "{} (this project {}, all {} of at most {}; removing it frees that)",
                shown(&caches.folder),
                bytes(caches.here),
                bytes(caches.all),
                bytes(caches.most)
            );
            self.rows("caches", &[taken], streams)?;
        }
        if let Some(fence) = &known.session.sandbox {
            // What is held in detail is for `/sandbox`, and for programs; that nothing is held is news.
            let (words, details) = match fence.kind {
                SandboxKind::Kernel => (fence.words.clone(), &[][..]),
                SandboxKind::None => (format!("none: {}", fence.words), &fence.details[..]),
                SandboxKind::Off => (format!("switched off {}", fence.words), &fence.details[..]),
                SandboxKind::Disposable => (format!("none: {}", fence.words), &fence.details[..]),
            };
            let lines: Vec<&str> = std::iter::once(words.as_str()).chain(details.iter().map(String::as_str)).collect();
            self.rows("sandbox", &lines, streams)?;
        }
        let contact = |contact: &Contact| format!("{} ({})", contact.address, contact.what);
        let mut contacts: Vec<String> = checkup.contacts.iter().map(contact).collect();
        contacts.push("and nobody else: no telemetry, no look for updates".into());
        self.rows("contacts", &contacts, streams)
    }

    pub(super) fn server(&self, known: &Known, streams: &mut Streams<'_>) -> io::Result<()> {
        let server = known.session.server_card().map(|server| format!("{} {}", server.product, server.version));
        let mut lines = vec![format!("{} · {}", known.session.host, server.unwrap_or_default())];
        if known.session.exposed {
            lines.push("not encrypted: others on the way to it can read along".into());
        }
        lines.extend(known.session.server_card().and_then(|server| alone(&server.windows)));
        let slots = known.session.server_card().and_then(|server| server.slots);
        lines.extend(
            slots.map(|slots| format!("works on {slots} {} at once", if slots == 1 { "request" } else { "requests" })),
        );
        self.rows("server", &lines, streams)
    }

    pub(super) fn installed(&self, installed: Option<usize>, streams: &mut Streams<'_>) -> io::Result<()> {
        let Some(installed) = installed else { return Ok(()) };
        self.rows("models", &[format!("{installed} installed")], streams)
    }

    pub(super) fn model(&self, card: &ModelCard, streams: &mut Streams<'_>) -> io::Result<()> {
        let abilities = abilities(card);
        let parts = [
            card.size_bytes.map(bytes),
            card.parameter_size.clone(),
            card.quantization.clone(),
            card.context_length.map(|tokens| format!("trained for {}", window(tokens))),
            (!abilities.is_empty()).then_some(abilities),
            card.remote_host.as_ref().map(|host| format!("runs on {host}: {CLOUD_MARK}")),
        ];
        let parts: Vec<String> = std::iter::once(card.name.clone()).chain(parts.into_iter().flatten()).collect();
        self.rows("model", &[parts.join(" · ")], streams)
    }

    /// The model is being asked; on a terminal that shows, for it may take a while.
    pub(super) fn question(&mut self, probe: Probe, streams: &mut Streams<'_>) -> io::Result<()> {
        self.question.draw(streams, &format!("  … {}", probe.words()))
    }

    pub(super) fn no_question(&mut self, streams: &mut Streams<'_>) -> io::Result<()> {
        self.question.clear(streams)
    }

    pub(super) fn finding(&mut self, finding: &ProbeFinding, streams: &mut Streams<'_>) -> io::Result<()> {
        self.no_question(streams)?;
        let sign = match finding.verdict {
            ProbeVerdict::Passed => "✓",
            ProbeVerdict::Rescued => "~",
            ProbeVerdict::Failed => "✗",
            ProbeVerdict::Skipped => "–",
        };
        self.line(&format!("  {sign} {:QUESTIONS$}{}", finding.probe.words(), finding.words), streams)
    }

    /// What is known in the end.
    pub(super) fn rest(&self, report: &Report, known: &Known, streams: &mut Streams<'_>) -> io::Result<()> {
        if known.session.server_card().is_none() {
            self.rows("server", std::slice::from_ref(&known.session.host), streams)?;
        }
        if let Some(measured) = &known.session.measured {
            self.rows("window", &[measured_words(measured, known)], streams)?;
        }
        let decides = known.session.server_card().is_some_and(|server| !server.windows.is_request());
        if let Some(usage) = report.usage.filter(|_| decides) {
            self.rows("counts", &[counts(&usage)], streams)?;
        }
        if let Some(models) = &report.in_memory {
            let lines: Vec<String> =
                models.iter().map(|loaded| format!("{} · {}", loaded.name, in_memory(loaded))).collect();
            let nothing = ["nothing".to_owned()];
            self.rows("in memory", if lines.is_empty() { &nothing } else { &lines }, streams)?;
        }
        if let Some(profile) = &report.profile {
            let mut profile = profile.clone();
            if let Some(examined) =
                profile.examined.as_mut().filter(|kept| !kept.findings.is_empty() && kept.findings == report.findings)
            {
                // They were just printed.
                examined.faults.clear();
            }
            self.rows("learned", &learned(&profile), streams)?;
        }
        self.rows("to know", &known.notices, streams)?;
        self.rows("result", &[result(report)], streams)?;
        streams.out.flush()
    }

    /// A name, and what belongs to it, one line each.
    fn rows(&self, name: &str, lines: &[impl AsRef<str>], streams: &mut Streams<'_>) -> io::Result<()> {
        let names = std::iter::once(name).chain(std::iter::repeat(""));
        names.zip(lines).try_for_each(|(name, line)| self.line(&format!("{name:NAMES$}{}", line.as_ref()), streams))
    }

    fn line(&self, line: &str, streams: &mut Streams<'_>) -> io::Result<()> {
        match self.form {
            Form::Text => {
                writeln!(streams.out, "{}", clean_line(line).trim_end())?;
                streams.out.flush()
            }
            Form::Json => Ok(()),
        }
    }
}

/// That the server alone decides on windows, where it does.
fn alone(windows: &WindowsBy) -> Option<String> {
    match windows {
        WindowsBy::Request => None,
        WindowsBy::Server { setting: Some(setting) } => {
            Some(format!("decides alone how large a window is ({setting} where it runs)"))
        }
        WindowsBy::Server { setting: None } => Some("decides alone how large a window is".to_owned()),
    }
}

fn counts(usage: &Usage) -> String {
    let counted = usage.prompt_tokens.is_some() && usage.reply_tokens.is_some();
    let cached = usage.cached_tokens.is_some();
    let words = match (counted, cached) {
        (true, true) => "come with replies, with how much of the prompt was cached",
        (true, false) => "come with replies, without how much of the prompt was cached",
        (false, _) => "do not come with replies: how full the window is, is estimated",
    };
    words.to_owned()
}

fn measured_words(measured: &WindowState, known: &Known) -> String {
    let chosen = match measured.chosen {
        WindowChoice::Configured => "as you configured it",
        WindowChoice::Server => &known.session.server_card().cloned().unwrap_or_default().window_origin(),
        WindowChoice::Remembered => "as in the last session with it",
        WindowChoice::Loaded => "as it was loaded already",
        WindowChoice::Fixed => "as the server was started with it",
        WindowChoice::Modelfile => "as its own file says",
        WindowChoice::Default => "the default, as nothing else was known",
    };
    let given = measured.effective.map(|tokens| format!(", {} given", window(tokens))).unwrap_or_default();
    format!("{} asked for{given}; {chosen}", window(measured.asked))
}

fn result(report: &Report) -> String {
    if let Some(error) = &report.error {
        return error.clone();
    }
    if report.findings.is_empty() {
        return "looked at; the model was not asked anything".to_owned();
    }
    let told = [
        (ProbeVerdict::Passed, "passed"),
        (ProbeVerdict::Rescued, "with help"),
        (ProbeVerdict::Failed, "failed"),
        (ProbeVerdict::Skipped, "left out"),
    ];
    let parts = told.iter().map(|(verdict, words)| (report.with(*verdict), words)).filter(|(count, _)| *count > 0);
    parts.map(|(count, words)| format!("{count} {words}")).collect::<Vec<_>>().join(" · ")
}
