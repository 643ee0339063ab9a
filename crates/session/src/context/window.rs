//! How large the window is, how much of it one thing may take, and what a person would change about it.
//!
//! Only chooses and says; what the server really gives is measured elsewhere, and arrives as [`LoadedModel`].

use agent_protocol::{LoadedModel, ModelCard, ServerCard, WindowChoice, WindowState, WindowsBy};

/// Tokens asked for where nothing else is known.
const DEFAULT_WINDOW: u64 = 16_384;

/// With fewer tokens than this, a file and the work on it do not fit beside each other.
const LEAST_FOR_CODE: u64 = 8_192;

/// The room that is kept free for a reply: this part of the window, but no less and no more than so many tokens, and never
/// more than the largest part.
const RESERVE_PART: u64 = 8;
const RESERVE_LEAST: u64 = 1_024;
const RESERVE_MOST: u64 = 8_192;
const RESERVE_LARGEST_PART: u64 = 4;

/// No reply is longer than this unless the user says so, in tokens.
const LONGEST_REPLY: u64 = 32_768;

/// Bytes of UTF-8 that one token holds at least, as a rule: code and prose hold 3.5 to 4 characters of one byte, Chinese
/// and its kin about one character of three.
const BYTES_PER_TOKEN: u64 = 3;

/// What is known when a window is chosen.
#[derive(Debug, Clone, Copy)]
pub struct WindowWish<'a> {
    /// From flag, environment or config.
    pub configured: Option<u64>,
    /// The server's own default, as far as the environment tells.
    pub server: Option<u64>,
    /// As in the last session with this model.
    pub remembered: Option<u64>,
    /// What the server gives whatever is asked for, where it alone decides and tells.
    pub fixed: Option<u64>,
    /// How the model lies in the server's memory already, if it does.
    pub loaded: Option<&'a LoadedModel>,
    /// What is known of the model.
    pub card: &'a ModelCard,
}

/// The window to ask for, and how that was come by; never more than the trained length, for the server would cut it to
/// that without a word.
pub fn choose_window(wish: &WindowWish<'_>) -> WindowState {
    if let Some(fixed) = wish.fixed.filter(|tokens| *tokens > 0) {
        return fixed_window(fixed, wish);
    }
    let given = wish.loaded.and_then(|loaded| loaded.context_length);
    // A window that is too small for work is better left behind, though the model must be loaded again.
    let worth_keeping = given.filter(|tokens| *tokens >= LEAST_FOR_CODE);
    let choices = [
        (wish.configured, WindowChoice::Configured),
        (wish.server.filter(|tokens| *tokens >= LEAST_FOR_CODE), WindowChoice::Server),
        (wish.remembered, WindowChoice::Remembered),
        (worth_keeping, WindowChoice::Loaded),
        (wish.card.own_window, WindowChoice::Modelfile),
    ];
    let known = choices.into_iter().find_map(|(tokens, chosen)| Some((tokens.filter(|n| *n > 0)?, chosen)));
    let (tokens, chosen) = known.unwrap_or((DEFAULT_WINDOW, WindowChoice::Default));
    let trained = wish.card.context_length.filter(|tokens| *tokens > 0);
    let asked = tokens.min(trained.unwrap_or(u64::MAX));
    let as_loaded = wish.loaded.filter(|_| given == Some(asked));
    WindowState {
        asked,
        chosen,
        trained,
        effective: as_loaded.and_then(|loaded| loaded.context_length),
        gpu_percent: as_loaded.and_then(LoadedModel::gpu_percent),
    }
}

/// The window where the server alone decides: what it gives, or as much of that as the user wants.
fn fixed_window(fixed: u64, wish: &WindowWish<'_>) -> WindowState {
    let wanted = wish.configured.filter(|wanted| (1..fixed).contains(wanted));
    let trained = wish.card.context_length.filter(|tokens| *tokens > 0);
    WindowState {
        asked: wanted.unwrap_or(fixed).min(trained.unwrap_or(u64::MAX)),
        chosen: if wanted.is_some() { WindowChoice::Configured } else { WindowChoice::Fixed },
        trained,
        effective: Some(fixed),
        gpu_percent: wish.loaded.and_then(LoadedModel::gpu_percent),
    }
}

/// How a window is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Tokens kept free for a reply.
    pub reserve: u64,
    /// The longest reply to ask for, in tokens.
    pub longest_reply: u64,
}

/// Tokens kept free for a reply in a window of so many tokens, and the longest reply to ask for. There always is a bound:
/// the usual one where 0 is configured.
pub fn room_in(window: u64, configured_longest: Option<u64>) -> Room {
    let reserve = (window / RESERVE_PART).clamp(RESERVE_LEAST, RESERVE_MOST).min(window / RESERVE_LARGEST_PART);
    let longest = configured_longest.filter(|tokens| *tokens > 0).unwrap_or((window / 2).min(LONGEST_REPLY));
    Room { reserve, longest_reply: longest.clamp(1, window.max(1)) }
}

/// What to say of a window: more than the model was trained for, smaller than asked for, too small for work on code, not
/// wholly on the card. A sentence each, with what to change.
pub fn window_warnings(window: &WindowState, configured: Option<u64>, model: &str, server: &ServerCard) -> Vec<String> {
    let variable = server.window_variable.as_deref();
    let of_size = match &server.windows {
        WindowsBy::Request => given_less(window, model, variable).or_else(|| too_small(window, model)),
        WindowsBy::Server { setting } => {
            let larger = larger_where_it_runs(setting.as_deref());
            more_than_fixed(window, configured, model, &larger).or_else(|| fixed_too_small(window, model, &larger))
        }
    };
    let warnings = [more_than_trained(window, configured, model), of_size, beside_the_card(window, model)];
    warnings.into_iter().flatten().collect()
}

fn more_than_trained(window: &WindowState, configured: Option<u64>, model: &str) -> Option<String> {
    let trained = window.trained?;
    let wanted = configured.filter(|wanted| *wanted > trained)?;
    let (wanted, length) = (grouped(wanted), grouped(trained));
    Some(format!(
        "a window of {wanted} tokens was asked for, but the model was trained for {length}; --num-ctx {trained} is all \
         that {model} can use"
    ))
}

fn given_less(window: &WindowState, model: &str, variable: Option<&str>) -> Option<String> {
    let given = window.effective.filter(|given| *given < window.asked)?;
    let (asked, tokens) = (grouped(window.asked), grouped(given));
    let (small, advice) = if given < LEAST_FOR_CODE {
        (", too small for work on code", "a smaller model leaves more room: choose one with /model".to_owned())
    } else {
        ("", format!("--num-ctx {given} asks for what there is"))
    };
    let bound = variable.map_or(String::new(), |name| format!(", or {name} may hold it to less where it runs"));
    Some(format!(
        "{asked} tokens were asked for and the server gives {tokens} to {model}{small}: it may be short of memory{bound}; \
         {advice}"
    ))
}

/// What gives a larger window where the server alone decides.
fn larger_where_it_runs(setting: Option<&str>) -> String {
    match setting {
        Some(setting) => format!("a larger {setting} where the server runs gives it more"),
        None => "the server's own settings give it more".to_owned(),
    }
}

fn more_than_fixed(window: &WindowState, configured: Option<u64>, model: &str, larger: &str) -> Option<String> {
    let fixed = window.effective?;
    let wanted = grouped(configured.filter(|wanted| *wanted > fixed && window.trained.is_none_or(|all| fixed < all))?);
    let small = if fixed < LEAST_FOR_CODE { ", too small for work on code" } else { "" };
    let given = grouped(fixed);
    Some(format!(
        "{wanted} tokens were asked for, and this server alone decides: it gives {given} to {model}{small}; {larger}"
    ))
}

/// Nothing is said of a window that nobody knows.
fn fixed_too_small(window: &WindowState, model: &str, larger: &str) -> Option<String> {
    let tokens = window.effective.map(|_| window.tokens()).filter(|tokens| *tokens < LEAST_FOR_CODE)?;
    let what = format!("the window of {model} is {} tokens: too small for work on code", grouped(tokens));
    Some(match window.trained {
        Some(trained) if trained < LEAST_FOR_CODE => {
            format!("{what}, and the model was trained for no more than {}; choose another", grouped(trained))
        }
        _ if window.chosen == WindowChoice::Configured => {
            format!("{what}; the server gives up to {}: --num-ctx holds it to less", grouped(window.effective?))
        }
        _ => format!("{what}; {larger}"),
    })
}

/// That no message fits: the instructions and the tools alone have so many tokens, more than the window. And what helps.
pub fn no_room_for_instructions(tokens: u64, window: &WindowState, model: &str, server: &ServerCard) -> String {
    let larger = DEFAULT_WINDOW.max(tokens * 2).min(window.trained.unwrap_or(u64::MAX));
    let advice = match &server.windows {
        WindowsBy::Server { setting } => larger_where_it_runs(setting.as_deref()),
        WindowsBy::Request if larger > tokens => {
            format!("start with --num-ctx {larger}, or with fewer tools (/tools, --tools)")
        }
        WindowsBy::Request => {
            "choose a model that was trained for more with /model, or fewer tools (/tools, --tools)".to_owned()
        }
    };
    format!(
        "the instructions and tools alone take about {} tokens and the window of {model} holds {}, so no message fits; {advice}",
        grouped(tokens),
        grouped(window.tokens())
    )
}

fn too_small(window: &WindowState, model: &str) -> Option<String> {
    let tokens = window.tokens();
    if tokens >= LEAST_FOR_CODE {
        return None;
    }
    let what = format!("the window of {model} is {} tokens: too small for work on code", grouped(tokens));
    Some(match window.trained {
        Some(trained) if trained < LEAST_FOR_CODE => {
            format!(
                "{what}, and the model was trained for no more than {}; choose another with /model",
                grouped(trained)
            )
        }
        trained => {
            let enough = DEFAULT_WINDOW.min(trained.unwrap_or(u64::MAX));
            format!("{what}; start with --num-ctx {enough}, or put num_ctx = {enough} into config.toml")
        }
    })
}

/// Nothing is said where no card is used at all: that machine has none, or its owner knows.
fn beside_the_card(window: &WindowState, model: &str) -> Option<String> {
    let outside = 100 - window.gpu_percent.filter(|share| (1..100).contains(share))?;
    let tokens = window.tokens();
    let advice = if tokens > LEAST_FOR_CODE {
        format!("a smaller window may bring it onto the card: --num-ctx {}", (tokens / 2).max(LEAST_FOR_CODE))
    } else {
        "a smaller model may fit: choose one with /model".to_owned()
    };
    Some(format!("{outside} % of {model} lies outside the graphics card's memory, which makes it slow; {advice}"))
}

/// A count in full, its thousands apart: `980`, `1,240`.
pub fn grouped(count: u64) -> String {
    match (count / 1_000, count % 1_000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{},{rest:03}", grouped(thousands)),
    }
}

/// Bytes that one tool result may take: a quarter of a window of so many tokens.
pub fn room_for_result(window: u64) -> usize {
    usize::try_from(window / 4 * BYTES_PER_TOKEN).unwrap_or(usize::MAX)
}

/// `text` in at most `room` bytes: its beginning and its end, and a line between that says how much is missing. For texts
/// that should have been short; long results are cut with more care where they are made.
pub fn squeeze(mut text: String, room: usize) -> String {
    if text.len() <= room {
        return text;
    }
    // The figure of the line has at most twenty digits.
    let Some(ends) = room.checked_sub(44) else {
        text.truncate(text.floor_char_boundary(room));
        return text;
    };
    let head = text.floor_char_boundary(ends * 2 / 5);
    let tail = text.ceil_char_boundary(text.len() - (ends - ends * 2 / 5));
    format!("{}\n[… {} bytes cut here]\n{}", &text[..head], tail - head, &text[tail..])
}

/// The beginning of `text` on one line, in at most so many bytes and a sign that there is more.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
        if line.len() > most {
            line.truncate(line.floor_char_boundary(most));
            line.push('…');
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests;
