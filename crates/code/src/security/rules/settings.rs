//! Containers, clusters and workflows; what takes more than one line to see is in `docker` and `workflow`.

use crate::security::Severity::{Critical, High, Low, Medium};
use crate::security::rule::{Rule, rule};

const PIPED: Rule = rule(
    "ci-pipe-to-shell",
    Medium,
    r"\b(?:curl|wget)\b[^\n|;]*\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:/\w+)*/?(?:ba|z|da|k)?sh\b|\b(?:ba|z)?sh\s+<\(\s*(?:curl|wget)\b",
    "what a server sends is run unseen",
    "save it, check its hash, then run it",
);

const TLS: Rule = rule(
    "ci-tls",
    Medium,
    r"\bcurl\b[^\n;|]*\s(?:-[A-Za-z]{0,5}k[A-Za-z]{0,5}\s|--insecure\b)|--no-check-certificate\b|\bGIT_SSL_NO_VERIFY\b\s*[:=]\s*[\x22']?(?:1|true)\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b\s*[:= ]\s*[\x22']?0\b|\bstrict-ssl[= ]+false\b",
    "TLS certificates are not checked: anybody between can read and change it",
    "leave it out; add the CA",
);

pub(in crate::security) const DOCKER: &[Rule] = &[
    PIPED,
    TLS,
    rule("docker-add-url", Medium, r"^(?i:ADD)\s+(?:--\S+\s+)*https?://", "what the server sends is taken unseen", "use ADD --checksum, or COPY").unless(r"--checksum="),
    rule("docker-chmod", Medium, r"\bchmod\s+(?:-\w+\s+)*(?:0?777|a\+rwx|o\+w)\s", "everybody in the container may write it", "give rights to the user that needs them"),
    rule(
        "docker-secret",
        High,
        r"^(?i:ENV|ARG)\s+[^\n]*(?i:passw(?:or)?d|secret|token|api_?key|private_?key)\w*(?:=|\s)\s*[\x22']?[^\s\x22'$]{4,}",
        "whoever has the image can read it",
        "use RUN --mount=type=secret",
    )
    .unless(r#"(?i)(?:=|\s)["']?(?:changeme|change_me|example|placeholder|dummy|none|null|false|true|/\S+|<[^>]*>)["']?\s*$|_(?:file|path|url|ttl|name)[=\s]"#)
    .maybe(),
    rule("docker-sudo", Low, r"^(?i:RUN)\s[^\n]*\bsudo\b", "sudo in an image only hides who runs what", "switch with USER").maybe(),
    rule("docker-ssh", Low, r"^(?i:EXPOSE)\s[^\n]*\b22\b", "a container that is logged in to", "use docker exec"),
];

pub(in crate::security) const WORKFLOW: &[Rule] = &[
    PIPED,
    TLS,
    rule(
        "ci-write-all",
        Medium,
        r"^\s*permissions\s*:\s*write-all\b",
        "every step may change everything",
        "name the rights that are needed",
    )
    .sure(),
    rule(
        "ci-unsafe-commands",
        High,
        r"\bACTIONS_ALLOW_UNSECURE_COMMANDS\b\s*:\s*[\x22']?true\b",
        "what a step prints sets variables of the next",
        "leave it out",
    )
    .sure(),
    rule(
        "ci-floating-action",
        Medium,
        r"^\s*(?:-\s*)?uses\s*:\s*[\x22']?[\w.-]+/[\w./-]+@(?:main|master|develop|latest|HEAD)\b",
        "whoever can push there runs code here",
        "pin it to a commit",
    )
    .sure(),
    rule(
        "ci-secrets-all",
        Medium,
        r"\btoJ(?:SON|son)\s*\(\s*secrets\s*\)",
        "all secrets are handed over at once",
        "name the ones that are needed",
    )
    .sure(),
];

pub(in crate::security) const CLUSTER: &[Rule] = &[
    rule("yaml-privileged", High, r"^\s*(?:-\s*)?privileged\s*:\s*true\b", "the container is root on the machine", "leave it out; add the one capability that is needed"),
    rule("yaml-docker-socket", High, r"/var/run/docker\.sock\b", "whoever is in the container is root on the machine", "leave it out").maybe(),
    rule("yaml-host", Medium, r"^\s*(?:hostNetwork|hostPID|hostIPC)\s*:\s*true\b|^\s*(?:network_mode|pid|ipc)\s*:\s*[\x22']?host\b", "the container sees what the machine does", "leave it out"),
    rule("yaml-escalation", Medium, r"^\s*(?:-\s*)?allowPrivilegeEscalation\s*:\s*true\b", "a program in it can become root", "set it to false").sure(),
    rule("yaml-root", Low, r"^\s*(?:runAsUser\s*:\s*0\s*$|runAsNonRoot\s*:\s*false\b)", "it runs as root", "run it as a user").sure(),
    rule("yaml-all-rights", Critical, r"^\s*name\s*:\s*cluster-admin\s*$", "whoever gets this account has the cluster", "name the rights that are needed")
        .where_file(r"\bkind\s*:\s*(?:Cluster)?RoleBinding\b"),
    rule("yaml-tls", High, r"^\s*insecure-skip-tls-verify\s*:\s*true\b|^\s*insecureSkipVerify\s*:\s*true\b|^\s*validate_certs\s*:\s*(?:false|no)\b", "TLS certificates are not checked", "leave the check on").sure(),
];
