//! Recognizer and description of contractions among structured ops, shared by the lowerings for
//! CPUs and for GPUs.
//!
//! ```text
//! result[batch, m, n] += lhs[batch, m, k] * rhs[batch, k, n]
//! ```
//!
//! Each of the groups `batch`, `m`, `n` and `k` may consist of several loops. Since all indices are
//! linear, the address of an element is the sum of one offset per group. This covers transposed
//! operands, collapsed dimensions and the patches of a convolution: `m` may be (image, row, column)
//! and `k` (row and column in the window, channel), where two loops contribute to one index.
//! Upstream's `inferContractionDims` omits loops that share an index with another loop;
//! [`Groups::infer`] includes them.
//!
//! Recognition does not change IR.

mod body;

pub use body::{Body, DirectBody, Extension, Multiplicand};

use super::{
    access::{Access, Expr, IRREGULAR, Operator},
    loop_nest::{Extent, LoopNest},
};
use halo_ir::{
    ops::{Codec, halo},
    prelude::*,
};
use std::ops::{Index, IndexMut};

/// The role of a loop: which of lhs, rhs and result it indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// All three.
    Batch,
    /// Lhs and result.
    M,
    /// Rhs and result.
    N,
    /// Lhs and rhs: the reduction loops.
    K,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 4] = [Self::Batch, Self::M, Self::N, Self::K];
}

/// A value for each group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups<T> {
    pub batch: T,
    pub m: T,
    pub n: T,
    pub k: T,
}

impl<T> Index<Group> for Groups<T> {
    type Output = T;

    fn index(&self, group: Group) -> &T {
        match group {
            Group::Batch => &self.batch,
            Group::M => &self.m,
            Group::N => &self.n,
            Group::K => &self.k,
        }
    }
}

impl<T> IndexMut<Group> for Groups<T> {
    fn index_mut(&mut self, group: Group) -> &mut T {
        match group {
            Group::Batch => &mut self.batch,
            Group::M => &mut self.m,
            Group::N => &mut self.n,
            Group::K => &mut self.k,
        }
    }
}

impl Groups<Vec<usize>> {
    /// Infers the group of each loop, in order, from which of lhs, rhs and result it indexes;
    /// `None` if a loop has no role.
    pub fn infer(
        loops: impl IntoIterator<Item = usize>,
        mentions: impl Fn(usize) -> [bool; 3],
    ) -> Option<Self> {
        let mut groups = Self::default();
        for dim in loops {
            let group = match mentions(dim) {
                [true, true, true] => Group::Batch,
                [true, false, true] => Group::M,
                [false, true, true] => Group::N,
                [true, true, false] => Group::K,
                _ => return None,
            };
            groups[group].push(dim);
        }
        Some(groups)
    }
}

/// The positions of lhs, rhs and result among the operands of a contraction.
/// Operands of an epilogue follow.
pub const LHS: usize = 0;
pub const RHS: usize = 1;
pub const RESULT: usize = 2;

/// A loop, with the stride of each operand in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub size: i64,
    /// One for each operand of the contraction.
    pub strides: Vec<i64>,
    /// The step of each bounded index of the contraction per iteration.
    pub steps: Vec<i64>,
}

/// An index along a dimension of an operand. The operand is zero out of bounds: a contraction reads
/// an image without its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub operand: usize,
    /// The index at the start of all loops, negative in padding.
    pub start: i64,
    /// The size of the dimension.
    pub size: i64,
}

/// A buffer that a contraction reads or writes.
#[derive(Clone, Debug)]
pub struct Operand<'c> {
    pub value: Value<'c>,
    /// The offset of the first element, in elements.
    pub start: i64,
    /// The conversion of an element before the multiplication, if any.
    pub conversion: Option<Extension>,
}

impl<'c> Operand<'c> {
    /// The type of the elements.
    pub fn element(&self) -> Type<'c> {
        self.value.ty().element_type()
    }

    /// The offset of the buffer within its allocation, if known.
    pub fn layout_offset(&self) -> Option<i64> {
        self.value.ty().strides().and_then(|(_, offset)| offset)
    }
}

/// The precision of multiplications of 32-bit operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Operands are rounded to TF32.
    Tf32,
    /// Operands are split into two TF32 numbers, which gives 21 bits.
    Split,
    /// Operands are f32, and each fused multiply-add is rounded once.
    Highest,
}

impl Precision {
    /// The precision that an op's attribute demands.
    pub fn of(operation: Operation) -> Self {
        match operation.attribute(halo::PRECISION).and_then(halo::PrecisionAttr::read) {
            Some(halo::Precision::Tf32) => Self::Tf32,
            Some(halo::Precision::Highest) => Self::Highest,
            _ => Self::Split,
        }
    }
}

/// A contraction `result += lhs * rhs`.
#[derive(Clone, Debug)]
pub struct Contraction<'c> {
    /// The loops of each group, the outermost first.
    pub loops: Groups<Vec<Loop>>,
    pub operands: Vec<Operand<'c>>,
    /// The indices that may be out of bounds.
    pub bounds: Vec<Bound>,
    /// The element type of the accumulators.
    pub accumulator: Type<'c>,
    pub precision: Precision,
}

/// Loops and inputs of a loop nest by their roles in its contraction.
#[derive(Clone, Debug)]
pub struct Roles {
    /// The loops of the nest in each group, without unit loops.
    pub dims: Groups<Vec<usize>>,
    /// The indices of lhs, rhs and result among the operands of the nest.
    pub operands: [usize; 3],
}

impl<'c> Contraction<'c> {
    /// The contraction that a structured op on buffers computes, if any.
    pub fn of(operation: Operation<'c>) -> Option<Self> {
        let nest = LoopNest::of(operation)?;
        Some(Self::of_nest(operation, &nest)?.0)
    }

    /// The same for an op with a known loop nest.
    pub fn of_nest(operation: Operation<'c>, nest: &LoopNest<'c>) -> Option<(Self, Roles)> {
        if nest.input_count != 2 || nest.accesses.len() != 3 {
            return None;
        }
        let body = DirectBody::of(nest.body)?;
        let (mut contraction, roles) = Self::of_body(operation, nest, &body)?;
        for (operand, number) in contraction.operands.iter_mut().zip(roles.operands) {
            operand.start = start_of(&nest.accesses[number])?;
        }
        let mut loops = Group::ALL.into_iter().flat_map(|group| contraction.loops(group));
        if loops.any(|l| l.strides.contains(&IRREGULAR)) {
            return None;
        }
        Some((contraction, roles))
    }

    /// The contraction of two accesses of a nest, whose indices need not be linear.
    pub fn of_body(
        operation: Operation<'c>,
        nest: &LoopNest<'c>,
        body: &DirectBody<'c>,
    ) -> Option<(Self, Roles)> {
        let roles = roles_of(nest)?;
        let mut operands = Vec::new();
        for number in roles.operands {
            operands.push(Operand {
                value: nest.accesses[number].value,
                start: 0,
                conversion: body.conversions.get(number).copied().flatten(),
            });
        }
        let mut loops: Groups<Vec<Loop>> = Groups::default();
        for group in Group::ALL {
            for dim in &roles.dims[group] {
                let Extent::Fixed(size) = nest.dims[*dim].extent else {
                    return None;
                };
                let strides = roles.operands.map(|number| nest.accesses[number].stride(*dim));
                loops[group].push(Loop {
                    size,
                    strides: strides.to_vec(),
                    steps: Vec::new(),
                });
            }
        }
        let contraction = Self {
            loops,
            operands,
            bounds: Vec::new(),
            accumulator: body.accumulator,
            precision: Precision::of(operation),
        };
        Some((contraction, roles))
    }

    /// Replaces all loops.
    pub fn set_loops(&mut self, loops: impl IntoIterator<Item = (Group, Loop)>) {
        self.loops = Groups::default();
        for (group, inner) in loops {
            self.loops[group].push(inner);
        }
    }

    /// The loops of a group, the outermost first.
    pub fn loops(&self, group: Group) -> &[Loop] {
        &self.loops[group]
    }

    /// The number of iterations of a group.
    pub fn size(&self, group: Group) -> i64 {
        let sizes = self.loops(group).iter().map(|l| l.size);
        sizes.fold(1, i64::saturating_mul)
    }

    /// The number of multiplications.
    pub fn work(&self) -> i64 {
        let sizes = Group::ALL.into_iter().map(|group| self.size(group));
        sizes.fold(1, i64::saturating_mul)
    }

    /// Whether the element type of the result is narrower than the accumulator.
    pub fn is_promoted(&self) -> bool {
        self.operands[RESULT].element() != self.accumulator
    }

    /// An equivalent contraction with as few loops as possible.
    pub fn simplified(&self) -> Self {
        let mut contraction = self.clone();
        contraction.simplify();
        contraction
    }

    /// Sorts the loops of each group by the layout of an operand, and collapses loops that are
    /// collapsible in every operand.
    fn simplify(&mut self) {
        let is_contiguous = self.loops.k.iter().any(|l| l.strides[RHS] == 1);
        for group in Group::ALL {
            let operand = match group {
                Group::K if is_contiguous => RHS,
                Group::K => LHS,
                _ => RESULT,
            };
            let loops = &mut self.loops[group];
            loops.sort_by_key(|l| std::cmp::Reverse(l.strides[operand]));
            let mut joined: Vec<Loop> = Vec::new();
            for inner in loops.drain(..) {
                match joined.last_mut() {
                    Some(outer) if walks_as_one(outer, &inner) => {
                        outer.size = outer.size.saturating_mul(inner.size);
                        outer.strides = inner.strides;
                        outer.steps = inner.steps;
                    }
                    _ => joined.push(inner),
                }
            }
            *loops = joined;
        }
    }

    /// Whether a loop changes a bounded index of an operand.
    fn is_bounded_along(&self, operand: usize, inner: &Loop) -> bool {
        let mut bounds = self.bounds.iter().zip(&inner.steps);
        bounds.any(|(bound, step)| bound.operand == operand && *step != 0)
    }

    /// The maximum vector width, a power of two, for accesses to an operand along a group: the
    /// elements are contiguous, and each vector is aligned to its width.
    pub fn run_length(&self, operand: usize, group: Group, most: i64) -> i64 {
        let Some(innermost) = self.loops(group).last() else {
            return 1;
        };
        if innermost.strides[operand] != 1 || self.is_bounded_along(operand, innermost) {
            return 1;
        }
        let Some(offset) = self.operands[operand].layout_offset() else {
            return 1;
        };
        let outer = Group::ALL.into_iter().flat_map(|other| {
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
impl Contraction<'static> {
    /// Loops without operands.
    pub fn of_loops(loops: impl IntoIterator<Item = (Group, Loop)>) -> Self {
        // The accumulator type does not matter; the context is never freed.
        let context: &'static melior::Context = Box::leak(Box::new(melior::Context::new()));
        let mut contraction = Self {
            loops: Groups::default(),
            operands: Vec::new(),
            bounds: Vec::new(),
            accumulator: Type::float32(context),
            precision: Precision::Split,
        };
        contraction.set_loops(loops);
        contraction
    }
}

fn walks_as_one(outer: &Loop, inner: &Loop) -> bool {
    let strides = outer.strides.iter().zip(&inner.strides);
    let mut all = strides.chain(outer.steps.iter().zip(&inner.steps));
    all.all(|(outer, stride)| stride.checked_mul(inner.size) == Some(*outer))
}

/// The roles of a loop nest's loops and inputs. The choice of lhs and rhs makes the result
/// contiguous along n rather than m, and turns a matrix-vector product into a vector-matrix
/// product.
fn roles_of(nest: &LoopNest) -> Option<Roles> {
    let [lhs, rhs, result] = [0, 1, 2].map(|number| &nest.accesses[number]);
    let dims =
        (0..nest.dims.len()).filter(|dim| !matches!(nest.dims[*dim].extent, Extent::Fixed(1)));
    let mut dims = Groups::infer(dims, |dim| {
        [lhs, rhs, result].map(|access| access.mentions(dim))
    })?;
    let is_contiguous = |dims: &[usize]| dims.iter().any(|dim| result.stride(*dim) == 1);
    let is_column = dims.n.is_empty() && !dims.m.is_empty();
    let mut operands = [0, 1, 2];
    if is_column || (is_contiguous(&dims.m) && !is_contiguous(&dims.n)) {
        std::mem::swap(&mut dims.m, &mut dims.n);
        operands.swap(LHS, RHS);
    }
    Some(Roles { dims, operands })
}

/// The offset of the element at the start of all loops.
pub fn start_of(access: &Access) -> Option<i64> {
    let (strides, _) = access.ty().strides()?;
    access.ty().static_shape()?;
    let mut start = 0_i64;
    for (index, stride) in access.indices.iter().zip(strides) {
        start = start.checked_add(at_zero(index)?.checked_mul(stride?)?)?;
    }
    Some(start)
}

/// The value of an index at the start of all loops.
pub fn at_zero(index: &Expr) -> Option<i64> {
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

/// Whether vectors of an element type have the memory layout of arrays.
pub fn has_vector_layout(element: Type) -> bool {
    match element.float_kind() {
        Some(kind) => kind != FloatKind::Narrow,
        None => matches!(element.integer_width(), Some(8 | 16 | 32 | 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Infers the groups of loops, given as letters, from the letters of each operand.
    fn groups(loops: &str, operands: [&str; 3]) -> Option<[String; 4]> {
        let letters: Vec<char> = loops.chars().collect();
        let groups = Groups::infer(0..letters.len(), |dim| {
            operands.map(|operand| operand.contains(letters[dim]))
        })?;
        Some(Group::ALL.map(|group| groups[group].iter().map(|dim| letters[*dim]).collect()))
    }

    #[test]
    fn loops_are_grouped_by_the_operands_that_they_index() {
        let expected = |groups: [&str; 4]| Some(groups.map(str::to_owned));
        assert_eq!(
            groups("mnk", ["mk", "kn", "mn"]),
            expected(["", "m", "n", "k"])
        );
        assert_eq!(
            groups("abcdef", ["abcd", "cdef", "abef"]),
            expected(["", "ab", "ef", "cd"])
        );
        assert_eq!(
            groups("bhqkd", ["bqhd", "bkhd", "bhqk"]),
            expected(["bh", "q", "k", "d"])
        );
        // A convolution: image, row, column, filter; window and channel.
        assert_eq!(
            groups("nyxfijc", ["nyixjc", "ijcf", "nyxf"]),
            expected(["", "nyx", "f", "ijc"])
        );
    }

    #[test]
    fn a_loop_of_one_operand_makes_no_contraction() {
        assert_eq!(groups("mnk", ["mk", "n", "mn"]), None);
        assert_eq!(groups("mnk", ["mk", "kn", "n"]), None);
        assert_eq!(groups("mnkr", ["mk", "kn", "mnr"]), None);
    }

    #[test]
    fn loops_that_all_operands_walk_as_one_are_joined() {
        let inner = |size: i64, strides: [i64; 3]| Loop {
            size,
            strides: strides.to_vec(),
            steps: Vec::new(),
        };
        // m is (3, 5) in a contiguous lhs and result; k is (2, 7), which is transposed in rhs.
        let contraction = Contraction::of_loops([
            (Group::M, inner(3, [70, 0, 20])),
            (Group::M, inner(5, [14, 0, 4])),
            (Group::N, inner(4, [0, 14, 1])),
            (Group::K, inner(2, [7, 1, 0])),
            (Group::K, inner(7, [1, 2, 0])),
        ]);
        let simplified = contraction.simplified();
        assert_eq!(simplified.loops(Group::M), [inner(15, [14, 0, 4])]);
        assert_eq!(
            simplified.loops(Group::K),
            [inner(7, [1, 2, 0]), inner(2, [7, 1, 0])]
        );
        assert_eq!(simplified.work(), contraction.work());
    }

    #[test]
    fn loops_that_move_a_bounded_index_apart_are_not_joined() {
        // Columns and channels of a contiguous image with bounded columns.
        let inner = |size: i64, stride: i64, steps: &[i64]| Loop {
            size,
            strides: vec![stride, 0, 0],
            steps: steps.to_vec(),
        };
        let columns = |steps: [&[i64]; 2]| {
            let [column, channel] = steps;
            let loops = [inner(3, 64, column), inner(64, 1, channel)];
            let loops = loops.map(|inner| (Group::K, inner));
            Contraction::of_loops(loops).simplified()
        };
        assert_eq!(columns([&[], &[]]).loops(Group::K), [inner(192, 1, &[])]);
        let bounded = columns([&[1], &[0]]);
        assert_eq!(
            bounded.loops(Group::K),
            [inner(3, 64, &[1]), inner(64, 1, &[0])]
        );
    }
}
