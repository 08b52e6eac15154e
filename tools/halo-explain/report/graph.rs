//! The graph of the program: a box for each kernel, with its ops in it, which is folded or
//! not. Both states are laid out here; the page moves boxes of a row apart where single ones
//! are unfolded.

use super::{
    format,
    layout::layout,
    rows::{self, Row},
};
use halo_runtime::compilation_record::{CompilationRecord, Node};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The height of an op's box, and the distance between rows of ops.
const OP_HEIGHT: f64 = 34.0;
const OP_PITCH: f64 = 52.0;
/// The space around ops in a box, and the height of its title.
const MARGIN: f64 = 14.0;
const TITLE: f64 = 26.0;
/// The height of a box that is folded.
const FOLDED_HEIGHT: f64 = 58.0;
/// How many ops of a line between boxes are told.
const MOST_OPS_OF_LINE: usize = 6;

/// What the page draws.
#[derive(Debug, Default, Serialize)]
pub struct Graph {
    pub boxes: Vec<Unit>,
    pub lines: Vec<Line>,
}

/// A kernel, or an op that is a part of none.
#[derive(Debug, Default, Serialize)]
pub struct Unit {
    /// The call, and its row in the table of kernels.
    pub call: Option<u32>,
    pub row: Option<u32>,
    pub title: String,
    /// The names of its ops.
    pub ops: String,
    /// Its row in the picture, the same if all boxes are folded or not.
    pub rank: u32,
    /// The middle of the box if all boxes are folded, and if none is.
    pub x: [f64; 2],
    /// Width and height of the box if it is folded, and if not.
    pub sizes: [(f64, f64); 2],
    pub nodes: Vec<OpBox>,
}

/// An op in its box: its node, its middle from the left, its top, and its width.
#[derive(Debug, Serialize)]
pub struct OpBox(pub u32, pub f64, pub f64, pub f64);

/// A line between boxes.
#[derive(Debug, Serialize)]
pub struct Line {
    pub from: u32,
    pub to: u32,
    /// The rows that it crosses, and where, if all boxes are folded, and if none is.
    pub points: Vec<(u32, f64, f64)>,
    /// The nodes that write and read the values.
    pub nodes: Vec<(u32, u32)>,
}

/// Lays out the graph of a program.
pub fn graph(record: &CompilationRecord, rows: &[Row]) -> Graph {
    let (unit_of_node, mut boxes) = units(record, rows);
    let lines = lines(record, &unit_of_node);
    for unit in &mut boxes {
        fill(unit, record);
    }
    let ends: Vec<(u32, u32)> = lines.keys().copied().collect();
    let [folded, unfolded] = [0, 1].map(|state| {
        let widths: Vec<f64> = boxes.iter().map(|unit| unit.sizes[state].0).collect();
        layout(&widths, &ends)
    });
    for (number, unit) in boxes.iter_mut().enumerate() {
        unit.rank = folded.boxes[number].0;
        unit.x = [folded.boxes[number].1, unfolded.boxes[number].1].map(f64::round);
    }
    let points = folded.lines.iter().zip(&unfolded.lines);
    let lines = lines
        .into_iter()
        .zip(points)
        .map(|(((from, to), nodes), (folded, unfolded))| Line {
            from,
            to,
            points: folded
                .iter()
                .zip(unfolded)
                .map(|(folded, unfolded)| (folded.0, folded.1.round(), unfolded.1.round()))
                .collect(),
            nodes,
        })
        .collect();
    Graph { boxes, lines }
}

/// The box of each node that is drawn, and all boxes, with the nodes in them.
///
/// A node is drawn in the box of the first call that it is a part of. Of those that are a
/// part of none, constants are drawn with their reader, and others alone. What is in the
/// region of a node with a call, such as the body of a reduction, is a part of that node.
fn units(record: &CompilationRecord, rows: &[Row]) -> (Vec<Option<u32>>, Vec<Unit>) {
    let row_of_calls = rows::row_of_calls(rows, record.calls.len());
    let mut unit_of_node: Vec<Option<u32>> = vec![None; record.nodes.len()];
    let mut unit_of_call: HashMap<u32, u32> = HashMap::new();
    let mut boxes: Vec<Unit> = Vec::new();
    let has_calls = !record.calls.is_empty();
    let mut constants = Vec::new();
    for (number, node) in record.nodes.iter().enumerate() {
        if rows::is_end(node) || is_in_body(record, node) {
            continue;
        }
        let call = node.calls.first().copied();
        let call = call.filter(|call| (*call as usize) < record.calls.len());
        if call.is_none() && has_calls && is_constant(node) {
            constants.push(number as u32);
            continue;
        }
        let next = boxes.len() as u32;
        let unit = match call {
            Some(call) => *unit_of_call.entry(call).or_insert(next),
            None => next,
        };
        if unit == next {
            let title = call.and_then(|call| record.calls.get(call as usize));
            boxes.push(Unit {
                call,
                row: call.and_then(|call| row_of_calls[call as usize]),
                title: title
                    .map(|call| format::plain(&call.name))
                    .unwrap_or_default(),
                ..Unit::default()
            });
        }
        unit_of_node[number] = Some(unit);
        boxes[unit as usize]
            .nodes
            .push(OpBox(number as u32, 0.0, 0.0, 0.0));
    }
    let readers = readers(record);
    for constant in constants {
        let readers = readers.get(&constant).into_iter().flatten();
        let reader = readers
            .filter_map(|reader| unit_of_node[*reader as usize])
            .next();
        if let Some(unit) = reader {
            unit_of_node[constant as usize] = Some(unit);
            boxes[unit as usize]
                .nodes
                .push(OpBox(constant, 0.0, 0.0, 0.0));
        }
    }
    (unit_of_node, boxes)
}

fn is_constant(node: &Node) -> bool {
    node.operands.is_empty() && node.parent.is_none()
}

/// Whether a node is in the region of one that a call computes as a whole, or that is an op
/// of elements.
fn is_in_body(record: &CompilationRecord, node: &Node) -> bool {
    let Some(parent) = node
        .parent
        .and_then(|parent| record.nodes.get(parent as usize))
    else {
        return false;
    };
    let is_control = ["while", "if", "case", "for"]
        .iter()
        .any(|name| parent.name.rsplit('.').next() == Some(name));
    !is_control || is_in_body_of(record, parent)
}

/// As [`is_in_body`], without going up for ever if parents are not a tree.
fn is_in_body_of(record: &CompilationRecord, node: &Node) -> bool {
    let parents = std::iter::successors(Some(node), |node| {
        node.parent
            .and_then(|parent| record.nodes.get(parent as usize))
    });
    parents
        .take(64)
        .any(|node| !node.calls.is_empty() && node.parent.is_some() && node.name.contains("reduce"))
}

fn readers(record: &CompilationRecord) -> HashMap<u32, Vec<u32>> {
    let mut readers: HashMap<u32, Vec<u32>> = HashMap::new();
    for (number, node) in record.nodes.iter().enumerate() {
        for operand in &node.operands {
            if let Ok(operand) = u32::try_from(*operand) {
                readers.entry(operand).or_default().push(number as u32);
            }
        }
    }
    readers
}

/// The lines between boxes, with the nodes at their ends.
fn lines(
    record: &CompilationRecord,
    unit_of_node: &[Option<u32>],
) -> BTreeMap<(u32, u32), Vec<(u32, u32)>> {
    let unit = |node: u32| unit_of_node.get(node as usize).copied().flatten();
    let mut lines: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
    let mut add = |from: u32, to: u32| {
        // A body reads for the node that it belongs to.
        let reader =
            std::iter::successors(Some(to), |node| record.nodes.get(*node as usize)?.parent)
                .take(64)
                .find(|node| unit(*node).is_some());
        let Some(reader) = reader else { return };
        if let (Some(first), Some(second)) = (unit(from), unit(reader))
            && first != second
        {
            let nodes = lines.entry((first, second)).or_default();
            if nodes.len() < MOST_OPS_OF_LINE && !nodes.contains(&(from, reader)) {
                nodes.push((from, reader));
            }
        }
    };
    for (number, node) in record.nodes.iter().enumerate() {
        for operand in node
            .operands
            .iter()
            .filter_map(|operand| u32::try_from(*operand).ok())
        {
            add(operand, number as u32);
        }
        if let Some(parent) = node.parent {
            add(parent, number as u32);
        }
    }
    lines
}

/// Places the ops of a box and finds its sizes.
fn fill(unit: &mut Unit, record: &CompilationRecord) {
    unit.nodes.sort_by_key(|OpBox(node, ..)| *node);
    let numbers: Vec<u32> = unit.nodes.iter().map(|OpBox(node, ..)| *node).collect();
    let position: HashMap<u32, u32> = numbers
        .iter()
        .enumerate()
        .map(|(index, node)| (*node, index as u32))
        .collect();
    let widths: Vec<f64> = numbers.iter().map(|node| width(record, *node)).collect();
    let mut lines = Vec::new();
    for (index, node) in numbers.iter().enumerate() {
        for operand in &record.nodes[*node as usize].operands {
            let operand = u32::try_from(*operand).ok();
            if let Some(from) = operand.and_then(|operand| position.get(&operand)) {
                lines.push((*from, index as u32));
            }
        }
    }
    let inner = layout(&widths, &lines);
    let edges = || inner.boxes.iter().zip(&widths);
    let left = edges()
        .map(|((_, x), width)| x - width / 2.0)
        .fold(f64::INFINITY, f64::min);
    let right = edges()
        .map(|((_, x), width)| x + width / 2.0)
        .fold(f64::NEG_INFINITY, f64::max);
    let last = inner.boxes.iter().map(|(rank, _)| *rank).max().unwrap_or(0);
    for (op, ((rank, x), width)) in unit.nodes.iter_mut().zip(inner.boxes.iter().zip(&widths)) {
        op.1 = (x - left + MARGIN).round();
        op.2 = TITLE + MARGIN + f64::from(*rank) * OP_PITCH;
        op.3 = *width;
    }
    unit.ops = summary(&rows::op_names(record, &numbers));
    if unit.call.is_none() {
        // An op alone is its box.
        let width = widths.first().copied().unwrap_or(60.0);
        unit.sizes = [(width, OP_HEIGHT); 2];
        return;
    }
    let text = unit
        .title
        .chars()
        .count()
        .max(unit.ops.chars().count().min(34));
    let folded = (text as f64 * 6.6 + 24.0).clamp(96.0, 250.0);
    let width = (right - left + 2.0 * MARGIN).max(unit.title.chars().count() as f64 * 7.2 + 90.0);
    let height = TITLE + 2.0 * MARGIN + f64::from(last) * OP_PITCH + OP_HEIGHT;
    let shift = ((width - (right - left + 2.0 * MARGIN)) / 2.0).round();
    for op in &mut unit.nodes {
        op.1 += shift;
    }
    unit.sizes = [
        (folded.round(), FOLDED_HEIGHT),
        (width.round(), height.round()),
    ];
}

/// The first names, and how many there are more.
fn summary(names: &[String]) -> String {
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        if number > 0 && text.chars().count() + name.chars().count() > 30 {
            return format!("{text} +{}", names.len() - number);
        }
        if number > 0 {
            text.push_str(", ");
        }
        text.push_str(name);
    }
    text
}

fn width(record: &CompilationRecord, node: u32) -> f64 {
    let Some(node) = record.nodes.get(node as usize) else {
        return 60.0;
    };
    let name = format::short(&node.name).chars().count() as f64 * 7.4;
    let types = node.results.chars().count() as f64 * 6.1;
    (name.max(types) + 18.0).clamp(56.0, 210.0).round()
}
