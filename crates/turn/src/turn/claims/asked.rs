//! What the person wanted: to know something, to get a text, or to have something done.

/// What a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Something is to be told or written in the answer itself.
    Words,
    /// Something is to be done.
    Work,
    /// Nobody can tell.
    Unclear,
}

/// What a sentence begins with that wants to know something.
const QUESTIONS: &str = "what what's whats why how how's did does do is are was were which who where when whose explain \
    summarise summarize describe tell show list have has had review compare recap give analyse analyze discuss think \
    warum wie wo wer welche welcher welches hast habe ist sind erkläre erklär beschreibe zeige zeig fasse \
    quoi pourquoi comment quel quelle qu'est-ce est-ce as-tu avez-vous explique résume décris montre \
    qué que cómo como por cuál explica resume muestra hiciste";

/// What a request begins with that sounds like a question.
const POLITE: &str =
    "can could would will please kannst könntest kann bitte peux-tu pouvez-vous pourrais-tu puedes podrías";

/// What one does to files or has run.
const WORK: &str = "fix add change update create write run remove refactor implement make rename delete edit install \
    improve convert move replace optimize optimise correct build test rewrite apply modify insert extract split clean \
    format migrate port upgrade bump set generate document annotate simplify finish complete continue go do debug solve \
    resolve enable disable use put turn adjust handle support integrate wire hook \
    ändere ändern erstelle erstellen füge behebe beheben aktualisiere aktualisieren schreibe lösche korrigiere repariere \
    ajoute ajouter corrige corriger modifie modifier crée créer supprime écris renomme \
    añade agrega corrige arregla crea actualiza cambia modifica elimina escribe ejecuta";

/// What one does to files, and cannot be done without a change.
const CHANGE: &str = "fix add change update create write remove refactor implement make rename delete edit improve convert \
    move replace optimize optimise correct rewrite modify insert extract split port set document annotate simplify adjust \
    ändere ändern erstelle erstellen füge behebe beheben aktualisiere aktualisieren schreibe lösche korrigiere repariere \
    ajoute ajouter corrige corriger modifie modifier crée créer supprime écris renomme \
    añade agrega arregla crea actualiza cambia modifica elimina escribe";

/// How somebody says that things are to be otherwise than they are.
const OTHERWISE: &str = "should must shall instead sollte muss stattdessen devrait doit debería debe";

/// Words that are consent when there are few of them.
const CONSENT: &str = "yes ok okay sure please y yep go ahead continue proceed ja oui sí weiter mach";

/// Texts that speak for somebody, or of somebody.
const TEXTS: [&str; 23] = [
    "commit message",
    "changelog",
    "release note",
    "pr description",
    "pull request",
    "email",
    "e-mail",
    "letter",
    "story",
    "poem",
    "tweet",
    "slack",
    "standup",
    "stand-up",
    "status report",
    "blog",
    "translate",
    "translation",
    "übersetz",
    "tradui",
    "traduc",
    "翻译",
    "role-play",
];

/// Of these the ones that are as often a field in somebody's data.
const DATA: [&str; 4] = ["email", "e-mail", "letter", "story"];

/// Signs of a question in writing without spaces.
const CHINESE_QUESTIONS: [&str; 8] = ["什么", "为什么", "怎么", "如何", "解释", "总结", "吗", "哪"];
const CHINESE_WORK: [&str; 12] =
    ["修复", "添加", "修改", "更新", "创建", "删除", "重构", "实现", "运行", "编写", "改", "写"];

impl Wish {
    pub(crate) fn of(asked: &str) -> Self {
        let low = asked.replace('’', "'").to_lowercase();
        let by_file = names_a_file(&low);
        if TEXTS.iter().any(|text| low.contains(text) && !(by_file && DATA.contains(text))) {
            return Wish::Words;
        }
        let sentences = sentences(&low);
        if sentences.iter().any(|sentence| is_request(sentence)) {
            return Wish::Work;
        }
        let chinese_question = CHINESE_QUESTIONS.iter().any(|sign| low.contains(sign));
        if chinese_question || sentences.iter().any(|sentence| is_question(sentence)) {
            return Wish::Words;
        }
        let works = words(&low).iter().any(|word| has(WORK, word) || has(OTHERWISE, word));
        let few = words(&low).len() <= 4 && words(&low).iter().any(|word| has(CONSENT, word));
        let chinese_work = CHINESE_WORK.iter().any(|work| low.contains(work));
        if works || few || chinese_work { Wish::Work } else { Wish::Unclear }
    }
}

/// Is a file spoken of, as far as words tell?
pub(crate) fn names_a_file(asked: &str) -> bool {
    let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    asked.split_whitespace().map(plain).any(|word| {
        word.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && ending.len() <= 8 && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        })
    })
}

/// Does the person want something changed, beyond doubt? Whoever wants something run, looked at or thought over does not.
pub(crate) fn wants_change(asked: &str) -> bool {
    let low = asked.to_lowercase();
    let sentences = sentences(&low);
    let mut orders = sentences.iter().filter(|sentence| is_request(sentence));
    let changes = |sentence: &&str| words(sentence).iter().take(4).any(|word| has(CHANGE, word));
    let wishes = |sentence: &&str| words(sentence).iter().any(|word| has(OTHERWISE, word));
    Wish::of(asked) == Wish::Work && (orders.any(changes) || sentences.iter().any(wishes))
}

/// Does the person say themself how tests went?
pub(super) fn tells_of_tests(asked: &str) -> bool {
    let low = asked.to_lowercase();
    low.contains("test") && ["pass", "green", "succe", "fail"].iter().any(|word| low.contains(word))
}

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Sentences with the sign that ends them.
fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(['.', '!', '?', '\n', ';']).map(str::trim).filter(|sentence| !sentence.is_empty()).collect()
}

fn words(sentence: &str) -> Vec<&str> {
    let split = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-');
    sentence.split(split).filter(|word| !word.is_empty()).collect()
}

/// An order, or one in the form of a question: `can you fix it?`
fn is_request(sentence: &str) -> bool {
    let words = words(sentence);
    let Some((first, rest)) = words.split_first() else { return false };
    let polite = has(POLITE, first);
    let asks = rest.iter().take(3).any(|word| has(QUESTIONS, word) && !has(WORK, word));
    let works = |words: &[&str]| words.iter().any(|word| has(WORK, word));
    if polite { works(rest) && !asks } else { works(&words[..1]) && !sentence.ends_with('?') }
}

fn is_question(sentence: &str) -> bool {
    let words = words(sentence);
    let first =
        words.iter().find(|word| !matches!(**word, "so" | "and" | "ok" | "but" | "please" | "can" | "could" | "you"));
    sentence.ends_with('?') || first.is_some_and(|word| has(QUESTIONS, word))
}

#[cfg(test)]
mod tests {
    use super::Wish;

    #[test]
    fn what_is_to_be_otherwise_is_a_change_and_what_is_to_be_run_is_none() {
        for asked in [
            "fix the bug",
            "Orders of 100 should get it too.",
            "Crash on that. Leave it empty instead.",
            "Fix the email in a.py.",
        ] {
            assert!(super::wants_change(asked), "{asked}");
        }
        for asked in ["run the tests", "what should I change?", "hello", "go on", "Explain how to add one."] {
            assert!(!super::wants_change(asked), "{asked}");
        }
    }

    #[test]
    fn orders_are_told_from_questions() {
        for asked in [
            "fix the bug",
            "can you fix the bug?",
            "Please add a test.",
            "Could you please update a.rs?",
            "go on",
            "yes",
            "What's wrong here? Fix it.",
            "I want you to add tests",
            "the parser should handle tabs, make it so",
            "kannst du das ändern?",
            "把 a.rs 更新一下",
            "ok go ahead",
        ] {
            assert_eq!(Wish::of(asked), Wish::Work, "{asked}");
        }
        for asked in [
            "what did you change?",
            "why?",
            "explain a.rs",
            "Can you explain how the update works?",
            "summarise it",
            "did you run the tests?",
            "How do I add a test?",
            "is it fixed?",
            "write a commit message for this",
            "was hast du geändert?",
            "translate: I updated a.rs",
            "你改了什么",
            "and the tests?",
            "tell me what changed",
            "could you show me what you changed",
            "show me how to fix it",
            "please describe the changes",
        ] {
            assert_eq!(Wish::of(asked), Wish::Words, "{asked}");
        }
        assert_eq!([Wish::of(""), Wish::of("hello there")], [Wish::Unclear; 2]);
    }
}
