//! How servers say that they do not take what a request asks of the model's thinking.

/// How the fields of a request are named that are about thinking, in lower case.
const FIELDS: [&str; 3] = ["think", "reasoning", "chat_template"];

/// How a server says that it does not take a field or its value, in lower case.
const REFUSALS: [&str; 11] = [
    "not support",
    "unsupported",
    "not permitted",
    "not allowed",
    "not available",
    "unrecognized",
    "unknown",
    "unexpected",
    "invalid",
    "input should be",
    "must be",
];

/// A field of earlier replies in the conversation, and no wish.
const OF_MESSAGES: &str = "reasoning_content";

/// The server's own words come first; what stands behind so many characters may be quoted.
const OWN_WORDS: usize = 300;

/// Do these words of a server refuse what was asked of the model's thinking?
///
/// Sources: captures of a real Ollama; its `api/types.go` and `server/routes.go`; the reports that the table of the test names.
pub(super) fn refuses_thinking(message: &str) -> bool {
    let words = message.chars().take(OWN_WORDS).collect::<String>().to_lowercase().replace(OF_MESSAGES, "");
    let has = |texts: &[&str]| texts.iter().any(|text| words.contains(text));
    has(&FIELDS) && has(&REFUSALS)
}

#[cfg(test)]
mod tests {
    use super::refuses_thinking;

    #[test]
    fn a_refusal_of_thinking_is_known_in_the_words_of_every_server() {
        for (source, message) in [
            ("Ollama", "\"tiny\" does not support thinking"),
            ("Ollama", "registry.ollama.ai/library/tiny:latest does not support thinking"),
            ("Ollama", "think value \"medium\" is not supported for this model"),
            (
                "Ollama",
                "invalid think value: \"extreme\" (must be \"high\", \"medium\", \"low\", \"max\", true, or false)",
            ),
            ("vLLM", "chat_template is not supported for Mistral tokenizers."),
            ("vLLM", "Kwargs ['reasoning_effort'] are not supported by `MistralCommonTokenizer.apply_chat_template`."),
            (
                "vLLM",
                "[{'type': 'extra_forbidden', 'loc': ('body', 'chat_template_kwargs'), 'msg': 'Extra inputs are not permitted'}]",
            ),
            (
                "Cerebras",
                "1 validation error for ChatCompletionServerRequest\nreasoning_effort\n Input should be 'low', 'medium' or \
                 'high' [type=enum, input_value='none', input_type=str]",
            ),
            ("Groq", "property 'reasoning_effort' is unsupported, did you mean 'reasoning_format'?"),
            ("Groq", "reasoning_effort is not supported with this model"),
            ("OpenAI", "Unrecognized request argument supplied: reasoning_effort"),
            ("OpenAI", "Unrecognized request argument supplied: chat_template_kwargs"),
            (
                "OpenAI",
                "Unsupported value: 'reasoning_effort' does not support 'high' with this model. Supported values are: \
                 'medium'.",
            ),
            ("Volcano Engine", "Invalid combination of reasoning_effort and thinking type: medium + disabled"),
            (
                "LiteLLM",
                "litellm.UnsupportedParamsError: together_ai does not support parameters: ['reasoning_effort'], for \
                 model=Qwen/Qwen3.5-9B.",
            ),
        ] {
            assert!(refuses_thinking(message), "{source}: {message}");
        }
    }

    #[test]
    fn other_refusals_are_none_of_thinking() {
        for message in [
            "Assistant response prefill is incompatible with enable_thinking.",
            "messages.2.assistant.reasoning_content: Extra inputs are not permitted",
            "image input is not supported",
            "no multimodal requests.",
            "option \"temperature\" must be of type float32",
            "invalid message content: anything but text",
        ] {
            assert!(!refuses_thinking(message), "{message}");
        }
        let quoted = format!("invalid message: {} I think so", "x".repeat(300));
        assert!(!refuses_thinking(&quoted), "what stands far behind may be quoted");
    }
}
