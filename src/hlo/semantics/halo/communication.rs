//! The communication ops of `halo`.
//!
//! `--halo-expand-communication` creates them from valid StableHLO ops, and the runtime reads their
//! attributes, so that each must be valid for the runtime.

use crate::{
    communication::is_collective,
    semantics::{op::Op, prelude::*},
};
use halo_ir::{
    ops::halo::{
        CollectiveEndOp, CollectiveMemberOp, CollectiveStartOp, CollectiveWaitOp, RecvOp,
        RunParallelOp, SendOp,
    },
    prelude::*,
};

/// The op `halo.collective_start`: a collective of the program, with groups that name no process
/// twice, or pairs.
pub fn collective_start(op: Op) -> VerifyResult {
    let Some(start) = op.operation().and_then(|op| op.cast::<CollectiveStartOp>()) else {
        return Ok(());
    };
    let name = start.source_op();
    if !is_collective(name) {
        return Err(format!(
            "attribute 'source_op' has '{name}', which is not a collective"
        ));
    }
    let groups = start.groups();
    if name == stablehlo::CollectivePermuteOp::NAME {
        return pairs("groups", &groups);
    }
    let processes = groups.concat();
    numbered("groups", &processes)?;
    expect_unique("groups", &processes)
}

/// The ops `halo.collective_wait`, `halo.collective_member` and `halo.collective_end`: steps of the
/// collective that created the ticket.
pub fn collective_step(op: Op) -> VerifyResult {
    let Some(operation) = op.operation() else {
        return Ok(());
    };
    let (ticket, name) = if let Some(wait) = operation.cast::<CollectiveWaitOp>() {
        (wait.ticket(), wait.source_op())
    } else if let Some(member) = operation.cast::<CollectiveMemberOp>() {
        (member.ticket(), member.source_op())
    } else if let Some(end) = operation.cast::<CollectiveEndOp>() {
        (end.ticket(), end.source_op())
    } else {
        return Ok(());
    };
    match ticket.defined_by::<CollectiveStartOp>() {
        Some(start) if start.source_op() != name => Err(format!(
            "attribute 'source_op' has '{name}', but the ticket is one of '{}'",
            start.source_op()
        )),
        _ => Ok(()),
    }
}

/// The ops `halo.send` and `halo.recv`.
pub fn transfer(op: Op) -> VerifyResult {
    let Some(operation) = op.operation() else {
        return Ok(());
    };
    if let Some(send) = operation.cast::<SendOp>() {
        return pairs("pairs", &send.pairs());
    }
    match operation.cast::<RecvOp>() {
        Some(recv) => pairs("pairs", &recv.pairs()),
        None => Ok(()),
    }
}

/// The op `halo.run_parallel`: programs in rows of one length.
pub fn run_parallel(op: Op) -> VerifyResult {
    let Some(run) = op.operation().and_then(|op| op.cast::<RunParallelOp>()) else {
        return Ok(());
    };
    let programs = run.programs();
    let partitions = programs.first().map_or(0, Vec::len);
    if partitions == 0 {
        return Err("attribute 'programs' has no program to run".to_owned());
    }
    match programs.iter().position(|row| row.len() != partitions) {
        Some(replica) => Err(format!(
            "attribute 'programs' has {} programs for replica {replica}, but {partitions} for \
             replica 0",
            programs[replica].len()
        )),
        None => Ok(()),
    }
}

fn numbered(name: &str, processes: &[i64]) -> VerifyResult {
    match processes.iter().find(|process| **process < 0) {
        Some(process) => Err(format!(
            "attribute '{name}' has {process}, but processes are numbered from 0"
        )),
        None => Ok(()),
    }
}

/// A source and a target in each row, each process at most once as either.
fn pairs(name: &str, rows: &[Vec<i64>]) -> VerifyResult {
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    for row in rows {
        let [source, target] = row[..] else {
            return Err(format!(
                "attribute '{name}' has {row:?}, which is not a source and a target"
            ));
        };
        numbered(name, row)?;
        sources.push(source);
        targets.push(target);
    }
    for (part, processes) in [("source", sources), ("target", targets)] {
        expect_unique(name, &processes).map_err(|reason| format!("{reason} as {part}"))?;
    }
    Ok(())
}
