//! How servers say that a conversation does not fit, and the figures in their words.

/// Texts of the various servers for a prompt that does not fit.
///
/// Sources: captures of real servers (Ollama, llama.cpp), and the servers' own code and reports about them. vLLM:
/// `vllm/renderers/params.py` ("You passed …") and, before, "This model's maximum context length is …" (vllm#20409). SGLang:
/// `managers/tokenizer_manager.py` ("The input (… tokens) is longer than …", "Requested token count exceeds …"). LM Studio: "The
/// number of tokens to keep …" (lmstudio-bug-tracker#2205), "Trying to keep the first … tokens" (#546), "Cannot truncate prompt
/// with n_keep" (opencode#11141). TabbyAPI: `backends/exllamav2/model.py` ("… is greater than cache_size").
pub(super) const OVERFLOWS: [&str; 14] = [
    "exceed_context_size_error",
    "exceeds the available context size",
    "longer than the context length",
    "exceeds the context length",
    "exceeds maximum context length",
    "maximum context length is",
    "the model's context length is only",
    "is longer than the model's context length",
    "exceeds the model's maximum context length",
    "tokens to keep from the initial prompt is greater than the context length",
    "Trying to keep the first",
    "Cannot truncate prompt with n_keep",
    "is greater than cache_size",
    "ContextWindowExceededError",
];

/// The tokens of the prompt and of the window, where the words of an overflow name them.
pub(super) fn figures_of(words: &str) -> (Option<u64>, Option<u64>) {
    let first = |texts: &[(&str, &str)]| texts.iter().find_map(|(before, after)| number_between(words, before, after));
    (first(&PROMPT_FIGURES), first(&WINDOW_FIGURES))
}

/// What stands before and after the number of tokens of the prompt, in the texts of [`OVERFLOWS`].
const PROMPT_FIGURES: [(&str, &str); 10] = [
    ("request (", " tokens) exceeds"),
    ("You passed ", " input tokens"),
    ("The input (", " tokens) is longer"),
    (" tokens: ", " tokens from the input messages"),
    ("prompt contains at least ", " input tokens"),
    ("your messages resulted in ", " tokens"),
    (" tokens (", " in the messages"),
    ("(n_keep: ", ">= n_ctx"),
    ("keep the first ", " tokens"),
    ("with n_keep (", ") >= n_ctx"),
];

/// The same of the window.
const WINDOW_FIGURES: [(&str, &str); 8] = [
    ("available context size (", " tokens)"),
    ("context length is only ", " tokens"),
    ("maximum context length is ", " tokens"),
    ("model's context length (", " tokens)"),
    ("maximum context length of ", " tokens"),
    ("n_ctx: ", ")"),
    ("loaded with context length of only ", " tokens"),
    (">= n_ctx (", ")"),
];

/// The number between two texts, which must stand there alone.
fn number_between(words: &str, before: &str, after: &str) -> Option<u64> {
    let starts = words.match_indices(before).map(|(at, found)| &words[at + found.len()..]);
    starts.filter_map(|rest| rest[..rest.find(after)?].trim().parse().ok()).next()
}
