//! How often the commands of a session tried to leave their network, as the kernel counts it: what was sent to where no way
//! leads, and what was asked of a port of the loopback where nobody listens, as names are.
//!
//! Does not tell which command it was, nor where it wanted to go.

use super::session::Session;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Both are shorter (a dozen lines of numbers, and some ninety short ones).
const LONGEST: usize = 16 * 1024;

impl Session {
    /// The sum of all since the session began; `None` where it cannot be read.
    pub(crate) fn attempts(&self) -> Option<u64> {
        let open = || {
            let [first, second] =
                [c"/proc/self/net/snmp", c"/proc/self/net/snmp6"].map(|path| self.open(path).map(File::from).ok());
            Some((first?, second))
        };
        let (version_4, version_6) = self.counters.get_or_init(open).as_ref()?;
        // Where there is no version 6, nothing is sent by it.
        let by_6 = version_6.as_ref().map_or(Some(0), |file| text(file).ok().map(|text| counted_6(&text)));
        Some(counted(&text(version_4).ok()?) + by_6?)
    }
}

/// The file as it is now.
fn text(file: &File) -> io::Result<String> {
    let (mut text, mut length) = (vec![0; LONGEST], 0);
    loop {
        match file.read_at(&mut text[length..], length as u64)? {
            0 => break,
            read => length += read,
        }
    }
    text.truncate(length);
    String::from_utf8(text).map_err(io::Error::other)
}

/// Of pairs of lines: names, and their values.
fn counted(text: &str) -> u64 {
    let lines: Vec<&str> = text.lines().collect();
    let pairs =
        lines.chunks_exact(2).flat_map(|pair| pair[0].split(' ').zip(pair[1].split(' ')).map(move |both| (pair, both)));
    let ours = pairs.filter(|(pair, (name, _))| {
        *name == "OutNoRoutes" && pair[0].starts_with("Ip:") || *name == "NoPorts" && pair[0].starts_with("Udp:")
    });
    ours.filter_map(|(_, (_, value))| value.parse::<u64>().ok()).sum()
}

/// Of lines of a name and its value.
fn counted_6(text: &str) -> u64 {
    let fields = text.lines().filter_map(|line| line.split_once(char::is_whitespace));
    let ours = fields.filter(|(name, _)| matches!(*name, "Ip6OutNoRoutes" | "Udp6NoPorts"));
    ours.filter_map(|(_, value)| value.trim().parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_had_no_way_and_what_nobody_heard_is_counted() {
        let text = "Ip: Forwarding OutDiscards OutNoRoutes\nIp: 1 7 2\nTcp: ActiveOpens\nTcp: 9\n\
                    Udp: InDatagrams NoPorts\nUdp: 5 3\nUdpLite: InDatagrams NoPorts\nUdpLite: 0 8\n";
        assert_eq!(counted(text), 5);
        assert_eq!(counted_6("Ip6OutNoRoutes \t4\nIp6OutDiscards\t6\nUdp6NoPorts   \t1\nUdpLite6NoPorts\t9\n"), 5);
        assert_eq!((counted(""), counted_6("")), (0, 0));
    }
}
