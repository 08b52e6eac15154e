//! Fuses ops on the same rows into one kernel: a softmax or a normalization
//! reads and writes its rows once.
//!
//! A reduction along rows, and adjacent ops that access the same rows or one
//! element of each, do not depend on other rows. So a block computes all of
//! them for one row, with barriers in between. A buffer that only these ops use
//! shrinks to one row in shared memory.
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

mod member;

use super::{rows, runs_in_kernel};
use crate::{
    gpu::{
        kernel::shared_type,
        launch::{Dimensions, WARP, launch},
        slices::{Range, range_of},
    },
    loops::{
        aliases::{Aliases, view_source},
        loop_ops::{Emitted, copy_as_generic},
        reduction,
    },
};
use halo_ir::{
    Block, Builder, Operation, Value, bits_of, blocks_of, collect_operations, element_type,
    is_memref, is_structured, name_of, operands_of, operation_key, operations_of,
    ops::{Op, OperationExt, arith, gpu, memref, scf},
    value_key, visit, with_builder,
};
use melior::ir::{ValueLike, operation::OperationLike};
use member::{Member, allocation_of, nest_of};
use std::collections::{HashMap, HashSet};

/// Shorter rows get a warp each, and separate kernels for each op.
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

/// Whether an op copies an element to each row, such as the initial value of
/// sums.
fn is_short_copy(operation: Operation) -> bool {
    let elements = |value: &Value| -> Option<i64> {
        Some(halo_ir::static_shape_of(value.r#type())?.iter().product())
    };
    operation.isa::<memref::CopyOp>()
        && operands_of(operation)
            .iter()
            .all(|value| elements(value).is_some_and(|count| count <= MOST_COPIED))
}

/// Outlines the group of the next reduction from a position on to a kernel, if
/// there is one; returns the position to continue at.
fn group_at(operations: &[Operation<'_>], position: usize) -> Emitted<usize> {
    let Some(seed) = (position..operations.len()).find(|at| is_structured(operations[*at])) else {
        return Ok(operations.len());
    };
    // A group begins with the ops that lead to its reduction.
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
        // Preceding ops join the group as far as they fit.
        while begin > 0 && Member::of(run[begin - 1], rows, length).is_some() {
            begin -= 1;
        }
        let mut last = None;
        for (at, operation) in run.iter().enumerate().skip(begin) {
            let added =
                Member::of(*operation, rows, length).is_some_and(|member| group.add(member));
            if !added {
                if at <= reduction {
                    // Start again after an op that is incompatible with the
                    // reduction.
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
            // Ops before the group get separate kernels.
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

/// The rows of a reduction along rows, and their length.
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

/// Ops of one kernel.
struct Group<'c> {
    rows: i64,
    length: i64,
    members: Vec<Member<'c>>,
    /// The ranges that are written, and the elements per row of each.
    written: Vec<(Range, i64)>,
    /// The ranges that are read: the whole range by any row, or a number of
    /// elements by each row.
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

    /// Adds an op, if its accesses to the buffers of the others stay within its
    /// row.
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
        // Loads in the body may read any element.
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
            reduction::set_fastmath(builder, &member.kernel.combiners);
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
        // Shared memory: the scratch of reductions, then the buffers.
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
            |builder, ids, shared| {
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
                    local.emit(builder, (ids.block[0], ids.thread[0], threads), own)?;
                }
                Ok(())
            },
        )?;
        Ok(())
    }

    /// The buffers that only the group uses and that fit into shared memory,
    /// with the elements of a row: short rows first.
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
        // All accesses must be supported for rows in shared memory.
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
