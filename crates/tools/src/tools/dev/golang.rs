//! `golang_dev`: what the `go` command does, and golangci-lint.

use super::shared::{ARGS, BACKGROUND, COMMAND, Call, DIRECTORY, DevAction, FOREIGN, HABITS, REFUSED, TIMEOUT, names};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::program::WantedRun;
use crate::tools::ToolContext;
use crate::tools::list_directory::require_folder;
use crate::{PlannedCall, Tool, read_only_job};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Profile};

mod line;

const GO: &str = "apt install golang-go (Debian, Ubuntu), brew install go (macOS)";
const LINTER: &str = "golang_dev {\"action\": \"install\", \"packages\": \
    [\"github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest\"]}, with Go's bin folder on the PATH";

const ACTIONS: [DevAction; 22] = [
    ("run", "file package packages", Profile::Project),
    ("build", "file package packages output", Profile::Project),
    ("test", "file package packages test_pattern", Profile::Project),
    ("test_cover", "file package packages test_pattern cover_profile", Profile::Project),
    ("test_bench", "file package packages test_pattern bench_pattern", Profile::Project),
    ("fmt", "file package packages", Profile::Project),
    ("vet", "file package packages", Profile::Project),
    ("lint", "file package packages", Profile::Project),
    ("mod_init", "module_name", Profile::Project),
    ("mod_tidy", "", Profile::Network),
    ("mod_download", "package packages", Profile::Network),
    ("mod_verify", "", Profile::Project),
    ("mod_graph", "", Profile::Project),
    ("get", "package packages", Profile::Network),
    ("install", "package packages", Profile::Network),
    ("list", "package packages", Profile::Project),
    ("doc", "package packages", Profile::Project),
    ("env", "", Profile::Project),
    ("version", "", Profile::Project),
    ("clean", "package packages", Profile::Project),
    ("generate", "file package packages", Profile::Project),
    ("custom", "command", Profile::Project),
];

pub(super) static FORM: Form = Form {
    tool: "golang_dev",
    group: Group::Dev,
    aliases: "go golang go_dev go_tool run_go",
    description: include_str!("golang.md"),
    parameters: &[
        Parameter::new("action", Kind::One(&names(&ACTIONS)), "\"test\"")
            .also("subcommand operation task op")
            .required(),
        Parameter::new("file", Kind::Text, "\"main.go\"").also("script filepath filename gofile scriptpath"),
        Parameter::new("package", Kind::Text, "\"./cmd/server\"")
            .also("path pkg packagepath packagename target")
            .optional(),
        ARGS,
        Parameter::new("packages", Kind::Texts, "[\"golang.org/x/text@latest\"]")
            .also("pkgs modules dependencies deps targets paths"),
        DIRECTORY,
        Parameter::new("output", Kind::Text, "\"bin/server\"").also("out outputfile outputpath binary outputname o"),
        TIMEOUT,
        Parameter::new("test_pattern", Kind::Text, "\"TestUser\"").also("pattern testname testfilter filter run"),
        Parameter::new("bench_pattern", Kind::Text, "\"BenchmarkSort\"").also("bench benchmark benchname"),
        Parameter::new("cover_profile", Kind::Text, "\"coverage.out\"")
            .also("coverageprofile coverfile coveragefile coverageoutput"),
        Parameter::new("race", Kind::Flag, "true").also("racedetector"),
        Parameter::new("verbose", Kind::Flag, "true").also("v"),
        BACKGROUND,
        Parameter::new("module_name", Kind::Text, "\"example.com/project\"").also("module modulepath mod name"),
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

pub(super) struct GolangDev;

impl Tool for GolangDev {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(call(kit, arguments)?.cwd))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let call = call(kit, arguments)?;
        require_folder(&kit.workspace, &call.cwd)?;
        let argv = line::words(&call)?;
        match call.action {
            "lint" => kit.runner.need("golangci-lint", LINTER)?,
            _ => kit.runner.need("go", GO)?,
        };
        let timeout_secs = call.timeout_secs()?;
        Ok(kit.runner.job(WantedRun {
            timeout_secs,
            profile: call.profile,
            background: call.in_background()?,
            ..WantedRun::argv(argv, call.cwd.clone())
        }))
    }
}

fn call<'a>(kit: &ToolContext, arguments: &'a Arguments) -> Result<Call<'a>, Failure> {
    Call::new(FORM.tool, &ACTIONS, arguments, &kit.workspace)
}
