//! `golang_dev`: what the `go` command does, and golangci-lint.

use super::shared::{ARGS, BACKGROUND, COMMAND, Call, DIRECTORY, FOREIGN, HABITS, REFUSED, TIMEOUT};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Need, Parameter};
use crate::program::{Runner, Wanted};
use crate::tools::list_directory::require_folder;
use crate::tools::{Kit, spec};
use crate::workspace::Workspace;
use crate::{Job, Tool, look};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Profile, ToolSpec};
use serde_json::Value;

mod line;

const GO: &str = "apt install golang-go (Debian, Ubuntu), brew install go (macOS)";
const LINTER: &str = "golang_dev {\"action\": \"install\", \"packages\": \
    [\"github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest\"]}, with Go's bin folder on the PATH";

const ACTIONS: &[&str] = &[
    "run",
    "build",
    "test",
    "test_cover",
    "test_bench",
    "fmt",
    "vet",
    "lint",
    "mod_init",
    "mod_tidy",
    "mod_download",
    "mod_verify",
    "mod_graph",
    "get",
    "install",
    "list",
    "doc",
    "env",
    "version",
    "clean",
    "generate",
    "custom",
];

pub(super) static FORM: Form = Form {
    tool: "golang_dev",
    group: Group::Dev,
    aliases: "go golang go_dev go_tool run_go",
    parameters: &[
        Parameter {
            name: "action",
            aliases: "subcommand operation task op",
            kind: Kind::One(ACTIONS),
            need: Need::Required,
            says: "",
            example: "\"test\"",
        },
        Parameter {
            name: "file",
            aliases: "script filepath filename gofile scriptpath",
            kind: Kind::Text,
            need: Need::Unlisted,
            says: "",
            example: "\"main.go\"",
        },
        Parameter {
            name: "package",
            aliases: "path pkg packagepath packagename target",
            kind: Kind::Text,
            need: Need::Optional,
            says: "",
            example: "\"./cmd/server\"",
        },
        ARGS,
        Parameter {
            name: "packages",
            aliases: "pkgs modules dependencies deps targets paths",
            kind: Kind::Texts,
            need: Need::Unlisted,
            says: "",
            example: "[\"golang.org/x/text@latest\"]",
        },
        DIRECTORY,
        Parameter {
            name: "output",
            aliases: "out outputfile outputpath binary outputname o",
            kind: Kind::Text,
            need: Need::Unlisted,
            says: "",
            example: "\"bin/server\"",
        },
        TIMEOUT,
        Parameter {
            name: "test_pattern",
            aliases: "pattern testname testfilter filter run",
            kind: Kind::Text,
            need: Need::Unlisted,
            says: "",
            example: "\"TestUser\"",
        },
        Parameter {
            name: "bench_pattern",
            aliases: "bench benchmark benchname",
            kind: Kind::Text,
            need: Need::Unlisted,
            says: "",
            example: "\"BenchmarkSort\"",
        },
        Parameter {
            name: "cover_profile",
            aliases: "coverageprofile coverfile coveragefile coverageoutput",
            kind: Kind::Text,
            need: Need::Unlisted,
            says: "",
            example: "\"coverage.out\"",
        },
        Parameter {
            name: "race",
            aliases: "racedetector",
            kind: Kind::Flag,
            need: Need::Unlisted,
            says: "",
            example: "true",
        },
        Parameter { name: "verbose", aliases: "v", kind: Kind::Flag, need: Need::Unlisted, says: "", example: "true" },
        BACKGROUND,
        Parameter {
            name: "module_name",
            aliases: "module modulepath mod name",
            kind: Kind::Text,
            need: Need::Unlisted,
            says: "",
            example: "\"example.com/project\"",
        },
        COMMAND,
    ],
    foreign: FOREIGN,
    habits: HABITS,
    refused: REFUSED,
    meant: &[
        ("action", "format gofmt", "fmt"),
        ("action", "cover coverage", "test_cover"),
        ("action", "bench benchmark", "test_bench"),
        ("action", "golangcilint", "lint"),
        ("action", "init", "mod_init"),
        ("action", "tidy", "mod_tidy"),
        ("action", "download", "mod_download"),
        ("action", "verify", "mod_verify"),
        ("action", "graph", "mod_graph"),
        ("action", "add", "get"),
        ("action", "docs documentation", "doc"),
        ("action", "command", "custom"),
    ],
    ..BLANK
};

/// What only some actions take.
const OPERANDS: &[&str] = &[
    "file",
    "package",
    "packages",
    "output",
    "test_pattern",
    "bench_pattern",
    "cover_profile",
    "module_name",
    "command",
];

/// Which of them `action` takes.
fn taken(action: &str) -> &'static [&'static str] {
    match action {
        "run" | "fmt" | "vet" | "generate" | "lint" => &["file", "package", "packages"],
        "build" => &["file", "package", "packages", "output"],
        "test" => &["file", "package", "packages", "test_pattern"],
        "test_cover" => &["file", "package", "packages", "test_pattern", "cover_profile"],
        "test_bench" => &["file", "package", "packages", "test_pattern", "bench_pattern"],
        "get" | "install" | "list" | "doc" | "clean" | "mod_download" => &["package", "packages"],
        "mod_init" => &["module_name"],
        "custom" => &["command"],
        _ => &[],
    }
}

pub(super) struct GolangDev {
    workspace: Workspace,
    runner: Runner,
}

impl GolangDev {
    pub(super) fn new(kit: &Kit) -> Self {
        GolangDev { workspace: kit.workspace.clone(), runner: kit.runner.clone() }
    }

    fn call<'a>(&self, arguments: &'a Arguments) -> Result<Call<'a>, Failure> {
        let call = Call::new(FORM.tool, arguments, &self.workspace)?;
        call.takes(taken(call.action), OPERANDS)?;
        Ok(call)
    }
}

impl Tool for GolangDev {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("golang.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        Ok(look::action(self.call(&FORM.read(args)?)?.cwd))
    }

    fn plan(&self, args: &Value, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        let arguments = FORM.read(args)?;
        let call = self.call(&arguments)?;
        require_folder(&self.workspace, &call.cwd)?;
        let argv = line::words(&call)?;
        match call.action {
            "lint" => self.runner.need("golangci-lint", LINTER)?,
            _ => self.runner.need("go", GO)?,
        };
        let timeout_secs = call.timeout_secs()?;
        Ok(self.runner.job(Wanted {
            timeout_secs,
            profile: profile(call.action),
            background: call.in_background()?,
            ..Wanted::argv(argv, call.cwd.clone())
        }))
    }
}

fn profile(action: &str) -> Profile {
    match action {
        "get" | "install" | "mod_download" | "mod_tidy" => Profile::Network,
        _ => Profile::Project,
    }
}
