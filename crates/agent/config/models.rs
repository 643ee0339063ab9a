//! What is known of families of models: `models.toml`, the built-in one and the user's.

use super::file::{line, located};
use super::nearest::nearest;
use super::options::{refused_for_models, take_reply};
use agent_dialects::Form;
use agent_protocol::{LeverChanges, Think, ToolsBy};
use agent_session::{Family, ModelSize};
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Models {
    #[serde(default)]
    family: Vec<Entry>,
    #[serde(default)]
    size: Vec<SizeEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SizeEntry {
    below: Option<Spanned<f64>>,
    form: Option<SizeForm>,
    #[serde(default)]
    harness: LeverChanges,
}

/// `size.form`
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum SizeForm {
    Calls,
    Text,
    Files,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(rename = "match")]
    matches: Spanned<Vec<String>>,
    calls: Spanned<String>,
    #[serde(default)]
    starts_in_reasoning: bool,
    options: Option<Spanned<Map<String, Value>>>,
    options_direct: Option<Spanned<Map<String, Value>>>,
    think: Option<Think>,
    think_off: Option<ThinkOff>,
    #[serde(default)]
    harness: LeverChanges,
}

/// `family.think_off`
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ThinkOff {
    Never,
    /// The same, and they know steps of which that is the least.
    Low,
}

/// Reads one file. The error begins with the line and names the nearest valid word.
pub(super) fn parse(text: &str) -> Result<(Vec<Family>, Vec<ModelSize>), String> {
    let models: Models = toml::from_str(text).map_err(|error| located(text, &error))?;
    let families: Result<Vec<Family>, String> = models.family.into_iter().map(|entry| family(text, entry)).collect();
    let sizes: Result<Vec<ModelSize>, String> = models.size.into_iter().map(|entry| size(text, entry)).collect();
    Ok((families?, sizes?))
}

fn size(text: &str, entry: SizeEntry) -> Result<ModelSize, String> {
    if let Some(below) = entry.below.as_ref().filter(|it| !it.get_ref().is_finite() || *it.get_ref() <= 0.0) {
        let at = line(text, below.span().start);
        return Err(format!("{at}: below: is a number of billions of parameters, like 2.0"));
    }
    let form = entry.form.map(|form| match form {
        SizeForm::Calls => ToolsBy::Server,
        SizeForm::Text => ToolsBy::Text,
        SizeForm::Files => ToolsBy::Files,
    });
    Ok(ModelSize { below: entry.below.map(Spanned::into_inner), form, levers: entry.harness })
}

fn family(text: &str, entry: Entry) -> Result<Family, String> {
    let at = line(text, entry.matches.span().start);
    let matches = entry.matches.into_inner();
    if matches.is_empty() || matches.iter().any(|start| start.trim().is_empty()) {
        return Err(format!("{at}: match: names at least one beginning of a model's name, and no empty one"));
    }
    let at = line(text, entry.calls.span().start);
    let form =
        Form::by_name(entry.calls.get_ref()).ok_or_else(|| format!("{at}: {}", no_form(entry.calls.get_ref())))?;
    let mut options = entry.options.map(|options| writing(text, options)).transpose()?.unwrap_or_default();
    let max_reply_tokens = take_reply(&mut options);
    let options_direct = entry.options_direct.map(|options| writing(text, options)).transpose()?;
    Ok(Family {
        matches,
        form,
        starts_in_reasoning: entry.starts_in_reasoning,
        options,
        options_direct,
        never_off: entry.think_off.is_some(),
        least_think: match entry.think_off {
            Some(ThinkOff::Low) => Some(Think::Low),
            Some(ThinkOff::Never) | None => None,
        },
        max_reply_tokens,
        think: entry.think,
        levers: entry.harness,
    })
}

/// Options that change how replies are written. Any other would have the model loaded again with each change of model.
fn writing(text: &str, options: Spanned<Map<String, Value>>) -> Result<Map<String, Value>, String> {
    let at = line(text, options.span().start);
    let options = options.into_inner();
    match options.keys().find_map(|name| refused_for_models(name)) {
        Some(why) => Err(format!("{at}: options: {why}")),
        None => Ok(options),
    }
}

fn no_form(wrong: &str) -> String {
    let names: Vec<&str> = Form::names().collect();
    let near = nearest(wrong, &names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    format!("calls: there is no form `{wrong}`, only {}{near}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        parse(text).map(|_| ()).unwrap_err()
    }

    #[test]
    fn an_entry_says_what_a_family_was_taught() {
        let family = "[[family]]\nmatch = [\"my-model\"]\ncalls = \"hermes\"\nstarts_in_reasoning = true\n";
        let expected = Family {
            matches: vec!["my-model".into()],
            form: Form::Hermes,
            starts_in_reasoning: true,
            options: Map::new(),
            options_direct: None,
            never_off: false,
            least_think: None,
            max_reply_tokens: None,
            think: None,
            levers: LeverChanges::default(),
        };
        assert_eq!(parse(family), Ok((vec![expected], Vec::new())));
        assert_eq!(parse("# nothing yet\n"), Ok((Vec::new(), Vec::new())));
    }

    #[test]
    fn a_family_may_have_options_and_an_amount_of_thinking() {
        let entry = "[[family]]\nmatch = [\"x\"]\ncalls = \"json\"\n";
        let text = format!("{entry}options = {{ temperature = 0.6, top_k = 20 }}\nthink = \"low\"\n");
        let family = &parse(&text).unwrap().0[0];
        let options = serde_json::json!({"temperature": 0.6, "top_k": 20});
        assert_eq!((Value::from(family.options.clone()), family.think), (options, Some(Think::Low)));
        let window = wrong(&format!("{entry}options = {{ num_ctx = 4096 }}\n"));
        assert_eq!(
            window,
            "4: options: `num_ctx` would load a model again; it belongs into config.toml, above all sections"
        );
        let unknown = wrong(&format!("{entry}options = {{ temprature = 1 }}\n"));
        assert!(unknown.starts_with("4: options: ") && unknown.ends_with("did you mean `temperature`?"), "{unknown}");
        let think = wrong(&format!("{entry}think = \"lov\"\n"));
        assert!(think.starts_with("4:9: unknown variant `lov`") && think.ends_with("did you mean `low`?"), "{think}");
    }

    #[test]
    fn a_size_names_what_suits_it() {
        let text = "[[size]]\nbelow = 2.0\nform = \"files\"\n[[size]]\nharness = { working_tokens = 48000 }\n";
        let levers = LeverChanges { working_tokens: Some(48_000), ..LeverChanges::default() };
        let small = ModelSize { below: Some(2.0), form: Some(ToolsBy::Files), levers: LeverChanges::default() };
        assert_eq!(parse(text).unwrap().1, [small, ModelSize { below: None, form: None, levers }]);
        let unknown = wrong("[[size]]\nharness = { loks = 3 }\n");
        assert!(unknown.contains("unknown field `loks`") && unknown.ends_with("did you mean `looks`?"), "{unknown}");
        assert!(wrong("[[size]]\nbelow = -1.0\nform = \"files\"\n").starts_with("2: below: is a number of billions"));
        assert!(wrong("[[size]]\nbelow = 2.0\nform = \"file\"\n").contains("unknown variant `file`"));
    }

    #[test]
    fn a_wrong_entry_names_its_line_and_the_nearest_word() {
        let form = wrong("[[family]]\nmatch = [\"x\"]\ncalls = \"hermse\"\n");
        assert!(form.starts_with("3: calls: there is no form `hermse`") && form.ends_with("mean `hermes`?"), "{form}");
        let key = wrong("[[family]]\nmach = [\"x\"]\ncalls = \"hermes\"\n");
        assert!(key.starts_with("2:1: unknown field `mach`") && key.ends_with("did you mean `match`?"), "{key}");
        let nothing = wrong("[[family]]\nmatch = []\ncalls = \"hermes\"\n");
        assert!(nothing.starts_with("2: match: names at least one"), "{nothing}");
        assert!(wrong("[[family]]\nmatch = [\"x\"]\n").contains("missing field `calls`"));
    }
}
