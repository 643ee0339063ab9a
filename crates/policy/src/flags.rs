//! What each flag of the command line lets happen without a question: one table, for `--help`, the documents and the tests.
//!
//! The judge decides without it. `judge/tests/flags.rs` plays every kind of action past every row, and past every flag by
//! itself, and compares: what stands here is what happens.

/// A flag that may spare a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flag {
    /// `--allow write`
    Write,
    /// `--allow run`
    Run,
    /// `--allow commit`
    Commit,
    /// `--allow net`
    Net,
    /// `--allow mcp`
    Mcp,
    /// `--unsafe`
    Unsafe,
    /// `--trust`
    Trust,
    /// `--allow write=DIR`
    WriteIn,
    /// `--allow hosts=HOST,…` or `hosts=any`
    Hosts,
    /// `--no-sandbox-no-questions`
    Disposable,
}

/// What may happen, as far as flags tell it apart. Where nothing else is said: inside the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A file is written.
    Write,
    /// A command, within the sandbox and without network.
    Run,
    /// The same in the background.
    Background,
    /// A commit that a git tool makes.
    Commit,
    /// A commit that any other command makes, or what may be one: git with a name that is not its own.
    CommitLine,
    /// A file is read whose name says that it holds secrets.
    ReadSecret,
    /// A page is fetched, at a usual port of a plain name.
    Fetch,
    /// A search, where the person's own settings say.
    Search,
    /// A tool of another server is called.
    Call,
    /// A file outside the project is read.
    ReadOutside,
    /// A file in the folder that the flag names is written.
    WriteFolder,
    /// A file outside the project is written.
    WriteOutside,
    /// A protected name is written.
    WriteProtected,
    /// What is remembered for later sessions is written.
    WriteMemory,
    /// A command that is dangerous: it names protected or outside places, raises privileges, publishes.
    RunDangerous,
    /// A command that starts outside the project.
    RunOutside,
    /// A push.
    Push,
    /// A command that reaches the network.
    RunNetwork,
    /// A command without a sandbox.
    RunUnfenced,
    /// A page is fetched, at an unusual port or of a name in other letters.
    FetchOdd,
    /// Changes are taken back.
    Restore,
    /// The model puts a plan, or a question.
    Session,
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

impl Flag {
    /// All of them.
    pub const ALL: [Flag; 10] = [
        Flag::Write,
        Flag::Run,
        Flag::Commit,
        Flag::Net,
        Flag::Mcp,
        Flag::Unsafe,
        Flag::Trust,
        Flag::WriteIn,
        Flag::Hosts,
        Flag::Disposable,
    ];

    /// As it is said.
    pub fn spelled(self) -> &'static str {
        match self {
            Flag::Write => "--allow write",
            Flag::Run => "--allow run",
            Flag::Commit => "--allow commit",
            Flag::Net => "--allow net",
            Flag::Mcp => "--allow mcp",
            Flag::Unsafe => "--unsafe",
            Flag::Trust => "--trust",
            Flag::WriteIn => "--allow write=DIR",
            Flag::Hosts => "--allow hosts=HOST,…",
            Flag::Disposable => "--no-sandbox-no-questions",
        }
    }
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 22] = [
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
        Kind::WriteMemory,
        Kind::RunDangerous,
        Kind::RunOutside,
        Kind::Push,
        Kind::RunNetwork,
        Kind::RunUnfenced,
        Kind::FetchOdd,
        Kind::Restore,
        Kind::Session,
    ];

    /// In words for a person, as one of a list.
    pub fn in_words(self) -> &'static str {
        match self {
            Kind::Write => "writing files",
            Kind::Run => "commands, in the sandbox and without network",
            Kind::Background => "such commands in the background",
            Kind::Commit => "commits by the git tools",
            Kind::CommitLine => "commits in other commands",
            Kind::ReadSecret => "reading files whose names say that they hold secrets (names, not values)",
            Kind::Fetch => "fetching pages",
            Kind::Search => "searches",
            Kind::Call => "tools of other servers",
            Kind::ReadOutside => "reading outside the project",
            Kind::WriteFolder => "writing files in that folder",
            Kind::WriteOutside => "writing outside the project",
            Kind::WriteProtected => "writing protected names",
            Kind::WriteMemory => "writing memory.md",
            Kind::RunDangerous => "commands that name protected or outside places, raise privileges or publish",
            Kind::RunOutside => "commands started outside the project",
            Kind::Push => "pushes",
            Kind::RunNetwork => "commands with network",
            Kind::RunUnfenced => "commands without the sandbox",
            Kind::FetchOdd => "pages at unusual ports or of names in other letters",
            Kind::Restore => "taking changes back",
            Kind::Session => "plans and questions of the model",
        }
    }
}

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
