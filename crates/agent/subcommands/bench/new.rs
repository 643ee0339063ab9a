//! A new run: which tasks, which models, and what is written down of both.

use super::some;
use crate::args::BenchWish;
use crate::session::{Plan, chosen_model, host};
use agent_backend::Kind;
use agent_bench::task::Template;
use agent_bench::{Arm, RunPlan, embedded, now, run_name, selftest};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The form of what is written down.
const VERSION: u32 = 1;
const COURSES: [&str; 3] = ["quick", "core", "all"];

/// What `wish` comes to with the settings of `session`.
pub(super) fn plan(wish: &BenchWish, session: &Plan) -> Result<RunPlan> {
    let folder = wish.dir.as_ref().map(|folder| folder.canonicalize().context("the folder of tasks")).transpose()?;
    let (templates, left_out) = tasks(wish, folder.as_ref())?;
    let course = folder.as_ref().map_or(wish.course.clone(), |folder| folder.display().to_string());
    let began = now();
    let mut tasks = Vec::new();
    for template in &templates {
        tasks.push((template.id.clone(), template.sheet()?.kind));
    }
    let arms = arms(wish, session)?;
    Ok(RunPlan {
        version: VERSION,
        id: run_name(began, folder.as_ref().map_or(&wish.course, |_| "own")),
        began,
        agent: env!("CARGO_PKG_VERSION").into(),
        command: repeats(wish, &arms, folder.as_ref()),
        course,
        hash: embedded::course_hash(&templates),
        folder,
        tasks,
        left_out,
        arms,
        trials: wish.trials.get(),
        seed: wish.seed,
        time_factor: wish.time_factor,
    })
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
        let in_course = folder.is_some() || wish.course == "all" || sheet.courses.contains(&wish.course);
        let is_named = wish.tasks.is_empty() || wish.tasks.iter().any(|name| task.id.starts_with(name.as_str()));
        let missing = selftest::missing(&sheet.needs);
        match (in_course && is_named, missing.is_empty()) {
            (false, _) => {}
            (true, true) => tasks.push(task),
            (true, false) => left_out.push((task.id, format!("{} is not there", missing.join(", ")))),
        }
    }
    Ok((some(tasks, "there is no such task, or none whose programs are here; `--course all` has the most")?, left_out))
}

/// Each model, on the server of the settings.
fn arms(wish: &BenchWish, session: &Plan) -> Result<Vec<Arm>> {
    let mut models: Vec<String> = wish.models.iter().map(|name| name.trim().to_owned()).collect();
    models.retain(|name| !name.is_empty());
    if models.is_empty() {
        models.extend(chosen_model(session));
    }
    let mut models = some(models, "which models? --models NAME,NAME; `agent models` lists those that are installed")?;
    let mut seen = Vec::new();
    models.retain(|name| {
        !seen.contains(name) && {
            seen.push(name.clone());
            true
        }
    });
    let config = &session.config;
    let host = host(config)?.to_string();
    let mut options = config.options.clone();
    if let Some(most) = config.max_reply_tokens {
        options.insert("num_predict".into(), most.into());
    }
    let think = config.think.as_ref().and_then(|think| serde_json::to_value(think).ok());
    let arm = |model: String| Arm {
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
        settings: BTreeMap::new(),
    };
    Ok(models.into_iter().map(arm).flat_map(|arm| varied(&arm, wish)).collect())
}

/// The arm with each value of the setting that is compared.
fn varied(arm: &Arm, wish: &BenchWish) -> Vec<Arm> {
    let Some(setting) = &wish.ab else { return vec![arm.clone()] };
    let with = |value: &String| Arm {
        name: format!("{} {}={value}", arm.name, setting.key),
        settings: BTreeMap::from([(setting.key.clone(), value.clone())]),
        ..arm.clone()
    };
    setting.values.iter().map(with).collect()
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Auto => "auto",
        Kind::Ollama => "ollama",
        Kind::OpenAi => "openai",
    }
}

/// The command that makes the same run once more.
fn repeats(wish: &BenchWish, arms: &[Arm], folder: Option<&PathBuf>) -> String {
    let mut models: Vec<&str> = arms.iter().map(|arm| arm.model.as_str()).collect();
    models.dedup();
    let compared = wish.ab.as_ref().map_or(String::new(), |ab| format!(" --ab {}={}", ab.key, ab.values.join(",")));
    let tasks = match folder {
        Some(folder) => format!("--dir {}", folder.display()),
        None => format!("--course {}", wish.course),
    };
    let only = if wish.tasks.is_empty() { String::new() } else { format!(" --tasks {}", wish.tasks.join(",")) };
    format!(
        "agent bench --models {}{compared} {tasks}{only} --trials {} --seed {}",
        models.join(","),
        wish.trials,
        wish.seed
    )
}
