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

/// The variables for a git that obeys none of `named`, keys of a config that name programs, nor any of the usual ones.
pub(in crate::shell) fn environment(named: &[String]) -> Vec<(String, String)> {
    let named_keys = named.iter().map(|key| (key.clone(), neutral(key)));
    let usual = KEYS.iter().map(|(key, value)| ((*key).to_owned(), *value));
    let keys: Vec<(String, &str)> =
        usual.chain(named_keys).chain(named.iter().filter_map(|key| not_required(key))).collect();
    let mut env: Vec<(String, String)> =
        STILL_GIT.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    for (number, (key, value)) in keys.iter().enumerate() {
        env.push((format!("GIT_CONFIG_KEY_{number}"), key.clone()));
        env.push((format!("GIT_CONFIG_VALUE_{number}"), (*value).into()));
    }
    env.push(("GIT_CONFIG_COUNT".into(), keys.len().to_string()));
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
