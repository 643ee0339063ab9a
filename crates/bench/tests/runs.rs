//! Whole runs, with a script in place of this program: it gets what a trial's process gets, and plays a model.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod limits;
mod watched;

use agent_bench::task::{TaskKind, Template};
use agent_bench::tree::{self, Files};
use agent_bench::{
    ImportProtocol, Rows, RunControl, RunError, RunPlan, Stopped, TrialClass, TrialRow, TrialSettings, Trying, Variant,
    Workshop, run, try_once,
};
use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const SHEET: &str = r#"
kind = "write"
language = "shell"
hidden = "bash unseen.sh"
reader = "tap"
tests = ["says @@WORD@@"]
fails_on_start = ["says @@WORD@@"]
may_change = ["say.sh"]
[fill]
WORD = ["hello", "good day", "welcome"]
"#;
const UNSEEN: &str = "if [ \"$(bash say.sh)\" = '@@WORD@@' ]; then echo 'ok 1 - says @@WORD@@'; else echo 'not ok 1 - \
                      says @@WORD@@'; exit 1; fi\n";
/// What is printed where a model does its work and says so.
const ENDS: &str = r#"echo '{"type":"replied","usage":{"prompt_tokens":100,"reply_tokens":10}}'
echo '{"type":"turn_ended","turn":1,"reason":{"reason":"done"},"usage":{}}'
"#;
/// Writes what the prompt asks for.
const SOLVES: &str = "word=$(printf '%s' \"$2\" | sed 's/.*: //')\necho \"echo $word\" > say.sh\n";

struct Stage {
    folder: tempfile::TempDir,
    templates: Vec<Template>,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let stage = Stage { folder, templates: Vec::new() };
        let templates = ["t1", "t2", "t3"].map(|id| {
            let files = [
                ("task.toml", SHEET),
                ("prompt.md", "Make it say: @@WORD@@"),
                ("start/say.sh", "true\n"),
                ("hidden/unseen.sh", UNSEEN),
            ];
            let files: Files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into();
            tree::lay(&stage.path(id), &files).unwrap();
            Template::read(&stage.path(id)).unwrap()
        });
        Stage { templates: templates.into(), ..stage }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that does `lines`, in bash.
    fn program(&self, lines: &str) -> TrialSettings {
        let path = self.path("program");
        fs::write(&path, format!("#!/bin/bash\n{lines}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        TrialSettings { program: path, learned: None, time_factor: 1.0 }
    }

    fn rows(&self) -> Rows {
        Rows::open(&self.path("trials.jsonl")).unwrap()
    }

    fn run(&self, plan: &RunPlan, trials: TrialSettings, until: Option<Instant>) -> Result<Stopped, RunError> {
        let shop = Workshop {
            folder: self.folder.path(),
            templates: &self.templates,
            trials,
            limits: &|root: &Path| Ok(limits::limits(root, 60)),
            watch: None,
            until,
            control: &RunControl::empty(),
        };
        runtime().block_on(run(plan, &shop, &mut self.rows(), |_| ()))
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn arm(name: &str) -> Variant {
    let json = format!(r#"{{"name":"{name}","host":"127.0.0.1:9","kind":"auto","model":"{name}"}}"#);
    serde_json::from_str(&json).unwrap()
}

fn plan(trials: u32) -> RunPlan {
    RunPlan {
        version: 1,
        id: "r".into(),
        began: 0,
        agent: "0".into(),
        course: "own".into(),
        folder: None,
        protocol: None,
        hash: String::new(),
        tasks: ["t1", "t2", "t3"].map(|id| (id.to_owned(), TaskKind::Write)).into(),
        left_out: Vec::new(),
        arms: vec![arm("a"), arm("b")],
        trials,
        seed: 5,
        time_factor: 1.0,
        command: String::new(),
        trying: Trying::Together,
        only: Vec::new(),
        no_exam: false,
    }
}

fn classes(rows: &[TrialRow]) -> Vec<TrialClass> {
    let mut classes: Vec<TrialClass> = rows.iter().map(|row| row.class).collect();
    classes.dedup();
    classes
}

#[test]
fn a_model_that_solves_them_has_solved_them_all() {
    let stage = Stage::new();
    let stopped = stage.run(&plan(2), stage.program(&format!("{SOLVES}{ENDS}")), None).unwrap();
    let rows = stage.rows();
    assert_eq!((stopped, rows.all().len(), classes(rows.all())), (Stopped::Complete, 12, vec![TrialClass::Solved]));
    assert_eq!((rows.all()[0].read, rows.all()[0].written, rows.all()[0].tests), (100, 10, (1, 1)));
    let seeds: Vec<u64> = rows.all().iter().map(|row| row.seed).collect();
    assert_eq!((seeds[0], seeds[11]), (6, 7), "each trial has another text, the same for both arms");
    let kept = stage.path("kept").join("a").join("t1-1");
    assert!(fs::read_to_string(kept.join("changes.diff")).unwrap().contains("-true\n"));
}

#[test]
fn who_only_talks_changed_nothing_and_who_errs_is_wrong() {
    let stage = Stage::new();
    stage.run(&plan(1), stage.program(ENDS), None).unwrap();
    assert_eq!(classes(stage.rows().all()), [TrialClass::NothingChanged]);
    let stage = Stage::new();
    stage.run(&plan(1), stage.program(&format!("echo 'echo no' > say.sh\n{ENDS}")), None).unwrap();
    assert_eq!(classes(stage.rows().all()), [TrialClass::Wrong]);
}

#[test]
fn what_was_dropped_on_the_way_is_made_again_and_nothing_twice() {
    let stage = Stage::new();
    let settings = stage.program(&format!("{SOLVES}{ENDS}"));
    let plan = plan(1);
    for made in 1..=6 {
        let shop = Workshop {
            folder: stage.folder.path(),
            templates: &stage.templates,
            trials: settings.clone(),
            limits: &|root: &Path| Ok(limits::limits(root, 60)),
            watch: None,
            until: None,
            control: &RunControl::empty(),
        };
        let mut rows = stage.rows();
        let stop = RefCell::new(Some(()));
        runtime().block_on(async {
            let (said, hears) = tokio::sync::oneshot::channel();
            let mut said = Some(said);
            let tell = |_: agent_bench::Progress<'_>| {
                stop.take();
                if let Some(said) = said.take() {
                    let _ = said.send(());
                }
            };
            // It is dropped in the trial after the first, wherever that is.
            tokio::select! {
                biased;
                _ = hears => {}
                _ = run(&plan, &shop, &mut rows, tell) => {}
            }
        });
        drop(rows);
        assert_eq!(stage.rows().all().len(), made);
    }
    let mut keys: Vec<_> = stage.rows().all().iter().map(TrialRow::key).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 6);
    assert_eq!(stage.run(&plan, settings, None).unwrap(), Stopped::Complete);
    assert_eq!(stage.rows().all().len(), 6);
}

#[test]
fn no_trial_begins_when_the_time_is_up() {
    let stage = Stage::new();
    let stopped = stage.run(&plan(1), stage.program(ENDS), Some(Instant::now())).unwrap();
    assert_eq!((stopped, stage.rows().all().len()), (Stopped::TimeUp, 0));
}

#[test]
fn a_server_that_is_gone_is_asked_three_times_and_no_failure_of_the_model() {
    let stage = Stage::new();
    let error = stage.run(&plan(1), stage.program("echo 'no server at h' >&2\nexit 3\n"), None).unwrap_err();
    assert_eq!(error.to_string(), "no server for a: no server at h");
    let rows = stage.rows();
    assert_eq!((rows.all().len(), classes(rows.all())), (3, vec![TrialClass::Fault]));
    drop(rows);
    let error = stage.run(&plan(1), stage.program("exit 4\n"), None).unwrap_err();
    assert!(matches!(error, RunError::NoModel { .. }), "{error}");
}

#[test]
fn a_trial_knows_nothing_of_the_persons_settings() {
    let stage = Stage::new();
    let tells = "env > seen.txt\ncat \"$XDG_CONFIG_HOME/agent/config.toml\" >> seen.txt\ngit log --oneline >> seen.txt\n\
                 git status --short >> seen.txt\necho \"$@\" >> seen.txt\n";
    let task = stage.templates[0].fill(1).unwrap();
    let settings = stage.program(tells);
    let tried = runtime().block_on(try_once(&arm("m"), &task, &settings, &stage.path("kept"))).unwrap();
    let seen = String::from_utf8(tried.result["seen.txt"].clone()).unwrap();
    let own =
        |name: &str| seen.lines().any(|line| line.starts_with(&format!("{name}=")) && line.contains("agent-bench-"));
    assert!(["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"].into_iter().all(own), "{seen}");
    assert!(!seen.lines().any(|line| line.starts_with("AGENT_MODEL=") || line.starts_with("OLLAMA_HOST=")), "{seen}");
    assert!(seen.contains("model = \"m\"") && seen.contains(" Start\n") && seen.contains("--unsafe"), "{seen}");
    assert!(!seen.contains("M say.sh"), "all is committed");
}

#[test]
fn a_trial_that_takes_too_long_is_ended_with_all_it_started() {
    let stage = Stage::new();
    let settings = stage.program("trap '' TERM\nsleep 73.125 &\nwait\nsleep 73.125\n");
    let settings = TrialSettings { time_factor: 0.005, ..settings };
    let task = stage.templates[0].fill(1).unwrap();
    let limit = Duration::from_secs(120);
    let tried = runtime().block_on(async {
        tokio::time::timeout(limit, try_once(&arm("m"), &task, &settings, &stage.path("kept"))).await
    });
    assert_eq!(tried.unwrap().unwrap().end, agent_bench::ChildEnd::TimeUp);
    assert_eq!(survivors("73.125"), 0);
}

/// Processes with this among their arguments, those that have ended left out.
fn survivors(argument: &str) -> usize {
    let lines = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = lines.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|byte| *byte == 0).any(|part| part == argument.as_bytes())).count()
}

#[test]
fn each_try_is_told_with_the_file_of_its_events_in_a_folder_that_was_emptied() {
    let stage = Stage::new();
    let plan = RunPlan { protocol: Some(ImportProtocol::Open), arms: vec![arm("a")], ..plan(1) };
    let (control, mut handle) = RunControl::new();
    let shop = Workshop {
        folder: stage.folder.path(),
        templates: &stage.templates,
        trials: stage.program(&format!("echo half > say.sh\n{ENDS}")),
        limits: &|root: &Path| Ok(limits::limits(root, 60)),
        watch: None,
        until: None,
        control: &control,
    };
    let kept = stage.path("kept/a/t1-1");
    fs::create_dir_all(&kept).unwrap();
    fs::write(kept.join("grading-9.txt"), "of an earlier attempt").unwrap();
    runtime().block_on(run(&plan, &shop, &mut stage.rows(), |_| ())).unwrap();
    let mut told = Vec::new();
    while let Ok(began) = handle.news.try_recv() {
        assert!(began.stream.is_file(), "{began:?}");
        told.push((began.key.task, began.stream));
    }
    let of_t1: Vec<&Path> = told.iter().filter(|(task, _)| task == "t1").map(|(_, stream)| stream.as_path()).collect();
    assert_eq!((told.len(), of_t1), (6, vec![kept.join("stream.jsonl").as_path(), &kept.join("stream-2.jsonl")]));
    assert!(!kept.join("grading-9.txt").exists());
}

#[test]
fn a_second_try_goes_on_in_the_same_project_and_one_without_a_server_spoils_both() {
    let stage = Stage::new();
    let again =
        |lines: &str| format!("case \" $* \" in *' --continue '*) {lines};; *) echo half > say.sh;; esac\n{ENDS}");
    let plan = RunPlan { protocol: Some(ImportProtocol::Open), arms: vec![arm("a")], ..plan(1) };
    let gone = stage.run(&plan, stage.program(&again("exit 3")), None);
    assert!(matches!(gone, Err(RunError::NoServer { .. })), "{gone:?}");
    assert_eq!(classes(stage.rows().all()), [TrialClass::Fault]);
    let solves =
        "grep -q half say.sh && echo \"echo $(printf '%s' \"$2\" | sed -n 's/^not ok 1 - says //p')\" > say.sh";
    assert_eq!(stage.run(&plan, stage.program(&again(solves)), None).unwrap(), Stopped::Complete);
    let rows = stage.rows();
    let solved: Vec<_> = rows.all().iter().filter(|row| row.class == TrialClass::Solved).collect();
    let tries = |row: &TrialRow| row.tries.iter().map(|each| each.class).collect::<Vec<_>>();
    assert_eq!(solved.len(), 3, "what was at fault is made again");
    assert!(solved.iter().all(|row| tries(row) == [TrialClass::Wrong, TrialClass::Solved] && row.steps == 2));
}
