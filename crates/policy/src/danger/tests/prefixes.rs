//! One line a command: what a lasting rule for it may name.

use crate::danger::prefix;

fn of(command: &str) -> Option<String> {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    prefix(&words).map(|words| words.join(" "))
}

#[test]
fn a_rule_ends_before_the_first_operand_or_flag() {
    let rows = [
        ("cargo test --workspace", "cargo test"),
        ("cargo build", "cargo build"),
        ("npm run build -- --watch", "npm run build"),
        ("npm test", "npm test"),
        ("pnpm run lint", "pnpm run lint"),
        ("yarn build", "yarn build"),
        ("yarn", "yarn"),
        ("git commit -m x", "git commit"),
        ("git add .", "git add"),
        ("go test ./...", "go test"),
        ("make", "make"),
        ("make test", "make test"),
        ("pytest -x tests", "pytest"),
        ("mkdir -p a", "mkdir"),
        ("pip3 install x", "pip3 install"),
        ("uv sync", "uv sync"),
        ("rustfmt a.rs", "rustfmt"),
        ("tsc", "tsc"),
        ("gradle build", "gradle build"),
    ];
    for (command, expected) in rows {
        assert_eq!(of(command).as_deref(), Some(expected), "{command}");
    }
}

const RUN_ANYTHING: &[&str] = &[
    "",
    "sh x.sh",
    "bash -c ls",
    "zsh",
    "python x.py",
    "python3 -m pytest",
    "python3.12 x",
    "node x.js",
    "perl -e 1",
    "ruby x",
    "php x",
    "lua5.4 x",
    "deno test",
    "bun test",
    "awk 1",
    "env ls",
    "xargs rm",
    "sudo ls",
    "doas ls",
    "timeout 5 ls",
    "nice ls",
    "nohup ls",
    "setsid ls",
    "stdbuf -oL ls",
    "find . -exec ls",
    "watch ls",
    "ssh host ls",
    "git -c a=b status",
    "git -C x status",
    "git",
    "git config a b",
    "git push",
    "git rebase -x ls",
    "git bisect run x",
    "npx cowsay",
    "uvx x",
    "npm exec x",
    "npm x y",
    "pnpm dlx x",
    "yarn dlx x",
    "uv run x",
    "poetry run x",
    "bundle exec x",
    "go run x.go",
    "rm a",
    "dd if=a",
    "./x.sh",
    "/usr/bin/make",
    "bin/x",
    "cargo",
    "cargo --version",
    "cargo +nightly test",
    "npm run",
    "npm --prefix x test",
    "-x",
    "a=b",
    "ma*ke",
    "if",
    "eval ls",
    ". x",
    "source x",
    "sed -i s/a/b/ x",
    "tar xf x",
    "vim x",
    "docker run x",
    "curl x",
    "busybox ls",
    "exec ls",
    "command ls",
    "time ls",
    "ed x",
    "java -jar x",
];

#[test]
fn what_runs_anything_gets_no_rule() {
    for command in RUN_ANYTHING {
        assert_eq!(of(command), None, "{command}");
    }
}
