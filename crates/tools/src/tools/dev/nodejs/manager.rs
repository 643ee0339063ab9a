//! The package managers, and how each says the same: checked against their own pages for npm 10, yarn 1 and 4, pnpm 9,
//! bun 1.2.

use crate::tools::dev::shared::argv;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    Npm,
    /// Its first edition.
    Yarn,
    /// The second and later ones.
    Berry,
    Pnpm,
    Bun,
}

/// Where packages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Project,
    /// The project, needed only to work on it.
    Development,
    /// Beside all projects.
    Global,
}

impl Manager {
    pub(super) fn program(self) -> &'static str {
        match self {
            Manager::Npm => "npm",
            Manager::Yarn | Manager::Berry => "yarn",
            Manager::Pnpm => "pnpm",
            Manager::Bun => "bun",
        }
    }

    /// Adds packages, which follow.
    pub(super) fn add(self, place: Place) -> Result<Vec<String>, &'static str> {
        let words = match (self, place) {
            (Manager::Npm, Place::Project) => argv(["npm", "install"]),
            (Manager::Npm, Place::Development) => argv(["npm", "install", "--save-dev"]),
            (Manager::Npm, Place::Global) => argv(["npm", "install", "--global"]),
            (Manager::Yarn, Place::Global) => argv(["yarn", "global", "add"]),
            (Manager::Berry, Place::Global) => return Err(NO_GLOBAL),
            (Manager::Pnpm, Place::Development) => argv(["pnpm", "add", "--save-dev"]),
            (Manager::Pnpm | Manager::Bun, Place::Global) => argv([self.program(), "add", "--global"]),
            (Manager::Yarn | Manager::Berry | Manager::Bun, Place::Development) => {
                argv([self.program(), "add", "--dev"])
            }
            (Manager::Yarn | Manager::Berry | Manager::Pnpm | Manager::Bun, Place::Project) => {
                argv([self.program(), "add"])
            }
        };
        Ok(words)
    }

    /// Removes packages, which follow.
    pub(super) fn remove(self, place: Place) -> Result<Vec<String>, &'static str> {
        self.everywhere(place, "uninstall", "remove", "remove")
    }

    /// Updates packages, which follow; all where none does.
    pub(super) fn update(self, place: Place, all: bool) -> Result<Vec<String>, &'static str> {
        match (self, place) {
            (Manager::Berry, Place::Project | Place::Development) if all => Ok(argv(["yarn", "up", "*"])),
            (Manager::Berry, Place::Project | Place::Development) => Ok(argv(["yarn", "up"])),
            (_, _) => self.everywhere(place, "update", "upgrade", "update"),
        }
    }

    /// The same word in the project and beside it: npm's, yarn's, and that of the others.
    fn everywhere(self, place: Place, npm: &str, yarn: &str, others: &str) -> Result<Vec<String>, &'static str> {
        let word = match self {
            Manager::Npm => npm,
            Manager::Yarn | Manager::Berry => yarn,
            Manager::Pnpm | Manager::Bun => others,
        };
        match (self, place) {
            (_, Place::Project | Place::Development) => Ok(argv([self.program(), word])),
            (Manager::Yarn, Place::Global) => Ok(argv(["yarn", "global", word])),
            (Manager::Berry, Place::Global) => Err(NO_GLOBAL),
            (Manager::Npm | Manager::Pnpm | Manager::Bun, Place::Global) => {
                Ok(argv([self.program(), word, "--global"]))
            }
        }
    }

    /// Runs a script of the package; `args` are its own.
    pub(super) fn script(self, name: &str, args: Vec<String>) -> Vec<String> {
        let mut words = argv([self.program(), "run", name]);
        // The others hand on what stands behind the name; npm takes options for itself.
        if self == Manager::Npm && !args.is_empty() {
            words.push("--".to_owned());
        }
        words.extend(args);
        words
    }

    /// Runs a program of a package that is fetched for it. The first yarn has no word for that; npx comes with Node.
    pub(super) fn exec(self) -> Vec<String> {
        match self {
            Manager::Npm | Manager::Yarn => argv(["npx", "--yes"]),
            Manager::Berry => argv(["yarn", "dlx"]),
            Manager::Pnpm => argv(["pnpm", "dlx"]),
            Manager::Bun => argv(["bunx"]),
        }
    }

    /// What a registry knows of a package, which follows.
    pub(super) fn info(self) -> Vec<String> {
        match self {
            Manager::Npm | Manager::Pnpm => argv([self.program(), "view"]),
            Manager::Berry => argv(["yarn", "npm", "info"]),
            Manager::Yarn | Manager::Bun => argv([self.program(), "info"]),
        }
    }

    /// What is installed.
    pub(super) fn list(self, place: Place) -> Result<Vec<String>, &'static str> {
        let words = match self {
            Manager::Npm => argv(["npm", "ls"]),
            Manager::Yarn if place == Place::Global => argv(["yarn", "global", "list"]),
            Manager::Yarn => argv(["yarn", "list", "--depth=0"]),
            Manager::Berry if place == Place::Global => return Err(NO_GLOBAL),
            Manager::Berry => argv(["yarn", "info"]),
            Manager::Pnpm => argv(["pnpm", "list"]),
            Manager::Bun => argv(["bun", "pm", "ls"]),
        };
        Ok(self.flagged(words, place))
    }

    pub(super) fn outdated(self, place: Place) -> Result<Vec<String>, &'static str> {
        match (self, place) {
            (Manager::Berry, _) => Err("yarn 2 and later cannot list what is outdated; use action exec with command \
                npm-check-updates, or action update"),
            (Manager::Yarn, Place::Global) => {
                Err("yarn 1 cannot list what is outdated globally; leave global out, or use \
                package_manager npm")
            }
            (_, _) => Ok(self.flagged(argv([self.program(), "outdated"]), place)),
        }
    }

    /// With the word for what lies beside all projects, where that is meant and yarn has no other.
    fn flagged(self, mut words: Vec<String>, place: Place) -> Vec<String> {
        if place == Place::Global && matches!(self, Manager::Npm | Manager::Pnpm | Manager::Bun) {
            words.push("--global".to_owned());
        }
        words
    }

    pub(super) fn audit(self) -> Vec<String> {
        match self {
            Manager::Berry => argv(["yarn", "npm", "audit"]),
            Manager::Npm | Manager::Yarn | Manager::Pnpm | Manager::Bun => argv([self.program(), "audit"]),
        }
    }

    /// A new `package.json`, without questions.
    pub(super) fn init(self) -> Vec<String> {
        match self {
            Manager::Npm | Manager::Yarn | Manager::Bun => argv([self.program(), "init", "--yes"]),
            // They ask nothing.
            Manager::Berry | Manager::Pnpm => argv([self.program(), "init"]),
        }
    }
}

const NO_GLOBAL: &str = "yarn 2 and later installs nothing globally; use action exec, or package_manager npm";
