//! A new run: which tasks, which models, and what is written down of both.

use super::{importing, some};
use crate::args::{BenchWish, Setting, mode_of};
use crate::session::{Plan, chosen_model, host};
use agent_backend::Kind;
use agent_bench::import::Imported;
use agent_bench::task::Template;
use agent_bench::{Candidate, RunPlan, Trying, Variant, embedded, now, run_name, selftest};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The form of what is written down.
const VERSION: u32 = 1;
/// All that are built in: the core, and more in larger projects.
const LONG: &str = "long";
const COURSES: [&str; 3] = ["quick", "core", LONG];

/// What `wish` comes to with the settings of `session`.
pub(super) fn plan(wish: &BenchWish, session: &Plan, varied: &Varied, imported: Option<Imported>) -> Result<RunPlan> {
    let folder = folder(wish)?;
    let protocol = imported.is_some().then_some(wish.import.protocol);
    let (templates, left_out) = match imported {
        Some(Imported { templates, left_out }) => (templates, left_out),
        None => tasks(wish, folder.as_ref())?,
    };
    let course = folder.as_ref().map_or(wish.course.clone(), |folder| folder.display().to_string());
    let course = protocol.map_or(course.clone(), |protocol| format!("{course}, {}", protocol.words()));
    let began = now();
    let mut tasks = Vec::new();
    for template in &templates {
        tasks.push((template.id.clone(), template.sheet()?.kind));
    }
    let arms: Vec<Variant> = arms(wish, session)?.iter().flat_map(|arm| varied.arms(arm)).collect();
    Ok(RunPlan {
        version: VERSION,
        id: run_name(began, folder.as_ref().map_or(&wish.course, |_| "own")),
        began,
        agent: env!("CARGO_PKG_VERSION").into(),
        command: repeats(wish, &arms, folder.as_ref()),
        course,
        hash: embedded::task_set_hash(&templates),
        folder,
        protocol,
        tasks,
        left_out,
        arms,
        trials: wish.trials.get(),
        seed: wish.seed,
        time_factor: wish.time_factor,
        trying: varied.trying,
        only: wish.tasks.clone(),
        no_exam: wish.no_exam,
    })
}

/// Refuses what cannot become a run, before anybody is asked and anything examined.
pub(super) fn check(wish: &BenchWish) -> Result<()> {
    if models(wish).len() > 1 && takes_one(wish) {
        bail!("--tune, and several --ab, go with one model; make a run for each");
    }
    match &wish.import.import {
        Some(folder) => importing::read(folder, &wish.import, &wish.tasks).map(drop),
        None => tasks(wish, folder(wish)?.as_ref()).map(drop),
    }
}

/// Whether it is about settings of one model, and not about several models.
pub(super) fn takes_one(wish: &BenchWish) -> bool {
    wish.tune || wish.ab.len() > 1
}

/// The folder of tasks or of exercises, where they are not built in.
fn folder(wish: &BenchWish) -> Result<Option<PathBuf>> {
    let folder = wish.dir.as_ref().or(wish.import.import.as_ref());
    folder.map(|folder| folder.canonicalize().context("the folder of tasks")).transpose()
}

/// The models that are named, each once.
fn models(wish: &BenchWish) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    for name in wish.models.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        if !models.iter().any(|known| known == name) {
            models.push(name.to_owned());
        }
    }
    models
}

type LeftOut = Vec<(String, String)>;

/// Tasks that can be made here, and those that are left out, with the reason.
fn tasks(wish: &BenchWish, folder: Option<&PathBuf>) -> Result<(Vec<Template>, LeftOut)> {
    if folder.is_none() && !COURSES.contains(&wish.course.as_str()) {
        bail!("there is no course {}; there are {}", wish.course, COURSES.join(", "));
    }
    let all = match folder {
        Some(folder) => embedded::in_folder(folder)?,
        None => embedded::built_in()?,
    };
    let (mut tasks, mut left_out) = (Vec::new(), Vec::new());
    for task in all {
        let sheet = task.sheet()?;
        let in_course = folder.is_some() || wish.course == LONG || sheet.courses.contains(&wish.course);
        let is_named = wish.tasks.is_empty() || wish.tasks.iter().any(|name| task.id.starts_with(name.as_str()));
        let missing = selftest::missing(&sheet.needs);
        match (in_course && is_named, missing.is_empty()) {
            (false, _) => {}
            (true, true) => tasks.push(task),
            (true, false) => left_out.push((task.id, format!("{} is not there", missing.join(", ")))),
        }
    }
    Ok((some(tasks, "there is no such task, or none whose programs are here; `--course long` has the most")?, left_out))
}

/// Each model, on the server of the settings.
pub(super) fn arms(wish: &BenchWish, session: &Plan) -> Result<Vec<Variant>> {
    let mut models = models(wish);
    if models.is_empty() {
        models.extend(chosen_model(session));
    }
    let models = some(models, "which models? --models NAME,NAME; `agent models` lists those that are installed")?;
    let config = &session.config;
    let host = host(config)?.to_string();
    let mut options = config.options.clone();
    if let Some(most) = config.max_reply_tokens {
        options.insert("num_predict".into(), most.into());
    }
    let think = config.think.as_ref().and_then(|think| serde_json::to_value(think).ok());
    let mode = |form: &String| ("tools.mode".to_owned(), mode_of(form).to_owned());
    let form: BTreeMap<String, String> = wish.form.iter().map(mode).collect();
    let arm = |model: String| Variant {
        name: model.clone(),
        host: host.clone(),
        kind: kind(config.access.kind).into(),
        api_key_env: config.access.api_key_env.clone(),
        headers_env: config.access.headers_env.clone(),
        allow_plain_key: config.access.allow_plain_key,
        model,
        window: config.num_ctx,
        think: think.as_ref().and_then(Value::as_str).map(str::to_owned),
        options: options.clone(),
        settings: form.clone(),
    };
    Ok(models.into_iter().map(arm).collect())
}

/// Which settings are compared, and how.
pub(super) struct Varied {
    settings: Vec<Setting>,
    trying: Trying,
}

impl Varied {
    /// What `wish` names: the values of one setting each with each, of several each with the model as it is.
    pub(super) fn of(wish: &BenchWish) -> Self {
        let trying = if wish.ab.len() > 1 { Trying::OneByOne } else { Trying::Together };
        Varied { settings: wish.ab.clone(), trying }
    }

    /// What is tried to suit a model.
    pub(super) fn tuning(candidates: Vec<Candidate>) -> Self {
        let settings = candidates.into_iter().map(|Candidate { key, values, .. }| Setting { key, values });
        Varied { settings: settings.collect(), trying: Trying::Tuning }
    }

    /// The arm with each value of each setting.
    fn arms(&self, arm: &Variant) -> Vec<Variant> {
        let as_it_is = (self.settings.is_empty() || self.trying != Trying::Together).then(|| arm.clone());
        let with = |(key, value): (&String, &String)| {
            let mut with = Variant { name: format!("{} {key}={value}", arm.name), ..arm.clone() };
            with.settings.insert(key.clone(), value.clone());
            with
        };
        let values = self.settings.iter().flat_map(|setting| setting.values.iter().map(|value| (&setting.key, value)));
        as_it_is.into_iter().chain(values.map(with)).collect()
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Auto => "auto",
        Kind::Ollama => "ollama",
        Kind::OpenAi => "openai",
    }
}

/// The command that makes the same run once more.
fn repeats(wish: &BenchWish, arms: &[Variant], folder: Option<&PathBuf>) -> String {
    let mut models: Vec<&str> = arms.iter().map(|arm| arm.model.as_str()).collect();
    models.dedup();
    let mut words = vec!["agent".to_owned(), "bench".to_owned(), "--models".to_owned(), models.join(",")];
    let mut say = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
    if let Some(form) = &wish.form {
        say("--form", form.clone());
    }
    for ab in &wish.ab {
        say("--ab", format!("{}={}", ab.key, ab.values.join(",")));
    }
    match (folder, &wish.import.import) {
        (Some(folder), Some(_)) => {
            say("--import", folder.display().to_string());
            if !wish.import.lang.is_empty() {
                say("--lang", wish.import.lang.join(","));
            }
            say("--protocol", wish.import.protocol.to_string());
        }
        (Some(folder), None) => say("--dir", folder.display().to_string()),
        (None, _) => say("--course", wish.course.clone()),
    }
    if !wish.tasks.is_empty() {
        say("--tasks", wish.tasks.join(","));
    }
    say("--trials", wish.trials.to_string());
    say("--seed", wish.seed.to_string());
    // Exactly 1 is what it is where nobody said anything.
    if wish.time_factor != 1.0 {
        say("--time-factor", wish.time_factor.to_string());
    }
    words.extend(wish.tune.then(|| "--tune".to_owned()));
    words.extend(wish.no_exam.then(|| "--no-exam".to_owned()));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// As a word of a shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:,=@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Said {
        #[command(flatten)]
        wish: BenchWish,
    }

    fn wish(args: &[&str]) -> Result<BenchWish, clap::Error> {
        Said::try_parse_from([&["bench"], args].concat()).map(|said| said.wish)
    }

    fn arm(model: &str) -> Variant {
        serde_json::from_value(serde_json::json!({"name": model, "host": "h", "kind": "auto", "model": model})).unwrap()
    }

    #[test]
    fn the_command_that_repeats_a_run_says_all_of_it_in_words_of_a_shell() {
        let arms = [arm("qwen3:8b")];
        let same = wish(&["--course", "core", "--seed", "7"]).unwrap();
        let command = repeats(&same, &arms, None);
        assert_eq!(command, "agent bench --models qwen3:8b --course core --trials 1 --seed 7");
        let more = wish(&["--time-factor", "2.5", "--tune", "--no-exam", "--tasks", "py"]).unwrap();
        let command = repeats(&more, &arms, Some(&PathBuf::from("/home/me/it's mine")));
        let expected = "agent bench --models qwen3:8b --dir '/home/me/it'\\''s mine' --tasks py --trials 1 --seed 1 \
                        --time-factor 2.5 --tune --no-exam";
        assert_eq!(command, expected);
    }

    #[test]
    fn the_form_of_work_is_the_same_in_every_arm() {
        let wish = wish(&["--form", "calls", "--ab", "harness.facts=false,true"]).unwrap();
        assert!(repeats(&wish, &[arm("m")], None).contains("--form calls --ab harness.facts=false,true"));
        let form = ("tools.mode".to_owned(), "native".to_owned());
        let base = Variant { settings: BTreeMap::from([form.clone()]), ..arm("m") };
        let arms = Varied::of(&wish).arms(&base);
        let facts = |value: &str| BTreeMap::from([form.clone(), ("harness.facts".to_owned(), value.to_owned())]);
        assert_eq!(arms.iter().map(|arm| &arm.settings).collect::<Vec<_>>(), [&facts("false"), &facts("true")]);
        assert!(arms[0].config().contains("mode = \"native\"") && arms[0].config().contains("facts = false"));
    }

    #[test]
    fn what_cannot_become_a_run_is_refused_before_anything_is_asked() {
        let refused = |args: &[&str]| check(&wish(args).unwrap()).unwrap_err().to_string();
        assert!(refused(&["--course", "golf"]).contains("no course golf"));
        assert!(refused(&["--models", "a,b", "--tune"]).contains("one model"));
        let several = ["--models", "a,b", "--ab", "think=off,on", "--ab", "options.top_k=1,2"];
        assert!(refused(&several).contains("one model"));
        assert!(refused(&["--tasks", "nothing-like-it"]).contains("no such task"));
        assert!(refused(&["--dir", "/nowhere/at/all"]).contains("folder of tasks"));
        assert!(check(&wish(&["--models", "a,a", "--tune"]).unwrap()).is_ok(), "one model, said twice");
    }

    #[test]
    fn the_demo_is_one_run_that_nothing_else_goes_with() {
        for with in [
            &["--tune"][..],
            &["--no-exam"],
            &["--import", "d"],
            &["--dir", "d"],
            &["--ab", "think=off,on"],
            &["--models", "m"],
        ] {
            assert!(wish(&[&["--demo"], with].concat()).is_err(), "{with:?}");
        }
        assert!(wish(&["--demo", "--tasks", "py", "--for", "1m"]).is_ok());
    }
}
