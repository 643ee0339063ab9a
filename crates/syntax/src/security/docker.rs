//! What takes a whole Dockerfile to see: who it runs as in the end, and what it is built on.

use super::Finding;
use super::rule::Text;
use super::rules::{TABLES, named};
use std::collections::HashSet;

pub(super) fn add(text: &Text<'_>, findings: &mut Vec<Finding>) {
    let rule = |name| named(&TABLES.docker, name);
    let mut stages = HashSet::new();
    let (mut user, mut last) = (None, None);
    for (at, line) in text.text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())) {
        let mut words = line.split_whitespace().filter(|word| !word.starts_with("--"));
        match words.next().unwrap_or_default().to_ascii_uppercase().as_str() {
            "FROM" => {
                let image = words.next().unwrap_or_default().to_ascii_lowercase();
                if floats(&image) && !stages.contains(&image) {
                    findings.push(rule("docker-latest").finding(at));
                }
                stages.extend(words.nth(1).map(str::to_ascii_lowercase));
                (user, last) = (None, Some(at));
            }
            "USER" => user = words.next().map(|name| (at, name.to_owned())),
            _ => {}
        }
    }
    match (user, last) {
        (Some((at, name)), _) if is_root(&name) => findings.push(rule("docker-root").finding(at)),
        (None, Some(at)) => findings.push(rule("docker-no-user").finding(at)),
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
