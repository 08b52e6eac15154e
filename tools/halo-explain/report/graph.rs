//! The graph of the program: a box for each kernel, with its ops in it, which is folded or
//! not. Both states are laid out here; the page moves boxes of a row apart where single ones
//! are unfolded.

use super::{
    buffers, format,
    layout::layout,
    names,
    rows::{self, Row},
};
use halo_runtime::compilation_record::{CompilationRecord, Node};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// How many nodes a node without a call is read through to.
const MOST_SOURCES: usize = 16;
/// How deep nodes in regions are looked at.
const DEEPEST: usize = 64;

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

/// An op in its box: its node, or an argument of the entry as `-1 - number`, its middle from the
/// left, its top, and its width.
#[derive(Debug, Serialize)]
pub struct OpBox(pub i32, pub f64, pub f64, pub f64);

/// A line between boxes.
#[derive(Debug, Serialize)]
pub struct Line {
    pub from: u32,
    pub to: u32,
    /// The rows that it crosses, and where, if all boxes are folded, and if none is.
    pub points: Vec<(u32, f64, f64)>,
    /// The nodes that write and read the values, or arguments as in [`OpBox`].
    pub nodes: Vec<(i32, i32)>,
}

/// The lines between boxes, with the nodes at their ends.
type Lines = BTreeMap<(u32, u32), Vec<(i32, i32)>>;

/// Lays out the graph of a program.
pub fn graph(record: &CompilationRecord, rows: &[Row]) -> Graph {
    let (unit_of_node, mut boxes) = units(record, rows);
    let mut lines = lines(record, &unit_of_node, &boxes);
    add_helpers(record, &unit_of_node, &boxes, &mut lines);
    if record.calls.is_empty() {
        add_argument_boxes(record, &unit_of_node, &mut boxes, &mut lines);
    }
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
/// A node is drawn in the box of one of the calls that it is a part of ([`main_call`]); calls
/// that have no node then have boxes without ops. A node that is a part of none, such as a constant or a reshape that only names its buffer anew, is drawn with the
/// first of its readers, or with what it reads. What is in the region of a node with a call,
/// such as the body of a reduction, is a part of that node.
fn units(record: &CompilationRecord, rows: &[Row]) -> (Vec<Option<u32>>, Vec<Unit>) {
    let row_of_calls = rows::row_of_calls(rows, record.calls.len());
    let mut unit_of_node: Vec<Option<u32>> = vec![None; record.nodes.len()];
    let mut unit_of_call: HashMap<u32, u32> = HashMap::new();
    let mut boxes: Vec<Unit> = Vec::new();
    let mut without_call = Vec::new();
    let cost = |call: u32| {
        let row = row_of_calls.get(call as usize).copied().flatten();
        row.map_or(0.0, |row| rows[row as usize].cost())
    };
    for (number, node) in record.nodes.iter().enumerate() {
        if rows::is_end(node) || is_in_body(record, node) {
            continue;
        }
        let Some(call) = main_call(record, node, &cost) else {
            without_call.push(number as u32);
            continue;
        };
        let unit = *unit_of_call.entry(call).or_insert_with(|| {
            boxes.push(unit_of(record, call, row_of_calls[call as usize]));
            boxes.len() as u32 - 1
        });
        unit_of_node[number] = Some(unit);
    }
    for (number, call) in record.calls.iter().enumerate() {
        let number = number as u32;
        if !call.nodes.is_empty() && !unit_of_call.contains_key(&number) {
            unit_of_call.insert(number, boxes.len() as u32);
            boxes.push(unit_of(record, number, row_of_calls[number as usize]));
        }
    }
    place_others(record, without_call, &mut unit_of_node, &mut boxes);
    for (number, unit) in unit_of_node.iter().enumerate() {
        if let Some(unit) = unit {
            boxes[*unit as usize]
                .nodes
                .push(OpBox(number as i32, 0.0, 0.0, 0.0));
        }
    }
    for unit in &mut boxes {
        add_arguments(unit, record);
    }
    (unit_of_node, boxes)
}

/// Adds the arguments of the entry that the ops of a kernel read. Each kernel has a box of its own
/// for an argument: one for all would have lines across the whole graph. An argument that another
/// call of an op takes, such as one that packs it, is drawn there.
fn add_arguments(unit: &mut Unit, record: &CompilationRecord) {
    let Some(call) = unit.call else {
        // An op alone is its box.
        return;
    };
    let number_of = |operand: &i32| {
        let number = usize::try_from(-1 - i64::from(*operand)).ok();
        number.filter(|number| *number < record.arguments.len())
    };
    let takes = |call: u32, argument: usize| {
        let name = format!("argument {argument}");
        let call = record.calls.get(call as usize);
        call.is_some_and(|call| call.buffers.iter().any(|buffer| buffer.name == name))
    };
    let nodes = unit.nodes.iter();
    let nodes = nodes.filter_map(|OpBox(node, ..)| record.nodes.get(usize::try_from(*node).ok()?));
    let nodes: Vec<&Node> = nodes.collect();
    let is_taken_by_another = |argument: usize| {
        let mut calls = nodes.iter().flat_map(|node| &node.calls);
        !takes(call, argument) && calls.any(|call| takes(*call, argument))
    };
    let operands = nodes.iter().flat_map(|node| node.operands.iter().copied());
    let own =
        operands.filter(|operand| number_of(operand).is_some_and(|it| !is_taken_by_another(it)));
    let mut arguments: BTreeSet<i32> = own.collect();
    if nodes.is_empty() {
        // It works for an op that is drawn elsewhere.
        let all = (0..record.arguments.len()).filter(|argument| takes(call, *argument));
        arguments.extend(all.filter_map(|argument| Some(-1 - i32::try_from(argument).ok()?)));
    }
    let boxes = arguments.into_iter().map(|it| OpBox(it, 0.0, 0.0, 0.0));
    unit.nodes.extend(boxes);
}

fn unit_of(record: &CompilationRecord, call: u32, row: Option<u32>) -> Unit {
    let data = &record.calls[call as usize];
    Unit {
        call: Some(call),
        row,
        title: format::plain(&data.name),
        ops: summary(&rows::op_names(record, &data.nodes)),
        ..Unit::default()
    }
}

/// The call that a node is drawn with. Calls that are named after it come before others, then
/// the first that computes it with others; of those that compute it alone, such as a product
/// and what fills and packs buffers for it, the one that costs the most.
fn main_call(record: &CompilationRecord, node: &Node, cost: &dyn Fn(u32) -> f64) -> Option<u32> {
    let data = |call: u32| record.calls.get(call as usize);
    let is_named_after = |call: u32| {
        let mut ops = node
            .origins
            .iter()
            .filter_map(|op| record.ops.get(*op as usize));
        let callers = node.callers.iter();
        let callers = callers.filter_map(|op| record.ops.get(*op as usize));
        data(call).is_some_and(|call| {
            ops.any(|op| op.location == call.location)
                && callers.map(|op| &op.location).eq(&call.callers)
        })
    };
    let exist = node
        .calls
        .iter()
        .copied()
        .filter(|call| data(*call).is_some());
    let mut calls: Vec<u32> = exist.collect();
    if calls.iter().any(|call| is_named_after(*call)) {
        calls.retain(|call| is_named_after(*call));
    }
    let is_shared = |call: &&u32| data(**call).is_some_and(|call| call.nodes.len() > 1);
    let with_others = calls.iter().find(is_shared).copied();
    let costs_most = || {
        calls
            .iter()
            .max_by(|one, other| cost(**one).total_cmp(&cost(**other)))
    };
    with_others.or_else(|| costs_most().copied())
}

/// Finds the boxes of nodes that are a part of no call.
fn place_others(
    record: &CompilationRecord,
    nodes: Vec<u32>,
    unit_of_node: &mut [Option<u32>],
    boxes: &mut Vec<Unit>,
) {
    let readers = buffers::readers(record);
    let unit = |units: &[Option<u32>], node: u32| units.get(node as usize).copied().flatten();
    let mut left = Vec::new();
    // Readers are behind what they read, and may have no call either.
    for number in nodes.into_iter().rev() {
        let mut readers = readers.get(number as usize).into_iter().flatten();
        match readers.find_map(|reader| unit(unit_of_node, *reader)) {
            Some(found) => unit_of_node[number as usize] = Some(found),
            None => left.push(number),
        }
    }
    for number in left.into_iter().rev() {
        let operands = &record.nodes[number as usize].operands;
        let mut operands = operands.iter().filter_map(|it| u32::try_from(*it).ok());
        let found = operands.find_map(|operand| unit(unit_of_node, operand));
        let found = found.filter(|unit| boxes[*unit as usize].call.is_some());
        unit_of_node[number as usize] = Some(found.unwrap_or_else(|| {
            boxes.push(Unit::default());
            boxes.len() as u32 - 1
        }));
    }
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

/// The lines between boxes, with the nodes at their ends.
///
/// A kernel reads what other kernels computed: lines go around nodes without a call, and what
/// a kernel computes anew it does not read.
fn lines(record: &CompilationRecord, unit_of_node: &[Option<u32>], boxes: &[Unit]) -> Lines {
    let unit = |node: u32| unit_of_node.get(node as usize).copied().flatten();
    let is_in = |node: u32, unit: u32| {
        let call = boxes[unit as usize].call;
        call.is_some_and(|call| record.nodes[node as usize].calls.contains(&call))
    };
    let sources = sources(record);
    let mut lines = Lines::new();
    let mut add = |from: u32, reader: u32| {
        let (Some(first), Some(second)) = (unit(from), unit(reader)) else {
            return;
        };
        if first != second && !is_in(from, second) {
            let nodes = lines.entry((first, second)).or_default();
            let pair = (from as i32, reader as i32);
            if nodes.len() < MOST_OPS_OF_LINE && !nodes.contains(&pair) {
                nodes.push(pair);
            }
        }
    };
    for (number, node) in record.nodes.iter().enumerate() {
        // A body reads for the node that it belongs to.
        let parents = std::iter::successors(Some(number as u32), |node| {
            record.nodes.get(*node as usize)?.parent
        });
        let Some(reader) = parents.take(DEEPEST).find(|node| unit(*node).is_some()) else {
            continue;
        };
        let operands = node
            .operands
            .iter()
            .filter_map(|operand| u32::try_from(*operand).ok());
        for operand in operands.chain(node.parent) {
            // Within a box, ops are joined by lines of their own.
            if unit(operand) != unit(reader) {
                for source in sources.get(operand as usize).into_iter().flatten() {
                    add(*source, reader);
                }
            }
        }
    }
    lines
}

/// The nodes with calls that the value of each node comes from.
pub fn sources(record: &CompilationRecord) -> Vec<Vec<u32>> {
    let has_calls = !record.calls.is_empty();
    let mut sources: Vec<Vec<u32>> = Vec::with_capacity(record.nodes.len());
    for (number, node) in record.nodes.iter().enumerate() {
        let mut own = BTreeSet::new();
        if !has_calls || !node.calls.is_empty() {
            own.insert(number as u32);
        } else {
            // Operands are before the nodes that read them.
            let operands = node
                .operands
                .iter()
                .filter_map(|it| usize::try_from(*it).ok());
            let read = operands.filter_map(|operand| sources.get(operand));
            own.extend(read.flatten().take(MOST_SOURCES));
        }
        sources.push(own.into_iter().collect());
    }
    sources
}

/// Adds boxes of the arguments of a program without kernels, and lines to the ops that read them.
fn add_argument_boxes(
    record: &CompilationRecord,
    unit_of_node: &[Option<u32>],
    boxes: &mut Vec<Unit>,
    lines: &mut Lines,
) {
    let mut unit_of_argument: BTreeMap<i32, u32> = BTreeMap::new();
    for (number, node) in record.nodes.iter().enumerate() {
        let Some(reader) = unit_of_node.get(number).copied().flatten() else {
            continue;
        };
        for argument in node.operands.iter().copied().filter(|it| *it < 0) {
            let unit = *unit_of_argument.entry(argument).or_insert_with(|| {
                boxes.push(Unit {
                    nodes: vec![OpBox(argument, 0.0, 0.0, 0.0)],
                    ..Unit::default()
                });
                boxes.len() as u32 - 1
            });
            let pair = (argument, number as i32);
            lines.entry((unit, reader)).or_default().push(pair);
        }
    }
}

/// Adds lines between the boxes of calls that have no ops of their own and the boxes of the
/// ops that they work for, in the order of the calls.
fn add_helpers(
    record: &CompilationRecord,
    unit_of_node: &[Option<u32>],
    boxes: &[Unit],
    lines: &mut Lines,
) {
    for (number, unit) in boxes
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.nodes.iter().all(|OpBox(node, ..)| *node < 0))
    {
        let Some(call) = unit.call else { continue };
        let nodes = record.calls[call as usize].nodes.iter();
        let main = nodes.filter_map(|node| unit_of_node.get(*node as usize).copied().flatten());
        for main in main.collect::<BTreeSet<u32>>() {
            let is_before = boxes[main as usize].call.is_none_or(|main| call <= main);
            let ends = match is_before {
                true => (number as u32, main),
                false => (main, number as u32),
            };
            lines.entry(ends).or_default();
        }
    }
}

/// Places the ops of a box and finds its sizes.
fn fill(unit: &mut Unit, record: &CompilationRecord) {
    unit.nodes.sort_by_key(|OpBox(node, ..)| *node);
    let numbers: Vec<i32> = unit.nodes.iter().map(|OpBox(node, ..)| *node).collect();
    let position: HashMap<i32, u32> = numbers
        .iter()
        .enumerate()
        .map(|(index, node)| (*node, index as u32))
        .collect();
    let widths: Vec<f64> = numbers.iter().map(|node| width(record, *node)).collect();
    let mut lines = Vec::new();
    for (index, node) in numbers.iter().enumerate() {
        let node = usize::try_from(*node).ok();
        let node = node.and_then(|node| record.nodes.get(node));
        for operand in node.into_iter().flat_map(|node| &node.operands) {
            if let Some(from) = position.get(operand) {
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
    if unit.call.is_none() {
        // An op alone is its box.
        let width = widths.first().copied().unwrap_or(60.0);
        unit.sizes = [(width, OP_HEIGHT); 2];
        return;
    }
    let characters = |text: &str| text.chars().count() as f64;
    let folded = (characters(&unit.title) * 7.4 + 40.0).max(characters(&unit.ops) * 6.1 + 24.0);
    let folded = folded.clamp(140.0, 270.0);
    if numbers.is_empty() {
        // There is nothing to unfold.
        unit.sizes = [(folded.round(), FOLDED_HEIGHT); 2];
        return;
    }
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

fn width(record: &CompilationRecord, node: i32) -> f64 {
    let texts = match usize::try_from(node) {
        Ok(node) => record.nodes.get(node).map(|node| {
            let title = names::title(&node.name, &node.applied);
            (title.chars().count(), node.results.chars().count())
        }),
        Err(_) => usize::try_from(-1 - i64::from(node))
            .ok()
            .and_then(|number| {
                let argument = record.arguments.get(number)?;
                Some((
                    argument.name.chars().count(),
                    argument.r#type.chars().count(),
                ))
            }),
    };
    let (name, types) = texts.unwrap_or_default();
    let width = (name as f64 * 7.4).max(types as f64 * 6.1) + 18.0;
    width.clamp(56.0, 210.0).round()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use halo_runtime::compilation_record::{CallBuffer, CallPurpose, KernelCall};

    /// A weight that a call packs is drawn there, not where the product reads what was packed.
    #[test]
    fn arguments_are_in_the_kernels_that_read_them() {
        let mut record = samples::program(12);
        let pack = record.calls.len() as u32;
        record.calls[0].buffers.retain(|it| it.name != "argument 0");
        let buffer = |name: &str| CallBuffer {
            name: name.to_owned(),
            ..CallBuffer::default()
        };
        record.calls.push(KernelCall {
            purpose: CallPurpose::Pack,
            name: "main_pack_0".to_owned(),
            nodes: vec![1],
            buffers: vec![buffer("argument 0"), buffer("arena")],
            ..KernelCall::default()
        });
        record.nodes[1].calls.push(pack);
        let graph = graph(&record, &rows::rows(&record));
        let arguments = |call: u32| {
            let mut boxes = graph.boxes.iter().enumerate();
            let (number, unit) = boxes.find(|(_, it)| it.call == Some(call)).unwrap();
            let nodes = unit.nodes.iter().map(|OpBox(node, ..)| *node);
            let arguments = nodes.filter(|node| *node < 0);
            (number as u32, arguments.collect::<Vec<i32>>())
        };
        let (packing, own) = arguments(pack);
        assert_eq!(own, [-1]);
        let (product, own) = arguments(0);
        assert_eq!(own, [-2]);
        let mut ends = graph.lines.iter().map(|line| [line.from, line.to]);
        assert!(ends.any(|ends| ends.contains(&packing) && ends.contains(&product)));
    }
}
