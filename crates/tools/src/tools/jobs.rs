//! `jobs`: what goes on in the background, what it says, and its end. A look at what is the model's own: nothing outside
//! the session is touched.

use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::program::{Background, BackgroundOutput};
use crate::program::{REST, detail, seconds, shorter, shown};
use crate::read_only_job::nothing;
use crate::tools::ToolContext;
use crate::{Output, PlannedCall, Tool, cap, words};
use agent_policy::Permit;
use agent_protocol::{
    Action, BackgroundCommand, BackgroundId, BackgroundState, Failure, FailureKind, Outcome, Preview, PreviewBody,
};
use agent_sandbox::Kept;
use futures_util::future::BoxFuture;
use std::time::Duration;

/// What has nothing new to say is given so much time: whoever asks at once, and again, learns nothing by it.
const PATIENCE: Duration = Duration::from_secs(3);
/// It takes a tenth of a second to end a command with all it started; a busy machine takes longer.
const TO_END: Duration = Duration::from_secs(10);
/// Characters of a command in a line.
const SHOWN: usize = 100;

pub(super) static FORM: Form = Form {
    tool: "jobs",
    aliases: "job job_output get_job_output list_jobs stop_job kill_job background background_jobs list_background \
        bash_output shell_output task_output get_output get_terminal_output read_output kill_shell kill_bash kill_process \
        stop_process task_stop list_processes ps",
    description: include_str!("jobs.md"),
    parameters: &[
        Parameter::new("action", Kind::One(&["list", "output", "stop"]), "\"output\"")
            .also("operation op command subcommand")
            .optional(),
        Parameter::new("id", Kind::Number, "1")
            .also("job jobid number jobnumber bashid shellid taskid processid pid terminalid session sessionid")
            .optional(),
        Parameter::new("since", Kind::Number, "0").also("from offset position"),
    ],
    implied: &[
        ("killshell killbash killjob killprocess stopjob stopprocess taskstop", "action", "stop"),
        ("listjobs listbackground listprocesses ps", "action", "list"),
    ],
    meant: &[
        ("action", "kill terminate end cancel remove delete", "stop"),
        ("action", "read get log logs tail show view status poll check", "output"),
        ("action", "ls ps all", "list"),
    ],
    ..BLANK
};

pub(super) struct Jobs;

impl Tool for Jobs {
    fn reach(&self, _kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(nothing())
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let wish = wish(kit, arguments)?;
        Ok(Box::new(Planned { background: kit.runner.background.clone(), wish, folds: kit.levers().fold_output }))
    }
}

fn wish(kit: &ToolContext, arguments: &Arguments) -> Result<Wish, Failure> {
    let id = arguments.optional_number("id")?.map(BackgroundId);
    let action = arguments.one("action")?.unwrap_or(if id.is_some() { "output" } else { "list" });
    Ok(match action {
        "stop" => Wish::Stop(meant(kit, id, |look| look.card.state == BackgroundState::Running)?),
        "output" => Wish::Output(meant(kit, id, |_| true)?, arguments.optional_number("since")?),
        _ => Wish::List,
    })
}

/// The one of this number; without a number the only one that comes into question.
fn meant(
    kit: &ToolContext,
    id: Option<BackgroundId>,
    in_question: impl Fn(&BackgroundOutput) -> bool,
) -> Result<BackgroundCommand, Failure> {
    let all = kit.runner.background.list();
    let mut meant: Vec<&BackgroundOutput> = match id {
        Some(id) => all.iter().filter(|look| look.card.id == id).collect(),
        None => all.iter().filter(|look| in_question(look)).collect(),
    };
    match (meant.pop(), meant.is_empty()) {
        (Some(look), true) => Ok(look.card.clone()),
        (Some(_), false) => {
            let message = format!("several commands come into question; give the `id` of one:\n{}", choice(&all));
            Err(Failure::new(FailureKind::Ambiguous, message))
        }
        (None, _) => Err(Failure::new(FailureKind::NotFound, none_such(id, &all))),
    }
}

enum Wish {
    List,
    /// From this position on; `None`: what is new.
    Output(BackgroundCommand, Option<u64>),
    Stop(BackgroundCommand),
}

struct Planned {
    background: Background,
    wish: Wish,
    /// Long runs of routine lines are told as one.
    folds: bool,
}

impl PlannedCall for Planned {
    fn action(&self) -> Action {
        nothing()
    }

    fn preview(&self) -> Preview {
        let title = match &self.wish {
            Wish::List => "Background commands".into(),
            Wish::Output(card, _) => format!("Output of background command {}", named(card)),
            Wish::Stop(card) => format!("Stop background command {}", named(card)),
        };
        Preview { title, body: PreviewBody::Plain }
    }

    fn run(self: Box<Self>, _permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            let Planned { background, wish, folds } = *self;
            let told = (folds, cap::for_output(out.room));
            match wish {
                Wish::List => list(&background),
                Wish::Output(card, since) => {
                    if since.is_none() {
                        background.moves(card.id, PATIENCE).await;
                    }
                    output(&background, &card, since, told).await
                }
                Wish::Stop(card) => {
                    background.stop(Some(card.id));
                    background.ends(card.id, TO_END).await;
                    output(&background, &card, None, told).await
                }
            }
        })
    }

    fn rest(&self) -> &'static str {
        REST
    }
}

fn list(background: &Background) -> Outcome {
    let all = background.list();
    let running = all.iter().filter(|look| look.card.state == BackgroundState::Running).count();
    if all.is_empty() {
        let told = "nothing was started in the background; run_command does that with background true";
        return words::done(told.into(), "none".into(), String::new());
    }
    let summary = format!("{running} running, {} ended", all.len() - running);
    words::done(listed(&all), summary, String::new())
}

/// One a line, with what there is to read of it.
fn listed(all: &[BackgroundOutput]) -> String {
    let line = |look: &BackgroundOutput| {
        let time = seconds(look.time);
        let time =
            if look.card.state == BackgroundState::Running { format!("for {time}") } else { format!("after {time}") };
        let new = match look.new {
            0 => String::new(),
            new => format!("; {} of output not read", words::size(new)),
        };
        format!("{}: {} {time}{new}", named(&look.card), state(&look.card))
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// One a line, to choose from.
fn choice(all: &[BackgroundOutput]) -> String {
    all.iter().map(|look| format!("{}: {}", named(&look.card), state(&look.card))).collect::<Vec<_>>().join("\n")
}

/// `2 npm run dev (Start the server)`.
fn named(card: &BackgroundCommand) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = one_line(&card.command);
    let shown: String = whole.chars().take(SHOWN).collect();
    let more = if shown == whole { "" } else { " …" };
    let purpose = match one_line(&card.description).as_str() {
        "" => String::new(),
        purpose => format!(" ({purpose})"),
    };
    format!("{} {shown}{more}{purpose}", card.id.0)
}

fn state(card: &BackgroundCommand) -> String {
    match card.state {
        BackgroundState::Running => "running".into(),
        BackgroundState::Ended { code: Some(code) } => format!("ended with exit code {code}"),
        BackgroundState::Ended { code: None } => "ended by a signal".into(),
        BackgroundState::Stopped => "stopped".into(),
    }
}

async fn output(
    background: &Background,
    card: &BackgroundCommand,
    since: Option<u64>,
    (folds, room): (bool, usize),
) -> Outcome {
    let Some((look, kept)) = background.read(card.id, since).await else {
        return Failure::new(FailureKind::NotFound, none_such(Some(card.id), &background.list())).into();
    };
    let said = shown(&kept);
    let state = state(&look.card);
    // No time is told: what is another each time would hide from a model that asks again and again that nothing changes.
    let mut told = format!("command {} {}{state}", card.id.0, is(&look.card));
    let silent = said.head.trim().is_empty() && said.tail.is_empty();
    match (silent, since, look.total) {
        (true, _, 0) => told.push_str("; it said nothing"),
        (true, _, total) => {
            let total = words::size(total);
            told.push_str(&format!("; it said nothing new (since 0 shows all of its {total})"));
        }
        (false, since, _) => {
            told.push_str(&not_kept(&look, &kept));
            told.push_str(if since.is_none() && look.new < look.total { "; new output:\n" } else { "; output:\n" });
            let used = told.len();
            let rest = format!("it began at byte {} of {}: since shows it from any byte on", look.from, look.total);
            told.push_str(&cap::kept(&shorter(said, folds), room.saturating_sub(used), &rest));
        }
    }
    words::done(told, state, detail(&kept))
}

/// That there was more than is kept, if there was.
fn not_kept(look: &BackgroundOutput, kept: &Kept) -> String {
    match kept.lost.bytes {
        0 => String::new(),
        lost => {
            format!("; {lost} bytes of it, from byte {} on, are not kept any more", look.from + kept.head.len() as u64)
        }
    }
}

fn none_such(id: Option<BackgroundId>, all: &[BackgroundOutput]) -> String {
    let what = match id {
        Some(id) => format!("there is no command {} in the background", id.0),
        None => "no command runs in the background".into(),
    };
    match all {
        [] => format!("{what}; none was started in this session: run_command does that with background true"),
        all => format!("{what}; there are:\n{}", choice(all)),
    }
}

fn is(card: &BackgroundCommand) -> &'static str {
    match card.state {
        BackgroundState::Running => "is ",
        BackgroundState::Ended { .. } => "",
        BackgroundState::Stopped => "was ",
    }
}
