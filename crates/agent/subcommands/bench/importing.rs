//! Exercises of others, before they are tried with a model: each is held to its own example, and what does not hold is left
//! out and said.

use super::{limits, say, some};
use crate::args::{BenchWish, Import};
use agent_bench::import::{self, Imported};
use agent_bench::task::Template;
use agent_bench::{GradingPlace, selftest as test};
use anyhow::{Context, Result, anyhow};
use std::path::Path;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// The exercises that `wish` imports and that hold; `None` where it imports none.
pub(super) fn tasks(runtime: &Runtime, wish: &BenchWish) -> Result<Option<Imported>> {
    let Some(folder) = &wish.import.import else { return Ok(None) };
    let mut imported = read(folder, &wish.import, &wish.tasks)?;
    let all = std::mem::take(&mut imported.templates);
    say(&format!("{} exercises are held to their own examples first", all.len()));
    for template in all {
        match fault(runtime, &template)? {
            None => imported.templates.push(template),
            Some(why) => imported.left_out.push((template.id, why)),
        }
    }
    imported.templates =
        some(imported.templates, "no exercise holds; `agent bench selftest --import DIR` says why not")?;
    Ok(Some(imported))
}

/// Says of each exercise whether it holds. What does not is no fault: it is left out of runs.
pub(super) fn selftest(runtime: &Runtime, ids: &[String], wish: &Import) -> Result<ExitCode> {
    let folder = wish.import.as_ref().context("no folder")?;
    let Imported { templates, left_out } = read(folder, wish, ids)?;
    let (mut held, mut out) = (0, left_out.len());
    for (id, why) in &left_out {
        say(&format!("left out  {id} ({why})"));
    }
    for template in templates {
        match fault(runtime, &template)? {
            None => {
                say(&format!("holds     {}", template.id));
                held += 1;
            }
            Some(why) => {
                say(&format!("left out  {} ({why})", template.id));
                out += 1;
            }
        }
    }
    say(&format!("{held} hold, {out} left out"));
    Ok(if held > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The exercises whose names begin with one of `ids`, or all.
pub(super) fn read(folder: &Path, wish: &Import, ids: &[String]) -> Result<Imported> {
    let folder = folder.canonicalize().with_context(|| format!("the exercises in {}", folder.display()))?;
    let mut imported = import::read(&folder, &wish.lang, wish.protocol)?;
    let named = |id: &str| ids.is_empty() || ids.iter().any(|name| id.starts_with(name.as_str()));
    imported.templates.retain(|template| named(&template.id));
    imported.left_out.retain(|(id, _)| named(id));
    Ok(imported)
}

/// Why it cannot be tried here.
fn fault(runtime: &Runtime, template: &Template) -> Result<Option<String>> {
    let missing = test::missing(&template.sheet()?.needs);
    if !missing.is_empty() {
        return Ok(Some(format!("{} is not there", missing.join(", "))));
    }
    let folder = agent_bench::scratch()?;
    let root = folder.path().canonicalize()?;
    let limits = limits::limits(&root).map_err(|why| anyhow!("nothing can be graded here: {why}"))?;
    let place = GradingPlace::new(&root, limits)?;
    Ok(runtime.block_on(import::examine(&place, template))?)
}
