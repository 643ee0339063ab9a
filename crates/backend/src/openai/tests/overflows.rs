//! Conversations that do not fit, in the words of each server. Their sources stand at `http/overflow.rs`.

use crate::http::trouble::of_status;
use agent_protocol::ServerError;
use serde_json::json;

/// Words of servers, and the tokens of prompt and window in them.
const OVERFLOWING: [(&str, Option<u64>, Option<u64>); 10] = [
    (
        "You passed 3000 input tokens and requested 2000 output tokens. However, the model's context length is only \
          4096 tokens, resulting in a maximum input length of 2096 tokens. Please reduce the length of the input \
          prompt.",
        Some(3000),
        Some(4096),
    ),
    (
        "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the \
          messages, 10000 in the completion). Please reduce the length of the messages.",
        Some(112_946),
        Some(16_384),
    ),
    (
        "This model's maximum context length is 16384 tokens. However, you requested 8192 output tokens and your \
          prompt contains at least 8193 input tokens, for a total of at least 16385 tokens.",
        Some(8193),
        Some(16_384),
    ),
    ("The input (61709 tokens) is longer than the model's context length (40960 tokens).", Some(61_709), Some(40_960)),
    (
        "Requested token count exceeds the model's maximum context length of 64000 tokens. You requested a total of \
          71897 tokens: 7897 tokens from the input messages and 64000 tokens for the completion.",
        Some(7897),
        Some(64_000),
    ),
    (
        "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= \
          n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.",
        Some(13_055),
        Some(4096),
    ),
    (
        "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context \
          length of only 7866 tokens, which is not enough.",
        Some(15_857),
        Some(7866),
    ),
    ("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", Some(15_028), Some(7424)),
    ("Total required page size for request 9000 + 0 + 512 * 2 is greater than cache_size 8192", None, None),
    (
        "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: \
        OpenAIException - request (15785 tokens) exceeds the available context size (4096 tokens), try increasing \
        it\nmodel=coder. context_window_fallbacks=None. fallbacks=None.",
        Some(15_785),
        Some(4096),
    ),
];

/// Each shape with its source in the tables above.
#[test]
fn an_overflow_is_known_by_the_words_of_every_server_and_so_are_its_figures() {
    for (words, prompt_tokens, window) in OVERFLOWING {
        let expected = ServerError::TooLong { prompt_tokens, window };
        let bodies = [
            json!({"error": {"message": words, "type": "BadRequestError", "param": null, "code": 400}}),
            json!({"object": "error", "message": words, "type": "BadRequestError", "param": null, "code": 400}),
            json!({"error": words}),
            json!({"detail": words}),
        ];
        for body in bodies {
            assert_eq!(of_status(400, body.to_string().as_bytes(), "tiny"), expected, "{body}");
        }
    }
}
