//! Options for the server, by the names that Ollama gives them: which there are, and which of them every kind of server has
//! under a name of its own. What a server does not know it ignores without a word.

use super::nearest::nearest;
use serde_json::{Map, Value};
use std::path::Path;

/// Options about how replies are written. None of them makes a server load a model again.
const WRITING: [&str; 16] = [
    "seed",
    REPLY,
    "top_k",
    "top_p",
    "min_p",
    "typical_p",
    "repeat_last_n",
    "temperature",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
    "penalize_newline",
    "mirostat",
    "mirostat_tau",
    "mirostat_eta",
    "stop",
];

/// Options about how a model is loaded and run.
const RUNNING: [&str; 12] = [
    "num_keep",
    "numa",
    "num_batch",
    "num_gpu",
    "main_gpu",
    "use_mmap",
    "use_mlock",
    "num_thread",
    "low_vram",
    "vocab_only",
    "draft_num_predict",
    WINDOW,
];

/// The window; it has a key of its own.
const WINDOW: &str = "num_ctx";

/// The longest reply.
const REPLY: &str = "num_predict";

/// Takes out of `options` what has a place of its own in a request, and gives the longest reply that they ask for. A number
/// below 1, which means no bound, becomes 0.
pub(super) fn take_reply(options: &mut Map<String, Value>) -> Option<u64> {
    options.shift_remove(WINDOW);
    let tokens = options.shift_remove(REPLY)?.as_i64()?;
    Some(u64::try_from(tokens).unwrap_or(0))
}

/// What is wrong with `options` of the file at `path`, one line a name.
pub(super) fn doubts(options: &Map<String, Value>, path: &Path) -> Vec<String> {
    let names = options.keys().map(String::as_str);
    let doubt = |name: &str| match name {
        WINDOW => Some("num_ctx has no effect under [options]; it stands above all sections".to_owned()),
        name if is_known(name) => None,
        name => Some(format!("servers know no option `{name}` and ignore it{}", near(name, &known()))),
    };
    names.filter_map(doubt).map(|doubt| format!("{}: {doubt}", path.display())).collect()
}

/// Why `name` cannot be an option of a family of models, if it cannot.
pub(super) fn refused_for_models(name: &str) -> Option<String> {
    if WRITING.contains(&name) {
        return None;
    }
    Some(if is_known(name) {
        let place = if name == WINDOW { "above all sections" } else { "under [options]" };
        format!("`{name}` would load a model again; it belongs into config.toml, {place}")
    } else {
        format!("servers know no option `{name}`{}", near(name, &WRITING))
    })
}

fn known() -> Vec<&'static str> {
    WRITING.into_iter().chain(RUNNING).collect()
}

fn is_known(name: &str) -> bool {
    WRITING.contains(&name) || RUNNING.contains(&name)
}

fn near(name: &str, valid: &[&str]) -> String {
    nearest(name, valid).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn doubted(options: Value) -> Vec<String> {
        doubts(options.as_object().unwrap(), Path::new("/c/config.toml"))
    }

    #[test]
    fn an_option_that_no_server_knows_is_doubted_with_the_nearest_that_one_knows() {
        assert_eq!(doubted(json!({"temperature": 0.2, "num_gpu": 20, "stop": ["x"]})), Vec::<String>::new());
        let told = [
            "/c/config.toml: servers know no option `temprature` and ignore it; did you mean `temperature`?",
            "/c/config.toml: servers know no option `colour_of_the_sky` and ignore it",
            "/c/config.toml: num_ctx has no effect under [options]; it stands above all sections",
        ];
        assert_eq!(doubted(json!({"temprature": 0.2, "colour_of_the_sky": 1, "num_ctx": 1})), told);
    }

    #[test]
    fn the_longest_reply_is_taken_out_and_a_number_that_bounds_nothing_is_0() {
        for (asked, tokens) in [(json!(77), Some(77)), (json!(0), Some(0)), (json!(-1), Some(0)), (json!("many"), None)]
        {
            let mut options = json!({"num_ctx": 7, "num_predict": asked, "top_k": 20}).as_object().unwrap().clone();
            assert_eq!(take_reply(&mut options), tokens);
            assert_eq!(Value::from(options), json!({"top_k": 20}));
        }
        assert_eq!(take_reply(&mut Map::new()), None);
    }

    #[test]
    fn a_family_has_only_options_that_load_nothing_again() {
        assert_eq!(refused_for_models("temperature"), None);
        for name in RUNNING {
            assert!(refused_for_models(name).unwrap().contains("would load a model again"), "{name}");
        }
        assert!(refused_for_models("top_kk").unwrap().ends_with("did you mean `top_k`?"));
    }
}
