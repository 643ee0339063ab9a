//! One server, several sessions.

use super::server::Llama;
use super::{out, patient_house, progress, said};
use crate::stage::House;
use crate::terminal::Terminal;

fn open(house: &House, llama: &Llama) -> Terminal {
    house.open_with(&["--host", &llama.host(), "--model", "tiny"], (120, 40))
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn two_sessions_on_two_slots_have_a_window_each_and_do_not_wait_for_one_another() {
    let (one, two, llama) = (patient_house(), patient_house(), Llama::start(32_768, 2));
    assert_eq!(llama.windows(), [16_384, 16_384]);
    let mut screens = [open(&one, &llama), open(&two, &llama)];
    for screen in &mut screens {
        screen.wait_for("/ 16k");
        screen.keys("Stream forever<enter>");
    }
    screens.iter().for_each(|screen| drop(screen.wait_for("tick tock")));
    llama.wait_at_work(2);
    screens[0].keys("<esc>");
    screens[0].wait_for("interrupted");
    llama.wait_at_work(1);
    let next = said(&one, &llama, &["-p", "Hello"]);
    assert!(out(&next).starts_with("Hello! I am a tiny test model."), "{}", progress(&next));
    screens[1].keys("<esc>");
    screens[1].wait_for("interrupted");
    llama.wait_at_work(0);
}
