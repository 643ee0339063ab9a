//! What each flag of the command line lets happen without a question: one table, for `--help`, the documents and the tests.
//!
//! The judge decides without it. `judge/tests/flags.rs` plays every kind of action past every row, and past every flag by
//! itself, and compares: what stands here is what happens.

/// An enum of things that are said to a person: each with its words, and all of them in a list.
macro_rules! said {
    (
        $(#[$about:meta])* $name:ident::$words:ident, $says:literal:
        $($(#[$what:meta])* $variant:ident => $text:literal,)+
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$what])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            #[doc = $says]
            pub fn $words(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    };
}

said! {
    /// A flag that may spare a question.
    Flag::spelled, "As it is said.":
    /// `--allow write`
    Write => "--allow write",
    /// `--allow run`
    Run => "--allow run",
    /// `--allow commit`
    Commit => "--allow commit",
    /// `--allow net`
    Net => "--allow net",
    /// `--allow mcp`
    Mcp => "--allow mcp",
    /// `--unsafe`
    Unsafe => "--unsafe",
    /// `--trust`
    Trust => "--trust",
    /// `--allow write=DIR`
    WriteIn => "--allow write=DIR",
    /// `--allow hosts=HOST,…` or `hosts=any`
    Hosts => "--allow hosts=HOST,…",
    /// `--no-sandbox-no-questions`
    Disposable => "--no-sandbox-no-questions",
}

said! {
    /// What may happen, as far as flags tell it apart. Where nothing else is said: inside the project.
    Kind::in_words, "In words for a person, as one of a list.":
    /// A file is written.
    Write => "writing files",
    /// A command, within the sandbox and without network.
    Run => "commands, in the sandbox and without network",
    /// The same in the background.
    Background => "such commands in the background",
    /// A commit that a git tool makes.
    Commit => "commits by the git tools",
    /// A commit that any other command makes, or what may be one: git with a name that is not its own.
    CommitLine => "commits in other commands",
    /// A file is read whose name says that it holds secrets.
    ReadSecret => "reading files whose names say that they hold secrets (names, not values)",
    /// A page is fetched, at a usual port of a plain name.
    Fetch => "fetching pages",
    /// A search, where the user's own settings say.
    Search => "searches",
    /// A tool of another server is called.
    Call => "tools of other servers",
    /// A file outside the project is read.
    ReadOutside => "reading outside the project",
    /// A file in the folder that the flag names is written.
    WriteFolder => "writing files in that folder",
    /// A file outside the project is written.
    WriteOutside => "writing outside the project",
    /// A protected name is written.
    WriteProtected => "writing protected names",
    /// What is remembered for later sessions is written.
    WriteMemory => "writing memory.md",
    /// A command that is dangerous: it names protected or outside places, raises privileges, publishes.
    RunDangerous => "commands that name protected or outside places, raise privileges or publish",
    /// A command that starts outside the project.
    RunOutside => "commands started outside the project",
    /// A push.
    Push => "pushes",
    /// A command that reaches the network.
    RunNetwork => "commands with network",
    /// A command without a sandbox.
    RunUnfenced => "commands without the sandbox",
    /// A page is fetched, at an unusual port or of a name in other letters.
    FetchOdd => "pages at unusual ports or of names in other letters",
    /// Changes are taken back.
    Restore => "taking changes back",
    /// The model puts a plan, or a question.
    Session => "plans and questions of the model",
}

/// What some flags together let happen.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The flags, all of them given.
    pub flags: &'static [Flag],
    /// What then needs no question.
    pub covers: &'static [Kind],
    /// What they do besides, in words for a person.
    pub besides: &'static str,
}

/// The table.
pub const TABLE: &[Row] = &[
    Row { flags: &[Flag::Write], covers: &[Kind::Write], besides: "" },
    Row { flags: &[Flag::Run], covers: &[Kind::Run, Kind::Background], besides: "" },
    Row { flags: &[Flag::Commit], covers: &[Kind::Commit], besides: "" },
    Row {
        flags: &[Flag::Run, Flag::Commit],
        covers: &[Kind::Run, Kind::Background, Kind::Commit, Kind::CommitLine],
        besides: "",
    },
    Row { flags: &[Flag::Net], covers: &[Kind::Fetch, Kind::Search], besides: "" },
    Row { flags: &[Flag::Mcp], covers: &[Kind::Call], besides: "" },
    Row {
        flags: &[Flag::Unsafe],
        covers: &[Kind::Write, Kind::Run, Kind::Background, Kind::Commit, Kind::CommitLine, Kind::ReadSecret],
        besides: "",
    },
    Row { flags: &[Flag::WriteIn], covers: &[Kind::WriteFolder], besides: "commands may write there, too" },
    Row {
        flags: &[Flag::Hosts],
        covers: &[],
        besides: "of itself none of these; commands that run reach these hosts, with hosts=any all that are public",
    },
    Row {
        flags: &[Flag::Run, Flag::Hosts],
        covers: &[Kind::Run, Kind::Background, Kind::RunNetwork],
        besides: "where commands cannot be held to single hosts, the last only with hosts=any",
    },
    Row {
        flags: &[Flag::Disposable],
        covers: DISPOSABLE,
        besides: "everything that anybody can allow, and commands run without the sandbox: only for machines that may be \
                  thrown away (containers, CI); what is ruinous, what hides characters and agent's own files stay refused",
    },
    Row {
        flags: &[Flag::Trust],
        covers: &[],
        besides: "of itself none of these; what the project brings along (AGENTS.md, notes, tools, agents, skills) is used, and \
                  git is not held for hostile",
    },
];

/// What `--no-sandbox-no-questions` lets happen: all but what is for a person alone.
const DISPOSABLE: &[Kind] = &[
    Kind::Write,
    Kind::Run,
    Kind::Background,
    Kind::Commit,
    Kind::CommitLine,
    Kind::ReadSecret,
    Kind::Fetch,
    Kind::Search,
    Kind::Call,
    Kind::ReadOutside,
    Kind::WriteFolder,
    Kind::WriteOutside,
    Kind::WriteProtected,
    Kind::RunDangerous,
    Kind::RunOutside,
    Kind::Push,
    Kind::RunNetwork,
    Kind::RunUnfenced,
    Kind::FetchOdd,
    Kind::Restore,
];

impl Row {
    /// The flags as they are said.
    pub fn spelled(&self) -> String {
        self.flags.iter().map(|flag| flag.spelled()).collect::<Vec<_>>().join(" ")
    }

    /// What they do, in words.
    pub fn in_words(&self) -> String {
        // Nearly all of them would be a page, and its own words say it.
        let listed = if self.flags == [Flag::Disposable] { &[] } else { self.covers };
        let covered = listed.iter().map(|kind| kind.in_words());
        covered.chain(Some(self.besides).filter(|words| !words.is_empty())).collect::<Vec<_>>().join("; ")
    }
}

/// What none but `--no-sandbox-no-questions` lets happen.
pub fn disposable_only() -> impl Iterator<Item = Kind> {
    let others = |kind: &Kind| TABLE.iter().any(|row| row.flags != [Flag::Disposable] && row.covers.contains(kind));
    DISPOSABLE.iter().copied().filter(move |kind| !others(kind))
}

/// What no flag lets happen.
pub fn never() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| !TABLE.iter().any(|row| row.covers.contains(kind)))
}
