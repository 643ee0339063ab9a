//! Names that say: in here are passwords, keys, tokens.
//!
//! Names only; a file called otherwise may hold secrets as well, and one called so may hold none.

use super::fold::is;
use std::path::Path;

/// Folders that hold nothing else.
const FOLDERS: &[&str] = &[".ssh", ".gnupg", ".password-store"];

/// What lies in `.ssh` and is no secret.
const OPEN: &[&str] = &["known_hosts", "known_hosts.old", "authorized_keys"];

const FILES: &str = ".env .envrc .netrc _netrc .pgpass .my.cnf .mylogin.cnf .pypirc .htpasswd .dockercfg \
    .git-credentials .vault-token .s3cfg .boto .bash_history .zsh_history .psql_history .mysql_history \
    application_default_credentials.json credentials.json master.key";

/// Files within a folder of a certain name.
const WITHIN: &[(&str, &str)] = &[
    (".aws", "credentials"),
    (".kube", "config"),
    (".docker", "config.json"),
    (".cargo", "credentials"),
    (".cargo", "credentials.toml"),
    (".gem", "credentials"),
    (".m2", "settings-security.xml"),
    ("gh", "hosts.yml"),
    (".azure", "accesstokens.json"),
    (".azure", "msal_token_cache.json"),
    ("gcloud", "credentials.db"),
    ("gcloud", "access_tokens.db"),
];

/// Files that hold secrets where they lie in the home, and seldom in a project.
const AT_HOME: &[&str] = &[".npmrc", ".yarnrc.yml", ".gradle/gradle.properties", ".m2/settings.xml"];

const OF_THE_SYSTEM: &[&str] = &["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers"];

/// Kinds of files that are keys or keep them.
const KINDS: &[&str] =
    &["pem", "key", "p8", "p12", "pfx", "pkcs12", "jks", "keystore", "ppk", "kdbx", "ovpn", "tfstate"];

/// Private keys as ssh calls them, whatever follows.
const KEYS: &[&str] = &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];

/// What files of variables and of settings are called that are made to be copied and filled in.
const TEMPLATES: &[&str] = &["example", "sample", "template", "dist", "default", "defaults", "tmpl", "tpl"];

/// Files that are called `secrets` or the like hold them in these forms; in others they are code or words about them.
const SETTINGS: &[&str] = &["json", "yaml", "yml", "toml", "ini", "cfg", "conf", "env", "txt", "properties", "xml"];

/// Does one of these `names` (folded, outermost first) say so?
pub(super) fn by_name(names: &[String]) -> bool {
    let Some(name) = names.last() else { return false };
    if let Some(folder) = names.iter().position(|name| FOLDERS.iter().any(|folder| is(name, folder))) {
        let open = names.len() > folder + 1 && (name.ends_with(".pub") || OPEN.contains(&name.as_str()));
        return !open;
    }
    let within = |pair: &[String]| WITHIN.iter().any(|(folder, file)| is(&pair[0], folder) && is(&pair[1], file));
    let pair = names.len().checked_sub(2).map(|from| &names[from..]);
    pair.is_some_and(within) || by_file(name)
}

fn by_file(name: &str) -> bool {
    FILES.split_ascii_whitespace().any(|file| is(name, file))
        || is_key(name)
        || is_environment(name)
        || is_settings(name)
}

/// Does `path` say so for where it lies?
pub(super) fn by_place(path: &Path, home: Option<&Path>) -> bool {
    let at_home = |home: &Path| AT_HOME.iter().any(|file| path == home.join(file));
    let of_a_process = path.starts_with("/proc") && path.file_name().is_some_and(|name| name == "environ");
    home.is_some_and(at_home) || of_a_process || OF_THE_SYSTEM.iter().any(|file| path == Path::new(file))
}

fn is_key(name: &str) -> bool {
    if KEYS.iter().any(|key| name.starts_with(key)) {
        return !name.ends_with(".pub");
    }
    // A bare `.key` has no stem and is as good as any.
    name.rsplit_once('.').is_some_and(|(_, kind)| KINDS.contains(&kind))
}

/// `.env.local`, `.env-prod`, `prod.env`, but not `.env.example`.
fn is_environment(name: &str) -> bool {
    let kind = name.strip_prefix(".env").filter(|rest| rest.starts_with(['.', '-', '_']));
    let kind = kind.or_else(|| name.strip_suffix(".env"));
    kind.is_some_and(|kind| !kind.split(['.', '-', '_']).any(|word| TEMPLATES.contains(&word)))
}

/// `secrets.yaml`, `client_secret_42.json`, but not `secrets.rs` nor `secrets.example.yaml`.
fn is_settings(name: &str) -> bool {
    let Some((stem, kind)) = name.rsplit_once('.') else { return false };
    let mut words = stem.split(['.', '-', '_']);
    if !SETTINGS.contains(&kind) || words.clone().any(|word| TEMPLATES.contains(&word)) {
        return false;
    }
    let starts = ["secret", "secrets", "credential", "credentials"];
    let account = ["client_secret", "client-secret", "service_account", "service-account", "serviceaccount"];
    words.next().is_some_and(|word| starts.contains(&word))
        || kind == "json" && account.iter().any(|start| stem.starts_with(start))
}
