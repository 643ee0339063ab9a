//! What is a loop, what is honest text, and what is left of a loop.

use super::*;

/// The character at which prose is noticed to loop, if it is.
fn noticed(text: &str, most: u32) -> Option<usize> {
    let mut prose = Prose::new(most);
    text.char_indices().position(|(at, c)| prose.hear(&text[at..at + c.len_utf8()]))
}

/// Is a loop noticed in what may be anything, file contents too?
fn endless(text: &str, most: u32) -> bool {
    Loops::in_anything(most).hear(text)
}

#[test]
fn a_short_unit_is_noticed_when_it_has_come_so_often() {
    let unit = "I will try again. ";
    let at = noticed(&unit.repeat(100), 40).expect("a loop");
    assert!((unit.len() * 40 - 1..unit.len() * 40 + LOOK_EVERY).contains(&at), "{at}");
    assert_eq!(noticed(&unit.repeat(39), 40), None);
    assert!(noticed(&format!("It works. {}", "漢字です".repeat(200)), 40).is_some());
}

#[test]
fn a_long_line_is_noticed_too_past_blank_ones() {
    let line = format!("{}\n\n", "The quick brown fox jumps over the lazy dog, and then he does it again. ".repeat(2));
    assert!(noticed(&line.repeat(40), 40).is_some());
    assert_eq!(noticed(&line.repeat(39), 40), None);
}

#[test]
fn rulers_tables_and_rows_of_zeros_are_honest_text() {
    for honest in ["-".repeat(200), "| --- ".repeat(30), "0, ".repeat(128), " ".repeat(120), "}\n".repeat(60)] {
        assert_eq!(noticed(&honest, 40), None, "{honest}");
    }
    let code: String = (0..500).map(|n| format!("    assert_eq!(square({n}), {});\n", n * n)).collect();
    assert_eq!(noticed(&code, 40), None);
}

#[test]
fn equal_lines_in_a_fence_are_code_and_outside_of_it_a_loop() {
    let lines = "    nop\n".repeat(60);
    for (open, close) in [("```asm", "```"), ("~~~", "~~~"), ("  ````", "  ````")] {
        let shown = format!("Pad it:\n{open}\n{lines}{close}\n");
        assert_eq!(noticed(&format!("{shown}That is all."), 40), None, "{open}");
        assert!(noticed(&format!("{shown}{lines}"), 40).is_some(), "what follows {close} is no code");
    }
    assert!(noticed(&lines, 40).is_some());
    assert!(noticed(&format!("```code``` is how to quote.\n{lines}"), 40).is_some(), "that line opens nothing");
    let nested = format!("````md\n```\n{lines}````\n");
    assert_eq!(noticed(&nested, 40), None, "fewer marks close nothing");
}

#[test]
fn the_same_block_of_code_over_and_over_is_a_loop() {
    let block = format!("```json\n{{\"words\": \"{}\"}}\n```\n\n", "a b c ".repeat(30));
    assert!(noticed(&block.repeat(60), 40).is_some());
    assert_eq!(noticed(&block.repeat(30), 40), None);
}

#[test]
fn contents_may_repeat_themselves_but_not_without_end() {
    let row = "    { 0, 0, 0, 0, 0, 0, 0, 0 },\n";
    for honest in [row.repeat(48), "0x00, ".repeat(100), " ".repeat(450), "    nop\n".repeat(300)] {
        assert!(!endless(&honest, 40), "{honest}");
    }
    for loops in [row.repeat(900), "0x00, ".repeat(3_000), " ".repeat(10_000)] {
        assert!(endless(&loops, 40));
    }
}

#[test]
fn the_same_loop_is_noticed_wherever_the_text_is_cut() {
    let text = format!("so {}", "la la ".repeat(200));
    let (mut whole, mut pieces) = (Loops::new(40), Loops::new(40));
    assert!(whole.hear(&text));
    assert!(text.as_bytes().chunks(7).any(|piece| pieces.hear(&String::from_utf8_lossy(piece))));
    assert_eq!(whole.heard, pieces.heard);
}

#[test]
fn what_a_server_stopped_is_known_however_short_the_word() {
    let stopped = |text: &str| {
        let mut loops = Loops::in_anything(40);
        loops.hear(text);
        loops.server_would_stop()
    };
    assert!(stopped(&" ha".repeat(31)), "as captured from a real server");
    assert!(stopped(&format!("So: {}", "again and again ".repeat(31))));
    assert!(!stopped(&" ha".repeat(29)));
    assert!(!stopped("It was about to say something else."));
}

#[test]
fn only_what_is_said_again_is_cut() {
    let cut = |text: &str| without_echo(text, 40).to_owned();
    assert_eq!(cut(&format!("fine. {}", "spam ".repeat(100))), "fine. spam");
    assert_eq!(cut(&" ha".repeat(31)), " ha");
    let long = "The quick brown fox jumps over the lazy dog, and then the dog jumps over the fox.";
    let again = format!("Look.\n\n{}", format!("{long}\n\n").repeat(40));
    assert_eq!(cut(&again), format!("Look.\n\n{long}"));
    assert_eq!(cut(&format!("{again}The quick br")), format!("Look.\n\n{long}"), "in the middle of one more");
    for honest in ["I think so...", "One.\n\nTwo.", "", "a  ", "| --- | --- |"] {
        assert_eq!(cut(honest), honest);
    }
    assert_eq!(cut(&format!("{again}And now else.")), format!("{again}And now else."));
}
