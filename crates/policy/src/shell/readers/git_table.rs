//! The table of git's subcommands that only read.

use super::{Operands, Reader};

pub(super) struct Subcommand {
    pub(super) name: &'static str,
    /// Words that must follow it, like `list` after `stash`; empty for none.
    pub(super) kinds: &'static [&'static str],
    pub(super) reader: Reader,
    pub(super) also: &'static [&'static Reader],
    pub(super) operands: GitOperands,
    /// What is put in behind it.
    pub(super) hardened: &'static [&'static str],
}

/// What the operands of a subcommand are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitOperands {
    Objects,
    /// A pattern to search for, unless a flag gives it; then revisions and paths.
    Pattern,
    None,
    /// None, unless one of these flags says that it lists.
    Listing(&'static str),
    /// So many names at most.
    Names(usize),
    /// The name of a key that holds no secret.
    Key,
}

const NO_DIFF: &[&str] = &["--no-ext-diff", "--no-textconv"];
const NO_CONV: &[&str] = &["--no-textconv"];

const PLAIN: Reader = Reader {
    names: "",
    short: "",
    valued: "",
    attached: "",
    long: "",
    numbers: false,
    clusters: false,
    mixed: true,
    twice: "",
    operands: Operands::Text,
    known: &[
        ("--output -o", "writes a file"),
        ("--ext-diff --textconv --filters", "runs a program of the repository's config"),
        ("-O --open-files-in-pager", "runs another program or reads a further file"),
        ("--show-signature", "runs another program"),
        ("--no-index", "looks outside the repository"),
    ],
    check: None,
};

/// Flags of everything that shows differences.
const DIFF: Reader = Reader {
    short: "pusRaWwbzm",
    valued: "SGl",
    attached: "MCBXDU",
    long: "patch no-patch unified[=] raw stat[=] numstat shortstat summary patch-with-stat name-only name-status \
           compact-summary dirstat[=] color[=] no-color color-words[=] word-diff[=] word-diff-regex= color-moved[=] \
           no-color-moved check full-index binary abbrev[=] no-abbrev find-renames[=] find-copies[=] no-renames \
           find-copies-harder diff-filter= pickaxe-all pickaxe-regex minimal patience histogram anchored= diff-algorithm= \
           ignore-space-at-eol ignore-cr-at-eol ignore-space-change ignore-all-space ignore-blank-lines \
           ignore-matching-lines= inter-hunk-context= function-context exit-code quiet relative[=] text no-prefix \
           src-prefix= dst-prefix= default-prefix ita-invisible-in-index stat-width= stat-name-width= stat-count= \
           stat-graph-width= combined-all-paths cc irreversible-delete indent-heuristic no-indent-heuristic no-ext-diff \
           no-textconv no-relative ignore-submodules[=] line-prefix= skip-to= rotate-to= cumulative ws-error-highlight=",
    numbers: true,
    ..PLAIN
};

/// Flags of everything that walks through history.
const LOG: Reader = Reader {
    short: "gcEFPi",
    valued: "n",
    long: "oneline graph all since= until= after= before= author= committer= grep= all-match invert-grep pretty[=] format[=] \
           decorate[=] no-decorate follow no-merges merges first-parent reverse date= \
           abbrev-commit no-abbrev-commit max-count= skip= branches[=] tags[=] remotes[=] glob= exclude= cherry-pick \
           cherry cherry-mark left-right left-only right-only author-date-order topo-order date-order no-walk[=] do-walk \
           simplify-by-decoration full-history dense sparse simplify-merges ancestry-path[=] show-pulls boundary source \
           not walk-reflogs relative-date parents children regexp-ignore-case extended-regexp fixed-strings perl-regexp \
           basic-regexp no-notes notes[=] show-notes[=] merge no-diff-merges mailmap \
           use-mailmap no-mailmap clear-decorations full-diff log-size no-expand-tabs expand-tabs[=] encoding= \
           min-parents[=] max-parents[=] no-min-parents no-max-parents since-as-filter= reflog ignore-missing \
           no-graph show-linear-break[=] no-show-signature",
    numbers: true,
    ..PLAIN
};

/// Flags of what shows history with its lines and names, and of nothing else.
const LINES: Reader = Reader { valued: "L", long: "decorate-refs= decorate-refs-exclude=", ..PLAIN };

const OBJECTS: Subcommand =
    Subcommand { name: "", kinds: &[], reader: PLAIN, also: &[], operands: GitOperands::Objects, hardened: &[] };

pub(super) const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand {
        name: "status",
        reader: Reader {
            short: "sbzv",
            attached: "uM",
            clusters: true,
            long: "short branch porcelain[=] untracked-files[=] ignored[=] long show-stash ahead-behind no-ahead-behind \
                   renames no-renames find-renames[=] column[=] no-column ignore-submodules[=] null \
                   verbose",
            ..PLAIN
        },
        ..OBJECTS
    },
    Subcommand {
        name: "diff",
        reader: Reader { short: "0123", long: "cached staged merge-base base ours theirs", ..PLAIN },
        also: &[&DIFF],
        hardened: NO_DIFF,
        ..OBJECTS
    },
    Subcommand { name: "log", reader: LINES, also: &[&LOG, &DIFF], hardened: NO_DIFF, ..OBJECTS },
    Subcommand { name: "whatchanged", reader: LINES, also: &[&LOG, &DIFF], hardened: NO_DIFF, ..OBJECTS },
    Subcommand { name: "show", reader: LINES, also: &[&LOG, &DIFF], hardened: NO_DIFF, ..OBJECTS },
    Subcommand {
        name: "reflog",
        kinds: &["", "show"],
        reader: LINES,
        also: &[&LOG, &DIFF],
        hardened: NO_DIFF,
        ..OBJECTS
    },
    Subcommand {
        name: "stash",
        kinds: &["list"],
        also: &[&LOG, &DIFF],
        operands: GitOperands::None,
        hardened: NO_DIFF,
        ..OBJECTS
    },
    Subcommand { name: "stash", kinds: &["show"], also: &[&DIFF], hardened: &["--no-ext-diff"], ..OBJECTS },
    Subcommand {
        name: "shortlog",
        reader: Reader {
            short: "snec",
            clusters: true,
            attached: "w",
            long: "summary numbered email committer group=",
            ..PLAIN
        },
        also: &[&LOG],
        ..OBJECTS
    },
    Subcommand {
        name: "rev-list",
        reader: Reader {
            long: "count objects header timestamp disk-usage[=] max-age= min-age= \
        objects-edge no-commit-header commit-header in-commit-order bisect",
            ..PLAIN
        },
        also: &[&LOG],
        ..OBJECTS
    },
    Subcommand {
        name: "diff-tree",
        reader: Reader { short: "rt", long: "root no-commit-id always merge-base", ..PLAIN },
        also: &[&DIFF, &LOG],
        hardened: NO_DIFF,
        ..OBJECTS
    },
    Subcommand {
        name: "diff-index",
        reader: Reader { long: "cached merge-base", ..PLAIN },
        also: &[&DIFF],
        hardened: NO_DIFF,
        ..OBJECTS
    },
    Subcommand { name: "diff-files", also: &[&DIFF], hardened: NO_DIFF, ..OBJECTS },
    Subcommand {
        name: "blame",
        reader: Reader {
            short: "wcselbtnfp",
            valued: "L",
            attached: "MC",
            long: "porcelain line-porcelain incremental show-email show-name show-number show-stats score-debug date= \
                   reverse first-parent abbrev[=] ignore-rev= root since= color-lines color-by-age minimal no-textconv",
            ..PLAIN
        },
        hardened: NO_CONV,
        ..OBJECTS
    },
    Subcommand {
        name: "annotate",
        reader: Reader {
            short: "wcseltnfp",
            valued: "L",
            attached: "MC",
            long: "date= first-parent abbrev[=] root",
            ..PLAIN
        },
        hardened: NO_CONV,
        ..OBJECTS
    },
    Subcommand {
        name: "grep",
        reader: Reader {
            short: "niwvlLchHEFGPopWqaIzr",
            valued: "eABCm",
            clusters: true,
            numbers: true,
            long: "line-number ignore-case word-regexp invert-match files-with-matches name-only files-without-match count \
                   with-filename extended-regexp fixed-strings basic-regexp perl-regexp only-matching show-function \
                   function-context quiet text null cached all-match and or not max-depth= max-count= after-context= \
                   before-context= context= threads= break heading color[=] no-color column full-name recursive \
                   no-recursive no-textconv",
            ..PLAIN
        },
        operands: GitOperands::Pattern,
        hardened: NO_CONV,
        ..OBJECTS
    },
    Subcommand {
        name: "branch",
        reader: Reader {
            short: "arvil",
            clusters: true,
            long: "all remotes verbose list show-current contains[=] no-contains[=] merged[=] no-merged[=] points-at[=] sort= format= \
                   color[=] no-color column[=] no-column ignore-case abbrev[=] no-abbrev omit-empty",
            ..PLAIN
        },
        operands: GitOperands::Listing("--list --contains --no-contains --merged --no-merged --points-at"),
        ..OBJECTS
    },
    Subcommand {
        name: "tag",
        reader: Reader {
            short: "li",
            attached: "n",
            long: "list contains[=] no-contains[=] merged[=] no-merged[=] points-at[=] sort= format= color[=] no-color column[=] \
                   no-column ignore-case omit-empty",
            ..PLAIN
        },
        operands: GitOperands::Listing("-l --list -n --contains --no-contains --merged --no-merged --points-at"),
        ..OBJECTS
    },
    Subcommand {
        name: "remote",
        reader: Reader { short: "v", long: "verbose", ..PLAIN },
        operands: GitOperands::None,
        ..OBJECTS
    },
    Subcommand { name: "remote", kinds: &["show"], operands: GitOperands::None, ..OBJECTS },
    Subcommand {
        name: "remote",
        kinds: &["get-url"],
        reader: Reader { long: "push all", ..PLAIN },
        operands: GitOperands::Names(1),
        ..OBJECTS
    },
    Subcommand {
        name: "worktree",
        kinds: &["list"],
        reader: Reader { short: "vz", long: "porcelain verbose", ..PLAIN },
        operands: GitOperands::None,
        ..OBJECTS
    },
    Subcommand {
        name: "rev-parse",
        reader: Reader {
            short: "q",
            long: "show-toplevel git-dir absolute-git-dir git-common-dir abbrev-ref[=] short[=] verify quiet \
                   is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-prefix show-cdup \
                   show-superproject-working-tree all branches[=] tags[=] remotes[=] symbolic symbolic-full-name \
                   show-object-format[=] revs-only no-revs flags no-flags default= show-ref-format",
            ..PLAIN
        },
        ..OBJECTS
    },
    Subcommand {
        name: "describe",
        reader: Reader {
            long: "tags always dirty[=] long abbrev[=] all match= exclude= contains exact-match first-parent candidates= debug",
            ..PLAIN
        },
        ..OBJECTS
    },
    Subcommand {
        name: "ls-files",
        reader: Reader {
            short: "cdmosukvtfzi",
            valued: "x",
            clusters: true,
            long: "cached deleted modified others ignored stage unmerged killed exclude-standard exclude= directory \
                   no-empty-directory full-name error-unmatch abbrev[=] eol deduplicate sparse",
            ..PLAIN
        },
        ..OBJECTS
    },
    Subcommand {
        name: "ls-tree",
        reader: Reader {
            short: "rtdlz",
            clusters: true,
            long: "name-only name-status object-only long full-name full-tree abbrev[=]",
            ..PLAIN
        },
        ..OBJECTS
    },
    Subcommand { name: "cat-file", reader: Reader { short: "tspe", ..PLAIN }, ..OBJECTS },
    Subcommand {
        name: "merge-base",
        reader: Reader { short: "a", long: "all is-ancestor octopus independent fork-point", ..PLAIN },
        ..OBJECTS
    },
    Subcommand {
        name: "name-rev",
        reader: Reader { long: "name-only tags refs= exclude= always no-undefined all", ..PLAIN },
        ..OBJECTS
    },
    Subcommand {
        name: "for-each-ref",
        reader: Reader {
            long: "format= sort= count= points-at= merged= no-merged= contains= no-contains= ignore-case color[=] omit-empty \
                   exclude= include-root-refs",
            ..PLAIN
        },
        ..OBJECTS
    },
    Subcommand {
        name: "show-ref",
        reader: Reader {
            short: "dsq",
            long: "head heads branches tags dereference hash[=] abbrev[=] quiet verify exists",
            ..PLAIN
        },
        ..OBJECTS
    },
    Subcommand {
        name: "symbolic-ref",
        reader: Reader { short: "q", long: "short quiet recurse no-recurse", ..PLAIN },
        operands: GitOperands::Names(1),
        ..OBJECTS
    },
    Subcommand {
        name: "count-objects",
        reader: Reader { short: "vH", clusters: true, long: "verbose human-readable", ..PLAIN },
        operands: GitOperands::None,
        ..OBJECTS
    },
    Subcommand {
        name: "check-ignore",
        reader: Reader { short: "vnqz", clusters: true, long: "verbose non-matching quiet", ..PLAIN },
        ..OBJECTS
    },
    Subcommand { name: "cherry", reader: Reader { short: "v", long: "abbrev[=]", ..PLAIN }, ..OBJECTS },
    Subcommand {
        name: "show-branch",
        reader: Reader { short: "ar", long: "all remotes list current sha1-name no-name topics", ..PLAIN },
        ..OBJECTS
    },
    Subcommand {
        name: "config",
        reader: Reader {
            long: "get get-all get-regexp global local system worktree show-origin show-scope type= bool int",
            ..PLAIN
        },
        operands: GitOperands::Key,
        ..OBJECTS
    },
    Subcommand {
        name: "config",
        kinds: &["get"],
        reader: Reader { long: "all global local system", ..PLAIN },
        operands: GitOperands::Key,
        ..OBJECTS
    },
];

/// Keys of a config that hold no secret; `*` stands for one name.
pub(super) const HARMLESS_KEYS: &str = "user.name user.email init.defaultbranch core.bare core.autocrlf core.eol \
    core.filemode core.ignorecase core.symlinks core.editor core.pager core.hookspath core.excludesfile core.worktree \
    core.quotepath pull.rebase pull.ff push.default push.autosetupremote merge.ff merge.tool rebase.autostash \
    color.ui commit.gpgsign user.signingkey fetch.prune branch.*.remote branch.*.merge remote.*.fetch remote.*.url \
    help.autocorrect diff.algorithm diff.renames core.repositoryformatversion core.logallrefupdates \
    submodule.recurse";
