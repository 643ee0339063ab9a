//! What must be known of the world before an action can be judged.

use crate::{Query, danger, shell};
use agent_protocol::Action;

/// What must be known before `action` can be judged.
pub fn queries(action: &Action) -> Vec<Query> {
    match action {
        Action::Read { .. } => action.paths().map(|path| Query::Kind(path.into())).collect(),
        Action::Write { .. } => action.paths().map(|path| Query::Kind(path.into())).chain([Query::RunByGit]).collect(),
        Action::Restore { .. } | Action::Session { .. } | Action::Fetch { .. } | Action::Call { .. } => Vec::new(),
        Action::Run { command, argv, cwd, .. } => {
            let mut queries = vec![Query::Kind(cwd.clone()), Query::RunByGit];
            queries.extend(shell::queries(command, cwd));
            for query in danger::queries(command, cwd) {
                if !queries.contains(&query) {
                    queries.push(query);
                }
            }
            if argv.first().is_some_and(|name| name == "git") && !queries.contains(&Query::Git(cwd.clone())) {
                queries.push(Query::Git(cwd.clone()));
            }
            queries
        }
    }
}
