//! The table of the programs that only read: one entry a program, with the flags that leave it so.
//!
//! A flag is listed when it writes nothing, runs nothing, follows nothing, reads no file but the operands, and ends by
//! itself, in every version of the program that goes by this name.

use super::{Operands, Reader, quirks};
use super::{jq, sed};

/// What most have in common.
const FILES: Reader = Reader {
    names: "",
    short: "",
    valued: "",
    attached: "",
    long: "",
    numbers: false,
    clusters: true,
    mixed: true,
    operands: Operands::Files(usize::MAX),
    twice: "",
    known: &[],
    check: None,
};
const TEXT: Reader = Reader { operands: Operands::Text, ..FILES };
const NONE: Reader = Reader { operands: Operands::None, ..FILES };
const HERE: Reader = Reader { operands: Operands::FilesOrHere, ..FILES };

const LISTS: &str = "reads a list of further files";
const FOLLOWS: &str = "follows links out of the folder";
const WRITES: &str = "writes a file";
const RUNS: &str = "runs another program";
const ENDLESS: &str = "never ends";

/// Every program but those with a room of their own.
pub(super) const READERS: &[Reader] = &[
    // Looking at folders.
    Reader {
        names: "ls dir vdir",
        short: "aAlhRrtSX1dFpinoqGgBbCcfkmNQsuUvxZ",
        valued: "Iw",
        long: "all almost-all human-readable recursive reverse sort= time= time-style= color[=] classify[=] file-type \
               group-directories-first size inode directory full-time ignore= hide= ignore-backups width= format= si \
               numeric-uid-gid no-group indicator-style= quoting-style= literal quote-name author context zero escape \
               hide-control-chars show-control-chars kibibytes block-size= tabsize=",
        known: &[("-L -H --dereference --dereference-command-line", FOLLOWS)],
        ..HERE
    },
    Reader {
        names: "tree",
        short: "adfishpugDFCnJXrtUvcQqNAS",
        valued: "LIP",
        long: "noreport gitignore dirsfirst filesfirst du prune si matchdirs ignore-case inodes device",
        known: &[("-l", FOLLOWS), ("-o -R", WRITES), ("--fromfile --gitfile --infofile", LISTS)],
        check: Some(quirks::tree),
        ..HERE
    },
    Reader {
        names: "du",
        short: "shackmbSx0",
        valued: "dtB",
        long: "summarize human-readable all total max-depth= apparent-size bytes si one-file-system separate-dirs \
               threshold= block-size= exclude= time[=] time-style= null inodes",
        known: &[("-L -D -H --dereference --dereference-args", FOLLOWS), ("-X --exclude-from --files0-from", LISTS)],
        ..HERE
    },
    Reader {
        names: "df",
        short: "hHkTialPm",
        valued: "txB",
        long: "human-readable si print-type inodes all local portability total output[=] type= exclude-type= block-size=",
        ..HERE
    },
    Reader {
        names: "stat",
        short: "Lft",
        valued: "c",
        long: "format= printf= file-system terse dereference cached=",
        ..FILES
    },
    Reader {
        names: "file",
        short: "bikh0Nnrv",
        valued: "FPe",
        long: "brief mime mime-type mime-encoding no-dereference keep-going extension separator= no-pad print0 raw version",
        known: &[
            ("-f --files-from", LISTS),
            ("-C --compile", WRITES),
            ("-m --magic-file", "reads rules from a file"),
            ("-z -Z --uncompress", RUNS),
            ("-L --dereference", FOLLOWS),
            ("-p --preserve-date", "changes times"),
            ("-s --special-files", "opens devices"),
        ],
        ..FILES
    },
    Reader {
        names: "realpath",
        short: "emsqzLP",
        check: Some(quirks::realpath),
        long: "relative-to= relative-base= canonicalize-existing canonicalize-missing no-symlinks strip quiet zero logical physical",
        ..FILES
    },
    Reader {
        names: "readlink",
        short: "femnqsvz",
        long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero",
        ..FILES
    },
    // Looking at files.
    Reader {
        names: "cat",
        short: "nbsAetvETu",
        long: "number number-nonblank squeeze-blank show-all show-ends show-tabs show-nonprinting",
        ..FILES
    },
    Reader { names: "tac", short: "br", valued: "s", long: "before regex separator=", ..FILES },
    Reader {
        names: "head",
        short: "qvz",
        valued: "nc",
        long: "lines= bytes= quiet silent verbose zero-terminated",
        numbers: true,
        check: Some(quirks::no_plus),
        ..FILES
    },
    Reader {
        names: "tail",
        short: "qvz",
        valued: "nc",
        long: "lines= bytes= quiet silent verbose zero-terminated",
        numbers: true,
        known: &[("-f -F --follow --retry", ENDLESS)],
        check: Some(quirks::no_plus),
        ..FILES
    },
    Reader {
        names: "wc",
        short: "lwcmL",
        long: "lines words bytes chars max-line-length total=",
        known: &[("--files0-from", LISTS)],
        ..FILES
    },
    Reader {
        names: "nl",
        short: "p",
        valued: "bnwsvihfdl",
        long: "body-numbering= number-format= number-width= number-separator= starting-line-number= line-increment= \
               header-numbering= footer-numbering= section-delimiter= join-blank-lines= no-renumber",
        ..FILES
    },
    Reader {
        names: "od",
        short: "abcdfhilosvxBDFHILOX",
        valued: "AtNj",
        attached: "wS",
        long: "address-radix= format= read-bytes= skip-bytes= output-duplicates width[=] strings[=]",
        check: Some(quirks::no_plus),
        ..FILES
    },
    Reader {
        names: "hexdump hd",
        short: "Cbcdovx",
        valued: "nse",
        long: "canonical one-byte-octal one-byte-char two-bytes-decimal two-bytes-octal two-bytes-hex length= skip= \
               no-squeezing format=",
        known: &[("-f --format-file", "reads its format from a file")],
        check: Some(quirks::no_plus),
        ..FILES
    },
    Reader {
        names: "strings",
        short: "afw",
        valued: "nte",
        long: "all bytes= radix= encoding= print-file-name include-all-whitespace",
        numbers: true,
        check: Some(quirks::strings),
        ..FILES
    },
    Reader {
        names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum",
        short: "btz",
        valued: "",
        long: "binary text tag zero",
        known: &[("-c --check", LISTS)],
        ..FILES
    },
    Reader { names: "cksum", short: "", valued: "", long: "", known: &[("-c --check", LISTS)], ..FILES },
    Reader { names: "sum", short: "rs", long: "sysv", ..FILES },
    Reader {
        names: "base64 base32",
        short: "d",
        valued: "w",
        long: "decode wrap= ignore-garbage",
        operands: Operands::Files(1),
        known: &[("-o --output", WRITES)],
        ..FILES
    },
    // Searching.
    Reader {
        names: "grep egrep fgrep",
        short: "EFGPivwxnHhcoqslLabyzTUruIZV",
        valued: "emABC",
        long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp \
               line-regexp line-number with-filename no-filename count only-matching quiet silent no-messages \
               files-with-matches files-without-match text byte-offset null-data null initial-tab recursive regexp= \
               max-count= after-context= before-context= context= include= exclude= exclude-dir= color[=] colour[=] \
               binary-files= line-buffered label= group-separator= no-group-separator binary unix-byte-offsets version",
        numbers: true,
        known: &[
            ("-R --dereference-recursive", FOLLOWS),
            ("-f --file", "reads patterns from a file"),
            ("--exclude-from", LISTS),
            ("-d -D --directories --devices", "changes what is opened"),
        ],
        check: Some(quirks::grep),
        ..FILES
    },
    Reader {
        names: "rg",
        short: "nNiSsFwxvcloqHIaU0pPhu.",
        valued: "ABCemgtTMjdrE",
        long: "line-number no-line-number ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp \
               invert-match count count-matches files-with-matches files-without-match only-matching quiet with-filename \
               no-filename text multiline multiline-dotall null pretty pcre2 hidden no-hidden no-ignore no-ignore-vcs \
               no-ignore-parent no-ignore-dot no-ignore-global no-ignore-exclude unrestricted after-context= \
               before-context= context= regexp= max-count= glob= iglob= type= type-not= max-columns= \
               max-columns-preview threads= max-depth= replace= encoding= color= colors= heading no-heading column \
               no-column trim vimgrep passthru no-messages stats json files type-list sort= sortr= line-buffered \
               block-buffered byte-offset engine= no-config crlf null-data context-separator= field-match-separator= \
               field-context-separator= glob-case-insensitive include-zero max-filesize= no-unicode no-mmap mmap \
               one-file-system path-separator= version no-require-git dfa-size-limit= regex-size-limit= stop-on-nonmatch",
        known: &[
            ("-L --follow", FOLLOWS),
            ("-f --file --ignore-file", "reads patterns from a file"),
            ("--pre --hostname-bin -z --search-zip", RUNS),
        ],
        check: Some(quirks::rg),
        ..FILES
    },
    // Comparing.
    Reader {
        names: "diff",
        short: "qsiwbBEZatTpycuedn",
        valued: "WIFUCL",
        long: "brief report-identical-files ignore-case ignore-all-space ignore-space-change ignore-blank-lines \
               ignore-tab-expansion ignore-trailing-space text expand-tabs initial-tab show-c-function side-by-side \
               unified[=] context[=] normal ed width= ignore-matching-lines= show-function-line= label= color[=] \
               strip-trailing-cr suppress-common-lines minimal speed-large-files left-column no-dereference rcs tabsize= \
               line-format= horizon-lines= palette=",
        numbers: true,
        known: &[
            ("-r --recursive -N --new-file", "compares whole folders, whatever is in them"),
            ("-l --paginate", RUNS),
            ("-x -X --exclude --exclude-from --from-file --to-file -S --starting-file", "names further files"),
        ],
        check: Some(quirks::no_folders),
        ..FILES
    },
    Reader {
        names: "diff3",
        short: "AeExX3imTa",
        valued: "L",
        known: &[("--diff-program", RUNS)],
        check: Some(quirks::no_folders),
        ..FILES
    },
    Reader {
        names: "sdiff",
        short: "iEZbWBalsdtH",
        valued: "wI",
        known: &[("-o --output", WRITES), ("--diff-program", RUNS)],
        operands: Operands::Files(2),
        check: Some(quirks::no_folders),
        ..FILES
    },
    Reader {
        names: "iconv",
        short: "cs",
        valued: "ft",
        long: "from-code= to-code=",
        known: &[("-o --output", WRITES)],
        check: Some(quirks::iconv),
        ..FILES
    },
    Reader {
        names: "cmp",
        short: "lsb",
        valued: "in",
        long: "verbose quiet silent print-bytes ignore-initial= bytes=",
        operands: Operands::Files(2),
        ..FILES
    },
    Reader {
        names: "comm",
        short: "123z",
        long: "check-order nocheck-order output-delimiter= total zero-terminated",
        operands: Operands::Files(2),
        ..FILES
    },
    Reader {
        names: "join",
        short: "iz",
        valued: "taveoj12",
        long: "ignore-case header check-order nocheck-order zero-terminated",
        operands: Operands::Files(2),
        ..FILES
    },
    // Putting text in another shape.
    Reader {
        names: "sort",
        short: "nruhVfbdgiMRszcCm",
        valued: "kt",
        long: "numeric-sort reverse unique human-numeric-sort version-sort ignore-case ignore-leading-blanks \
               dictionary-order general-numeric-sort ignore-nonprinting month-sort random-sort stable zero-terminated \
               check[=] merge key= field-separator= sort= debug parallel=",
        known: &[
            ("-o --output", WRITES),
            ("-T --temporary-directory -S --buffer-size", "writes temporary files"),
            ("--compress-program", RUNS),
            ("--files0-from --random-source", LISTS),
        ],
        check: Some(quirks::no_plus),
        ..FILES
    },
    Reader {
        names: "uniq",
        short: "cduDiz",
        valued: "fsw",
        long: "count repeated unique ignore-case zero-terminated skip-fields= skip-chars= check-chars= all-repeated[=] \
               group[=]",
        numbers: true,
        mixed: false,
        operands: Operands::Files(1),
        check: Some(quirks::uniq),
        ..FILES
    },
    Reader {
        names: "cut",
        short: "snz",
        valued: "dfcb",
        long: "delimiter= fields= characters= bytes= only-delimited complement output-delimiter= zero-terminated",
        ..FILES
    },
    Reader { names: "tr", short: "dscCt", long: "delete squeeze-repeats complement truncate-set1", ..TEXT },
    Reader { names: "paste", short: "sz", valued: "d", long: "serial delimiters= zero-terminated", ..FILES },
    Reader {
        names: "column",
        short: "txenLJ",
        valued: "scoNRHTEWl",
        long: "table fillrows separator= output-separator= output-width= table-columns= table-right= table-hide= \
               table-truncate= table-noextreme= table-wrap= table-columns-limit= keep-empty-lines json table-name= \
               table-noheadings",
        ..FILES
    },
    Reader { names: "fold", short: "bsc", valued: "w", long: "bytes spaces characters width=", numbers: true, ..FILES },
    Reader {
        names: "fmt",
        short: "ustc",
        valued: "w",
        long: "width= prefix= goal= uniform-spacing split-only tagged-paragraph crown-margin",
        numbers: true,
        ..FILES
    },
    Reader { names: "pr", short: "tTdFm", attached: "n", valued: "hlwo", check: Some(quirks::no_plus), ..FILES },
    Reader { names: "rev", ..FILES },
    Reader { names: "expand", short: "i", valued: "t", long: "initial tabs=", numbers: true, ..FILES },
    Reader { names: "unexpand", short: "a", valued: "t", long: "all first-only tabs=", ..FILES },
    Reader { names: "tsort", ..FILES },
    Reader {
        names: "shuf",
        short: "ze",
        valued: "ni",
        long: "head-count= input-range= zero-terminated echo",
        check: Some(quirks::shuf),
        known: &[("-o --output", WRITES), ("-r --repeat", ENDLESS), ("--random-source", LISTS)],
        ..FILES
    },
    Reader {
        names: "sed",
        short: "nErsuz",
        valued: "e",
        long: "quiet silent regexp-extended separate unbuffered null-data expression= line-length= posix sandbox",
        known: &[("-i -I --in-place", WRITES), ("-f --file", "reads its commands from a file")],
        check: Some(sed::uses),
        ..FILES
    },
    Reader {
        names: "jq",
        short: "rcSMCsRneja",
        long: "raw-output compact-output sort-keys monochrome-output color-output slurp raw-input null-input exit-status \
               join-output ascii-output tab indent= unbuffered stream seq",
        known: &[
            ("-f --from-file -L", "reads its program from files"),
            ("--slurpfile --rawfile --argfile", "reads a further file"),
        ],
        twice: "arg argjson",
        check: Some(jq::uses),
        ..FILES
    },
    // Names and numbers.
    Reader { names: "basename", short: "az", valued: "s", long: "multiple suffix= zero", ..TEXT },
    Reader { names: "dirname", short: "z", long: "zero", ..TEXT },
    Reader {
        names: "seq",
        short: "w",
        valued: "sf",
        long: "equal-width separator= format=",
        check: Some(quirks::seq),
        numbers: true,
        ..TEXT
    },
    Reader { names: "factor", check: Some(quirks::factor), ..TEXT },
    Reader {
        names: "numfmt",
        short: "z",
        valued: "d",
        long: "to= from= to-unit= from-unit= suffix= field= format= padding= round= delimiter= header[=] grouping invalid= \
               zero-terminated",
        ..TEXT
    },
    Reader { names: "true false :", ..TEXT },
    Reader { names: "sleep", check: Some(quirks::sleep), ..TEXT },
    Reader { names: "getconf", short: "a", check: Some(quirks::names), ..TEXT },
    Reader { names: "locale", short: "am", long: "all-locales charmaps", ..NONE },
    Reader { names: "who", short: "abdHlmpqrstTu", long: "all boot heading count", ..NONE },
    Reader { names: "cal", short: "13jmswy", check: Some(quirks::names), ..TEXT },
    Reader { names: "pwd", short: "LP", long: "logical physical", ..NONE },
    Reader { names: "which", short: "a", long: "all", check: Some(quirks::names), ..TEXT },
    Reader { names: "type", short: "atpP", check: Some(quirks::names), ..TEXT },
    // The system.
    Reader {
        names: "date",
        short: "uR",
        valued: "dr",
        attached: "I",
        long: "utc universal rfc-email iso-8601[=] rfc-3339= date= reference=",
        known: &[("-s --set", "sets the clock"), ("-f --file", "reads a further file")],
        check: Some(quirks::date),
        ..TEXT
    },
    Reader {
        names: "uname",
        short: "asnrvmpio",
        long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system",
        ..NONE
    },
    Reader { names: "whoami logname tty arch users lscpu", ..NONE },
    Reader { names: "hostname", short: "s", long: "short", ..NONE },
    Reader { names: "nproc", long: "all ignore=", ..NONE },
    Reader { names: "uptime", short: "ps", long: "pretty since", ..NONE },
    Reader { names: "free", short: "bkmghtlw", long: "bytes kibi mebi gibi human total lohi wide si", ..NONE },
    Reader {
        names: "id",
        short: "ugnGrz",
        long: "user group name groups real zero",
        check: Some(quirks::names),
        ..TEXT
    },
    Reader { names: "groups", check: Some(quirks::names), ..TEXT },
];

/// Programs that people take for readers, with the reason why they are not proved.
pub(super) const NOT_READERS: &[(&str, &str)] = &[
    ("awk gawk mawk nawk", "runs a program of its own language, which can write and start others"),
    ("sh bash dash zsh ksh fish csh tcsh busybox", "runs whatever it is given"),
    ("python python2 python3 perl ruby node nodejs deno bun php lua tclsh R Rscript", "runs whatever it is given"),
    (
        "xargs env timeout nohup setsid nice ionice time stdbuf sudo doas su exec eval watch parallel command builtin",
        "runs another program",
    ),
    ("printenv set export", "shows every variable, secrets included"),
    (
        "cargo rustc rustup npm npx yarn pnpm pip pip3 go make cmake ninja just gradle mvn",
        "can run code of the project",
    ),
    ("less more most man vi vim nvim nano emacs ed top htop", "waits for a person at a terminal"),
    ("tar zip unzip gzip gunzip bzip2 xz zstd 7z", "can write files and start others"),
    ("curl wget ssh scp sftp rsync nc ncat telnet ftp ping dig host nslookup gh docker kubectl", "reaches the network"),
    ("yes", "never ends"),
    (
        "tee dd cp mv rm rmdir mkdir touch ln chmod chown install truncate shred mktemp split csplit patch sponge",
        "writes",
    ),
];
