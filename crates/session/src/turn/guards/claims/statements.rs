//! What a sentence states plainly: one table of patterns, and what each of them stands for. Another language is another row.

use super::asked::Wish;
use super::prose::{Answer, Sentence};
use crate::turn::patterns::pattern;
use regex::{Captures, Regex};
use std::sync::{LazyLock, OnceLock};

/// What an answer says was done.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Statement {
    /// Each of these files was changed, created or deleted.
    Changed(Vec<String>),
    /// Something was changed, in or around this file if one is named.
    ChangedSomething(Option<String>),
    /// A command ran just now.
    Ran,
    /// The tests pass, as whoever runs them sees.
    TestsPass,
}

/// What a row of the table finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `I've updated a.rs`
    Files,
    /// `Updated a.rs:`, at the beginning of a line.
    Heading,
    /// `The file a.rs has been updated`, which also tells how something came about: only where work was asked for.
    FilesPassive,
    /// `I fixed …`, of whatever follows.
    Something,
    /// `The bug has been fixed`, only where work was asked for.
    SomethingPassive,
    /// `I ran the tests`
    Run,
    /// `All tests pass`
    Pass,
    /// `Fixed the bug`, or that it is fixed: said so shortly only where a call was refused or failed in the turn and work was
    /// asked for, for then it is no report of anything else.
    Work,
    /// The same of a run: `The tests were run`.
    Done,
}

/// What the patterns of the table are put together from: a name in capitals stands for its pattern.
const PARTS: [(&str, &str); 11] = [
    // A clause begins here.
    ("LEAD", r"(?:^|[,:–—] ?(?:and |so |then |but )?|\b(?:and|so|then|but|done|ok|okay|yes|great|also|finally|now) )"),
    ("I_HAVE", r"I(?:'ve| have)(?: (?:now|also|just|then|successfully|gone ahead and))* "),
    ("I_DID", r"I(?:'ve| have)?(?: (?:now|also|just|then|successfully|finally|carefully|(?:gone|went) ahead and))* "),
    (
        "EDITED",
        r"(?:updated|modified|changed|edited|fixed|refactored|rewrote|rewritten|adjusted|corrected|patched|implemented|improved|extended|simplified|resolved|reworked|deleted|CREATED)",
    ),
    ("CREATED", r"(?:created|wrote|written|generated|saved)"),
    ("HANDLED", r"(?:added|inserted|appended|removed|applied|renamed|moved|replaced|made)"),
    ("FILES", r"(?P<files>OF_FILES\(?‹[0-9]+›(?:(?:, and|,| and) OF_FILES‹[0-9]+›)*)"),
    ("OF_FILES", r"(?:(?:the|a|an|new|files?|your|both|existing|called|named|following|script|module|test) )*"),
    // The files themselves were changed, and not something about them.
    (
        "THEMSELVES",
        r"(?:$|\)?[.,:;!]| ?[—–(-]| (?:to|so|with|by|that|which|and|as|for|successfully|using|now|based|because|but)\b)",
    ),
    (
        "TO_RUN",
        r"(?:(?:the|a|all|of|your|quick|unit|integration|full|entire|new) )*(?:(?:tests?|suite|script|program|code|build|linter|app)\b|‹[0-9]+›|`(?P<line>[^`]+)`)",
    ),
    (
        "PASSING",
        r"(?:(?:all|the|of|existing|unit|integration|new|test|[0-9]+) )+(?:tests|suite)(?: (?:all|now|still|are|have|also|is))* (?:pass|passes|passed|passing|green)(?: (?:now|successfully|again))*(?:$|[.,!:;]| and\b)",
    ),
];

const TABLE: [(Kind, &str); 26] = [
    (Kind::Files, r"LEADI_DIDEDITED FILESTHEMSELVES"),
    (Kind::Files, r"LEADI_DID(?:EDITED|HANDLED) .*(?:,| and| then)(?: also| then)? EDITED FILESTHEMSELVES"),
    (Kind::Files, r"LEADI_DIDadded FILES(?:$|[.,:;!]| (?:with|that|which|containing|and)\b)"),
    (
        Kind::Files,
        r"LEADI_DID(?:HANDLED) (?:(?:a|the|some|more|new|unit|requested|following) )*(?:tests?|checks?|functions?|comments?|code|changes?|fix) (?:in)?to FILES(?:$|[.,:;!]| (?:so|that|which|and)\b)",
    ),
    (
        Kind::Files,
        r"LEADich habe (?:(?:die|neue|nun|datei) )*FILES (?:erfolgreich )?(?:geändert|aktualisiert|angepasst|korrigiert|erstellt|gelöscht)$",
    ),
    (
        Kind::Files,
        r"LEADj'ai (?:modifié|corrigé|mis à jour|changé|créé|supprimé)(?: (?:le|fichier))* FILES(?:$|[.,:;!])",
    ),
    (
        Kind::Files,
        r"LEADhe (?:actualizado|modificado|corregido|creado|eliminado)(?: (?:el|archivo))* FILES(?:$|[.,:;!])",
    ),
    (Kind::Files, r"^我?(?:已经|已|成功)(?:更新|修改|修复|创建|删除)了? ?(?:文件 ?)?FILES$"),
    (Kind::Heading, r"^(?:successfully )?EDITED FILESTHEMSELVES"),
    (
        Kind::FilesPassive,
        r"^FILES (?:has|have)(?: now| also)? been (?:successfully )?(?:EDITED|HANDLED)(?:$|[,:]| (?:to|with|and|so|successfully)\b)",
    ),
    (Kind::FilesPassive, r"^FILES (?:was|were) (?:successfully )?(?:EDITED|HANDLED)(?: successfully)?$"),
    (
        Kind::FilesPassive,
        r"^die (?:neue )?datei FILES wurde (?:erfolgreich )?(?:geändert|aktualisiert|erstellt|gelöscht)$",
    ),
    (
        Kind::FilesPassive,
        r"^(?:le fichier|el archivo) FILES (?:a été|ha sido) (?:modifié|créé|supprimé|modificado|creado|eliminado)$",
    ),
    (Kind::FilesPassive, r"^(?:文件 ?)?FILES ?已(?:成功)?(?:更新|修改|修复|创建|删除)$"),
    (Kind::Something, r"LEADI_DID(?:EDITED|HANDLED) (?P<thing>.*)"),
    (
        Kind::SomethingPassive,
        r"^(?:the|your|all|both) (?P<thing>[a-z0-9_-]+(?: [a-z0-9_-]+){0,3}) (?:has|have) been (?:successfully )?(?:EDITED|HANDLED)(?:$|[,!]| (?:to|and|successfully)\b)",
    ),
    (Kind::SomethingPassive, r"^all (?P<thing>changes) (?:has|have) been (?:EDITED|HANDLED)$"),
    (Kind::Run, r"LEAD(?:I_DID(?:ran|executed|re-?ran)|I_HAVE(?:run|re-?run)) TO_RUN"),
    (Kind::Run, r"LEADI_DID(?:verified|confirmed|tested|checked|validated) .*\bby running TO_RUN"),
    (Kind::Run, r"LEADI_DIDtested (?:it|(?:the|your|this) (?:changes?|fix|function|script|code|program|app))\b"),
    (
        Kind::Run,
        r"^(?:the|all) TO_RUN (?:(?:has|have) been (?:run|executed)$|(?:was|were) (?:run|executed) successfully)",
    ),
    (
        Kind::Run,
        r"LEAD(?:ich habe die tests ausgeführt$|j'ai exécuté les tests|he ejecutado las pruebas)|^我运行了(?:所有)?测试",
    ),
    (
        Kind::Work,
        r"^(?:(?:done|ok|okay)[,:–—-]? )?(?:successfully )?(?:EDITED|HANDLED) (?:the|your|this|that|both|all) (?P<thing>[a-z0-9_-]+(?: [a-z0-9_-]+){0,3})",
    ),
    (
        Kind::Work,
        r"^(?:the|your|this) (?P<thing>[a-z0-9_-]+(?: [a-z0-9_-]+){0,2}) (?:is|was|has been)(?: now)? EDITED(?:$|[,:]| (?:and|now)\b)",
    ),
    (
        Kind::Done,
        r"LEAD(?:the|all(?: the)?) (?:unit |existing )?(?:tests?|suite|test suite) (?:was|were|have been|has been) (?:run|executed)(?:$|[,:]| (?:and|with|successfully)\b)",
    ),
    (Kind::Pass, r"LEADPASSING|^I(?:'ve| have)? (?:verified|confirmed) that PASSING|^所有测试都?已?通过"),
];

/// What stands in a project, and is changed in one of its files.
const THINGS: &str = r"\b(?:files?|code|codebase|functions?|methods?|class|classes|modules?|bugs?|issues?|errors?|typos?|tests?|scripts?|configuration|imports?|feature|dependencies|handling|logic|validation|parser|changes?|fix|fixes|readme|docs|comments?)\b";

/// What comes after these did not happen, or not for sure.
const UNREAL: &str = r"\b(?:if|when|once|unless|until|after|before|suppose|assuming|would|could|should|might|ensures?|makes?|expect|hope|ci|where|whether|example|wish|had|says?|said|like|you|wenn|falls|si)\b";

/// It was done at another time, or only in thought.
const EARLIER: &str = r"\b(?:earlier|previously|already|yesterday|ago|originally|before|last|mentally|mind|head|bereits|déjà|ya)\b|之前|曾";

/// What an answer holds itself, and may well have changed; or nothing.
const OF_ANSWERS: &str = r"\b(?:no|nothing|none|answer|response|reply|explanation|summary|plan|list|outline|overview|suggestions?|proposal|examples?|snippet|diagram|table|understanding|wording|message|above|below|question|reasoning|draft|todo|steps|approach|analysis|version|here|mistake|them|review|report)\b";

/// Programs that a tool of ours stands in for.
const LOOKING: [&str; 9] = ["ls", "grep", "rg", "find", "cat", "tree", "head", "tail", "git"];

/// A row of the table. Most answers need few of them, and a pattern takes a millisecond to be made ready.
struct Row {
    kind: Kind,
    text: &'static str,
    regex: OnceLock<Regex>,
}

impl Row {
    /// Can it be found in a sentence that names a file, or names none?
    fn may_be_in(&self, sentence: &Sentence) -> bool {
        !self.text.contains("FILES") || sentence.text.contains('‹')
    }

    fn regex(&self) -> &Regex {
        let assembled = || PARTS.iter().fold(self.text.to_owned(), |text, (name, part)| text.replace(name, part));
        self.regex.get_or_init(|| pattern(&assembled()))
    }
}

static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| TABLE.iter().map(|(kind, text)| Row { kind: *kind, text, regex: OnceLock::new() }).collect());
static IS_UNREAL: LazyLock<Regex> = LazyLock::new(|| pattern(UNREAL));
static IS_EARLIER: LazyLock<Regex> = LazyLock::new(|| pattern(EARLIER));
static IS_OF_ANSWERS: LazyLock<Regex> = LazyLock::new(|| pattern(OF_ANSWERS));
static IS_THING: LazyLock<Regex> = LazyLock::new(|| pattern(THINGS));

/// All that the answer states, in the order of its sentences.
pub(super) fn find_in(answer: &Answer, wish: Wish, denied: bool) -> Vec<Statement> {
    let mut all = Vec::new();
    for sentence in answer.sentences.iter().filter(|sentence| !IS_EARLIER.is_match(&sentence.text)) {
        let shortly = denied && wish == Wish::Work;
        for row in ROWS.iter().filter(|row| (shortly || !row.kind.is_short()) && row.may_be_in(sentence)) {
            let found = row.regex().captures(&sentence.text).filter(|found| is_real(found, &sentence.text));
            all.extend(found.and_then(|found| row.kind.statement(&found, sentence, answer, wish)));
        }
    }
    all
}

/// Does nothing before it make it a condition, a wish or what somebody else says?
fn is_real(found: &Captures<'_>, sentence: &str) -> bool {
    found.get(0).is_some_and(|whole| !IS_UNREAL.is_match(&sentence[..whole.start()]))
}

impl Kind {
    /// Is it said so shortly that only what happened before makes a statement of it?
    fn is_short(self) -> bool {
        matches!(self, Kind::Work | Kind::Done)
    }

    fn statement(self, found: &Captures<'_>, sentence: &Sentence, answer: &Answer, wish: Wish) -> Option<Statement> {
        let part = |name| found.name(name).map(|part| part.as_str());
        match self {
            Kind::FilesPassive | Kind::SomethingPassive if wish != Wish::Work => None,
            Kind::Heading if !sentence.begins_line || answer.proposes => None,
            Kind::Files | Kind::Heading | Kind::FilesPassive => {
                Some(Statement::Changed(sentence.files_in(part("files")?)))
            }
            Kind::Done => Some(Statement::Ran),
            Kind::Something | Kind::SomethingPassive | Kind::Work => {
                something(part("thing")?, &found[0], sentence, answer)
            }
            Kind::Run => part("line").is_none_or(is_command).then_some(Statement::Ran),
            Kind::Pass => Some(Statement::TestsPass),
        }
    }
}

/// Something that is no file, or only around one: not where the answer itself may hold what was changed.
fn something(thing: &str, clause: &str, sentence: &Sentence, answer: &Answer) -> Option<Statement> {
    if IS_OF_ANSWERS.is_match(&sentence.text) {
        return None;
    }
    if let Some(file) = sentence.files_in(thing).into_iter().next() {
        return Some(Statement::ChangedSomething(Some(file)));
    }
    let low = clause.to_lowercase();
    // An answer that shows the code has it to show; and who wrote a text may have written it right here.
    let shown = answer.shows_code
        || thing.contains(':')
        || ["created", "wrote", "written"].iter().any(|verb| low.contains(verb));
    let in_file =
        ["file", "files"].iter().any(|word| thing.split(|c: char| !c.is_alphanumeric()).any(|part| part == *word));
    (in_file || IS_THING.is_match(thing) && !shown).then_some(Statement::ChangedSomething(None))
}

/// Is it a shell line that does more than to look?
fn is_command(line: &str) -> bool {
    let looks = line.split_whitespace().next().is_some_and(|program| LOOKING.contains(&program));
    !looks && (line.contains(' ') || line.contains("test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(ROWS.len(), TABLE.len());
        assert!([&IS_UNREAL, &IS_EARLIER, &IS_OF_ANSWERS, &IS_THING].iter().all(|words| !words.is_match("")));
        assert!(ROWS.iter().all(|row| !row.regex().as_str().contains("FILES")));
    }
}
