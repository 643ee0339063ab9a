//! In which order formulas are calculated, and which of them go round in circles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Graph;
use crate::address::CellRef;

/// What has to be calculated after some cells changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Each formula stands after those it looks at.
    pub order: Vec<CellRef>,
    /// Formulas that depend on themselves, or on one that does.
    pub cycles: BTreeSet<CellRef>,
}

impl Graph {
    /// The formulas in `changed`, and all that depend on any of the changed cells.
    /// `by_name` gives the users of names a cell belongs to.
    pub fn plan(&self, changed: &BTreeSet<CellRef>, by_name: &dyn Fn(CellRef) -> BTreeSet<CellRef>) -> Plan {
        let mut edges: BTreeMap<CellRef, BTreeSet<CellRef>> = BTreeMap::new();
        let mut waiting: VecDeque<CellRef> = changed.iter().copied().collect();
        while let Some(cell) = waiting.pop_front() {
            if edges.contains_key(&cell) {
                continue;
            }
            let mut next = self.dependents(cell);
            next.extend(by_name(cell));
            waiting.extend(next.iter().copied());
            edges.insert(cell, next);
        }
        sorted(&edges)
    }
}

/// Takes away, again and again, what depends on nothing that is left.
fn sorted(edges: &BTreeMap<CellRef, BTreeSet<CellRef>>) -> Plan {
    let mut counts: BTreeMap<CellRef, usize> = edges.keys().map(|cell| (*cell, 0)).collect();
    for next in edges.values().flatten() {
        *counts.entry(*next).or_default() += 1;
    }
    let mut ready: VecDeque<CellRef> = counts.iter().filter(|(_, count)| **count == 0).map(|(cell, _)| *cell).collect();
    let mut plan = Plan::default();
    while let Some(cell) = ready.pop_front() {
        plan.order.push(cell);
        for next in edges.get(&cell).into_iter().flatten() {
            if let Some(count) = counts.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    ready.push_back(*next);
                }
            }
        }
    }
    let done: BTreeSet<CellRef> = plan.order.iter().copied().collect();
    plan.cycles = edges.keys().filter(|cell| !done.contains(cell)).copied().collect();
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::parse;

    fn cell(text: &str) -> CellRef {
        CellRef::parse(text).unwrap()
    }

    fn graph(formulas: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (place, formula) in formulas {
            graph.set(cell(place), parse(formula).unwrap().precedents());
        }
        graph
    }

    fn plan(graph: &Graph, changed: &str) -> (Vec<String>, Vec<String>) {
        let plan = graph.plan(&BTreeSet::from([cell(changed)]), &|_| BTreeSet::new());
        let texts = |cells: Vec<CellRef>| cells.iter().map(CellRef::to_string).collect();
        (texts(plan.order), texts(plan.cycles.into_iter().collect()))
    }

    #[test]
    fn what_is_needed_comes_first() {
        let graph = graph(&[("B1", "C1+A1"), ("C1", "A1*2"), ("D1", "SUM(A1:C1)"), ("E1", "F1")]);
        assert_eq!(plan(&graph, "A1").0, ["A1", "C1", "B1", "D1"]);
        assert_eq!(plan(&graph, "F1").0, ["F1", "E1"]);
    }

    #[test]
    fn circles_are_told() {
        let graph = graph(&[("A1", "B1"), ("B1", "A1"), ("C1", "B1+D1"), ("E1", "D1")]);
        let (order, cycles) = plan(&graph, "B1");
        assert!(order.is_empty());
        assert_eq!(cycles, ["A1", "B1", "C1"]);
        assert_eq!(plan(&graph, "D1").1, Vec::<String>::new());
    }
}
