//! How the model gets its tools, by the server or by text, and what they cost. Which of those that are on it gets is decided in
//! `arranged`.

mod arranged;
pub(crate) mod finishing;

use crate::AgentKind;
use crate::agents::TASK;
use crate::agents::all_kinds;
use crate::agents::in_a_line;
use crate::context::Features;
use crate::out::Out;
use crate::server::Server;
use crate::{CallEffect, OfferedGroup, Settings, ToolsMode};
use agent_dialects::{Form, Tools};
use agent_protocol::{ContextEvent, Levers, ToolCost, ToolGroup, ToolSpec, ToolsBy};
use arranged::Arrangement;

/// The tool that puts a plan before the user.
pub(crate) const PLAN_TOOL: &str = "exit_plan_mode";

/// Tools of groups that may be off, which are answered none the less: they do nothing that offered ones do not.
const ANSWERED: [&str; 2] = ["multi_edit", "read_many_files"];

/// A share by which an estimate must be wrong before it is told anew.
const WORTH_TELLING: f64 = 0.1;

/// The tools that the model is offered.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) now: Offered,
    /// All groups of tools; the offered ones are those of the groups that are on.
    pub(crate) groups: Vec<OfferedGroup>,
    /// The tools of the groups that are on.
    on: Vec<ToolSpec>,
    /// Which of them are offered.
    arrangement: Arrangement,
    /// What the tools cost, as it was told last.
    costs: Vec<ToolCost>,
}

/// The tools that one conversation is offered.
#[derive(Debug)]
pub(crate) struct Offered {
    pub(crate) specs: Vec<ToolSpec>,
    /// The same, as far as reading calls needs them.
    pub(crate) known: Tools,
}

impl Offered {
    pub(crate) fn new(specs: Vec<ToolSpec>) -> Self {
        Offered::beside(specs, std::iter::empty())
    }

    /// The same where some others are answered that are not offered.
    fn beside<'a>(specs: Vec<ToolSpec>, others: impl Iterator<Item = &'a ToolSpec>) -> Self {
        let is_other = |other: &&ToolSpec| !specs.iter().any(|spec| spec.name == other.name);
        let others = others.filter(is_other).cloned();
        let known: Vec<ToolSpec> = specs.iter().cloned().chain(others).chain([finishing::spec()]).collect();
        Offered { known: Tools::new(&known), specs }
    }
}

impl Offer {
    pub(super) fn new(settings: &Settings) -> Self {
        let mut offer = Offer {
            now: Offered::new(Vec::new()),
            groups: settings.groups.clone(),
            on: settings.tools.clone(),
            arrangement: Arrangement { wanted: settings.named_groups.clone(), ..Arrangement::default() },
            costs: Vec::new(),
        };
        offer.arrange();
        offer
    }

    /// Offers what is to be offered of the tools that are on.
    fn arrange(&mut self) {
        let specs = self.arrangement.arrange(&self.on, &self.groups);
        let answered = self.groups.iter().flat_map(|group| &group.specs);
        let answered = answered.filter(|spec| ANSWERED.contains(&spec.name.as_str()));
        self.now = Offered::beside(specs, self.on.iter().chain(answered));
    }

    /// From now on this is done around the model.
    pub(crate) fn adapt(&mut self, levers: Levers) {
        self.arrangement.levers = levers;
        self.arrange();
    }

    /// Plan mode is on: from now on the model has the tool for it. False where it had it already.
    pub(crate) fn plan(&mut self) -> bool {
        let is_new = !std::mem::replace(&mut self.arrangement.plans, true);
        if is_new {
            self.arrange();
        }
        is_new && self.names().contains(&PLAN_TOOL)
    }

    pub(crate) fn specs(&self) -> &[ToolSpec] {
        &self.now.specs
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.now.specs.iter().map(|spec| spec.name.as_str()).collect()
    }

    /// Offers just these groups from now on.
    pub(crate) fn choose(&mut self, wanted: &[String], out: &mut Out) {
        // What the user turns on of which little was left, they want whole.
        let is_more = |group: &&OfferedGroup| wanted.contains(&group.name) && !self.is_on(group);
        let more: Vec<String> = self.groups.iter().filter(is_more).map(|group| group.name.clone()).collect();
        let kept = self.arrangement.wanted.iter().filter(|name| wanted.contains(*name)).cloned();
        self.arrangement.wanted = kept.chain(more).collect();
        for group in &mut self.groups {
            group.on = wanted.contains(&group.name);
        }
        let on = self.groups.iter().filter(|group| group.on);
        let (groups, specs): (Vec<String>, Vec<&[ToolSpec]>) =
            on.map(|group| (group.name.clone(), group.specs.as_slice())).unzip();
        self.on = specs.concat();
        self.arrange();
        out.carry_out(CallEffect::Offer { groups });
    }

    /// Does the model have any of it?
    fn is_on(&self, group: &OfferedGroup) -> bool {
        group.on && (group.specs.is_empty() || !self.arrangement.arrange(&group.specs, &self.groups).is_empty())
    }

    /// Every description of the tool of this name, offered or not.
    pub(crate) fn of_name(&mut self, name: &str) -> impl Iterator<Item = &mut ToolSpec> {
        let of_groups = self.groups.iter_mut().flat_map(|group| &mut group.specs);
        let specs = self.now.specs.iter_mut().chain(self.on.iter_mut()).chain(of_groups);
        specs.filter(move |spec| spec.name == name)
    }
}

/// Characters of these tools as they are sent.
pub(crate) fn schema_characters(specs: &[ToolSpec]) -> u64 {
    let sent = |spec: &ToolSpec| {
        let spec = ToolSpec { aliases: Vec::new(), ..spec.clone() };
        serde_json::json!({ "type": "function", "function": spec }).to_string().chars().count() as u64
    };
    specs.iter().map(sent).sum()
}

impl Server {
    /// Does an examination try the server's way? What was found earlier is no reason not to try it again.
    pub(crate) fn tries_servers_way(&self) -> bool {
        match self.settings.tools_mode {
            ToolsMode::Auto => self.calls_tools(),
            ToolsMode::Native => true,
            ToolsMode::Text => false,
            ToolsMode::Files => self.calls_tools(),
        }
    }

    /// Can the model do anything, by calls or by files?
    pub(crate) fn acts(&self) -> bool {
        self.works_by_files() || self.offers_tools()
    }

    /// Does the model get any tools at all?
    pub(crate) fn offers_tools(&self) -> bool {
        let reaches_it = match self.tools_by() {
            ToolsBy::Server => self.calls_tools(),
            ToolsBy::Text => true,
            ToolsBy::Files => false,
        };
        reaches_it && !self.offer.specs().is_empty()
    }

    /// The tools that go along with a request.
    pub(crate) fn sent_tools(&self) -> &[ToolSpec] {
        let along = self.tools_by() == ToolsBy::Server && self.calls_tools();
        if along { self.offer.specs() } else { &[] }
    }

    /// The form in which this model's tools go by text.
    pub(crate) fn form(&self) -> Form {
        let examined = self.measure.dialects().iter().find_map(|dialect| Form::of_dialect(dialect));
        examined.or_else(|| Some(self.family()?.form)).unwrap_or_default()
    }

    /// The form in which calls and results stand in the conversation; `None`: as messages of their own.
    pub(crate) fn form_in_use(&self) -> Option<Form> {
        match self.tools_by() {
            ToolsBy::Server => None,
            ToolsBy::Text => Some(self.form()),
            ToolsBy::Files => Some(Form::Files),
        }
    }

    /// The server's counts tell what a tool costs. True where that changed by much since it was told.
    pub(crate) fn costs_are_news(&self) -> bool {
        let sum = |costs: &[ToolCost]| costs.iter().map(|cost| cost.tokens).sum::<u64>() as f64;
        let (now, told) = (sum(&self.costs()), sum(&self.offer.costs));
        (now - told).abs() > WORTH_TELLING * told
    }

    /// Says what the tools cost.
    pub(crate) fn tell_costs(&mut self, out: &mut Out) {
        let costs = self.costs();
        self.offer.costs.clone_from(&costs);
        out.emit(ContextEvent::Offered { by: self.tools_by(), costs, groups: self.groups() });
    }

    fn costs(&self) -> Vec<ToolCost> {
        if !self.offers_tools() {
            return Vec::new();
        }
        let cost = |spec: &ToolSpec| ToolCost { name: spec.name.clone(), tokens: self.cost(spec) };
        self.offer.specs().iter().map(cost).collect()
    }

    /// Tokens that this tool takes of every prompt.
    fn cost(&self, spec: &ToolSpec) -> u64 {
        self.measure.gauge.estimator().tokens(&match self.tools_by() {
            ToolsBy::Server => Features::of_tool(spec),
            ToolsBy::Text => Features::of_text(&self.form().signature(spec)),
            ToolsBy::Files => Features::default(),
        })
    }

    fn groups(&self) -> Vec<ToolGroup> {
        let told = |group: &OfferedGroup| ToolGroup {
            name: group.name.clone(),
            tools: group.specs.iter().map(|spec| spec.name.clone()).collect(),
            on: self.offer.is_on(group),
            characters: schema_characters(&group.specs),
            tokens: group.specs.iter().map(|spec| self.cost(spec)).sum(),
        };
        self.offer.groups.iter().map(told).collect()
    }
}

/// The model is told of the kinds that were `brought` along with the tool; ours stand there already.
pub(crate) fn tell_of_agents(brought: &[AgentKind], trusted: bool, offer: &mut Offer) {
    let kinds = all_kinds(brought, trusted);
    let own: Vec<String> = kinds.iter().filter(|kind| !kind.description.is_empty()).map(in_a_line).collect();
    if own.is_empty() {
        return;
    }
    let told = format!(" Also: {}", own.join("; "));
    for spec in offer.of_name(TASK) {
        let before = spec.description.find(" Also: ").unwrap_or(spec.description.len());
        spec.description.truncate(before);
        spec.description.push_str(&told);
    }
}
