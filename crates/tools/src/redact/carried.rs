//! Secrets that are carried away in what looks like an address: as they are, percent-encoded, as base64 or as hex.

use super::Secrets;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;

/// How often an address may have been encoded over.
const LAYERS: usize = 3;

impl Secrets {
    /// Does `text` hold one of the values known to be secret, however it is dressed?
    pub(crate) fn are_carried_by(&self, text: &str) -> bool {
        let mut layer = text.to_owned();
        for _ in 0..=LAYERS {
            let (flat, lower) = (flat(&layer), layer.to_ascii_lowercase());
            if self.values.iter().any(|value| holds(&layer, &flat, &lower, value)) {
                return true;
            }
            let next = decoded(&layer);
            if next == layer {
                return false;
            }
            layer = next;
        }
        false
    }
}

fn holds(text: &str, flat: &str, lower: &str, value: &str) -> bool {
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    text.contains(value) || lower.contains(&hex) || in_base64(value).iter().any(|core| flat.contains(core.as_str()))
}

/// What base64 makes of `value` wherever in a longer text it stands: at each of the three offsets the letters that do
/// not depend on what stands around it.
fn in_base64(value: &str) -> [String; 3] {
    [0, 1, 2].map(|offset| {
        let padded = [&vec![0; offset][..], value.as_bytes()].concat();
        let whole = BASE64_STANDARD_NO_PAD.encode(&padded);
        let (start, end) = ((offset * 8).div_ceil(6), padded.len() * 8 / 6);
        whole[start..end].to_owned()
    })
}

/// The same letters for both alphabets of base64.
fn flat(text: &str) -> String {
    text.replace('-', "+").replace('_', "/")
}

/// One layer of percent signs less; `+` stays, as it may be itself.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let digit = |offset: usize| bytes.get(at + offset).and_then(|byte| char::from(*byte).to_digit(16));
        match (bytes[at], digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or_default());
                at += 3;
            }
            (byte, _, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};

    const SECRET: &str = "gho_T0k3n>>value?";

    fn carried(text: &str) -> bool {
        Secrets::new([SECRET.to_owned()]).are_carried_by(text)
    }

    #[test]
    fn a_secret_is_found_in_an_address_however_it_is_dressed() {
        let hex: String = SECRET.bytes().map(|byte| format!("{byte:02X}")).collect();
        let percent: String = SECRET.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let twice = percent.replace('%', "%25");
        let mut dressed = vec![SECRET.to_owned(), hex, percent, twice];
        for around in ["", "a", "ab", "abc"] {
            let text = format!("{around}{SECRET}{around}");
            dressed.push(BASE64_STANDARD.encode(&text));
            dressed.push(BASE64_STANDARD.encode(&text).replace('+', "%2B").replace('/', "%2F"));
            dressed.push(BASE64_URL_SAFE_NO_PAD.encode(&text));
        }
        for dress in dressed {
            assert!(carried(&format!("https://a.b/?q={dress}&r=1")), "{dress}");
        }
    }

    #[test]
    fn an_ordinary_address_carries_none() {
        for text in ["https://docs.rs/url/latest/url/struct.Url.html?search=join%20%zz%", "", "%", "gho_T0k3n"] {
            assert!(!carried(text), "{text}");
        }
    }
}
