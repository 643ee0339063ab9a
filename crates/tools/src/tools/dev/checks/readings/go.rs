//! `go test -v`.

use super::{Report, TestFault, TestSpot, pattern, spot};
use regex::Regex;
use std::sync::LazyLock;

/// What is known so far.
struct Reading<'a> {
    report: Report,
    module: &'a str,
    faults: Vec<TestFault>,
    /// What each test of it said so far.
    said: Vec<(String, Vec<String>)>,
    running: String,
    packages: usize,
}

pub(super) fn read(text: &str, module: &str) -> Option<Report> {
    let report = Report { passed: Some(0), ..Report::default() };
    let mut reading =
        Reading { report, module, faults: Vec::new(), said: Vec::new(), running: String::new(), packages: 0 };
    let mut building = false;
    let mut panicking = false;
    for line in text.lines() {
        // Errors of the compiler stand below the name of their package.
        building = line.starts_with("# ") || building && spot(line).is_some();
        let over = reading.package(line);
        panicking = !over && (panicking || line.starts_with("panic: ") || line.starts_with("fatal error: "));
        match () {
            () if over => {}
            () if building => reading.build(line),
            () if panicking => reading.panic(line),
            () => reading.test(line),
        }
    }
    reading.end("");
    let report = reading.report;
    (reading.packages > 0 || !report.broken.is_empty()).then(|| report.once())
}

impl Reading<'_> {
    /// A line that says that a package is over.
    fn package(&mut self, line: &str) -> bool {
        static OVER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(ok  |FAIL|\?   |---)\t(\S+)(?:\s|$)(.*)"));
        let Some(over) = OVER.captures(line) else { return line == "FAIL" || line == "PASS" };
        self.packages += 1;
        let reason = &over[3];
        if reason.contains("[setup failed]") && self.report.broken.is_empty() {
            self.report.broken.push(TestFault::new(&format!("{} {reason}", &over[2])));
        }
        let package = over[2].to_owned();
        self.end(&package);
        true
    }

    /// Names of files in what tests say are without their folder, which is that of the package.
    fn end(&mut self, package: &str) {
        let below = package.strip_prefix(self.module).unwrap_or(package).trim_start_matches('/').to_owned();
        let known = !self.module.is_empty() && !below.is_empty();
        // Of a test of which a part failed, the part says why.
        let parts: Vec<String> = self.faults.iter().map(|fault| fault.name.clone()).collect();
        let has_part = |name: &str| parts.iter().any(|part| part.starts_with(&format!("{name}/")));
        self.faults.retain(|fault| !fault.lines.is_empty() || !has_part(&fault.name));
        for mut fault in self.faults.drain(..) {
            if let Some(TestSpot { path, .. }) = fault.spot.as_mut().filter(|spot| known && !spot.path.contains('/')) {
                *path = format!("{below}/{path}");
            }
            self.report.faults.push(fault);
        }
        self.said.clear();
    }

    fn build(&mut self, line: &str) {
        if let Some(at) = spot(line) {
            let message = line.splitn(4, ':').nth(3).or_else(|| line.split_once(": ").map(|(_, message)| message));
            self.report.broken.push(TestFault { spot: Some(at), ..TestFault::new(message.unwrap_or(line)) });
        }
    }

    /// What panicked, and the first place in a test or the code that is no library's.
    fn panic(&mut self, line: &str) {
        if line.starts_with("panic: ") && self.faults.last().is_none_or(|fault| !fault.lines.is_empty()) {
            let running = self.running.clone();
            self.fail(&running);
        }
        let Some(fault) = self.faults.last_mut() else { return };
        if line.starts_with("panic: ") || line.starts_with("fatal error: ") {
            fault.lines.push(line.to_owned());
        } else if line.starts_with('\t') && !line.contains("/src/testing/") && !line.contains("/src/runtime/") {
            fault.or_spot(spot(line));
        }
    }

    fn test(&mut self, line: &str) {
        static VERDICT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*--- (PASS|FAIL|SKIP): (\S+)"));
        static RUNNING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^=== (?:RUN|CONT|NAME|PAUSE)\s+(\S*)"));
        if let Some(verdict) = VERDICT.captures(line) {
            match &verdict[1] {
                "PASS" => self.report.passed = self.report.passed.map(|passed| passed + 1),
                "SKIP" => self.report.skipped += 1,
                _ => self.fail(&verdict[2]),
            }
            // Without -v, what it said comes after.
            self.running = verdict[2].to_owned();
        } else if let Some(running) = RUNNING.captures(line) {
            self.running = running[1].to_owned();
        } else if let Some(fault) = self.faults.iter_mut().find(|fault| fault.name == self.running) {
            fault.or_spot(spot(line));
            fault.lines.push(line.to_owned());
        } else {
            match self.said.iter_mut().find(|(name, _)| *name == self.running) {
                Some((_, lines)) => lines.push(line.to_owned()),
                None => self.said.push((self.running.clone(), vec![line.to_owned()])),
            }
        }
    }

    /// A test failed. One of which a part failed says nothing that the part did not.
    fn fail(&mut self, name: &str) {
        self.report.failed += 1;
        let lines = self.said.iter().find(|(said, _)| said == name).map_or(Vec::new(), |(_, lines)| lines.clone());
        let at = lines.iter().rev().find_map(|line| spot(line));
        self.faults.push(TestFault { spot: at, lines, ..TestFault::new(name) });
    }
}
