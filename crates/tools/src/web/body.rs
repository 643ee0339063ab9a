//! The body of an answer, never more of it than there is room for: neither over the wire nor unpacked.

use crate::web::address::Address;
use crate::web::hop::{header, unreached};
use agent_protocol::{Failure, FailureKind};
use flate2::read::MultiGzDecoder;
use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;
use std::io::Read;

/// As much of a body as was taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    /// There is more of it.
    pub(crate) cut: bool,
}

/// Takes the first `most` bytes; the connection is closed over the rest.
pub(crate) async fn take(address: &Address, mut response: Response, most: usize) -> Result<Body, Failure> {
    let packed = header(&response, CONTENT_ENCODING).trim().to_ascii_lowercase();
    let mut body = Body { bytes: Vec::new(), cut: false };
    while !body.cut {
        let Some(chunk) = response.chunk().await.map_err(|error| unreached(address, error))? else { break };
        let room = most - body.bytes.len();
        body.cut = chunk.len() > room;
        body.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    match packed.as_str() {
        "" | "identity" => Ok(body),
        "gzip" | "x-gzip" => unpacked(&body, most),
        other => {
            let message = format!("{} packs its pages with {other:?}, which was not asked for", address.host());
            Err(Failure::new(FailureKind::NotText, message))
        }
    }
}

/// What was packed, up to `most` bytes. What was cut over the wire ends in the middle.
fn unpacked(packed: &Body, most: usize) -> Result<Body, Failure> {
    let mut bytes = Vec::new();
    let read = MultiGzDecoder::new(packed.bytes.as_slice()).take(most as u64 + 1).read_to_end(&mut bytes);
    if read.is_err() && !packed.cut {
        return Err(Failure::new(FailureKind::NotText, "the page cannot be unpacked; it is no whole gzip"));
    }
    let cut = packed.cut || bytes.len() > most;
    bytes.truncate(most);
    Ok(Body { bytes, cut })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_bomb_is_unpacked_only_as_far_as_there_is_room() {
        let bomb = Body { bytes: packed(&vec![b'x'; 8 << 20]), cut: false };
        let unpacked = unpacked(&bomb, 1_000).unwrap();
        assert_eq!((unpacked.bytes.len(), unpacked.bytes.capacity() < 4_000, unpacked.cut), (1_000, true, true));
    }

    #[test]
    fn what_was_cut_over_the_wire_is_unpacked_as_far_as_it_goes() {
        let mut bytes = packed(b"a few words");
        bytes.truncate(bytes.len() - 8);
        let cut = Body { bytes: bytes.clone(), cut: true };
        assert_eq!(unpacked(&cut, 100).unwrap(), Body { bytes: b"a few words".into(), cut: true });
        assert!(unpacked(&Body { bytes, cut: false }, 100).is_err());
    }
}
