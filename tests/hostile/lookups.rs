//! The name server of the world around: it writes down what it is asked, and its names mean what an attacker wants.

use crate::listeners::Heard;
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Names of the attacker and what they mean. The public address leads nowhere: nothing here leads out.
const NAMES: &[(&str, &[[u8; 4]])] =
    &[("rebind.example", &[[127, 0, 0, 1]]), ("mixed.example", &[[8, 8, 8, 8], [127, 0, 0, 1]])];

/// So often it looks whether all is over.
const LOOK: Duration = Duration::from_millis(50);

/// Begins at port 53 of every address, and leaves it when all is over.
pub(crate) fn begin(heard: Heard, over: Arc<AtomicBool>) -> JoinHandle<()> {
    let socket = UdpSocket::bind("0.0.0.0:53").expect("the port of names is free in a net of our own");
    socket.set_read_timeout(Some(LOOK)).expect("a time is no fault");
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while !over.load(Ordering::Relaxed) {
            let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
            heard.note("dns", &buffer[..length]);
            if let Some(answer) = answer(&buffer[..length]) {
                // Whoever asked may be gone.
                let _ = socket.send_to(&answer, from);
            }
        }
    })
}

/// What is said to this question; `None`: it is none.
fn answer(question: &[u8]) -> Option<Vec<u8>> {
    let (name, end) = name(question)?;
    let asks_for = *question.get(end + 1)?;
    let known = NAMES.iter().find(|(known, _)| *known == name);
    let addresses = known.filter(|_| asks_for == 1).map_or(&[][..], |(_, addresses)| *addresses);
    let status = if known.is_some() { 0x80 } else { 0x83 };
    let mut answer = question.get(..2)?.to_vec();
    answer.extend([0x81, status, 0, 1, 0, u8::try_from(addresses.len()).ok()?, 0, 0, 0, 0]);
    answer.extend(question.get(12..end + 4)?);
    for address in addresses {
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4]);
        answer.extend(address);
    }
    Some(answer)
}

/// The name that is asked for, and where it ends.
fn name(question: &[u8]) -> Option<(String, usize)> {
    let (mut labels, mut at) = (Vec::new(), 12);
    loop {
        let length = usize::from(*question.get(at)?);
        at += 1;
        if length == 0 {
            return Some((labels.join(".").to_lowercase(), at));
        }
        labels.push(String::from_utf8_lossy(question.get(at..at + length)?).into_owned());
        at += length;
    }
}
