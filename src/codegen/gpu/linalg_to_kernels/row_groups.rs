//! Ops on the same rows as one kernel: a softmax or a normalization reads its
//! rows once and writes them once.
//!
//! A reduction along rows, and the ops beside it that walk the same rows, whole
//! ones or one element of each, need nothing of another row. So a block takes a
//! row through all of them, with a barrier between each two. A buffer that no
//! one else uses is then no more than a row, in shared memory.
//!
//! ```mlir
//! linalg.generic ... ins(%x : memref<4096x1024xf32>) outs(%max : memref<4096xf32>)
//! linalg.generic ... ins(%x, %max ...) outs(%exp : memref<4096x1024xf32>)
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.launch blocks(%row, ...) in (%c4096, ...) threads(...) in (%c128, ...)
//!     workgroup(%max : memref<1xf32, ...>, ...) {
//!   // the maximum of row %row, by all threads, into %max
//!   gpu.barrier
//!   // the exponentials of row %row, by all threads
//! } {halo.strategy = "row_group"}
//! ```

use super::{Kernel, points, rows, runs_in_kernel, zeros};
use crate::{
    gpu::{
        kernel::{delinearize, shared_type, when},
        launch::{Dimensions, WARP, launch},
        slices::{Range, range_of},
        vectors,
    },
    loops::{
        access::{Access, Expr, IRREGULAR, Operator},
        aliases::{Aliases, view_source},
        emit::{self, Emitted, copy_as_generic},
        loop_nest::{Extent, LoopNest},
        reduction,
    },
};
use halo_ir::ops::arith::CmpIPredicate;
use halo_ir::{
    Block, Builder, Operation, Value, bits_of, blocks_of, collect_operations, element_type,
    is_memref, is_structured, name_of, operands_of, operation_key, operations_of,
    ops::{Op, OperationExt, arith, gpu, memref, scf},
    value_key, visit, with_builder,
};
use melior::ir::{ValueLike, operation::OperationLike};
use std::collections::{HashMap, HashSet};

/// Rows that are shorter are a warp's, and their ops kernels of their own.
const SHORTEST: i64 = 32;
/// Elements of the longest row that a block takes.
const LONGEST: i64 = 1 << 15;
/// Elements of a copy that may be a part of a group.
const MOST_COPIED: i64 = 1 << 14;
/// Bytes of shared memory that rows may take.
const SHARED_BYTES: i64 = 40 << 10;

/// Makes kernels of all groups of an entry function.
pub(super) fn lower(function: Operation<'_>) -> Emitted<()> {
    let mut blocks: Vec<Block> = function.regions().flat_map(blocks_of).collect();
    for around in collect_operations(function, |op| name_of(op).starts_with("scf.")) {
        if !runs_in_kernel(around) && around.result_count() == 0 && !around.isa::<scf::ParallelOp>()
        {
            blocks.extend(around.regions().flat_map(blocks_of));
        }
    }
    for block in blocks {
        for copy in operations_of(block) {
            if is_short_copy(copy) {
                with_builder(copy, |builder| {
                    copy_as_generic(builder, copy)?;
                    builder.erase(copy)?;
                    Ok::<_, halo_ir::BuildError>(())
                })?;
            }
        }
        let operations = operations_of(block);
        let mut position = 0;
        while position < operations.len() {
            position = group_at(&operations, position)?;
        }
    }
    Ok(())
}

/// Whether an op copies an element for each of some rows, as sums do that begin
/// from the same value.
fn is_short_copy(operation: Operation) -> bool {
    let elements = |value: &Value| -> Option<i64> {
        Some(halo_ir::static_shape_of(value.r#type())?.iter().product())
    };
    operation.isa::<memref::CopyOp>()
        && operands_of(operation)
            .iter()
            .all(|value| elements(value).is_some_and(|count| count <= MOST_COPIED))
}

/// Makes a kernel of the group of the next reduction from a position on, if
/// there is one; returns where to go on.
fn group_at(operations: &[Operation<'_>], position: usize) -> Emitted<usize> {
    let Some(seed) = (position..operations.len()).find(|at| is_structured(operations[*at])) else {
        return Ok(operations.len());
    };
    // A group begins with what leads to its reduction.
    let mut run = Vec::new();
    let mut end = seed;
    while end < operations.len() {
        let operation = operations[end];
        if is_structured(operation) {
            run.push(operation);
        } else if !names_something(operation) {
            break;
        }
        end += 1;
    }
    let mut first = 0;
    while first < run.len() {
        let Some(reduction) = (first..run.len()).find(|at| seed_of(run[*at]).is_some()) else {
            break;
        };
        first = reduction + 1;
        let Some((rows, length)) = seed_of(run[reduction]) else {
            continue;
        };
        let mut group = Group::new(rows, length);
        let mut begin = reduction;
        // What goes before is of the group as far as it fits.
        while begin > 0 && Member::of(run[begin - 1], rows, length).is_some() {
            begin -= 1;
        }
        let mut last = None;
        for (at, operation) in run.iter().enumerate().skip(begin) {
            let added =
                Member::of(*operation, rows, length).is_some_and(|member| group.add(member));
            if !added {
                if at <= reduction {
                    // Begin again behind what does not go with the reduction.
                    group = Group::new(rows, length);
                    continue;
                }
                break;
            }
            last = Some(at);
        }
        if let Some(last) = last.filter(|last| *last >= reduction)
            && group.is_worth_it()
        {
            // Those before the group are kernels of their own.
            let behind = operations
                .iter()
                .position(|operation| *operation == run[last])
                .map_or(operations.len(), |at| at + 1);
            group.emit()?;
            return Ok(behind);
        }
    }
    Ok(end.max(seed + 1))
}

fn names_something(operation: Operation) -> bool {
    view_source(operation).is_some()
        || matches!(
            name_of(operation),
            arith::ConstantOp::NAME | memref::AllocOp::NAME | memref::GetGlobalOp::NAME
        )
}

/// The rows and their length, of a reduction along rows.
fn seed_of(operation: Operation) -> Option<(i64, i64)> {
    if !is_structured(operation) {
        return None;
    }
    let nest = nest_of(operation)?;
    let size = |reduction: bool| -> i64 {
        let dims = nest.dims.iter().filter(|dim| dim.reduction == reduction);
        dims.map(|dim| dim.extent.estimate()).product()
    };
    let (rows, length) = (size(false), size(true));
    let fits = (SHORTEST..=LONGEST).contains(&length);
    let member = Member::of(operation, rows, length)?;
    (fits && member.reduction.is_some()).then_some((rows, length))
}

fn nest_of(operation: Operation<'_>) -> Option<LoopNest<'_>> {
    let mut nest = LoopNest::of(operation)?;
    let fixed = (nest.dims.iter()).all(|dim| matches!(dim.extent, Extent::Fixed(_)));
    if !fixed || nest.is_empty() || !nest.is_countable() {
        return None;
    }
    nest.drop_unit_dims();
    Some(nest)
}

/// An op of a group.
struct Member<'c> {
    operation: Operation<'c>,
    kernel: Kernel<'c>,
    /// The dimensions that number the rows.
    rows: Vec<usize>,
    /// Those along a row; none where the op has one element for each.
    columns: Vec<usize>,
    reduction: Option<rows::Plan<'c>>,
}

impl<'c> Member<'c> {
    /// An op that walks `rows` rows of `length` elements, or an element of each.
    fn of(operation: Operation<'c>, rows: i64, length: i64) -> Option<Self> {
        if !is_structured(operation) {
            return None;
        }
        let nest = nest_of(operation)?;
        let mut product = 1;
        let mut split = 0;
        while split < nest.dims.len() && product < rows && !nest.dims[split].reduction {
            product *= nest.dims[split].extent.estimate();
            split += 1;
        }
        let columns: Vec<usize> = (split..nest.dims.len()).collect();
        let along: i64 = (columns.iter())
            .map(|dim| nest.dims[*dim].extent.estimate())
            .product();
        let reductions = columns
            .iter()
            .filter(|dim| nest.dims[**dim].reduction)
            .count();
        if product != rows || !(columns.is_empty() || along == length) {
            return None;
        }
        let combiners = reduction::combiners(&nest);
        let kernel = Kernel { nest, combiners };
        let reduction = match reductions {
            0 => None,
            count if count == columns.len() => Some(rows::plan(&kernel)?),
            _ => return None,
        };
        Some(Self {
            operation,
            kernel,
            rows: (0..split).collect(),
            columns,
            reduction,
        })
    }

    fn accesses(&self) -> impl Iterator<Item = (&Access<'c>, bool)> {
        let inputs = self.kernel.nest.input_count;
        let accesses = self.kernel.nest.accesses.iter().enumerate();
        accesses
            .filter(|(_, access)| !access.scalar)
            .map(move |(number, access)| (access, number >= inputs))
    }

    /// How many elements of a buffer belong to a row, if an access keeps to its
    /// row: row `r` is the elements from that number times `r` on.
    fn row_stride(&self, access: &Access<'c>, rows: i64) -> Option<i64> {
        let elements = i64::try_from(elements_of(access.value)?).ok()?;
        if elements % rows != 0 {
            return None;
        }
        let each = elements / rows;
        let mut expected = each;
        for dim in self.rows.iter().rev() {
            if access.stride(*dim) != expected {
                return None;
            }
            expected *= self.kernel.size(*dim);
        }
        let mut last = 0;
        for dim in &self.columns {
            let stride = access.stride(*dim);
            if stride < 0 || stride == IRREGULAR {
                return None;
            }
            last += stride * (self.kernel.size(*dim) - 1);
        }
        let affine = access.indices.iter().all(is_linear);
        (affine && last < each).then_some(each)
    }
}

/// Whether an index is a sum of loop indices times constants, without a term of
/// its own.
fn is_linear(index: &Expr) -> bool {
    match index {
        Expr::Dim(_) => true,
        Expr::Constant(value) => *value == 0,
        Expr::Binary(Operator::Add, left, right) => is_linear(left) && is_linear(right),
        Expr::Binary(Operator::Multiply, left, right) => {
            matches!(**left, Expr::Constant(_)) && is_linear(right)
                || matches!(**right, Expr::Constant(_)) && is_linear(left)
        }
        Expr::Binary(..) => false,
    }
}

/// The elements of the buffer that a memref is all of.
fn elements_of(memref: Value) -> Option<u64> {
    let range = range_of(memref)?;
    let bytes = crate::loops::sizes::element_bytes(element_type(memref.r#type()))?;
    Some(range.size / bytes)
}

/// Ops that one kernel takes in.
struct Group<'c> {
    rows: i64,
    length: i64,
    members: Vec<Member<'c>>,
    /// What is written, and how much of it is a row's.
    written: Vec<(Range, i64)>,
    /// What is read: all of it by any row, or a row of so many elements.
    read: Vec<(Range, Option<i64>)>,
}

impl<'c> Group<'c> {
    fn new(rows: i64, length: i64) -> Self {
        Self {
            rows,
            length,
            members: Vec::new(),
            written: Vec::new(),
            read: Vec::new(),
        }
    }

    /// Adds an op, if what it reads and writes of the buffers of the others
    /// stays within its row.
    fn add(&mut self, member: Member<'c>) -> bool {
        let mut written = self.written.clone();
        let mut read = self.read.clone();
        for (access, output) in member.accesses() {
            let Some(range) = range_of(access.value) else {
                return false;
            };
            let stride = member.row_stride(access, self.rows);
            match (output, stride) {
                (true, Some(stride)) => written.push((range, stride)),
                (true, None) => return false,
                (false, stride) => read.push((range, stride)),
            }
        }
        // What the body loads by itself may lie anywhere.
        let mut loads_known = true;
        visit(member.operation, &mut |nested| {
            if nested == member.operation {
                return;
            }
            for operand in nested
                .operands()
                .filter(|operand| is_memref(operand.r#type()))
            {
                match range_of(operand) {
                    Some(range) => read.push((range, None)),
                    None => loads_known = false,
                }
            }
        });
        let same = |one: &(Range, i64), other: &Range, stride: Option<i64>| {
            !one.0.overlaps(other) || (one.0 == *other && stride == Some(one.1))
        };
        let sound = written.iter().all(|one| {
            written
                .iter()
                .all(|(other, stride)| same(one, other, Some(*stride)))
                && read.iter().all(|(other, stride)| same(one, other, *stride))
        });
        if !loads_known || !sound {
            return false;
        }
        (self.written, self.read) = (written, read);
        self.members.push(member);
        true
    }

    fn is_worth_it(&self) -> bool {
        let rows = self
            .members
            .iter()
            .filter(|member| !member.columns.is_empty());
        rows.count() > 1
    }

    fn emit(self) -> Emitted<()> {
        let Some(last) = self.members.last().map(|member| member.operation) else {
            return Ok(());
        };
        with_builder(last, |builder| {
            builder.set_after(last);
            self.emit_at(builder)
        })?;
        for member in &self.members {
            with_builder(member.operation, |builder| builder.erase(member.operation))?;
        }
        Ok(())
    }

    fn emit_at(&self, builder: &Builder<'c>) -> Emitted<()> {
        for member in &self.members {
            reduction::set_fastmath(&member.kernel.combiners);
        }
        let locals = self.locals();
        let width = (self.members.iter())
            .filter_map(|member| member.columns.last().map(|dim| member.width(*dim)))
            .max()
            .unwrap_or(1);
        let threads = rows::threads_for(self.length, width).min(256);
        let dimensions = Dimensions {
            grid: [self.rows, 1, 1],
            block: [threads, 1, 1],
        };
        // Shared memory: what reductions combine in, then the buffers.
        let mut shared = Vec::new();
        for member in &self.members {
            for combiner in member.kernel.combiners.iter().flatten() {
                if member.reduction.is_some() {
                    shared.push(shared_type(builder, &[WARP], combiner.r#type()));
                }
            }
        }
        let combining = shared.len();
        for (buffer, each) in &locals {
            let element = element_type(buffer.r#type());
            shared.push(shared_type(builder, &[*each], element));
        }
        launch(
            builder,
            "row_group",
            dimensions,
            &shared,
            |builder, place, shared| {
                let (mut combining, buffers) = shared.split_at(combining);
                let rows_in: HashMap<usize, Value> = locals
                    .iter()
                    .zip(buffers)
                    .map(|((buffer, _), shared)| (value_key(*buffer), *shared))
                    .collect();
                for (number, member) in self.members.iter().enumerate() {
                    if number > 0 {
                        gpu::barrier(builder)?;
                    }
                    let count = member
                        .reduction
                        .as_ref()
                        .map_or(0, |plan| plan.combiners.len());
                    let (own, rest) = combining.split_at(count);
                    combining = rest;
                    let local = member.with_rows(&rows_in, self.rows);
                    local.emit(builder, (place.block[0], place.thread[0], threads), own)?;
                }
                Ok(())
            },
        )?;
        Ok(())
    }

    /// The buffers that nothing else uses and that fit into shared memory, with
    /// the elements of a row: short rows first.
    fn locals(&self) -> Vec<(Value<'c>, i64)> {
        let members: HashSet<usize> = self
            .members
            .iter()
            .map(|member| operation_key(member.operation))
            .collect();
        let mut found: Vec<(Value, i64)> = Vec::new();
        for member in &self.members {
            for (access, output) in member.accesses() {
                let Some(buffer) = allocation_of(access.value) else {
                    continue;
                };
                let known = found.iter().any(|(other, _)| *other == buffer);
                let Some(each) = member.row_stride(access, self.rows) else {
                    continue;
                };
                let whole = range_of(access.value) == range_of(buffer);
                let aliases = Aliases::of(buffer);
                let only_here = aliases.users.iter().all(|user| {
                    view_source(*user).is_some() || members.contains(&operation_key(*user))
                });
                if output && !known && whole && only_here && !aliases.hidden && !aliases.returned {
                    found.push((buffer, each));
                }
            }
        }
        // All accesses must be of the kind that a row in shared memory takes.
        found.retain(|(buffer, each)| {
            self.members.iter().all(|member| {
                member.accesses().all(|(access, _)| {
                    allocation_of(access.value) != Some(*buffer)
                        || member.row_stride(access, self.rows) == Some(*each)
                }) && !loads_from(member.operation, *buffer)
            })
        });
        found.sort_by_key(|(_, each)| *each);
        let mut bytes = 0;
        found.retain(|(buffer, each)| {
            let bits = bits_of(element_type(buffer.r#type())).unwrap_or(64).max(8);
            bytes += each * i64::from(bits) / 8;
            bytes <= SHARED_BYTES
        });
        found
    }
}

/// The allocation that a memref is a view of.
fn allocation_of<'c>(memref: Value<'c>) -> Option<Value<'c>> {
    let (definition, _) = halo_ir::defining_operation(memref)?;
    match name_of(definition) {
        memref::AllocOp::NAME => Some(memref),
        _ => allocation_of(view_source(definition)?),
    }
}

fn loads_from(operation: Operation, buffer: Value) -> bool {
    let mut loads = false;
    visit(operation, &mut |nested| {
        loads |= nested != operation
            && nested
                .operands()
                .any(|operand| allocation_of(operand) == Some(buffer));
    });
    loads
}

impl<'c> Member<'c> {
    fn width(&self, dim: usize) -> i64 {
        vectors::width(&self.kernel.nest, dim)
    }

    /// The same op with rows in shared memory in place of whole buffers.
    fn with_rows(&self, rows_in: &HashMap<usize, Value<'c>>, rows: i64) -> Self {
        let mut nest = self.kernel.nest.clone();
        for access in &mut nest.accesses {
            let shared = allocation_of(access.value)
                .and_then(|buffer| rows_in.get(&value_key(buffer)).copied());
            let Some(shared) = shared else {
                continue;
            };
            if self.row_stride(access, rows).is_none() {
                continue;
            }
            let mut index = Expr::Constant(0);
            for dim in &self.columns {
                let term = match access.stride(*dim) {
                    0 => continue,
                    1 => Expr::Dim(*dim),
                    stride => Expr::Binary(
                        Operator::Multiply,
                        Box::new(Expr::Dim(*dim)),
                        Box::new(Expr::Constant(stride)),
                    ),
                };
                index = match index {
                    Expr::Constant(0) => term,
                    sum => Expr::Binary(Operator::Add, Box::new(sum), Box::new(term)),
                };
            }
            *access = Access::of_memref(shared, vec![index]);
        }
        Self {
            operation: self.operation,
            kernel: Kernel {
                nest,
                combiners: self.kernel.combiners.clone(),
            },
            rows: self.rows.clone(),
            columns: self.columns.clone(),
            reduction: self.reduction.clone(),
        }
    }

    /// The op for one row.
    fn emit(
        &self,
        builder: &Builder<'c>,
        (row, thread, threads): (Value<'c>, Value<'c>, i64),
        shared: &[Value<'c>],
    ) -> Emitted<()> {
        let mut ivs = zeros(builder, &self.kernel.nest)?;
        let sizes = self.kernel.sizes(&self.rows);
        for (dim, iv) in self.rows.iter().zip(delinearize(builder, row, &sizes)?) {
            ivs[*dim] = iv;
        }
        if let Some(plan) = &self.reduction {
            return rows::reduce_row(
                builder,
                &self.kernel,
                plan,
                (&mut ivs, thread, threads),
                shared,
            );
        }
        let Some(innermost) = self.columns.last().copied() else {
            let zero = emit::index(builder, 0)?;
            let first = arith::cmpi(builder, CmpIPredicate::Eq, thread, zero)?;
            return when(builder, first, |builder| {
                points::point_in_memory(builder, &self.kernel, &ivs)
            });
        };
        let width = self.width(innermost);
        let begin = emit::scale(builder, thread, width)?;
        let end = emit::index(builder, self.kernel.product(&self.columns))?;
        let step = emit::index(builder, threads * width)?;
        let sizes = self.kernel.sizes(&self.columns);
        emit::for_loop(builder, (begin, end, step), &[], |builder, column, _| {
            for (dim, iv) in self
                .columns
                .iter()
                .zip(delinearize(builder, column, &sizes)?)
            {
                ivs[*dim] = iv;
            }
            points::neighbours(builder, &self.kernel, (&ivs, innermost, width))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
