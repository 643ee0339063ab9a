//! The verbs of what one has done.

use super::language::has;

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
