//! Reads what a server or the network says when something fails, and finds the kind of trouble it is.
//!
//! The texts that are recognised here are those of real servers; where one is not known, the server's own words are
//! passed on.

use super::bad_calls::bad_call;
use super::json;
use super::no_thinking::refuses_thinking;
use super::overflow::{OVERFLOWS, figures_of};
use agent_protocol::ServerError;
use serde_json::Value;
use std::error::Error;
use std::io;

/// So much of the server's words is kept, but for those about a call: they quote the whole of it.
const WORDS_LIMIT: usize = 600;

/// So much of an answer that is a page and not words for us is kept.
const PAGE_SHOWN: usize = 200;

/// So much of an unreadable line is kept.
const LINE_SHOWN: usize = 200;

/// Texts for a request whose tools nobody there reads. vLLM refuses them where it was started without a parser, and
/// llama.cpp's server without its template engine.
const NO_TOOLS: [&str; 3] =
    ["does not support tools", "tool choice requires --enable-auto-tool-choice", "tools param requires --jinja"];

/// Texts with which a gateway refuses a name that it does not have (LiteLLM 1.108.7, seen).
const WRONG_MODELS: [&str; 1] = ["Invalid model name passed in"];

/// Texts for a key that is wrong or missing, from gateways that answer with another status than 401: LiteLLM without a
/// database takes every key but its master key for one of the database (seen with 1.108.7).
const WRONG_KEYS: [&str; 2] = ["no_db_connection", "No connected db."];

/// What signs Ollama in to the cloud that it passes requests on to.
const SIGN_IN: &str = "ollama signin";

/// Texts of Ollama for a runner that ended: in the middle of a reply, or before one.
///
/// Source: captures of a real server, and `llm/server.go` of Ollama.
const CRASHES: [&str; 4] = [
    "an error was encountered while running the model",
    "model runner has unexpectedly stopped",
    "llama runner process has terminated",
    "llama-server process has terminated",
];

/// An answer with an error status.
pub(crate) fn of_status(status: u16, body: &[u8], model: &str) -> ServerError {
    let told = Told::read(&String::from_utf8_lossy(body));
    match told.known(model) {
        Some(trouble) => trouble,
        None if status == 404 && told.names_a_missing_model() => ServerError::ModelMissing { model: model.to_owned() },
        None if status == 400 && WRONG_MODELS.iter().any(|words| told.message.contains(words)) => {
            ServerError::ModelMissing { model: model.to_owned() }
        }
        None if matches!(status, 400 | 422 | 500) && refuses_thinking(&told.message, model) => {
            ServerError::NoThinking { status: Some(status), message: told.words() }
        }
        None if matches!(status, 429 | 502 | 503) || told.says_nobody_is_behind(status) => {
            ServerError::Busy { status, message: told.message_or(status) }
        }
        None => ServerError::Refused { status, message: told.message_or(status) },
    }
}

/// Texts for a request that found no place in a server's queue: Ollama (captured), SGLang, Text Generation Inference.
const FULL_QUEUES: [&str; 3] = ["maximum pending requests exceeded", "queue is full", "Model is overloaded"];

/// Does the server say that it has no place for the request now?
pub(crate) fn says_queue_is_full(message: &str) -> bool {
    FULL_QUEUES.iter().any(|words| message.contains(words))
}

/// Does the answer say that the key is wrong, whatever its status says?
pub(crate) fn says_wrong_key(body: &[u8]) -> bool {
    let told = Told::read(&String::from_utf8_lossy(body));
    WRONG_KEYS.iter().any(|words| told.message.contains(words))
}

/// What a server says of an answer with status 401 or 403, where it says anything in its own form, and the command that signs
/// it in where it wants that: Ollama passes requests for cloud models on, and answers like this where it may not.
pub(crate) fn why_locked(body: &[u8]) -> (Option<String>, Option<String>) {
    let Some(Value::Object(fields)) = json::read::<Value>(body, json::PIECES) else { return (None, None) };
    let sign_in = fields.contains_key("signin_url").then(|| SIGN_IN.to_owned());
    let words = Told::read(&String::from_utf8_lossy(body)).words();
    (Some(words).filter(|words| !words.is_empty()), sign_in)
}

/// An `error` in the middle of a stream that began well.
pub(crate) fn of_line(error: &Value, model: &str) -> ServerError {
    let told = Told::of_error(error);
    match told.known(model) {
        Some(trouble) => trouble,
        None if told.message.is_empty() => ServerError::MidReply { message: "it did not say why".to_owned() },
        None if refuses_thinking(&told.message, model) => {
            ServerError::NoThinking { status: None, message: told.words() }
        }
        None => ServerError::MidReply { message: told.words() },
    }
}

/// A line that is not of the protocol.
pub(crate) fn of_garbage(line: &[u8]) -> ServerError {
    ServerError::Garbage { line: String::from_utf8_lossy(line).trim().chars().take(LINE_SHOWN).collect() }
}

/// An answer that broke off.
pub(crate) fn of_cut(error: reqwest::Error) -> ServerError {
    let error = error.without_url();
    let whole = chain(&error);
    tracing::info!("the reply was cut: {whole}");
    let closed = ["unexpected EOF", "incomplete message", "connection closed"].iter().any(|text| whole.contains(text));
    let reset = io_kind(&error) == Some(io::ErrorKind::ConnectionReset);
    let why = if closed || reset { "the server closed it".to_owned() } else { whole };
    ServerError::Cut { why }
}

/// Did the system at the other end say that nobody listens there?
pub(crate) fn is_connection_refused(error: &reqwest::Error) -> bool {
    error.is_connect() && io_kind(error) == Some(io::ErrorKind::ConnectionRefused)
}

/// What a server said about an error.
struct Told {
    /// The whole of it; an answer has a limit of its own.
    message: String,
    prompt_tokens: Option<u64>,
    window: Option<u64>,
}

impl Told {
    /// From the body of an answer: JSON with an `error`, or plain text.
    fn read(body: &str) -> Told {
        match json::read::<Value>(body.as_bytes(), json::PIECES) {
            Some(Value::Object(mut fields)) => match fields.remove("error") {
                Some(error) => Told::of_error(&error),
                None => Told::of_error(&Value::Object(fields)),
            },
            _ if body.trim_start().starts_with('<') => {
                Told::plain(&body.trim().chars().take(PAGE_SHOWN).collect::<String>())
            }
            _ => Told::plain(body),
        }
    }

    /// From the `error` itself: words, or an object with a `message`, or either of them as JSON inside the string.
    fn of_error(error: &Value) -> Told {
        let mut error = error.clone();
        for _ in 0..2 {
            let Value::String(text) = &error else { break };
            match json::read::<Value>(text.as_bytes(), json::PIECES) {
                Some(Value::Object(mut inner)) => error = inner.remove("error").unwrap_or(Value::Object(inner)),
                _ => break,
            }
        }
        match &error {
            Value::Null => Told::plain(""),
            Value::String(text) => Told::plain(text),
            Value::Object(fields) => Told {
                prompt_tokens: fields.get("n_prompt_tokens").and_then(Value::as_u64),
                window: fields.get("n_ctx").and_then(Value::as_u64),
                ..Told::plain(&words_of(fields).map_or(error.to_string(), str::to_owned))
            },
            other => Told::plain(&other.to_string()),
        }
    }

    fn plain(text: &str) -> Told {
        Told { message: text.trim().to_owned(), prompt_tokens: None, window: None }
    }

    /// ServerError that is known by its words, whatever the status. An error about a call quotes what the model wrote, which
    /// may hold any words at all: so those count that come first, for they are the server's own.
    fn known(&self, model: &str) -> Option<ServerError> {
        if self.window.is_some() {
            return Some(self.too_long());
        }
        let kinds = [
            (self.first_of(&OVERFLOWS), self.too_long()),
            (self.first_of(&NO_TOOLS), ServerError::NoTools { model: model.to_owned() }),
            (bad_call(&self.message), ServerError::BadCall { message: self.message.clone() }),
        ];
        let found = kinds.into_iter().filter_map(|(at, trouble)| Some((at?, trouble)));
        let crashed =
            || Some(ServerError::Crashed { message: self.words() }).filter(|_| self.first_of(&CRASHES).is_some());
        found.min_by_key(|(at, _)| *at).map(|(_, trouble)| trouble).or_else(crashed)
    }

    fn too_long(&self) -> ServerError {
        let (prompt_tokens, window) = figures_of(&self.message);
        ServerError::TooLong { prompt_tokens: self.prompt_tokens.or(prompt_tokens), window: self.window.or(window) }
    }

    /// A gateway whose back end does not answer: another may, or the same in a while (LiteLLM 1.108.7, seen).
    fn says_nobody_is_behind(&self, status: u16) -> bool {
        status == 500 && self.message.starts_with("litellm.") && self.message.contains("Connection error")
    }

    /// Ollama: `model "x" not found`; vLLM and TabbyAPI: `The model x does not exist`.
    fn names_a_missing_model(&self) -> bool {
        let names = self.message.starts_with("model") || self.message.starts_with("The model");
        names && (self.message.contains("not found") || self.message.contains("does not exist"))
    }

    /// Where the first of these texts begins.
    fn first_of(&self, texts: &[&str]) -> Option<usize> {
        texts.iter().filter_map(|text| self.message.find(text)).min()
    }

    /// Its words, as many as a person reads.
    fn words(&self) -> String {
        self.message.chars().take(WORDS_LIMIT).collect()
    }

    fn message_or(self, status: u16) -> String {
        if !self.message.is_empty() {
            return self.words();
        }
        let reason = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
        reason.unwrap_or("no reason given").to_lowercase()
    }
}

/// The words of an error; programs that are made with FastAPI put them under `detail`.
fn words_of(fields: &serde_json::Map<String, Value>) -> Option<&str> {
    ["message", "detail"].iter().find_map(|name| fields.get(*name).and_then(Value::as_str))
}

/// The system's reason in a few words a person knows.
pub(crate) fn why_not_connected(error: &reqwest::Error) -> String {
    match io_kind(error) {
        Some(io::ErrorKind::ConnectionRefused) => return "connection refused".to_owned(),
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => return "no way there".to_owned(),
        Some(io::ErrorKind::TimedOut) => return "no answer in time".to_owned(),
        _ if error.is_timeout() => return "no answer in time".to_owned(),
        _ => {}
    }
    if causes(error).any(|cause| cause.to_string().contains("dns error")) {
        return "name not known".to_owned();
    }
    causes(error).last().map_or_else(|| error.to_string(), |cause| cause.to_string())
}

/// The words of the error and of all its causes: reqwest's own say hardly anything.
fn chain(error: &reqwest::Error) -> String {
    let mut words = error.to_string();
    for cause in causes(error).map(|cause| cause.to_string()) {
        if !words.contains(&cause) {
            words.push_str(": ");
            words.push_str(&cause);
        }
    }
    words
}

fn io_kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>()).last().map(io::Error::kind)
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(status: u16, body: &str) -> ServerError {
        of_status(status, body.as_bytes(), "tiny")
    }

    fn refused(status: u16, message: &str) -> ServerError {
        ServerError::Refused { status, message: message.to_owned() }
    }

    #[test]
    fn a_missing_model_is_told_from_a_missing_page() {
        let missing = ServerError::ModelMissing { model: "tiny".to_owned() };
        assert_eq!(told(404, r#"{"error":"model 'tiny' not found"}"#), missing);
        assert_eq!(told(404, r#"{"error":"model \"tiny\" not found, try pulling it first"}"#), missing);
        assert_eq!(told(404, "404 page not found"), refused(404, "404 page not found"));
    }

    #[test]
    fn a_model_without_tools_is_recognised() {
        let body = r#"{"error":"registry.ollama.ai/library/tiny-notools:latest does not support tools"}"#;
        assert_eq!(told(400, body), ServerError::NoTools { model: "tiny".to_owned() });
    }

    #[test]
    fn an_overflow_names_both_figures_where_the_server_did() {
        let inner = json!({"error": {"code": 400, "message": "request (5596 tokens) exceeds the available context size",
            "type": "exceed_context_size_error", "n_prompt_tokens": 5596, "n_ctx": 2048}});
        let figures = ServerError::TooLong { prompt_tokens: Some(5596), window: Some(2048) };
        assert_eq!(told(400, &json!({ "error": inner.to_string() }).to_string()), figures, "JSON inside the string");
        assert_eq!(told(400, &inner.to_string()), figures, "and not");
        let twice = json!({ "error": json!({ "error": inner.to_string() }).to_string() });
        assert_eq!(told(400, &twice.to_string()), figures, "and twice");
        let words = r#"{"error":"the prompt is longer than the context length currently available to the model"}"#;
        assert_eq!(told(400, words), ServerError::TooLong { prompt_tokens: None, window: None });
    }

    #[test]
    fn tools_that_nobody_reads_there_and_models_that_are_not_there_are_known_by_their_words() {
        let vllm = r#"{"error":{"message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}}"#;
        let llama = r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#;
        for (status, body) in [(400, vllm), (500, llama)] {
            assert_eq!(told(status, body), ServerError::NoTools { model: "tiny".to_owned() });
        }
        let missing = ServerError::ModelMissing { model: "tiny".to_owned() };
        let of_vllm = r#"{"error":{"message":"The model `tiny` does not exist.","type":"NotFoundError","param":"model","code":404}}"#;
        let of_litellm = r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=tiny. Call `/v1/models` to view available models for your key.","type":"invalid_request_error","param":null,"code":"400"}}"#;
        assert_eq!([told(404, of_vllm), told(400, of_litellm)], [missing.clone(), missing]);
    }

    #[test]
    fn json_inside_the_string_gives_its_message() {
        let body = r#"{"error":"{\"error\":{\"code\":400,\"message\":\"no multimodal requests.\"}}"}"#;
        assert_eq!(told(400, body), refused(400, "no multimodal requests."));
    }

    #[test]
    fn a_busy_server_and_its_gateways_are_told_apart_from_refusals() {
        for status in [429, 502, 503] {
            let busy = ServerError::Busy { status, message: "server busy".to_owned() };
            assert_eq!(told(status, r#"{"error":"server busy"}"#), busy);
        }
        let gone = "litellm.InternalServerError: InternalServerError: OpenAIException - Connection error.";
        let busy = ServerError::Busy { status: 500, message: gone.to_owned() };
        assert_eq!(told(500, &json!({"error": {"message": gone, "code": "500"}}).to_string()), busy, "a gateway alone");
        assert_eq!(told(500, "oops\n"), refused(500, "oops"));
        assert_eq!(told(405, ""), refused(405, "method not allowed"));
        assert_eq!(told(400, r#"{"code":7}"#), refused(400, r#"{"code":7}"#));
    }

    #[test]
    fn an_error_line_keeps_the_servers_words() {
        let of = |error: Value| of_line(&error, "tiny");
        assert_eq!(of(json!("boom")), ServerError::MidReply { message: "boom".to_owned() });
        assert_eq!(of(json!({"message": "boom"})), ServerError::MidReply { message: "boom".to_owned() });
        assert_eq!(of(json!("x does not support tools")), ServerError::NoTools { model: "tiny".to_owned() });
        assert_eq!(of(Value::Null), ServerError::MidReply { message: "it did not say why".to_owned() });
    }

    #[test]
    fn an_error_about_a_call_keeps_all_that_it_quotes() {
        let words = format!("error parsing tool call: raw='{{\"content\":\"{}\"}}', err=x", "é".repeat(5000));
        assert_eq!(of_line(&json!(words), "tiny"), ServerError::BadCall { message: words });
    }

    #[test]
    fn what_an_error_quotes_of_a_call_says_nothing_of_the_server() {
        for quoted in ["it does not support tools", "exceeds the available context size", "tool 'x' not found"] {
            for words in [
                format!("error parsing tool call: raw='{{\"path\":\"a\",\"content\":\"{quoted}\"', err=x"),
                format!("The model produced output that does not match the expected format: {quoted}"),
                format!("tool '{quoted}' not found"),
            ] {
                assert_eq!(of_line(&json!(words), "tiny"), ServerError::BadCall { message: words });
            }
        }
        let long = "the prompt is longer than the context length; a call in it: failed to parse JSON";
        assert_eq!(told(400, long), ServerError::TooLong { prompt_tokens: None, window: None });
    }

    #[test]
    fn of_a_page_the_first_200_characters_are_kept_as_they_are() {
        let page = format!("<html><script>alert(1)</script><h1>boom</h1>{}", "é".repeat(500));
        let ServerError::Refused { message, .. } = told(500, &page) else { panic!("refused") };
        assert_eq!(message.chars().count(), 200);
        assert!(message.starts_with("<html><script>alert(1)</script><h1>boom</h1>"));
    }

    #[test]
    fn long_words_are_cut() {
        let ServerError::Refused { message, .. } = told(500, &"é".repeat(5000)) else { panic!("refused") };
        assert_eq!(message.chars().count(), WORDS_LIMIT);
        let ServerError::Garbage { line } = of_garbage(&b"<".repeat(5000)) else { panic!("garbage") };
        assert_eq!(line.len(), LINE_SHOWN);
    }
}
