//! The body of an elementwise op on vectors instead of scalars.
//!
//! ```mlir
//! %0 = arith.addf %x, %y : f32
//! ```
//!
//! becomes, for 16 elements with a uniform `%y`,
//!
//! ```mlir
//! %y16 = vector.broadcast %y : f32 to vector<16xf32>
//! %0 = arith.addf %x16, %y16 : vector<16xf32>
//! ```

use super::prelude::*;
use halo_ir::prelude::*;

/// Returns true if an op can be vectorized: arithmetic with one scalar result.
pub fn has_vectors(op: Operation) -> bool {
    let types = op.result_types();
    op.name().starts_with("arith.")
        && types.len() == 1
        && types.iter().all(|ty| ty.element_type() == *ty)
}

/// Returns true if an op can be vectorized, and takes about as long as an addition.
pub fn is_cheap_on_vectors(op: Operation) -> bool {
    let divides = matches!(
        op.name(),
        arith::DivFOp::NAME
            | arith::DivSIOp::NAME
            | arith::DivUIOp::NAME
            | arith::RemFOp::NAME
            | arith::RemSIOp::NAME
            | arith::RemUIOp::NAME
            | arith::FloorDivSIOp::NAME
            | arith::CeilDivSIOp::NAME
            | arith::CeilDivUIOp::NAME
    );
    let is_index = op.result_types().iter().any(|ty| ty.is_index());
    has_vectors(op) && (!divides || is_index)
}

/// Returns true if the elements of an access along a loop are contiguous or uniform.
pub fn lies_along(access: &Access, dim: usize) -> bool {
    access.padding.is_none()
        && match access.stride(dim) {
            0 => true,
            1 => {
                let element = access.value.ty().element_type();
                let last = access.indices.last();
                last.is_some_and(|last| last.coefficient(dim) == 1)
                    && element.bit_width().is_some_and(|bits| bits >= 8)
            }
            _ => false,
        }
}

/// Loads elements of a contiguous or uniform access: a vector or a scalar.
pub fn load<'c>(
    builder: &Builder<'c>,
    access: &Access<'c>,
    dim: usize,
    ivs: &[Value<'c>],
    count: i64,
) -> Value<'c> {
    if access.stride(dim) == 0 {
        return access.load(builder, ivs);
    }
    let indices = access.indices_at(builder, ivs);
    let ty = vector_type(&[count], access.value.ty().element_type());
    vector::load(builder, access.view(builder), &indices, ty)
}

/// Emits a body on vectors, and returns the yielded vectors. All its ops can be vectorized, and
/// `map` maps its arguments to vectors of `count` elements or to uniform scalars.
pub fn emit<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    map: &mut ValueMap<'c>,
    count: i64,
) -> Vec<Value<'c>> {
    let terminator = nest.body.terminator();
    for op in nest.body.operations() {
        if Some(op) != terminator {
            emit_op(builder, op, map, count);
        }
    }
    operands(builder, terminator, map, count)
}

/// The operands of a terminator as vectors.
pub fn operands<'c>(
    builder: &Builder<'c>,
    terminator: Option<Operation<'c>>,
    map: &ValueMap<'c>,
    count: i64,
) -> Vec<Value<'c>> {
    let yielded = terminator.map(Operation::operands).unwrap_or_default();
    yielded
        .into_iter()
        .map(|value| as_vector(builder, mapped(map, value), count))
        .collect()
}

/// Clones an op, on vectors if an operand is a vector.
pub fn emit_op<'c>(builder: &Builder<'c>, op: Operation<'c>, map: &mut ValueMap<'c>, count: i64) {
    let operands: Vec<Value> =
        op.operands().into_iter().map(|operand| mapped(map, operand)).collect();
    if !operands.iter().any(|operand| is_vector(*operand)) {
        builder.clone_op(op, map);
        return;
    }
    let operands = operands
        .into_iter()
        .map(|operand| as_vector(builder, operand, count))
        .collect::<Vec<_>>();
    let result = op.results()[0];
    let mut copy = (builder.op(op.name()))
        .operands(&operands)
        .result(vector_type(&[count], result.ty()));
    for (name, attribute) in op.attributes() {
        copy = copy.attribute(name, attribute);
    }
    map.insert(result.key(), copy.value());
}

fn is_vector(value: Value) -> bool {
    value.ty().element_type() != value.ty()
}

/// A vector unchanged, and a scalar broadcast to all lanes.
pub fn as_vector<'c>(builder: &Builder<'c>, value: Value<'c>, count: i64) -> Value<'c> {
    if is_vector(value) {
        value
    } else {
        vector::broadcast(builder, value, vector_type(&[count], value.ty()))
    }
}

/// The first and the second half of a vector with `lanes` lanes.
pub fn halves<'c>(builder: &Builder<'c>, vector: Value<'c>, count: i64) -> (Value<'c>, Value<'c>) {
    let (low, high): (Vec<i64>, Vec<i64>) =
        ((0..count / 2).collect(), (count / 2..count).collect());
    (
        vector::shuffle(builder, vector, vector, &low),
        vector::shuffle(builder, vector, vector, &high),
    )
}
