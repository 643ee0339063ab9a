//! Shell, and recipes of make.

use crate::security::Severity::{High, Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const RULES: &[Rule] = &[
    rule(
        "sh-pipe-to-shell",
        High,
        r"\b(?:curl|wget)\b[^\n|;]*\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:/\w+)*/?(?:ba|z|da|k)?sh\b|\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*<\(\s*(?:curl|wget)\b|\bsource\s+<\(\s*(?:curl|wget)\b|\bsh\s+-c\s+.?\$\(\s*(?:curl|wget)\b",
        "what a server sends is run unseen",
        "save it, check its hash, then run it",
    ),
    rule(
        "sh-eval",
        Medium,
        r"(?:^|[;&|({]|\b(?:then|do|else)\b)\s*eval\s+[^\n]*\$",
        "text is run as commands",
        "use an array, or a case over what is allowed",
    )
    .unless(r#"eval\s+"?\$\(\s*"?(?:\S*/)?(?:ssh-agent|direnv|pyenv|rbenv|nodenv|brew|opam|luarocks|dircolors|lesspipe|starship|zoxide|fnm|mise|asdf|keychain|conda|getopt|resize|docker-machine|minikube|thefuck|goenv|jenv|register-python-argcomplete)\b"#),
    rule(
        "sh-chmod",
        Medium,
        r"\bchmod\s+(?:-\w+\s+)*(?:[0-7]?[0-7][0-7][2367]|(?:a|o|ugo|go)?\+\w*w\w*|a=rwx)\s",
        "everybody on the machine may write it",
        "give rights to the owner only: u+w, 644, 755",
    )
    .unless(r"chmod\s+(?:-\w+\s+)*(?:\+\w*w\w*|u\+)|chmod\s+(?:-\w+\s+)*1777\s"),
    rule(
        "sh-rm-variable",
        High,
        r#"\brm\s+(?:-\w+\s+|--\w[\w-]*\s+)*-\w*[rR]\w*\s+(?:-\w+\s+|--\s+)*(?:/\S*)?(?:\$\{?\w+\}?(?:[\s/*;&|)]|$)|"\$\{?\w+\}?"?/\*|"\$\{?\w+\}?/"?\*?)"#,
        "where the variable is empty or has a blank in it, something else is deleted",
        "quote it and stop when it is empty: rm -rf -- \"${dir:?}\"",
    ),
    rule(
        "sh-tls",
        Medium,
        r"\bcurl\b[^\n;|]*\s(?:-[A-Za-z]{0,5}k[A-Za-z]{0,5}\b|--insecure\b)|\bwget\s[^\n;|]*--no-check-certificate\b|\bGIT_SSL_NO_VERIFY=(?:1|true)\b|http\.sslVerify[= ]+[\x22']?false\b|\bstrict-ssl[= ]+false\b|\bNODE_TLS_REJECT_UNAUTHORIZED=0\b|\bPYTHONHTTPSVERIFY=0\b",
        "TLS certificates are not checked: anybody between can read and change it",
        "leave it out; give the CA with --cacert",
    ),
    rule(
        "sh-host-key",
        Medium,
        r"\bStrictHostKeyChecking[= ]+[\x22']?no\b",
        "any server is taken for the right one",
        "use accept-new, or a known_hosts file",
    ),
    rule(
        "sh-password-argument",
        Medium,
        r"\bsshpass\s+-p\s*\S|\bmysql(?:dump|admin)?\s[^\n;|]*\s-p[A-Za-z0-9!@#%^_]{4,}(?:\s|$)|\bcurl\s[^\n;|]*(?:\s-u|--user)\s+[\x22']?[\w.@-]+:[A-Za-z0-9!@#%^_]{4,}",
        "a password on the command line is seen by everybody on the machine",
        "take it from a file or the environment",
    ),
    rule(
        "sh-temporary",
        Low,
        r"(?:>\s*|\btouch\s+|\bmkdir\s+(?:-p\s+)?)/tmp/[\w.-]+(?:\s|$)",
        "the name is known beforehand: somebody else can make it first",
        "use mktemp",
    )
    .maybe(),
    rule(
        "sh-trusted-host",
        Low,
        r"--trusted-host\b|--extra-index-url\s+http://|--allow-unauthenticated\b|--nogpgcheck\b|--no-gpg-checks\b",
        "packages are taken without a look at who signed them",
        "leave the check on",
    ),
    rule("sh-sudoers", High, r"NOPASSWD\s*:\s*ALL\b", "whoever gets this account has the machine", "name the commands that may be run")
        .in_strings(),
];
