//! Which settings of git are harmless, and which name programs.
//!
//! Names as in git-config(1) of git 2.47, lower case but for the middle part, as git lists them.

/// Sections, with `.*` where a name stands in the middle as the url in `http.<url>.proxy`, and the last parts of settings in
/// them. A repository may set these and nothing is started, read or written elsewhere by it when git only reads.
const HARMLESS: &[(&str, &str)] = &[
    (
        "core",
        "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode protecthfs protectntfs \
         symlinks autocrlf eol safecrlf checkroundtripencoding quotepath abbrev sharedrepository sparsecheckout \
         sparsecheckoutcone untrackedcache preloadindex trustctime checkstat longpaths compression loosecompression \
         bigfilethreshold packedgitwindowsize packedgitlimit deltabasecachelimit commitgraph multipackindex \
         whitespace commentchar commentstring hidedotfiles fscache fsync fsyncmethod fsyncobjectfiles \
         filesreflocktimeout packedrefstimeout createobject warnambiguousrefs maxtreedepth usereplacerefs splitindex",
    ),
    ("extensions", "objectformat compatobjectformat worktreeconfig refstorage relativeworktrees preciousobjects noop"),
    (
        "remote.*",
        "url fetch pushurl push prune prunetags tagopt mirror skipdefaultupdate skipfetchall followremotehead \
         gh-resolved glab-resolved",
    ),
    ("remote", "pushdefault"),
    ("branch.*", "remote merge rebase pushremote description vscode-merge-base github-pr-owner-number gh-merge-base"),
    ("branch", "autosetupmerge autosetuprebase sort"),
    ("submodule.*", "url active branch ignore fetchrecursesubmodules"),
    ("submodule", "active fetchjobs"),
    ("user", "name email useconfigonly signingkey"),
    ("author", "name email"),
    ("committer", "name email"),
    ("commit", "gpgsign verbose cleanup status"),
    ("tag", "gpgsign forcesignannotated sort"),
    ("init", "defaultbranch defaultobjectformat defaultrefformat"),
    ("pull", "rebase ff octopus twohead"),
    ("push", "default autosetupremote followtags recursesubmodules useforceifincludes gpgsign"),
    (
        "fetch",
        "prune prunetags parallel recursesubmodules writecommitgraph showforcedupdates output all unpacklimit \
         negotiationalgorithm",
    ),
    (
        "merge",
        "ff conflictstyle renames renamelimit directoryrenames stat log branchdesc autostash verbosity suppressdest",
    ),
    ("rebase", "autosquash autostash updaterefs stat missingcommitscheck abbreviatecommands backend"),
    ("rerere", "enabled autoupdate"),
    ("checkout", "defaultremote guess workers"),
    ("stash", "showpatch showstat showincludeuntracked"),
    (
        "diff",
        "algorithm renames renamelimit colormoved colormovedws mnemonicprefix noprefix srcprefix dstprefix context \
         interhunkcontext indentheuristic suppressblankempty statgraphwidth statnamewidth wserrorhighlight relative \
         dirstat ignoresubmodules wordregex tool guitool autorefreshindex",
    ),
    ("diff.*", "binary cachetextconv xfuncname funcname wordregex algorithm"),
    (
        "status",
        "short branch relativepaths showstash showuntrackedfiles renames renamelimit aheadbehind displaycommentprefix",
    ),
    (
        "log",
        "abbrevcommit date decorate follow diffmerges excludedecoration initialdecorationset showroot graphcolors \
         mailmap",
    ),
    ("grep", "linenumber column patterntype extendedregexp fullname threads fallbacktonoindex"),
    ("blame", "coloring blankboundary showroot showemail date markunblamablelines markignoredlines"),
    ("column", "ui branch status tag"),
    ("i18n", "commitencoding logoutputencoding"),
    ("versionsort", "suffix prereleasesuffix"),
    (
        "gc",
        "auto autodetach autopacklimit pruneexpire reflogexpire reflogexpireunreachable worktreepruneexpire packrefs \
         writecommitgraph aggressivedepth aggressivewindow bigpackthreshold cruftpacks logexpiry",
    ),
    ("gc.*", "reflogexpire reflogexpireunreachable"),
    (
        "pack",
        "threads windowmemory window depth compression deltacachesize writebitmaps usebitmaps usesparse indexversion \
         packsizelimit allowpackreuse writereverseindex readreverseindex",
    ),
    ("index", "version threads sparse skiphash recordendofindexentries recordoffsettable"),
    ("feature", "manyfiles experimental"),
    ("maintenance", "auto autodetach strategy"),
    ("maintenance.*", "enabled schedule"),
    ("transfer", "fsckobjects unpacklimit"),
    ("receive", "fsckobjects denycurrentbranch denynonfastforwards denydeletes"),
    ("http", "sslverify postbuffer version lowspeedlimit lowspeedtime extraheader followredirects"),
    ("http.*", "sslverify postbuffer version lowspeedlimit lowspeedtime extraheader followredirects"),
    ("credential", "usehttppath username"),
    ("credential.*", "usehttppath username provider"),
    ("lfs", "repositoryformatversion"),
    ("lfs.*", "access locksverify"),
    ("worktree", "guessremote userelativepaths"),
    ("apply", "whitespace ignorewhitespace"),
    ("am", "keepcr threeway"),
    ("add", "ignoreerrors"),
    ("interactive", "singlekey"),
];
/// Sections in which nothing does harm: colours, and advice that is given or not.
const HARMLESS_SECTIONS: &[&str] = &["color", "advice"];

/// What these say is a program that git starts, or makes it start one. `*` is the middle part, whatever it holds, or the
/// end of the last.
const PROGRAMS: &str = "core.fsmonitor core.hookspath core.pager core.editor core.sshcommand core.askpass core.gitproxy \
    core.alternaterefscommand sequence.editor gpg.program gpg.*.program gpg.ssh.defaultkeycommand log.showsignature \
    diff.external diff.*.command diff.*.textconv filter.*.clean filter.*.smudge filter.*.process filter.*.required \
    merge.*.driver mergetool.*.cmd mergetool.*.path difftool.*.cmd difftool.*.path browser.*.cmd browser.*.path \
    man.*.cmd man.*.path credential.helper credential.*.helper alias.* pager.* interactive.difffilter \
    trailer.*.command trailer.*.cmd uploadpack.packobjectshook remote.*.vcs remote.*.uploadpack remote.*.receivepack \
    init.templatedir tar.*.command receive.*hook gc.recentobjectshook guitool.*.cmd hook.*.command web.browser \
    help.browser instaweb.browser instaweb.httpd sendemail.smtpserver sendemail.sendmailcmd sendemail.tocmd \
    sendemail.cccmd sendemail.headercmd imap.tunnel";
/// What git and its companions write into a repository's settings by themselves, at a checkout, fetch, commit, new branch
/// or the like, and what says neither where work goes, nor by whom it is, nor how a server is trusted.
const KEPT: &str = "core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase \
    core.precomposeunicode core.symlinks core.sparsecheckout core.sparsecheckoutcone index.sparse \
    extensions.objectformat extensions.compatobjectformat extensions.refstorage extensions.worktreeconfig \
    extensions.relativeworktrees remote.*.fetch remote.*.tagopt remote.*.followremotehead remote.*.gh-resolved \
    remote.*.glab-resolved branch.*.remote branch.*.merge branch.*.rebase branch.*.description \
    branch.*.vscode-merge-base branch.*.gh-merge-base branch.*.github-pr-owner-number submodule.active \
    submodule.*.active maintenance.auto maintenance.strategy lfs.repositoryformatversion lfs.*.access";
/// These lead to other settings, repositories or servers, and so to programs; there is no value that switches them off.
#[cfg(test)]
const WAYS: &str = "include.path includeif.*.path core.worktree remote.*.promisor extensions.partialclone \
    protocol.*.allow submodule.*.update url.*.insteadof core.attributesfile core.excludesfile";

/// Is `key` known to be harmless in a repository's settings?
pub(crate) fn is_harmless(key: &str) -> bool {
    let Some((section, middle, name)) = parts(key) else { return false };
    let fits = |known: &str| match known.strip_suffix(".*") {
        Some(known) => known == section && middle.is_some(),
        None => known == section && middle.is_none(),
    };
    let harmless = |(known, names): &(&str, &str)| fits(known) && names.split_whitespace().any(|known| known == name);
    HARMLESS_SECTIONS.contains(&section) || HARMLESS.iter().any(harmless)
}

/// Does `key` name a program that git starts?
pub(crate) fn names_program(key: &str) -> bool {
    is_among(PROGRAMS, key)
}

/// Does git keep `key` in a repository by itself, and is it no matter what it says?
pub(crate) fn is_kept(key: &str) -> bool {
    is_among(KEPT, key)
}

fn is_among(patterns: &str, key: &str) -> bool {
    let Some((section, middle, name)) = parts(key) else { return false };
    patterns.split_whitespace().filter_map(parts).any(|(known_section, known_middle, known_name)| {
        let middle_fits = match (known_middle, middle) {
            (Some("*"), Some(_)) | (None, None) => true,
            (Some(known), Some(middle)) => known == middle,
            // `alias.*` and `pager.*` take anything.
            (None, Some(_)) => known_name == "*",
            (Some(_), None) => false,
        };
        let name_fits = match known_name.strip_prefix('*') {
            Some(end) => name.ends_with(end),
            None => known_name == name,
        };
        known_section == section && middle_fits && name_fits
    })
}

/// `a.b.c` is section, middle and name; the middle may hold dots.
fn parts(key: &str) -> Option<(&str, Option<&str>, &str)> {
    let (section, rest) = key.split_once('.')?;
    match rest.rsplit_once('.') {
        Some((middle, name)) => Some((section, Some(middle), name)),
        None => Some((section, None, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_usual_repository_sets_is_harmless() {
        for key in [
            "core.repositoryformatversion",
            "remote.origin.url",
            "remote.a.b.c.fetch",
            "branch.feature/x.y.merge",
            "submodule.libs/a.active",
            "color.diff.meta",
            "color.ui",
            "http.https://example.org/.extraheader",
        ] {
            assert!(is_harmless(key), "{key}");
            assert!(!names_program(key), "{key}");
        }
    }

    #[test]
    fn nothing_that_names_a_program_is_harmless() {
        for pattern in PROGRAMS.split_whitespace() {
            let key = pattern.replace('*', "x");
            assert!(names_program(&key), "{key}");
            assert!(!is_harmless(&key), "{key}");
        }
        for pattern in WAYS.split_whitespace() {
            let key = pattern.replace('*', "x");
            assert!(!names_program(&key), "{key}");
            assert!(!is_harmless(&key), "{key}");
        }
    }

    #[test]
    fn what_git_keeps_by_itself_is_harmless_and_does_not_say_where_work_goes() {
        for key in KEPT.split_whitespace().map(|pattern| pattern.replace('*', "x")) {
            assert!(is_kept(&key) && is_harmless(&key), "{key}");
        }
        for key in [
            "remote.origin.url",
            "remote.origin.pushurl",
            "remote.pushdefault",
            "branch.main.pushremote",
            "url.https://a/.insteadof",
            "http.sslverify",
            "http.proxy",
            "http.https://a/.extraheader",
            "user.email",
            "user.signingkey",
            "commit.gpgsign",
            "push.default",
        ] {
            assert!(!is_kept(key), "{key}");
        }
    }

    #[test]
    fn programs_are_known_whatever_stands_in_the_middle() {
        for key in [
            "filter.lfs.clean",
            "diff.a.b.textconv",
            "alias.st",
            "alias.a.b",
            "credential.https://example.org.helper",
            "gpg.ssh.program",
            "receive.updatehook",
        ] {
            assert!(names_program(key), "{key}");
        }
        for key in ["filter.clean", "user.name", "core", "", "diff.x.binary", "gpg.format"] {
            assert!(!names_program(key), "{key}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_harmless() {
        for key in ["core.new", "core.x.bare", "remote.url", "pretty.x", "format.pretty", "trace2.eventtarget", "x", ""]
        {
            assert!(!is_harmless(key), "{key}");
        }
    }
}
