//! `POST /api/chat`: takes the request, loads the model, finds the reply and plays it.

use crate::Model;
use crate::http::{Head, JSON, Outlet};
use crate::player::{Finish, Plan, Player};
use crate::request::{Chat, Refusal, Stage};
use crate::stamp::rfc3339;
use crate::state::{House, wants_unload};
use crate::voice::{Voice, late_error};
use crate::wire::{ErrorBody, go_json};
use serde_json::json;
use std::io::Result;
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// When a request arrived, and as which of all.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    at: Instant,
    number: u64,
}

pub(crate) async fn answer(house: &House, number: u64, body: &[u8], outlet: &mut Outlet) -> Result<Finish> {
    let arrival = Arrival { at: Instant::now(), number };
    match accept(house, body) {
        Ok((chat, model)) if chat.messages.is_empty() => only_load(house, &chat, &model, outlet).await,
        Ok((chat, model)) => reply(house, &chat, &model, arrival, outlet).await,
        Err(refusal) => refuse(outlet, &refusal).await,
    }
}

/// Tells a client why its request was not taken.
pub(crate) async fn refuse(outlet: &mut Outlet, refusal: &Refusal) -> Result<Finish> {
    match refusal.stage {
        Stage::Early => outlet.json(refusal.status, &ErrorBody { error: &refusal.message }).await?,
        Stage::Late => late_error(outlet, refusal.status, &refusal.message).await?,
    }
    Ok(Finish::Complete)
}

fn accept(house: &House, body: &[u8]) -> std::result::Result<(Chat, Model), Refusal> {
    let chat = Chat::read(body)?;
    let model = house.installed(&chat.model);
    let model = model.ok_or_else(|| Refusal::new(404, format!("model '{}' not found", chat.model)))?;
    chat.check_against(&model)?;
    Ok((chat, model))
}

/// A request without messages only loads the model, or takes it out of memory.
async fn only_load(house: &House, chat: &Chat, model: &Model, outlet: &mut Outlet) -> Result<Finish> {
    let reason = if wants_unload(chat.keep_alive.as_ref()) {
        house.unload(model);
        "unload"
    } else {
        let desk = house.desk(model);
        let _turn = desk.lock().await;
        load(house, chat, model).await;
        "load"
    };
    let body = json!({
        "model": chat.model,
        "created_at": rfc3339(SystemTime::now()),
        "message": {"role": "assistant", "content": ""},
        "done": true,
        "done_reason": reason,
    });
    outlet.whole(Head::new(200, JSON), go_json(&body).as_bytes()).await?;
    Ok(Finish::Complete)
}

async fn reply(house: &House, chat: &Chat, model: &Model, arrival: Arrival, outlet: &mut Outlet) -> Result<Finish> {
    let desk = house.desk(model);
    let _turn = desk.lock().await;
    let load = load(house, chat, model).await;
    let plan = match plan(chat, model, arrival.at, load) {
        Ok(plan) => plan,
        Err(refusal) => return refuse(outlet, &refusal).await,
    };
    let voice = if chat.streamed { Voice::streamed(outlet, &chat.model) } else { Voice::gathered(outlet, &chat.model) };
    let finish = Player::new(house, voice, plan).play(house.reply_to(chat, arrival.number)).await?;
    if wants_unload(chat.keep_alive.as_ref()) {
        house.unload(model);
    }
    Ok(finish)
}

/// Puts the model into memory as this request wants it. While that lasts, `/api/ps` does not list it.
async fn load(house: &House, chat: &Chat, model: &Model) -> Duration {
    let start = Instant::now();
    if house.must_load(model, chat) {
        house.script.wait(house.script.load_ms).await;
    }
    house.keep_loaded(model, chat);
    start.elapsed()
}

fn plan(chat: &Chat, model: &Model, arrived: Instant, load: Duration) -> std::result::Result<Plan, Refusal> {
    let window = House::window(model, chat);
    let prompt = chat.prompt_tokens();
    if prompt > window && !chat.truncate {
        return Err(too_long(prompt, window));
    }
    let prompt_tokens = prompt.min(window);
    let predicted = chat.num_predict.and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0);
    let room = (chat.shift == Some(false)).then(|| window - prompt_tokens);
    let allowed = predicted.into_iter().chain(room).min();
    Ok(Plan { call_style: model.calls, arrived, load, prompt_tokens, allowed })
}

/// What the runner says is JSON, and the server puts it into a string.
fn too_long(prompt: u64, window: u64) -> Refusal {
    let message =
        format!("request ({prompt} tokens) exceeds the available context size ({window} tokens), try increasing it");
    let inner = json!({
        "error": {
            "code": 400,
            "message": message,
            "type": "exceed_context_size_error",
            "n_prompt_tokens": prompt,
            "n_ctx": window,
        }
    });
    Refusal::late(400, inner.to_string())
}
