//! Greetings, thanks and praise, which ask for nothing, and what is too little to ask for anything.

use super::language::{WORK, is_gerund};
use super::language::{has, names_a_file, sentences, split_words};

/// Words of greetings, thanks and praise.
const SOCIAL: &str = "hi hello hey hiya howdy yo good well morning afternoon evening night bye goodbye later cheers thanks \
    thank thx ty nice great cool perfect awesome excellent wonderful amazing brilliant lovely fine super wow haha lol got that \
    that's it's works welcome hallo moin servus guten gute danke dank prima toll tschüss bald bonjour bonsoir salut merci parfait \
    revoir hola buenos buenas gracias perfecto adiós luego ciao grazie olá obrigado obrigada c'est c'était war's привет \
    здравствуйте спасибо пока 你好 您好 嗨 谢谢 谢谢你 谢谢您 多谢 再见 こんにちは ありがとう 안녕하세요 감사합니다";

/// Words beside them that ask for nothing either.
const FILLERS: &str = "there agent everyone all day to meet you see soon so very much many a lot again for now today your the \
    help time work job answer done ok okay oh ah it i is was worked mind no problem you're morgen tag abend \
    nacht vielen schön dir ihnen für die das das's war alles bis beaucoup bien tout au días tardes noches muchas por todo eso es \
    hasta mille";

/// What thanks begin with, whatever they are for.
const THANKS: &str = "thanks thank thx danke merci gracias";

/// More words than this are no mere remark.
const REMARK: usize = 6;

/// A few words that name nothing of the project: whoever wants something of it says more.
pub(crate) fn is_remark(asked: &str) -> bool {
    let is_code = |word: &str| word.contains(['_', '/', '`', '(', '<', '=']);
    let is_latin = |c: char| !c.is_alphabetic() || c < '\u{250}';
    split_words(asked).len() <= REMARK
        && asked.chars().all(is_latin)
        && !names_a_file(asked)
        && !asked.split_whitespace().any(is_code)
}

/// What is said besides greetings, thanks and praise.
pub(super) fn without_small_talk(low: &str) -> String {
    let kept = |clause| if is_small_talk(clause) { after_thanks(clause) } else { clause };
    let sentences = sentences(low).into_iter();
    sentences
        .map(|sentence| sentence.split_inclusive([',', ':']).map(kept).collect())
        .collect::<Vec<String>>()
        .join("\n")
}

fn is_small_talk(clause: &str) -> bool {
    let words = split_words(clause);
    let thanks = matches!(words[..], [first, ..] if has(THANKS, first)) && words.get(1) != Some(&"to");
    let talks =
        words.iter().any(|word| has(SOCIAL, word)) && words.iter().all(|word| has(SOCIAL, word) || has(FILLERS, word));
    (thanks || talks) && !clause.ends_with('?')
}

/// What an order may follow in the same clause as thanks.
const JOINTS: &str = "but and now also then so please aber und jetzt bitte mais maintenant pero ahora";

/// What makes `so` a part of the thanks.
const MEASURES: &str = "much very many far fast quick";

/// What may stand between thanks and an order that nothing joins to them.
const HEARTILY: &str = "you so very much a lot many again";

/// What follows thanks in the same clause: `thanks, but it still fails`, `thanks now add a test`. Nothing where it is a part of
/// them: `thank you so much for fixing that`.
fn after_thanks(clause: &str) -> &str {
    let words = split_words(clause);
    let ahead = words.windows(4).any(|four| matches!(four, ["in", "advance", "for", deed] if is_gerund(deed)));
    if ahead {
        return clause;
    }
    // The words are parts of the clause, so their place in it is known.
    let start = |word: &str| word.as_ptr() as usize - clause.as_ptr() as usize;
    let order = words.iter().skip(1).find(|word| !has(HEARTILY, word)).filter(|word| has(WORK, word));
    let joined = words.iter().enumerate().skip(1).find(|(at, word)| {
        let is_measure = **word == "so" && words.get(at + 1).is_some_and(|next| has(MEASURES, next));
        has(JOINTS, word) && !is_measure
    });
    match (order, joined) {
        (Some(order), _) => &clause[start(order)..],
        (None, Some((_, word))) if matches!(*word, "please" | "bitte") => &clause[start(word)..],
        (None, Some((_, word))) => &clause[start(word) + word.len()..],
        (None, None) => "",
    }
}
