//! `/config`: every setting with its value and where it is from, filtered by what is typed.

use super::harness::Stage;
use crate::app::Msg;
use crate::cmd::Cmd;
use crate::settings::{Config, ConfigAtHand, ListedSetting, Settings};
use crate::themes::Theme;
use insta::assert_snapshot;

fn listed() -> Vec<ListedSetting> {
    let row = |name: &str, value: &str, from: &str| ListedSetting {
        name: name.into(),
        value: value.into(),
        from: from.into(),
        about: format!("What {name} is, in words. "),
        is_set: true,
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

/// The settings, with so many steps. Nobody writes: what is wished for is looked at.
struct Steps(&'static str);

impl Config for Steps {
    fn list(&self) -> Vec<ListedSetting> {
        let mut settings = listed();
        settings[2].value = self.0.into();
        settings
    }

    fn write(&self, _name: &str, _value: Option<&str>) -> Result<(), String> {
        Ok(())
    }
}

fn stage(width: u16, height: u16) -> Stage {
    let settings =
        Settings { config: Some(ConfigAtHand::new(Steps("30"))), theme: Theme::plain(), ..Settings::default() };
    Stage::sized(settings, width, height)
}

fn write(name: &str, value: Option<&str>) -> Cmd {
    Cmd::WriteSetting { name: name.into(), value: value.map(str::to_owned) }
}

fn written(stage: &mut Stage, name: &str, outcome: Result<Vec<ListedSetting>, String>) {
    stage.tell(Msg::SettingWritten { name: name.into(), outcome });
}

#[test]
fn enter_changes_the_chosen_one_and_what_is_wrong_is_said_where_it_is_typed() {
    let mut stage = stage(120, 40);
    stage.keys("/config limits<enter><enter>");
    assert_snapshot!("config_value_120x40", stage.screen());
    stage.keys("<c-u>many<enter>");
    assert_eq!(stage.cmds(), [write("limits.steps", Some("many"))]);
    written(&mut stage, "limits.steps", Err("nothing was written: a number is wanted\u{1b}[2J".into()));
    assert!(stage.shows("a number is wanted") && stage.shows("› many"), "{}", stage.screen());
    stage.keys("<c-u>40<enter>");
    assert_eq!(stage.cmds(), [write("limits.steps", Some("40"))]);
    written(&mut stage, "limits.steps", Ok(Steps("40").list()));
    assert!(stage.shows("written; from the next start on: limits.steps = 40 (your config.toml)"), "{}", stage.screen());
}

#[test]
fn an_empty_value_takes_it_out_and_escape_goes_back_to_the_list() {
    let mut stage = stage(120, 40);
    stage.keys("/config mode<enter><enter>");
    assert!(stage.shows("› safe"), "text stands there without quotes: {}", stage.screen());
    stage.keys("<c-u><enter>");
    assert_eq!(stage.cmds(), [write("mode", None)]);
    stage.keys("<esc>");
    assert!(stage.shows("search: mode") && stage.cmds().is_empty(), "{}", stage.screen());
}

#[test]
fn a_setting_can_be_set_in_one_line() {
    let mut stage = stage(120, 40);
    stage.keys("/config harness.looks = 20<enter>");
    assert_eq!(stage.cmds(), [write("harness.looks", Some("20"))]);
    written(&mut stage, "harness.looks", Err("nothing was written: no".into()));
    assert!(stage.shows("nothing was written: no"), "{}", stage.screen());
}

#[test]
fn every_setting_is_listed_with_its_value_and_its_place() {
    let mut stage = stage(80, 24);
    stage.keys("/config<enter>");
    assert_snapshot!("config_80x24", stage.screen());
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
    assert!(stage.shows("/config screen.theme = dark") && stage.app.composer.is_empty(), "{}", stage.screen());
}
