//! Which path is answered by whom, and what is said to a path or method that nobody answers.

use crate::http::{AnswerHead, Outlet, Request};
use crate::journal::Ticket;
use crate::player::{Finish, send_fixed};
use crate::request::{RequestRefusal, is_possible_name, read_json, read_name};
use crate::state::House;
use crate::{Model, Wire, chat, completions, pull, show};
use serde_json::json;
use std::io::Result;

pub(crate) async fn answer(house: &House, request: &Request, ticket: &Ticket, outlet: &mut Outlet) -> Result<Finish> {
    outlet.answers(request);
    if let Some(fixed) = house.fixed_answer(&request.path) {
        house.script.wait(fixed.wait_ms).await;
        send_fixed(outlet, fixed.status, &fixed.headers, &fixed.body).await?;
        return Ok(Finish::Complete);
    }
    if !request.header("host").is_none_or(is_local) {
        outlet.whole(AnswerHead::new(403, ""), b"").await?;
        return Ok(Finish::Complete);
    }
    match house.script.speaks {
        Wire::Ollama => ollama(house, request, ticket, outlet).await,
        Wire::OpenAi => completions::answer(house, request, ticket, outlet).await,
    }
}

async fn ollama(house: &House, request: &Request, ticket: &Ticket, outlet: &mut Outlet) -> Result<Finish> {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET" | "HEAD", "/") => {
            outlet.whole(AnswerHead::new(200, "text/plain; charset=utf-8"), b"Ollama is running").await?
        }
        ("GET" | "HEAD", "/api/version") => outlet.json(200, &json!({"version": house.script.version()})).await?,
        ("GET" | "HEAD", "/api/tags") => outlet.json(200, &show::tags(&house.models())).await?,
        ("GET", "/api/ps") => outlet.json(200, &show::ps(&house.loaded(), !house.script.old)).await?,
        ("POST", "/api/show") => return show_model(house, &request.body, outlet).await,
        ("POST", "/api/chat") => return chat::answer(house, &request.body, ticket, outlet).await,
        ("DELETE", "/api/delete") => return remove_model(house, &request.body, outlet).await,
        ("POST", "/api/pull") => return pull::answer(house, &request.body, outlet).await,
        (_, path) => nobody(path, outlet).await?,
    }
    Ok(Finish::Complete)
}

async fn show_model(house: &House, body: &[u8], outlet: &mut Outlet) -> Result<Finish> {
    let found = read_json(body).and_then(|body| {
        let name = read_name(&body).ok_or_else(|| RequestRefusal::new(400, "model is required"))?;
        let missing = || RequestRefusal::new(404, format!("model '{}' not found", Model::full_name(name)));
        house.installed(name).ok_or_else(missing)
    });
    match found {
        Ok(model) => outlet.json(200, &show::show(&model)).await?,
        Err(refusal) => return chat::refuse(outlet, Wire::Ollama, &refusal).await,
    }
    Ok(Finish::Complete)
}

/// Words from Ollama's `DeleteHandler`; a model that is in memory stays there.
async fn remove_model(house: &House, body: &[u8], outlet: &mut Outlet) -> Result<Finish> {
    let removed = read_json(body).and_then(|body| {
        let name = read_name(&body).unwrap_or_default();
        if !is_possible_name(name) {
            return Err(RequestRefusal::new(400, format!("name {name:?} is invalid")));
        }
        let missing = || RequestRefusal::new(404, format!("model '{name}' not found"));
        house.remove(name).then_some(()).ok_or_else(missing)
    });
    match removed {
        Ok(()) => outlet.whole(AnswerHead::new(200, ""), b"").await?,
        Err(refusal) => return chat::refuse(outlet, Wire::Ollama, &refusal).await,
    }
    Ok(Finish::Complete)
}

/// Not JSON, as on a real server.
async fn nobody(path: &str, outlet: &mut Outlet) -> Result<()> {
    let allowed = match path {
        "/" | "/api/version" | "/api/tags" => "GET, HEAD",
        "/api/ps" => "GET",
        "/api/show" | "/api/chat" | "/api/pull" => "POST",
        "/api/delete" => "DELETE",
        _ => return outlet.whole(AnswerHead::new(404, "text/plain"), b"404 page not found").await,
    };
    let more = vec![("Allow".to_owned(), allowed.to_owned())];
    outlet.whole(AnswerHead { more, ..AnswerHead::new(405, "text/plain") }, b"405 method not allowed").await
}

/// A page that was lured onto this address names another host; real servers refuse it.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.is_empty() || name == "localhost" || name.ends_with(".localhost") || name.parse::<std::net::IpAddr>().is_ok()
}
