//! Propagation of shardings to all values of a program.
//!
//! ```text
//! %a                         given: [{"x"}, {}]
//! %0 = transpose %a          [{}, {"x"}]
//! %1 = dot %b, %a            contracts rows of %a: columns of %b go along {"x"}, %1 is whole
//! ```
//!
//! Shardings are given for arguments, results and constraints, and for manual computations at their
//! boundaries. A given dimension is closed, unless its sharding has `?`, and is never divided
//! further; all others are open, and replicated until an axis is propagated. Layouts only grow, so
//! propagation terminates.
//!
//! The first sharding wins a conflict. This is the order:
//!
//! 1. Shardings of priority 0 (`{"x"}p0`, or without a priority) before those of priority 1, 2,
//!    and so on.
//! 2. Data movement and elementwise ops, and values that flow along loops and
//!    branches, before other ops: a reduction does not determine the sharding of its operand.
//!    From operand to result, broadcasts come last: the sharding of a stored bias does not
//!    determine the sharding of the batch that it is added to.
//! 3. Within an op, the factor with the larger tensor first, and for each factor the sharding
//!    of the largest tensor that has one, or a longer one that begins with it.
//!
//! An axis divides a tensor at most once. A dimension that is not divisible by the number of
//! partitions is only divided if a sharding requires it, if the same dimension of another tensor is
//! divided so, or if it has windows of one.

use super::grid::{AxisNumber, Grid, Layout};
use super::manual::ManualValues;
use super::rules::{Factor, Factors, Kind, Rule, Tensor, sizes_of};
use halo_ir::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// A value, or a use of a value with a desired sharding.
#[derive(Clone, Debug)]
struct Node {
    sizes: Vec<i64>,
    layout: Layout,
    open: Vec<bool>,
    /// Shardings of later priorities: dimension, priority and axes.
    later: Vec<(usize, usize, Vec<AxisNumber>)>,
}

/// Nodes with corresponding dimensions.
struct Link {
    rule: Rule,
    operands: Vec<Option<usize>>,
    results: Vec<Option<usize>>,
}

/// The links that a stage includes; each stage includes all earlier ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Data movement and elementwise ops.
    PassThrough,
    /// All others, but broadcasts only from their results to their operands.
    Ops,
    /// Broadcasts in both directions.
    Expansions,
}

/// The given sharding of a value.
pub struct Given {
    pub layout: Layout,
    pub open: Vec<bool>,
    pub priorities: Vec<usize>,
}

impl Given {
    /// A closed sharding.
    pub fn closed(layout: Layout) -> Self {
        let rank = layout.dims.len();
        Self {
            layout,
            open: vec![false; rank],
            priorities: vec![0; rank],
        }
    }
}

/// The propagation algorithm.
pub struct Propagation<'a> {
    grid: &'a Grid,
    manual: &'a ManualValues,
    nodes: Vec<Node>,
    by_value: HashMap<usize, usize>,
    links: Vec<Link>,
    rules: HashMap<usize, Rule>,
}

/// The layouts of the values of a program, and the rules of its ops.
pub struct Layouts {
    by_value: HashMap<usize, Layout>,
    rules: HashMap<usize, Rule>,
}

impl Layouts {
    /// The layout of a value; `None` if it cannot be divided.
    pub fn of(&self, value: Value) -> Option<&Layout> {
        self.by_value.get(&value.key())
    }

    pub fn rule(&self, op: Operation) -> Option<&Rule> {
        self.rules.get(&op.key())
    }
}

impl<'a> Propagation<'a> {
    pub fn new(grid: &'a Grid, manual: &'a ManualValues) -> Self {
        Self {
            grid,
            manual,
            nodes: Vec::new(),
            by_value: HashMap::new(),
            links: Vec::new(),
            rules: HashMap::new(),
        }
    }

    /// The node of a value; none if it cannot be divided.
    fn node(&mut self, value: Value) -> Option<usize> {
        let key = value.key();
        if let Some(node) = self.by_value.get(&key) {
            return Some(*node);
        }
        let sizes = sizes_of(value).filter(|_| !self.manual.contains(value))?;
        let node = self.add_node(sizes);
        self.by_value.insert(key, node);
        Some(node)
    }

    fn add_node(&mut self, sizes: Vec<i64>) -> usize {
        self.nodes.push(Node {
            layout: Layout::whole(sizes.len()),
            open: vec![true; sizes.len()],
            later: Vec::new(),
            sizes,
        });
        self.nodes.len() - 1
    }

    /// Sets the given sharding of a value.
    pub fn give(&mut self, value: Value, given: Given) {
        if let Some(node) = self.node(value) {
            self.give_node(node, given);
        }
    }

    /// Sets the desired sharding at a use of a value.
    pub fn want(&mut self, value: Value, given: Given) {
        let Some(node) = self.node(value) else {
            return;
        };
        let place = self.add_node(self.nodes[node].sizes.clone());
        self.give_node(place, given);
        self.link_nodes(vec![Some(node), Some(place)]);
    }

    fn give_node(&mut self, node: usize, given: Given) {
        let node = &mut self.nodes[node];
        if node.sizes.len() != given.layout.dims.len() {
            return;
        }
        for (dimension, axes) in given.layout.dims.into_iter().enumerate() {
            let is_open = given.open.get(dimension).copied().unwrap_or(true);
            node.open[dimension] = is_open;
            if axes.is_empty() || node.sizes[dimension] == 0 {
                continue;
            }
            let priority = given.priorities.get(dimension).copied().unwrap_or(0);
            node.later.push((dimension, priority, axes));
        }
    }

    /// The axes of each dimension in given shardings.
    pub fn given_axes(&self) -> BTreeSet<Vec<AxisNumber>> {
        let given = self.nodes.iter().flat_map(|node| &node.later);
        given.map(|(_, _, axes)| axes.clone()).collect()
    }

    /// Requires the same sharding for some values.
    pub fn link(&mut self, values: &[Value]) {
        let nodes = values.iter().map(|value| self.node(*value)).collect();
        self.link_nodes(nodes);
    }

    fn link_nodes(&mut self, nodes: Vec<Option<usize>>) {
        let sizes = |node: &Option<usize>| Some(self.nodes[(*node)?].sizes.as_slice());
        let Some(first) = nodes.iter().find_map(sizes) else {
            return;
        };
        let same = nodes.iter().filter(|node| sizes(node) == Some(first));
        let same: Vec<Option<usize>> = same.copied().collect();
        let rule = Rule::same_sizes(first, same.len());
        self.links.push(Link {
            rule,
            operands: same,
            results: Vec::new(),
        });
    }

    /// Adds an op by its rule.
    pub fn operation(&mut self, op: Operation) {
        let values = op.operands().into_iter().chain(op.results());
        if values.into_iter().any(|value| self.manual.contains(value)) {
            return;
        }
        let Some(rule) = Rule::of(op) else {
            return;
        };
        let operands = op.operands().into_iter().map(|one| self.node(one));
        let operands = operands.collect();
        let results = op.results().into_iter().map(|one| self.node(one));
        let results = results.collect();
        self.rules.insert(op.key(), rule.clone());
        self.links.push(Link {
            rule,
            operands,
            results,
        });
    }

    /// Computes the layouts.
    pub fn run(mut self) -> Layouts {
        let later = self.nodes.iter().flat_map(|node| &node.later);
        let priorities: BTreeSet<usize> = later.map(|(_, priority, _)| *priority).collect();
        for priority in priorities {
            for node in &mut self.nodes {
                let due = node.later.iter().filter(|(_, own, _)| *own == priority);
                for (dimension, _, axes) in due.cloned().collect::<Vec<_>>() {
                    // Extend the current axes, if they are a prefix and the others are unused.
                    let own = &node.layout.dims[dimension];
                    let is_free =
                        |axis: &AxisNumber| own.contains(axis) || !node.layout.uses(*axis);
                    if axes.starts_with(own) && axes.iter().all(is_free) {
                        node.layout.dims[dimension] = axes;
                    }
                }
            }
            for stage in [Stage::PassThrough, Stage::Ops, Stage::Expansions] {
                self.settle(stage);
            }
        }
        let nodes = self.nodes;
        let layouts = self.by_value.into_iter();
        Layouts {
            by_value: layouts.map(|(value, node)| (value, nodes[node].layout.clone())).collect(),
            rules: self.rules,
        }
    }

    fn settle(&mut self, stage: Stage) {
        let links = std::mem::take(&mut self.links);
        let considered = links.iter();
        let considered: Vec<&Link> = considered
            .filter(|link| link.rule.is_pass_through || stage != Stage::PassThrough)
            .collect();
        loop {
            // Forward and backward, so that chains need few iterations.
            let mut changed = false;
            for link in considered.iter().chain(considered.iter().rev()) {
                changed |= self.across(link, stage);
            }
            if !changed {
                break;
            }
        }
        self.links = links;
    }

    /// Propagates across an op.
    fn across(&mut self, link: &Link, stage: Stage) -> bool {
        let node_of = |tensor: Tensor| match tensor {
            Tensor::Operand(number) => link.operands.get(number).copied().flatten(),
            Tensor::Result(number) => link.results.get(number).copied().flatten(),
        };
        let all: Vec<(Tensor, usize, &Factors)> = link
            .rule
            .tensors()
            .filter_map(|(tensor, own)| Some((tensor, node_of(tensor)?, own)))
            .collect();
        let is_backward = link.rule.is_expanding && stage != Stage::Expansions;
        let without = |left_out: fn(&Tensor) -> bool| -> Vec<(usize, &Factors)> {
            let tensors = all.iter();
            let tensors = tensors.filter(|(tensor, ..)| !is_backward || !left_out(tensor));
            tensors.map(|(_, node, own)| (*node, *own)).collect()
        };
        let sources = without(|tensor| matches!(tensor, Tensor::Operand(_)));
        let targets = without(|tensor| matches!(tensor, Tensor::Result(_)));
        if sources.iter().all(|(node, _)| self.nodes[*node].layout.is_whole()) {
            return false;
        }
        // For each factor, the size of the largest sharded tensor, and its axes.
        let mut chosen: Vec<(i64, Vec<AxisNumber>)> =
            vec![(0, Vec::new()); link.rule.factors.len()];
        for (node, own) in &sources {
            let node = &self.nodes[*node];
            let size = node.sizes.iter().product::<i64>().max(1);
            for (factor, axes) in project(self.grid, &link.rule, own, &node.layout) {
                let (best, known) = &mut chosen[factor];
                let is_longer = axes.len() > known.len() && axes.starts_with(known);
                if is_longer || size > *best && !known.starts_with(&axes) {
                    *known = axes;
                }
                *best = (*best).max(size);
            }
        }
        let mut order: Vec<usize> = (0..chosen.len()).collect();
        order.retain(|factor| !chosen[*factor].1.is_empty());
        order.sort_by_key(|factor| std::cmp::Reverse(chosen[*factor].0));
        let mut changed = false;
        for factor in order {
            for (node, own) in &targets {
                let dimension = own.iter().position(|factors| factors.contains(&factor));
                if let Some(dimension) = dimension {
                    let axes = &chosen[factor].1;
                    changed |= self.extend(*node, dimension, &own[dimension], link, factor, axes);
                }
            }
        }
        changed
    }

    /// Extends a dimension of a node by the axes of a factor.
    fn extend(
        &mut self,
        node: usize,
        dimension: usize,
        factors: &[usize],
        link: &Link,
        factor: usize,
        axes: &[AxisNumber],
    ) -> bool {
        let node = &mut self.nodes[node];
        let size = node.sizes[dimension];
        if !node.open[dimension] || size < 2 {
            return false;
        }
        let own = split(self.grid, &link.rule, factors, &node.layout.dims[dimension]);
        let Some(own) = own else {
            return false;
        };
        let place = factors.iter().position(|one| *one == factor).unwrap_or(0);
        let is_full = |before: usize| {
            let count = self.grid.count(&own[before]) as i64;
            count == link.rule.factors[factors[before]].size
        };
        let fits_before = (0..place).all(is_full);
        let fits_behind = own[place + 1..].iter().all(Vec::is_empty);
        if !fits_before || !fits_behind || !axes.starts_with(&own[place]) {
            return false;
        }
        let is_free = |axis: &AxisNumber| !node.layout.uses(*axis);
        let new = axes[own[place].len()..].iter().copied();
        let new: Vec<AxisNumber> = new.take_while(is_free).collect();
        let known = axes[..own[place].len()].to_vec();
        let mut added = new.as_slice();
        let divides = |added: &[AxisNumber]| {
            let count = self.grid.count(&[&known, added].concat()) as i64;
            let Factor { size: whole, kind } = link.rule.factors[factor];
            match kind {
                Kind::Parallel | Kind::Reduced(_) if factors.len() == 1 => {
                    whole == size || size % count == 0
                }
                Kind::Parallel | Kind::Reduced(_) => whole % count == 0,
                Kind::Window(_) => size >= count,
                Kind::Mirrored | Kind::Whole => size % count == 0,
            }
        };
        while !added.is_empty() && !divides(added) {
            added = &added[..added.len() - 1];
        }
        node.layout.dims[dimension].extend_from_slice(added);
        !added.is_empty()
    }
}

/// The axes of the factors of a tensor, as far as its layout divides factors.
pub fn project(
    grid: &Grid,
    rule: &Rule,
    tensor: &Factors,
    layout: &Layout,
) -> Vec<(usize, Vec<AxisNumber>)> {
    let mut found = Vec::new();
    for (factors, axes) in tensor.iter().zip(&layout.dims) {
        if axes.is_empty() {
            continue;
        }
        let parts = match factors[..] {
            // Including sizes that are not divisible.
            [_] => vec![axes.clone()],
            _ => split_prefix(grid, rule, factors, axes).0,
        };
        let parts = factors.iter().copied().zip(parts);
        found.extend(parts.filter(|(_, axes)| !axes.is_empty()));
    }
    found
}

/// The axes of each factor of a dimension; `None` if some axis divides no factor.
fn split(
    grid: &Grid,
    rule: &Rule,
    factors: &[usize],
    axes: &[AxisNumber],
) -> Option<Vec<Vec<AxisNumber>>> {
    if factors.len() == 1 {
        return Some(vec![axes.to_vec()]);
    }
    let (parts, is_all) = split_prefix(grid, rule, factors, axes);
    is_all.then_some(parts)
}

fn split_prefix(
    grid: &Grid,
    rule: &Rule,
    factors: &[usize],
    axes: &[AxisNumber],
) -> (Vec<Vec<AxisNumber>>, bool) {
    let mut parts = vec![Vec::new(); factors.len()];
    let mut axes = axes.iter().copied().peekable();
    for (part, factor) in parts.iter_mut().zip(factors) {
        let Factor { size, kind } = rule.factors[*factor];
        let mut rest = size;
        while let Some(axis) = axes.peek() {
            let count = grid.count(&[*axis]) as i64;
            if rest % count != 0 || rest == 1 || kind == Kind::Whole {
                break;
            }
            part.push(*axis);
            rest /= count;
            axes.next();
        }
        if rest != 1 {
            break;
        }
    }
    let is_all = axes.peek().is_none();
    (parts, is_all)
}
