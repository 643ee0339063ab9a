//! The tools of one project with a policy that lets everything inside it happen, for tests that make many calls.

use agent_policy::{Looked, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Levers, Mode, ModelCall, Outcome};
use agent_tools::{Ground, Output, PlannedCall, Toolbox};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::unbounded_channel;

pub(crate) struct Hands {
    tools: Toolbox,
    policy: Policy,
    runtime: Runtime,
}

/// A planned write with the permit for it: all that is left is to do it.
pub(crate) struct Approved {
    job: Box<dyn PlannedCall>,
    permit: agent_policy::Permit,
}

/// Nobody stops it.
fn never() -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(std::future::pending())
}

impl Hands {
    /// Over the project at `root`, which is resolved.
    pub(crate) fn new(root: &Path) -> Self {
        let ground = Ground::of_this_process(PathBuf::from(root)).unwrap();
        let policy = Policy::new(Setup::new(root.into(), Mode::Unsafe));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let tools = Toolbox::with(ground, &[]).0;
        // What is written over was laid there by the test, and nobody reads it first.
        tools.adapt(Levers { whole_file_lines: 0, ..Levers::default() });
        Hands { tools, policy, runtime }
    }

    /// A write of `text` to `file`, planned and permitted.
    pub(crate) fn approved(&self, file: &str, text: &str) -> Approved {
        let arguments: Value = json!({ "file_path": file, "content": text });
        let call = ModelCall { server_id: None, index: None, name: "write_file".into(), arguments };
        let action = self.tools.reach(&call).unwrap().action;
        let look = self.permit(action, None);
        let looked = Looked::from(&look);
        let job = self.tools.plan(&call, look).unwrap_or_else(|failure| panic!("{}", failure.message));
        let permit = self.permit(job.action(), Some(&looked));
        Approved { job, permit }
    }

    /// Does it.
    pub(crate) fn perform(&self, approved: Approved) -> Outcome {
        let (live, _heard) = unbounded_channel();
        let room = 4000;
        self.runtime.block_on(self.tools.perform(
            approved.job,
            approved.permit,
            Output { live, room, intent: None, reaches: unbounded_channel().0 },
            never(),
        ))
    }

    fn permit(&self, action: Action, looked: Option<&Looked>) -> agent_policy::Permit {
        let facts = self.tools.facts(&queries(&action));
        let verdict = match looked {
            None => self.policy.judge(action, &facts),
            Some(looked) => self.policy.judge_planned(action, &facts, looked),
        };
        match verdict {
            Verdict::Allow(permit) => permit,
            Verdict::Ask(held) => panic!("asked: {}", held.why()),
            Verdict::Deny(why) | Verdict::Impossible(why) => panic!("{why}"),
        }
    }
}

/// How often, from the environment: a few times usually, many times when it matters.
pub(crate) fn times(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|times| times.parse().ok()).unwrap_or(usual)
}

/// Numbers that look like chance and can be had again.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// From 0 up to, and without, `sides`.
    pub(crate) fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}
