//! Products whose columns, depth or batch have sizes that are known only at run time, such as the
//! scores of attention over a dynamic length.
//!
//! Blocks of the result are computed from copies of blocks of lhs and rhs, which have static sizes
//! and zeros out of bounds. The copies cost few percent of a block's multiplications.
//!
//! ```mlir
//! linalg.matmul ins(%a, %b : memref<?x64xf32>, memref<64x?xf32>) outs(%c : memref<?x?xf32>)
//! ```
//!
//! becomes
//!
//! ```mlir
//! scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c32, %c32) {
//!   %x = memref.alloc() : memref<32x64xf32>     // on the stack of the thread
//!   %y = memref.alloc() : memref<64x32xf32>
//!   %z = memref.alloc() : memref<32x32xf32>
//!   // rows %i of %a to %x, columns %j of %b to %y
//!   linalg.generic {... a product ...} ins(%x, %y) outs(%z)
//!   // %z to a block of %c
//! }
//! ```

use super::vectors::{load_vector, store_vector};
use crate::loops::{
    access::{self, Expr},
    contraction::{DirectBody, Groups, has_vector_layout},
    fill::{clone_fill, zero_fill_of},
    loop_nest::Extent,
    prelude::*,
};
use halo_ir::prelude::*;

/// The elements of a dynamic dimension in a block: if it has few elements, and otherwise.
const EDGES: [i64; 2] = [32, 64];
/// The largest static dimension that is in one block.
const WHOLE: i64 = 128;
/// A product of fewer multiplications is computed without copies.
const FEW_PRODUCTS: i64 = 2048;

/// A product as loops over blocks.
struct Blocks<'c> {
    nest: LoopNest<'c>,
    /// The size of the block of each loop, and 1 for a loop over products.
    sizes: Vec<i64>,
    is_outer: Vec<bool>,
    lanes: i64,
}

/// The first index and the number of indices of a loop in a block.
#[derive(Clone, Copy)]
struct Range<'c> {
    first: Value<'c>,
    count: Value<'c>,
}

/// Replaces a product of dynamic sizes by products of blocks, which are returned; `None` for other
/// ops.
pub fn products_of_blocks<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    vector_bits: i64,
) -> Option<Vec<Operation<'c>>> {
    let [few, many] = EDGES.map(|edge| Blocks::of(operation, edge, vector_bits));
    let (few, many) = (few?, many?);
    let fill = zero_fill_of(operation).filter(|fill| fill.isa::<linalg::FillOp>());
    let extent = |dim: usize| many.nest.dims[dim].extent.value(builder);
    let extents: Vec<Value> = many.inner().map(extent).collect();
    let multiply = |work, extent: &Value<'c>| index::mul(builder, work, *extent);
    let work = extents.iter().fold(index::constant(builder, 1), multiply);
    let is_small = index::compare(builder, CmpIPredicate::Ult, work, FEW_PRODUCTS);
    let (mut of_few, mut of_many) = (None, None);
    scf::if_else(
        builder,
        is_small,
        |builder| {
            let mut map = ValueMap::new();
            for op in fill.into_iter().chain([operation]) {
                builder.clone_op(op, &mut map);
            }
            Vec::new()
        },
        |builder| {
            let are_few = few.is_one_block(builder, &extents);
            scf::if_else(
                builder,
                are_few,
                |builder| {
                    of_few = Some(few.emit(builder, fill));
                    Vec::new()
                },
                |builder| {
                    of_many = Some(many.emit(builder, fill));
                    Vec::new()
                },
            );
            Vec::new()
        },
    );
    builder.erase(operation);
    if let Some(fill) = fill {
        builder.erase(fill);
    }
    Some([of_few, of_many].into_iter().flatten().collect())
}

impl<'c> Blocks<'c> {
    fn of(operation: Operation<'c>, edge: i64, vector_bits: i64) -> Option<Self> {
        let mut nest = LoopNest::of(operation)?;
        nest.drop_unit_dims();
        nest.fuse_dims();
        let is_dynamic = |dim: &usize| matches!(nest.dims[*dim].extent, Extent::Dynamic { .. });
        let dims = 0..nest.dims.len();
        if nest.input_count != 2
            || nest.accesses.len() != 3
            || !dims.clone().any(|dim| is_dynamic(&dim))
        {
            return None;
        }
        DirectBody::of(nest.body)?;
        let has_layout = |access: &Access| {
            has_vector_layout(access.ty().element_type())
                && access.ty().has_identity_layout()
                && access
                    .indices
                    .iter()
                    .all(|index| matches!(index, Expr::Dim(_) | Expr::Constant(_)))
        };
        if !nest.accesses.iter().all(has_layout) {
            return None;
        }
        let groups = Groups::infer(dims.clone(), |dim| {
            [0, 1, 2].map(|number| nest.accesses[number].mentions(dim))
        })?;
        // Each block has one loop of each group.
        let mut is_outer = vec![true; nest.dims.len()];
        let position =
            |dim: &usize| nest.accesses[2].indices.iter().position(|index| index.mentions(*dim));
        let innermost =
            [&groups.m, &groups.n].map(|dims| dims.iter().copied().max_by_key(position));
        let [depth] = groups.k[..] else {
            return None;
        };
        for dim in innermost.into_iter().flatten().chain([depth]) {
            is_outer[dim] = false;
        }
        let widths = nest.accesses.iter().map(|access| access.ty().element_type().bit_width());
        let lanes = (vector_bits / i64::from(widths.flatten().max()?)).max(1);
        let last = |access: &Access| match access.indices.last() {
            Some(Expr::Dim(dim)) if !is_outer[*dim] => Some(*dim),
            _ => None,
        };
        let last: Vec<usize> = nest.accesses.iter().map(last).collect::<Option<_>>()?;
        let sizes = dims.map(|dim| {
            let size = match nest.dims[dim].extent {
                _ if is_outer[dim] => return 1,
                Extent::Fixed(size) if size <= WHOLE => size,
                _ => edge,
            };
            if last.contains(&dim) {
                (size + lanes - 1) / lanes * lanes
            } else {
                size
            }
        });
        Some(Self {
            sizes: sizes.collect(),
            nest,
            is_outer,
            lanes,
        })
    }

    /// The loops of a block.
    fn inner(&self) -> impl Iterator<Item = usize> {
        (0..self.sizes.len()).filter(|dim| !self.is_outer[*dim])
    }

    /// Whether one block has the whole product.
    fn is_one_block(&self, builder: &Builder<'c>, extents: &[Value<'c>]) -> Value<'c> {
        let mut is_one = arith::constant(builder, halo_ir::integer_type(builder.context(), 1), 1);
        for (dim, extent) in self.inner().zip(extents) {
            let fits = index::compare(builder, CmpIPredicate::Ule, *extent, self.sizes[dim]);
            is_one = arith::andi(builder, is_one, fits);
        }
        is_one
    }

    /// Emits the loops, and returns the product of a block; `fill` sets the result to zero before.
    fn emit(&self, builder: &Builder<'c>, fill: Option<Operation<'c>>) -> Operation<'c> {
        let reduces = |dim: &usize| self.nest.dims[*dim].reduction;
        let (sums, places): (Vec<usize>, Vec<usize>) = (0..self.sizes.len()).partition(reduces);
        let zero = index::constant(builder, 0);
        let extents: Vec<Value> =
            self.nest.dims.iter().map(|dim| dim.extent.value(builder)).collect();
        let range = |builder: &Builder<'c>, dim: usize, first: Value<'c>| {
            let left = index::sub(builder, extents[dim], first);
            let count = index::min(builder, left, self.sizes[dim]);
            Range { first, count }
        };
        let bounds: Vec<_> = places
            .iter()
            .map(|dim| {
                (
                    zero,
                    extents[*dim],
                    index::constant(builder, self.sizes[*dim]),
                )
            })
            .collect();
        let mut product = None;
        scf::parallel(builder, &bounds, |builder, firsts| {
            let mut ranges = vec![
                Range {
                    first: zero,
                    count: zero
                };
                self.sizes.len()
            ];
            for (dim, first) in places.iter().zip(firsts) {
                ranges[*dim] = range(builder, *dim, *first);
            }
            let copies: Vec<Value> =
                self.nest.accesses.iter().map(|access| self.buffer(builder, access)).collect();
            let result = copies[2];
            if let Some(fill) = fill {
                clone_fill(builder, fill, result);
            } else {
                self.read(builder, 2, result, &ranges);
            }
            for dim in &sums {
                let steps = (zero, extents[*dim], self.sizes[*dim]);
                scf::for_each(builder, steps, |builder, first| {
                    ranges[*dim] = range(builder, *dim, first);
                    for number in [0, 1] {
                        self.read(builder, number, copies[number], &ranges);
                    }
                    product = Some(self.product(builder, &copies));
                });
            }
            self.write(builder, result, &ranges);
        });
        product.unwrap_or_else(|| halo_ir::bug("a product has no sums"))
    }

    /// The loops of a block that index an operand, in the order of its dimensions.
    fn dims_of(&self, access: &Access<'c>) -> Vec<usize> {
        let dims = access.indices.iter().filter_map(|index| match index {
            Expr::Dim(dim) if !self.is_outer[*dim] => Some(*dim),
            _ => None,
        });
        dims.collect()
    }

    fn buffer(&self, builder: &Builder<'c>, access: &Access<'c>) -> Value<'c> {
        let sizes: Vec<i64> = self.dims_of(access).iter().map(|dim| self.sizes[*dim]).collect();
        memref::alloc_aligned(builder, &sizes, access.ty().element_type())
    }

    /// The product of the copies of blocks.
    fn product(&self, builder: &Builder<'c>, copies: &[Value<'c>]) -> Operation<'c> {
        let inner: Vec<usize> = self.inner().collect();
        let loop_of = |dim: usize| Expr::Dim(inner.iter().filter(|other| **other < dim).count());
        let accesses: Vec<Access> = (self.nest.accesses.iter().zip(copies))
            .map(|(access, copy)| {
                Access::of_memref(
                    *copy,
                    self.dims_of(access).into_iter().map(loop_of).collect(),
                )
            })
            .collect();
        let reductions: Vec<bool> =
            inner.iter().map(|dim| self.nest.dims[*dim].reduction).collect();
        access::generic(builder, &accesses, 1, &reductions, |builder, values| {
            builder.clone_body(self.nest.body, values)
        })
    }

    /// Copies a block of an operand, with zeros out of bounds.
    fn read(&self, builder: &Builder<'c>, number: usize, copy: Value<'c>, ranges: &[Range<'c>]) {
        let access = &self.nest.accesses[number];
        let view = access.view(builder);
        self.for_each_vector(builder, access, ranges, |builder, (from, to), mask| {
            let vector = load_vector(builder, view, from, self.lanes, mask);
            store_vector(builder, vector, copy, to, None);
        });
    }

    /// Copies a block of the result from its buffer.
    fn write(&self, builder: &Builder<'c>, copy: Value<'c>, ranges: &[Range<'c>]) {
        let access = &self.nest.accesses[2];
        let view = access.view(builder);
        self.for_each_vector(builder, access, ranges, |builder, (to, from), mask| {
            let vector = load_vector(builder, copy, from, self.lanes, None);
            store_vector(builder, vector, view, to, mask);
        });
    }

    /// Visits the vectors of a block of an operand with their places in the operand and in the
    /// copy, and the mask of the elements that are in bounds if not all are.
    fn for_each_vector(
        &self,
        builder: &Builder<'c>,
        access: &Access<'c>,
        ranges: &[Range<'c>],
        visit: impl Fn(&Builder<'c>, (&[Value<'c>], &[Value<'c>]), Option<Value<'c>>),
    ) {
        let dims = self.dims_of(access);
        let Some((last, rows)) = dims.split_last() else {
            return;
        };
        let is_whole = dims.iter().map(|dim| {
            index::compare(
                builder,
                CmpIPredicate::Eq,
                ranges[*dim].count,
                self.sizes[*dim],
            )
        });
        let is_whole = is_whole.reduce(|all, is_whole| arith::andi(builder, all, is_whole));
        let steps: Vec<(i64, i64)> = rows
            .iter()
            .map(|dim| (self.sizes[*dim], 1))
            .chain([(self.sizes[*last], self.lanes)])
            .collect();
        let emit = |builder: &Builder<'c>, is_masked: bool| {
            nest(builder, &steps, &mut Vec::new(), &mut |builder, at| {
                let mut ivs: Vec<Value> = ranges.iter().map(|range| range.first).collect();
                for (dim, index) in dims.iter().zip(at) {
                    ivs[*dim] = index::add(builder, ranges[*dim].first, *index);
                }
                let mask = is_masked.then(|| {
                    let zero = index::constant(builder, 0);
                    let (column, row) = (at[at.len() - 1], &at[..at.len() - 1]);
                    let mut count = index::sub(builder, ranges[*last].count, column);
                    for (dim, index) in rows.iter().zip(row) {
                        let end = ranges[*dim].count;
                        let is_inside = index::compare(builder, CmpIPredicate::Ult, *index, end);
                        count = arith::select(builder, is_inside, count, zero);
                    }
                    let i1 = halo_ir::integer_type(builder.context(), 1);
                    vector::create_mask(builder, &[count], vector_type(&[self.lanes], i1))
                });
                visit(builder, (&access.indices_at(builder, &ivs), at), mask);
            });
        };
        let Some(is_whole) = is_whole else {
            return;
        };
        scf::if_else(
            builder,
            is_whole,
            |builder| {
                emit(builder, false);
                Vec::new()
            },
            |builder| {
                emit(builder, true);
                Vec::new()
            },
        );
    }
}

/// Loops from 0, each of a size and a step.
fn nest<'c>(
    builder: &Builder<'c>,
    steps: &[(i64, i64)],
    at: &mut Vec<Value<'c>>,
    body: &mut dyn FnMut(&Builder<'c>, &[Value<'c>]),
) {
    let Some(((size, step), others)) = steps.split_first() else {
        return body(builder, at);
    };
    scf::for_each(builder, (0, *size, *step), |builder, index| {
        at.push(index);
        nest(builder, others, at, body);
        at.pop();
    });
}
