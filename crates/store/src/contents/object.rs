//! What the file of one object holds: a tag, then the bytes as they are, the bytes made smaller, or a list of pieces.

use agent_protocol::Digest;
use sha2::{Digest as _, Sha256};
use std::fmt::Write;

/// Sizes of pieces, in bytes.
pub(super) const PIECE_LEAST: usize = 4 * 1024;
pub(super) const PIECE_USUAL: usize = 16 * 1024;
pub(super) const PIECE_MOST: usize = 64 * 1024;

// Zeros, which a power cut may leave, are no tag.
const PLAIN: u8 = b'p';
const SMALLER: u8 = b'z';
const LIST: u8 = b'l';

const NAME: usize = 32;

/// The SHA-256 of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Name([u8; NAME]);

impl Name {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Name(Sha256::digest(bytes).into())
    }

    /// `None`: it is none of ours.
    pub(super) fn read(digest: &Digest) -> Option<Self> {
        let digits = digest.0.as_bytes();
        if digits.len() != 2 * NAME || digits.iter().any(|digit| !matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let mut name = [0; NAME];
        for (byte, at) in name.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&digest.0[at..at + 2], 16).ok()?;
        }
        Some(Name(name))
    }

    /// As the rest of the house names it.
    pub(super) fn digest(self) -> Digest {
        let mut digits = String::with_capacity(2 * NAME);
        for byte in self.0 {
            write!(digits, "{byte:02x}").expect("a string takes all that is written to it");
        }
        Digest(digits)
    }
}

/// An object as it was read.
#[derive(Debug, PartialEq)]
pub(super) enum Object {
    /// A content, or a piece of one.
    Whole(Vec<u8>),
    /// The pieces of a large content, in order.
    Pieces(Vec<Name>),
    Damaged,
}

/// The file of a content, smaller where that saves an eighth.
pub(super) fn whole(bytes: &[u8]) -> Vec<u8> {
    let smaller = lz4_flex::block::compress_prepend_size(bytes);
    if smaller.len() < bytes.len() - bytes.len() / 8 { tagged(SMALLER, &smaller) } else { tagged(PLAIN, bytes) }
}

/// The file of a list of pieces.
pub(super) fn list(pieces: &[Name]) -> Vec<u8> {
    tagged(LIST, &pieces.iter().flat_map(|piece| piece.0).collect::<Vec<u8>>())
}

/// Reads what a file of an object holds.
pub(super) fn read(file: &[u8]) -> Object {
    let Some((tag, body)) = file.split_first() else { return Object::Damaged };
    match *tag {
        PLAIN => Object::Whole(body.to_vec()),
        SMALLER => larger(body).map_or(Object::Damaged, Object::Whole),
        LIST if !body.is_empty() && body.len().is_multiple_of(NAME) => {
            let name = |bytes: &[u8]| Name(bytes.try_into().expect("pieces of exactly this length"));
            Object::Pieces(body.chunks_exact(NAME).map(name).collect())
        }
        _ => Object::Damaged,
    }
}

fn larger(body: &[u8]) -> Option<Vec<u8>> {
    // What is damaged may name any size.
    let size = u32::from_le_bytes(*body.first_chunk()?) as usize;
    if size > PIECE_MOST {
        return None;
    }
    lz4_flex::block::decompress_size_prepended(body).ok()
}

fn tagged(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(body.len() + 1);
    file.push(tag);
    file.extend_from_slice(body);
    file
}
