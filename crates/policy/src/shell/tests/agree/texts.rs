//! Random texts that look like commands.

use super::PROGRAMS;

/// A small generator of numbers (splitmix64): the same seed, the same texts.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is below a usize")
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

const BARE: &[&str] = &[
    "a", "b", "txt", "a.txt", "sub", "/", ".", "..", "-", "--", "-l", "=", "x=y", ":", ",", "%s", "@", "^", "!", "#",
    "1", "2", "]", "+", "~", "~1", "@{0}", "^{x}", "{}", "{", "}", "$", "if", "fi", "\\n", "é",
];
const PATTERNS: &[&str] =
    &["*", "?", "[ab]", "[a-c]", "[x", "[]", "[!a]", "*.txt", "sub/*", "?*", "[-a]", "[c-a]", "[a-]", "**", ".*"];
const IN_QUOTES: &[&str] = &[
    "a", " ", "\\", "\\\\", "\\n", "$", "$x", "`", "\"", "'", "*", "?", "[a]", "#", ";", "|", "&", ">", "<", "\n",
    "\t", "~", "{a,b}", "é", "!", "(", ")", "-", "\\$", "\\`", "\\\"", "\\c", "$ ", "$|", "$)", "",
];
const ESCAPED: &[&str] = &[
    "\\ ", "\\'", "\\\"", "\\\\", "\\$", "\\`", "\\*", "\\?", "\\[", "\\]", "\\#", "\\;", "\\|", "\\&", "\\<", "\\>",
    "\\~", "\\{", "\\a", "\\n", "\\!", "\\-", "\\=", "\\(", "\\\t", "\\\n",
];
const REDIRECTS: &[&str] = &[
    "2>&1",
    ">/dev/null",
    "2>/dev/null",
    "2> /dev/null",
    "1>&2",
    ">&2",
    "< a.txt",
    "<a.txt",
    "< 'sp ace'",
    "< missing",
    "<\ta.txt",
    ">>/dev/null",
    "< 1>&2",
    "< #",
    "2 >/dev/null",
    "\\2>/dev/null",
    "'2'>/dev/null",
    "a2>/dev/null",
    "12>/dev/null",
    ">&1",
    "2>&12",
    "< *",
    "> a.txt",
    "&>/dev/null",
    "2>&1x",
    ">|/dev/null",
    "<>a.txt",
    "<&0",
    "<<x",
    "> '/dev/null'",
    ">/dev/nul\\l",
    "0<a.txt",
];
const SEPARATORS: &[&str] = &[
    "; ",
    ";",
    "\n",
    " && ",
    "&&",
    " || ",
    "||",
    " &&\n ",
    "||\n\n",
    "\n\n",
    " # x\n",
    " # \\\n",
    "#\n",
    "; # ' \" $(\n",
    " ;",
    ";;",
    "&",
    " & ",
    "|&",
    "\n;",
];
const NOISE: &[&str] = &[
    "'", "\"", "\\", "$", "`", "*", "?", "[", "]", "{", "}", "~", "#", ";", "&", "|", "<", ">", "(", ")", "!", "=",
    " ", "\n", "\t",
];

/// One text.
pub(super) fn text(random: &mut Random) -> String {
    let mut text = String::new();
    for part in 0..=random.below(3) {
        if part > 0 {
            // A pipe costs two processes; it need not be as frequent.
            text.push_str(if random.one_in(8) { " | " } else { random.pick(SEPARATORS) });
        }
        program(random, &mut text);
    }
    if random.one_in(6) {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        text.insert_str(starts[random.below(starts.len())], random.pick(NOISE));
    }
    if random.one_in(12) {
        text.push_str(random.pick(&["\n", " ", ";", " #", " # it's", "\n\n#", "\\", " &&", "|"]));
    }
    text
}

fn program(random: &mut Random, text: &mut String) {
    let name = random.pick(PROGRAMS);
    match random.below(8) {
        0 => text.push_str(&format!("{}\"\"{}", &name[..1], &name[1..])),
        1 => text.push_str(&format!("\\{name}")),
        2 => text.push_str(&format!("'{name}'")),
        _ => text.push_str(name),
    }
    for _ in 0..random.below(5) {
        text.push_str(random.pick(&[" ", " ", " ", "  ", "\t"]));
        if random.one_in(7) {
            text.push_str(random.pick(REDIRECTS));
        } else {
            word(random, text);
        }
    }
}

fn word(random: &mut Random, text: &mut String) {
    for _ in 0..=random.below(3) {
        match random.below(10) {
            0..4 => text.push_str(random.pick(BARE)),
            4 => text.push_str(random.pick(PATTERNS)),
            5 | 6 => quoted(random, '\'', text),
            7 | 8 => quoted(random, '"', text),
            _ => text.push_str(random.pick(ESCAPED)),
        }
    }
}

fn quoted(random: &mut Random, quote: char, text: &mut String) {
    text.push(quote);
    for _ in 0..random.below(4) {
        let inside = random.pick(IN_QUOTES);
        // Most of what would end the quotes or the plain part of the language is left out, not all.
        let odd = inside.contains(quote) || quote == '"' && inside.contains(['`', '$']);
        if !odd || random.one_in(6) {
            text.push_str(inside);
        }
    }
    text.push(quote);
}
