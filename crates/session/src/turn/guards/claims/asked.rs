//! What the user wanted: to know something, to get a text, to have something done, or nothing.

use super::language::{WORK, is_gerund};
use super::language::{has, names_a_file, sentences, split_words};
use super::small_talk::without_small_talk;

/// What a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Something is to be told or written in the answer itself.
    Words,
    /// Nothing: a greeting, thanks, praise.
    Nothing,
    /// Something is to be done.
    Work,
    Unclear,
}

/// What a sentence begins with that wants to know something.
const QUESTIONS: &str = "what what's whats why how how's did does do is are was were which who where when whose explain \
    summarise summarize describe tell show list have has had review compare recap give analyse analyze discuss think \
    warum wie wo wer wann wofür woher wozu welche welcher welches hast habe ist sind erkläre erklär beschreibe zeige zeig fasse \
    quoi pourquoi comment quel quelle qu'est-ce est-ce as-tu avez-vous explique résume décris montre \
    qué que cómo como por cuál explica resume muestra hiciste";

/// What a question has behind `when`, and a report of a fault does not: `When I save, it is gone.`
const AUXILIARIES: &str = "is are was were do does did will would can could should has have";

/// How somebody says that they want to know something.
const WONDERS: [&str; 5] = ["i wonder", "i'm wondering", "want to know", "like to know", "i'm curious"];

/// What a request begins with that sounds like a question.
const POLITE: &str =
    "can could would will please kannst könntest kann bitte peux-tu pouvez-vous pourrais-tu puedes podrías";

/// Of whom it is asked, behind a polite word, whether they can do something: nobody is to do it.
const OTHERS: &str = "i it this that these those there he she they my our its the a an anything everything";

/// How somebody asks for a deed in the form of a question, before its `adding` or `fixing`.
const POLITE_STARTS: [&str; 6] = [
    "would you mind ",
    "do you mind ",
    "how about ",
    "what about ",
    "thanks in advance for ",
    "thank you in advance for ",
];

/// What one does to files, and cannot be done without a change.
const CHANGE: &str = "fix add change update create write remove refactor implement make rename delete edit improve convert \
    move replace optimize optimise correct rewrite modify insert extract split port set document annotate simplify adjust \
    repair mend patch adapt extend drop reorder swap ignore skip allow accept reject raise shorten \
    ändere ändern erstelle erstellen füge behebe beheben aktualisiere aktualisieren schreibe lösche korrigiere repariere \
    ajoute ajouter corrige corriger modifie modifier crée créer supprime écris renomme \
    añade agrega arregla crea actualiza cambia modifica elimina escribe";

/// How somebody says that things are to be otherwise than they are.
const OTHERWISE: &str = "should must shall instead sollte muss stattdessen devrait doit debería debe";

/// How somebody says that something is lacking, wrong or wanted.
const LACKS: &str = "need needs want wants lacks lack missing wrong incorrect bug bugs buggy broken fails failing crashes \
    crash mistake typo please bitte fehlt falsch fehler kaputt manque faux falta";

/// The same in several words.
const WOULD_LIKE: [&str; 6] =
    ["i'd like", "i would like", "ich möchte", "ich hätte gern", "je voudrais", "me gustaría"];

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
    pub(crate) fn from_text(asked: &str) -> Self {
        let all = asked.replace('’', "'").to_lowercase();
        let low = without_limits(&all);
        let by_file = names_a_file(&low);
        // A file may be named like a text: `CHANGELOG.md`.
        let prose: Vec<&str> = low.split_whitespace().filter(|word| !names_a_file(word)).collect();
        let prose = prose.join(" ");
        let is_text =
            |text: &&str| prose.contains(*text) && (!DATA.contains(text) || (!by_file && is_written(text, &low)));
        if TEXTS.iter().any(is_text) {
            return Wish::Words;
        }
        let rest = without_small_talk(&low);
        if split_words(&rest).is_empty() {
            return if split_words(&low).is_empty() { Wish::Unclear } else { Wish::Nothing };
        }
        let sentences = sentences(&rest);
        if sentences.iter().any(|sentence| request(sentence).is_some()) {
            return Wish::Work;
        }
        let chinese_question = CHINESE_QUESTIONS.iter().any(|sign| rest.contains(sign));
        if chinese_question || sentences.iter().any(|sentence| is_question(sentence)) {
            return Wish::Words;
        }
        let wants = |word: &&str| has(WORK, word) || has(OTHERWISE, word) || has(LACKS, word);
        let works = split_words(&rest).iter().any(wants) || WOULD_LIKE.iter().any(|words| rest.contains(words));
        let chinese_work = CHINESE_WORK.iter().any(|work| rest.contains(work));
        match works || consents(&rest) || chinese_work {
            true => Wish::Work,
            false if LIMITS.iter().any(|limit| all.contains(limit)) => Wish::Words,
            false => Wish::Unclear,
        }
    }
}

/// Is it nothing but a yes? What it is said to stands before it.
pub(crate) fn consents(asked: &str) -> bool {
    let low = asked.to_lowercase();
    let words = split_words(&low);
    let orders = words.iter().any(|word| has(WORK, word));
    !orders && words.len() <= 4 && words.iter().any(|word| has(CONSENT, word))
}

/// What is not to be done is no order to do it.
const LIMITS: [&str; 7] = [
    "change nothing",
    "don't change anything",
    "do not change anything",
    "change no file",
    "without changing anything",
    "make no changes",
    "don't write anything",
];

pub(super) fn without_limits(low: &str) -> String {
    LIMITS.iter().fold(low.to_owned(), |text, limit| text.replace(limit, ""))
}

/// Is a text of this kind to be written, rather than spoken of? `Draft a letter to …`, and no `capital letters`.
fn is_written(kind: &str, low: &str) -> bool {
    let words = split_words(low);
    let of_kind = words.iter().enumerate().filter(|(_, word)| **word == kind);
    of_kind.into_iter().any(|(at, _)| words[at.saturating_sub(5)..at].iter().any(|word| has(WRITES, word)))
}

/// How somebody asks for a text.
const WRITES: &str =
    "write draft compose send reply answer formulate tell schreibe verfasse écris rédige escribe redacta";

/// Files that are to be made, as far as words tell: `write notes.md`, `a new file called a.py`.
pub(crate) fn new_files(asked: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/').to_owned();
    let tokens: Vec<String> = asked.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let is_made = |at: usize| {
        let before = tokens[..at].iter().rev().map(|word| word.to_lowercase());
        let verb = before.into_iter().take(5).find(|word| !has(BEFORE_NAMES, word));
        verb.is_some_and(|word| has(MAKES, &word))
    };
    let made = tokens.iter().enumerate().filter(|(at, word)| names_a_file(word) && is_made(*at));
    made.map(|(_, word)| word.clone()).collect()
}

/// The name that is to be another from now on, as far as words tell: `calc` in `rename the function calc in a.py to weight`. None
/// where it may be an ordinary word, or only some of its places are meant.
pub(crate) fn renamed(asked: &str) -> Option<String> {
    renaming(asked).map(|(old, _)| old)
}

/// The same, with the new name.
pub(crate) fn renaming(asked: &str) -> Option<(String, String)> {
    let tokens: Vec<&str> = asked.split_whitespace().collect();
    let low = |at: usize| tokens[at].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let from = (0..tokens.len()).find(|at| has(RENAMES, &low(*at)))?;
    let to = (from + 1..tokens.len()).find(|at| low(*at) == "to" || low(*at) == "zu")?;
    let is_some_places = (0..tokens.len()).any(|at| low(at) == "only");
    let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_owned();
    let is_name = |word: &String| {
        word.len() > 2
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !has(NO_NAMES, &word.to_lowercase())
    };
    let names: Vec<String> = tokens[from + 1..to].iter().map(bare).filter(is_name).collect();
    let new = tokens.get(to + 1).map(bare)?;
    let kinds = tokens[from..to].iter().any(|word| has(CODE, &word.to_lowercase()));
    let looks = |name: &&String| kinds || name.contains('_') || name[1..].contains(|c: char| c.is_ascii_uppercase());
    match names.as_slice() {
        [old] if !is_some_places && *old != new => Some(old).filter(looks).map(|old| (old.clone(), new)),
        _ => None,
    }
}

/// How a new name is asked for.
const RENAMES: &str = "rename benenne umbenennen renomme renombra";
/// What bears names in code.
const CODE: &str = "function method class struct variable constant field type enum module funktion methode klasse";
/// What stands between that and a name.
const NO_NAMES: &str = "the function method class struct variable constant field type enum module file from its all uses \
    everywhere with and die der das funktion methode klasse from inside called";

const MAKES: &str = "write create make new schreibe erstelle écris crée escribe crea";
/// What may stand between that and its name.
const BEFORE_NAMES: &str =
    "a an the file script module named called eine einen die das datei namens un une le la fichier archivo";

/// Does the user want something changed, beyond doubt? Whoever wants something run, looked at or thought over does not.
pub(crate) fn wants_change(asked: &str) -> bool {
    let low = without_limits(&asked.to_lowercase());
    let sentences = sentences(&low);
    let mut orders = sentences.iter().filter_map(|sentence| request(sentence));
    let changes = |sentence: &str| split_words(sentence).iter().take(4).any(|word| has(CHANGE, word));
    let wishes = |sentence: &&str| split_words(sentence).iter().any(|word| has(OTHERWISE, word));
    Wish::from_text(asked) == Wish::Work && (orders.any(changes) || sentences.iter().any(wishes))
}

/// Does the user say themself how tests went?
pub(super) fn tells_of_tests(asked: &str) -> bool {
    let low = asked.to_lowercase();
    low.contains("test") && ["pass", "green", "succe", "fail"].iter().any(|word| low.contains(word))
}

/// An order, or one in the form of a question: `can you fix it?`
fn request(sentence: &str) -> Option<&str> {
    // What is wrong may stand before it: `it does not compile, please fix it`.
    let is_polite = |clause: &&str| split_words(clause).first().is_some_and(|word| has(POLITE, word));
    let behind = sentence.split([',', ':']).skip(1).filter(is_polite);
    std::iter::once(sentence).chain(behind).find(|clause| is_order(clause))
}

fn is_order(sentence: &str) -> bool {
    let words = split_words(sentence);
    let Some((first, rest)) = words.split_first() else { return false };
    if let Some(rest) = POLITE_STARTS.iter().find_map(|start| sentence.strip_prefix(start)) {
        return rest.split_whitespace().next().is_some_and(is_gerund);
    }
    let pleads = words.iter().any(|word| matches!(*word, "please" | "bitte"));
    if matches!(*first, "can" | "could" | "will" | "would")
        && !pleads
        && rest.first().is_some_and(|word| has(OTHERS, word))
    {
        return false;
    }
    let polite = has(POLITE, first);
    let asks = rest.iter().take(3).take_while(|word| !has(WORK, word)).any(|word| has(QUESTIONS, word));
    let works = |words: &[&str]| words.iter().any(|word| has(WORK, word));
    // Whoever begs for something that is no question wants it done, whatever the verb.
    let begs = matches!(*first, "please" | "bitte") && rest.first().is_some_and(|word| !has(QUESTIONS, word));
    if polite {
        (works(rest) && !asks) || (begs && !asks && *rest.first().unwrap_or(first) != "help")
    } else {
        works(&words[..1]) && !sentence.ends_with('?')
    }
}

fn is_question(sentence: &str) -> bool {
    let (first, second) = opening(sentence);
    let begins = has(QUESTIONS, first) && (first != "when" || has(AUXILIARIES, second));
    let is_asked = |clause| matches!(opening(clause), ("what" | "why" | "how", second) if has(AUXILIARIES, second));
    let behind = sentence.split(',').skip(1).any(is_asked);
    sentence.ends_with('?') || begins || behind || WONDERS.iter().any(|words| sentence.contains(words))
}

/// The first two words of a clause that are more than a beginning.
fn opening(clause: &str) -> (&str, &str) {
    let mut words = split_words(clause).into_iter().skip_while(|word| has(BEGINNINGS, word));
    (words.next().unwrap_or_default(), words.next().unwrap_or_default())
}

/// What may stand before a question.
const BEGINNINGS: &str = "so and ok okay but please can could you hi hello hey hallo";

#[cfg(test)]
mod tests {
    use super::Wish;
    use crate::turn::guards::claims::is_remark;

    #[test]
    fn what_is_to_be_otherwise_is_a_change_and_what_is_to_be_run_is_none() {
        for asked in [
            "fix the bug",
            "Orders of 100 should get it too.",
            "Crash on that. Leave it empty instead.",
            "Fix the email in a.py.",
            "A title with capital letters still shows up as lent. Can you fix that?",
            "what is wrong with rooms.json? please repair it",
            "temps.c does not compile, please fix:\n\ntemps.c:22:8: error: have 'double(int)'; is it declared?",
        ] {
            assert!(super::wants_change(asked), "{asked}");
        }
        for asked in ["run the tests", "what should I change?", "hello", "go on", "Explain how to add one."] {
            assert!(!super::wants_change(asked), "{asked}");
        }
    }

    #[test]
    fn files_that_are_to_be_made_are_told_from_those_that_are_there() {
        let made = |asked: &str| super::new_files(asked);
        assert_eq!(made("Write endings.sh: it counts files"), ["endings.sh"]);
        assert_eq!(made("create a new file called `lib/a.py` and use it in b.py"), ["lib/a.py"]);
        for asked in ["write a test for a.py", "add --all to common.py", "write a function in a.py", "Why is a.py new?"]
        {
            assert_eq!(made(asked), Vec::<String>::new(), "{asked}");
        }
    }

    #[test]
    fn names_that_are_to_be_others_are_read_where_they_are_of_code() {
        let old = |asked: &str| super::renamed(asked);
        assert_eq!(
            old("Please rename the function calc in crates.py to net_weight, everywhere").as_deref(),
            Some("calc")
        );
        assert_eq!(old("rename `fooBar` to `baz`").as_deref(), Some("fooBar"));
        assert_eq!(old("rename the class Shop to Store in all files").as_deref(), Some("Shop"));
        for asked in [
            "rename name to title",
            "rename a.py to b.py",
            "rename the method get_it to get only in a.py",
            "rename it",
            "why was calc renamed?",
        ] {
            assert_eq!(old(asked), None, "{asked}");
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
            "A reading can have a mark. Please carry that through all commands.",
            "Fix a.py, and change nothing in b.py.",
        ] {
            assert_eq!(Wish::from_text(asked), Wish::Work, "{asked}");
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
            "draft a letter to the bank",
            "Which tax rate holds here? (Just a question, please change nothing.)",
            "was hast du geändert?",
            "translate: I updated a.rs",
            "你改了什么",
            "and the tests?",
            "tell me what changed",
            "could you show me what you changed",
            "show me how to fix it",
            "please describe the changes",
        ] {
            assert_eq!(Wish::from_text(asked), Wish::Words, "{asked}");
        }
        assert_eq!(Wish::from_text(""), Wish::Unclear);
    }

    #[test]
    fn greetings_thanks_and_praise_ask_for_nothing_and_what_stands_beside_them_counts() {
        for asked in [
            "hi",
            "Hello!",
            "hello there",
            "Good morning :)",
            "thanks, that was all",
            "Thank you so much for fixing that!",
            "Thanks for the update so far",
            "Thanks in advance for your help!",
            "Great job. Thanks for the quick update!",
            "ok thanks",
            "it works now, thanks",
            "cool",
            "no thanks",
            "Hallo, guten Morgen",
            "Danke, das war's",
            "Merci beaucoup !",
            "¡Hola! Muchas gracias.",
            "你好！谢谢。",
        ] {
            assert_eq!(Wish::from_text(asked), Wish::Nothing, "{asked}");
        }
        for asked in [
            "Hi, fix a.py",
            "Thanks, but the total is still wrong.",
            "Thanks for the fix, now add a test for it",
            "Thanks in advance for adding a --json flag",
            "Thanks now add a test for it",
            "thanks so please fix b.py",
            "Thank you so much! Also fix b.py",
            "Thank you very much fix b.py too",
            "hello, please sort the list",
            "great, go on",
            "Would you mind adding a flag?",
            "How about making it faster?",
            "Update CHANGELOG.md with what is new",
            "When I save two entries the second is missing.",
            "I'd like an option --from DATE for agenda.py",
            "Please do what it asks for",
        ] {
            assert_eq!(Wish::from_text(asked), Wish::Work, "{asked}");
        }
        for asked in [
            "Hi! How are you?",
            "hi, can you explain the update",
            "Hello, what does a.py do",
            "Can I delete a.py?",
            "Will this change break anything?",
            "In a.py, what does total do",
            "I wonder where the names are set",
            "When is the cache removed",
            "don't change anything, just say hi",
        ] {
            assert_eq!(Wish::from_text(asked), Wish::Words, "{asked}");
        }
        for asked in ["Hello, the invoice shows two lines", "nothing works", "help", "исправь ошибку"] {
            assert_eq!(Wish::from_text(asked), Wish::Unclear, "{asked}");
        }
    }

    #[test]
    fn a_yes_and_a_remark_are_told_from_words_that_stand_for_themselves() {
        assert!(["ok", "yes please", "ja, weiter"].iter().all(|asked| super::consents(asked)));
        assert!(
            !["go on", "ok, fix it", "yes, but only in the list of names"].iter().any(|asked| super::consents(asked))
        );
        assert!(["I am tired today", "nice weather, isn't it"].iter().all(|asked| is_remark(asked)));
        let tasks = [
            "darker colors in style.css",
            "исправь ошибку",
            "foo_bar twice",
            "a table of all members with their names",
        ];
        assert!(!tasks.iter().any(|asked| is_remark(asked)));
    }
}
