//! Pieces: each product and convolution of a program as a program, which is measured alone.
//!
//! ```mlir
//! %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ...
//! %1 = stablehlo.broadcast_in_dim %b, dims = [1] : ...
//! %2 = stablehlo.add %0, %1 : ...
//! %3 = stablehlo.reduce(%2 init: %zero) ...
//! ```
//!
//! is the piece
//!
//! ```mlir
//! func.func @piece(%x: ..., %w: ..., %b: ...) -> ... {
//!   ... the first three ops
//!   return %2
//! }
//! ```
//!
//! A piece has the ops that are fused with the product: the layout of its operands before it, and
//! the elementwise ops that alone read its result. Large constants are arguments.

use halo_codegen::conversion::scalar::is_elementwise;
use halo_cost::op_cost::{bytes_of, flops_of};
use halo_ir::{edit_module, prelude::*};
use melior::ir::{Module, r#type::FunctionType};
use std::collections::HashSet;

/// The most ops that follow the product in a piece.
const READERS: usize = 8;
/// Constants of more bytes are arguments.
const CONSTANT_BYTES: u64 = 16 << 20;
/// Pieces with more bytes of arguments and results are not measured.
const PIECE_BYTES: u64 = 1 << 30;
/// Pieces with less of a program's operations, in percent, are not measured.
const LEAST_SHARE: u64 = 1;

/// The piece of one or several products.
pub struct Piece {
    /// The program.
    pub code: String,
    /// The operations of all the products.
    pub flops: u64,
}

/// The pieces of a program after the phase `hlo` that take most of its operations, largest first.
pub fn pieces(module: &mut Module<'_>) -> Vec<Piece> {
    let mut pieces = edit_module(module, |module| {
        let mut pieces: Vec<Piece> = Vec::new();
        for product in module.collect_nested(is_product) {
            let Some(code) = code_of(product) else {
                continue;
            };
            let flops = flops_of(product).arithmetic;
            match pieces.iter_mut().find(|piece| piece.code == code) {
                Some(piece) => piece.flops += flops,
                None => pieces.push(Piece { code, flops }),
            }
        }
        pieces
    })
    .unwrap_or_default();
    let all: u64 = pieces.iter().map(|piece| piece.flops).sum();
    pieces.retain(|piece| piece.flops.saturating_mul(100) >= all.saturating_mul(LEAST_SHARE));
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.flops));
    pieces
}

fn is_product(op: Operation) -> bool {
    op.isa::<stablehlo::DotGeneralOp>() || op.isa::<stablehlo::ConvolutionOp>()
}

/// Returns true for an op that moves or converts the elements of its operand.
fn is_layout(op: Operation) -> bool {
    op.isa::<stablehlo::ReshapeOp>()
        || op.isa::<stablehlo::TransposeOp>()
        || op.isa::<stablehlo::BroadcastInDimOp>()
        || op.isa::<stablehlo::ConvertOp>()
        || op.isa::<stablehlo::ReverseOp>()
}

/// The ops of a piece in their order, and its arguments.
#[derive(Default)]
struct Slice<'c> {
    ops: Vec<Operation<'c>>,
    arguments: Vec<Value<'c>>,
    seen: HashSet<usize>,
}

impl<'c> Slice<'c> {
    /// Adds a value: the ops that lay it out, down to arguments.
    fn add_operand(&mut self, value: Value<'c>) {
        if !self.seen.insert(value.key()) {
            return;
        }
        let is_part = |op: &Operation<'c>| {
            let is_small = bytes_of(value.ty()).is_some_and(|bytes| bytes <= CONSTANT_BYTES);
            is_layout(*op) || op.isa::<stablehlo::ConstantOp>() && is_small
        };
        match value.defining_op().filter(is_part) {
            Some(op) => {
                op.operands().into_iter().for_each(|operand| self.add_operand(operand));
                self.ops.push(op);
            }
            None => self.arguments.push(value),
        }
    }

    /// Adds an op after its operands.
    fn add(&mut self, op: Operation<'c>) {
        op.operands().into_iter().for_each(|operand| self.add_operand(operand));
        self.seen.extend(op.results().into_iter().map(Value::key));
        self.ops.push(op);
    }
}

/// The program of a product with the ops around it.
fn code_of(product: Operation<'_>) -> Option<String> {
    let mut slice = Slice::default();
    slice.add(product);
    let mut last = product;
    for _ in 0..READERS {
        let Some(reader) = only_reader(last) else {
            break;
        };
        slice.add(reader);
        last = reader;
    }
    let results: Vec<Value> = last.results().into_iter().collect();
    let types: Vec<Type> = slice.arguments.iter().map(|value| value.ty()).collect();
    let mut all = types.iter().copied().chain(results.iter().map(|value| value.ty()));
    let bytes = all.try_fold(0, |sum: u64, ty| sum.checked_add(bytes_of(ty)?))?;
    if bytes > PIECE_BYTES {
        return None;
    }
    let function = product.enclosing::<func::FuncOp>()?;
    Some(with_builder(function.operation(), |builder| {
        let region = builder.region(&types, |builder, arguments| {
            let keys = slice.arguments.iter().map(|value| value.key());
            let mut map: ValueMap = keys.zip(arguments.iter().copied()).collect();
            for op in &slice.ops {
                builder.clone_op(*op, &mut map);
            }
            let results = results.iter().map(|result| mapped(&map, *result));
            func::return_(builder, &results.collect::<Vec<_>>());
        });
        let result_types: Vec<Type> = results.iter().map(|value| value.ty()).collect();
        let ty = FunctionType::new(builder.context(), &types, &result_types);
        let piece = func::FuncOp::build(builder, "piece", ty.into(), region).insert();
        let text = piece.operation().to_string();
        builder.erase(piece.operation());
        text
    }))
}

/// The op that alone reads a result, and is fused with it.
fn only_reader(op: Operation<'_>) -> Option<Operation<'_>> {
    let results = op.results();
    let [result] = results[..] else {
        return None;
    };
    let uses = result.uses();
    let (reader, _) = *uses.first()?;
    let is_same_block = reader.block() == op.block();
    let is_only = uses.iter().all(|(other, _)| *other == reader);
    (is_only && is_same_block && (is_elementwise(reader.name()) || is_layout(reader)))
        .then_some(reader)
}
