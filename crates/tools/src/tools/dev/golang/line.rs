//! What each action runs. Go takes options only in front of packages, and `-args` behind them.

use crate::tools::dev::shared::{Call, argv};
use agent_protocol::Failure;

/// All packages below the folder.
const ALL: &str = "./...";

/// What `call` runs.
pub(super) fn words(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    match call.action {
        "run" => run(call),
        "build" => {
            let output = call.name("output")?.map(|output| ["-o".to_owned(), output]);
            over(call, argv(["go", "build"]), output.into_iter().flatten(), None)
        }
        "test" => over(call, argv(["go", "test"]), tests(call)?, Some(ALL)),
        "test_cover" => {
            let profile = call.name("cover_profile")?.map(|file| format!("-coverprofile={file}"));
            let options = argv(["-cover"]).into_iter().chain(profile).chain(tests(call)?);
            over(call, argv(["go", "test"]), options, Some(ALL))
        }
        "test_bench" => over(call, argv(["go", "test"]), benchmarks(call)?, Some(ALL)),
        "fmt" => over(call, argv(["go", "fmt"]), [], Some(ALL)),
        "vet" => over(call, argv(["go", "vet"]), [], Some(ALL)),
        "lint" => over(call, argv(["golangci-lint", "run"]), [], None),
        "generate" => over(call, argv(["go", "generate"]), [], Some(ALL)),
        "list" => {
            over(call, argv(["go", "list"]), [], Some(ALL).filter(|_| call.args().is_ok_and(|args| args.is_empty())))
        }
        "install" => over(call, argv(["go", "install"]), [], None),
        "get" => get(call),
        "doc" => doc(call),
        "clean" => clean(call),
        "mod_init" => {
            let name = call.needed("module_name", "\"module_name\": \"example.com/project\"")?;
            Ok(after(argv(["go", "mod", "init"]), call.args()?.into_iter().chain([name])))
        }
        "mod_tidy" => Ok(after(argv(["go", "mod", "tidy"]), verbose(call)?.into_iter().chain(call.args()?))),
        "mod_download" => over(call, argv(["go", "mod", "download"]), [], None),
        "mod_verify" => Ok(after(argv(["go", "mod", "verify"]), call.args()?)),
        "mod_graph" => Ok(after(argv(["go", "mod", "graph"]), call.args()?)),
        "env" => Ok(after(argv(["go", "env"]), call.args()?)),
        "version" => Ok(after(argv(["go", "version"]), call.args()?)),
        _ => custom(call),
    }
}

fn after(words: Vec<String>, more: impl IntoIterator<Item = String>) -> Vec<String> {
    words.into_iter().chain(more).collect()
}

/// A command over packages: options, the model's own words, what it is over; `usual` where nothing is said.
fn over(
    call: &Call<'_>,
    command: Vec<String>,
    options: impl IntoIterator<Item = String>,
    usual: Option<&str>,
) -> Result<Vec<String>, Failure> {
    let mut args = call.args()?;
    // What stands behind it is for the test itself.
    let behind = args.iter().position(|word| word == "-args" || word == "--args").map(|at| args.split_off(at));
    let mut over = operands(call)?;
    if over.is_empty() && !args.iter().any(|word| is_place(word)) {
        over.extend(usual.map(str::to_owned));
    }
    let words = after(after(command, switches(call)?), options);
    Ok(after(after(after(words, args), over), behind.unwrap_or_default()))
}

/// What the call names: a file, a package, packages.
fn operands(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let named = [call.name("file")?, call.name("package")?];
    let mut named: Vec<String> = named.into_iter().flatten().chain(call.names("packages")?).collect();
    named.dedup();
    Ok(named)
}

/// Does `word` say which packages are meant?
fn is_place(word: &str) -> bool {
    word == "." || word == "all" || word.starts_with("./") || word.starts_with("../") || word.ends_with("/...")
}

/// `race` and `verbose`, for what knows them.
fn switches(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let compiles = matches!(call.action, "run" | "build" | "test" | "test_cover" | "test_bench" | "install");
    let mut switches = Vec::new();
    if compiles && call.arguments.flag("race")? {
        switches.push("-race".to_owned());
    }
    if compiles || matches!(call.action, "vet" | "generate" | "get" | "lint") {
        switches.extend(verbose(call)?);
    }
    Ok(switches)
}

fn verbose(call: &Call<'_>) -> Result<Option<String>, Failure> {
    Ok(call.arguments.flag("verbose")?.then(|| "-v".to_owned()))
}

/// What stands behind the file or package is the program's own.
fn run(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let mut over = operands(call)?;
    if over.is_empty() {
        over.push(".".to_owned());
    }
    Ok(after(after(after(argv(["go", "run"]), switches(call)?), over), call.args()?))
}

fn tests(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    Ok(call.name("test_pattern")?.map_or(Vec::new(), |pattern| vec!["-run".to_owned(), pattern]))
}

/// Without the tests, unless some are asked for.
fn benchmarks(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let tests = call.name("test_pattern")?.unwrap_or_else(|| "^$".to_owned());
    let benchmarks = call.name("bench_pattern")?.unwrap_or_else(|| ".".to_owned());
    Ok(vec!["-run".to_owned(), tests, "-bench".to_owned(), benchmarks])
}

fn get(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    if operands(call)?.is_empty() && call.args()?.is_empty() {
        return Err(call.lacking("packages", "\"packages\": [\"golang.org/x/text@latest\"]"));
    }
    over(call, argv(["go", "get"]), [], None)
}

/// The package comes first, and its symbol behind it.
fn doc(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let (options, symbols): (Vec<String>, Vec<String>) =
        call.args()?.into_iter().partition(|word| word.starts_with('-'));
    Ok(after(after(after(argv(["go", "doc"]), options), operands(call)?), symbols))
}

/// The build cache, unless something else is said.
fn clean(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let (args, over) = (call.args()?, operands(call)?);
    if args.is_empty() && over.is_empty() {
        return Ok(argv(["go", "clean", "-cache"]));
    }
    Ok(after(after(argv(["go", "clean"]), args), over))
}

/// Words for the `go` command, with or without its name in front.
fn custom(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let mut words = call.command("\"command\": \"mod why golang.org/x/text\"")?;
    if words.len() > 1 && words[0] == "go" {
        words.remove(0);
    }
    Ok(after(after(argv(["go"]), words), call.args()?))
}
