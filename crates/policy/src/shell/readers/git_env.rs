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

/// Keys that a git must obey which was approved: where it signs and how it reaches a server is the user's own affair.
const AT_WORK: &[&str] = &["gpg.program", "gpg.ssh.program", "gpg.x509.program", "diff.ignoreSubmodules"];
/// The same of one that is to reach a server.
const TO_SERVERS: &[&str] = &["core.sshCommand", "core.gitProxy", "credential.helper", "protocol.allow"];

/// Settings in place of the usual ones for a git that may change things: it notices that a submodule is at another
/// commit, and looks at none of its files, for that a git of the submodule's own would have to do.
const AT_WORK_INSTEAD: &[(&str, &str)] = &[("diff.ignoreSubmodules", "dirty")];

/// The variables for a git of ours that may change things, and `reaches` a server or not: no hook, no editor, no pager,
/// no file watcher and nothing else that the `found` settings of the repository itself name.
///
/// Where not all was found or is told, git gets settings that it refuses to start with.
pub(in crate::shell) fn at_work(found: &[String], reaches: bool) -> Vec<(String, String)> {
    let obeyed = |key: &str| AT_WORK.contains(&key) || reaches && TO_SERVERS.contains(&key);
    let usual = KEYS.iter().filter(|(key, _)| !obeyed(key)).chain(AT_WORK_INSTEAD);
    let usual = usual.map(|(key, value)| ((*key).to_owned(), *value));
    let named = found.iter().filter(|key| is_setting(key));
    let named = named.flat_map(|key| [Some((key.clone(), neutral(key))), not_required(key)]).flatten();
    let inner = found.iter().filter_map(|finding| of_submodule(finding)).map(|key| (key.to_owned(), neutral(key)));
    let still = STILL_GIT.iter().filter(|(name, _)| !(reaches && *name == "GIT_NO_LAZY_FETCH"));
    let still = still.map(|(name, value)| match *name {
        "GIT_ALLOW_PROTOCOL" if reaches => (*name, "https:http:ssh:git:file"),
        _ => (*name, *value),
    });
    let env = still.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut env = numbered(env, usual.chain(inner).chain(named));
    if found.iter().any(|finding| hides_others(finding)) {
        env.retain(|(name, _)| name != "GIT_CONFIG_COUNT");
        env.push(("GIT_CONFIG_COUNT".into(), "too many settings of this repository would have to be overruled".into()));
    }
    env
}

/// Is a finding the name of a setting that can be overruled, and no sentence? Only the middle of a name may hold blanks.
/// What includes other files cannot be overruled: those are read, and what they set is found by itself.
fn is_setting(finding: &str) -> bool {
    let Some((section, _)) = finding.split_once('.') else { return false };
    let named = section.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    named && !section.eq_ignore_ascii_case("include") && !section.eq_ignore_ascii_case("includeif")
}

/// The setting in `submodule a: filter.x.clean`: the git that is started in the submodule has the same variables. A filter
/// of the user's own with that name then fails where it is required, and nothing is stored without it.
fn of_submodule(finding: &str) -> Option<&str> {
    let (_, key) = finding.strip_prefix("submodule ")?.rsplit_once(": ")?;
    is_setting(key).then_some(key)
}

/// Does a finding say that there are, or may be, others? `and 12 more`; where the settings are `no plain file`, they are
/// not read.
pub(in crate::shell) fn hides_others(finding: &str) -> bool {
    finding.strip_prefix("and ").and_then(|rest| rest.strip_suffix(" more")).is_some()
        || finding.starts_with("no plain file: ")
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
        ("core", "hookspath" | "attributesfile" | "excludesfile") => "/dev/null",
        _ => "/bin/false",
    }
}

#[cfg(test)]
mod tests {
    use super::{at_work, environment};

    /// The variables as git would read them: plain ones by name, settings by key. What is set last holds.
    fn settings(env: &[(String, String)]) -> Vec<(&str, &str)> {
        let value = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap();
        let count: usize = value("GIT_CONFIG_COUNT").parse().unwrap();
        let key = |number| (value(&format!("GIT_CONFIG_KEY_{number}")), value(&format!("GIT_CONFIG_VALUE_{number}")));
        (0..count).map(key).collect()
    }

    fn at_work_on(found: &[&str], reaches: bool) -> Vec<(String, String)> {
        at_work(&found.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>(), reaches)
    }

    #[test]
    fn a_git_at_work_runs_nothing_that_the_repository_names() {
        let found =
            ["filter.x.clean", "remote.a b.uploadpack", "gpg.program", "diff.External", "core.sshcommand", "hook a.b"];
        for reaches in [false, true] {
            let env = at_work_on(&found, reaches);
            let settings = settings(&env);
            for expected in [
                ("core.hooksPath", "/dev/null"),
                ("core.fsmonitor", "false"),
                ("core.editor", "/bin/false"),
                ("filter.x.clean", ""),
                ("filter.x.required", "false"),
                ("gpg.program", "/bin/false"),
                ("remote.a b.uploadpack", "/bin/false"),
                ("diff.External", "/bin/false"),
                ("core.sshcommand", "/bin/false"),
                ("diff.ignoreSubmodules", "dirty"),
            ] {
                assert!(settings.contains(&expected), "{expected:?}, reaches: {reaches}");
            }
            assert!(!settings.iter().any(|(key, _)| key.starts_with("hook")));
        }
    }

    #[test]
    fn a_git_at_work_reaches_servers_as_the_person_set_it_up_and_only_when_it_is_meant_to() {
        for (reaches, protocols) in [(false, "none"), (true, "https:http:ssh:git:file")] {
            let env = at_work_on(&[], reaches);
            assert!(env.contains(&("GIT_ALLOW_PROTOCOL".into(), protocols.into())), "{env:?}");
            let settings = settings(&env);
            for key in ["core.sshCommand", "credential.helper", "core.gitProxy"] {
                assert_eq!(settings.iter().any(|(known, _)| *known == key), !reaches, "{key}");
            }
            for key in ["gpg.program", "gpg.ssh.program"] {
                assert!(!settings.iter().any(|(known, _)| *known == key), "{key}");
            }
        }
    }

    #[test]
    fn what_a_submodule_names_does_not_run_and_a_required_filter_of_that_name_stays_required() {
        let env = at_work_on(&["submodule a: b: filter.x.clean", "submodule c: hook pre-commit"], false);
        let settings = settings(&env);
        assert!(settings.contains(&("filter.x.clean", "")), "{settings:?}");
        assert!(!settings.iter().any(|(key, _)| *key == "filter.x.required" || key.contains("hook ")), "{settings:?}");
    }

    #[test]
    fn what_includes_other_settings_stays_and_other_files_are_empty_ones() {
        let env = at_work_on(&["include.path", "includeif.onbranch:x.path", "core.attributesfile"], false);
        let settings = settings(&env);
        assert!(!settings.iter().any(|(key, _)| key.starts_with("include")), "{settings:?}");
        assert!(settings.contains(&("core.attributesfile", "/dev/null")));
    }

    #[test]
    fn where_not_all_that_was_found_is_told_git_does_not_start() {
        for last in ["and 3 more", "no plain file: .git/config"] {
            let env = at_work_on(&["filter.x.clean", last], false);
            let count: Vec<&str> =
                env.iter().filter(|(name, _)| name == "GIT_CONFIG_COUNT").map(|(_, value)| value.as_str()).collect();
            assert_eq!(count.len(), 1);
            assert!(count[0].parse::<u32>().is_err(), "{count:?}");
        }
    }

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
