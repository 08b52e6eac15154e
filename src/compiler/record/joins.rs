//! Finds ops that passes merged into one op or loop, by their [stamps](Stamp) in the IR.

use super::{Join, Node, NodeNumber, stamps::Stamp};
use halo_ir::{
    ops::halo::{ENTRY, PACKING, ParallelCallOp},
    prelude::*,
};

use std::collections::{BTreeMap, BTreeSet};

type Nodes = BTreeSet<NodeNumber>;

/// The ops and loops of the entry, each with the nodes that it computes.
#[derive(Default)]
pub struct Joins {
    before: BTreeSet<Nodes>,
    /// All sets so far: a set that occurs again is not reported again.
    seen: BTreeSet<Nodes>,
}

impl Joins {
    /// The joins of a pass, given the module after it.
    pub fn of_pass(&mut self, step: u32, module: Operation, nodes: &[Node]) -> Vec<Join> {
        let Some(entry) = entry(module) else {
            return Vec::new();
        };
        let mut found = BTreeSet::new();
        Finder::new(nodes).add(entry, &mut found);
        let after = owned(&found);
        let before = std::mem::replace(&mut self.before, after);
        let mut joins = Vec::new();
        for all in self.before.iter().filter(|all| all.len() > 1) {
            let is_known = self.seen.contains(all);
            if !is_known && !self.seen.iter().any(|seen| seen.is_superset(all)) {
                self.seen.insert(all.clone());
                joins.push(Join {
                    step,
                    parts: parts(all, &before),
                });
            }
        }
        joins.retain(|join| join.parts.len() > 1);
        joins
    }
}

/// Removes the nodes of smaller sets from each set: an op does not count as merged if only a part
/// of it, such as the initial value of a sum, is computed with another op.
fn owned(sets: &BTreeSet<Nodes>) -> BTreeSet<Nodes> {
    let mut of_nodes: BTreeMap<NodeNumber, Vec<&Nodes>> = BTreeMap::new();
    for (node, set) in sets.iter().flat_map(|set| set.iter().map(move |node| (node, set))) {
        of_nodes.entry(*node).or_default().push(set);
    }
    let is_in_smaller = |node: &NodeNumber, all: &Nodes| {
        let others = of_nodes.get(node).into_iter().flatten();
        let mut smaller = others.filter(|set| set.len() < all.len());
        smaller.any(|set| set.is_subset(all))
    };
    let without_smaller = |all: &Nodes| {
        let nodes = all.iter().copied();
        nodes.filter(|node| !is_in_smaller(node, all)).collect()
    };
    sets.iter().map(without_smaller).collect()
}

fn entry(module: Operation<'_>) -> Option<Operation<'_>> {
    let functions = module.body(0).map(Block::operations)?;
    let entry = functions.iter().find(|op| op.has_attribute(ENTRY));
    let first = || functions.iter().find(|op| op.isa::<func::FuncOp>());
    entry.or_else(first).copied()
}

/// Partitions nodes by the ops that computed them before, and drops parts contained in larger ones.
fn parts(all: &Nodes, before: &BTreeSet<Nodes>) -> Vec<Vec<NodeNumber>> {
    let mut parts: BTreeMap<usize, BTreeSet<Nodes>> = BTreeMap::new();
    for old in before {
        let part: Nodes = old.intersection(all).copied().collect();
        parts.entry(part.len()).or_default().insert(part);
    }
    let mut found: Vec<Nodes> = Vec::new();
    let single = all.iter().map(|node| Nodes::from([*node]));
    let largest_first = parts.into_values().rev().flatten();
    for part in largest_first.chain(single) {
        if !found.iter().any(|larger| larger.is_superset(&part)) {
            found.push(part);
        }
    }
    found.sort();
    let numbers = found.into_iter().map(|part| part.into_iter().collect());
    numbers.collect()
}

struct Finder<'a> {
    nodes: &'a [Node],
    /// The nodes that are loops and conditionals of the program.
    control_flow: Nodes,
}

impl<'a> Finder<'a> {
    fn new(nodes: &'a [Node]) -> Self {
        Self {
            nodes,
            control_flow: nodes.iter().filter_map(|node| node.parent).collect(),
        }
    }

    /// Adds the nested ops that have regions or call kernels.
    fn add(&self, around: Operation, found: &mut BTreeSet<Nodes>) {
        let blocks = around.blocks().into_iter();
        for op in blocks.flat_map(Block::operations) {
            // Fills and packing of an operand are not part of an op.
            if op.name() == "linalg.fill" || op.has_attribute(PACKING) {
                continue;
            }
            let has_regions = op.regions().into_iter().next().is_some();
            let own = Stamp::Node.numbers(op.location());
            if has_regions && !own.is_disjoint(&self.control_flow) {
                self.add(op, found);
            } else if has_regions || op.isa::<ParallelCallOp>() {
                let nodes: Nodes = self.computed(op, own);
                if !nodes.is_empty() {
                    found.insert(nodes);
                }
            }
        }
    }

    /// The nodes of an op and the ops in its regions, without constants.
    fn computed(&self, op: Operation, mut nodes: Nodes) -> Nodes {
        for nested in op.collect_nested(|_| true) {
            nodes.extend(Stamp::Node.numbers(nested.location()));
        }
        nodes.retain(|node| {
            let node = self.nodes.get(*node as usize);
            node.is_some_and(|node| node.name != "stablehlo.constant")
        });
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_ops_before() {
        let set = |nodes: &[u32]| nodes.iter().copied().collect::<Nodes>();
        let before = [set(&[1]), set(&[1, 2]), set(&[3]), set(&[5, 6])].into();
        assert_eq!(
            parts(&set(&[1, 2, 3, 4, 5]), &before),
            [vec![1, 2], vec![3], vec![4], vec![5]]
        );
    }

    #[test]
    fn ops_of_smaller_sets_are_left_out() {
        let set = |nodes: &[u32]| nodes.iter().copied().collect::<Nodes>();
        let sets = [set(&[1]), set(&[1, 2, 3]), set(&[3, 4])].into();
        let expected = [set(&[1]), set(&[2, 3]), set(&[3, 4])].into();
        assert_eq!(owned(&sets), expected);
    }
}
