//! Why a session has no namespaces, in words, and the command that would change that.

use rustix::process::geteuid;
use std::io;
use std::path::Path;

/// Settings of the kernel that switch them off: the file, what it says then, whether root is free of it, and what would
/// change it.
const SETTINGS: &[(&str, &str, bool, &str)] = &[
    ("user/max_user_namespaces", "0", false, "sudo sysctl -w user.max_user_namespaces=15000"),
    ("user/max_net_namespaces", "0", false, "sudo sysctl -w user.max_net_namespaces=15000"),
    ("kernel/unprivileged_userns_clone", "0", true, "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        true,
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
];
/// Files that are there in containers.
const CONTAINERS: &[&str] = &["/.dockerenv", "/run/.containerenv"];
/// What a container has to be started with.
const FLAGS: &str = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined";

/// `what` failed with `error`: a line that says what would help.
pub(super) fn words(what: &str, error: &io::Error) -> String {
    let setting = |name: &str| std::fs::read_to_string(Path::new("/proc/sys").join(name)).ok();
    let container = CONTAINERS.iter().any(|file| Path::new(file).exists());
    format!("{what} ({error}); {}", help(setting, geteuid().is_root(), container))
}

fn help(setting: impl Fn(&str) -> Option<String>, root: bool, container: bool) -> String {
    let off = |(name, value, _, _): &&(&str, &str, bool, &str)| setting(name).is_some_and(|is| is.trim() == *value);
    let told = SETTINGS.iter().filter(|(_, _, root_is_free, _)| !(root && *root_is_free)).find(off);
    match (told, container) {
        (Some((_, _, _, command)), _) => format!("`{command}` turns them on"),
        (None, true) => format!("the container does not allow it; start it with `{FLAGS}`"),
        (None, false) => "the kernel, or what `agent` was started in, does not allow it".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_that_switches_them_off_is_named_with_what_turns_them_on() {
        let set =
            |name: &'static str, value: &'static str| move |asked: &str| (asked == name).then(|| format!("{value}\n"));
        let apparmor = set("kernel/apparmor_restrict_unprivileged_userns", "1");
        assert!(help(apparmor, false, false).contains("kernel.apparmor_restrict_unprivileged_userns=0"));
        assert!(!help(apparmor, true, false).contains("sysctl"), "it does not bind root");
        assert!(help(set("kernel/unprivileged_userns_clone", "0"), false, false).contains("_clone=1"));
        assert!(help(set("user/max_user_namespaces", "0"), true, true).contains("max_user_namespaces=15000"));
        assert!(help(set("user/max_user_namespaces", "96365"), true, true).contains("seccomp=unconfined"));
        assert!(help(|_| None, false, false).contains("does not allow it"));
    }
}
