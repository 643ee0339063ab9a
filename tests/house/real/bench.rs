//! A whole course of the benchmark with the tiny model. It solves nothing; every trial ends, is graded and counted, and the
//! report is there.

use super::house;
use super::server::Llama;
use serde_json::Value;
use std::process::Stdio;

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_quick_course_runs_to_its_report() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    let host = llama.host();
    let args = ["bench", "--host", &host, "--models", "tiny", "--course", "quick", "--no-exam"];
    let output = house.headless(&args).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    let runs: Vec<_> = std::fs::read_dir(house.state().join("bench")).unwrap().flatten().collect();
    let run = runs.iter().map(std::fs::DirEntry::path).find(|path| path.is_dir()).unwrap();
    let report: Value = serde_json::from_slice(&std::fs::read(run.join("bench.json")).unwrap()).unwrap();
    let (rows, done) = (report["rows"].as_array().unwrap(), report["done"].as_array().unwrap());
    assert!(done[0] == done[1] && rows.len() >= 8, "{told}");
    assert_eq!(report["spoiled"], false, "{told}");
    assert!(rows.iter().all(|row| row["steps"].as_u64() > Some(0)), "the model answered in every trial: {told}");
    assert!(std::fs::read_to_string(run.join("bench.md")).unwrap().contains("| tiny |"), "{told}");
}
