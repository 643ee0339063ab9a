//! Build systems and package managers, by the files that they leave.

use super::manifests::Manifests;
use super::survey::{Survey, shown};
use std::path::Path;

/// Systems, and the files that show them; `*.x` is any file of that kind.
const SYSTEMS: &[(&str, &[&str])] = &[
    ("Maven", &["pom.xml"]),
    ("Gradle", &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]),
    ("sbt", &["build.sbt"]),
    ("CMake", &["CMakeLists.txt"]),
    ("Meson", &["meson.build"]),
    ("Autotools", &["configure.ac"]),
    ("Bazel", &["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "BUILD.bazel"]),
    ("Buck", &[".buckconfig"]),
    ("Make", &["Makefile", "makefile", "GNUmakefile"]),
    ("just", &["justfile", "Justfile"]),
    ("Task", &["Taskfile.yml", "Taskfile.yaml"]),
    ("Bundler", &["Gemfile"]),
    ("Composer", &["composer.json"]),
    ("Mix", &["mix.exs"]),
    (".NET", &["*.sln", "*.csproj", "*.fsproj"]),
    ("SwiftPM", &["Package.swift"]),
    ("Zig", &["build.zig"]),
    ("Cabal", &["*.cabal"]),
    ("Stack", &["stack.yaml"]),
    ("dune", &["dune-project"]),
    ("Pub", &["pubspec.yaml"]),
    ("Nix", &["flake.nix", "default.nix"]),
    ("Terraform", &["main.tf"]),
    ("Docker", &["Dockerfile", "Containerfile"]),
    ("Compose", &["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"]),
    ("Helm", &["Chart.yaml"]),
    ("Vagrant", &["Vagrantfile"]),
];
/// Lock files of packages for Node, and whose they are.
const NODE_LOCKS: &[(&str, &str)] = &[
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
];
/// The same for Python; the first that is there counts.
const PYTHON_FILES: &[(&str, &str)] = &[
    ("uv.lock", "uv"),
    ("poetry.lock", "poetry"),
    ("pdm.lock", "pdm"),
    ("Pipfile", "pipenv"),
    ("environment.yml", "conda"),
    ("requirements.txt", "pip"),
    ("setup.py", "setuptools"),
    ("setup.cfg", "setuptools"),
];

pub(super) fn words(survey: &Survey, manifests: &Manifests) -> Vec<String> {
    let mut words = Vec::new();
    let cargo = survey.named("Cargo.toml");
    words.extend(system("Cargo", &cargo));
    let node = survey.named("package.json");
    words.extend(system(node_manager(survey, manifests), &node));
    words.extend(python(survey, manifests));
    words.extend(system("Go", &survey.named("go.mod")));
    for (name, files) in SYSTEMS {
        words.extend(system(name, &files.iter().flat_map(|file| like(survey, file)).collect::<Vec<_>>()));
    }
    words
}

/// `Cargo (Cargo.toml and 16 more)`.
fn system(name: &str, files: &[&Path]) -> Option<String> {
    let first = files.first()?;
    let more = if files.len() > 1 { format!(" and {} more", files.len() - 1) } else { String::new() };
    Some(format!("{name} ({}{more})", shown(first)))
}

fn like<'a>(survey: &'a Survey, file: &str) -> Vec<&'a Path> {
    let Some(kind) = file.strip_prefix("*.") else { return survey.named(file) };
    let of_kind = |path: &&std::path::PathBuf| path.extension().is_some_and(|found| found == kind);
    survey.files.iter().filter(of_kind).map(|path| path.as_path()).collect()
}

/// As the outermost lock file says, or the manifest, or npm.
pub(super) fn node_manager(survey: &Survey, manifests: &Manifests) -> &'static str {
    let known = ["npm", "pnpm", "yarn", "bun"];
    let said = manifests.node.iter().find_map(|(_, node)| node.manager.as_deref());
    let said = said.and_then(|said| known.into_iter().find(|name| *name == said));
    let lock = NODE_LOCKS
        .iter()
        .find(|(file, _)| survey.has(file))
        .or_else(|| NODE_LOCKS.iter().find(|(file, _)| !survey.named(file).is_empty()));
    said.or_else(|| lock.map(|(_, name)| *name)).unwrap_or("npm")
}

fn python(survey: &Survey, manifests: &Manifests) -> Option<String> {
    let manager = PYTHON_FILES.iter().find(|(file, _)| !survey.named(file).is_empty());
    let project = survey.named("pyproject.toml");
    let backend = manifests.python.iter().find_map(|(_, python)| python.backend.clone());
    let (name, files) = match (manager, project.is_empty()) {
        (None, true) => return None,
        (Some((file, name)), true) => (*name, survey.named(file)),
        (Some((_, name)), false) if !name.starts_with("setup") => (*name, project),
        (Some(_) | None, false) => ("", project),
    };
    let by = [Some(name.to_owned()).filter(|name| !name.is_empty()), backend.map(|backend| backend.replace('_', "-"))];
    let mut by: Vec<String> = by.into_iter().flatten().collect();
    by.dedup();
    let by = if by.is_empty() { String::new() } else { format!(" {}", by.join(" + ")) };
    system(&format!("Python{by}"), &files)
}

#[cfg(test)]
mod tests {
    use super::super::survey::survey;
    use super::*;

    #[test]
    fn systems_are_known_by_their_files() {
        for (files, expected) in [
            (
                &["Cargo.toml", "a/Cargo.toml", "Makefile"][..],
                &["Cargo (Cargo.toml and 1 more)", "Make (Makefile)"][..],
            ),
            (&["package.json", "pnpm-lock.yaml"], &["pnpm (package.json)"]),
            (&["package.json"], &["npm (package.json)"]),
            (&["web/package.json", "web/yarn.lock"], &["yarn (web/package.json)"]),
            (&["requirements.txt", "a.py"], &["Python pip (requirements.txt)"]),
            (&["pyproject.toml", "uv.lock"], &["Python uv (pyproject.toml)"]),
            (&["setup.py"], &["Python setuptools (setup.py)"]),
            (&["go.mod"], &["Go (go.mod)"]),
            (&["pom.xml", "App.sln"], &["Maven (pom.xml)", ".NET (App.sln)"]),
            (&["CMakeLists.txt", "Dockerfile"], &["CMake (CMakeLists.txt)", "Docker (Dockerfile)"]),
            (&["a.c"], &[]),
        ] {
            assert_eq!(words(&survey(files), &Manifests::default()), expected, "{files:?}");
        }
    }
}
