//! What git's own subcommands do, as far as it matters whether commits are made or sent.

use crate::lists::listed;

/// These make commits or send them.
const COMMITTING: &str = "am cherry-pick commit commit-tree merge pull push rebase revert send-pack";

/// The others of git's own that do neither by themselves. What is not listed may be an alias or a program of somebody's.
const OTHERS: &str = "add annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore \
    check-mailmap check-ref-format checkout checkout-index cherry clean clone column commit-graph config count-objects \
    credential describe diff diff-files diff-index diff-tree difftool fast-export fetch fetch-pack \
    fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help hook \
    index-pack init init-db interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge-base \
    merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects \
    pack-redundant pack-refs patch-id prune prune-packed range-diff read-tree reflog remote repack replace rerere reset \
    restore rev-list rev-parse rm shortlog show show-branch show-index show-ref sparse-checkout stage stash status \
    stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info \
    var verify-commit verify-pack verify-tag version whatchanged worktree write-tree";

/// Does `subcommand` make commits or send them?
pub(super) fn commits(subcommand: &str) -> bool {
    listed(COMMITTING, subcommand)
}

/// Is `subcommand` git's own?
pub(super) fn is_known(subcommand: &str) -> bool {
    listed(COMMITTING, subcommand) || listed(OTHERS, subcommand)
}
