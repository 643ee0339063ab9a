//! `jq` with a program of the filters that look at nothing but their input.

use super::Uses;
use super::options::ParsedArgs;
use crate::lists::listed;

/// Filters and words that only shape their input. What reads elsewhere (`env`, `input_filename`, `import`, `include`), never
/// ends (`repeat`, `while`) or is defined anew is not here.
const FILTERS: &str = "add all and any arrays as ascii_downcase ascii_upcase booleans capture ceil contains del delpaths elif \
    else empty end endswith error explode false first flatten floor foreach from_entries fromdate \
    fromdateiso8601 fromjson getpath group_by gsub has if implode in index indices inside isempty iterables \
    join keys keys_unsorted last leaf_paths length limit ltrimstr map map_values match max max_by min min_by \
    nan not nth null nulls numbers objects or path paths pick range recurse reduce reverse rindex round \
    rtrimstr scalars scan select setpath sort sort_by split splits sqrt startswith strings sub test then \
    to_entries toarray todate tojson tonumber tostring tostream transpose trim ltrim rtrim true try catch \
    type unique unique_by utf8bytelength values walk with_entries abs isnan ascii gmtime mktime strftime \
    strptime trimstr combinations now pow debug halt";

/// Which files a program is run over.
pub(super) fn uses(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    if given.operands.is_empty() {
        return Err("`jq` lacks its program".into());
    }
    let program = given.text(0);
    check(program).map_err(|why| format!("the `jq` program {why}"))?;
    given.files(1)
}

/// Reads the names in a program; those of fields, keys and variables are free.
fn check(program: &str) -> Result<(), String> {
    let chars: Vec<char> = program.chars().collect();
    // Each `\(` in a string opens a program of its own; the number is how many parentheses are open in it.
    let mut strings: Vec<usize> = Vec::new();
    let (mut at, mut open) = (0, 0_usize);
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '#' => return Err("holds a comment".into()),
            '"' => at = string(&chars, at, &mut strings, &mut open)?,
            '(' => open += 1,
            ')' if open == 0 => {
                let outer = strings.pop().ok_or("closes what is not open")?;
                open = outer;
                at = string(&chars, at, &mut strings, &mut open)?;
            }
            ')' => open -= 1,
            '$' => at = variable(&chars, at)?,
            '@' => at += name_at(&chars, at).len(),
            _ if c.is_ascii_alphabetic() || c == '_' => {
                let name = name_at(&chars, at - 1);
                let field = at >= 2 && chars[at - 2] == '.';
                at += name.len() - 1;
                if !field && !is_short(&name, &chars[at..]) {
                    return Err(format!("uses `{name}` in a way that may never end"));
                }
                if !field && !is_key(&chars, at - name.len(), at) && !listed(FILTERS, &name) {
                    return Err(format!("uses `{name}`, which is not among the filters that are known to only read"));
                }
            }
            _ => {}
        }
    }
    if strings.is_empty() && open == 0 { Ok(()) } else { Err("is not closed".into()) }
}

/// From inside a string to behind its end, or into a program that is put into it.
fn string(chars: &[char], mut at: usize, strings: &mut Vec<usize>, open: &mut usize) -> Result<usize, String> {
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '"' => return Ok(at),
            '\\' => {
                let escaped = chars.get(at).ok_or("ends in a string")?;
                at += 1;
                if *escaped == '(' {
                    strings.push(std::mem::take(open));
                    return Ok(at);
                }
            }
            _ => {}
        }
    }
    Err("ends in a string".into())
}

fn variable(chars: &[char], at: usize) -> Result<usize, String> {
    let name = name_at(chars, at);
    if name == "ENV" || name.starts_with("__") || name.is_empty() {
        return Err(format!("uses `${name}`, which can hold secrets"));
    }
    Ok(at + name.len())
}

fn name_at(chars: &[char], at: usize) -> String {
    chars[at..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect()
}

/// Is the name from `start` to `end` a key, as in `{name, version: 1}`?
fn is_key(chars: &[char], start: usize, end: usize) -> bool {
    let before = chars[..start].iter().rev().find(|c| !c.is_whitespace());
    let after = chars[end..].iter().find(|c| !c.is_whitespace());
    match (before, after) {
        (Some('{'), Some(':' | ',' | '}')) => true,
        (Some(','), Some(':' | ',' | '}')) => in_braces(&chars[..start]),
        _ => false,
    }
}

/// Is what was opened last a brace?
fn in_braces(before: &[char]) -> bool {
    let mut closed = 0;
    for (at, c) in before.iter().enumerate().rev() {
        match c {
            ')' | ']' | '}' => closed += 1,
            '(' | '[' | '{' if closed > 0 => closed -= 1,
            '{' => return !before.contains(&'"') && !has_keyword(&before[at..]),
            '(' | '[' => return false,
            _ => {}
        }
    }
    false
}

/// Is there a word that has commas of its own behind it?
fn has_keyword(text: &[char]) -> bool {
    let text: String = text.iter().collect();
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| ["if", "then", "elif", "else", "reduce", "foreach", "try", "catch", "as", "label"].contains(&word))
}

/// Does the filter `name` end soon with what follows it?
fn is_short(name: &str, after: &[char]) -> bool {
    let given = after.iter().find(|c| !c.is_whitespace()) == Some(&'(');
    let inside: String = after.iter().take_while(|c| **c != ')').collect();
    match name {
        "recurse" => !given,
        "range" => {
            let huge = |number: &str| {
                number.len() > 6 || number.contains(['e', 'E']) && number.starts_with(|c: char| c.is_ascii_digit())
            };
            inside.matches(';').count() < 2 && !inside.split(|c: char| !c.is_ascii_alphanumeric()).any(huge)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn programs_that_only_shape_their_input_are_proved() {
        let fine = [
            ".",
            ".name",
            ".scripts.test",
            ".[0].env",
            ".[] | .name",
            "keys",
            ".a | length",
            ".deps | to_entries[] | \"\\(.key)=\\(.value)\"",
            "{name, version}",
            "{name: .name, v: .version}",
            "map(select(.a > 1))",
            ".[\"env\"]",
            ". as $x | $x.a",
            "@csv",
            ".a // \"env\"",
            "if .a then 1 else 2 end",
            ".a?",
            "[.[] | {id, name}]",
            "to_entries | map(.key)",
            "[recurse]",
            "[range(0;10)]",
            "{a, b: 1, c}",
        ];
        for program in fine {
            assert_eq!(check(program), Ok(()), "{program}");
        }
    }

    #[test]
    fn programs_that_do_more_are_not() {
        let wrong = [
            "env",
            "env.PATH",
            "$ENV",
            "$ENV.PATH",
            "input_filename",
            "import \"a\" as a; .",
            "include \"a\"; .",
            "\"\\(env)\"",
            "\"\\(\"\\(env)\")\"",
            "[env]",
            "{a: env}",
            "repeat(1)",
            "def f: f; f",
            ". | env | .x",
            "{(env|tostring): 1}",
            ".a,env",
            "[.a,env,.b]",
            "get_search_list",
            "$__prog_args",
            "modulemeta",
            "inputs",
            "input",
            "# x\nenv",
            ".[env.A]",
            "{\"a\":1,b:[1,env,2]}",
            "\"\\(1",
            "while(true;.)",
            "until(false;.)",
            "$__loc__",
            "{a,b:1}|(1,env)",
            "[1,env:2]",
            "{a: if . then 1,env,2 else 3 end}",
            "{a: if . then 1 else 2, env:3}",
            "[range(infinite)]",
            "recurse(.)",
            "range(0;1e12)",
            "range(0;1;0)",
            "range(99999999)",
        ];
        for program in wrong {
            assert!(check(program).is_err(), "{program}");
        }
    }
}
