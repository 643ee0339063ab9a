//! The package managers, and how each says the same: checked against their own pages for npm 10, yarn 1 and 4, pnpm 9,
//! bun 1.2.

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
pub(super) enum PackageScope {
    Project,
    /// The project, needed only to work on it.
    Development,
    Global,
}

/// What each is called with for an action, in the order npm, yarn 1, yarn 2 and later, pnpm, bun; the packages follow. No
/// words: it cannot do that. For development an action is what it is in the project, where no row says otherwise.
const WORDS: [(&str, PackageScope, [&str; 5]); 17] = [
    ("install", PackageScope::Project, ["npm install", "yarn install", "yarn install", "pnpm install", "bun install"]),
    ("add", PackageScope::Project, ["npm install", "yarn add", "yarn add", "pnpm add", "bun add"]),
    (
        "add",
        PackageScope::Development,
        ["npm install --save-dev", "yarn add --dev", "yarn add --dev", "pnpm add --save-dev", "bun add --dev"],
    ),
    (
        "add",
        PackageScope::Global,
        ["npm install --global", "yarn global add", "", "pnpm add --global", "bun add --global"],
    ),
    ("remove", PackageScope::Project, ["npm uninstall", "yarn remove", "yarn remove", "pnpm remove", "bun remove"]),
    (
        "remove",
        PackageScope::Global,
        ["npm uninstall --global", "yarn global remove", "", "pnpm remove --global", "bun remove --global"],
    ),
    ("update", PackageScope::Project, ["npm update", "yarn upgrade", "yarn up", "pnpm update", "bun update"]),
    ("update_all", PackageScope::Project, ["npm update", "yarn upgrade", "yarn up *", "pnpm update", "bun update"]),
    (
        "update",
        PackageScope::Global,
        ["npm update --global", "yarn global upgrade", "", "pnpm update --global", "bun update --global"],
    ),
    ("list", PackageScope::Project, ["npm ls", "yarn list --depth=0", "yarn info", "pnpm list", "bun pm ls"]),
    (
        "list",
        PackageScope::Global,
        ["npm ls --global", "yarn global list", "", "pnpm list --global", "bun pm ls --global"],
    ),
    ("outdated", PackageScope::Project, ["npm outdated", "yarn outdated", "", "pnpm outdated", "bun outdated"]),
    (
        "outdated",
        PackageScope::Global,
        ["npm outdated --global", "", "", "pnpm outdated --global", "bun outdated --global"],
    ),
    // Fetches a program of a package and runs it. The first yarn has no word for that; npx comes with Node.
    ("exec", PackageScope::Project, ["npx --yes", "npx --yes", "yarn dlx", "pnpm dlx", "bunx"]),
    ("info", PackageScope::Project, ["npm view", "yarn info", "yarn npm info", "pnpm view", "bun info"]),
    ("audit", PackageScope::Project, ["npm audit", "yarn audit", "yarn npm audit", "pnpm audit", "bun audit"]),
    // Without questions; some ask none.
    ("init", PackageScope::Project, ["npm init --yes", "yarn init --yes", "yarn init", "pnpm init", "bun init --yes"]),
];

impl Manager {
    pub(super) fn program(self) -> &'static str {
        match self {
            Manager::Npm => "npm",
            Manager::Yarn | Manager::Berry => "yarn",
            Manager::Pnpm => "pnpm",
            Manager::Bun => "bun",
        }
    }

    /// What it is called with for `action`; the error says what to do instead.
    pub(super) fn words(self, action: &str, place: PackageScope) -> Result<Vec<String>, &'static str> {
        let row = |place: PackageScope| WORDS.iter().find(|(of, at, _)| *of == action && *at == place);
        let words = row(place).or_else(|| row(PackageScope::Project)).map_or("", |(_, _, words)| words[self as usize]);
        match (self, action) {
            _ if !words.is_empty() => Ok(words.split(' ').map(str::to_owned).collect()),
            (Manager::Berry, "outdated") => Err(NO_LIST),
            (_, "outdated") => Err(NO_GLOBAL_LIST),
            (_, _) => Err(NO_GLOBAL),
        }
    }

    /// Runs a script of the package; `args` are its own.
    pub(super) fn script(self, name: &str, args: Vec<String>) -> Vec<String> {
        let mut words = [self.program(), "run", name].map(str::to_owned).to_vec();
        // The others hand on what stands behind the name; npm takes options for itself.
        if self == Manager::Npm && !args.is_empty() {
            words.push("--".to_owned());
        }
        words.extend(args);
        words
    }
}

const NO_GLOBAL: &str = "yarn 2 and later installs nothing globally; use action exec, or package_manager npm";
const NO_LIST: &str = "yarn 2 and later cannot list what is outdated; use action exec with command npm-check-updates, or \
    action update";
const NO_GLOBAL_LIST: &str =
    "yarn 1 cannot list what is outdated globally; leave global out, or use package_manager npm";
