//! The variables that keep git from running anything that a config names.

/// The variables that every git has which is run unasked: it asks nothing, fetches nothing, and obeys no config or
/// attributes of the system.
pub const STILL_GIT: &[(&str, &str)] = &[
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("PAGER", "cat"),
    ("GIT_EDITOR", "/bin/false"),
    ("GIT_ASKPASS", "/bin/false"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ATTR_NOSYSTEM", "1"),
];

/// Keys of the config that are overruled, whatever it says.
const KEYS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
    ("core.sshCommand", "/bin/false"),
    ("gpg.program", "/bin/false"),
    ("gpg.ssh.program", "/bin/false"),
    ("gpg.x509.program", "/bin/false"),
    ("log.showSignature", "false"),
    ("core.askPass", "/bin/false"),
    ("credential.helper", ""),
    ("core.editor", "/bin/false"),
    ("sequence.editor", "/bin/false"),
    ("core.alternateRefsCommand", "/bin/false"),
    ("core.gitProxy", "/bin/false"),
    ("protocol.allow", "never"),
    ("protocol.file.allow", "never"),
    ("protocol.ext.allow", "never"),
    ("diff.ignoreSubmodules", "all"),
    // `git diff` writes the index anew whatever GIT_OPTIONAL_LOCKS says.
    ("diff.autoRefreshIndex", "false"),
    ("submodule.recurse", "false"),
    ("maintenance.auto", "false"),
    ("gc.auto", "0"),
    ("fetch.recurseSubmodules", "false"),
];

/// Keys that a git must obey which was approved: where it signs and how it reaches a server is the person's own affair.
const AT_WORK: &[&str] = &["gpg.program", "gpg.ssh.program", "gpg.x509.program", "diff.ignoreSubmodules"];
/// The same of one that is to reach a server.
const TO_SERVERS: &[&str] = &["core.sshCommand", "core.gitProxy", "credential.helper", "protocol.allow"];

/// The variables for a git of ours that may change things, and `reaches` a server or not: no hook, no editor, no pager,
/// no file watcher and nothing else that the `found` settings of the repository itself name.
pub(in crate::shell) fn at_work(found: &[String], reaches: bool) -> Vec<(String, String)> {
    let obeyed = |key: &str| AT_WORK.contains(&key) || reaches && TO_SERVERS.contains(&key);
    let usual = KEYS.iter().filter(|(key, _)| !obeyed(key)).map(|(key, value)| ((*key).to_owned(), *value));
    let named = found.iter().filter(|key| key.contains('.') && !key.contains(' '));
    let named = named.flat_map(|key| [Some((key.clone(), neutral(key))), not_required(key)]).flatten();
    let still = STILL_GIT.iter().filter(|(name, _)| !(reaches && *name == "GIT_NO_LAZY_FETCH"));
    let still = still.map(|(name, value)| match *name {
        "GIT_ALLOW_PROTOCOL" if reaches => (*name, "https:http:ssh:git:file"),
        _ => (*name, *value),
    });
    let env = still.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    numbered(env, usual.chain(named))
}

/// The variables for a git that obeys none of `named`, keys of a config that name programs, nor any of the usual ones.
pub(in crate::shell) fn environment(named: &[String]) -> Vec<(String, String)> {
    let named_keys = named.iter().map(|key| (key.clone(), neutral(key)));
    let usual = KEYS.iter().map(|(key, value)| ((*key).to_owned(), *value));
    let env = STILL_GIT.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    numbered(env, usual.chain(named_keys).chain(named.iter().filter_map(|key| not_required(key))))
}

/// `env` with these settings, in the variables in which git takes settings.
fn numbered(
    mut env: Vec<(String, String)>,
    keys: impl Iterator<Item = (String, &'static str)>,
) -> Vec<(String, String)> {
    let mut count = 0;
    for (number, (key, value)) in keys.enumerate() {
        env.push((format!("GIT_CONFIG_KEY_{number}"), key));
        env.push((format!("GIT_CONFIG_VALUE_{number}"), value.into()));
        count = number + 1;
    }
    env.push(("GIT_CONFIG_COUNT".into(), count.to_string()));
    env
}

/// A filter that is switched off must not be one that git cannot do without.
fn not_required(key: &str) -> Option<(String, &'static str)> {
    let (filter, last) = key.rsplit_once('.')?;
    let one = filter.to_ascii_lowercase().starts_with("filter.") && !last.eq_ignore_ascii_case("required");
    one.then(|| (format!("{filter}.required"), "false"))
}

/// A value under which the key runs nothing.
fn neutral(key: &str) -> &'static str {
    let folded = key.to_ascii_lowercase();
    let (section, last) = (folded.split('.').next().unwrap_or_default(), folded.rsplit('.').next().unwrap_or_default());
    match (section, last) {
        ("filter", "clean" | "smudge" | "process") | ("credential", _) => "",
        ("filter", "required") | ("pager", _) | (_, "showsignature" | "fsmonitor") => "false",
        ("core", "pager") => "cat",
        ("core", "hookspath") => "/dev/null",
        _ => "/bin/false",
    }
}

#[cfg(test)]
mod tests {
    use super::environment;

    #[test]
    fn every_named_key_is_overruled_and_counted() {
        let env = environment(&["filter.lfs.clean".into(), "pager.log".into(), "trailer.x.cmd".into()]);
        let value = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert_eq!(value("GIT_CONFIG_COUNT"), Some("27"));
        assert_eq!((value("GIT_CONFIG_KEY_23"), value("GIT_CONFIG_VALUE_23")), (Some("filter.lfs.clean"), Some("")));
        assert_eq!((value("GIT_CONFIG_KEY_24"), value("GIT_CONFIG_VALUE_24")), (Some("pager.log"), Some("false")));
        assert_eq!(
            (value("GIT_CONFIG_KEY_25"), value("GIT_CONFIG_VALUE_25")),
            (Some("trailer.x.cmd"), Some("/bin/false"))
        );
        assert_eq!(
            (value("GIT_CONFIG_KEY_26"), value("GIT_CONFIG_VALUE_26")),
            (Some("filter.lfs.required"), Some("false"))
        );
    }
}
