//! The session in lines, where the terminal only prints or the user wishes it: wired like the screen, with another front end.

use crate::args::{Args, Command, Which};
use crate::demo::Demo;
use crate::session::Plan;
use crate::start;
use agent_headless::LineSettings;
use anyhow::Result;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Why it is lines; `None`: the screen is wanted, and can be drawn.
pub(crate) fn wanted(args: &Args, plan: &Plan) -> Option<Why> {
    if args.wishes.screen_reader || plan.config.screen_reader {
        return Some(Why::Wished);
    }
    start::too_plain().map(Why::TooPlain)
}

/// Why a session is in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    Wished,
    /// The terminal cannot draw; in words.
    TooPlain(&'static str),
}

/// Runs it to its end.
pub(crate) fn run(runtime: &Runtime, args: &Args, mut plan: Plan, why: Why) -> Result<ExitCode> {
    let demo = matches!(args.command, Some(Command::Demo(_))).then(Demo::start).transpose()?;
    let commands = start::own_commands(&mut plan);
    let mut settings = LineSettings { commands, ..settings(args, &plan, why) };
    let plan = match &demo {
        Some(demo) => {
            let say = agent_mock_server::demo::PROMPT;
            settings.greeting.push(format!("this is the demo, with a scripted model; say: {say}"));
            (settings.passing, settings.once_restored) = (true, false);
            demo.plan(&plan.config)?
        }
        None => plan,
    };
    start::speak(runtime, plan, async |ops, events, streams| {
        agent_headless::lines(ops, events, settings, &mut *streams.out).await
    })
}

fn settings(args: &Args, plan: &Plan, why: Why) -> LineSettings {
    let greeting = match why {
        Why::Wished => Vec::new(),
        Why::TooPlain(words) => {
            vec![format!("{words}; so this is lines. For the screen set TERM to what it is (xterm-256color)")]
        }
    };
    LineSettings {
        version: env!("CARGO_PKG_VERSION").into(),
        greeting,
        message: args.words.clone(),
        once_restored: plan.earlier.is_some(),
        pick_session: plan.earlier == Some(Which::Picked),
        passing: false,
        commands: Vec::new(),
    }
}
