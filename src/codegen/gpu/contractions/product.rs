//! A contraction as what its kernels need of it: loops in four groups, and the
//! stride of each operand along each loop.
//!
//! ```text
//! C[batch, m, n] += A[batch, m, k] * B[batch, k, n]
//! ```
//!
//! Each of the groups `batch`, `m`, `n` and `k` may be several loops. Since all
//! indices are linear, the address of an element is a sum of one offset for each
//! group, so that transposed operands, joined dimensions and the patches of a
//! convolution are one case: `m` may be (image, row, column) and `k` (row and
//! column in the window, channel), of which two loops move the same index.

use crate::loops::{
    contraction::{Body, Extension, body_of_product},
    emit::Emitted,
    loop_nest::{Access, Expr, Extent, IRREGULAR, LoopNest, Operator},
};
use halo_ir::{
    Builder, Operation, Type, Value, attribute_of, element_type,
    ops::{Codec, halo},
    static_shape_of, strides_of,
};
use melior::ir::ValueLike;

/// One loop, with the elements that each operand advances by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub size: i64,
    /// One for each operand of the product.
    pub strides: Vec<i64>,
}

/// What is multiplied and what is summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Batch,
    M,
    N,
    K,
}

/// The position of A, B and C among the operands; behind them are those of an
/// epilogue.
pub const A: usize = 0;
pub const B: usize = 1;
pub const C: usize = 2;

/// A buffer that the product reads or writes.
#[derive(Clone, Debug)]
pub struct Operand<'c> {
    pub value: Value<'c>,
    /// The offset of the first element, in elements.
    pub start: i64,
    /// The op that makes a factor of an element, where one does.
    pub conversion: Option<Extension>,
}

impl<'c> Operand<'c> {
    /// The type of the elements.
    pub fn element(&self) -> Type<'c> {
        element_type(self.value.r#type())
    }

    /// The offset of the buffer within its allocation, where it is known.
    pub fn layout_offset(&self) -> Option<i64> {
        strides_of(self.value.r#type()).and_then(|(_, offset)| offset)
    }
}

/// How exactly factors of 32 bits are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Factors are rounded to TF32.
    Tf32,
    /// Factors are split into two numbers of TF32, which gives 21 bits.
    Split,
    /// Factors are f32, and products rounded once, with their sum.
    Highest,
}

/// A contraction.
#[derive(Clone, Debug)]
pub struct Product<'c> {
    pub batch: Vec<Loop>,
    pub m: Vec<Loop>,
    pub n: Vec<Loop>,
    pub k: Vec<Loop>,
    pub operands: Vec<Operand<'c>>,
    /// The type of the sums.
    pub accumulator: Type<'c>,
    pub precision: Precision,
}

impl<'c> Product<'c> {
    /// The product that a structured op on buffers is, if it is one.
    pub fn of(builder: &Builder<'c>, operation: Operation<'c>) -> Emitted<Option<Self>> {
        let Some(nest) = LoopNest::of(builder, operation)? else {
            return Ok(None);
        };
        if nest.input_count != 2 || nest.accesses.len() != 3 {
            return Ok(None);
        }
        let body = body_of_product(builder, nest.body);
        let precision =
            attribute_of(operation, halo::PRECISION).and_then(halo::PrecisionAttr::read);
        Ok(body.and_then(|body| Self::from_nest(&nest, body, precision)))
    }

    fn from_nest(
        nest: &LoopNest<'c>,
        body: Body<'c>,
        precision: Option<halo::Precision>,
    ) -> Option<Self> {
        let mut operands = Vec::new();
        for (number, access) in nest.accesses.iter().enumerate() {
            if access.scalar {
                return None;
            }
            operands.push(Operand {
                value: access.value,
                start: start_of(access)?,
                conversion: body.conversions.get(number).copied().flatten(),
            });
        }
        let mut product = Self {
            batch: Vec::new(),
            m: Vec::new(),
            n: Vec::new(),
            k: Vec::new(),
            operands,
            accumulator: body.accumulator,
            precision: match precision {
                Some(halo::Precision::Tf32) => Precision::Tf32,
                Some(halo::Precision::Highest) => Precision::Highest,
                _ => Precision::Split,
            },
        };
        for (number, dim) in nest.dims.iter().enumerate() {
            let Extent::Fixed(size) = dim.extent else {
                return None;
            };
            if size == 1 {
                continue;
            }
            let strides: Vec<i64> = (nest.accesses.iter())
                .map(|access| access.stride(number))
                .collect();
            if strides.contains(&IRREGULAR) {
                return None;
            }
            let mentions = |operand: usize| {
                (nest.accesses[operand].indices.iter()).any(|i| i.mentions(number))
            };
            let group = match (mentions(A), mentions(B), mentions(C)) {
                (true, true, true) => Group::Batch,
                (true, false, true) => Group::M,
                (false, true, true) => Group::N,
                (true, true, false) => Group::K,
                _ => return None,
            };
            product.loops_mut(group).push(Loop { size, strides });
        }
        product.orient();
        Some(product)
    }

    /// Lets C be contiguous along n where it is along m, and of a product with
    /// one column makes one with one row.
    fn orient(&mut self) {
        let contiguous = |loops: &[Loop]| loops.iter().any(|l| l.strides[C] == 1);
        let is_column = self.n.is_empty() && !self.m.is_empty();
        if is_column || (contiguous(&self.m) && !contiguous(&self.n)) {
            self.swap_factors();
        }
    }

    fn swap_factors(&mut self) {
        std::mem::swap(&mut self.m, &mut self.n);
        self.operands.swap(A, B);
        for group in [&mut self.batch, &mut self.m, &mut self.n, &mut self.k] {
            for l in group {
                l.strides.swap(A, B);
            }
        }
    }

    /// Other loops in the place of all.
    pub fn set_loops(&mut self, loops: impl IntoIterator<Item = (Group, Loop)>) {
        for group in [Group::Batch, Group::M, Group::N, Group::K] {
            self.loops_mut(group).clear();
        }
        for (group, inner) in loops {
            self.loops_mut(group).push(inner);
        }
    }

    fn loops_mut(&mut self, group: Group) -> &mut Vec<Loop> {
        match group {
            Group::Batch => &mut self.batch,
            Group::M => &mut self.m,
            Group::N => &mut self.n,
            Group::K => &mut self.k,
        }
    }

    /// The loops of a group, the outermost first.
    pub fn loops(&self, group: Group) -> &[Loop] {
        match group {
            Group::Batch => &self.batch,
            Group::M => &self.m,
            Group::N => &self.n,
            Group::K => &self.k,
        }
    }

    /// The number of iterations of a group.
    pub fn size(&self, group: Group) -> i64 {
        let sizes = self.loops(group).iter().map(|l| l.size);
        sizes.fold(1, i64::saturating_mul)
    }

    /// The number of multiplications.
    pub fn work(&self) -> i64 {
        let groups = [Group::Batch, Group::M, Group::N, Group::K];
        let sizes = groups.into_iter().map(|group| self.size(group));
        sizes.fold(1, i64::saturating_mul)
    }

    /// The product with as few loops as there can be.
    pub fn simplified(&self) -> Self {
        let mut product = self.clone();
        product.simplify();
        product
    }

    /// Puts the loops of each group into the order in which an operand lies, and
    /// joins those that every operand walks as one.
    fn simplify(&mut self) {
        for (group, operand) in [
            (Group::Batch, C),
            (Group::M, C),
            (Group::N, C),
            (Group::K, B),
        ] {
            let prefers_a = group == Group::K && !self.k.iter().any(|l| l.strides[B] == 1);
            let operand = if prefers_a { A } else { operand };
            let loops = self.loops_mut(group);
            loops.sort_by_key(|l| std::cmp::Reverse(l.strides[operand]));
            let mut joined: Vec<Loop> = Vec::new();
            for inner in loops.drain(..) {
                match joined.last_mut() {
                    Some(outer) if walks_as_one(outer, &inner) => {
                        outer.size = outer.size.saturating_mul(inner.size);
                        outer.strides = inner.strides;
                    }
                    _ => joined.push(inner),
                }
            }
            *loops = joined;
        }
    }

    /// The most elements at a time, a power of two, that an operand can be read
    /// or written in along a group: they lie beside each other, and each run of
    /// them starts at a multiple of its length.
    pub fn run_length(&self, operand: usize, group: Group, most: i64) -> i64 {
        let Some(innermost) = self.loops(group).last() else {
            return 1;
        };
        if innermost.strides[operand] != 1 {
            return 1;
        }
        let Some(offset) = self.operands[operand].layout_offset() else {
            return 1;
        };
        let groups = [Group::Batch, Group::M, Group::N, Group::K];
        let outer = groups.into_iter().flat_map(|other| {
            let loops = self.loops(other);
            let count = loops.len() - usize::from(other == group);
            loops[..count].iter().map(|l| l.strides[operand])
        });
        let start = self.operands[operand].start;
        let mut length = most;
        for number in outer.chain([innermost.size, offset, start]) {
            while number % length != 0 {
                length /= 2;
            }
        }
        length
    }
}

#[cfg(test)]
impl Product<'static> {
    /// Loops without operands.
    pub fn of_loops(loops: impl IntoIterator<Item = (Group, Loop)>) -> Self {
        // The type of the sums does not matter; the context is never freed.
        let context: &'static melior::Context = Box::leak(Box::new(melior::Context::new()));
        let mut product = Self {
            batch: Vec::new(),
            m: Vec::new(),
            n: Vec::new(),
            k: Vec::new(),
            operands: Vec::new(),
            accumulator: Type::float32(context),
            precision: Precision::Split,
        };
        product.set_loops(loops);
        product
    }
}

fn walks_as_one(outer: &Loop, inner: &Loop) -> bool {
    (outer.strides.iter().zip(&inner.strides))
        .all(|(outer, stride)| stride.checked_mul(inner.size) == Some(*outer))
}

/// The offset of the element at which all loops start.
pub fn start_of(access: &Access) -> Option<i64> {
    let (strides, _) = strides_of(access.value.r#type())?;
    static_shape_of(access.value.r#type())?;
    let mut start = 0_i64;
    for (index, stride) in access.indices.iter().zip(strides) {
        start = start.checked_add(at_zero(index)?.checked_mul(stride?)?)?;
    }
    Some(start)
}

/// The value of an index at the start of all loops.
fn at_zero(index: &Expr) -> Option<i64> {
    match index {
        Expr::Dim(_) => Some(0),
        Expr::Constant(value) => Some(*value),
        Expr::Binary(operator, lhs, rhs) => {
            let (lhs, rhs) = (at_zero(lhs)?, at_zero(rhs)?);
            match operator {
                Operator::Add => lhs.checked_add(rhs),
                Operator::Multiply => lhs.checked_mul(rhs),
                _ => None,
            }
        }
    }
}
