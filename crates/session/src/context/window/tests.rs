//! Which window is asked for, and what is said of it.

use super::*;

#[test]
fn what_is_too_long_is_cut_and_that_is_said() {
    let cut = squeeze("漢".repeat(1_000), 100);
    assert_eq!(cut, format!("{}\n[… 2946 bytes cut here]\n{}", "漢".repeat(7), "漢".repeat(11)));
    assert_eq!(squeeze("short".into(), 100), "short");
    for room in 0..200 {
        assert!(squeeze("ab漢\n".repeat(1_000), room).len() <= room, "{room}");
    }
}

#[test]
fn one_result_takes_at_most_a_quarter() {
    assert_eq!(room_for_result(16_384), 12_288);
}

fn card(trained: u64, own: Option<u64>) -> ModelCard {
    ModelCard { name: "m".into(), context_length: Some(trained), own_window: own, ..ModelCard::default() }
}

fn loaded(tokens: u64) -> LoadedModel {
    let (size_bytes, vram_bytes) = (Some(100), Some(63));
    LoadedModel { context_length: Some(tokens), size_bytes, vram_bytes, ..LoadedModel::default() }
}

fn chosen(
    configured: Option<u64>,
    remembered: Option<u64>,
    loaded: Option<&LoadedModel>,
    card: &ModelCard,
) -> (u64, WindowChoice) {
    let window = choose_window(&WindowWish { configured, server: None, remembered, fixed: None, loaded, card });
    (window.asked, window.chosen)
}

#[test]
fn what_the_environment_says_of_the_server_counts_unless_it_is_too_small_for_work() {
    let card = card(131_072, None);
    let window = |configured, server| {
        let wish = WindowWish { configured, server, remembered: Some(12_000), fixed: None, loaded: None, card: &card };
        let window = choose_window(&wish);
        (window.asked, window.chosen)
    };
    assert_eq!(window(None, Some(65_536)), (65_536, WindowChoice::Server));
    assert_eq!(window(Some(9_000), Some(65_536)), (9_000, WindowChoice::Configured));
    assert_eq!(window(None, Some(4_096)), (12_000, WindowChoice::Remembered));
}

#[test]
fn what_the_person_says_comes_first_then_what_was_then_what_is() {
    let (card, there) = (card(131_072, Some(4_096)), loaded(12_000));
    assert_eq!(chosen(Some(9_000), Some(6_000), Some(&there), &card), (9_000, WindowChoice::Configured));
    assert_eq!(chosen(None, Some(6_000), Some(&there), &card), (6_000, WindowChoice::Remembered));
    assert_eq!(chosen(None, None, Some(&there), &card), (12_000, WindowChoice::Loaded));
    assert_eq!(chosen(None, None, Some(&loaded(8_191)), &card), (4_096, WindowChoice::Modelfile));
    assert_eq!(chosen(None, None, None, &ModelCard::default()), (16_384, WindowChoice::Default));
    assert_eq!(chosen(Some(0), Some(0), None, &ModelCard::default()), (16_384, WindowChoice::Default));
}

#[test]
fn never_more_than_the_model_was_trained_for() {
    assert_eq!(chosen(Some(40_000), None, None, &card(8_192, None)), (8_192, WindowChoice::Configured));
    assert_eq!(chosen(None, None, None, &card(2_048, None)), (2_048, WindowChoice::Default));
    assert_eq!(chosen(None, None, None, &card(0, None)), (16_384, WindowChoice::Default));
}

#[test]
fn what_is_loaded_tells_only_of_the_window_that_it_is_loaded_with() {
    let (card, there) = (card(131_072, None), loaded(8_192));
    let window = |configured| {
        let wish =
            WindowWish { configured, server: None, remembered: None, fixed: None, loaded: Some(&there), card: &card };
        let window = choose_window(&wish);
        (window.effective, window.gpu_percent)
    };
    assert_eq!([window(None), window(Some(8_192))], [(Some(8_192), Some(63)); 2]);
    assert_eq!(window(Some(9_000)), (None, None));
}

#[test]
fn a_reply_has_an_eighth_within_bounds_and_is_never_without_a_bound() {
    let reserve = [2_048, 4_096, 8_192, 16_384, 65_536, 262_144].map(|window| room_in(window, None).reserve);
    assert_eq!(reserve, [512, 1_024, 1_024, 2_048, 8_192, 8_192]);
    let longest = |window, configured| room_in(window, configured).longest_reply;
    assert_eq!([longest(8_192, None), longest(262_144, None)], [4_096, 32_768]);
    assert_eq!([longest(8_192, Some(77)), longest(8_192, Some(90_000))], [77, 8_192]);
    assert_eq!([longest(8_192, Some(0)), longest(0, None)], [4_096, 1]);
}

fn warnings(asked: u64, effective: u64, trained: u64, gpu: u8, configured: Option<u64>) -> Vec<String> {
    let window = WindowState {
        asked,
        trained: Some(trained),
        effective: Some(effective),
        gpu_percent: Some(gpu),
        ..WindowState::default()
    };
    let server = ServerCard { window_variable: Some("OLLAMA_CONTEXT_LENGTH".into()), ..ServerCard::default() };
    window_warnings(&window, configured, "qwen3:8b", &server)
}

#[test]
fn what_the_server_fixed_is_the_window_and_only_less_of_it_can_be_asked_for() {
    let window = |configured, fixed, trained| {
        let (card, remembered) = (card(trained, Some(2_048)), Some(16_384));
        let wish =
            WindowWish { configured, server: Some(65_536), remembered, fixed: Some(fixed), loaded: None, card: &card };
        let window = choose_window(&wish);
        (window.tokens(), window.chosen, window.effective)
    };
    assert_eq!(window(None, 4_096, 32_768), (4_096, WindowChoice::Fixed, Some(4_096)));
    assert_eq!(window(Some(2_000), 4_096, 32_768), (2_000, WindowChoice::Configured, Some(4_096)));
    assert_eq!(window(Some(90_000), 4_096, 32_768), (4_096, WindowChoice::Fixed, Some(4_096)));
    assert_eq!(window(None, 65_536, 32_768), (32_768, WindowChoice::Fixed, Some(65_536)));
    assert_eq!(window(Some(0), 512, 0), (512, WindowChoice::Fixed, Some(512)));
}

#[test]
fn of_a_window_that_the_server_fixed_the_servers_own_setting_is_named() {
    let warned = |configured, fixed, setting: Option<&str>| {
        let card = card(32_768, None);
        let wish =
            WindowWish { configured, server: None, remembered: None, fixed: Some(fixed), loaded: None, card: &card };
        let windows = WindowsBy::Server { setting: setting.map(str::to_owned) };
        let server = ServerCard { windows, ..ServerCard::default() };
        window_warnings(&choose_window(&wish), configured, "m", &server).join("|")
    };
    assert_eq!(
        warned(None, 4_096, Some("--ctx-size")),
        "the window of m is 4,096 tokens: too small for work on code; a larger --ctx-size where the server runs gives \
         it more"
    );
    assert_eq!(
        warned(Some(16_384), 4_096, None),
        "16,384 tokens were asked for, and this server alone decides: it gives 4,096 to m, too small for work on code; \
         the server's own settings give it more"
    );
    assert_eq!(
        warned(Some(4_000), 16_384, None),
        "the window of m is 4,000 tokens: too small for work on code; the server gives up to 16,384: --num-ctx holds it \
         to less"
    );
    assert_eq!(warned(None, 16_384, Some("--ctx-size")), "");
    let unknown = WindowState { asked: 4_096, ..WindowState::default() };
    let server = ServerCard { windows: WindowsBy::Server { setting: None }, ..ServerCard::default() };
    assert!(window_warnings(&unknown, None, "m", &server).is_empty(), "nobody knows it");
}

#[test]
fn a_window_too_small_for_code_is_said_with_the_setting() {
    assert_eq!(
        warnings(4_096, 4_096, 40_960, 100, None),
        ["the window of qwen3:8b is 4,096 tokens: too small for work on code; start with --num-ctx 16384, or put \
          num_ctx = 16384 into config.toml"]
    );
    assert_eq!(
        warnings(2_048, 2_048, 2_048, 100, None),
        ["the window of qwen3:8b is 2,048 tokens: too small for work on code, and the model was trained for no more \
          than 2,048; choose another with /model"]
    );
    assert!(warnings(4_096, 4_096, 10_000, 100, None)[0].contains("--num-ctx 10000"));
}

#[test]
fn that_the_instructions_do_not_fit_is_said_with_what_helps_there() {
    let window = WindowState { asked: 512, trained: Some(32_768), ..WindowState::default() };
    let said = |window: &WindowState, windows| {
        no_room_for_instructions(1_573, window, "m", &ServerCard { windows, ..ServerCard::default() })
    };
    let setting = Some("--ctx-size".to_owned());
    assert_eq!(
        said(&window, WindowsBy::Server { setting }),
        "the instructions and tools alone take about 1,573 tokens and the window of m holds 512, so no message fits; a \
         larger --ctx-size where the server runs gives it more"
    );
    assert!(
        said(&window, WindowsBy::Request)
            .ends_with("; start with --num-ctx 16384, or with fewer tools (/tools, --tools)")
    );
    let all = WindowState { trained: Some(512), ..window };
    assert!(said(&all, WindowsBy::Request).contains("choose a model that was trained for more with /model"));
}

#[test]
fn a_window_smaller_than_asked_for_is_said_instead() {
    assert_eq!(
        warnings(32_768, 4_096, 40_960, 100, Some(32_768)),
        ["32,768 tokens were asked for and the server gives 4,096 to qwen3:8b, too small for work on code: it may be \
          short of memory, or OLLAMA_CONTEXT_LENGTH may hold it to less where it runs; a smaller model leaves \
          more room: choose one with /model"]
    );
    let enough = &warnings(32_768, 16_000, 40_960, 100, None)[0];
    assert!(enough.ends_with("; --num-ctx 16000 asks for what there is") && !enough.contains("too small"), "{enough}");
}

#[test]
fn more_than_the_model_was_trained_for_is_said() {
    assert_eq!(
        warnings(8_192, 8_192, 8_192, 100, Some(40_000)),
        ["a window of 40,000 tokens was asked for, but the model was trained for 8,192; --num-ctx 8192 is all that \
          qwen3:8b can use"]
    );
}

#[test]
fn what_lies_beside_the_card_is_said_and_a_machine_without_one_is_left_in_peace() {
    assert_eq!(
        warnings(16_384, 16_384, 40_960, 63, None),
        ["37 % of qwen3:8b lies outside the graphics card's memory, which makes it slow; a smaller window may bring \
          it onto the card: --num-ctx 8192"]
    );
    assert!(warnings(8_192, 8_192, 40_960, 63, None)[0].ends_with("a smaller model may fit: choose one with /model"));
    assert!(warnings(8_192, 8_192, 40_960, 0, None).is_empty());
    assert!(warnings(16_384, 16_384, 40_960, 100, None).is_empty());
}

#[test]
fn thousands_stand_apart() {
    assert_eq!([0, 980, 1_240, 16_384, 1_000_007].map(grouped), ["0", "980", "1,240", "16,384", "1,000,007"]);
}
