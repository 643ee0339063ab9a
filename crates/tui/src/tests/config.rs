//! `/config`: every setting with its value and where it is from, filtered by what is typed.

use super::harness::Stage;
use crate::settings::{ListedSetting, Settings};
use crate::themes::Theme;
use insta::assert_snapshot;

fn listed() -> Vec<ListedSetting> {
    let row = |name: &str, value: &str, from: &str| ListedSetting {
        name: name.into(),
        value: value.into(),
        from: from.into(),
    };
    let long = "[\"read_file\", \"write_file\", \"edit_file\", \"run_command\", \"list_dir\", \"glob_files\", \"grep_search\"]";
    vec![
        row("mode", "\"safe\"", "this project's config.toml"),
        row("model", "\"qwen3-coder:30b\"", "AGENT_MODEL"),
        row("limits.steps", "30", "your config.toml"),
        row("screen.mouse", "true", "default"),
        row("tools.core", long, "your config.toml"),
    ]
}

fn stage(width: u16, height: u16) -> Stage {
    let settings = Settings { listed: listed(), theme: Theme::plain(), ..Settings::default() };
    Stage::sized(settings, width, height)
}

#[test]
fn every_setting_is_listed_with_its_value_and_its_place() {
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = stage(width, height);
        stage.keys("/config<enter>");
        assert_snapshot!(format!("config_{width}x{height}"), stage.screen());
    }
}

#[test]
fn what_is_typed_leaves_only_what_fits_and_the_composer_is_empty() {
    let mut stage = stage(120, 40);
    stage.keys("/config<enter>");
    assert!(stage.app.composer.is_empty());
    stage.keys("your core");
    assert!(stage.shows("tools.core") && !stage.shows("limits.steps"), "{}", stage.screen());
    assert!(stage.shows("glob_files"), "of the chosen one all is shown: {}", stage.screen());
    stage.keys("<c-u>nonsense");
    assert!(stage.shows("no setting fits"), "{}", stage.screen());
    stage.keys("<esc>");
    assert!(!stage.shows("no setting fits") && stage.ops().is_empty());
    stage.keys("/settings screen<enter>");
    assert!(stage.shows("screen.mouse") && !stage.shows("limits.steps"), "{}", stage.screen());
}

#[test]
fn a_command_of_other_programs_is_answered_and_leaves_the_composer_empty() {
    let mut stage = stage(120, 40);
    stage.keys("/theme<enter>");
    assert!(stage.shows("under [screen] in config.toml") && stage.app.composer.is_empty(), "{}", stage.screen());
}
