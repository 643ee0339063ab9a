//! Modules of a crate that name one another in a circle.
//!
//! Read from the text: what `use` and paths name, followed through re-exports to where it stands. That a module names the one
//! it is a part of makes no circle: the part belongs to it.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The path of a module in its crate: `["judge", "looking"]`; of the crate itself nothing.
type Module = Vec<String>;

/// What is named: a path from the crate on.
type Named = Vec<String>;

static USE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(pub(?:\([^)]*\))? )?use ([^;]*);").expect("a pattern"));
static LONG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b((?:crate|super|self)(?:::\w+)+)").expect("a pattern"));
static SHORT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"([\w:.]?)\b([a-z_]\w*)::(\w+)").expect("a pattern"));
static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?s)//[^\n]*|"(?:\\.|[^"\\])*"|#\[cfg\(test\)\]\nmod tests \{.*"#).expect("a pattern")
});

/// The circles among the modules of one crate, whose files come by their paths below `src`.
pub(crate) fn circles(files: &BTreeMap<String, String>) -> Vec<String> {
    let sources: BTreeMap<Module, String> = files
        .iter()
        .filter(|(path, _)| !path.split('/').any(|part| part == "tests" || part == "tests.rs"))
        .map(|(path, text)| (module(path), NOISE.replace_all(text, " ").into_owned()))
        .collect();
    let house = House::new(&sources);
    let edges: BTreeMap<&Module, BTreeSet<Module>> =
        sources.iter().map(|(module, text)| (module, house.named_by(module, text))).collect();
    let reach: BTreeMap<&Module, BTreeSet<Module>> =
        sources.keys().map(|module| (module, reached(module, &edges))).collect();
    let in_circle = sources.keys().filter(|module| reach[module].contains(*module));
    let together = |one: &Module| -> String {
        let all = reach[one].iter().filter(|other| reach[other].contains(one));
        all.map(|module| module.join("::")).collect::<Vec<_>>().join(", ")
    };
    in_circle.map(together).collect::<BTreeSet<_>>().into_iter().collect()
}

/// All that can be reached from `module`.
fn reached(module: &Module, edges: &BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![module.clone()]);
    while let Some(next) = open.pop() {
        for to in edges.get(&next).into_iter().flatten() {
            if reached.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    reached
}

/// `judge/looking.rs` is `judge::looking`.
fn module(path: &str) -> Module {
    let mut parts: Module = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib" || last == "main") {
        parts.pop();
    }
    parts
}

/// The modules of a crate, and what each gives on from elsewhere.
struct House<'a> {
    modules: BTreeSet<&'a Module>,
    given_on: BTreeMap<&'a Module, BTreeMap<String, Named>>,
}

impl<'a> House<'a> {
    fn new(sources: &'a BTreeMap<Module, String>) -> Self {
        let mut house = House { modules: sources.keys().collect(), given_on: BTreeMap::new() };
        for (module, text) in sources {
            for found in USE.captures_iter(text).filter(|found| found.get(1).is_some()) {
                for path in spread(Vec::new(), &found[2]) {
                    let name = path.last().cloned().unwrap_or_default();
                    if let Some(named) = house.whole_path(module, path) {
                        house.given_on.entry(module).or_default().insert(name, named);
                    }
                }
            }
        }
        house
    }

    /// The modules whose things `module` names, but for those it is a part of.
    fn named_by(&self, module: &Module, text: &str) -> BTreeSet<Module> {
        let mut named = Vec::new();
        for found in USE.captures_iter(text).filter(|found| found.get(1).is_none()) {
            let paths = spread(Vec::new(), &found[2]).into_iter();
            named.extend(paths.filter_map(|path| self.whole_path(module, path)));
        }
        let rest = USE.replace_all(text, " ");
        for found in LONG.captures_iter(&rest) {
            let path = found[1].split("::").map(str::to_owned).collect();
            named.extend(self.whole_path(module, path));
        }
        let known: BTreeMap<String, Named> = named
            .iter()
            .filter(|path| self.modules.contains(path))
            .filter_map(|path| Some((path.last()?.clone(), path.clone())))
            .collect();
        for found in SHORT.captures_iter(&rest).filter(|found| found[1].is_empty() || found[1].trim().is_empty()) {
            let part = [module.as_slice(), &[found[2].to_owned()]].concat();
            let base = known.get(&found[2]).cloned().or_else(|| self.modules.contains(&part).then_some(part));
            named.extend(base.map(|base| [base, vec![found[3].to_owned()]].concat()));
        }
        named.retain(|path| !self.modules.contains(path));
        let places = named.into_iter().filter_map(|path| self.place(path, 0));
        places.filter(|place| place != module && !module.starts_with(place)).collect()
    }

    /// `path`, as it stands in `module`, from the crate on; `None` for what is another crate's.
    fn whole_path(&self, module: &Module, path: Named) -> Option<Named> {
        let first = path.first()?.as_str();
        match first {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module.as_slice(), &path[1..]].concat()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let base = module.get(..module.len().checked_sub(ups)?)?;
                Some([base, &path[ups..]].concat())
            }
            first => {
                let part = [module.as_slice(), &[first.to_owned()]].concat();
                self.modules.contains(&part).then(|| [module.as_slice(), &path].concat())
            }
        }
    }

    /// The module in which the thing at `path` really stands.
    fn place(&self, path: Named, steps: usize) -> Option<Module> {
        if steps > 8 {
            return None;
        }
        let length = (0..=path.len()).rev().find(|length| self.modules.contains(&path[..*length].to_vec()))?;
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        let given = rest.first().and_then(|name| self.given_on.get(&module)?.get(name)).filter(|given| **given != path);
        match given {
            Some(given) => self.place([given.as_slice(), &rest[1..]].concat(), steps + 1),
            None => Some(module),
        }
    }
}

/// The paths of a tree of names, as it stands after `use`.
fn spread(before: Named, tree: &str) -> Vec<Named> {
    let parts =
        |text: &str| text.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let Some((head, list)) = tree.split_once('{') else {
        let path: Named = parts(tree.split(" as ").next().unwrap_or(tree));
        return vec![[before, path].concat()];
    };
    let head: Named = [before, parts(head)].concat();
    let list = list.trim_end().trim_end_matches('}');
    let (mut found, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, letter) in list.char_indices().chain([(list.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let one = list[from..at].trim();
                from = (at + 1).min(list.len());
                if !one.is_empty() {
                    found.extend(spread(head.clone(), one));
                }
            }
            _ => {}
        }
    }
    found
}
