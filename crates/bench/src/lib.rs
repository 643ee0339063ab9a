//! Measures which model codes best on one's own machine.
//!
//! Holds the tasks, decides in which order trials run, grades what a model made of a task in a copy that it never saw, keeps
//! a row of each trial, and reckons figures with honest intervals. A trial itself is another process of this program.
//!
//! Does not speak with a model server, and decides nothing about what commands may do: limits come from whoever has a policy.

mod archive;
mod arm;
mod class;
pub mod embedded;
mod figures;
mod glob;
mod grading;
mod order;
mod random;
mod readers;
mod report;
mod rows;
mod run;
pub mod selftest;
mod stream;
pub mod task;
pub mod tree;
mod trial;

pub use archive::{Archive, ArchiveError, KeptRun, run_name};
pub use arm::Arm;
pub use class::{ChildEnd, TrialClass, class};
pub use figures::{ArmFigures, Difference, SolvedShare, TaskPair, Verdict, compare, figures, pairs};
pub use grading::{Graded, GradedFailure, GradingError, GradingPlace, grade};
pub use order::{Slot, Turns, order};
pub use readers::{Reader, Reported};
pub use report::{ArmPair, BenchReport, Machine, share};
pub use rows::{Rows, TrialKey, TrialRow, is_spoiled};
pub use run::{Progress, RunError, RunPlan, Stopped, Workshop, now, run};
pub use stream::Told;
pub use trial::{TrialSettings, Tried, scratch, try_once};
