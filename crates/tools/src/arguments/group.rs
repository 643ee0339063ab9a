//! Tools that are offered together, or not.

/// Tools that are offered together, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Core,
    /// Lists of what there is to do, plans, questions.
    Plan,
    Git,
    /// Languages' own programs, tests, formatters and linters.
    Dev,
    /// What stands where in code, and what is wrong with it.
    Code,
    /// Several files in one call.
    Batch,
    Web,
    /// Second agents, skills, what is remembered.
    Agent,
    /// The user's own tools, and the project's.
    User,
    Mcp,
}

impl Group {
    /// All of them, in the order in which their tools are offered.
    pub(crate) const ALL: [Group; 10] = [
        Group::Core,
        Group::Plan,
        Group::Git,
        Group::Dev,
        Group::Code,
        Group::Batch,
        Group::Web,
        Group::Agent,
        Group::User,
        Group::Mcp,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Group::Core => "core",
            Group::Plan => "plan",
            Group::Git => "git",
            Group::Dev => "dev",
            Group::Code => "code",
            Group::Batch => "batch",
            Group::Web => "web",
            Group::Agent => "agent",
            Group::User => "user",
            Group::Mcp => "mcp",
        }
    }
}
