//! Within a word: quotes, the home, variables, substitutions.

use super::Item;
use super::text::{DEEPEST, ScriptReader, read_at};

/// The path in `:-/` and the like, where nothing in it is expanded again.
fn default(rest: &str) -> Option<&str> {
    let default = rest.strip_prefix(":-").or_else(|| rest.strip_prefix(":=")).or_else(|| rest.strip_prefix('-'))?;
    (default.starts_with('/') && default.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)))
        .then_some(default)
}

impl ScriptReader<'_> {
    pub(super) fn single(&mut self) {
        self.draft().quoted = true;
        while let Some(character) = self.peek(0) {
            self.at += 1;
            if character == '\'' {
                return;
            }
            self.draft().literal(character);
        }
    }

    pub(super) fn double(&mut self) {
        self.draft().quoted = true;
        while let Some(character) = self.peek(0) {
            self.at += 1;
            match (character, self.peek(0)) {
                ('"', _) => return,
                ('\\', Some('\n')) => self.at += 1,
                ('\\', Some(next @ ('$' | '`' | '"' | '\\'))) => {
                    self.at += 1;
                    self.draft().literal(next);
                }
                ('$', _) => self.dollar(true),
                ('`', _) => self.backtick(),
                _ => self.draft().literal(character),
            }
        }
    }

    pub(super) fn tilde(&mut self) {
        let name: String = self.text[self.at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
        let after = self.peek(name.chars().count());
        let ends = after.is_none_or(|after| " \t\r\n;|&<>()/:\"'".contains(after));
        let home = self.variables.get("HOME").cloned();
        let value = match (name.as_str(), after) {
            ("", Some('+')) => {
                self.at += 1;
                self.variables.get("PWD").cloned()
            }
            ("", _) if ends => home,
            ("root", _) if ends => Some("/root".into()),
            (name, _) if ends && !name.is_empty() => {
                let own = home.filter(|home| home.rsplit('/').next() == Some(name));
                Some(own.unwrap_or_else(|| format!("/home/{name}")))
            }
            _ => None,
        };
        match value {
            Some(value) => {
                self.at += name.chars().count();
                self.draft().literals(&value);
            }
            None => self.draft().literal('~'),
        }
    }

    /// After a `$`.
    pub(super) fn dollar(&mut self, quoted: bool) {
        match self.peek(0) {
            Some('(') => {
                let inner = self.enclosed('(', ')');
                self.substitute(&inner);
            }
            Some('{') => {
                let inner = self.enclosed('{', '}');
                let name: String = inner.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let rest = &inner[name.len()..];
                match default(rest) {
                    // Where it is not known, it is likely not set.
                    Some(default) if !self.variables.contains_key(&name) => self.draft().literals(default),
                    Some(_) | None => self.variable(&name, quoted),
                }
                if rest.contains("$(") || rest.contains('`') {
                    self.look_into(rest);
                }
            }
            Some('\'') if !quoted => {
                self.at += 1;
                self.coded();
            }
            Some('"') if !quoted => {}
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                let name: String =
                    self.text[self.at..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect();
                self.at += name.len();
                self.variable(&name, quoted);
            }
            Some(_) | None => {
                self.draft().literal('$');
                self.draft().word.unknown = true;
            }
        }
    }

    pub(super) fn variable(&mut self, name: &str, quoted: bool) {
        if name == "IFS" && !quoted {
            return self.end_word();
        }
        match self.variables.get(name).cloned() {
            Some(value) => self.draft().literals(&value),
            None => {
                let draft = self.draft();
                draft.literals(&format!("${name}"));
                draft.word.unknown = true;
            }
        }
    }

    /// `$'…'`.
    pub(super) fn coded(&mut self) {
        self.draft().quoted = true;
        while let Some(character) = self.peek(0) {
            self.at += 1;
            match character {
                '\'' => return,
                '\\' => {
                    let coded = self.escape();
                    self.draft().literal(coded);
                }
                _ => self.draft().literal(character),
            }
        }
    }

    pub(super) fn escape(&mut self) -> char {
        let Some(kind) = self.peek(0) else { return '\\' };
        let (skip, radix, most) = match kind {
            'x' => (1, 16, 2),
            'u' => (1, 16, 4),
            'U' => (1, 16, 8),
            '0'..='7' => (0, 8, 3),
            _ => {
                self.at += 1;
                return match kind {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                };
            }
        };
        self.at += skip;
        let digits: String = self.text[self.at..].iter().take(most).take_while(|c| c.is_digit(radix)).collect();
        self.at += digits.len();
        u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
    }

    /// What stands between the bracket here and the one that closes it, quotes minded.
    pub(super) fn enclosed(&mut self, open: char, close: char) -> String {
        let from = self.at + 1;
        let (mut deep, mut quote) = (0usize, None);
        while let Some(character) = self.peek(0) {
            self.at += 1;
            match (character, quote) {
                ('\\', None | Some('"')) => self.at += 1,
                ('\'' | '"', None) => quote = Some(character),
                (_, Some(mark)) if mark == character => quote = None,
                (_, Some(_)) => {}
                (_, None) if character == open => deep += 1,
                (_, None) if character == close => {
                    deep -= 1;
                    if deep == 0 {
                        return self.text[from..self.at - 1].iter().collect();
                    }
                }
                (_, None) => {}
            }
        }
        self.at = self.text.len();
        self.text.get(from..).unwrap_or_default().iter().collect()
    }

    pub(super) fn backtick(&mut self) {
        let mut inner = String::new();
        while let Some(character) = self.peek(0) {
            self.at += 1;
            match (character, self.peek(0)) {
                ('`', _) => break,
                ('\\', Some(next @ ('`' | '\\' | '$'))) => {
                    self.at += 1;
                    inner.push(next);
                }
                _ => inner.push(character),
            }
        }
        self.substitute(&inner);
    }

    /// `$(inner)`: its programs are programs of this script; of its value only that of `pwd` is known.
    pub(super) fn substitute(&mut self, inner: &str) {
        let folder = (inner.trim() == "pwd").then(|| self.variables.get("PWD").cloned()).flatten();
        match folder {
            Some(folder) => self.draft().literals(&folder),
            None => {
                let draft = self.draft();
                draft.literals(&format!("$({inner})"));
                draft.word.unknown = true;
            }
        }
        self.look_into(inner);
    }

    pub(super) fn look_into(&mut self, inner: &str) {
        if self.depth < DEEPEST {
            self.items.push(Item::Open);
            let items = read_at(inner, &mut self.variables.clone(), self.depth + 1);
            self.items.extend(items);
            self.items.push(Item::Close);
        }
    }
}
