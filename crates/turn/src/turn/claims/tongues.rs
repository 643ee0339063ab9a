//! The plainest claims in German, French, Spanish and Chinese.

use super::prose::{Sentence, Token};
use super::{Claim, Deed, Run};

/// How a language says that something was done.
struct Tongue {
    /// `I have`.
    have: &'static [&'static str],
    /// `has been`, after the name of the file.
    been: &'static [&'static str],
    changed: &'static [&'static str],
    created: &'static [&'static str],
    deleted: &'static [&'static str],
    ran: &'static [&'static str],
    tests: &'static [&'static str],
    /// What makes a sentence no claim.
    not: &'static [&'static str],
}

const TONGUES: [Tongue; 3] = [
    Tongue {
        have: &["ich habe", "habe ich"],
        been: &["wurde", "wurde erfolgreich", "wurden"],
        changed: &[
            "geändert",
            "aktualisiert",
            "angepasst",
            "korrigiert",
            "bearbeitet",
            "behoben",
            "überarbeitet",
            "ergänzt",
        ],
        created: &["erstellt", "angelegt", "geschrieben", "hinzugefügt"],
        deleted: &["gelöscht"],
        ran: &["ausgeführt", "laufen"],
        tests: &["tests", "test", "testsuite"],
        not: &[
            "nicht", "kein", "keine", "noch", "würde", "könnte", "wenn", "falls", "bereits", "schon", "zuvor",
            "früher", "du",
        ],
    },
    Tongue {
        have: &["j'ai"],
        been: &["a été", "ont été"],
        changed: &["modifié", "corrigé", "mis", "changé", "remplacé", "réécrit", "édité"],
        created: &["créé", "ajouté", "écrit", "généré"],
        deleted: &["supprimé", "effacé"],
        ran: &["exécuté", "lancé"],
        tests: &["tests", "test"],
        not: &["pas", "ne", "si", "jamais", "déjà", "aurais", "pourrais", "par", "avant", "vous", "tu"],
    },
    Tongue {
        have: &["he"],
        been: &["ha sido", "han sido"],
        changed: &["actualizado", "modificado", "corregido", "arreglado", "cambiado", "editado", "reemplazado"],
        created: &["creado", "añadido", "agregado", "escrito", "generado"],
        deleted: &["eliminado", "borrado"],
        ran: &["ejecutado"],
        tests: &["pruebas", "tests", "test"],
        not: &["no", "si", "nunca", "ya", "habría", "podría", "por", "antes"],
    },
];

/// Signs that make a Chinese sentence no claim.
const CHINESE_NOT: [&str; 20] = [
    "没", "未", "不", "将", "会", "可以", "需要", "应该", "如果", "建议", "要是", "可能", "吗", "之前", "曾", "先前",
    "你", "您", "被", "准备",
];
const CHINESE_DONE: [(&str, Deed); 9] = [
    ("更新", Deed::Changed),
    ("修改", Deed::Changed),
    ("修复", Deed::Changed),
    ("重构", Deed::Changed),
    ("编辑", Deed::Changed),
    ("创建", Deed::Created),
    ("新建", Deed::Created),
    ("写入", Deed::Changed),
    ("删除", Deed::Deleted),
];

pub(super) fn claims(sentence: &Sentence) -> Vec<Claim> {
    let mut claims: Vec<Claim> = TONGUES.iter().filter_map(|tongue| tongue.claim(sentence)).collect();
    claims.extend(chinese(sentence));
    claims
}

impl Tongue {
    fn claim(&self, sentence: &Sentence) -> Option<Claim> {
        let tokens = &sentence.tokens;
        if sentence.planned || tokens.iter().any(|token| token.is(self.not)) {
            return None;
        }
        match self.have.iter().find(|have| begins(tokens, have)) {
            Some(have) => self.done(&tokens[have.split(' ').count()..]),
            None => self.was_done(tokens),
        }
    }

    /// After `I have`.
    fn done(&self, rest: &[Token]) -> Option<Claim> {
        if rest.iter().any(|token| token.is(self.ran)) {
            return rest.iter().any(|token| token.is(self.tests)).then_some(Claim::Ran(Run::Tests));
        }
        let deed = rest.iter().find_map(|token| self.deed(token))?;
        let files: Vec<String> = rest.iter().filter_map(Token::file).map(str::to_owned).collect();
        let at = rest.iter().position(|token| token.file().is_some())?;
        let article =
            ["die", "das", "datei", "neue", "le", "fichier", "el", "archivo", "un", "nouveau", "nuevo", "à", "jour"];
        let near = rest[..at].iter().all(|token| token.is(&article) || self.deed(token).is_some());
        Some(if near && files.len() == 1 { Claim::Files(deed, files) } else { Claim::Around(deed, files) })
    }

    /// `Die Datei a.rs wurde erstellt`, and no more.
    fn was_done(&self, tokens: &[Token]) -> Option<Claim> {
        let at = tokens.iter().position(|token| token.file().is_some()).filter(|at| *at <= 3)?;
        let article = ["die", "datei", "le", "fichier", "el", "archivo", "la"];
        let rest = &tokens[at + 1..];
        let been = self.been.iter().filter(|been| begins(rest, been)).map(|been| been.split(' ').count()).max()?;
        let deed = self.deed(rest.get(been)?)?;
        let alone = rest[been + 1..].iter().all(|token| matches!(token, Token::Mark(_)));
        let named = tokens[..at].iter().all(|token| token.is(&article) || matches!(token, Token::Mark(_)));
        (named && alone).then(|| Claim::Files(deed, tokens[at].file().map(str::to_owned).into_iter().collect()))
    }

    fn deed(&self, token: &Token) -> Option<Deed> {
        let known = [(self.changed, Deed::Changed), (self.created, Deed::Created), (self.deleted, Deed::Deleted)];
        known.into_iter().find(|(words, _)| token.is(words)).map(|(_, deed)| deed)
    }
}

fn begins(tokens: &[Token], words: &str) -> bool {
    words.split(' ').enumerate().all(|(at, word)| tokens.get(at).is_some_and(|token| token.is(&[word])))
}

fn chinese(sentence: &Sentence) -> Option<Claim> {
    let text = &sentence.text;
    if sentence.planned || CHINESE_NOT.iter().any(|sign| text.contains(sign)) {
        return None;
    }
    let done = ["已", "我", "成功"].iter().any(|sign| text.contains(sign));
    if text.contains("我") && text.contains("运行了") && text.contains("测试") {
        return Some(Claim::Ran(Run::Tests));
    }
    if ["所有测试", "测试全部", "全部测试", "测试均", "测试都"].iter().any(|sign| text.contains(sign))
        && text.contains("通过")
    {
        return Some(Claim::TestsPass);
    }
    let completed = text.contains('已') || text.contains('了');
    let deed = CHINESE_DONE.iter().find(|(verb, _)| text.contains(verb)).map(|(_, deed)| *deed)?;
    let files: Vec<String> = sentence.tokens.iter().filter_map(Token::file).map(str::to_owned).collect();
    let verb = CHINESE_DONE.iter().find(|(verb, _)| text.contains(verb))?.0;
    match files.as_slice() {
        [] => None,
        _ if !(done && completed) => None,
        [file] if is_object(text, verb, &file.to_lowercase()) => Some(Claim::Files(deed, files)),
        _ => Some(Claim::Around(deed, files)),
    }
}

/// Is the file itself what was worked on, and not something in it?
fn is_object(text: &str, verb: &str, file: &str) -> bool {
    let Some((before, after)) = text.split_once(file) else { return false };
    let after = after.trim_start_matches(['`', ' ', '*']);
    let before = before.trim_end_matches(['`', ' ', '*', '了']);
    let before = before.strip_suffix("文件").unwrap_or(before).trim_end_matches(['`', ' ', '了']);
    let inside = ["中", "里", "的", "内", "文件中", "文件里", "文件的"].iter().any(|word| after.starts_with(word));
    !inside && (before.ends_with(verb) || after.starts_with('已'))
}
