//! `golang_dev`, action by action.

use crate::dev::house::{House, there};
use agent_protocol::Status;
use serde_json::json;

#[test]
fn every_action_that_compiles_or_tests_runs_these_words() {
    let mut house = House::with(&["go", "golangci-lint"]);
    house.plans(
        "golang_dev",
        &[
            (json!({"action": "run"}), "go run ."),
            (
                json!({"action": "run", "file": "main.go", "args": ["--config", "config.yaml"]}),
                "go run main.go --config config.yaml",
            ),
            (json!({"action": "run", "package": "./cmd/a", "race": true}), "go run -race ./cmd/a"),
            (json!({"action": "build"}), "go build"),
            (
                json!({"action": "build", "output": "myapp", "package": "./cmd/server"}),
                "go build -o myapp ./cmd/server",
            ),
            (json!({"action": "build", "args": ["-tags", "x"], "file": "a.go"}), "go build -tags x a.go"),
            (json!({"action": "test"}), "go test ./..."),
            (
                json!({"action": "test", "race": true, "verbose": true, "test_pattern": "TestUser"}),
                "go test -race -v -run TestUser ./...",
            ),
            (json!({"action": "test", "args": ["./a", "-count", "1"]}), "go test ./a -count 1"),
            (
                json!({"action": "test", "package": "./a", "args": ["-short", "-args", "-x"]}),
                "go test -short ./a -args -x",
            ),
            (json!({"action": "test_cover"}), "go test -cover ./..."),
            (
                json!({"action": "test_cover", "cover_profile": "c.out", "packages": ["./a", "./b"]}),
                "go test -cover -coverprofile=c.out ./a ./b",
            ),
            (json!({"action": "test_bench"}), "go test -run '^$' -bench . ./..."),
            (
                json!({"action": "test_bench", "bench_pattern": "Sort", "args": ["-benchmem"]}),
                "go test -run '^$' -bench Sort -benchmem ./...",
            ),
        ],
    );
}

#[test]
fn so_does_every_action_that_neither_compiles_nor_tests() {
    let mut house = House::with(&["go", "golangci-lint"]);
    house.plans(
        "golang_dev",
        &[
            (json!({"action": "fmt"}), "go fmt ./..."),
            (json!({"action": "fmt", "file": "a.go"}), "go fmt a.go"),
            (json!({"action": "vet", "verbose": true}), "go vet -v ./..."),
            (json!({"action": "lint"}), "golangci-lint run"),
            (
                json!({"action": "lint", "args": ["--config", ".golangci.yml"]}),
                "golangci-lint run --config .golangci.yml",
            ),
            (
                json!({"action": "mod_init", "module_name": "github.com/user/myproject"}),
                "go mod init github.com/user/myproject",
            ),
            (json!({"action": "mod_tidy", "verbose": true}), "go mod tidy -v +net"),
            (json!({"action": "mod_download"}), "go mod download +net"),
            (json!({"action": "mod_verify"}), "go mod verify"),
            (json!({"action": "mod_graph"}), "go mod graph"),
            (
                json!({"action": "get", "packages": ["github.com/gin-gonic/gin@latest"]}),
                "go get github.com/gin-gonic/gin@latest +net",
            ),
            (json!({"action": "get", "package": "a.b/c", "args": ["-u"]}), "go get -u a.b/c +net"),
            (json!({"action": "install", "packages": ["a.b/c@v1"]}), "go install a.b/c@v1 +net"),
            (json!({"action": "install"}), "go install +net"),
            (json!({"action": "list"}), "go list ./..."),
            (json!({"action": "list", "args": ["-m", "all"]}), "go list -m all"),
            (json!({"action": "doc", "package": "fmt", "args": ["-short", "Println"]}), "go doc -short fmt Println"),
            (json!({"action": "env", "args": ["GOPATH"]}), "go env GOPATH"),
            (json!({"action": "version"}), "go version"),
            (json!({"action": "clean"}), "go clean -cache"),
            (json!({"action": "clean", "args": ["-testcache"]}), "go clean -testcache"),
            (json!({"action": "generate"}), "go generate ./..."),
            (json!({"action": "custom", "command": "go work sync", "args": ["-x"]}), "go work sync -x"),
            (json!({"action": "custom", "command": "mod why a.b/c"}), "go mod why a.b/c"),
        ],
    );
}

#[test]
fn what_an_action_cannot_do_without_is_named() {
    let mut house = House::with(&["go"]);
    for (action, lacking) in [("get", "packages"), ("mod_init", "module_name"), ("custom", "command")] {
        let expected = format!(
            "InvalidArguments: golang_dev {action} needs `{lacking}`; for example {{\"action\": \"{action}\", "
        );
        let planned = house.planned("golang_dev", &json!({"action": action}));
        assert!(planned.starts_with(&expected), "{planned}");
    }
}

const MAIN: &str = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\n//go:generate echo generated\n\
    func main() {\n\tfmt.Println(\"told\", Double(2), os.Args[1:])\n}\n\n// Double doubles.\nfunc Double(n int) int { return 2 * n }\n";
const TEST: &str = "package main\n\nimport \"testing\"\n\nfunc TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\t\
    t.Fatal(\"no\")\n\t}\n}\n\nfunc TestOther(t *testing.T) { t.Log(\"other\") }\n\nfunc BenchmarkDouble(b *testing.B) {\n\t\
    for i := 0; i < b.N; i++ {\n\t\tDouble(i)\n\t}\n}\n";

#[tokio::test]
async fn go_does_what_needs_no_network() {
    if !there("go", "golang-go") {
        return;
    }
    let mut house = House::real();
    let says = [
        (json!({"action": "version"}), "go version go"),
        (json!({"action": "mod_init", "module_name": "example.com/thing"}), "creating new go.mod"),
    ];
    said(&mut house, &says).await;
    house.file("main.go", MAIN);
    house.file("main_test.go", TEST);
    let says = [
        (json!({"action": "run", "file": "main.go", "args": ["a b"]}), "told 4 [a b]"),
        (json!({"action": "build", "output": "out/thing"}), "exit code 0"),
        (json!({"action": "test"}), "ok  \texample.com/thing"),
        (json!({"action": "test", "verbose": true, "test_pattern": "Double"}), "--- PASS: TestDouble"),
        (json!({"action": "test_cover", "cover_profile": "c.out"}), "coverage: "),
        (json!({"action": "test_bench", "bench_pattern": "Double", "args": ["-benchtime", "1x"]}), "BenchmarkDouble"),
        (json!({"action": "vet"}), "exit code 0"),
        (json!({"action": "mod_tidy"}), "exit code 0"),
        (json!({"action": "mod_download"}), "exit code 0"),
        (json!({"action": "mod_verify"}), "all modules verified"),
        (json!({"action": "mod_graph"}), "exit code 0"),
        (json!({"action": "list"}), "example.com/thing"),
        (json!({"action": "list", "args": ["-m", "all"]}), "example.com/thing"),
        (json!({"action": "doc", "package": "fmt", "args": ["Println"]}), "func Println("),
        (json!({"action": "env", "args": ["GOMOD"]}), "/project/go.mod"),
        (json!({"action": "generate"}), "generated"),
        (json!({"action": "install"}), "exit code 0"),
        (json!({"action": "custom", "command": "mod edit -json"}), "\"example.com/thing\""),
        (json!({"action": "clean"}), "exit code 0"),
    ];
    said(&mut house, &says).await;
    for there in ["out/thing", "c.out", ".home/go/bin/thing"] {
        assert!(house.root.join(there).exists(), "{there}");
    }
}

async fn said(house: &mut House, says: &[(serde_json::Value, &str)]) {
    for (arguments, expected) in says {
        let told = house.done("golang_dev", arguments).await;
        assert!(told.contains(expected), "{arguments}: {told}");
    }
}

#[tokio::test]
async fn go_formats_in_place_and_says_what_fails() {
    if !there("go", "golang-go") {
        return;
    }
    let mut house = House::real();
    house.file("go.mod", "module example.com/thing\n\ngo 1.19\n");
    house.file("a.go", "package main\nfunc  main( ) { }\n");
    let outcome = house.run("go", &json!({"action": "fmt"})).await;
    assert_eq!((outcome.status, outcome.told.as_str()), (Status::Done, "exit code 0\na.go\n"));
    assert_eq!(std::fs::read_to_string(house.root.join("a.go")).unwrap(), "package main\n\nfunc main() {}\n");
    assert!(outcome.changed.iter().any(|change| change.path == house.root.join("a.go")), "{:?}", outcome.changed);
    house.file("a.go", "package main\n\nfunc main() { missing() }\n");
    let outcome = house.run("go", &json!({"action": "build"})).await;
    assert!(matches!(outcome.status, Status::Exited { .. }), "{}", outcome.told);
    assert!(outcome.told.contains("undefined: missing"), "{}", outcome.told);
}
