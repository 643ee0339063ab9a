//! `POST /api/pull`: a download that the script allows, or the error of a machine without network.
//!
//! A client that goes away stops the download; what is there stays for the next try.

use crate::chat::refuse;
use crate::http::{AnswerHead, LINES, Outlet};
use crate::player::Finish;
use crate::request::{RequestRefusal, is_possible_name, read_json, read_name};
use crate::show::digest;
use crate::state::House;
use crate::wire::{ErrorBody, go_json};
use crate::{Model, Pull, Wire};
use serde_json::{Value, json};
use std::io::Result;

pub(crate) async fn answer(house: &House, body: &[u8], outlet: &mut Outlet) -> Result<Finish> {
    let body = match read_json(body) {
        Ok(body) => body,
        Err(refusal) => return refuse(outlet, Wire::Ollama, &refusal).await,
    };
    let Some(name) = read_name(&body).filter(|name| is_possible_name(name)) else {
        return refuse(outlet, Wire::Ollama, &RequestRefusal::new(400, "invalid model name")).await;
    };
    let outcome = if body["stream"].as_bool().unwrap_or(true) {
        let mut told = PullAudience::Lines(outlet);
        told.begin();
        download(house, &body, name, &mut told).await
    } else {
        download(house, &body, name, &mut PullAudience::OnlyTheEnd(outlet)).await
    };
    outcome.map(|()| Finish::Complete)
}

/// How much the client wants to hear.
enum PullAudience<'a> {
    Lines(&'a mut Outlet),
    OnlyTheEnd(&'a mut Outlet),
}

impl PullAudience<'_> {
    fn begin(&mut self) {
        if let PullAudience::Lines(outlet) = self {
            outlet.begin(AnswerHead::new(200, LINES));
        }
    }

    async fn line(&mut self, line: &Value) -> Result<()> {
        if let PullAudience::Lines(outlet) = self {
            outlet.chunk((go_json(line) + "\n").as_bytes()).await?;
            outlet.flush().await?;
        }
        Ok(())
    }

    async fn success(&mut self) -> Result<()> {
        let line = json!({"status": "success"});
        match self {
            PullAudience::OnlyTheEnd(outlet) => outlet.json(200, &line).await,
            PullAudience::Lines(outlet) => {
                outlet.chunk((go_json(&line) + "\n").as_bytes()).await?;
                outlet.finish().await
            }
        }
    }

    async fn failure(&mut self, error: &str) -> Result<()> {
        let body = go_json(&ErrorBody { error });
        match self {
            PullAudience::OnlyTheEnd(outlet) => {
                outlet.whole(AnswerHead::new(500, "application/json"), body.as_bytes()).await
            }
            PullAudience::Lines(outlet) => {
                outlet.chunk((body + "\n").as_bytes()).await?;
                outlet.finish().await
            }
        }
    }
}

async fn download(house: &House, body: &Value, name: &str, told: &mut PullAudience<'_>) -> Result<()> {
    told.line(&json!({"status": "pulling manifest"})).await?;
    let Some(pull) = house.script.pulls.iter().find(|pull| pull.model.is_called(name)) else {
        return told.failure(&no_network(name, body)).await;
    };
    if let Err(words) = layer(house, pull, told).await? {
        return told.failure(words).await;
    }
    for status in ["verifying sha256 digest", "writing manifest"] {
        told.line(&json!({"status": status})).await?;
    }
    house.install(pull.model.clone());
    told.success().await
}

/// The one large part of a model. The inner error is the script's.
async fn layer<'a>(
    house: &House,
    pull: &'a Pull,
    told: &mut PullAudience<'_>,
) -> Result<std::result::Result<(), &'a str>> {
    let model = &pull.model;
    let digest = digest(model);
    let status = format!("pulling {}", &digest[..12]);
    let digest = format!("sha256:{digest}");
    let lines = pull.lines.max(1);
    let already = house.downloaded(&model.name);
    told.line(&json!({"status": status, "digest": digest, "total": model.size})).await?;
    for line in 1..=lines {
        let completed =
            u64::try_from(u128::from(model.size) * u128::from(line) / u128::from(lines)).unwrap_or(model.size);
        if completed < already {
            continue;
        }
        house.script.wait(pull.ms / lines).await;
        house.keep_download(&model.name, completed);
        told.line(&json!({"status": status, "digest": digest, "total": model.size, "completed": completed})).await?;
        if let Some(words) = pull.fails.as_deref().filter(|_| line * 2 >= lines) {
            return Ok(Err(words));
        }
    }
    Ok(Ok(()))
}

/// The words of a machine on which nobody answers at the registry's address.
fn no_network(name: &str, body: &Value) -> String {
    let full = Model::full_name(name);
    let (path, tag) = full.rsplit_once(':').unwrap_or((full.as_str(), "latest"));
    let (host, path) = match path.splitn(3, '/').collect::<Vec<_>>()[..] {
        [host, owner, model] => (host, format!("{owner}/{model}")),
        [_, _] => ("registry.ollama.ai", path.to_owned()),
        _ => ("registry.ollama.ai", format!("library/{path}")),
    };
    let scheme = if body["insecure"] == true { "http" } else { "https" };
    let port = if host.contains(':') { "" } else { ":443" };
    let address = format!("{scheme}://{host}/v2/{path}/manifests/{tag}");
    format!("pull model manifest: Get \"{address}\": dial tcp {host}{port}: connect: connection refused")
}
