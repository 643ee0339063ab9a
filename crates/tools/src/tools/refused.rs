//! What models ask of tools that change things, and these cannot do: leaving it out would do something else than was
//! meant, to the disk.

use crate::arguments::{Refusal, When};

const DRY_RUN: &str = "dryrun dry isdryrun preview previewonly simulate simulation whatif noop checkonly validateonly";
const MODES: &str = "mode writemode editmode filemode openmode command operation operationtype op action method type \
    edittype changetype flag flags";
const ONE_FILE_ENCODING: When = When::Unless("utf8 utf8sig ascii usascii text plain none");

const WRITE_APPEND: Refusal = Refusal {
    names: "append isappend appendmode appendtofile prepend insert",
    when: When::Yes,
    advice: "write_file replaces the whole file; it cannot append: use edit_file, or write all of it",
};
const WRITE_MODES: Refusal = Refusal {
    names: MODES,
    when: When::Says {
        refused: "a ab at append add prepend insert patch diff delete remove undo x xb exclusive dryrun preview simulate",
        usual: "w wb wt write overwrite replace rewrite create text",
    },
    advice: "write_file replaces the whole file and does nothing else: use edit_file to change or add a part, or \
             write all of it",
};
const WRITE_LINES: Refusal = Refusal {
    names: "insertline insertat insertafter insertbefore startline endline linestart lineend line linenumber \
        linerange range viewrange atline afterline beforeline offset position",
    when: When::Given,
    advice: "write_file replaces the whole file, not some lines of it: use edit_file, or write all of it",
};
const WRITE_PARTS: Refusal = Refusal {
    names: "oldstring oldstr oldtext newstring newstr newtext diff patch",
    when: When::Given,
    advice: "write_file replaces the whole file: use edit_file to replace a part of it",
};
const WRITE_OVER: Refusal = Refusal {
    names: "overwrite allowoverwrite overwriteexisting clobber truncate",
    when: When::No,
    advice: "write_file replaces a file that is there: leave it out if that is meant, or write to another path",
};
const WRITE_NEW: Refusal = Refusal {
    names: "createonly onlycreate ifnotexists onlyifmissing failifexists errorifexists skipifexists noclobber \
        nooverwrite exclusive",
    when: When::Yes,
    advice: "write_file replaces a file that is there: leave it out if that is meant, or write to another path",
};
const WRITE_ENCODING: Refusal = Refusal {
    names: "encoding contentencoding charset",
    when: ONE_FILE_ENCODING,
    advice: "write_file writes the text as it is given, in UTF-8: use run_command for other encodings",
};
const WRITE_BYTES: Refusal = Refusal {
    names: "base64 isbase64 binary isbinary",
    when: When::Yes,
    advice: "write_file writes the text as it is given, in UTF-8: use run_command for anything else",
};
const EDIT_INSERT: Refusal = Refusal {
    names: "append prepend insert insertline insertat insertafter insertbefore atline afterline beforeline",
    when: When::Given,
    advice: "edit_file replaces old_string by new_string; to add lines, give a line beside them as old_string and \
             the same line with the new ones as new_string",
};
const EDIT_MODES: Refusal = Refusal {
    names: MODES,
    when: When::Says {
        refused: "a append add prepend insert before after delete remove undo regex dryrun preview simulate",
        usual: "replace edit strreplace searchreplace update modify",
    },
    advice: "edit_file replaces old_string by new_string and does nothing else; say the change in these",
};
const EDIT_REGEX: Refusal = Refusal {
    names: "regex useregex isregex regexp isregexp",
    when: When::Yes,
    advice: "edit_file looks for old_string as it stands, not for a pattern: give the exact text",
};
const EDIT_PLACES: Refusal = Refusal {
    names: "startline endline linestart lineend line linenumber linerange range occurrence occurrenceindex nth count \
        limit maxreplacements",
    when: When::Beside { parameter: "replace_all", usual: "" },
    advice: "with replace_all, edit_file replaces every place in the file: leave replace_all out, and add lines \
             around the place that is meant",
};
const EDIT_ENCODING: Refusal = Refusal {
    names: "encoding charset",
    when: ONE_FILE_ENCODING,
    advice: "edit_file reads and writes UTF-8: use run_command for other encodings",
};

/// By `write_file`.
pub(super) static WRITE: &[Refusal] = &[
    WRITE_APPEND,
    WRITE_MODES,
    WRITE_LINES,
    WRITE_PARTS,
    WRITE_OVER,
    WRITE_NEW,
    WRITE_ENCODING,
    WRITE_BYTES,
    Refusal { names: DRY_RUN, when: When::Yes, advice: "write_file writes at once: leave it out if that is meant" },
];

/// By `edit_file`.
pub(super) static EDIT: &[Refusal] = &[
    EDIT_INSERT,
    EDIT_MODES,
    EDIT_REGEX,
    EDIT_PLACES,
    EDIT_ENCODING,
    Refusal { names: DRY_RUN, when: When::Yes, advice: "edit_file edits at once: leave it out if that is meant" },
];

/// One of several changes says by `operation`, `type` and the like what it is: these say how.
const WAYS: &str = "mode writemode editmode filemode openmode operationtype edittype changetype flag flags";

/// By a write among several changes.
pub(super) static ONE_WRITE: &[Refusal] = &[
    WRITE_APPEND,
    Refusal { names: WAYS, ..WRITE_MODES },
    WRITE_LINES,
    Refusal {
        names: "old new oldstring oldstr oldtext newstring newstr newtext search find replace replacement diff patch",
        ..WRITE_PARTS
    },
    WRITE_OVER,
    WRITE_NEW,
    WRITE_ENCODING,
    WRITE_BYTES,
    MANY_DRY,
];

/// By an edit among several changes.
pub(super) static ONE_EDIT: &[Refusal] =
    &[EDIT_INSERT, Refusal { names: WAYS, ..EDIT_MODES }, EDIT_REGEX, EDIT_PLACES, EDIT_ENCODING, MANY_DRY];

/// By several edits in one call.
pub(super) static EDITS: &[Refusal] = &[EDIT_INSERT, EDIT_MODES, EDIT_REGEX, EDIT_PLACES, EDIT_ENCODING, MANY_DRY];

/// By a change of lines that are named by their numbers.
pub(super) static LINES: &[Refusal] = &[EDIT_ENCODING, MANY_DRY];

/// By new lines behind one that is named by its number.
pub(super) static INSERT: &[Refusal] = &[
    Refusal {
        names: "line linenumber lineno position insertat atline index at",
        when: When::Given,
        advice: "it does not say whether the new lines go before or behind that line; give insert_line, behind which they \
                 go (0: at the top), or before_line",
    },
    EDIT_ENCODING,
    MANY_DRY,
];

/// By tools that change several files.
pub(super) static MANY: &[Refusal] = &[MANY_DRY];
const MANY_DRY: Refusal =
    Refusal { names: DRY_RUN, when: When::Yes, advice: "files are changed at once: leave it out if that is meant" };

/// By `run_command`.
pub(super) static RUN: &[Refusal] = &[
    Refusal {
        names: DRY_RUN,
        when: When::Yes,
        advice: "run_command runs the line: write the program's own option for that into it, like -n or --dry-run",
    },
    Refusal {
        names: "blocking wait waitforcompletion waituntildone foreground",
        when: When::No,
        advice: "run_command waits for the end of the line: leave it out, and give background true for what has to keep \
                 running",
    },
    Refusal {
        names: "stdin standardinput inputtext inputdata",
        when: When::Given,
        advice: "run_command has no input for a program: write it into the line, like printf 'yes\\n' | program",
    },
    Refusal {
        names: "input",
        when: When::Beside { parameter: "command", usual: "" },
        advice: "run_command has no input for a program: write it into the line, like printf 'yes\\n' | program",
    },
    Refusal {
        names: "env environment envvars environmentvariables envs",
        when: When::Given,
        advice: "run_command takes no variables: write them into the line, like NAME=value program",
    },
    Refusal {
        names: "host hostname container pod",
        when: When::Given,
        advice: "run_command runs the line here: write ssh or docker exec into it if another place is meant",
    },
    Refusal {
        names: "shell",
        when: When::Beside {
            parameter: "command",
            usual: "sh bash zsh dash binsh binbash binzsh usrbinbash usrbinzsh true default",
        },
        advice: "run_command gives the line to sh: leave it out, or write the other program into the line",
    },
];
