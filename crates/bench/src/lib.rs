//! Measures which model codes best on one's own machine.
//!
//! Holds the tasks, decides in which order trials run, grades what a model made of a task in a copy that it never saw, keeps
//! a row of each trial, and reckons figures with honest intervals. A trial itself is another process of this program.
//!
//! Does not speak with a model server itself (whoever does may be asked what it tells), and decides nothing about what commands may do: limits come from whoever has a policy.

mod archive;
mod attempts;
mod class;
pub mod embedded;
mod figures;
mod glob;
mod grading;
pub mod import;
mod left;
mod live;
mod order;
mod random;
mod readers;
mod report;
mod results;
mod rows;
mod run;
mod run_control;
pub mod selftest;
mod stages;
mod stream;
pub mod task;
pub mod tree;
mod trial;
mod tries;
mod tuning;
mod variant;
mod watch;

pub use archive::{Archive, ArchiveError, KeptRun, run_name};
pub use class::{ChildEnd, TrialClass, class};
pub use figures::{Difference, SolvedShare, TaskPair, VariantFigures, Verdict, compare, figures, pairs};
pub use grading::{Graded, GradedFailure, GradingError, GradingPlace, grade};
pub use left::time_left;
pub use live::{Live, Pace, clock};
pub use order::{Slot, Trying, Turns, order};
pub use readers::{Reader, Reported};
pub use report::{BenchReport, Machine, VariantPair, share};
pub use rows::{Rows, TrialKey, TrialRow, is_spoiled};
pub use run::{Progress, RunError, RunPlan, Stopped, Workshop, end_of, now, run};
pub use run_control::{Began, RunControl, RunRequests, TrialHandle};
pub use stages::Stage;
pub use stream::Told;
pub use trial::{TrialSettings, Tried, scratch, try_once};
pub use tries::{ImportProtocol, TryResult};
pub use tuning::{Candidate, CandidateWhen, TuneFinding, candidates, findings, learned};
pub use variant::Variant;
pub use watch::{Look, ServerFacts, Watch};
