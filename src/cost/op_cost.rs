//! The cost of one op: its time on a device, and its communication.

use crate::communication_cost::{Exchange, Kind};
use crate::flops::{Flops, flops};
use crate::topology::Device;
use halo_ir::prelude::*;
use halo_runtime::communication::{Collective, Grouping};

/// The numbers of replicas and partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub replicas: usize,
    pub partitions: usize,
}

/// Returns true for ops that take no time: compile-time constants and views.
pub fn is_free(op: Operation) -> bool {
    matches!(
        op.name(),
        stablehlo::ConstantOp::NAME
            | stablehlo::GetTupleElementOp::NAME
            | stablehlo::OptimizationBarrierOp::NAME
            | stablehlo::PartitionIdOp::NAME
            | stablehlo::ReplicaIdOp::NAME
            | stablehlo::ReshapeOp::NAME
            | stablehlo::TupleOp::NAME
    )
}

/// The arithmetic of an op and one execution of its regions.
pub fn flops_of(op: Operation) -> Flops {
    match op.name() {
        stablehlo::WhileOp::NAME | stablehlo::IfOp::NAME | stablehlo::CaseOp::NAME => {
            let mut sum = Flops::default();
            op.visit(&mut |nested| sum = sum + flops(nested));
            sum
        }
        _ => flops(op),
    }
}

/// The bytes of a tensor of static size.
pub fn bytes_of(ty: Type) -> Option<u64> {
    if !ty.is_tensor() {
        return None;
    }
    let elements: i64 = ty.static_shape()?.iter().product();
    u64::try_from(elements).ok()?.checked_mul(ty.element_type().byte_width()?)
}

/// The bytes that an op reads and writes, if each of its values is in memory. For ops on parts of a
/// tensor, only the parts count.
pub fn bytes_moved(op: Operation) -> u64 {
    let bytes = |values: Vec<Value>| -> Vec<u64> {
        let bytes = values.into_iter().map(|value| bytes_of(value.ty()));
        bytes.map(Option::unwrap_or_default).collect()
    };
    let (operands, results) = (bytes(op.operands()), bytes(op.results()));
    let operand = |number: usize| operands.get(number).copied().unwrap_or(0);
    let written: u64 = results.iter().sum();
    match op.name() {
        _ if is_free(op) => 0,
        stablehlo::DynamicUpdateSliceOp::NAME => 2 * operand(1),
        stablehlo::SliceOp::NAME | stablehlo::DynamicSliceOp::NAME | stablehlo::GatherOp::NAME => {
            2 * written
        }
        stablehlo::ScatterOp::NAME => 3 * operands.last().copied().unwrap_or(0),
        _ => operands.iter().sum::<u64>() + written,
    }
}

/// The element type name of the operands of a product.
pub fn element_name(op: Operation) -> String {
    let first = op.operands().first().map(|operand| operand.ty());
    first.map_or_else(String::new, |ty| ty.element_type().to_string())
}

/// The time of an op that is not fused.
pub fn seconds_alone(op: Operation, device: &Device) -> f64 {
    let bytes = bytes_moved(op);
    let arithmetic = flops_of(op);
    if bytes == 0 && arithmetic == Flops::default() {
        return 0.0;
    }
    let rate = device.flops_of(&element_name(op));
    let (numbers, functions) = (
        arithmetic.arithmetic as f64,
        arithmetic.transcendental as f64,
    );
    device.seconds(numbers / rate, functions, bytes as f64)
}

/// The communication of a collective; `None` for any other op.
pub fn kind_of(name: &str) -> Option<Kind> {
    Some(match name {
        stablehlo::AllGatherOp::NAME => Kind::AllGather,
        stablehlo::AllReduceOp::NAME | stablehlo::CrossReplicaSumOp::NAME => Kind::AllReduce,
        stablehlo::AllToAllOp::NAME => Kind::AllToAll,
        stablehlo::CollectiveBroadcastOp::NAME => Kind::Broadcast,
        stablehlo::CollectivePermuteOp::NAME => Kind::Permute,
        stablehlo::CollectiveReduceOp::NAME => Kind::Reduce,
        stablehlo::ReduceScatterOp::NAME => Kind::ReduceScatter,
        _ => return None,
    })
}

/// The exchange of a collective on a grid. Without a grid, the groups are the named ones, or two
/// processes. `None` for any other op, and for dynamic sizes.
pub fn exchange(op: Operation, collective: &Collective, grid: Option<Grid>) -> Option<Exchange> {
    let kind = kind_of(op.name())?;
    let mut operands = op.operands();
    if collective.has_dynamic_root {
        operands.pop();
    }
    let mut bytes = operands.into_iter().map(|operand| bytes_of(operand.ty()));
    let bytes = bytes.try_fold(0_u64, |sum, bytes| Some(sum + bytes?))?;
    Some(Exchange {
        kind,
        bytes: bytes as f64,
        groups: groups(collective, grid),
    })
}

/// The groups of a collective, as processes of a grid, replica by replica.
fn groups(collective: &Collective, grid: Option<Grid>) -> Vec<Vec<usize>> {
    let rows = &collective.rows;
    let Some(Grid {
        replicas,
        partitions,
    }) = grid
    else {
        return if rows.is_empty() {
            vec![vec![0, 1]]
        } else {
            rows.clone()
        };
    };
    let all = |count: usize| vec![(0..count).collect::<Vec<_>>()];
    let or_all = |count: usize| {
        if rows.is_empty() {
            all(count)
        } else {
            rows.clone()
        }
    };
    match collective.grouping {
        Grouping::FlattenedIds => or_all(replicas * partitions),
        Grouping::CrossReplica => (0..partitions)
            .flat_map(|partition| {
                let rows = or_all(replicas).into_iter();
                rows.map(move |row| {
                    let row = row.into_iter();
                    row.map(|replica| replica * partitions + partition).collect()
                })
            })
            .collect(),
        Grouping::CrossPartition => (0..replicas)
            .flat_map(|replica| {
                let rows = or_all(partitions).into_iter();
                rows.map(move |row| {
                    let row = row.into_iter();
                    row.map(|partition| replica * partitions + partition).collect()
                })
            })
            .collect(),
        Grouping::CrossReplicaAndPartition => or_all(replicas)
            .into_iter()
            .map(|row| {
                let replicas = row.into_iter();
                replicas
                    .flat_map(|replica| {
                        (0..partitions).map(move |partition| replica * partitions + partition)
                    })
                    .collect()
            })
            .collect(),
    }
}
