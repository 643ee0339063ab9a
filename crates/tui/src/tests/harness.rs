//! A person at a screen without a terminal: presses keys, hears events, lets time pass, looks.

use crate::app::{App, Msg, update};
use crate::cmd::Cmd;
use crate::settings::{EditingKeys, Settings};
use crate::text::highlight::Highlighter;
use crate::themes::Theme;
use crate::view::{lay_out, view};
use agent_protocol::{
    Action, AskId, CallEvent, CallId, Capability, Event, FileDiff, Mode, ModelCard, Op, OwnCommand, Preview,
    PreviewBody, Question, Rule, RuleOffer, ServerCard, ServerError, ServerEvent, ServerProgram, ServerState,
    SessionEvent, Subject, ToolSpec, TurnEvent, TurnId, Usage,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::time::Duration;

pub(super) struct Stage {
    pub(super) app: App,
    now: Duration,
    cmds: Vec<Cmd>,
}

impl Stage {
    /// A screen of 120x40 in an opened session with a model.
    pub(super) fn new() -> Self {
        let mut stage = Stage::blank(120, 40);
        stage.hear(opened()).hear(Event::Server(ServerEvent::ModelSet { card: model("qwen3:8b"), window: 16_384 }));
        stage
    }

    /// The same with commands that somebody wrote.
    pub(super) fn commanded(commands: Vec<OwnCommand>) -> Self {
        Stage::with(Settings { commands, ..Settings::default() })
    }

    /// The same with keys of vi.
    pub(super) fn vim() -> Self {
        Stage::with(Settings { editing: EditingKeys::Vim, ..Settings::default() })
    }

    /// A screen to which nothing has been said yet.
    pub(super) fn of(app: App) -> Self {
        Stage { app, now: Duration::ZERO, cmds: Vec::new() }
    }

    fn with(settings: Settings) -> Self {
        Stage::sized(settings, 120, 40)
    }

    /// A screen of this size in an opened session.
    pub(super) fn sized(settings: Settings, width: u16, height: u16) -> Self {
        let app = App::new(settings, Size::new(width, height), Highlighter::off());
        let mut stage = Stage { app, now: Duration::ZERO, cmds: Vec::new() };
        stage.hear(opened());
        stage
    }

    /// A screen to which nothing has been said yet.
    pub(super) fn blank(width: u16, height: u16) -> Self {
        Stage::themed(width, height, Theme::plain())
    }

    /// The same, in the colours of a theme.
    pub(super) fn themed(width: u16, height: u16, theme: &'static Theme) -> Self {
        let settings = Settings { version: "0.1.0".into(), theme, ..Settings::default() };
        let app = App::new(settings, Size::new(width, height), Highlighter::off());
        let mut stage = Stage { app, now: Duration::ZERO, cmds: Vec::new() };
        stage.draw();
        stage
    }

    pub(super) fn tell(&mut self, msg: Msg) -> &mut Self {
        let cmds = update(&mut self.app, self.now, msg);
        self.cmds.extend(cmds);
        self.draw();
        self
    }

    pub(super) fn hear(&mut self, event: Event) -> &mut Self {
        self.tell(Msg::Heard(event))
    }

    pub(super) fn paste(&mut self, text: &str) -> &mut Self {
        self.tell(Msg::Paste { text: text.to_owned(), earliest: self.now });
        // What comes sooner would be part of it.
        self.now += Duration::from_millis(60);
        self
    }

    pub(super) fn wait(&mut self, milliseconds: u64) -> &mut Self {
        self.now += Duration::from_millis(milliseconds);
        self.tell(Msg::Tick)
    }

    pub(super) fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.tell(Msg::Resized(Size::new(width, height)))
    }

    /// Presses keys; names in angle brackets are keys: `fix it<enter>`, `<c-c>`, `<a-enter>`. `<=y>` is a letter that is
    /// meant as an answer: it stands alone.
    pub(super) fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(letter) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|tail| tail.split_once('>'));
            if let Some((letter, tail)) = named.and_then(|(name, tail)| Some((name.strip_prefix('=')?, tail))) {
                self.alone(letter);
                rest = tail;
                continue;
            }
            let key = match named {
                Some((name, tail)) => {
                    rest = tail;
                    named_key(name)
                }
                None => {
                    rest = &rest[letter.len_utf8()..];
                    self.letter(letter);
                    continue;
                }
            };
            self.tell(Msg::Key { key, earliest: self.now });
        }
        self
    }

    /// Presses the key of a letter, whatever it is.
    pub(super) fn letter(&mut self, letter: char) -> &mut Self {
        let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        self.tell(Msg::Key { key, earliest: self.now })
    }

    /// Presses a letter by itself: with a pause before it and after it.
    fn alone(&mut self, letter: &str) {
        self.wait(1_000).keys(letter).wait(400);
    }

    /// What was asked of the world outside since the last look.
    pub(super) fn cmds(&mut self) -> Vec<Cmd> {
        std::mem::take(&mut self.cmds)
    }

    /// The wishes sent since the last look; nothing else may have been asked.
    pub(super) fn ops(&mut self) -> Vec<Op> {
        let op = |cmd| match cmd {
            Cmd::Send(op) => op,
            other => panic!("not a wish: {other:?}"),
        };
        self.cmds().into_iter().map(op).collect()
    }

    /// The screen as text, without trailing blanks.
    pub(super) fn screen(&mut self) -> String {
        self.rows().join("\n").trim_end().to_owned()
    }

    /// The dialog that is open, with what stands below it but the status line; where none is, the conversation, with what
    /// stands between it and the composer.
    pub(super) fn part(&mut self) -> String {
        let rows = self.rows();
        let shown = lay_out(&mut self.app).without_status();
        rows[usize::from(shown.top())..usize::from(shown.bottom())].join("\n").trim_end().to_owned()
    }

    fn rows(&mut self) -> Vec<String> {
        let (page, _) = self.draw();
        let width = usize::from(page.area.width);
        let rows = page.content.chunks(width.max(1)).map(|row| {
            let mut skip = 0;
            let mut text = String::new();
            for cell in row {
                if skip == 0 {
                    text.push_str(cell.symbol());
                    skip = crate::text::width::width(cell.symbol()).max(1);
                }
                skip -= 1;
            }
            text.trim_end().to_owned()
        });
        rows.collect()
    }

    pub(super) fn shows(&mut self, text: &str) -> bool {
        self.screen().contains(text)
    }

    pub(super) fn cursor(&mut self) -> Option<Position> {
        self.draw().1
    }

    pub(super) fn draw(&mut self) -> (Buffer, Option<Position>) {
        let layout = lay_out(&mut self.app);
        let mut page = Buffer::empty(Rect::from((Position::ORIGIN, self.app.size)));
        let cursor = view(&self.app, &layout, &mut page);
        self.cmds.extend(update(&mut self.app, self.now, Msg::Shown));
        (page, cursor)
    }
}

fn named_key(name: &str) -> KeyEvent {
    let mut held = KeyModifiers::NONE;
    let mut rest = name;
    while let Some((letter, tail)) = rest.split_once('-') {
        held |= match letter {
            "c" => KeyModifiers::CONTROL,
            "a" => KeyModifiers::ALT,
            "s" => KeyModifiers::SHIFT,
            other => panic!("nothing is held down by {other}"),
        };
        rest = tail;
    }
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "backspace" => KeyCode::Backspace,
        "space" => KeyCode::Char(' '),
        letter if letter.chars().count() == 1 => KeyCode::Char(letter.chars().next().unwrap()),
        other => panic!("there is no key named {other}"),
    };
    KeyEvent::new(code, held)
}

pub(super) fn opened() -> Event {
    let tool = |name: &str, description: &str| ToolSpec {
        name: name.into(),
        description: description.into(),
        parameters: serde_json::Value::Null,
        aliases: Vec::new(),
    };
    Event::Session(SessionEvent::Opened {
        project: "/home/me/project".into(),
        host: "http://127.0.0.1:11434".into(),
        mode: Mode::Safe,
        tools: vec![tool("read_file", "Reads a text file."), tool("run_command", "Runs a shell command.")],
        sandbox: agent_protocol::SandboxSupport {
            apart: true,
            kind: agent_protocol::SandboxKind::Kernel,
            words: "Landlock 7 and seccomp".into(),
            details: Vec::new(),
        },
        exposed: false,
    })
}

/// A server answers that does all that a server can do.
pub(super) fn up() -> Event {
    let card = ServerCard {
        version: "0.12.0".into(),
        product: "Ollama".into(),
        can: Capability::ALL.into(),
        library: Some("ollama.com/library".into()),
        window_variable: Some("OLLAMA_CONTEXT_LENGTH".into()),
        ..ServerCard::default()
    };
    Event::Server(ServerEvent::Server { state: ServerState::Up(card) })
}

/// Nobody answers.
pub(super) fn unreachable_server() -> ServerError {
    let program = Some(Box::new(ServerProgram { start: "ollama serve".into(), home: "ollama.com".into() }));
    ServerError::Unreachable { host: "http://127.0.0.1:11434".into(), why: "connection refused".into(), program }
}

pub(super) fn model(name: &str) -> ModelCard {
    ModelCard {
        name: name.into(),
        size_bytes: Some(5_225_376_047),
        context_length: Some(40_960),
        parameter_size: Some("8.2B".into()),
        quantization: Some("Q4_K_M".into()),
        family: Some("qwen3".into()),
        tools: Some(true),
        thinking: Some(true),
        ..ModelCard::default()
    }
}

pub(super) fn turn(text: &str) -> Event {
    Event::Turn(TurnEvent::Started { turn: TurnId(1), text: text.into() })
}

pub(super) fn turn_ended() -> Event {
    Event::Turn(TurnEvent::Ended {
        turn: TurnId(1),
        reason: agent_protocol::TurnEndReason::Done,
        usage: Usage::default(),
    })
}

pub(super) fn asks_command(command: &str) -> Event {
    let cwd = std::path::PathBuf::from("/home/me/project");
    let action = Action::Run {
        command: command.into(),
        argv: Vec::new(),
        cwd: cwd.clone(),
        timeout_secs: 120,
        profile: agent_protocol::Profile::Project,
        background: false,
        input: None,
    };
    let rule = Rule::Command { command: command.into(), cwd: cwd.clone() };
    let words = "don't ask again in this session for exactly this command in /home/me/project".into();
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: Some(CallId(1)),
            subject: Subject::Action { action },
            preview: Preview {
                title: format!("Run {command}"),
                body: PreviewBody::Command {
                    command: command.into(),
                    cwd,
                    timeout_secs: 120,
                    profile: agent_protocol::Profile::Project,
                    cover: None,
                    files: Vec::new(),
                    note: None,
                    background: false,
                },
            },
            why: "safe mode asks before every command".into(),
            offers: vec![RuleOffer { rule, words }],
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

pub(super) fn asks_edit(before: &str, after: &str) -> Event {
    let path = std::path::PathBuf::from("/home/me/project/src/main.rs");
    let file = FileDiff {
        path: path.clone(),
        shown_path: "src/main.rs".into(),
        before: Some(before.into()),
        after: Some(after.into()),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    };
    let words = "don't ask again in this session for changes to /home/me/project/src/main.rs".into();
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: Some(CallId(1)),
            subject: Subject::Action { action: Action::Write { changes: agent_protocol::Changes(Vec::new()) } },
            preview: Preview { title: "Edit src/main.rs".into(), body: PreviewBody::Diff { files: vec![file] } },
            why: "safe mode asks before every write".into(),
            offers: vec![RuleOffer { rule: Rule::File { path }, words }],
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}
