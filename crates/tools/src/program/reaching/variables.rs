//! The variables that lead programs to the proxy.
//!
//! Each stands here because something reads it and nothing more common. `PIP_PROXY` is left out: pip reads the common
//! ones, and with its own it would send what is on the loopback through the proxy as well. `ALL_PROXY` names the HTTP
//! side: some libraries refuse to start when it names SOCKS and their part for that is not installed. Java prints a line
//! at each start where `JAVA_TOOL_OPTIONS` is set, so its build tools get it in variables of their own; what is on the
//! loopback they leave out by themselves.

/// What is reached without the proxy: the sandbox's own loopback.
const DIRECT: &str = "localhost,127.0.0.1,::1";
/// Read by nearly everything; some programs know one spelling only.
const COMMON: &[&str] = &["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
/// npm, pnpm and yarn 1; yarn from 2 on; cargo, which would follow the user's git settings first.
const OTHERS: &[&str] =
    &["npm_config_proxy", "npm_config_https_proxy", "YARN_HTTP_PROXY", "YARN_HTTPS_PROXY", "CARGO_HTTP_PROXY"];
/// Their sides of what goes without.
const WITHOUT: &[&str] = &["NO_PROXY", "no_proxy", "npm_config_noproxy"];
/// Seconds that these wait for an answer: a person may have to be asked, and the proxy itself tells what cannot be reached.
const PATIENT: &[&str] = &["CARGO_HTTP_TIMEOUT", "PIP_DEFAULT_TIMEOUT", "UV_HTTP_TIMEOUT"];
const PATIENCE: &str = "600";
/// Build tools of Java, each with its own.
const JAVA: &[&str] = &["GRADLE_OPTS", "MAVEN_OPTS", "SBT_OPTS"];

/// What else must be overruled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    Nothing,
    /// The user's settings of git may name a company's proxy, which git prefers to variables.
    Company,
}

impl Behind {
    /// `upstream`: there is a company's proxy. Where the permit sets git's settings itself these count.
    pub(super) fn of(upstream: bool, env: &[(String, String)]) -> Self {
        let set = env.iter().any(|(name, _)| name == "GIT_CONFIG_COUNT");
        if upstream && !set { Behind::Company } else { Behind::Nothing }
    }
}

/// Those that lead to a proxy at this port. `had` is what a variable holds without.
pub(super) fn leading_to(port: u16, behind: Behind, had: impl Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let proxy = format!("http://127.0.0.1:{port}");
    let to = |names: &[&str], value: &str| -> Vec<(String, String)> {
        names.iter().map(|name| ((*name).to_owned(), value.to_owned())).collect()
    };
    let mut variables = to(COMMON, &proxy);
    variables.extend(to(OTHERS, &proxy));
    variables.extend(to(WITHOUT, DIRECT));
    // `fetch` and the other clients of Node read the common ones only when they are told to.
    variables.extend(to(&["NODE_USE_ENV_PROXY"], "1"));
    variables.extend(to(PATIENT, PATIENCE));
    let java = in_java(port);
    for name in JAVA {
        let resolver = if *name == "MAVEN_OPTS" { " -Daether.connector.http.useSystemProperties=true" } else { "" };
        let own = had(name).map(|own| own + " ").unwrap_or_default();
        variables.push(((*name).to_owned(), format!("{own}{java}{resolver}")));
    }
    if behind == Behind::Company {
        variables.extend(to(&["GIT_CONFIG_COUNT"], "1"));
        variables.extend(to(&["GIT_CONFIG_KEY_0"], "http.proxy"));
        variables.extend(to(&["GIT_CONFIG_VALUE_0"], &proxy));
    }
    variables
}

fn in_java(port: u16) -> String {
    // No character here means anything to a shell: some start scripts read these words twice.
    ["http", "https"].map(|way| format!("-D{way}.proxyHost=127.0.0.1 -D{way}.proxyPort={port}")).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn map(behind: Behind) -> BTreeMap<String, String> {
        let had = |name: &str| (name == "GRADLE_OPTS").then(|| "-Xmx1g".to_owned());
        let variables = leading_to(4321, behind, had);
        let count = variables.len();
        let map: BTreeMap<_, _> = variables.into_iter().collect();
        assert_eq!(map.len(), count, "none twice");
        map
    }

    #[test]
    fn programs_are_led_to_the_proxy_and_not_when_they_speak_to_the_loopback() {
        let map = map(Behind::Nothing);
        for name in
            ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "npm_config_proxy"]
        {
            assert_eq!(map[name], "http://127.0.0.1:4321", "{name}");
        }
        for name in ["NO_PROXY", "no_proxy", "npm_config_noproxy"] {
            assert_eq!(map[name], "localhost,127.0.0.1,::1", "{name}");
        }
        assert_eq!(map["NODE_USE_ENV_PROXY"], "1");
        assert!(!map.contains_key("GIT_CONFIG_COUNT") && !map.contains_key("PIP_PROXY"));
        assert!(!map.contains_key("JAVA_TOOL_OPTIONS"));
    }

    #[test]
    fn build_tools_of_java_keep_what_they_had() {
        let map = map(Behind::Nothing);
        let proxy = "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=4321 -Dhttps.proxyHost=127.0.0.1 \
                     -Dhttps.proxyPort=4321";
        assert_eq!(map["GRADLE_OPTS"], format!("-Xmx1g {proxy}"));
        assert_eq!(map["MAVEN_OPTS"], format!("{proxy} -Daether.connector.http.useSystemProperties=true"));
    }

    #[test]
    fn git_is_told_where_its_settings_may_name_a_companys_proxy() {
        assert_eq!(map(Behind::of(true, &[]))["GIT_CONFIG_VALUE_0"], "http://127.0.0.1:4321");
        assert_eq!(Behind::of(true, &[("GIT_CONFIG_COUNT".into(), "3".into())]), Behind::Nothing);
        assert_eq!(Behind::of(false, &[]), Behind::Nothing);
    }
}
