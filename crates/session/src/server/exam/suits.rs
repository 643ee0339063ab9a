//! What suits a model, as its examination found.

use agent_protocol::{EditForm, Examined, LeverChanges, Probe, ProbeVerdict};

/// A model that writes a file as it was given, and misses the text that it is to replace in one, writes files whole. One that
/// works by files and wrote a block as it should changes long files so.
pub(crate) fn suits(examined: &Examined) -> LeverChanges {
    let verdict = |probe: Probe| {
        let findings = examined.findings.iter().filter(|finding| finding.probe == probe);
        findings.map(|finding| finding.verdict).next_back()
    };
    let writes = matches!(verdict(Probe::Write), Some(ProbeVerdict::Passed | ProbeVerdict::Rescued));
    let misses = verdict(Probe::Edit) == Some(ProbeVerdict::Failed);
    let blocks = (verdict(Probe::Blocks) == Some(ProbeVerdict::Passed)).then_some(true);
    LeverChanges { edit: (writes && misses).then_some(EditForm::Whole), blocks, ..LeverChanges::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ProbeFinding;

    #[test]
    fn who_writes_well_and_misses_edits_writes_whole_files() {
        let edit = |write: ProbeVerdict, edit: ProbeVerdict| {
            let finding = |probe, verdict| ProbeFinding { probe, verdict, words: String::new() };
            let findings = vec![finding(Probe::Write, write), finding(Probe::Edit, edit)];
            suits(&Examined { findings, ..Examined::default() }).edit
        };
        let (passed, rescued, failed) = (ProbeVerdict::Passed, ProbeVerdict::Rescued, ProbeVerdict::Failed);
        assert_eq!(edit(passed, failed), Some(EditForm::Whole));
        assert_eq!(edit(rescued, failed), Some(EditForm::Whole));
        for (write, it) in [(passed, passed), (passed, rescued), (failed, failed), (passed, ProbeVerdict::Skipped)] {
            assert_eq!(edit(write, it), None, "{write:?} {it:?}");
        }
        assert_eq!(suits(&Examined::default()), LeverChanges::default());
    }
}
