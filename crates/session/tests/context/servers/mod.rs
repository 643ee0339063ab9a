//! Servers that count tokens by rules of their own, which the estimator is not told, and conversations to count.

use agent_protocol::{Message, ModelCall, Role, ToolSpec, Usage};
use serde_json::{Value, json};

/// A server's rule.
#[derive(Clone, Copy)]
pub(crate) struct Server {
    pub(crate) name: &'static str,
    /// Tokens of a text.
    pub(crate) text: fn(&str) -> u64,
    /// Tokens around each message, each call, each tool and the whole.
    pub(crate) around: [u64; 4],
    /// How JSON is written into the prompt.
    pub(crate) json: Json,
    /// Which thinking is given back to the model.
    pub(crate) thinking: Thinking,
}

/// How JSON is written into the prompt.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Json {
    Compact,
    Spaced,
    Pretty,
}

/// Which thinking is given back to the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Thinking {
    Kept,
    /// Only that of the turn that runs.
    OfTheTurn,
    Dropped,
}

/// A server that remembers what it counted of each message.
pub(crate) struct Counter {
    server: Server,
    counted: Vec<(u64, u64)>,
    tools: Option<u64>,
}

impl Counter {
    pub(crate) fn new(server: &Server) -> Self {
        Counter { server: *server, counted: Vec::new(), tools: None }
    }

    /// Tokens of a whole prompt. The messages before are those of the time before.
    pub(crate) fn prompt(&mut self, messages: &[Message], tools: &[ToolSpec]) -> u64 {
        let server = self.server;
        for message in &messages[self.counted.len()..] {
            self.counted.push((server.around[0] + server.body(message), server.thinking(message)));
        }
        let described =
            *self.tools.get_or_insert_with(|| tools.iter().map(|spec| server.around[2] + server.tool(spec)).sum());
        let asked = messages.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
        let given_back = |at: usize| match server.thinking {
            Thinking::Kept => true,
            Thinking::OfTheTurn => at > asked,
            Thinking::Dropped => false,
        };
        let thought =
            self.counted.iter().enumerate().filter(|(at, _)| given_back(*at)).map(|(_, (_, thought))| thought);
        server.around[3] + described + self.counted.iter().map(|(said, _)| said).sum::<u64>() + thought.sum::<u64>()
    }

    /// The messages are others from now on.
    pub(crate) fn forget(&mut self) {
        self.counted.clear();
    }

    /// What is heard of a reply to such a prompt.
    pub(crate) fn usage(&mut self, messages: &[Message], tools: &[ToolSpec], reply: &Message) -> Usage {
        let written = self.server.body(reply) + self.server.thinking(reply) + 1;
        Usage { prompt_tokens: Some(self.prompt(messages, tools)), reply_tokens: Some(written), ..Usage::default() }
    }
}

impl Server {
    fn thinking(&self, message: &Message) -> u64 {
        message.thinking.as_deref().map_or(0, self.text)
    }

    fn body(&self, message: &Message) -> u64 {
        let call = |call: &ModelCall| {
            self.around[1] + (self.text)(&self.json(&json!({"name": call.name, "arguments": call.arguments})))
        };
        (self.text)(&message.content) + message.calls.iter().map(call).sum::<u64>()
    }

    fn tool(&self, spec: &ToolSpec) -> u64 {
        let function = json!({"name": spec.name, "description": spec.description, "parameters": spec.parameters});
        (self.text)(&self.json(&json!({"type": "function", "function": function})))
    }

    fn json(&self, value: &Value) -> String {
        match self.json {
            Json::Compact => value.to_string(),
            Json::Spaced => spaced(value),
            Json::Pretty => format!("{value:#}"),
        }
    }
}

/// JSON as Python writes it.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let parts: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", json!(key), spaced(value))).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn by_characters(text: &str) -> u64 {
    (text.chars().count() as u64).div_ceil(4)
}

fn by_three_characters(text: &str) -> u64 {
    (text.chars().count() as u64).div_ceil(3)
}

fn by_bytes(text: &str) -> u64 {
    (text.len() as u64).div_ceil(3)
}

/// A word is a token, and so is a sign.
fn by_words(text: &str) -> u64 {
    runs(text)
        .iter()
        .filter(|run| !is_blank(run))
        .map(|run| if is_word(run) { 1 } else { run.chars().count() as u64 })
        .sum()
}

/// The same, and a character of a script without blanks is a word.
fn by_words_and_ideographs(text: &str) -> u64 {
    let wide = text.chars().filter(|c| *c as u32 >= 0x2e80 && c.is_alphanumeric()).count() as u64;
    let spelled: String =
        text.chars().map(|c| if c as u32 >= 0x2e80 && c.is_alphanumeric() { ' ' } else { c }).collect();
    by_words(&spelled) + wide
}

/// Pieces of up to six letters, of up to three digits, signs by twos, white space longer than a blank, each other character.
fn by_pieces(text: &str) -> u64 {
    let pieces = |run: &String| {
        let long = run.chars().count() as u64;
        match run.chars().next() {
            _ if run == " " => 0,
            Some(c) if c.is_whitespace() => 1,
            Some(c) if c.is_ascii_alphabetic() => long.div_ceil(6),
            Some(c) if c.is_ascii_digit() => long.div_ceil(3),
            Some(c) if c.is_ascii_punctuation() => long.div_ceil(2),
            _ => long,
        }
    };
    split(text, kind).iter().map(pieces).sum()
}

/// Much as a real tokeniser does it: which words are whole tokens hangs on the word.
fn by_vocabulary(text: &str) -> u64 {
    let pieces = |run: &String| {
        let long = run.chars().count() as u64;
        let luck = run.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte))) % 100;
        match run.chars().next() {
            _ if run == " " => 0,
            Some(c) if c.is_whitespace() => 1 + run.matches('\n').count().saturating_sub(1) as u64 / 2,
            Some(c) if c.is_ascii_alphabetic() && long <= 4 => 1 + u64::from(luck < 8),
            Some(c) if c.is_ascii_alphabetic() && long <= 8 => 1 + u64::from(luck < 35) + u64::from(luck < 6),
            Some(c) if c.is_ascii_alphabetic() => {
                1 + u64::from(luck < 75) + u64::from(luck < 40) + u64::from(luck < 15)
            }
            Some(c) if c.is_ascii_digit() => long,
            Some(c) if c.is_ascii_punctuation() => (long * (60 + luck / 3)).div_ceil(100),
            _ => (long * (55 + luck / 4)).div_ceil(100),
        }
    };
    split(text, hump_kind).iter().map(pieces).sum()
}

/// An older one: shorter pieces, each digit, and two tokens for most characters of other scripts.
fn by_old_vocabulary(text: &str) -> u64 {
    let pieces = |run: &String| {
        let long = run.chars().count() as u64;
        match run.chars().next() {
            _ if run == " " => 0,
            Some(c) if c.is_whitespace() => 1 + long / 5,
            Some(c) if c.is_ascii_alphabetic() => long.div_ceil(4),
            Some(c) if c.is_ascii_digit() => long,
            Some(c) if c.is_ascii_punctuation() => (long * 2).div_ceil(3),
            _ => (long * 8).div_ceil(5),
        }
    };
    split(text, hump_kind).iter().map(pieces).sum()
}

fn runs(text: &str) -> Vec<String> {
    split(text, |_, c| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    })
}

fn is_word(run: &str) -> bool {
    run.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn is_blank(run: &str) -> bool {
    run.starts_with(char::is_whitespace)
}

fn kind(_before: char, c: char) -> u32 {
    match c {
        c if c.is_ascii_alphabetic() => 1,
        c if c.is_ascii_digit() => 2,
        c if c.is_whitespace() => 3,
        c if c.is_ascii_punctuation() => 4,
        _ => 5,
    }
}

/// The same, and a capital after a small letter begins anew.
fn hump_kind(before: char, c: char) -> u32 {
    match kind(before, c) {
        1 if c.is_ascii_uppercase() && before.is_ascii_lowercase() => 11,
        1 if c.is_ascii_uppercase() || before.is_ascii_uppercase() => 1,
        kind => kind,
    }
}

fn split(text: &str, kind: impl Fn(char, char) -> u32) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    let (mut last, mut before) = (0, ' ');
    for c in text.chars() {
        let this = kind(before, c);
        match runs.last_mut() {
            Some(run) if this % 10 == last % 10 && this < 10 => run.push(c),
            _ => runs.push(c.to_string()),
        }
        (last, before) = (this, c);
    }
    runs
}

/// Servers by different rules.
pub(crate) const SERVERS: [Server; 11] = {
    const fn server(name: &'static str, text: fn(&str) -> u64, around: [u64; 4], json: Json) -> Server {
        Server { name, text, around, json, thinking: Thinking::OfTheTurn }
    }
    [
        server("characters / 4", by_characters, [4, 0, 0, 0], Json::Compact),
        server("characters / 4, spaced", by_characters, [8, 12, 20, 60], Json::Spaced),
        server("characters / 3, pretty", by_three_characters, [0, 3, 5, 3], Json::Pretty),
        server("bytes / 3", by_bytes, [3, 5, 8, 10], Json::Compact),
        server("bytes / 3, spaced", by_bytes, [5, 9, 0, 120], Json::Spaced),
        server("words and signs", by_words, [4, 6, 0, 0], Json::Compact),
        server("words, signs, ideographs", by_words_and_ideographs, [2, 10, 6, 30], Json::Spaced),
        server("pieces of six", by_pieces, [5, 15, 2, 40], Json::Compact),
        server("pieces of six, pretty", by_pieces, [3, 8, 10, 90], Json::Pretty),
        server("vocabulary", by_vocabulary, [5, 12, 4, 80], Json::Compact),
        server("old vocabulary", by_old_vocabulary, [7, 10, 0, 5], Json::Spaced),
    ]
};

/// Texts of one kind.
pub(crate) const TEXTS: [(&str, &str); 3] = [
    ("code", include_str!("../texts/code.txt")),
    ("prose", include_str!("../texts/prose.txt")),
    ("cjk", include_str!("../texts/cjk.txt")),
];

/// Chance that is the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }

    /// So many characters of a text, from anywhere in it.
    pub(crate) fn passage(&mut self, text: &str, characters: usize) -> String {
        let whole = text.chars().count();
        text.chars().cycle().skip(self.below(whole)).take(characters).collect()
    }
}

/// Which text a conversation holds, turn by turn.
#[derive(Clone, Copy)]
pub(crate) enum Subject {
    /// One kind throughout.
    Of(usize),
    /// Kinds by turns.
    Mixed,
    /// The first kind, with a few words of the second, until the third turn brings the second.
    Late(usize, usize),
}

impl Subject {
    pub(crate) fn name(self) -> String {
        match self {
            Subject::Of(kind) => TEXTS[kind].0.into(),
            Subject::Mixed => "mixed".into(),
            Subject::Late(first, then) => format!("{}, then {}", TEXTS[first].0, TEXTS[then].0),
        }
    }

    /// All changes of kind.
    pub(crate) fn late() -> Vec<Subject> {
        let kinds = 0..TEXTS.len();
        let pairs = kinds.clone().flat_map(|first| kinds.clone().map(move |then| (first, then)));
        pairs.filter(|(first, then)| first != then).map(|(first, then)| Subject::Late(first, then)).collect()
    }

    fn text(self, turn: usize, characters: usize, dice: &mut Dice) -> String {
        match self {
            Subject::Of(kind) => dice.passage(TEXTS[kind].1, characters),
            Subject::Mixed => {
                let kind = dice.below(3);
                dice.passage(TEXTS[kind].1, characters)
            }
            Subject::Late(first, then) if turn < 2 => {
                let rare = dice.passage(TEXTS[then].1, characters / 12);
                dice.passage(TEXTS[first].1, characters) + &rare
            }
            Subject::Late(_, then) => dice.passage(TEXTS[then].1, characters),
        }
    }
}

/// A conversation that grows.
pub(crate) struct Talk {
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Vec<ToolSpec>,
    subject: Subject,
    dice: Dice,
    turn: usize,
    thinks: bool,
}

impl Talk {
    pub(crate) fn new(subject: Subject, seed: u64, thinks: bool) -> Self {
        let system = format!(
            "{}\nProject folder: /home/me/project (linux)\n",
            include_str!("../../../../../assets/prompts/system.md")
        );
        let messages = vec![Message::text(Role::System, system)];
        Talk { messages, tools: tools(), subject, dice: Dice(seed * 7919 + 1), turn: 0, thinks }
    }

    /// The user says something.
    pub(crate) fn ask(&mut self) {
        let length = 60 + self.dice.below(300);
        let words = self.subject.text(self.turn, length, &mut self.dice);
        self.messages.push(Message::text(Role::User, words));
    }

    /// What the model replies: with a call, or with the last words of the turn.
    pub(crate) fn reply(&mut self, calls: bool) -> Message {
        let length = 20 + self.dice.below(500);
        let mut reply = Message::text(Role::Assistant, self.subject.text(self.turn, length, &mut self.dice));
        if self.thinks {
            let length = 100 + self.dice.below(1_500);
            reply.thinking = Some(self.subject.text(self.turn, length, &mut self.dice));
        }
        if calls {
            let path = format!("src/part_{}/file{}.rs", self.dice.below(9), self.dice.below(99));
            let arguments = match self.dice.below(3) {
                0 => json!({"file_path": path, "offset": self.dice.below(400), "limit": 200}),
                1 => {
                    let length = 100 + self.dice.below(700);
                    json!({"file_path": path, "content": self.subject.text(self.turn, length, &mut self.dice)})
                }
                _ => json!({"command": format!("cargo test -p crate_{} -- --nocapture", self.dice.below(9))}),
            };
            reply.calls.push(ModelCall { server_id: None, index: None, name: "read_file".into(), arguments });
        } else {
            self.turn += 1;
        }
        reply
    }

    /// The reply arrived, and each call gets its result.
    pub(crate) fn answered(&mut self, reply: Message) {
        let calls = reply.calls.clone();
        self.messages.push(reply);
        for call in calls {
            let length = 200 + self.dice.below(3_600);
            let told = self.subject.text(self.turn, length, &mut self.dice);
            self.messages.push(Message::result(&call, told));
        }
    }
}

/// Tools as an agent has them.
pub(crate) fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, description: &str, properties: Value, required: Value| ToolSpec {
        name: name.into(),
        description: description.into(),
        parameters: json!({"type": "object", "properties": properties, "required": required}),
        aliases: Vec::new(),
    };
    let text = |says: &str| json!({"type": "string", "description": says});
    let number = |says: &str| json!({"type": "integer", "description": says});
    vec![
        tool(
            "read_file",
            "Read a text file. Lines come as number, tab, text; the number is not part of the file.",
            json!({"file_path": text("path"), "offset": number("first line"), "limit": number("number of lines")}),
            json!(["file_path"]),
        ),
        tool(
            "write_file",
            "Create a file with its folders, or replace all of it. To change a part, use edit_file.",
            json!({"file_path": text("path"), "content": text("the whole text")}),
            json!(["file_path", "content"]),
        ),
        tool(
            "edit_file",
            "Replace text in a file. old_string must be copied exactly, without line numbers, and be unique in the file.",
            json!({"file_path": text("path"), "old_string": text("text to replace"), "new_string": text("its replacement"),
                   "replace_all": {"type": "boolean"}}),
            json!(["file_path", "old_string", "new_string"]),
        ),
        tool(
            "grep_search",
            "Search file contents with a regular expression.",
            json!({"pattern": text("regular expression"), "path": text("default ."), "file_pattern": text("like *.rs")}),
            json!(["pattern"]),
        ),
        tool(
            "run_command",
            "Run a shell command (sh) without input or terminal. It ends with all it started. It has no network and writes \
             only in the project, unless the user allows more.",
            json!({"command": text(""), "working_directory": text("default ."), "timeout": number("seconds, default 120")}),
            json!(["command"]),
        ),
    ]
}
