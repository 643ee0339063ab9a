//! Build systems and package managers, by the files that they leave, and how these run tests.

use super::manifests::{Ecosystem, Manifests};
use super::survey::{Survey, shown};
use std::path::Path;

/// Systems, the files that show them (`*.x` is any file of that kind), and how tests are run where one of these lies at the
/// top.
const SYSTEMS: &[(&str, &str, &str)] = &[
    ("Maven", "pom.xml", "mvn test"),
    ("Gradle", "build.gradle build.gradle.kts settings.gradle settings.gradle.kts", "gradle test"),
    ("sbt", "build.sbt", ""),
    ("CMake", "CMakeLists.txt", "ctest"),
    ("Meson", "meson.build", "meson test"),
    ("Autotools", "configure.ac", ""),
    ("Bazel", "MODULE.bazel WORKSPACE WORKSPACE.bazel BUILD.bazel", "bazel test //..."),
    ("Buck", ".buckconfig", ""),
    ("Make", "Makefile makefile GNUmakefile", ""),
    ("just", "justfile Justfile", ""),
    ("Task", "Taskfile.yml Taskfile.yaml", ""),
    ("Bundler", "Gemfile", ""),
    ("Composer", "composer.json", ""),
    ("Mix", "mix.exs", "mix test"),
    (".NET", "*.sln *.csproj *.fsproj", ""),
    ("SwiftPM", "Package.swift", "swift test"),
    ("Zig", "build.zig", "zig build test"),
    ("Cabal", "*.cabal", ""),
    ("Stack", "stack.yaml", ""),
    ("dune", "dune-project", ""),
    ("Pub", "pubspec.yaml", ""),
    ("Nix", "flake.nix default.nix", ""),
    ("Terraform", "main.tf", ""),
    ("Docker", "Dockerfile Containerfile", ""),
    ("Compose", "compose.yaml compose.yml docker-compose.yml docker-compose.yaml", ""),
    ("Helm", "Chart.yaml", ""),
    ("Vagrant", "Vagrantfile", ""),
];
/// What runs tests by its own settings, whatever builds the rest.
const RUNNERS: &[(&str, &str)] = &[(".rspec", "rspec"), ("phpunit.xml", "phpunit")];
/// Scripts of a project that start a system in the version it wants.
const WRAPPERS: &[(&str, &str)] = &[("mvn", "mvnw"), ("gradle", "gradlew")];
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
    words.extend(system("Cargo", &survey.named("Cargo.toml")));
    words.extend(system(node_manager(survey, manifests), &survey.named("package.json")));
    words.extend(python(survey, manifests));
    words.extend(system("Go", &survey.named("go.mod")));
    for (name, files, _) in SYSTEMS {
        words.extend(system(name, &files.split(' ').flat_map(|file| like(survey, file)).collect::<Vec<_>>()));
    }
    words
}

/// How tests are run by the systems that lie at the top.
pub(super) fn tests(survey: &Survey) -> Vec<String> {
    let at_top = |files: &str| files.split(' ').any(|file| survey.has(file));
    let systems = SYSTEMS.iter().filter(|(_, files, test)| !test.is_empty() && at_top(files));
    let runners = RUNNERS.iter().filter(|(file, _)| survey.has(file)).map(|(_, test)| (*test).to_owned());
    systems.map(|(.., test)| wrapped(survey, test)).chain(runners).collect()
}

/// `./mvnw test`, where the project brings the script.
fn wrapped(survey: &Survey, test: &str) -> String {
    let wrapper = WRAPPERS.iter().find(|(program, script)| test.starts_with(program) && survey.has(script));
    wrapper.map_or_else(|| test.to_owned(), |(program, script)| test.replacen(program, &format!("./{script}"), 1))
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
    let said = manifests.all(Ecosystem::Node).find_map(|(_, node)| node.manager.as_deref());
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
    let backend = manifests.all(Ecosystem::Python).find_map(|(_, python)| python.manager.clone());
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
