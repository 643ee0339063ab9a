//! The panel of the window: what fills it, part by part, how well that is known, and what the window is.

use super::panel::{Panel, PanelRow, pair};
use super::shares::Shares;
use agent_protocol::sanitize::figures::{grouped, short, tenths};
use agent_protocol::{ContextReport, ServerCard, WindowChoice, WindowState};

impl Panel {
    /// Where the tokens go.
    pub(crate) fn context(report: &ContextReport, server: Option<&ServerCard>) -> Self {
        let mut rows = vec![PanelRow::Shares(Shares::of(report)), PanelRow::Blank];
        let warnings = warnings(report);
        if !warnings.is_empty() {
            rows.extend(warnings.into_iter().map(PanelRow::Warning));
            rows.push(PanelRow::Blank);
        }
        rows.push(pair("model", &report.model));
        rows.extend(window(&report.window, server));
        rows.extend(report.working.map(|most| {
            let held =
                format!("{} of {}; beyond it the oldest results become a line each", short(report.used), short(most));
            pair("working set", held)
        }));
        rows.extend(accounts(report));
        Panel::new("Where the tokens go", rows)
    }
}

/// What the user should do something about.
fn warnings(report: &ContextReport) -> Vec<String> {
    let cuts = "this server is too old to be told not to cut: what does not fit is lost without a word; update it";
    let asked = report.window.asked;
    let less = report.window.effective.filter(|tokens| *tokens < asked).map(|tokens| {
        format!("the server gives only {} of the {} tokens that were asked for", grouped(tokens), grouped(asked))
    });
    report.cuts_silently.then(|| cuts.to_owned()).into_iter().chain(less).collect()
}

/// What the window is, and how it came to be so.
fn window(window: &WindowState, server: Option<&ServerCard>) -> Vec<PanelRow> {
    let chosen = match window.chosen {
        WindowChoice::Configured => "as you configured it",
        WindowChoice::Server => &server.cloned().unwrap_or_default().window_origin(),
        WindowChoice::Remembered => "as in the last session with this model",
        WindowChoice::Loaded => "as the model was loaded already",
        WindowChoice::Fixed => "as the server was started with it",
        WindowChoice::Modelfile => "as the model's own file asks for",
        WindowChoice::Default => "the default: nothing else is known",
    };
    let mut rows = vec![pair("window", format!("{} tokens, {chosen}", grouped(window.asked)))];
    rows.push(match window.effective {
        Some(tokens) if tokens < window.asked => pair("", format!("the server gives {}", grouped(tokens))),
        Some(_) => pair("", "the server gives all of it"),
        None => pair("", "not measured: the server has not said what it gives"),
    });
    rows.extend(window.trained.map(|tokens| pair("", format!("the model was trained for {}", grouped(tokens)))));
    rows.extend(window.gpu_percent.map(|percent| {
        pair(
            "",
            match percent {
                100.. => "all of the model lies on the graphics card".to_owned(),
                0 => "nothing of the model lies on a graphics card".to_owned(),
                percent => format!(
                    "{percent} % of the model lies on the graphics card; a smaller window leaves more room for it"
                ),
            },
        )
    }));
    rows
}

/// How well all that is known, how fast it goes, and what was done for it.
fn accounts(report: &ContextReport) -> Vec<PanelRow> {
    let checked = report.checked.map(|checked| {
        let error = tenths(checked.error_percent().abs());
        let (estimated, counted) = (grouped(checked.estimated), grouped(checked.counted));
        format!("estimate {estimated} · server counted {counted} · off by {error} %")
    });
    let per_token = tenths(report.characters_per_token);
    let learned = match report.samples {
        0 => format!("{per_token} characters a token, assumed"),
        1 => format!("{per_token} characters a token, from 1 count"),
        samples => format!("{per_token} characters a token, from {} counts", grouped(samples)),
    };
    let speed = |word: &str, speed: Option<f64>| speed.map(|speed| format!("{word} {speed:.0} tokens/s"));
    let speeds: Vec<String> =
        [speed("reads", report.reading), speed("writes", report.writing)].into_iter().flatten().collect();
    let reused = report.reused.filter(|reused| reused.of > 0).map(|reused| {
        let percent = reused.tokens.min(reused.of) * 100 / reused.of;
        format!("of the last prompt {percent} % was still in the server's memory")
    });
    let fitted = match report.fitted {
        0 => "never in this conversation".to_owned(),
        1 => "once".to_owned(),
        times => format!("{} times", grouped(times)),
    };
    let mut rows = vec![
        pair("checked", checked.unwrap_or_else(|| "not yet: the server gave no count that can be used".to_owned())),
        pair("learned", learned),
    ];
    if !speeds.is_empty() {
        rows.push(pair("speed", speeds.join(" · ")));
    }
    rows.extend(reused.map(|reused| pair("reused", reused)));
    rows.push(pair("compacted", fitted));
    rows.push(pair("longest reply", format!("{} tokens", grouped(report.longest_reply))));
    rows
}
