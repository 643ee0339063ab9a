//! The form of work: by calls, by calls that are described in the prompt, or by files. It is chosen by the first of these that
//! says something: the user (for this session, or earlier for this model), an examination, the model's size, and whether the
//! server offers tools at all. A form that does not work is left for the next lower one.

use crate::server::Server;
use crate::server::exam::suits;
use crate::{ModelSize, ToolsMode};
use agent_protocol::{Levers, ModelCard, ToolsBy};

impl Server {
    /// The form of work with this model.
    pub(crate) fn tools_by(&self) -> ToolsBy {
        match (self.form, self.settings.tools_mode) {
            (Some(form), _) => form,
            (None, ToolsMode::Native) => ToolsBy::Server,
            (None, ToolsMode::Text) => ToolsBy::Text,
            (None, ToolsMode::Files) => ToolsBy::Files,
            (None, ToolsMode::Auto) => self.form_by_itself(),
        }
    }

    fn form_by_itself(&self) -> ToolsBy {
        let known = self
            .measure
            .chosen_form()
            .or_else(|| self.measure.tuned()?.form)
            .or_else(|| self.measure.tools_by())
            .or_else(|| self.form_by_size());
        match known {
            // A model that only ever wrote its calls as text when it was examined gets its tools so.
            Some(form @ (ToolsBy::Text | ToolsBy::Files)) => form,
            Some(ToolsBy::Server) | None if self.calls_tools() => ToolsBy::Server,
            Some(ToolsBy::Server) | None => ToolsBy::Text,
        }
    }

    /// What suits models of this size, where neither the user nor an examination says better.
    fn form_by_size(&self) -> Option<ToolsBy> {
        self.size()?.form
    }

    /// What is known of models of this size.
    fn size(&self) -> Option<&ModelSize> {
        let size = billions(self.card.as_ref()?)?;
        self.settings.sizes.iter().find(|known| known.below.is_none_or(|below| size < below))
    }

    /// What is done around this model. The config goes before what an examination found, that before what is known of its
    /// family, and that before its size.
    pub(crate) fn levers(&self) -> Levers {
        let mut levers = Levers::default();
        let size = self.size().map(|size| &size.levers);
        let family = self.family().map(|family| &family.levers);
        let found = self.measure.examination().map(suits);
        let layers = [size, family, found.as_ref(), Some(&self.settings.levers)];
        layers.into_iter().flatten().for_each(|layer| levers.change(layer));
        levers
    }

    /// Does it work by files?
    pub(crate) fn works_by_files(&self) -> bool {
        self.tools_by() == ToolsBy::Files
    }

    /// The user chose a form, or leaves it to the program again. It is kept with what is known of the model.
    pub(crate) fn choose_form(&mut self, form: Option<ToolsBy>) {
        self.form = form;
        self.measure.choose_form(form);
    }

    /// The model cannot work in its form: it works by files from now on. False where nothing is lower, or the user wants
    /// it otherwise.
    pub(crate) fn lower_form(&mut self) -> bool {
        let may = self.form.is_none() && self.settings.tools_mode == ToolsMode::Auto && !self.works_by_files();
        if may {
            self.measure.choose_form(Some(ToolsBy::Files));
        }
        may
    }
}

/// Billions of parameters, as the server says or the model's name: `1.5B`, `494.03M`, `qwen2.5-coder:1.5b`.
pub(crate) fn billions(card: &ModelCard) -> Option<f64> {
    card.parameter_size.as_deref().and_then(size_of_word).or_else(|| {
        let words = card.name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
        words.filter_map(size_of_word).next()
    })
}

/// `1.5b` or `494.03M` as billions.
fn size_of_word(word: &str) -> Option<f64> {
    let unit = match word.chars().next_back()?.to_ascii_lowercase() {
        'b' => 1.0,
        'm' => 1e-3,
        'k' => 1e-6,
        _ => return None,
    };
    let number = &word[..word.len() - 1];
    let plain =
        number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    number.parse::<f64>().ok().filter(|size| plain && *size > 0.0).map(|size| size * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(name: &str, size: Option<&str>) -> Option<f64> {
        billions(&ModelCard { name: name.into(), parameter_size: size.map(str::to_owned), ..ModelCard::default() })
    }

    #[test]
    fn the_servers_word_for_the_size_goes_before_the_name() {
        assert_eq!(sized("x:7b", Some("1.5B")), Some(1.5));
        assert_eq!(sized("tiny", Some("500M")), Some(0.5));
    }

    #[test]
    fn a_size_in_the_name_is_read_and_other_figures_are_not() {
        assert_eq!(sized("qwen2.5-coder:1.5b-instruct-q4_K_M", None), Some(1.5));
        assert_eq!(sized("/models/Qwen2.5-Coder-14B-Instruct.gguf", None), Some(14.0));
        assert_eq!(sized("smollm2-135m", None), Some(0.135));
        assert_eq!(sized("coder", None), None);
        assert_eq!(sized("phi4", None), None);
    }
}
