//! What takes a whole Dockerfile to see: who it runs as in the end, and what it is built on.

use super::rule::{Rule, Text, rule};
use super::{Finding, Severity};
use std::collections::HashSet;

const AS_ROOT: Rule = rule(
    "docker-root",
    Severity::Medium,
    "",
    "it runs as root, so what breaks into it is root in the container",
    "make a user and end with USER",
);
const NO_USER: Rule = rule("docker-no-user", Severity::Low, "", AS_ROOT_WHY, "make a user and end with USER").maybe();
const AS_ROOT_WHY: &str = "no USER is set: it runs as root unless the image it is built on says otherwise";
const LATEST: Rule = rule(
    "docker-latest",
    Severity::Low,
    "",
    "what it is built on changes without notice",
    "name a version, best with its digest",
)
.sure();

pub(super) fn add(text: &Text<'_>, findings: &mut Vec<Finding>) {
    let mut stages = HashSet::new();
    let (mut user, mut last) = (None, None);
    for (at, line) in text.text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())) {
        let mut words = line.split_whitespace().filter(|word| !word.starts_with("--"));
        match words.next().unwrap_or_default().to_ascii_uppercase().as_str() {
            "FROM" => {
                let image = words.next().unwrap_or_default().to_ascii_lowercase();
                if floats(&image) && !stages.contains(&image) {
                    findings.push(LATEST.finding(at));
                }
                stages.extend(words.nth(1).map(str::to_ascii_lowercase));
                (user, last) = (None, Some(at));
            }
            "USER" => user = words.next().map(|name| (at, name.to_owned())),
            _ => {}
        }
    }
    match (user, last) {
        (Some((at, name)), _) if is_root(&name) => findings.push(AS_ROOT.finding(at)),
        (None, Some(at)) => findings.push(NO_USER.finding(at)),
        (Some(_) | None, _) => {}
    }
}

fn is_root(name: &str) -> bool {
    matches!(name.split(':').next(), Some("root" | "0"))
}

/// Is there nothing that fixes which image is meant?
fn floats(image: &str) -> bool {
    if image.is_empty() || image == "scratch" || image.contains(['$', '@']) {
        return false;
    }
    let name = image.rsplit('/').next().unwrap_or(image);
    name.split_once(':').is_none_or(|(_, tag)| tag == "latest")
}
