//! Takes what people say apart: sentences, words, names of files, and the verbs of work.

/// Is the word one of this list?
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Sentences with the sign that ends them. A dot within a word, as names of files have one, ends none.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let before_space = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        if matches!(letter, '!' | '?' | '\n' | ';') || (letter == '.' && before_space) {
            found.push(&text[from..at + letter.len_utf8()]);
            from = at + letter.len_utf8();
        }
    }
    found.push(&text[from..]);
    found.into_iter().map(str::trim).filter(|sentence| !sentence.is_empty()).collect()
}

/// The words of a sentence.
pub(super) fn split_words(sentence: &str) -> Vec<&str> {
    let split = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-');
    sentence.split(split).filter(|word| !word.is_empty()).collect()
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

/// What one does to files or has run.
pub(super) const WORK: &str = "fix add change update create write run remove refactor implement make rename delete edit install \
    improve convert move replace optimize optimise correct build test rewrite apply modify insert extract split clean \
    format migrate port upgrade bump set generate document annotate simplify finish complete continue go do debug solve \
    resolve enable disable use put turn adjust handle support integrate wire hook repair mend patch adapt extend drop sort \
    reorder swap round ignore skip allow accept reject raise shorten validate \
    ändere ändern erstelle erstellen füge behebe beheben aktualisiere aktualisieren schreibe lösche korrigiere repariere \
    ajoute ajouter corrige corriger modifie modifier crée créer supprime écris renomme \
    añade agrega corrige arregla crea actualiza cambia modifica elimina escribe ejecuta";

/// `adding`, `making`, `running`.
pub(super) fn is_gerund(word: &str) -> bool {
    let Some(stem) = word.strip_suffix("ing") else { return false };
    let mut letters = stem.chars().rev();
    let is_doubled = letters.next().is_some_and(|last| letters.next() == Some(last));
    has(WORK, stem) || has(WORK, &format!("{stem}e")) || (is_doubled && has(WORK, &stem[..stem.len() - 1]))
}
