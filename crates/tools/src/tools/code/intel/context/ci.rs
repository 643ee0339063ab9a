//! What runs on a server at each push, by where it is written down.

use super::survey::{Survey, shown};
use std::path::Path;

/// Files, and folders that end in a slash.
const PLACES: &str = ".github/workflows/ .gitea/workflows/ .forgejo/workflows/ .gitlab-ci.yml .travis.yml \
    .circleci/config.yml .woodpecker/ .woodpecker.yml .drone.yml .buildkite/ .ci/ .builds/ .cirrus.yml \
    azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml Jenkinsfile .pre-commit-config.yaml";

pub(super) fn words(survey: &Survey) -> Vec<String> {
    let files = survey.hidden.iter().chain(&survey.files);
    files.filter(|file| is_ci(file)).take(12).map(|file| shown(file)).collect()
}

fn is_ci(file: &Path) -> bool {
    let name = file.to_string_lossy();
    PLACES.split(' ').any(|place| if place.ends_with('/') { name.starts_with(place) } else { name == place })
}

#[cfg(test)]
mod tests {
    use super::super::survey::survey;
    use super::*;

    #[test]
    fn what_runs_on_a_server_is_known_by_its_place() {
        let found =
            words(&survey(&[".github/workflows/ci.yml", ".github/CODEOWNERS", "Jenkinsfile", "src/Jenkinsfile"]));
        assert_eq!(found, [".github/workflows/ci.yml", "Jenkinsfile"]);
    }
}
