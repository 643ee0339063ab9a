//! The probes as they are written down: what each tries, and how somebody outside sees that it succeeded.
//!
//! A probe is a section of a file of `probes/`: a line `## name: what it tries`, further lines `## key: value`, then a
//! program in Python that finds the words of `prelude.py`. What follows a line `## then` runs later in another project.

/// How is it seen that a probe did what it wanted to do? Never by what it says of itself, but for what it read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Some listener outside heard its word.
    Heard,
    /// This host heard its word.
    HeardAt(String),
    /// The granted host heard a secret.
    Sent,
    /// This file holds its word.
    Holds(String),
    /// It knows what it must not know, and says so.
    Said,
    /// The same of what runs later in another project.
    SaidLater,
    /// Its process outside is gone.
    Dies,
    /// Something of it is there when all is over.
    Lives,
    /// Something outside is not as it was: see `judging`.
    Is(String),
}

/// In which session a probe is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Session {
    /// One host is granted, and all goes through the proxy of a company.
    Granted,
    /// All hosts are granted.
    Any,
    /// The same without another proxy, so that names are looked up here.
    Direct,
}

/// One try to get out, or (a control) something that has to work.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    pub(crate) name: String,
    pub(crate) tries: String,
    pub(crate) control: bool,
    pub(crate) sign: Sign,
    pub(crate) needs: Option<String>,
    pub(crate) session: Session,
    pub(crate) background: bool,
    pub(crate) body: String,
    pub(crate) then: Option<String>,
}

const FILES: &[&str] = &[
    include_str!("probes/net.py"),
    include_str!("probes/proxy.py"),
    include_str!("probes/sockets.py"),
    include_str!("probes/processes.py"),
    include_str!("probes/files.py"),
    include_str!("probes/lasting.py"),
];

/// All of them, in the order in which they are played.
pub(crate) fn all() -> Vec<Probe> {
    FILES.iter().flat_map(|text| sections(text)).collect()
}

fn sections(text: &str) -> Vec<Probe> {
    let mut probes: Vec<Probe> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("## "), probes.last_mut()) {
            (Some("then"), Some(probe)) => probe.then = Some(String::new()),
            (Some(head), last) => {
                let (key, value) = head.split_once(": ").expect("a line of a head has a key and a value");
                match (key, last) {
                    ("sign" | "needs" | "session" | "background", Some(probe)) => set(probe, key, value),
                    _ => probes.push(begun(key, value)),
                }
            }
            (None, Some(probe)) => {
                let body = probe.then.as_mut().unwrap_or(&mut probe.body);
                body.push_str(line);
                body.push('\n');
            }
            (None, None) => assert!(line.is_empty(), "a probe begins with its name: {line}"),
        }
    }
    probes
}

fn begun(name: &str, tries: &str) -> Probe {
    let control = tries.strip_prefix("CONTROL ");
    Probe {
        name: name.to_owned(),
        tries: control.unwrap_or(tries).to_owned(),
        control: control.is_some(),
        sign: Sign::Said,
        needs: None,
        session: Session::Granted,
        background: false,
        body: String::new(),
        then: None,
    }
}

fn set(probe: &mut Probe, key: &str, value: &str) {
    match key {
        "sign" => probe.sign = sign(value),
        "needs" => probe.needs = Some(value.to_owned()),
        "background" => probe.background = true,
        _ => {
            probe.session = match value {
                "any" => Session::Any,
                "direct" => Session::Direct,
                other => panic!("no such session: {other}"),
            }
        }
    }
}

fn sign(text: &str) -> Sign {
    match text.split_once(' ') {
        None if text == "heard" => Sign::Heard,
        None if text == "sent" => Sign::Sent,
        None if text == "said" => Sign::Said,
        None if text == "lives" => Sign::Lives,
        Some(("heard", place)) => Sign::HeardAt(place.trim_start_matches("at ").to_owned()),
        Some(("holds", path)) => Sign::Holds(path.to_owned()),
        Some(("said", "later")) => Sign::SaidLater,
        Some(("dies", _)) => Sign::Dies,
        Some(("is", what)) => Sign::Is(what.to_owned()),
        _ => panic!("no such sign: {text}"),
    }
}
