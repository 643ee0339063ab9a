//! Where secrets lie in a home: what no command sees that could carry it out.
//!
//! By place and not by name: a home is too large to be gone through before each command.

/// Below the home: folders and files. Those of programs that keep keys, of package managers' accounts, of other people's
/// clouds, and what a shell remembers of what was typed.
const PLACES: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".password-store",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".config/op",
    ".config/Bitwarden",
    ".config/Bitwarden CLI",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/doctl",
    ".config/hcloud",
    ".config/rclone",
    ".oci",
    ".kube",
    ".docker/config.json",
    ".config/containers/auth.json",
    ".terraform.d/credentials.tfrc.json",
    ".terraformrc",
    ".vault-token",
    ".s3cfg",
    ".boto",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh",
    ".config/glab-cli",
    ".config/hub",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".config/pnpm/rc",
    ".config/configstore",
    ".pypirc",
    ".pip/pip.conf",
    ".config/pip/pip.conf",
    ".config/pypoetry/auth.toml",
    ".local/share/uv/credentials",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".bundle/config",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".sbt/.credentials",
    ".ivy2/.credentials",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".nuget/NuGet/NuGet.Config",
    ".config/NuGet/NuGet.Config",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".bash_history",
    ".zsh_history",
    ".local/share/fish/fish_history",
    ".psql_history",
    ".mysql_history",
    ".python_history",
    ".node_repl_history",
];

/// Where secrets lie, below a home. Most are not there.
pub fn secrets_at_home() -> &'static [&'static str] {
    PLACES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{Resolved, is_secret};
    use std::path::Path;

    #[test]
    fn every_place_is_below_the_home_and_stands_there_once() {
        let mut seen = std::collections::BTreeSet::new();
        for place in PLACES {
            let path = Path::new("/home/ann").join(place);
            assert!(Resolved::new(&path).is_some() && path != Path::new("/home/ann"), "{place}");
            assert!(seen.insert(path), "{place}");
        }
        let within = |one: &Path| seen.iter().any(|other| other != one && one.starts_with(other));
        assert!(!seen.iter().any(|place| within(place)), "a place within another says nothing");
    }

    /// What a name says is held back wherever one of these programs keeps it.
    #[test]
    fn the_usual_secrets_of_a_home_are_among_them() {
        let home = Path::new("/home/ann");
        let usual = ".ssh/id_ed25519 .gnupg/trustdb.gpg .netrc .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass \
            .cargo/credentials.toml .aws/credentials .kube/config .docker/config.json .m2/settings.xml \
            .gradle/gradle.properties .gem/credentials .config/gh/hosts.yml .bash_history .vault-token";
        for name in usual.split_whitespace() {
            let path = home.join(name);
            assert!(is_secret(Resolved::new(&path).unwrap(), Resolved::new(home)), "{name}");
            assert!(PLACES.iter().any(|place| path.starts_with(home.join(place))), "{name}");
        }
    }
}
