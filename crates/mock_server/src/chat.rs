//! `POST /api/chat`: takes the request, loads the model, finds the reply and plays it.

use crate::api_format::ApiFormat;
use crate::events::{self, Completion};
use crate::http::{AnswerHead, JSON, Outlet};
use crate::journal::{PromptRead, Ticket};
use crate::player::{Finish, Plan, Player};
use crate::prompt::Prompt;
use crate::render::rendered;
use crate::reply_writer::{ReplyWriter, late_error};
use crate::request::{Chat, ChatWish, RequestRefusal, Stage, read_json};
use crate::stamp::rfc3339;
use crate::state::{House, wants_unload};
use crate::wire::{ErrorBody, go_json};
use crate::{Model, Wire};
use serde_json::{Value, json};
use std::io::Result;
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// One request: when it arrived, as which of all that want a reply, and where the journal stands open for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival<'a> {
    pub(crate) at: Instant,
    pub(crate) number: u64,
    pub(crate) ticket: &'a Ticket,
}

pub(crate) async fn answer(house: &House, body: &[u8], ticket: &Ticket, outlet: &mut Outlet) -> Result<Finish> {
    let at = Instant::now();
    let body = read_json(body);
    let wish = body.as_ref().map_or(ChatWish::Reply, ChatWish::of);
    let number = if wish == ChatWish::Reply { house.next_chat_number() } else { 0 };
    let arrival = Arrival { at, number, ticket };
    match body.and_then(|body| accept(house, &body)) {
        Ok((chat, model)) => match wish {
            ChatWish::Load => only_load(house, &chat, &model, ticket, outlet).await,
            ChatWish::Render if !house.script.old => only_render(house, &chat, &model, ticket, outlet).await,
            ChatWish::Render | ChatWish::Reply => reply(house, &chat, &model, arrival, outlet).await,
        },
        Err(refusal) => refuse(outlet, Wire::Ollama, &refusal).await,
    }
}

/// Tells a client why its request was not taken.
pub(crate) async fn refuse(outlet: &mut Outlet, wire: Wire, refusal: &RequestRefusal) -> Result<Finish> {
    match (wire, refusal.stage) {
        (Wire::OpenAi, _) => events::refuse(outlet, refusal.status, &refusal.message).await?,
        (Wire::Ollama, Stage::Early) => outlet.json(refusal.status, &ErrorBody { error: &refusal.message }).await?,
        (Wire::Ollama, Stage::Late) => late_error(outlet, refusal.status, &refusal.message).await?,
    }
    Ok(Finish::Complete)
}

/// Takes a request, if there is such a model and it can do that.
pub(crate) fn accept(house: &House, body: &Value) -> std::result::Result<(Chat, Model), RequestRefusal> {
    let chat = Chat::read(body)?;
    let model = house.installed(&chat.model);
    let model = model.ok_or_else(|| RequestRefusal::new(404, format!("model '{}' not found", chat.model)))?;
    chat.check_against(&model)?;
    Ok((chat, model))
}

/// A request without messages only loads the model, or takes it out of memory.
async fn only_load(house: &House, chat: &Chat, model: &Model, ticket: &Ticket, outlet: &mut Outlet) -> Result<Finish> {
    let reason = if wants_unload(chat.keep_alive.as_ref()) {
        house.unload(model);
        "unload"
    } else {
        let desk = house.desk(model);
        let _turn = desk.lock().await;
        load(house, chat, model, ticket).await;
        "load"
    };
    let body = json!({
        "model": chat.model,
        "created_at": rfc3339(SystemTime::now()),
        "message": {"role": "assistant", "content": ""},
        "done": true,
        "done_reason": reason,
    });
    outlet.whole(AnswerHead::new(200, JSON), go_json(&body).as_bytes()).await?;
    Ok(Finish::Complete)
}

/// The text that the model would be given, and nothing is generated. The model is loaded for it all the same.
async fn only_render(
    house: &House,
    chat: &Chat,
    model: &Model,
    ticket: &Ticket,
    outlet: &mut Outlet,
) -> Result<Finish> {
    let desk = house.desk(model);
    let _turn = desk.lock().await;
    load(house, chat, model, ticket).await;
    let body = json!({
        "model": chat.model,
        "created_at": rfc3339(SystemTime::now()),
        "message": {"role": "", "content": ""},
        "done": false,
        "_debug_info": {"rendered_template": rendered(chat, &house.script)},
    });
    outlet.json(200, &body).await?;
    Ok(Finish::Complete)
}

/// Gives the script's reply, in the language that the script speaks.
pub(crate) async fn reply(
    house: &House,
    chat: &Chat,
    model: &Model,
    arrival: Arrival<'_>,
    outlet: &mut Outlet,
) -> Result<Finish> {
    let wire = house.script.speaks;
    let desk = house.desk(model);
    let _turn = desk.lock().await;
    let load = load(house, chat, model, arrival.ticket).await;
    let plan = match plan(house, chat, model, arrival, load) {
        Ok(plan) => plan,
        Err(refusal) => return refuse(outlet, wire, &refusal).await,
    };
    let api_format = match wire {
        Wire::Ollama => ApiFormat::Ollama { model: &chat.model },
        Wire::OpenAi => ApiFormat::OpenAi(Completion::new(&chat.model, arrival.number, chat.counted)),
    };
    let writer = if chat.streamed {
        ReplyWriter::streamed(outlet, api_format)
    } else {
        ReplyWriter::gathered(outlet, api_format)
    };
    let finish = Player::new(house, model, writer, plan).play(house.reply_to(chat, arrival.number)).await?;
    if wants_unload(chat.keep_alive.as_ref()) {
        house.unload(model);
    }
    Ok(finish)
}

/// Puts the model into memory as this request wants it. While that lasts, `/api/ps` does not list it.
async fn load(house: &House, chat: &Chat, model: &Model, ticket: &Ticket) -> Duration {
    let start = Instant::now();
    if house.must_load(model, chat) {
        ticket.loaded();
        house.script.wait(house.script.load_ms).await;
    }
    house.keep_loaded(model, chat);
    start.elapsed()
}

fn plan(
    house: &House,
    chat: &Chat,
    model: &Model,
    arrival: Arrival<'_>,
    load: Duration,
) -> std::result::Result<Plan, RequestRefusal> {
    let script = &house.script;
    let window = house.window(model, chat);
    let prompt = if script.old { Prompt::cut(chat, script, window) } else { Prompt::of(chat, script) };
    if prompt.tokens > window && !chat.truncate {
        arrival.ticket.read(PromptRead { tokens: prompt.tokens, new: 0, window });
        return Err(too_long(prompt.tokens, window));
    }
    let prompt = Prompt { tokens: prompt.tokens.min(window), ..prompt };
    let new = house.begin_reading(model, &prompt);
    arrival.ticket.read(PromptRead { tokens: prompt.tokens, new, window });
    let predicted = chat.number("num_predict", model).filter(|number| *number >= 1.0).map(|number| number as u64);
    let room = (chat.shift == Some(false) && !script.old).then(|| window - prompt.tokens);
    let allowed = predicted.into_iter().chain(room).min();
    let reading = script.reading(new);
    Ok(Plan { call_style: model.calls, arrived: arrival.at, load, prompt, new, reading, allowed })
}

/// What the runner says is JSON, and the server puts it into a string.
fn too_long(prompt: u64, window: u64) -> RequestRefusal {
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
    RequestRefusal::late(400, inner.to_string())
}
