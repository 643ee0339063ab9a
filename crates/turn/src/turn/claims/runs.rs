//! Claims of runs, in English: `I ran the tests`, `All tests pass now`.

use super::prose::{Sentence, Token};
use super::{Claim, Run};

/// May stand between who ran it and that they did.
const BETWEEN: &str = "have now also just then successfully and went gone ahead finally";

/// May stand before what was run.
const BEFORE: &str = "the all a your our full entire whole existing new unit integration of its and complete updated some every \
    these this quick simple small few";

const TESTS: &str = "tests test testsuite suite unittests pytest unittest";
const PROGRAMS: &str = "build code script program linter formatter checks clippy project application app server command commands \
    benchmark benchmarks compiler migration migrations";
const TRIED: &str = "it changes change fix function script code program implementation solution app";

/// Programs that a tool of ours stands in for.
const LOOKING: &str = "ls grep rg find cat tree glob pwd head tail read list search";

const JOINTS: &str = "and so then now also finally done yes sure okay ok but";
const UNREAL: &str = "if when once unless until ensure ensures make makes sure check checks verify confirm so that you your would \
    could should might expect hope ci assuming says where whether until before";
const ELSEWHERE: &str = "earlier previously already before ci mentally mind head hand last ago yesterday locally";

pub(super) fn claims(sentence: &Sentence) -> Vec<Claim> {
    let tokens = &sentence.tokens;
    if sentence.planned || tokens.iter().any(|token| token.among(ELSEWHERE)) {
        return Vec::new();
    }
    let starts = (0..tokens.len()).filter(|at| *at == 0 || is_joint(&tokens[at - 1]));
    let mut claims: Vec<Claim> = starts.filter_map(|at| ran(tokens, at).or_else(|| pass(tokens, at))).collect();
    claims.extend(by_running(tokens).or_else(|| was_run(tokens)));
    claims
}

fn is_joint(token: &Token) -> bool {
    matches!(token, Token::Mark(mark) if !matches!(mark, '(' | '[')) || token.among(JOINTS) || token.is(&["that"])
}

/// `I ran the tests`
fn ran(tokens: &[Token], at: usize) -> Option<Claim> {
    let real =
        !tokens[..at].iter().any(|token| token.is(&["if", "when", "once", "unless", "until", "would", "could", "had"]));
    if !real || !tokens[at].is(&["i", "i've", "ive"]) {
        return None;
    }
    let verb = at + 1 + tokens[at + 1..].iter().take_while(|token| token.among(BETWEEN)).count();
    let perfect = tokens[at].is(&["i've", "ive"]) || tokens[at + 1..verb].iter().any(|token| token.is(&["have"]));
    let what = tokens[(verb + 1).min(tokens.len())..].iter().find(|token| !token.among(BEFORE))?;
    let action = tokens.get(verb)?;
    if action.is(&["ran", "executed", "re-ran", "reran"]) || perfect && action.is(&["run", "rerun", "re-run"]) {
        return run_of(what).map(Claim::Ran);
    }
    let tried = action.is(&["tested"]) && what.among(TRIED);
    let built = action.is(&["compiled", "built"]) && what.is(&["project", "code", "app", "application", "crate"]);
    match (tried, built) {
        (true, _) => Some(Claim::Ran(Run::Trial)),
        (_, true) => Some(Claim::Ran(Run::Command)),
        (false, false) => None,
    }
}

/// `I checked it by running the tests`
fn by_running(tokens: &[Token]) -> Option<Claim> {
    const OPEN: &str = "can could should would will recommend suggest want plan i'll not";
    let at = tokens.iter().position(|token| token.is(&["running"])).filter(|at| *at > 2)?;
    let real = !tokens[..at].iter().any(|token| token.among(OPEN) || token.among(UNREAL) && !token.is(&["so", "that"]));
    let by_us = tokens[0].is(&["i", "i've"]) && tokens[at - 1].is(&["by"]);
    let verb = tokens[1..at].iter().find(|token| !token.among(BETWEEN))?;
    let checked = verb.is(&["verified", "confirmed", "tested", "checked", "validated"]);
    let what = tokens[at + 1..].iter().find(|token| !token.among(BEFORE))?;
    if real && by_us && checked { run_of(what).map(Claim::Ran) } else { None }
}

/// `The tests have been run`, `The script was executed successfully`
fn was_run(tokens: &[Token]) -> Option<Claim> {
    let determined = tokens.first()?.is(&["the", "all"]);
    let noun = tokens.iter().position(|token| !token.among(BEFORE))?;
    let rest: Vec<&Token> = tokens[noun + 1..].iter().filter(|token| !token.is(&["also", "now", "suite"])).collect();
    let is = |at: usize, words: &[&str]| rest.get(at).is_some_and(|token| token.is(words));
    let well = rest.iter().any(|token| token.is(&["successfully"])) && !rest.iter().any(|token| token.is(&["by"]));
    let ended = |at: usize| rest.get(at).is_none_or(|token| matches!(token, Token::Mark(_)));
    let perfect = is(0, &["have", "has"]) && is(1, &["been"]);
    let run = if perfect { 2 } else { 1 } + usize::from(is(if perfect { 2 } else { 1 }, &["successfully"]));
    let was = perfect || is(0, &["was", "were"]);
    let done = was && is(run, &["run", "executed"]) && (well || perfect && ended(run + 1));
    if determined && done { run_of(&tokens[noun]).map(Claim::Ran) } else { None }
}

fn run_of(what: &Token) -> Option<Run> {
    match what {
        Token::Word(_) if what.among(TESTS) => Some(Run::Tests),
        Token::Word(_) if what.among(PROGRAMS) => Some(Run::Command),
        Token::Word(_) | Token::Mark(_) => None,
        Token::File(_) => Some(Run::Command),
        Token::Code(line) => {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '-');
            let first = words
                .next()
                .filter(|word| !word.is_empty() && !LOOKING.split_whitespace().any(|known| known == *word))?;
            let is_command = line.contains(' ') || ["make", "pytest", "tox", "jest", "ctest"].contains(&first);
            let tests = line.contains("test");
            is_command.then_some(if tests { Run::Tests } else { Run::Command })
        }
    }
}

/// `All 12 tests pass now`
fn pass(tokens: &[Token], at: usize) -> Option<Claim> {
    if tokens[..at].iter().any(|token| token.among(UNREAL)) && !is_checked(&tokens[..at]) {
        return None;
    }
    let before = |token: &Token| {
        token.is(&["all", "the", "of", "existing", "unit", "integration", "now", "new", "test"])
            || token.word().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()))
    };
    let noun = at + tokens[at..].iter().take_while(|token| before(token)).count();
    if noun == at || !tokens.get(noun)?.is(&["tests", "suite"]) {
        return None;
    }
    // In the middle of a sentence only what is said of all of them is certain.
    if at > 0 && !tokens[at..noun].iter().any(|token| token.is(&["all", "now"])) && is_plain(&tokens[at - 1]) {
        return None;
    }
    let adverb = |token: &&Token| token.is(&["all", "now", "still", "are", "have", "also", "is", "successfully"]);
    let verb = noun + 1 + tokens[noun + 1..].iter().take_while(adverb).count();
    let goes = tokens.get(verb)?.is(&["pass", "passes", "passed", "passing", "green"]);
    let ends = match tokens.get(verb + 1) {
        None | Some(Token::Mark(_)) => true,
        Some(Token::Word(_)) => {
            tokens[verb + 1].is(&["now", "successfully", "again", "without"])
                || tokens[verb + 1].is(&["and"]) && tokens[at].is(&["all"])
        }
        Some(Token::File(_) | Token::Code(_)) => false,
    };
    (goes && ends).then_some(Claim::TestsPass)
}

/// `I verified that`
fn is_checked(tokens: &[Token]) -> bool {
    let [first, between @ .., checked, that] = tokens else { return false };
    let who = first.is(&["i", "i've"]) && between.iter().all(|token| token.among(BETWEEN));
    who && checked.is(&["verified", "confirmed"]) && that.is(&["that"])
}

fn is_plain(token: &Token) -> bool {
    token.word().is_some()
}
