//! The hooks of the settings: what each is run at, whose it is, and whether it is in force.

use super::panel::{Panel, PanelRow, pair};
use agent_protocol::{Hook, HookOrigin};

impl Panel {
    /// All hooks, the user's own first.
    pub(crate) fn hooks(hooks: &[Hook]) -> Self {
        let mut rows = Vec::new();
        for (origin, heading) in
            [(HookOrigin::Yours, "In your config"), (HookOrigin::Project, "In this project's config")]
        {
            let of_origin: Vec<&Hook> = hooks.iter().filter(|hook| hook.origin == origin).collect();
            if !of_origin.is_empty() {
                rows.push(PanelRow::Heading(heading));
                rows.extend(of_origin.into_iter().flat_map(hook_rows));
            }
        }
        if rows.is_empty() {
            rows.push(PanelRow::Text(
                "There are none. [[hooks]] in your config.toml adds one; see docs/HOOKS.md.".into(),
            ));
        } else {
            rows.push(PanelRow::Blank);
            rows.push(PanelRow::Text(
                "A hook can refuse a call, have it asked about, change it or add a word. None can allow what would be asked about."
                    .into(),
            ));
        }
        Panel::new("Hooks", rows)
    }
}

fn hook_rows(hook: &Hook) -> Vec<PanelRow> {
    let matcher = hook.matcher.as_ref().filter(|_| hook.event.is_of_calls());
    let at = matcher.map_or(String::new(), |matcher| format!("{matcher} · "));
    let place = if hook.sandbox || hook.origin == HookOrigin::Project { "" } else { " · outside the sandbox" };
    let state = match (&hook.off, &hook.asks) {
        (Some(why), _) => format!("off: {why}"),
        (None, Some(why)) => format!("not run, its calls are asked about: {why}"),
        (None, None) => "in force".to_owned(),
    };
    let standing = format!("{state} · {} s at most{place}", hook.timeout_secs);
    vec![pair(hook.event.name(), format!("{at}{}", hook.command)), pair("", standing)]
}
