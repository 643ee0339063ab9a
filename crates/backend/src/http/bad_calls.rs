//! How servers say that they could not read what the model wrote. The model's mistake: it can mend it when told, and the call
//! is often quoted.

/// Texts of servers' parsers, each of which stands in no other error.
///
/// Sources: captures of a real Ollama, its `model/parsers`, `harmony` and `llm/llama_server.go`. llama.cpp: `common/chat.cpp` and
/// reports (llama.cpp#24644, #23838, #20532), with the rest of the reply behind the place where its parser stopped. LM Studio:
/// lmstudio-bug-tracker#942, #1528 and lmstudio-js#493. vLLM: openai/harmony#38 and vllm#23567, #22515, #30651. SGLang:
/// `entrypoints/openai/serving_chat.py`.
const BAD_CALLS: [&str; 30] = [
    // Ollama
    "invalid tool call arguments",
    "error parsing tool call",
    "failed to parse JSON",
    "failed to parse Laguna JSON",
    "failed to parse function call",
    "failed to parse XML",
    "XML syntax error",
    "empty function name",
    "empty Laguna tool call name",
    "invalid function call format",
    "invalid tool call: ",
    "mismatched arg_key and arg_value counts",
    "incomplete GLM tool call",
    "is not declared",
    "undeclared Glimmer function",
    "parse Glimmer call to",
    // llama.cpp
    "Failed to parse input at pos",
    "model produced output that does not match the expected",
    "Invalid diff: ",
    // LM Studio
    "Failed to parse tool call: ",
    "Failed to generate a tool call",
    // vLLM: the model's channels, and the arguments of a call
    "unexpected tokens remaining in message header",
    "while expecting start token",
    "no channel value found in header",
    "Expecting value: line ",
    "Expecting ',' delimiter: line ",
    "Expecting property name enclosed in double quotes: line ",
    "Unterminated string starting at: line ",
    // SGLang
    "Tool call parsing error",
    "Failed to parse fc related info",
];

/// Where a server's words begin to say that it could not read the model's call.
pub(super) fn bad_call(message: &str) -> Option<usize> {
    if message.starts_with("tool '") && message.ends_with("not found") {
        return Some(0);
    }
    let missing = message.find("required argument").filter(|_| message.contains("is missing"));
    BAD_CALLS.iter().filter_map(|text| message.find(text)).chain(missing).min()
}

#[cfg(test)]
mod tests {
    use crate::http::trouble::{of_line, of_status};
    use agent_protocol::ServerError;
    use serde_json::json;

    /// A call as models write it, and as some servers quote it.
    const CALL: &str = "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>";

    /// The words of each server; `{}` stands for what it quotes.
    const WORDS: [(&str, &str); 20] = [
        ("Ollama", "error parsing tool call: raw='{}', err=invalid character"),
        ("Ollama", "llama-server returned invalid tool call arguments for \"read_file\": unexpected end of JSON input"),
        ("Ollama", "failed to parse JSON: unexpected end of JSON input"),
        ("Ollama", "failed to parse function call \"{}\": invalid tool call: no opening parenthesis"),
        ("Ollama", "XML syntax error on line 5: element <parameter> closed by </function>"),
        ("Ollama", "tool 'read' not found"),
        ("Ollama", "required argument \"path\" is missing for tool \"read_file\""),
        ("llama.cpp", "Failed to parse input at pos 184: {}"),
        ("llama.cpp", "Failed to parse input at pos 12: </tool_call>"),
        ("llama.cpp", "The model produced output that does not match the expected peg-native format"),
        ("llama.cpp", "Invalid diff: now finding less tool calls!"),
        ("LM Studio", "Failed to parse tool call: Unexpected end of content. \nModel Output: {}"),
        ("LM Studio", "Failed to parse tool call: Expected \"<|message|>\", but got \"to=function\" at index 89."),
        ("LM Studio", "Failed to parse tool call: Extra content after end of tool call"),
        ("vLLM", "unexpected tokens remaining in message header: Some(\"to=functions.read_file\")"),
        ("vLLM", "Unexpected token 12606 while expecting start token 200006"),
        ("vLLM", "Expecting value: line 1 column 1 (char 0)"),
        ("SGLang", "Tool call parsing error: Unterminated string starting at: line 1 column 14 (char 13)"),
        ("SGLang", "Failed to parse fc related info to json format!"),
        (
            "LiteLLM",
            "litellm.InternalServerError: InternalServerError: OpenAIException - Failed to parse input at pos 0: {}. \
             Received Model Group=coder\nAvailable Model Group Fallbacks=None",
        ),
    ];

    #[test]
    fn a_call_that_a_server_could_not_read_is_known_in_the_words_of_every_server_as_event_and_as_status() {
        for (server, words) in WORDS {
            let message = words.replace("{}", CALL);
            let expected = ServerError::BadCall { message: message.clone() };
            let inner = json!({"code": 500, "message": message, "type": "server_error"});
            for error in [json!(message), inner.clone(), json!(json!({"error": inner}).to_string())] {
                assert_eq!(of_line(&error, "tiny"), expected, "{server}: {error}");
                let body = json!({ "error": error }).to_string();
                for status in [400, 500] {
                    assert_eq!(of_status(status, body.as_bytes(), "tiny"), expected, "{server}: {status} {body}");
                }
            }
            for plain in [json!({"object": "error", "message": message}).to_string(), message] {
                assert_eq!(of_status(500, plain.as_bytes(), "tiny"), expected, "{server}: {plain}");
            }
        }
    }

    #[test]
    fn errors_about_the_request_are_not_the_models_fault() {
        for message in [
            "Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error",
            "Assistant response prefill is incompatible with enable_thinking.",
            "Failed to parse messages: Unsupported content part type",
        ] {
            let body = json!({"error": {"code": 500, "message": message}}).to_string();
            let refused = ServerError::Refused { status: 500, message: message.to_owned() };
            assert_eq!(of_status(500, body.as_bytes(), "tiny"), refused);
        }
    }
}
