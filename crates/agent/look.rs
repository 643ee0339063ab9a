//! How the screen looks and what its keys do, as the settings have it.

use crate::config::Config;
use agent_protocol::NearbyServer;
use agent_tui::{Begin, Clipboard, EditingKeys, Mouse, ScreenMotion, WindowTitle};

/// A screen with these settings, on which nothing happened yet.
pub(crate) fn of(config: &Config) -> agent_tui::Settings {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    agent_tui::Settings {
        version: env!("CARGO_PKG_VERSION").into(),
        draft: String::new(),
        recovered: false,
        keeps_drafts: false,
        banner: Vec::new(),
        mouse: if config.mouse && !config.inline { Mouse::Captured } else { Mouse::Free },
        inline: config.inline,
        notify: config.notify,
        title: if config.title { WindowTitle::Told } else { WindowTitle::Untouched },
        motion: if config.reduced_motion { ScreenMotion::Reduced } else { ScreenMotion::Full },
        theme: config.theme,
        theme_by_background: config.theme_by_background,
        clipboard: Clipboard::Osc52,
        editor: editor.filter(|editor| !editor.trim().is_empty()),
        keys: config.keys.clone(),
        editing: if config.vim { EditingKeys::Vim } else { EditingKeys::Readline },
        commands: Vec::new(),
        demo: false,
        begin: Begin::Plain,
        servers: other_servers(config),
        config: None,
        results: Vec::new(),
    }
}

/// The servers that have names, but for the one that is talked to.
fn other_servers(config: &Config) -> Vec<NearbyServer> {
    let others = config.named_servers.iter().filter(|server| config.host.as_ref() != Some(&server.host));
    others.map(|server| NearbyServer { name: server.name.clone(), host: server.host.clone() }).collect()
}
