//! The programs that a lasting yes is often given for, and which of their flags change nothing of what was agreed to.
//!
//! Left out on purpose: whatever starts or loads something (`--runner`, `-exec`, `-p` of pytest), reads other settings
//! (`--config`, `-f`), goes elsewhere (`-C`, `--prefix`), writes where it is told (`-o`), repairs or rewrites (`--fix`, `-u`),
//! sets variables (`-D`, `-P`), opens something or never ends (`--watch`, `--pdb`).

use After::{Asks, Inner, Strange};
use Operands::{Any, Choose, Paths};
use Style::{Go, Letters, Words};

/// A program, or several that take the same words.
pub(super) struct Runner {
    /// The words it begins with, parted by a comma.
    pub(super) heads: &'static str,
    pub(super) style: Style,
    /// Flags that take nothing; `--color[=]` may have a value attached.
    pub(super) plain: &'static str,
    /// Flags that take a value: attached, or as the next word.
    pub(super) valued: &'static str,
    /// Flags that may take a number.
    pub(super) counted: &'static str,
    pub(super) operands: Operands,
    pub(super) after: After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `--long`, and letters that can be written together.
    Letters,
    /// `-word`: nothing is written together.
    Words,
    /// The same, and `--word` is `-word`.
    Go,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// Names of tests, paths and the like.
    Any,
    /// They choose what is run: targets, scripts, packages.
    Choose,
    /// Files and folders; behind the program's bare name any other word may say what is done (`coverage run`).
    Paths,
}

/// What `--` is followed by.
pub(super) enum After {
    Operands,
    /// Words for something that is not known here: each asks.
    Asks,
    /// The same, but only what looks like a flag asks.
    Strange,
    /// Words for a program that is known.
    Inner(&'static Runner),
}

const BLANK: Runner =
    Runner { heads: "", style: Letters, plain: "", valued: "", counted: "", operands: Any, after: After::Operands };

/// A program that is not known: no flag of it is.
pub(super) const UNKNOWN: Runner = Runner { operands: Paths, after: Strange, ..BLANK };

/// Rust's own harness of tests.
const LIBTEST: Runner = Runner {
    plain: "--nocapture --no-capture --show-output --ignored --include-ignored --list --exact -q --quiet --test --bench \
            --report-time --shuffle",
    valued: "--test-threads --skip --format --color --shuffle-seed",
    ..BLANK
};

const LINTS: Runner =
    Runner { valued: "-D -W -A -F --deny --warn --allow --forbid", operands: Choose, after: Asks, ..BLANK };

const CARGO: Runner = Runner {
    plain: "-q --quiet -v -vv --verbose --workspace --all --lib --bins --doc --tests --examples --benches --all-targets \
            --all-features --no-default-features --release -r --no-run --no-fail-fast --locked --offline --frozen \
            --keep-going --ignore-rust-version --future-incompat-report --no-deps --document-private-items --timings",
    valued: "-p --package --exclude --bin --test --example --bench -F --features -j --jobs --profile --message-format \
             --color",
    ..BLANK
};

const NPM_SCRIPT: Runner = Runner { plain: "--silent -s --quiet -q --if-present --no-color", after: Asks, ..BLANK };

const INSTALLER: Runner = Runner { plain: "-q --quiet -v --verbose", operands: Choose, after: Asks, ..BLANK };

const GIT: Runner = Runner { plain: "-v --verbose -q --quiet", ..BLANK };

pub(super) const RUNNERS: &[Runner] = &[
    Runner { heads: "cargo test, cargo t, cargo bench", after: Inner(&LIBTEST), ..CARGO },
    Runner { heads: "cargo clippy", after: Inner(&LINTS), ..CARGO },
    Runner { heads: "cargo build, cargo b, cargo check, cargo c, cargo doc, cargo d", after: Asks, ..CARGO },
    Runner { heads: "cargo run, cargo r", after: Strange, ..CARGO },
    Runner {
        heads: "cargo nextest",
        plain: "-v --verbose --workspace --all --lib --bins --tests --all-targets --all-features --no-default-features \
                --release -r --no-fail-fast --fail-fast --no-capture --nocapture --locked --offline --frozen",
        valued: "-p --package --exclude --test --bin -E --filter-expr --filterset -F --features -j --test-threads --retries \
                 --partition --status-level --final-status-level --color --run-ignored",
        after: Strange,
        ..BLANK
    },
    Runner {
        heads: "cargo fmt",
        plain: "-q --quiet -v --verbose --all --check",
        valued: "-p --package",
        after: Asks,
        ..BLANK
    },
    Runner { heads: "cargo install, cargo add", ..INSTALLER },
    Runner {
        heads: "rustfmt",
        plain: "--check -q --quiet -v --verbose -l --files-with-diff",
        valued: "--edition --color",
        ..BLANK
    },
    Runner {
        heads: "make, gmake",
        plain: "-k --keep-going -s --silent --quiet -B --always-make -n --just-print --dry-run --recon -i --ignore-errors \
                -w --print-directory --no-print-directory -r --no-builtin-rules -R --no-builtin-variables -S \
                --no-keep-going --stop -d --trace -O --output-sync[=] --no-silent",
        counted: "-j --jobs -l --load-average --max-load",
        operands: Choose,
        ..BLANK
    },
    Runner {
        heads: "ninja",
        style: Words,
        plain: "-v --verbose -n --quiet",
        counted: "-j -k -l",
        operands: Choose,
        ..BLANK
    },
    Runner {
        heads: "ctest",
        style: Words,
        plain: "-V -VV --verbose --extra-verbose -Q --quiet --output-on-failure --progress -N --show-only -F \
                --rerun-failed --stop-on-failure --schedule-random --print-labels --no-label-summary",
        valued: "-R --tests-regex -E --exclude-regex -L --label-regex -LE --label-exclude -C --build-config --timeout \
                 --repeat --test-output-size-passed --test-output-size-failed --stop-time",
        counted: "-j --parallel",
        operands: Choose,
        ..BLANK
    },
    Runner { heads: "just", plain: "-q --quiet -v --verbose -n --dry-run --no-color", operands: Choose, ..BLANK },
    Runner {
        heads: "task",
        plain: "-v --verbose -s --silent -n --dry -p --parallel",
        operands: Choose,
        after: Asks,
        ..BLANK
    },
    Runner {
        heads: "rake",
        plain: "-q --quiet -s --silent -v --verbose -n --dry-run -t --trace -m --multitask -P --prereqs",
        counted: "-j --jobs",
        operands: Choose,
        ..BLANK
    },
    Runner {
        heads: "bazel test, bazel build",
        plain: "-k --keep_going --verbose_failures --nocache_test_results --test_keep_going --notest_keep_going \
                --announce_rc -s --subcommands --build_tests_only",
        valued: "--test_output --test_filter --jobs -j --test_timeout --runs_per_test --compilation_mode -c \
                 --test_tag_filters --color --curses --test_summary --test_size_filters",
        after: After::Operands,
        ..BLANK
    },
    Runner {
        heads: "pytest, py.test",
        plain: "-q --quiet -v -vv -vvv --verbose -x --exitfirst -s -l --showlocals --lf --last-failed --ff --failed-first \
                --nf --new-first --sw --stepwise --stepwise-skip --no-header --no-summary --co --collect-only \
                --disable-warnings --disable-pytest-warnings --strict-markers --strict-config --strict --runxfail \
                --full-trace --setup-show --setup-only --setup-plan --fixtures --markers --no-cov --cov[=] --forked \
                --benchmark-skip --benchmark-only --nomigrations --reuse-db --asyncio-mode[=]",
        valued: "-k -m --maxfail --tb --durations --durations-min -r --color --capture --show-capture --verbosity \
                 --deselect --ignore --ignore-glob -n --numprocesses --dist --timeout --count --reruns",
        ..BLANK
    },
    Runner { heads: "tox", plain: "-q -v --quiet --verbose --no-color", operands: Choose, after: Asks, ..BLANK },
    Runner { heads: "nox", plain: "-v --verbose -N --non-interactive", operands: Choose, after: Asks, ..BLANK },
    Runner {
        heads: "mypy",
        plain: "--strict -v --verbose --pretty --no-error-summary --show-error-codes --ignore-missing-imports \
                --check-untyped-defs --disallow-untyped-defs --disallow-any-generics --warn-unused-ignores \
                --warn-return-any --warn-redundant-casts --no-incremental --no-color-output --show-traceback --tb \
                --explicit-package-bases --namespace-packages --no-implicit-optional --strict-optional --show-column-numbers",
        valued: "-p --package -m --module --python-version --platform --follow-imports --exclude --enable-error-code \
                 --disable-error-code --output -O",
        ..BLANK
    },
    Runner {
        heads: "ruff check",
        plain: "-q --quiet -v --verbose -s --silent -n --no-cache --no-fix --statistics --diff -e --exit-zero \
                --show-files --preview --no-preview --isolated --show-fixes",
        valued: "--select --ignore --extend-select --extend-ignore --output-format --line-length --target-version \
                 --exclude --extend-exclude --color",
        ..BLANK
    },
    Runner {
        heads: "ruff format",
        plain: "-q --quiet -v --verbose -s --silent -n --no-cache --check --diff --preview --isolated",
        valued: "--line-length --target-version --exclude --color",
        ..BLANK
    },
    Runner {
        heads: "black, isort",
        plain: "-q --quiet -v --verbose --check --diff --check-only -c --color --no-color --fast --safe",
        valued: "-l --line-length -t --target-version",
        ..BLANK
    },
    Runner {
        heads: "flake8",
        plain: "-q --quiet -v --verbose --count --statistics --show-source --benchmark",
        valued: "--select --ignore --extend-ignore --max-line-length --max-complexity --exclude --color",
        ..BLANK
    },
    Runner { heads: "npm test, npm t, npm start, npm stop, npm restart", ..NPM_SCRIPT },
    Runner { heads: "npm run, npm run-script, pnpm run, pnpm run-script, yarn run", ..NPM_SCRIPT },
    Runner { heads: "pnpm, yarn", ..NPM_SCRIPT },
    Runner {
        heads: "npm install, npm i, npm add, npm ci, npm update, pnpm install, pnpm i, pnpm add, yarn add, yarn install",
        plain: "--silent -s --quiet -q --no-audit --no-fund --ignore-scripts --frozen-lockfile --prefer-offline --offline \
                --no-progress --immutable",
        ..INSTALLER
    },
    Runner {
        heads: "pip install, pip3 install, gem install, go install, go get, uv add, poetry add, composer require",
        ..INSTALLER
    },
    Runner {
        heads: "jest",
        style: Words,
        plain: "--ci --coverage --no-coverage -b --bail --verbose --silent --runInBand -i --onlyChanged -o --onlyFailures \
                -f --passWithNoTests --no-cache --detectOpenHandles --forceExit --expand -e --listTests --colors --json \
                --lastCommit --errorOnDeprecated --logHeapUsage --randomize --useStderr --no-colors",
        valued: "-t --testNamePattern --testPathPattern --testPathPatterns --maxWorkers -w --testTimeout --shard --seed \
                 --maxConcurrency",
        ..BLANK
    },
    Runner {
        heads: "vitest",
        style: Words,
        plain: "--run --passWithNoTests --silent --no-color --allowOnly --no-file-parallelism --coverage",
        valued: "-t --testNamePattern --bail --retry --maxWorkers --testTimeout --shard",
        ..BLANK
    },
    Runner {
        heads: "mocha",
        style: Words,
        plain: "-b --bail -c --color -C --no-color --exit --forbid-only --forbid-pending --full-trace --dry-run --list-files",
        valued: "-g --grep -f --fgrep -t --timeout -s --slow --retries -j --jobs",
        ..BLANK
    },
    Runner {
        heads: "eslint",
        plain: "--quiet --no-color --color --debug --no-error-on-unmatched-pattern --exit-on-fatal-error --no-inline-config \
                --no-warn-ignored --pass-on-no-patterns",
        valued: "--max-warnings --ext",
        ..BLANK
    },
    Runner { heads: "prettier", plain: "--check -c --list-different -l --no-color", valued: "--log-level", ..BLANK },
    Runner {
        heads: "tsc",
        plain: "--noEmit --pretty --strict --skipLibCheck --listFiles --noEmitOnError --diagnostics --extendedDiagnostics \
                --allowJs --checkJs --esModuleInterop --explainFiles",
        valued: "--target -t --module -m --lib --jsx --moduleResolution",
        ..BLANK
    },
    Runner {
        heads: "go test, go build, go vet, go list, go generate",
        style: Go,
        plain: "-v -race -short -json -failfast -cover -msan -asan -x -n -a -work -benchmem -trimpath -fullpath",
        valued: "-run -skip -count -timeout -bench -benchtime -cpu -parallel -list -shuffle -covermode -coverpkg -p -tags \
                 -vet -fuzztime",
        ..BLANK
    },
    Runner { heads: "gofmt", style: Go, plain: "-l -d -e -s", ..BLANK },
    Runner {
        heads: "golangci-lint run",
        plain: "-v --verbose --fast --no-config",
        valued: "-E --enable -D --disable --timeout --color -j --concurrency",
        ..BLANK
    },
    Runner {
        heads: "gradle",
        style: Words,
        plain: "-q --quiet -i --info -d --debug -w --warn -s --stacktrace -S --full-stacktrace --offline --no-daemon \
                --daemon --parallel --no-parallel --continue --rerun-tasks -m --dry-run --build-cache --no-build-cache \
                --configuration-cache --no-configuration-cache -a --no-rebuild --profile",
        valued: "--tests --console --max-workers --warning-mode -x --exclude-task",
        operands: Choose,
        ..BLANK
    },
    Runner {
        heads: "mvn",
        style: Words,
        plain: "-q --quiet -B --batch-mode -e --errors -X --debug -o --offline -U --update-snapshots -ntp \
                --no-transfer-progress -am --also-make -amd --also-make-dependents -fae --fail-at-end -ff --fail-fast \
                -N --non-recursive -V --show-version",
        valued: "-T --threads -pl --projects -rf --resume-from",
        operands: Choose,
        ..BLANK
    },
    Runner {
        heads: "dotnet test, dotnet build",
        style: Words,
        operands: Choose,
        plain: "--no-build --no-restore --nologo -t --list-tests --no-dependencies --no-incremental",
        valued: "-v --verbosity --filter -c --configuration -f --framework",
        after: Asks,
        ..BLANK
    },
    Runner {
        heads: "phpunit",
        style: Words,
        plain: "--colors[=] --testdox --stop-on-failure --stop-on-error --stop-on-defect --verbose -v --debug --no-coverage \
                --no-progress --no-results --fail-on-warning --fail-on-risky --list-tests --list-suites --display-warnings",
        valued: "--filter --group --exclude-group --testsuite --exclude-testsuite --order-by --random-order-seed --repeat",
        ..BLANK
    },
    Runner {
        heads: "rspec",
        plain: "-b --backtrace --fail-fast[=] --no-fail-fast --dry-run --no-color --color --force-color -w --warnings \
                --only-failures --next-failure -p --profile[=]",
        valued: "-e --example -t --tag -E --example-matches --seed --order",
        ..BLANK
    },
    Runner {
        heads: "rubocop",
        plain: "-q -D -S -P --parallel --no-color -L --list-target-files",
        valued: "--only --except",
        ..BLANK
    },
    Runner {
        heads: "mix test",
        style: Words,
        plain: "--failed --stale --trace --cover --slowest --no-color",
        valued: "--only --exclude --include --seed --max-failures",
        ..BLANK
    },
    Runner {
        heads: "swift test, swift build",
        plain: "-v --verbose -q --quiet --parallel --list-tests --skip-build",
        valued: "--filter --skip -c --configuration -j --jobs",
        ..BLANK
    },
    Runner {
        heads: "git add, git stage",
        plain: "-v --verbose -n --dry-run -A --all -u --update -N --intent-to-add --no-all",
        ..BLANK
    },
    Runner {
        heads: "git fetch, git clone, git ls-remote, git archive, git worktree",
        plain: "--all --tags -t --prune -p --dry-run --no-tags -n",
        operands: Choose,
        ..GIT
    },
    Runner { heads: "git", ..GIT },
    Runner { heads: "mkdir", plain: "-p --parents -v --verbose", valued: "-m --mode", ..BLANK },
    Runner { heads: "touch", plain: "-a -m -c --no-create", ..BLANK },
    Runner {
        heads: "cp",
        plain: "-a -r -R -p -v -n -u -i -d -L -P --archive --recursive --verbose --no-clobber --update",
        ..BLANK
    },
    Runner { heads: "mv", plain: "-v -n -u -i --verbose --no-clobber --update", ..BLANK },
    Runner {
        heads: "gcc, g++, cc, c++, clang, clang++",
        style: Words,
        plain: "-c -g -O0 -O1 -O2 -O3 -Os -Wall -Wextra -Werror -pedantic -fsyntax-only -pthread -std[=]",
        ..BLANK
    },
    Runner {
        heads: "unittest",
        plain: "-v --verbose -q --quiet -f --failfast -b --buffer --locals",
        valued: "-k --durations",
        ..BLANK
    },
    Runner { heads: "pylint", plain: "-v --verbose -E --errors-only", valued: "-j --jobs --disable --enable", ..BLANK },
    Runner { heads: "pyright", plain: "--stats --warnings --verbose --outputjson", ..BLANK },
    Runner {
        heads: "playwright test",
        plain: "--forbid-only --fully-parallel --quiet",
        valued: "-g --grep --retries",
        ..BLANK
    },
    Runner {
        heads: "bun test",
        style: Words,
        plain: "--only --todo --bail[=]",
        valued: "-t --test-name-pattern --timeout",
        ..BLANK
    },
    Runner {
        heads: "deno test, deno check, deno lint",
        style: Words,
        plain: "-q --quiet --parallel --no-run",
        ..BLANK
    },
    Runner { heads: "deno fmt", style: Words, plain: "-q --quiet --check", ..BLANK },
    Runner { heads: "deno task, bun run", operands: Any, after: Asks, ..BLANK },
    Runner {
        heads: "cmake --build",
        style: Words,
        plain: "-v --verbose --clean-first",
        valued: "--config",
        counted: "-j --parallel",
        operands: Choose,
        after: Asks,
    },
    Runner { heads: "zig build", style: Words, plain: "--verbose", operands: Choose, after: Asks, ..BLANK },
];
