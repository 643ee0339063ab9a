//! The colours of the screen: chosen by asking the terminal, and from a file of the user's own.

use crate::stage::House;
use crate::terminal::Terminal;

fn with_settings(house: &House, settings: &str) -> Terminal {
    std::fs::write(house.config().join("config.toml"), settings).unwrap();
    Terminal::start(house.command(&["--model", "m"]), (100, 30))
}

#[test]
fn the_theme_follows_what_the_terminal_says_of_its_background_and_nothing_of_that_is_typed() {
    for (said, safe) in
        [("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "38;5;114"), ("\x1b]11;rgb:ffff/ffff/ffff\x07", "38;5;22")]
    {
        let house = House::new(&[]);
        let mut screen = with_settings(&house, "[screen]\ntheme = \"auto\"\n");
        screen.wait_for_raw("\x1b]11;?\x1b\\");
        assert!(!String::from_utf8_lossy(&screen.raw()).contains(safe), "it went on before the answer");
        screen.send(said.as_bytes());
        screen.keys("hello");
        screen.wait_for("› hello");
        screen.wait_for_raw(safe);
        assert!(!screen.screen().contains("rgb"), "{}", screen.screen());
    }
}

#[test]
fn without_auto_nobody_asks_the_terminal() {
    let house = House::new(&[]);
    let screen = with_settings(&house, "[screen]\ntheme = \"dark\"\n");
    assert!(!String::from_utf8_lossy(&screen.raw()).contains("\x1b]11;"));
}

#[test]
fn a_theme_of_ones_own_is_worn_and_a_bad_one_is_named_with_its_line() {
    let house = House::new(&[]);
    std::fs::create_dir_all(house.config().join("themes")).unwrap();
    let own = house.config().join("themes/mine.toml");
    std::fs::write(&own, "base = \"dark\"\ngood = \"#010203\"\n").unwrap();
    let screen = with_settings(&house, "[screen]\ntheme = \"mine\"\n");
    screen.wait_for_raw("38;2;1;2;3");
    drop(screen);
    std::fs::write(&own, "base = \"dark\"\ngood = \"gren\"\n").unwrap();
    let mut command = house.headless(&["-p", "hi"]);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("themes/mine.toml:2: `gren` is no colour and no weight; did you mean green?"), "{told}");
    assert_eq!(output.status.code(), Some(2));
}
