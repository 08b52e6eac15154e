//! Values that one kernel writes and another one reads: why their ops are not in one kernel.
//!
//! A pass that looks at two ops and leaves them says so in a remark. Many pairs no pass looks at,
//! since one of both is of a kind that the pass does not join with others; the rule is told
//! here. What kernels write that compute nothing, copies of operands and values that sums begin
//! with, are in [`copies`](super::copies).

use super::{
    copies, format,
    fusion::{Fusion, Refusal},
    names, rows,
};
use halo_runtime::compilation_record::{CallKind, CompilationRecord, NodeNumber};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// How many are listed, the largest values first.
const MOST: usize = 4000;

/// A value between two kernels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// The op that computes it, and one that reads it; the same op for what is copied for it.
    pub from: NodeNumber,
    pub to: NodeNumber,
    /// Both, with their kernels, in words.
    pub text: String,
    /// Why they are apart.
    pub reasons: Vec<String>,
    /// Whether these are remarks of passes.
    pub is_told: bool,
    /// The size of the value.
    #[serde(skip)]
    pub bytes: u64,
}

/// The values between kernels, the largest first.
pub fn edges(record: &CompilationRecord, fusion: &Fusion) -> Vec<Edge> {
    let mut pairs: Vec<(NodeNumber, NodeNumber)> = Vec::new();
    for (number, node) in (0..).zip(&record.nodes) {
        if node.calls.is_empty() || rows::is_end(node) {
            continue;
        }
        let readers = fusion.readers(&[number]).into_iter();
        let apart = readers.filter(|reader| {
            let calls = &record.nodes[*reader as usize].calls;
            !calls.iter().any(|call| node.calls.contains(call))
        });
        pairs.extend(apart.map(|reader| (number, reader)));
    }
    let bytes = |node: NodeNumber| record.nodes[node as usize].bytes;
    pairs.sort_by_key(|(from, _)| std::cmp::Reverse(bytes(*from)));
    pairs.truncate(MOST);
    let refusals = fusion.refusals();
    let edges = pairs.into_iter().map(|(from, to)| {
        let told = said_of(&refusals, from, to);
        let is_told = !told.is_empty();
        Edge {
            from,
            to,
            text: text(record, from, to),
            reasons: match is_told {
                true => told,
                false => vec![rule(record, from, to)],
            },
            is_told,
            bytes: bytes(from),
        }
    });
    let mut edges: Vec<Edge> = edges.chain(copies::edges(record)).collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.bytes));
    edges.truncate(MOST);
    edges
}

/// A value with the kernel that writes it and the one that reads it, and what calls of these touch
/// of it.
fn text(record: &CompilationRecord, from: NodeNumber, to: NodeNumber) -> String {
    let name = |call: Option<u32>| {
        let call = call.and_then(|call| record.calls.get(call as usize));
        call.map_or_else(String::new, |call| format::plain(&call.name))
    };
    let (writer, last) = (main_call(record, from), main_call(record, to));
    let read = writer.and_then(|writer| copies::read(record, writer, to));
    let reader = read.as_ref().map(|read| read.reader).or(last);
    let copied = match reader == last {
        true => String::new(),
        false => format!("{}, which copies it for ", name(reader)),
    };
    let size = format::size(record.nodes[from as usize].bytes);
    let parts = read.map_or_else(String::new, |read| read.parts);
    format!(
        "{} of {}, {size}, is read by {copied}{} of {}{parts}",
        names::node(record, from),
        name(writer),
        names::node(record, to),
        name(last)
    )
}

/// What passes said, in the end, of an op and one that reads its result, each once.
fn said_of(
    refusals: &HashMap<NodeNumber, Vec<Refusal<'_>>>,
    from: NodeNumber,
    to: NodeNumber,
) -> Vec<String> {
    let of = |node| refusals.get(&node).into_iter().flatten();
    let of_first = of(from).filter(|it| it.is_of_itself || it.partners.contains(&to));
    let of_second = of(to).filter(|it| it.partners.contains(&from));
    let mut found: Vec<String> = Vec::new();
    for refusal in of_first.chain(of_second) {
        if !found.iter().any(|known| known == refusal.message) {
            found.push(refusal.message.to_owned());
        }
    }
    found
}

/// The call that computes a node: the last one of its calls, before which are those that fill or
/// pack for it.
fn main_call(record: &CompilationRecord, node: NodeNumber) -> Option<u32> {
    let calls = &record.nodes.get(node as usize)?.calls;
    let calls = calls.iter().rev().copied();
    let mut calls = calls.filter(|call| (*call as usize) < record.calls.len());
    calls.next()
}

/// Why no pass looks at a pair.
fn rule(record: &CompilationRecord, from: NodeNumber, to: NodeNumber) -> String {
    let node = |number: NodeNumber| &record.nodes[number as usize];
    let short = |number: NodeNumber| format::short(&node(number).name);
    let is_function = |number: NodeNumber| {
        let call = main_call(record, number).and_then(|call| record.calls.get(call as usize));
        call.is_some_and(|call| call.kind == CallKind::Function)
    };
    let called = [from, to].into_iter().find(|number| is_function(*number));
    let why = if let Some(called) = called {
        format!(
            "a function computes {}, which is no code of this program",
            short(called)
        )
    } else if reads_again(short(to)) {
        format!(
            "{} reads elements of its operands several times, each for another element of its result, and would compute them as often",
            short(to)
        )
    } else if let Some(between) = between(record, from, to) {
        format!(
            "{} is computed of it in another kernel, and read by {}, too",
            names::node(record, between),
            short(to)
        )
    } else if sums(short(from)) {
        format!(
            "an element of {} is known when the last of its terms is, and these are loops of its own",
            short(from)
        )
    } else {
        loops(record, from, to)
    };
    format!("no pass joins these: {why}")
}

/// What is said of two ops that read elements one by one: whether their loops are others, or ops
/// without code are between them.
fn loops(record: &CompilationRecord, from: NodeNumber, to: NodeNumber) -> String {
    let node = |number: NodeNumber| &record.nodes[number as usize];
    let (writer, reader) = (names::node(record, from), names::node(record, to));
    let way: Vec<String> = without_code(record, from, to)
        .into_iter()
        .map(|number| names::node(record, number))
        .collect();
    let through = match way.is_empty() {
        true => String::new(),
        false => format!(" through {}", way.join(", ")),
    };
    let sizes = elements(&node(from).results).zip(elements(&node(to).results));
    let count = format::count;
    match sizes {
        Some((own, others)) if own < others => format!(
            "their loops are others, of {} elements and of {}: {reader} reads each element of {writer} about {} times{through}, and would compute it as often",
            count(own),
            count(others),
            count(others / own.max(1))
        ),
        Some((own, others)) if own > others => format!(
            "their loops are others, of {} elements and of {}: {reader} reads a part of {writer}{through}",
            count(own),
            count(others)
        ),
        _ if !way.is_empty() => {
            format!("other ops are between them: {reader} reads elements of other places{through}")
        }
        Some((own, _)) => format!(
            "their loops are alike, of {} elements, and no op is between them: no pass says why",
            count(own)
        ),
        None => "their sizes are not known before the program runs".to_owned(),
    }
}

/// How many elements the first result of a node has: `f32[2,3]` and `tensor<2x3xf32>` have 6.
fn elements(results: &str) -> Option<u64> {
    let sizes: Vec<&str> = match results.split_once("tensor<") {
        Some((_, inside)) => {
            let inside = inside.split('>').next()?;
            let (sizes, _) = inside.rsplit_once('x').unwrap_or_default();
            sizes.split('x').collect()
        }
        None => results
            .split_once('[')?
            .1
            .split(']')
            .next()?
            .split(',')
            .collect(),
    };
    let mut sizes = sizes.into_iter().filter(|size| !size.is_empty());
    sizes.try_fold(1_u64, |all, size| all.checked_mul(size.parse().ok()?))
}

/// The ops without code by which an op reads another one, the nearest to that first.
fn without_code(record: &CompilationRecord, from: NodeNumber, to: NodeNumber) -> Vec<NodeNumber> {
    let operands = |number: NodeNumber| {
        let operands = record.nodes.get(number as usize).map(|node| &node.operands);
        let operands = operands.into_iter().flatten();
        operands.filter_map(|it| NodeNumber::try_from(*it).ok())
    };
    let has_no_code = |number: &NodeNumber| {
        let node = record.nodes.get(*number as usize);
        node.is_some_and(|node| node.calls.is_empty())
    };
    let mut pending: Vec<Vec<NodeNumber>> = vec![Vec::new()];
    let mut seen = BTreeSet::new();
    while let Some(way) = pending.pop() {
        let reader = way.last().copied().unwrap_or(to);
        for operand in operands(reader).filter(|operand| *operand >= from) {
            if operand == from {
                return way.into_iter().rev().collect();
            }
            if has_no_code(&operand) && seen.len() < LOOKED_AT && seen.insert(operand) {
                pending.push(way.iter().copied().chain([operand]).collect());
            }
        }
    }
    Vec::new()
}

/// How many ops are looked at for one that is between two others.
const LOOKED_AT: usize = 400;

/// An operand of an op that is computed of another one in a third kernel.
fn between(record: &CompilationRecord, from: NodeNumber, to: NodeNumber) -> Option<NodeNumber> {
    let node = |number: NodeNumber| record.nodes.get(number as usize);
    let shares = |number: NodeNumber, other: NodeNumber| {
        let calls = node(number).map_or(&[][..], |node| &node.calls);
        let others = node(other).map_or(&[][..], |node| &node.calls);
        calls.iter().any(|call| others.contains(call))
    };
    let operands = |number: NodeNumber| {
        let operands = node(number).map_or(&[][..], |node| &node.operands);
        operands
            .iter()
            .filter_map(|it| NodeNumber::try_from(*it).ok())
    };
    // From the reader back to the value: operands are before the nodes that read them.
    let mut pending: Vec<(NodeNumber, Option<NodeNumber>)> = vec![(to, None)];
    let mut seen = BTreeSet::new();
    while let Some((number, third)) = pending.pop() {
        for operand in operands(number).filter(|it| *it >= from) {
            if operand == from && third.is_some() {
                return third;
            }
            let is_third = !shares(operand, from) && !shares(operand, to);
            let has_call = node(operand).is_some_and(|node| !node.calls.is_empty());
            let third = third.or((is_third && has_call).then_some(operand));
            if operand != from && seen.len() < LOOKED_AT && seen.insert((operand, third)) {
                pending.push((operand, third));
            }
        }
    }
    None
}

/// Whether an op reads elements of its operands for several elements of its result.
fn reads_again(name: &str) -> bool {
    matches!(
        name,
        "convolution" | "dot_general" | "dot" | "reduce_window" | "select_and_scatter"
    )
}

/// Whether an element of the result of an op is made of several of its operands.
fn sums(name: &str) -> bool {
    reads_again(name) || name == "reduce"
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn all_values_between_kernels_have_a_reason() {
        let mut record = samples::program(24);
        // The product of the second layer reads what the first one ends with.
        let product = 13;
        assert_eq!(record.nodes[product].name, "stablehlo.dot_general");
        record.remarks[0].message = "is not fused into its user: it is a reduction".to_owned();
        record.remarks[0].nodes = vec![3];
        record.remarks[0].notes.clear();
        let edges = edges(&record, &Fusion::new(&record));
        let of = |from, to| edges.iter().find(|it| (it.from, it.to) == (from, to));
        let edge = of(11, 13).unwrap();
        assert_eq!(
            (&edge.text[..], edge.is_told),
            (
                "multiply (line 13) of main_kernel_2, 65.54 kB, is read by dot_general (line 15) of main_kernel_3",
                false
            )
        );
        assert!(edge.reasons[0].starts_with(
            "no pass joins these: dot_general reads elements of its operands several times"
        ));
        let edge = of(3, 4).unwrap();
        assert_eq!(
            (&edge.reasons[0][..], edge.is_told),
            ("is not fused into its user: it is a reduction", true)
        );
        // Ops of one element after the other: no loops are told apart by a rule for their kind.
        record.nodes[6].results = "f32[64]".to_owned();
        record.nodes[9].results = "f32[64,256]".to_owned();
        record.nodes[8].calls.clear();
        record.nodes[8].operands = vec![6];
        record.nodes[9].operands = vec![8];
        record.nodes[9].calls = vec![3];
        assert_eq!(
            rule(&record, 6, 9),
            "no pass joins these: their loops are others, of 64 elements and of 16\u{202f}384: \
             subtract (line 11) reads each element of add (line 8) about 256 times through \
             broadcast_in_dim (line 10), and would compute it as often"
        );
        record.nodes[9].results = "f32[8,8]".to_owned();
        assert_eq!(
            rule(&record, 6, 9),
            "no pass joins these: other ops are between them: subtract (line 11) reads elements \
             of other places through broadcast_in_dim (line 10)"
        );
        assert_eq!(
            [
                "tensor<2x3xf32>",
                "f32[2,3]",
                "f32[]",
                "tensor<f32>",
                "f32[?]"
            ]
            .map(elements),
            [Some(6), Some(6), Some(1), Some(1), None]
        );
        // Within a kernel there are none.
        assert!(of(1, 3).is_none());
        for it in &edges {
            assert!(!it.reasons.is_empty(), "{it:?}");
        }
    }
}
