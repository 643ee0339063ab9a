//! How servers say that they do not take what a request asks of the model's thinking.

use agent_protocol::{is_about_pictures, server_words};

/// How the fields of a request begin that are about thinking, and what is said of it, in lower case.
const FIELDS: [&str; 4] = ["think", "reasoning", "chat_template", "enable_thinking"];

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

/// Do these words of a server refuse what was asked of the model's thinking? What the model is called says nothing.
///
/// Sources: captures of a real Ollama; its `api/types.go` and `server/routes.go`; the reports that the table of the test names.
pub(super) fn refuses_thinking(message: &str, model: &str) -> bool {
    let own = message.chars().take(OWN_WORDS).collect::<String>();
    let words = server_words(&own, model);
    let names_field = words.iter().any(|word| is_field(word));
    let own = own.to_lowercase();
    names_field && REFUSALS.iter().any(|text| own.contains(text)) && !is_about_pictures(&own, model)
}

/// Fields are written in letters and underscores; what has digits or hyphens is the name of a model.
fn is_field(word: &str) -> bool {
    let plain = word.chars().all(|c| c.is_alphabetic() || c == '_');
    plain && word != OF_MESSAGES && FIELDS.iter().any(|field| word.starts_with(field))
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
            assert!(refuses_thinking(message, "tiny"), "{source}: {message}");
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
            "unknown model: kimi-k2-thinking",
            "invalid options for Qwen3.thinking",
            "Qwen3-VL-8B-Thinking does not support image input",
            "image input is not supported while the model is thinking",
        ] {
            assert!(!refuses_thinking(message, "qwen3.thinking"), "{message}");
        }
        let quoted = format!("invalid message: {} I think so", "x".repeat(300));
        assert!(!refuses_thinking(&quoted, "tiny"), "what stands far behind may be quoted");
    }
}
