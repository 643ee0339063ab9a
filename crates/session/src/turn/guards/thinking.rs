//! Thinking has a bound: a model that reaches it is hung up on at the end of a paragraph, and asked once more for the one call or
//! the answer, where it allows that without thinking. A hard cut costs more than no thinking at all, so it is closed with words,
//! and no reply is cut twice.

use crate::ServerEffect;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::guards::cut_off::{finish_unusable, keep_words};
use crate::turn::guards::thinking_bound::ThinkingBound;
use crate::turn::phase::{Listening, Next, Phase};
use crate::turn::state::Turn;
use crate::turn::user_message::steer;
use agent_protocol::{NoticeLevel, TurnEvent};

/// The most that is bounded by itself, in tokens.
const USUAL: u64 = 4_096;

/// The share of the window that is: one in so many tokens.
const OF_WINDOW: u64 = 8;

/// Characters of the thinking that the model is told of.
const TAIL: usize = 600;

/// After so many closings in a turn the user is told what can be done about it.
const OFTEN: u32 = 3;

/// The bound of the reply that is asked for next; none where it answers to thinking that was closed.
pub(crate) fn bound(turn: &Turn, server: &Server) -> Option<ThinkingBound> {
    let counts = &turn.counts;
    let of = match server.levers().think_tokens {
        _ if counts.thinking.acts => return None,
        1 => {
            let usual = USUAL.min(server.window() / OF_WINDOW);
            // The first reply of a turn is where the task is thought through.
            if counts.guard.taken == 0 { usual * 2 } else { usual }
        }
        tokens => u64::from(tokens),
    };
    (of > 0).then_some(ThinkingBound::closing_at(of))
}

/// More thinking is here: how far it has come is told, and at the bound it is closed.
pub(crate) fn go_on(mut listening: Box<Listening>, parts: &mut Parts) -> Next {
    let Some(mut bound) = listening.bound else { return Next::Rest(Phase::Listening(listening)) };
    let tokens = listening.heard.thought_tokens(parts.server.measure.gauge.estimator());
    if bound.is_news(tokens) {
        let phase = agent_protocol::Phase::Thinking { tokens, of: bound.of };
        parts.out.emit(TurnEvent::Waiting { phase });
    }
    if bound.is_over(&listening.heard.thinking, tokens) {
        return close(*listening, tokens, parts);
    }
    listening.bound = Some(bound);
    Next::Rest(Phase::Listening(listening))
}

/// The model has thought long enough.
fn close(mut listening: Listening, tokens: u64, parts: &mut Parts) -> Next {
    parts.out.carry_out(ServerEffect::HangUp);
    parts.conversation.it_fitted();
    let so_far = tail(&listening.heard.thinking);
    finish_unusable(&mut listening.heard, &mut parts.out);
    listening.heard.thinking.clear();
    keep_words(listening.heard, &mut parts.conversation);
    let work = &mut parts.turn.counts.thinking;
    work.acts = true;
    work.closings += 1;
    let often = work.closings == OFTEN;
    parts.out.notice(NoticeLevel::Info, format!("thought {} tokens; told to act", short(tokens)));
    if often {
        let text = "this model thinks long: /think off, or think_tokens = 0 under [harness]";
        parts.out.notice(NoticeLevel::Info, text);
    }
    let act = if parts.server.works_by_files() { "answer with the files" } else { "act: one call, or the answer" };
    parts.conversation.remind(&format!("(you have thought long enough; so far: …{so_far}… now {act})"));
    steer(parts);
    Next::Ask
}

/// The end of the thinking, on one line.
fn tail(thinking: &str) -> String {
    let line = thinking.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    let from = line.char_indices().rev().nth(TAIL - 1).map_or(0, |(at, _)| at);
    line[from..].to_owned()
}

/// `980`, `4.1k`.
fn short(tokens: u64) -> String {
    if tokens < 1_000 { tokens.to_string() } else { format!("{:.1}k", tokens as f64 / 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_thinking_the_end_is_told_on_one_line() {
        let told = tail(&format!("{}\n\nSo I edit\u{1b} parse.py.", "é ".repeat(2_000)));
        assert!(told.ends_with(" So I edit parse.py."), "{told}");
        assert_eq!(told.chars().count(), TAIL);
        assert_eq!(tail("short"), "short");
        assert_eq!((short(980), short(4_112)), ("980".into(), "4.1k".into()));
    }
}
