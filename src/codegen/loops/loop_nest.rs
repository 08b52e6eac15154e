//! A structured op of linalg as a loop nest: extents, kinds and accesses.
//!
//! The model is simplified before code is made of it. Dimensions of size 1 are
//! dropped, and neighbouring dimensions that every operand walks as one are
//! fused, so that an elementwise op on contiguous buffers of any rank becomes
//! one loop, and a reduction over the trailing dimensions one long row.

use super::emit::{self, Emitted};
use halo_ir::ops::{
    OperationExt, arith,
    linalg::{self, IteratorType},
    memref,
};
use halo_ir::{
    Block, Builder, Operation, Value, arguments_of, body_of, has_identity_layout, indexing_maps,
    is_memref, is_unused, memref_type, operands_of, shape_of, static_shape_of, strides_of,
    terminator_of, visit,
};
use melior::{
    Context,
    ir::{AffineExpr, ValueLike},
};

/// A stride that is not known, or that is not one stride.
pub const IRREGULAR: i64 = i64::MAX;

/// An index of an operand as a function of the loop indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Dim(usize),
    Constant(i64),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// The operators of affine expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Multiply,
    Modulo,
    FloorDivide,
    CeilDivide,
}

impl Expr {
    fn from_affine(expression: AffineExpr) -> Option<Self> {
        if expression.is_dim() {
            return Some(Self::Dim(expression.dim_position()));
        }
        if expression.is_constant() {
            return Some(Self::Constant(expression.constant_value()));
        }
        if !expression.is_binary() {
            return None;
        }
        let operator = if expression.is_add() {
            Operator::Add
        } else if expression.is_mul() {
            Operator::Multiply
        } else if expression.is_mod() {
            Operator::Modulo
        } else if expression.is_floor_div() {
            Operator::FloorDivide
        } else {
            Operator::CeilDivide
        };
        Some(Self::Binary(
            operator,
            Box::new(Self::from_affine(expression.lhs())?),
            Box::new(Self::from_affine(expression.rhs())?),
        ))
    }

    /// Whether the loop index of a dimension occurs.
    pub fn mentions(&self, dim: usize) -> bool {
        match self {
            Self::Dim(own) => *own == dim,
            Self::Constant(_) => false,
            Self::Binary(_, lhs, rhs) => lhs.mentions(dim) || rhs.mentions(dim),
        }
    }

    /// By how much the index grows when a loop index grows by one.
    pub fn coefficient(&self, dim: usize) -> i64 {
        match self {
            Self::Dim(own) => i64::from(*own == dim),
            Self::Constant(_) => 0,
            Self::Binary(operator, lhs, rhs) => {
                let (left, right) = (lhs.coefficient(dim), rhs.coefficient(dim));
                match (operator, &**lhs, &**rhs) {
                    _ if left == 0 && right == 0 => 0,
                    _ if left == IRREGULAR || right == IRREGULAR => IRREGULAR,
                    (Operator::Add, ..) => left + right,
                    (Operator::Multiply, _, Self::Constant(factor)) => left * factor,
                    (Operator::Multiply, Self::Constant(factor), _) => right * factor,
                    _ => IRREGULAR,
                }
            }
        }
    }

    /// Replaces the loop index of each dimension.
    pub fn rename(&mut self, new: &impl Fn(usize) -> Self) {
        match self {
            Self::Dim(own) => *self = new(*own),
            Self::Constant(_) => {}
            Self::Binary(_, lhs, rhs) => {
                lhs.rename(new);
                rhs.rename(new);
            }
        }
    }

    /// The affine expression.
    pub fn to_affine<'c>(&self, context: &'c Context) -> AffineExpr<'c> {
        match self {
            Self::Dim(dim) => AffineExpr::dim(context, *dim),
            Self::Constant(value) => AffineExpr::constant(context, *value),
            Self::Binary(operator, lhs, rhs) => {
                let (lhs, rhs) = (lhs.to_affine(context), rhs.to_affine(context));
                match operator {
                    Operator::Add => lhs + rhs,
                    Operator::Multiply => lhs * rhs,
                    Operator::Modulo => AffineExpr::modulo(lhs, rhs),
                    Operator::FloorDivide => AffineExpr::floor_div(lhs, rhs),
                    Operator::CeilDivide => AffineExpr::ceil_div(lhs, rhs),
                }
            }
        }
    }

    /// Code for the index.
    pub fn emit<'c>(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Emitted<Value<'c>> {
        match self {
            Self::Dim(dim) => Ok(ivs[*dim]),
            Self::Constant(value) => emit::index(builder, *value),
            Self::Binary(operator, lhs, rhs) => {
                let lhs = lhs.emit(builder, ivs)?;
                let rhs = rhs.emit(builder, ivs)?;
                match operator {
                    Operator::Add => emit::add(builder, lhs, rhs),
                    Operator::Multiply => emit::mul(builder, lhs, rhs),
                    // Loop indices are not negative, nor are the indices made
                    // of them.
                    Operator::Modulo => emit::rem(builder, lhs, rhs),
                    Operator::FloorDivide => arith::floordivsi(builder, lhs, rhs),
                    Operator::CeilDivide => arith::ceildivsi(builder, lhs, rhs),
                }
            }
        }
    }
}

/// How an op reads or writes one operand.
#[derive(Clone, Debug)]
pub struct Access<'c> {
    /// The memref, or the value of a scalar operand.
    pub value: Value<'c>,
    /// One index for each dimension of the memref.
    pub indices: Vec<Expr>,
    /// Whether the operand is a scalar.
    pub scalar: bool,
}

impl<'c> Access<'c> {
    /// By how many elements the address grows with a loop index.
    pub fn stride(&self, dim: usize) -> i64 {
        let Some((strides, _)) = strides_of(self.value.r#type()) else {
            return if self.scalar { 0 } else { IRREGULAR };
        };
        let mut total = 0_i64;
        for (index, stride) in self.indices.iter().zip(strides) {
            match (index.coefficient(dim), stride) {
                (0, _) => {}
                (IRREGULAR, _) | (_, None) => return IRREGULAR,
                (coefficient, Some(stride)) => total += coefficient * stride,
            }
        }
        total
    }

    /// The indices at given loop indices.
    pub fn indices_at(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Emitted<Vec<Value<'c>>> {
        self.indices
            .iter()
            .map(|index| index.emit(builder, ivs))
            .collect()
    }

    /// The element at given loop indices.
    pub fn load(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Emitted<Value<'c>> {
        if self.scalar {
            return Ok(self.value);
        }
        let indices = self.indices_at(builder, ivs)?;
        memref::load(builder, self.value, &indices)
    }

    /// Stores the element at given loop indices.
    pub fn store(&self, builder: &Builder<'c>, ivs: &[Value<'c>], value: Value<'c>) -> Emitted<()> {
        let indices = self.indices_at(builder, ivs)?;
        memref::store(builder, value, self.value, &indices)?;
        Ok(())
    }
}

/// The number of iterations of a loop.
#[derive(Clone, Copy, Debug)]
pub enum Extent<'c> {
    Fixed(i64),
    Dynamic(Value<'c>),
}

impl<'c> Extent<'c> {
    /// Code for the number.
    pub fn emit(self, builder: &Builder<'c>) -> Emitted<Value<'c>> {
        match self {
            Self::Fixed(size) => emit::index(builder, size),
            Self::Dynamic(value) => Ok(value),
        }
    }

    /// The number, or a guess where it is not known.
    pub fn estimate(self) -> i64 {
        match self {
            Self::Fixed(size) => size,
            Self::Dynamic(_) => 1024,
        }
    }
}

/// One loop.
#[derive(Clone, Copy, Debug)]
pub struct Dim<'c> {
    pub extent: Extent<'c>,
    pub reduction: bool,
}

/// A structured op as loops.
#[derive(Clone, Debug)]
pub struct LoopNest<'c> {
    pub dims: Vec<Dim<'c>>,
    /// Inputs first, then outputs.
    pub accesses: Vec<Access<'c>>,
    pub input_count: usize,
    /// What is computed at each point: one argument for each access.
    pub body: Block<'c>,
    /// The dimensions of the op in terms of the loops that are left.
    pub origin: Vec<Expr>,
}

/// Whether the elements of a value can be counted: MLIR lets memrefs have more
/// than any memory.
fn is_countable(value: &Value) -> bool {
    let sizes = shape_of(value.r#type()).unwrap_or_default();
    product_fits(sizes.into_iter().flatten())
}

/// Whether all products of some of the sizes fit, with room for rounding up.
fn product_fits(sizes: impl IntoIterator<Item = i64>) -> bool {
    sizes
        .into_iter()
        .try_fold(1_i64, |product, size| product.checked_mul(size.max(1)))
        .is_some_and(|product| product <= i64::MAX / 16)
}

impl<'c> LoopNest<'c> {
    /// Whether the iterations can be counted; over several operands, there may be
    /// more of them than any has elements.
    pub fn is_countable(&self) -> bool {
        product_fits(self.dims.iter().map(|dim| dim.extent.estimate()))
    }

    /// The model of an op whose operands are all memrefs or scalars; `None` for
    /// one on tensors, or on more elements than can be counted.
    pub fn of(builder: &Builder<'c>, operation: Operation<'c>) -> Emitted<Option<Self>> {
        let (Some(maps), Some(body)) = (indexing_maps(operation), body_of(operation, 0)) else {
            return Ok(None);
        };
        let operands = operands_of(operation);
        let Some(terminator) = terminator_of(body) else {
            return Ok(None);
        };
        let Some(input_count) = operands.len().checked_sub(operands_of(terminator).len()) else {
            return Ok(None);
        };
        if maps.len() != operands.len()
            || operands
                .iter()
                .any(|value| shape_of(value.r#type()).is_some() && !is_memref(value.r#type()))
            || !operands.iter().all(is_countable)
        {
            return Ok(None);
        }
        let mut accesses = Vec::new();
        for (map, value) in maps.iter().zip(&operands) {
            let scalar = !is_memref(value.r#type());
            let mut indices = Vec::new();
            for position in 0..if scalar { 0 } else { map.result_count() } {
                let index = map.result(position).ok().and_then(Expr::from_affine);
                let Some(index) = index else {
                    return Ok(None);
                };
                indices.push(index);
            }
            accesses.push(Access {
                value: *value,
                indices,
                scalar,
            });
        }
        let dim_count = maps.first().map_or(0, melior::ir::AffineMap::dim_count);
        let mut dims = Vec::new();
        for dim in 0..dim_count {
            let Some(extent) = extent_of(builder, &accesses, dim)? else {
                return Ok(None);
            };
            let reduction = declared_reduction(operation, dim)
                || accesses[input_count..]
                    .iter()
                    .any(|output| !output.indices.contains(&Expr::Dim(dim)));
            dims.push(Dim { extent, reduction });
        }
        // An operand that is never read gives bounds, and nothing else.
        for (access, argument) in accesses
            .iter_mut()
            .zip(arguments_of(body))
            .take(input_count)
        {
            if is_unused(argument) {
                access.indices.fill(Expr::Constant(0));
            }
        }
        Ok(Some(Self {
            dims,
            accesses,
            input_count,
            body,
            origin: (0..dim_count).map(Expr::Dim).collect(),
        }))
    }

    /// The operands that are read.
    pub fn inputs(&self) -> &[Access<'c>] {
        &self.accesses[..self.input_count]
    }

    /// The operands that are written.
    pub fn outputs(&self) -> &[Access<'c>] {
        &self.accesses[self.input_count..]
    }

    /// Whether nothing is iterated over.
    pub fn is_empty(&self) -> bool {
        self.dims
            .iter()
            .any(|dim| matches!(dim.extent, Extent::Fixed(0)))
    }

    fn rename(&mut self, new: impl Fn(usize) -> Expr) {
        for index in self
            .accesses
            .iter_mut()
            .flat_map(|access| access.indices.iter_mut())
            .chain(self.origin.iter_mut())
        {
            index.rename(&new);
        }
    }

    /// Drops loops that run once.
    pub fn drop_unit_dims(&mut self) {
        let mut kept = Vec::new();
        let renamed: Vec<Expr> = self
            .dims
            .iter()
            .map(|dim| {
                if matches!(dim.extent, Extent::Fixed(1)) {
                    Expr::Constant(0)
                } else {
                    kept.push(*dim);
                    Expr::Dim(kept.len() - 1)
                }
            })
            .collect();
        self.dims = kept;
        self.rename(|dim| renamed[dim].clone());
    }

    /// Fuses loops that every operand walks as one, until none is left.
    pub fn fuse_dims(&mut self, builder: &Builder<'c>) -> Emitted<()> {
        'again: loop {
            for outer in 0..self.dims.len() {
                for inner in 0..self.dims.len() {
                    if let Some(size) = self.fused_size(outer, inner) {
                        self.fuse(builder, outer, inner, size)?;
                        continue 'again;
                    }
                }
            }
            return Ok(());
        }
    }

    /// The number of iterations of two loops as one, where they can be.
    fn fused_size(&self, outer: usize, inner: usize) -> Option<i64> {
        if outer == inner || self.dims[outer].reduction != self.dims[inner].reduction {
            return None;
        }
        let (Extent::Fixed(outer_size), Extent::Fixed(inner_size)) =
            (self.dims[outer].extent, self.dims[inner].extent)
        else {
            return None;
        };
        if self.uses_index_of(outer) || self.uses_index_of(inner) {
            return None;
        }
        for access in &self.accesses {
            let mentions = |dim| access.indices.iter().any(|index| index.mentions(dim));
            if !mentions(outer) && !mentions(inner) {
                continue;
            }
            self.adjacent(access, outer, inner)?;
        }
        outer_size.checked_mul(inner_size)
    }

    /// The positions of two loops in an operand that walks them as one.
    fn adjacent(&self, access: &Access<'c>, outer: usize, inner: usize) -> Option<(usize, usize)> {
        let position = |dim| {
            let mut found = access
                .indices
                .iter()
                .enumerate()
                .filter(|(_, index)| index.mentions(dim));
            let (position, index) = found.next()?;
            (found.next().is_none() && *index == Expr::Dim(dim)).then_some(position)
        };
        let (first, last) = (position(outer)?, position(inner)?);
        let r#type = access.value.r#type();
        let shape = static_shape_of(r#type)?;
        let spans = |dim: usize, position: usize| matches!(self.dims[dim].extent, Extent::Fixed(size) if size == shape[position]);
        // A fused loop covers the whole of both dimensions, with nothing but
        // dimensions of size 1 between them.
        (first < last
            && has_identity_layout(r#type)
            && spans(outer, first)
            && spans(inner, last)
            && (first + 1..last).all(|position| {
                shape[position] == 1 && access.indices[position] == Expr::Constant(0)
            }))
        .then_some((first, last))
    }

    fn fuse(
        &mut self,
        builder: &Builder<'c>,
        outer: usize,
        inner: usize,
        size: i64,
    ) -> Emitted<()> {
        for number in 0..self.accesses.len() {
            let access = &self.accesses[number];
            let Some((first, last)) = self.adjacent(access, outer, inner) else {
                continue;
            };
            let value = collapse(builder, access.value, first, last)?;
            let access = &mut self.accesses[number];
            access.value = value;
            access.indices.drain(first..last);
            access.indices[first] = Expr::Dim(inner);
        }
        self.dims[inner].extent = Extent::Fixed(size);
        self.dims.remove(outer);
        self.rename(|dim| Expr::Dim(if dim > outer { dim - 1 } else { dim }));
        Ok(())
    }

    /// Whether the body asks for the index of a loop.
    fn uses_index_of(&self, dim: usize) -> bool {
        let mut found = false;
        for operation in halo_ir::operations_of(self.body) {
            visit(operation, &mut |nested| {
                found |= index_dimension(nested)
                    .and_then(|number| self.origin.get(number))
                    .is_some_and(|index| index.mentions(dim));
            });
        }
        found
    }

    /// Whether the body reads the present element of an output.
    pub fn reads_output(&self, output: usize) -> bool {
        let argument = halo_ir::arguments_of(self.body)
            .get(self.input_count + output)
            .copied();
        argument.is_some_and(|argument| !halo_ir::is_unused(argument))
    }
}

/// The dimension that a `linalg.index` asks for.
pub fn index_dimension(operation: Operation) -> Option<usize> {
    usize::try_from(operation.cast::<linalg::IndexOp>()?.dim()).ok()
}

/// Whether a generic op says that a dimension is not parallel.
fn declared_reduction(operation: Operation, dim: usize) -> bool {
    let generic = operation.cast::<linalg::GenericOp>();
    let kind = generic.and_then(|generic| generic.iterator_types().get(dim).copied());
    kind.is_some_and(|kind| kind != IteratorType::Parallel)
}

/// The extent of a loop, from an operand that it indexes directly.
fn extent_of<'c>(
    builder: &Builder<'c>,
    accesses: &[Access<'c>],
    dim: usize,
) -> Emitted<Option<Extent<'c>>> {
    let mut dynamic = None;
    for access in accesses {
        let Some(shape) = shape_of(access.value.r#type()) else {
            continue;
        };
        for (position, index) in access.indices.iter().enumerate() {
            if *index != Expr::Dim(dim) {
                continue;
            }
            match shape[position] {
                Some(size) => return Ok(Some(Extent::Fixed(size))),
                None => dynamic = Some((access.value, position)),
            }
        }
    }
    let Some((memref, position)) = dynamic else {
        return Ok(None);
    };
    let position = emit::index(builder, position as i64)?;
    let size = memref::dim(builder, memref, position)?;
    Ok(Some(Extent::Dynamic(size)))
}

/// A contiguous memref with the dimensions from `first` to `last` as one.
fn collapse<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    first: usize,
    last: usize,
) -> Emitted<Value<'c>> {
    let shape = static_shape_of(memref.r#type()).unwrap_or_default();
    let mut groups: Vec<Vec<i64>> = Vec::new();
    let mut dims: Vec<i64> = Vec::new();
    for (position, size) in shape.into_iter().enumerate() {
        match (groups.last_mut(), dims.last_mut()) {
            (Some(group), Some(dim)) if position > first && position <= last => {
                group.push(position as i64);
                *dim *= size;
            }
            _ => {
                groups.push(vec![position as i64]);
                dims.push(size);
            }
        }
    }
    collapse_shape(builder, memref, &groups, &dims)
}

/// `memref.collapse_shape` of a contiguous memref.
pub fn collapse_shape<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    groups: &[Vec<i64>],
    dims: &[i64],
) -> Emitted<Value<'c>> {
    let element = halo_ir::element_type(memref.r#type());
    let groups: Vec<&[i64]> = groups.iter().map(|group| &group[..]).collect();
    memref::collapse_shape(builder, memref, &groups, memref_type(dims, element))
}

/// The loop along which an operand is contiguous.
pub fn contiguous_dim(nest: &LoopNest, access: &Access) -> Option<usize> {
    (0..nest.dims.len())
        .find(|dim| access.stride(*dim) == 1 && access.indices.last() == Some(&Expr::Dim(*dim)))
}
