//! Claims of edits, in English: `I've updated a.rs`, `The file a.rs has been created`, `Updated a.rs:`.

use super::asked::Wish;
use super::prose::{Answer, Sentence, Token};
use super::{Claim, Deed};

const CHANGED: &str = "updated modified changed edited fixed refactored rewrote rewritten adjusted corrected patched implemented \
    improved extended simplified optimized optimised resolved converted formatted reformatted restructured \
    reworked appended migrated overwrote overwritten";
const CREATED: &str = "created wrote written generated saved";
const DELETED: &str = "deleted";
/// What is done with a thing that is named, which need not be the file that changes.
const HANDLED: &str = "added inserted removed applied renamed moved replaced made";

/// May stand between who did it and what they did.
const BETWEEN: &str = "have now also just then successfully gone went ahead and finally carefully additionally therefore thus \
    further";

/// A clause may begin after these.
const JOINTS: &str = "and so then now done sure okay ok yes also finally additionally first second third next lastly great alright \
    certainly requested asked thus therefore but";

/// What comes after these did not happen, or not for sure.
const UNREAL: &str = "if when once unless until suppose assuming imagine would could should might pretend whenever where example \
    instance wish hypothetically had say says said like";

/// It was done at another time.
const EARLIER: &str = "earlier previously already yesterday ago originally before last";

/// May stand between what was done and the file it was done to.
const BEFORE_FILE: &str = "the a an new file files my your our this existing called named following both script module two three empty \
    simple basic source also successfully main header config configuration component test";

/// What may follow a file that was changed itself, and not only something about it.
const AFTER_FILE: &str = "to so with by that which and as for accordingly successfully according using now based per because since but \
    containing including too where";
const AFTER_HANDLED: &str = "with that which containing and";

/// `added … to a.rs` changes the file, but not after these.
const LEADS_ELSEWHERE: &str = "reference references link links path pointer import mention support access call calls redirect dependency \
    relative similar next equivalent up ability need needed how used compared due according want related \
    references alias fallback export";
const EDITS: &str = "changes change edits edit modifications updates adjustments improvements fixes fix";

/// Things in a project.
const THINGS: &str = "file files code codebase function functions method methods class classes module modules bug bugs issue \
    issues error errors typo typos test tests script scripts config configuration implementation import imports \
    component endpoint feature dependency dependencies handler handling logic validation parser project change \
    changes fix fixes edits modifications readme documentation docs docstring docstrings comments variable \
    constant struct enum loop check route schema migration styles template";

/// What an answer holds itself, and may well have changed.
const OF_ANSWERS: &str = "answer response reply explanation summary plan list outline overview suggestion suggestions proposal \
    recommendation example examples snippet diagram table mind understanding wording message above below \
    question assumption reasoning thoughts draft todo steps approach analysis version here mistake them review \
    report issue's";

/// Who did it, where somebody else did, or it came about over time.
const BY_OTHERS: &str = "by from in since several multiple many at on over upstream there as";

const COPULAS: &[(&str, &str)] = &[("has", "been"), ("have", "been")];

/// Words that make a subject more than a plain name.
const NO_SUBJECT: &str = "i you we that which what how why because see shows means whether after it confirm verify check ensure make \
    not no nothing none never any they may must";

pub(super) fn claims(sentence: &Sentence, answer: &Answer, wish: Wish) -> Vec<Claim> {
    if sentence.planned || sentence.tokens.iter().any(|token| token.among(EARLIER)) {
        return Vec::new();
    }
    let mut claims = first_person(sentence, answer);
    if claims.is_empty() {
        claims.extend(passive(sentence, answer, wish));
    }
    if claims.is_empty() && wish != Wish::Words {
        claims.extend(elliptic(sentence, answer));
    }
    claims
}

fn deed(token: &Token) -> Option<Deed> {
    let known =
        [(CHANGED, Deed::Changed), (CREATED, Deed::Created), (DELETED, Deed::Deleted), (HANDLED, Deed::Changed)];
    known.into_iter().find(|(words, _)| token.among(words)).map(|(_, deed)| deed)
}

/// `I've updated …`
fn first_person(sentence: &Sentence, answer: &Answer) -> Vec<Claim> {
    let tokens = &sentence.tokens;
    let mut claims = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let begins = at == 0 || is_joint(&tokens[at - 1]);
        if !begins || !tokens[at].is(&["i", "i've", "ive"]) || tokens[..at].iter().any(|token| token.among(UNREAL)) {
            at += 1;
            continue;
        }
        at += 1 + tokens[at + 1..].iter().take_while(|token| token.among(BETWEEN)).count();
        if tokens.get(at).and_then(deed).is_some() {
            claims.extend(done(tokens, at, sentence, answer));
            claims.extend(more(tokens, at));
        }
    }
    claims
}

fn is_joint(token: &Token) -> bool {
    match token {
        Token::Mark(mark) => !matches!(mark, '(' | '['),
        Token::Word(_) => token.among(JOINTS),
        Token::File(_) | Token::Code(_) => false,
    }
}

/// What else the same one did: `… and updated a.rs`. Only where the file is named at once.
fn more(tokens: &[Token], from: usize) -> Vec<Claim> {
    let follows = |at: usize| tokens[at - 1].is(&["and", "then", "also"]) || tokens[at - 1] == Token::Mark(',');
    let verbs = (from + 1..tokens.len()).filter(|at| follows(*at) && deed(&tokens[*at]).is_some());
    verbs.filter_map(|at| files(tokens, at)).collect()
}

/// What the verb at `at` says was done.
fn done(tokens: &[Token], at: usize, sentence: &Sentence, answer: &Answer) -> Option<Claim> {
    if let Some(claim) = files(tokens, at) {
        return Some(claim);
    }
    let rest = &tokens[at + 1..];
    let around: Vec<String> = rest.iter().filter_map(Token::file).map(str::to_owned).collect();
    if rest.iter().any(|token| token.among(OF_ANSWERS)) {
        return None;
    }
    if !around.is_empty() {
        return Some(Claim::Around(deed(&tokens[at])?, around));
    }
    something(rest, &tokens[at], sentence, answer)
}

/// The files that are named right after the verb at `at`.
fn files(tokens: &[Token], at: usize) -> Option<Claim> {
    let deed = deed(&tokens[at])?;
    let rest = &tokens[at + 1..];
    let (files, after) = listed(rest);
    let handled = tokens[at].among(HANDLED);
    if !files.is_empty() {
        let fits = match rest.get(after) {
            None | Some(Token::Mark(_)) => true,
            Some(next) => next.among(if handled { AFTER_HANDLED } else { AFTER_FILE }),
        };
        // `removed a.h` may be a line in another file; `renamed a.rs to b.rs` is told by either.
        let sure = !handled || tokens[at].is(&["added"]);
        let deed = if handled { Deed::Created } else { deed };
        return (fits && sure).then_some(Claim::Files(deed, files));
    }
    into_file(&tokens[at], rest).map(|file| Claim::Files(Deed::Changed, vec![file]))
}

/// The names at the beginning of `rest`, and where they end.
fn listed(rest: &[Token]) -> (Vec<String>, usize) {
    let (mut files, mut end) = (Vec::new(), 0);
    for (at, token) in rest.iter().enumerate() {
        match token {
            Token::File(name) => {
                files.push(name.clone());
                end = at + 1;
            }
            Token::Mark('(' | '[' | ']' | ')') => {}
            Token::Mark(':') if at == 0 => {}
            Token::Mark(',' | '&') if !files.is_empty() => {}
            Token::Word(_) if token.among(BEFORE_FILE) => {}
            Token::Word(_) if token.is(&["and"]) && !files.is_empty() => {}
            Token::Word(_) | Token::Code(_) | Token::Mark(_) => break,
        }
    }
    (files, end)
}

/// `added a test to a.rs`, `made the changes in a.rs`: the one file of the sentence, where it is certain.
fn into_file(verb: &Token, rest: &[Token]) -> Option<String> {
    let (at, file) = rest.iter().enumerate().find_map(|(at, token)| Some((at, token.file()?)))?;
    if rest[at + 1..].iter().any(|token| token.file().is_some()) {
        return None;
    }
    let fits = match rest.get(at + 1) {
        None => true,
        Some(Token::Mark(_)) => true,
        Some(next) => next.is(&["so", "that", "which", "and", "as", "successfully", "accordingly", "too"]),
    };
    let leads = rest[..at].iter().rposition(|token| !token.among(BEFORE_FILE))?;
    let thing = rest[..leads].last()?;
    let certain = if verb.is(&["made", "applied"]) {
        rest[leads].is(&["to", "in"]) && thing.among(EDITS)
    } else {
        verb.is(&["added", "inserted", "appended"])
            && rest[leads].is(&["to", "into"])
            && !rest[..leads].iter().any(|token| token.among(LEADS_ELSEWHERE))
    };
    (fits && certain).then(|| file.to_owned())
}

/// A thing in the project, which no file is named of.
fn something(rest: &[Token], verb: &Token, sentence: &Sentence, answer: &Answer) -> Option<Claim> {
    let in_files = rest.iter().any(|token| token.is(&["file", "files"]));
    let is_thing = rest.iter().any(|token| token.among(THINGS));
    // An answer that shows the code has it to show; and who wrote a text may have written it right here.
    let shows = answer.shows_code || rest.contains(&Token::Mark(':')) || verb.among(CREATED);
    let whole = !sentence.tokens.iter().any(|token| token.among(OF_ANSWERS));
    (whole && (in_files || is_thing && !shows)).then_some(Claim::Something)
}

/// `The file a.rs has been updated`, `The bug has been fixed`.
fn passive(sentence: &Sentence, answer: &Answer, wish: Wish) -> Option<Claim> {
    let tokens = &sentence.tokens;
    let begin = tokens.iter().position(|token| !matches!(token, Token::Mark(_)) && !token.among(JOINTS))?;
    let verb = (begin + 2..tokens.len()).find(|at| deed(&tokens[*at]).is_some())?;
    let adverb = |token: &Token| token.is(&["successfully", "now", "also"]);
    let aux = (begin..verb).rev().find(|at| !adverb(&tokens[*at]))?;
    let perfect =
        aux > begin && COPULAS.iter().any(|(has, been)| tokens[aux].is(&[been]) && tokens[aux - 1].is(&[has]));
    let is_past = tokens[aux].is(&["was", "were"]);
    let subject = &tokens[begin..if perfect { aux - 1 } else { aux }];
    let subject = match subject {
        [rest @ .., last] if adverb(last) => rest,
        all => all,
    };
    if !(perfect || is_past)
        || subject.len() > 8
        || subject.iter().any(|token| token.among(NO_SUBJECT) || token.among(UNREAL))
    {
        return None;
    }
    let tail = &tokens[verb + 1..];
    let alone = tail.iter().all(|token| matches!(token, Token::Mark(_)) || token.is(&["successfully", "accordingly"]));
    let by_others =
        tail.first().is_some_and(|next| next.among(BY_OTHERS)) || tail.iter().any(|token| token.is(&["by"]));
    // `was` also tells how something came about.
    if by_others || wish != Wish::Work && is_past || is_past && !alone {
        return None;
    }
    let (files, end) = listed(subject);
    if !files.is_empty() && end == subject.len() {
        return Some(Claim::Files(deed(&tokens[verb])?, files));
    }
    let determined = subject.first().is_some_and(|first| first.is(&["the", "your", "all", "both"]));
    if wish != Wish::Work || !determined || subject.iter().any(is_more) {
        return None;
    }
    something(subject, &tokens[verb], sentence, answer)
}

/// In the subject of a passive sentence: it may be about any code there is.
fn is_more(token: &Token) -> bool {
    token.among(OF_ANSWERS) || matches!(token, Token::File(_) | Token::Code(_))
}

/// `Updated a.rs:`, `✅ Created foo.py`
fn elliptic(sentence: &Sentence, answer: &Answer) -> Option<Claim> {
    let tokens = &sentence.tokens;
    let begin = tokens.iter().position(|token| !matches!(token, Token::Mark(_)) && !is_number(token))?;
    let verb = begin + tokens[begin..].iter().take_while(|token| token.is(&["successfully"])).count();
    let ends_open = tokens.last() == Some(&Token::Mark(':'));
    if !sentence.begins_line || tokens.get(verb).is_none() || answer.proposes && ends_open {
        return None;
    }
    match files(tokens, verb)? {
        // `Added in 2.0: a.rs` and the like are told by others.
        Claim::Files(deed, files) if !tokens[verb].is(&["made", "applied"]) => Some(Claim::Files(deed, files)),
        _ => None,
    }
}

fn is_number(token: &Token) -> bool {
    token.word().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()))
}
