//! Texts of three kinds, each different from the last, and the same every time.

/// Which kind of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Code,
    Prose,
    Cjk,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Code, Kind::Prose, Kind::Cjk];

const WORDS: [&str; 16] = [
    "window",
    "of",
    "the",
    "conversation",
    "grows",
    "until",
    "it",
    "fills",
    "what",
    "a",
    "server",
    "holds",
    "in",
    "memory",
    "and",
    "nobody",
];
const NAMES: [&str; 12] = [
    "parse_header",
    "Result",
    "buffer",
    "index",
    "next_line",
    "u64",
    "self.state",
    "length",
    "offset",
    "Vec<u8>",
    "is_empty",
    "Error::Cut",
];
const SIGNS: [&str; 14] =
    ["窓", "口", "大", "小", "在", "内", "存", "模型", "文件", "函数", "エラー", "テスト", "설정", "파일"];

/// Some text of this kind of about so many bytes; `seed` makes it differ.
pub(crate) fn text(kind: Kind, seed: u64, bytes: usize) -> String {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut text = String::new();
    while text.len() < bytes {
        match kind {
            Kind::Code => code_line(&mut chance, &mut text),
            Kind::Prose => sentence(&mut chance, &mut text),
            Kind::Cjk => signs(&mut chance, &mut text),
        }
    }
    text
}

fn code_line(chance: &mut Chance, text: &mut String) {
    let (one, other, third) = (chance.of(&NAMES), chance.of(&NAMES), chance.of(&NAMES));
    let line = match chance.below(4) {
        0 => format!("    let {one} = {other}({third}, {});\n", chance.below(4_096)),
        1 => format!("    if {one} == {other} && !{third}.is_empty() {{\n"),
        2 => format!("        {one}[{}] += {other} >> {};\n    }}\n", chance.below(100), chance.below(8)),
        _ => format!("    // {one} is {other}: \"{third}\" => {}\n", chance.below(1_000_000)),
    };
    text.push_str(&line);
}

fn sentence(chance: &mut Chance, text: &mut String) {
    let words: Vec<&str> = (0..6 + chance.below(9)).map(|_| chance.of(&WORDS)).collect();
    text.push_str(&format!("{}, {}.", words.join(" "), chance.of(&WORDS)));
    text.push(if chance.below(4) == 0 { '\n' } else { ' ' });
}

fn signs(chance: &mut Chance, text: &mut String) {
    let words: Vec<&str> = (0..8 + chance.below(12)).map(|_| chance.of(&SIGNS)).collect();
    text.push_str(&format!("{}，{}。", words.concat(), chance.of(&SIGNS)));
    if chance.below(3) == 0 {
        text.push('\n');
    }
}

/// Chance that is the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        let at = self.below(list.len() as u64);
        list[usize::try_from(at).unwrap()]
    }
}
