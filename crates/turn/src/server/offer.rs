//! How the model gets its tools, by the server or by text, and what they cost.

use crate::machine::Machine;
use crate::{Effect, Family, OfferedGroup, ToolsMode};
use agent_context::Features;
use agent_dialects::{Form, Tools};
use agent_protocol::{Event, NoticeLevel, ToolCost, ToolGroup, ToolSpec, ToolsBy};

/// A share by which an estimate must be wrong before it is told anew.
const WORTH_TELLING: f64 = 0.1;

/// Characters of these tools as they are sent.
fn schema_characters(specs: &[ToolSpec]) -> u64 {
    let sent = |spec: &ToolSpec| {
        let spec = ToolSpec { aliases: Vec::new(), ..spec.clone() };
        serde_json::json!({ "type": "function", "function": spec }).to_string().chars().count() as u64
    };
    specs.iter().map(sent).sum()
}

impl Machine {
    /// By which way the tools go with this model.
    pub(crate) fn tools_by(&self) -> ToolsBy {
        match self.settings.tools_mode {
            ToolsMode::Native => ToolsBy::Server,
            ToolsMode::Text => ToolsBy::Text,
            // A model that only ever wrote its calls as text when it was examined gets its tools so.
            ToolsMode::Auto if self.link.measure.tools_by() == Some(ToolsBy::Text) => ToolsBy::Text,
            ToolsMode::Auto if self.link.calls_tools() => ToolsBy::Server,
            ToolsMode::Auto => ToolsBy::Text,
        }
    }

    /// Does the model get any tools at all?
    pub(crate) fn offers_tools(&self) -> bool {
        let reaches_it = match self.tools_by() {
            ToolsBy::Server => self.link.calls_tools(),
            ToolsBy::Text => true,
        };
        reaches_it && !self.settings.tools.is_empty()
    }

    /// The tools that go along with a request.
    pub(crate) fn sent_tools(&self) -> &[ToolSpec] {
        let along = self.tools_by() == ToolsBy::Server && self.link.calls_tools();
        if along { &self.settings.tools } else { &[] }
    }

    /// The form in which this model's tools go by text.
    pub(crate) fn form(&self) -> Form {
        let examined = self.link.measure.dialects().iter().find_map(|dialect| Form::of_dialect(dialect));
        examined.or_else(|| Some(self.family()?.form)).unwrap_or_default()
    }

    pub(crate) fn family(&self) -> Option<&Family> {
        let (name, family) = self.link.names()?;
        self.settings.families.iter().find(|known| known.matches(name, family))
    }

    /// Puts the tools where this model finds them, and says so.
    pub(crate) fn offer_tools(&mut self) {
        let before = self.history.messages().to_vec();
        self.put_tools();
        if !self.is_delegating() {
            self.reworked(&before);
        }
        self.tell_costs();
    }

    /// Puts the tools where this model finds them.
    pub(crate) fn put_tools(&mut self) {
        let by = self.tools_by();
        let told = by == ToolsBy::Text && !self.settings.tools.is_empty();
        let tools = told.then(|| self.form().describe(&self.settings.tools));
        let system = self.instructions().to_owned();
        self.history.set_system(&system, tools.as_deref());
        self.link.measure.rewritten(&[], &[]);
        if by == ToolsBy::Text {
            self.history.turn_into_text(self.form());
        }
    }

    /// The server's counts tell what a tool costs; told anew where that changed by much.
    pub(crate) fn tell_costs_if_news(&mut self) {
        let sum = |costs: &[ToolCost]| costs.iter().map(|cost| cost.tokens).sum::<u64>() as f64;
        let (now, told) = (sum(&self.costs()), sum(&self.link.costs));
        if (now - told).abs() > WORTH_TELLING * told {
            self.tell_costs();
        }
    }

    fn tell_costs(&mut self) {
        if self.is_delegating() {
            // The tools of an agent are a choice of these.
            return;
        }
        let costs = self.costs();
        self.link.costs.clone_from(&costs);
        self.out.emit(Event::Offered { by: self.tools_by(), costs, groups: self.groups() });
    }

    fn costs(&self) -> Vec<ToolCost> {
        if !self.offers_tools() {
            return Vec::new();
        }
        let cost = |spec: &ToolSpec| ToolCost { name: spec.name.clone(), tokens: self.cost(spec) };
        self.settings.tools.iter().map(cost).collect()
    }

    /// Tokens that this tool takes of every prompt.
    fn cost(&self, spec: &ToolSpec) -> u64 {
        self.link.measure.gauge.estimator().tokens(&match self.tools_by() {
            ToolsBy::Server => Features::of_tool(spec),
            ToolsBy::Text => Features::of_text(&self.form().signature(spec)),
        })
    }

    fn groups(&self) -> Vec<ToolGroup> {
        let told = |group: &OfferedGroup| ToolGroup {
            name: group.name.clone(),
            tools: group.specs.iter().map(|spec| spec.name.clone()).collect(),
            on: group.on,
            characters: schema_characters(&group.specs),
            tokens: group.specs.iter().map(|spec| self.cost(spec)).sum(),
        };
        self.settings.groups.iter().map(told).collect()
    }

    /// Offers just these groups from now on. The next prompt begins otherwise, so that the server reads all of it again.
    pub(crate) fn set_groups(&mut self, wanted: &[String]) {
        if !self.is_at_rest() {
            let text = "tools are chosen between turns: wait for this one to end, or stop it with Esc";
            return self.out.notice(NoticeLevel::Warning, text);
        }
        for group in &mut self.settings.groups {
            group.on = wanted.contains(&group.name);
        }
        let on = self.settings.groups.iter().filter(|group| group.on);
        let (names, specs): (Vec<String>, Vec<&[ToolSpec]>) =
            on.map(|group| (group.name.clone(), group.specs.as_slice())).unzip();
        self.settings.tools = specs.concat();
        self.known_tools = Tools::new(&self.settings.tools);
        self.out.carry_out(Effect::Offer { groups: names });
        self.offer_tools();
    }
}
