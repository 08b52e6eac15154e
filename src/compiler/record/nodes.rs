//! The ops of the entry after the phase `hlo`.

use super::{Node, stamps::Stamp};
use halo_codegen::loops::sizes::size_in_bytes;
use halo_cost::flops::flops;
use halo_ir::{diagnostics::file_line_column, prelude::*};

/// The nodes of an entry, whose ops get stamps with their indices.
pub fn nodes(entry: Operation) -> Vec<Node> {
    let mut nodes = Vec::new();
    let body = entry.body(0);
    add(
        body.map(Block::operations).unwrap_or_default(),
        None,
        &mut nodes,
    );
    nodes
}

/// The bytes of the arguments and of the results of an entry.
pub fn signature_bytes(entry: Operation) -> (u64, u64) {
    let Some(body) = entry.body(0) else {
        return (0, 0);
    };
    let bytes = |values: Vec<Value>| values.iter().map(|value| bytes(value.ty())).sum();
    let end = body.operations().pop();
    (
        bytes(body.arguments()),
        bytes(end.map(Operation::operands).unwrap_or_default()),
    )
}

fn add(ops: Vec<Operation>, parent: Option<u32>, nodes: &mut Vec<Node>) {
    for op in ops {
        if op.isa::<stablehlo::ReturnOp>() || op.isa::<func::ReturnOp>() {
            continue;
        }
        let number = nodes.len();
        nodes.push(node(op, parent));
        Stamp::Node.put(op, number);
        if is_control_flow(op) {
            for block in op.blocks() {
                add(block.operations(), Some(number as u32), nodes);
            }
        } else {
            for nested in op.collect_nested(|_| true) {
                Stamp::Node.put(nested, number);
            }
        }
    }
}

/// Returns true if the ops of the regions are nodes.
fn is_control_flow(op: Operation) -> bool {
    op.isa::<stablehlo::WhileOp>() || op.isa::<stablehlo::IfOp>() || op.isa::<stablehlo::CaseOp>()
}

fn node(op: Operation, parent: Option<u32>) -> Node {
    let count = flops(op);
    Node {
        name: op.name().to_owned(),
        results: types(&op.results()),
        location: file_line_column(op.location()).unwrap_or_default(),
        parent,
        flops: count.arithmetic,
        transcendentals: count.transcendental,
    }
}

fn types(values: &[Value]) -> String {
    let types = values.iter().map(|value| short_type(value.ty()));
    let types: Vec<String> = types.collect();
    match types.len() {
        0..=3 => types.join(", "),
        count => format!("{}, ... ({count})", types[..2].join(", ")),
    }
}

/// `f32[8,16]` for `tensor<8x16xf32>`, as in HLO text.
fn short_type(of: Type) -> String {
    let Some(shape) = of.static_shape() else {
        return of.to_string();
    };
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("{}[{}]", of.element_type(), sizes.join(","))
}

/// The bytes of a tensor; 0 if unknown.
fn bytes(of: Type) -> u64 {
    let shape = of.static_shape();
    let size = shape.and_then(|shape| size_in_bytes(memref_type(&shape, of.element_type())));
    size.unwrap_or(0)
}
