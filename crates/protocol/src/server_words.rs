//! What a server's message is about, whatever the model is called: names hold `vision`, `thinking` and the like.

/// Words of servers that refuse a picture. llama.cpp: "Failed to load image or audio file", "image input is not supported",
/// "Failed to process image"; Ollama: "Multimodal data provided, but model does not support multimodal requests"; vLLM: "is not
/// a multimodal model", "At most 0 image(s) may be provided".
const PICTURES: [&str; 10] = [
    "image",
    "images",
    "image_url",
    "input_image",
    "picture",
    "pictures",
    "multimodal",
    "multi-modal",
    "vision",
    "mmproj",
];

/// The whole words of a server's message in lower case, without the name of the model. `reasoning_effort` is one word, and so
/// is the `2-vision` of `llama3.2-vision`.
pub fn server_words(message: &str, model: &str) -> Vec<String> {
    let others = without_name(&message.to_lowercase(), &model.to_lowercase());
    let words = others.split(|c| !is_of_word(c)).map(|word| word.trim_matches('-')).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Does a server's message speak of pictures?
pub fn is_about_pictures(message: &str, model: &str) -> bool {
    server_words(message, model).iter().any(|word| PICTURES.contains(&word.as_str()))
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn without_name(text: &str, name: &str) -> String {
    if name.is_empty() {
        return text.to_owned();
    }
    let (mut others, mut from) = (String::new(), 0);
    for (at, _) in text.match_indices(name) {
        let end = at + name.len();
        if !text[..at].ends_with(is_of_word) && !text[end..].starts_with(is_of_word) {
            others.push_str(&text[from..at]);
            from = end;
        }
    }
    others + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_model_says_nothing_of_pictures() {
        for (about, model, message) in [
            (true, "tiny", "image input is not supported"),
            (true, "tiny", "At most 0 image(s) may be provided in one prompt."),
            (true, "tiny", "unknown type: messages[0].content[1].image_url"),
            (true, "Qwen3-VL-8B-Thinking", "Qwen3-VL-8B-Thinking does not support image input"),
            (false, "tiny", "this revision does not support logprobs"),
            (false, "llama3.2-vision", "llama3.2-vision does not support logprobs"),
            (false, "vision:11b", "registry.ollama.ai/library/vision:11b does not support logprobs"),
            (false, "other", "unknown model: meta-llama/Llama-3.2-11B-Vision"),
        ] {
            assert_eq!(is_about_pictures(message, model), about, "{message}");
        }
    }
}
