//! What an examination found so far, and which levers suit a model by that.

use agent_protocol::{
    EditForm, Examined, LeverChanges, ModelCall, Origin, Probe, ProbeFinding, ProbeVerdict, ToolsBy, Way,
};

/// All that was found, and how calls came.
#[derive(Debug, Default)]
pub(super) struct Record {
    findings: Vec<ProbeFinding>,
    faults: Vec<String>,
    ways: Vec<Way>,
    dialects: Vec<String>,
    /// A call that could be used came from the server.
    by_server: bool,
    /// A call that could be used was written as text.
    by_text: bool,
    /// The server lets this model have no tools.
    pub(super) no_tools: bool,
    /// A schema helps only where no tools stand beside it.
    pub(super) schema_alone: bool,
}

impl Record {
    pub(super) fn found(&mut self, finding: ProbeFinding) {
        self.findings.push(finding);
    }

    /// The model failed, or needed help, in this way.
    pub(super) fn fault(&mut self, words: String) {
        add(&mut self.faults, words);
    }

    /// Calls came. Only those that could be used tell how tools should go.
    pub(super) fn calls(&mut self, calls: &[(ModelCall, Origin)], verdict: ProbeVerdict) {
        let usable = matches!(verdict, ProbeVerdict::Passed | ProbeVerdict::Rescued);
        for (_, origin) in calls {
            add(&mut self.ways, origin.way);
            if let Some(dialect) = &origin.dialect {
                add(&mut self.dialects, dialect.clone());
            }
            self.by_server |= usable && is_by_server(origin);
            self.by_text |= usable && is_by_text(origin);
        }
    }

    pub(super) fn examined(&self) -> Examined {
        Examined {
            tools_by: self.tools_by(),
            ways: self.ways.clone(),
            dialects: self.dialects.clone(),
            schema_alone: self.schema_alone,
            faults: self.faults.clone(),
            findings: self.findings.clone(),
        }
    }

    /// Where some calls came from the server, that way works; what comes as text beside it is read as well. A model that calls
    /// and gets nothing done by it works by files.
    fn tools_by(&self) -> Option<ToolsBy> {
        let fails = |probe: &Probe| {
            let failed = |finding: &ProbeFinding| finding.verdict == ProbeVerdict::Failed && finding.probe == *probe;
            self.findings.iter().any(failed)
        };
        let in_vain = [Probe::Write, Probe::Edit, Probe::Stop].iter().filter(|probe| fails(probe)).count() >= 2;
        if in_vain && !self.no_tools {
            Some(ToolsBy::Files)
        } else if self.by_server {
            Some(ToolsBy::Server)
        } else if self.by_text || self.no_tools {
            Some(ToolsBy::Text)
        } else {
            None
        }
    }
}

fn is_by_server(origin: &Origin) -> bool {
    matches!(origin.way, Way::Server | Way::Retry) && origin.dialect.is_none()
}

fn is_by_text(origin: &Origin) -> bool {
    origin.dialect.is_some()
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

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
