//! Operands of products that are computed as they are packed or streamed, such as weights of few
//! bits with scales.
//!
//! ```mlir
//! linalg.generic (m, n, k) ins(%x, %w, %s : memref<1x4096xf32>, memref<4096x4096xi8>, memref<64x4096xf32>)
//!     maps (m, k), (k, n), (k floordiv 64, n) {
//!   %0 = arith.sitofp %w : i8 to f32
//!   %1 = arith.mulf %0, %s : f32
//!   %2 = arith.mulf %x, %1 : f32
//!   %3 = arith.addf %out, %2 : f32
//! }
//! ```
//!
//! Wherever a product loads a vector of rhs, it loads a vector of `%w` and one of `%s`, and computes
//! the elements in registers. `--halo-fuse-contraction-operands` moves the computation into the
//! body.

use super::vectors::{load_vector, zero_vector};
use crate::loops::{
    access::Operator,
    contraction::{Body, DirectBody, Multiplicand, Roles},
    lane_offsets::{MOST_LANES, Unrolled, are_adjacent, are_uniform, lane_offsets},
    prelude::*,
    vector_body,
};
use halo_ir::prelude::*;
use std::collections::HashSet;

/// An operand of the multiplication, with its computation in the body.
pub(super) struct ComputedOperand<'c> {
    pub(super) multiplicand: Multiplicand<'c>,
    /// The ops of the body that compute the operand.
    pub(super) operations: Vec<Operation<'c>>,
    /// The operands of the loop nest that the computation uses.
    pub(super) accesses: Vec<usize>,
    /// The operand of the loop nest itself, if nothing is computed.
    pub(super) operand: Option<usize>,
    pub(super) dims: HashSet<usize>,
}

impl<'c> ComputedOperand<'c> {
    /// The computation of a multiplicand, if its body has no regions.
    pub(super) fn of(nest: &LoopNest<'c>, multiplicand: Multiplicand<'c>) -> Option<Self> {
        let mut computed = Self {
            multiplicand,
            operations: Vec::new(),
            accesses: Vec::new(),
            operand: None,
            dims: HashSet::new(),
        };
        let inside: HashSet<usize> =
            nest.body.operations().into_iter().map(Operation::key).collect();
        let mut needed = HashSet::new();
        let mut pending = vec![multiplicand.value];
        while let Some(value) = pending.pop() {
            if let Some((block, number)) = value.as_block_argument() {
                if block == nest.body {
                    if number >= nest.input_count {
                        return None;
                    }
                    if !computed.accesses.contains(&number) {
                        computed.accesses.push(number);
                    }
                }
                continue;
            }
            let operation = value.defining_op()?;
            let key = operation.key();
            if !inside.contains(&key) || !needed.insert(key) {
                continue;
            }
            if let Some(dim) = index_dimension(operation) {
                match nest.origin.get(dim)? {
                    Expr::Dim(dim) => {
                        computed.dims.insert(*dim);
                    }
                    Expr::Constant(_) => {}
                    Expr::Binary(..) => return None,
                }
            }
            let mut contained = false;
            operation.visit(&mut |nested| {
                contained |= nested != operation;
                pending.extend(nested.operands());
            });
            if contained {
                return None;
            }
        }
        computed.operations = nest
            .body
            .operations()
            .into_iter()
            .filter(|operation| needed.contains(&operation.key()))
            .collect();
        for access in &computed.accesses {
            let access = &nest.accesses[*access];
            computed.dims.extend((0..nest.dims.len()).filter(|dim| access.mentions(*dim)));
        }
        if let (true, [operand]) = (computed.operations.is_empty(), &computed.accesses[..]) {
            computed.operand = (!nest.accesses[*operand].scalar).then_some(*operand);
        }
        let element = multiplicand.value.ty().element_type();
        (element.bit_width()? >= 8).then_some(computed)
    }
}

/// An operand with its computation, on vectors along a loop.
#[derive(Clone)]
pub struct Computed<'c> {
    /// The arguments of the body that the computation uses, with their operands.
    inputs: Vec<(Value<'c>, Access<'c>)>,
    operations: Vec<Operation<'c>>,
    value: Value<'c>,
    /// The results of ops that are linear indices, quotients or remainders of them.
    indices: Vec<(Value<'c>, Expr)>,
    /// The largest input, in the order of whose elements the operand is computed.
    main: usize,
    /// The loop along which vectors are computed.
    pub along: usize,
}

/// A contraction with an operand that is computed.
pub struct ComputedContraction<'c> {
    pub contraction: Contraction<'c>,
    pub roles: Roles,
    /// Lhs, rhs and result; for a computed operand, its largest input.
    pub accesses: [Access<'c>; 3],
    /// The computations of lhs and rhs.
    pub computed: [Option<Computed<'c>>; 2],
}

impl<'c> ComputedContraction<'c> {
    /// The contraction of a nest whose body computes operands that vectors can be computed of.
    pub fn of(operation: Operation<'c>, nest: &LoopNest<'c>) -> Option<Self> {
        if nest.outputs().len() != 1 || nest.is_empty() {
            return None;
        }
        let body = Body::of(nest.body)?;
        let sum = nest.body.arguments().last()?.ty();
        let conversions = body.multiplicands.map(|m| m.conversion.map(|(extension, _)| extension));
        let body_of_sums = DirectBody::with_sums(sum, conversions)?;
        let mut accesses = Vec::new();
        let mut computed = Vec::new();
        for multiplicand in body.multiplicands {
            let operand = ComputedOperand::of(nest, multiplicand)?;
            if let Some(number) = operand.operand {
                accesses.push(nest.accesses[number].clone());
                computed.push(None);
                continue;
            }
            let own = Computed::of(nest, &operand)?;
            accesses.push(own.main().clone());
            computed.push(Some(own));
        }
        accesses.push(nest.outputs()[0].clone());
        let nest = LoopNest {
            accesses,
            input_count: 2,
            ..nest.clone()
        };
        let (contraction, roles) = Contraction::of_body(operation, &nest, &body_of_sums)?;
        let accesses = roles.operands.map(|number| nest.accesses[number].clone());
        if roles.operands[LHS] == RHS {
            computed.reverse();
        }
        Some(Self {
            contraction,
            roles,
            accesses,
            computed: computed.try_into().ok()?,
        })
    }
}

impl<'c> Computed<'c> {
    /// The computation of an operand, if its ops have vectors, and a loop of which its inputs are
    /// vectors or scalars.
    fn of(nest: &LoopNest<'c>, operand: &ComputedOperand<'c>) -> Option<Self> {
        let are_on_vectors = |op: &Operation<'c>| {
            index_dimension(*op).is_some() || vector_body::is_cheap_on_vectors(*op)
        };
        if !operand.operations.iter().all(are_on_vectors) {
            return None;
        }
        let arguments = nest.body.arguments();
        let inputs: Vec<(Value, Access)> = (operand.accesses.iter())
            .map(|number| (arguments[*number], nest.accesses[*number].clone()))
            .collect();
        let bytes = |number: &usize| {
            let access = &inputs[*number].1;
            size_in_bytes(access.value.ty()).filter(|_| !access.scalar).unwrap_or_default()
        };
        let main = (0..inputs.len()).max_by_key(bytes)?;
        let largest = &inputs[main].1;
        let has_vectors = |dim: usize| {
            let is_aligned = nest.dims[dim].extent.estimate() % MOST_LANES == 0;
            let is_loaded = |access: &Access| {
                let offsets = lane_offsets(&access.indices, dim, MOST_LANES);
                access.scalar
                    || offsets.is_some_and(|offsets| {
                        is_aligned || are_uniform(&offsets) || are_adjacent(&offsets)
                    })
            };
            let is_across = lane_offsets(&largest.indices, dim, MOST_LANES)
                .is_some_and(|offsets| !are_uniform(&offsets));
            is_across && inputs.iter().all(|(_, access)| is_loaded(access))
        };
        let is_plain = |(_, access): &(Value<'c>, Access<'c>)| {
            let ty = access.ty();
            let element = ty.element_type();
            access.scalar
                || access.padding.is_none()
                    && ty.has_identity_layout()
                    && element.bit_width().is_some_and(|bits| bits >= 8)
        };
        let is_whole = operand.dims.iter().all(|dim| largest.mentions(*dim));
        if largest.scalar || !is_whole || !inputs.iter().all(is_plain) {
            return None;
        }
        let along = (0..nest.dims.len()).find(|dim| has_vectors(*dim))?;
        Some(Self {
            inputs,
            operations: operand.operations.clone(),
            value: operand.multiplicand.value,
            indices: indices(nest, &operand.operations),
            main,
            along,
        })
    }

    fn main(&self) -> &Access<'c> {
        &self.inputs[self.main].1
    }

    /// The number of ops.
    pub fn length(&self) -> usize {
        self.operations.len()
    }

    /// The index that a value is.
    fn index_of(&self, value: Value<'c>) -> Option<&Expr> {
        let mut indices = self.indices.iter();
        indices.find(|(own, _)| *own == value).map(|(_, index)| index)
    }

    /// The type of an element.
    pub fn ty(&self) -> Type<'c> {
        self.value.ty()
    }

    /// The buffers that the computation reads.
    pub fn buffers(&self) -> impl Iterator<Item = Value<'c>> + '_ {
        let buffers = self.inputs.iter().filter(|(_, access)| !access.scalar);
        buffers.map(|(_, access)| access.value)
    }

    /// Builds the views of the inputs at the insertion point, outside of the loops.
    pub fn build_views(&mut self, builder: &Builder<'c>) {
        for (_, access) in self.inputs.iter_mut().filter(|(_, access)| !access.scalar) {
            access.build_view(builder);
        }
    }

    /// Computes an element.
    pub fn element(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Value<'c> {
        let mut map = ValueMap::new();
        for (argument, access) in &self.inputs {
            map.insert(argument.key(), access.load(builder, ivs));
        }
        for operation in &self.operations {
            let result = operation.results()[0];
            match self.index_of(result) {
                Some(index) => _ = map.insert(result.key(), index.emit(builder, ivs)),
                None => _ = builder.clone_op(*operation, &mut map),
            }
        }
        mapped(&map, self.value)
    }

    /// The computation in an iteration of an unrolled loop, whose index is the index in the first
    /// iteration.
    fn unrolled(&self, unrolled: &Unrolled<'c>) -> Self {
        let mut own = self.clone();
        let accesses = own.inputs.iter_mut().flat_map(|(_, access)| &mut access.indices);
        for index in accesses {
            *index = unrolled.index(index);
        }
        for (_, index) in &mut own.indices {
            *index = unrolled.index(index);
        }
        own
    }

    /// Computes a vector of elements, masked where it is out of bounds.
    pub fn vector(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        (lanes, mask): (i64, Option<Value<'c>>),
        unrolled: Option<Unrolled<'c>>,
    ) -> Value<'c> {
        if let Some(unrolled) = unrolled {
            let ivs = unrolled.ivs(ivs);
            return self.unrolled(&unrolled).vector(builder, &ivs, (lanes, mask), None);
        }
        if lanes > MOST_LANES {
            let half = lanes / 2;
            let [low, high] = [0, half].map(|first| {
                let mut ivs = ivs.to_vec();
                ivs[self.along] = index::add(builder, ivs[self.along], first);
                let own = (first..first + half).collect::<Vec<_>>();
                let mask = mask.map(|mask| vector::shuffle(builder, mask, mask, &own));
                self.vector(builder, &ivs, (half, mask), None)
            });
            return vector::shuffle(builder, low, high, &(0..lanes).collect::<Vec<_>>());
        }
        let mut map = ValueMap::new();
        for (argument, access) in &self.inputs {
            let value = load_lanes(builder, access, self.along, ivs, (lanes, mask));
            map.insert(argument.key(), value);
        }
        for operation in &self.operations {
            if let Some(index) = self.index(builder, *operation, ivs, lanes) {
                map.insert(operation.results()[0].key(), index);
            } else {
                vector_body::emit_op(builder, *operation, &mut map, lanes);
            }
        }
        vector_body::as_vector(builder, mapped(&map, self.value), lanes)
    }

    /// The value of an op that computes an index.
    fn index(
        &self,
        builder: &Builder<'c>,
        operation: Operation<'c>,
        ivs: &[Value<'c>],
        lanes: i64,
    ) -> Option<Value<'c>> {
        let index = self.index_of(*operation.results().first()?)?;
        if !index.mentions(self.along) {
            return Some(index.emit(builder, ivs));
        }
        let ty = vector_type(&[lanes], Type::index(builder.context()));
        let step = vector::step(builder, ty);
        // Vectors are aligned.
        if let Expr::Binary(Operator::Modulo, inner, number) = index
            && let (Expr::Dim(_), Expr::Constant(number)) = (&**inner, &**number)
            && lanes % number == 0
        {
            let number = arith::constant(builder, ty, *number);
            return Some(arith::remui(builder, step, number));
        }
        if *index != Expr::Dim(self.along) {
            return None;
        }
        let first = vector::broadcast(builder, ivs[self.along], ty);
        Some(arith::addi(builder, first, step))
    }
}

/// The results of ops that compute an index of loops.
fn indices<'c>(nest: &LoopNest<'c>, operations: &[Operation<'c>]) -> Vec<(Value<'c>, Expr)> {
    let mut indices: Vec<(Value, Expr)> = Vec::new();
    for operation in operations {
        let index = |value: Value<'c>| match constant_index(value) {
            Some(number) => Some(Expr::Constant(number)),
            None => indices.iter().find(|(own, _)| *own == value).map(|(_, index)| index.clone()),
        };
        let operator = match operation.name() {
            arith::AddIOp::NAME => Some(Operator::Add),
            arith::MulIOp::NAME => Some(Operator::Multiply),
            arith::DivUIOp::NAME => Some(Operator::FloorDivide),
            arith::RemUIOp::NAME => Some(Operator::Modulo),
            _ => None,
        };
        let computed = match (
            index_dimension(*operation),
            operator,
            &operation.operands()[..],
        ) {
            (Some(dim), ..) => nest.origin.get(dim).cloned(),
            (None, Some(operator), [lhs, rhs]) if lhs.ty().is_index() => index(*lhs)
                .zip(index(*rhs))
                .map(|(lhs, rhs)| Expr::Binary(operator, Box::new(lhs), Box::new(rhs))),
            _ => None,
        };
        if let (Some(computed), [result]) = (computed, &operation.results()[..]) {
            indices.push((*result, computed));
        }
    }
    indices
}

/// Loads the elements of an access at the lanes of a vector along a loop: a scalar if they are the
/// same, else a vector. The vector starts at a multiple of its lanes; lanes out of bounds are
/// masked.
fn load_lanes<'c>(
    builder: &Builder<'c>,
    access: &Access<'c>,
    dim: usize,
    ivs: &[Value<'c>],
    (lanes, mask): (i64, Option<Value<'c>>),
) -> Value<'c> {
    let load = |count: i64, mask: Option<Value<'c>>| {
        let (memref, indices) = (access.view(builder), access.indices_at(builder, ivs));
        load_vector(builder, memref, &indices, count, mask)
    };
    match lane_offsets(&access.indices, dim, lanes).filter(|_| !access.scalar) {
        _ if !access.mentions(dim) => access.load(builder, ivs),
        Some(offsets) if are_uniform(&offsets) => access.load(builder, ivs),
        Some(offsets) if are_adjacent(&offsets) => load(lanes, mask),
        Some(offsets) if mask.is_none() => {
            let most = offsets.iter().copied().max().unwrap_or_default();
            let few = load(most + 1, None);
            vector::shuffle(builder, few, few, &offsets)
        }
        _ => by_lane(builder, access, dim, ivs, (lanes, mask)),
    }
}

/// Loads the element of each lane.
fn by_lane<'c>(
    builder: &Builder<'c>,
    access: &Access<'c>,
    dim: usize,
    ivs: &[Value<'c>],
    (lanes, mask): (i64, Option<Value<'c>>),
) -> Value<'c> {
    let mut elements = zero_vector(builder, access.ty().element_type(), lanes);
    let mut ivs = ivs.to_vec();
    let first = ivs[dim];
    for lane in 0..lanes {
        ivs[dim] = index::add(builder, first, lane);
        let insert = |builder: &Builder<'c>| {
            let element = access.load(builder, &ivs);
            vec![vector::insert(builder, element, elements, &[], &[lane])]
        };
        elements = match mask {
            None => insert(builder)[0],
            Some(mask) => {
                let is_inside = vector::extract(builder, mask, &[], &[lane]);
                scf::if_else(builder, is_inside, insert, |_| vec![elements]).results()[0]
            }
        };
    }
    elements
}
