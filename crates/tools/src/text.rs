//! Bytes as text: what can be read, and what can be written back faithfully.

use crate::words;
use agent_protocol::{Failure, FailureKind};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// Bytes beyond ASCII after which the encoding of a text shows.
const TELLING: usize = 16;
/// Bytes of a file by which its encoding is told at most.
const TOLD_BY: usize = 1 << 20;

/// How bytes stand for a text: by their mark, as UTF-8, or as they look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Charset {
    scheme: Scheme,
    pub(crate) certainty: Certainty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Known(&'static Encoding),
    /// UTF-8 with some invalid bytes, each of which becomes a character for private use: [`INVALID`] and its value.
    BrokenUtf8,
}

/// The character for an invalid byte, less its value.
const INVALID: u32 = 0xF700;

/// How sure the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    Exact,
    /// No mark says so, and much of the text looks so.
    Looks,
    Guessed,
}

impl Charset {
    pub(crate) const UTF_8: Charset = Charset { scheme: Scheme::Known(UTF_8), certainty: Certainty::Exact };
    /// Of what [`line`] reads as it can.
    pub(crate) const UNKNOWN: Charset = Charset { scheme: Scheme::Known(WINDOWS_1252), certainty: Certainty::Guessed };

    /// That of a file with these bytes, or that begins with them. The same bytes have always the same.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        if let Some(encoding) = announced(bytes) {
            return Charset { scheme: Scheme::Known(encoding), certainty: Certainty::Exact };
        }
        if std::str::from_utf8(bytes).is_ok() {
            return Charset::UTF_8;
        }
        let whole = bytes.len();
        let bytes = &bytes[..whole.min(TOLD_BY)];
        if is_mostly_utf_8(bytes) {
            return Charset { scheme: Scheme::BrokenUtf8, certainty: Certainty::Looks };
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, bytes.len() == whole);
        let encoding = detector.guess(None, Utf8Detection::Deny);
        let is_odd = |text: &str| text.chars().any(|c| c == '\u{fffd}' || ('\u{80}'..='\u{9f}').contains(&c));
        let tells = bytes.iter().filter(|byte| !byte.is_ascii()).count() >= TELLING;
        let looks = tells && !is_odd(&encoding.decode_without_bom_handling(bytes).0);
        let certainty = if looks { Certainty::Looks } else { Certainty::Guessed };
        Charset { scheme: Scheme::Known(encoding), certainty }
    }

    pub(crate) fn is_utf_8(self) -> bool {
        self.scheme == Scheme::Known(UTF_8)
    }

    pub(crate) fn name(self) -> &'static str {
        match self.scheme {
            Scheme::Known(encoding) => encoding.name(),
            Scheme::BrokenUtf8 => "UTF-8 with invalid bytes",
        }
    }

    /// The text of these bytes, a byte order mark included; what stands for nothing becomes a mark.
    pub(crate) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.scheme {
            Scheme::Known(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Scheme::BrokenUtf8 => Cow::Owned(with_invalid_bytes(bytes)),
        }
    }

    /// The bytes of a text.
    ///
    /// # Errors
    /// The first character for which there are none.
    pub(crate) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let Scheme::Known(encoding) = self.scheme else { return Ok(bytes_again(text)) };
        match encoding {
            it if it == UTF_8 => Ok(text.as_bytes().to_vec()),
            it if it == UTF_16LE => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            it if it == UTF_16BE => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            legacy => match legacy.encode(text) {
                (bytes, _, false) => Ok(bytes.into_owned()),
                (_, _, true) => {
                    let is_lacking = |c: &char| legacy.encode(c.encode_utf8(&mut [0; 4])).2;
                    Err(text.chars().find(is_lacking).unwrap_or('\u{fffd}'))
                }
            },
        }
    }

    /// The bytes of what `before` becomes, a file called `shown`.
    ///
    /// # Errors
    /// [`FailureKind::NotText`] where it would hold a character that the encoding lacks, or that a guess may spoil.
    pub(crate) fn written(self, before: &str, after: &str, shown: &str) -> Result<Vec<u8>, Failure> {
        let name = self.name();
        let new = |c: &char| !c.is_ascii() && !before.contains(*c);
        if let Some(c) = after.chars().find(new).filter(|_| self.certainty == Certainty::Guessed) {
            return Err(not_text(format!(
                "{shown} is not UTF-8, and its encoding cannot be told ({name} is a guess), so {c:?} cannot be written in it; \
                 write that part in ASCII, or ask the user for the encoding"
            )));
        }
        self.encode(after).map_err(|c| {
            not_text(format!(
                "{shown} is {name}, which has no {c:?}; write it with characters of that encoding, and leave the file as it is \
                 otherwise"
            ))
        })
    }
}

/// Are there more valid characters beyond ASCII than invalid bytes?
fn is_mostly_utf_8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        invalid += chunk.invalid().len();
    }
    valid > invalid
}

fn with_invalid_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(INVALID + u32::from(*byte))));
    }
    text
}

fn bytes_again(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c).checked_sub(INVALID).and_then(|byte| u8::try_from(byte).ok()).filter(|byte| *byte >= 0x80) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// The text of a file, a byte order mark included; `None` where it is none.
pub(crate) fn readable(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let is_text = is_utf_16(bytes) || !bytes.contains(&0);
    is_text.then(|| Charset::of(bytes).decode(bytes))
}

/// One line of a file whose encoding nobody knows: UTF-8, else Windows-1252, in which every byte is some character.
pub(crate) fn line(bytes: &[u8]) -> (Cow<'_, str>, Certainty) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), Certainty::Exact),
        Err(_) => (WINDOWS_1252.decode_without_bom_handling(bytes).0, Certainty::Guessed),
    }
}

/// The encoding that the first bytes of a file announce, other than UTF-8.
fn announced(start: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(start).map(|(encoding, _)| encoding).filter(|it| *it == UTF_16LE || *it == UTF_16BE)
}

/// Do the first bytes of a file say that it is UTF-16?
pub(crate) fn is_utf_16(start: &[u8]) -> bool {
    announced(start).is_some()
}

/// A whole file as text that can be written back byte for byte in its own encoding, byte order mark included.
pub(crate) fn faithful(bytes: Vec<u8>, shown: &str) -> Result<(String, Charset), Failure> {
    let charset = Charset::of(&bytes);
    if charset.is_utf_8() || charset.certainty != Certainty::Exact && bytes.contains(&0) {
        return exact(bytes, shown).map(|text| (text, charset));
    }
    let text = charset.decode(&bytes).into_owned();
    if charset.encode(&text).is_ok_and(|again| again == bytes) {
        return Ok((text, charset));
    }
    Err(not_text(format!(
        "{shown} is not UTF-8 (first in line {}), and in no encoding in which it could be written back as it is; change it \
         with a program that knows its encoding, or leave it",
        first_line(&bytes)
    )))
}

/// A whole file in UTF-8 as text that can be written back byte for byte, byte order mark included.
pub(crate) fn exact(bytes: Vec<u8>, shown: &str) -> Result<String, Failure> {
    if let Some(encoding) = announced(&bytes) {
        return Err(not_text(format!("{shown} is {}, and only UTF-8 can be taken here", encoding.name())));
    }
    if bytes.contains(&0) {
        return Err(not_text(format!("{shown} is a binary file and cannot be changed as text")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = first_line(error.as_bytes());
        not_text(format!("{shown} is not UTF-8 (first in line {line}), and only UTF-8 can be taken here"))
    })
}

/// The line, counted from 1, with the first byte that is no UTF-8.
fn first_line(bytes: &[u8]) -> usize {
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The file is no text at all.
pub(crate) fn binary(shown: &str, size: u64) -> Failure {
    not_text(format!(
        "{shown} is a binary file of {}; look at it with run_command, for example `file` or `xxd | head`",
        words::size(size)
    ))
}

fn not_text(message: String) -> Failure {
    Failure::new(FailureKind::NotText, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_in_utf_8_or_guessed() {
        assert_eq!(line("é→".as_bytes()), ("é→".into(), Certainty::Exact));
        assert_eq!(line(b"caf\xe9"), ("café".into(), Certainty::Guessed));
    }

    #[test]
    fn only_what_can_be_written_back_counts_as_exact() {
        let kind = |bytes: &[u8]| exact(bytes.to_vec(), "a").map_err(|failure| failure.kind);
        assert_eq!(kind("\u{feff}é\r\n".as_bytes()), Ok("\u{feff}é\r\n".into()));
        for bytes in [&b"caf\xe9"[..], b"\xff\xfea\0", b"a\0b"] {
            assert_eq!(kind(bytes), Err(FailureKind::NotText), "{bytes:?}");
        }
    }

    /// Some lines in each encoding, as a source file holds them.
    const SAMPLES: [(&str, &str); 9] = [
        ("GBK", "# 读取配置文件并检查每一个参数\nprint(\"操作已经完成\")\n"),
        ("Shift_JIS", "# 設定ファイルを読み込んで、値を確認します\nprint(\"処理が終わりました\")\n"),
        ("EUC-JP", "# 設定ファイルを読み込んで、値を確認します\nprint(\"処理が終わりました\")\n"),
        ("EUC-KR", "# 설정 파일을 읽고 값을 확인합니다\nprint(\"작업이 끝났습니다\")\n"),
        ("Big5", "# 讀取設定檔並檢查每一個參數\nprint(\"作業已經完成\")\n"),
        ("windows-1251", "# Читает настройки и проверяет значения\nprint(\"Работа завершена\")\n"),
        ("KOI8-U", "# Читает настройки и проверяет значения\nprint(\"Работа завершена\")\n"),
        (
            "windows-1252",
            "# Größe prüfen, Übergröße ändern, Straße löschen: für die Käufer, die Bücher wählen, äußerst nützlich\n",
        ),
        ("UTF-16LE", "\u{feff}# Größe\n"),
    ];

    fn bytes(name: &str, text: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(name.as_bytes()).unwrap();
        Charset { scheme: Scheme::Known(encoding), certainty: Certainty::Exact }.encode(text).unwrap()
    }

    #[test]
    fn encodings_are_told_by_their_bytes_and_written_back_as_they_were() {
        for (name, text) in SAMPLES {
            let before = bytes(name, text);
            let (read, charset) = faithful(before.clone(), "a").unwrap();
            assert_eq!((read.as_str(), charset.name()), (text, name));
            assert_ne!(charset.certainty, Certainty::Guessed, "{name}");
            let after = charset.written(&read, &read.replace("print", "say"), "a").unwrap();
            assert_eq!(after, bytes(name, &text.replace("print", "say")), "{name}");
        }
    }

    #[test]
    fn what_an_encoding_lacks_is_not_written_and_a_guess_takes_nothing_new() {
        let refused = |bytes: &[u8], new: &str| {
            let (text, charset) = faithful(bytes.to_vec(), "a").unwrap();
            charset.written(&text, &format!("{text}{new}"), "a").map_err(|failure| failure.message)
        };
        let cyrillic = bytes("windows-1251", SAMPLES[5].1);
        assert!(refused(&cyrillic, "日").unwrap_err().starts_with("a is windows-1251, which has no '日'"));
        assert!(refused(&cyrillic, "Ж").is_ok());
        assert!(refused(b"caf\xe9\n", "ü").unwrap_err().contains("its encoding cannot be told"));
        assert_eq!(refused(b"caf\xe9\n", "x").unwrap(), b"caf\xe9\nx");
    }

    #[test]
    fn invalid_bytes_in_utf_8_stay_and_the_rest_is_read_as_utf_8() {
        let before = ["Größe: 5 µm\n".as_bytes(), b"caf\xe9\n"].concat();
        let (text, charset) = faithful(before, "a").unwrap();
        assert!(text.starts_with("Größe: 5 µm\ncaf"), "{text}");
        let after = charset.written(&text, &text.replace("5 µm", "6 mm, schön"), "a").unwrap();
        assert_eq!(after, ["Größe: 6 mm, schön\n".as_bytes(), b"caf\xe9\n"].concat());
        let private = ["ä\u{f7e9}ö".as_bytes(), b"\xe9"].concat();
        assert!(faithful(private, "a").is_err(), "characters for private use cannot be told from invalid bytes");
    }
}
