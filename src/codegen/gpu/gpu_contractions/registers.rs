//! Contractions by multiply-add: for types that tensor cores do not support,
//! and for exact f32.
//!
//! As on tensor cores ([`super::tensor_core`]), tiles of lhs and rhs are copied to workgroup memory
//! ahead of their use. The threads of a block form a square of 16 by 16; each holds every 16th row
//! and column of the tile of the result, so that adjacent threads read adjacent elements.

use super::{
    super::{
        buffers::{self, commit, wait},
        launch::{ThreadIds, launch},
    },
    epilogue::{Epilogue, multiply_add},
    staging::Staging,
    strategy::Tile,
};
use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// Threads of a block along each side of a tile.
const SIDE: i64 = 16;

/// A contraction and the kernel chosen for it.
pub struct Registers<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    pub epilogue: &'a Epilogue<'c>,
    pub tile: Tile,
}

impl<'c> Registers<'_, 'c> {
    /// Emits the kernel.
    pub fn emit(&self, builder: &Builder<'c>, strategy: &str) {
        let Self {
            contraction, tile, ..
        } = *self;
        let sizes = [(LHS, Group::M, tile.m), (RHS, Group::N, tile.n)];
        let stagings = sizes.map(|(operand, outer, size)| {
            Staging::new(
                contraction,
                (operand, outer),
                (size, tile.k),
                tile.threads(),
            )
        });
        let workgroup = stagings.each_ref().map(|staging| {
            let elements = staging.elements() * tile.stages;
            buffers::shared_type(builder, &[elements], staging.element)
        });
        launch(
            builder,
            strategy,
            tile.dimensions(contraction),
            &workgroup,
            |builder, ids, targets| self.body(builder, ids, &stagings, targets),
        );
    }

    fn body(
        &self,
        builder: &Builder<'c>,
        ids: &ThreadIds<'c>,
        stagings: &[Staging<'c>; 2],
        targets: &[Value<'c>],
    ) {
        let Self {
            contraction, tile, ..
        } = *self;
        let (batch, row, column) = tile.origin(builder, contraction, ids);
        let mut parts = Vec::new();
        for ((staging, origin), target) in stagings.iter().zip([row, column]).zip(targets) {
            let value = contraction.operands[staging.operand].value;
            let source = buffers::flat(builder, value);
            let fixed = staging.fix(builder, contraction, (&batch, origin), ids.thread[0]);
            parts.push((staging, fixed, (source, *target)));
        }
        let bring = |builder: &Builder<'c>, step: Value<'c>, slot: Value<'c>| {
            let start = index::mul(builder, step, tile.k);
            for (staging, fixed, buffers) in &parts {
                let slot = index::mul(builder, slot, staging.elements());
                staging.bring(builder, contraction, fixed, *buffers, (start, slot));
            }
        };
        let steps = contraction.size(Group::K) / tile.k
            + i64::from(contraction.size(Group::K) % tile.k != 0);
        let mut token = commit(builder);
        for stage in 0..tile.stages - 1 {
            if stage < steps {
                let number = index::constant(builder, stage);
                bring(builder, number, number);
            }
            token = commit(builder);
        }
        let (down, across) = index::divide(builder, ids.thread[0], SIDE);
        let (rows, columns) = (tile.m / SIDE, tile.n / SIDE);
        let zero = vector::zeros(builder, contraction.accumulator, 1);
        let mut carried = vec![
            index::constant(builder, 0),
            index::constant(builder, tile.stages - 1),
        ];
        carried.resize(2 + (rows * columns) as usize, zero);
        let bounds = (0, steps, 1);
        let results = scf::for_(builder, bounds, &carried, |builder, step, carried| {
            wait(builder, token, tile.stages - 2);
            gpu::barrier(builder);
            let ahead = index::add(builder, step, tile.stages - 1);
            let is_there = index::below(builder, ahead, steps);
            scf::when(builder, is_there, |builder| {
                bring(builder, ahead, carried[1])
            });
            commit(builder);
            let mut next = Vec::new();
            for slot in &carried[..2] {
                let following = index::add(builder, *slot, 1);
                let is_inside = index::below(builder, following, tile.stages);
                let first = index::constant(builder, 0);
                next.push(arith::select(builder, is_inside, following, first));
            }
            let mut sums = carried[2..].to_vec();
            for k in 0..tile.k {
                let mut operands = Vec::new();
                for ((staging, _, (_, target)), (thread, count)) in
                    parts.iter().zip([(down, rows), (across, columns)])
                {
                    let slot = index::mul(builder, carried[0], staging.elements());
                    let k = index::constant(builder, k);
                    let mut values = Vec::new();
                    for number in 0..count {
                        let outer = index::add(builder, thread, number * SIDE);
                        let (row, column) = if staging.along_k {
                            (outer, k)
                        } else {
                            (k, outer)
                        };
                        let at = staging.tile_index(builder, row, column);
                        let at = index::add(builder, slot, at);
                        values.push(memref::load(builder, *target, &[at]));
                    }
                    operands.push(values);
                }
                let pairs = operands[LHS]
                    .iter()
                    .flat_map(|lhs| operands[RHS].iter().map(move |rhs| [*lhs, *rhs]));
                for (sum, pair) in sums.iter_mut().zip(pairs) {
                    *sum = multiply_add(builder, contraction, pair, *sum);
                }
            }
            next.append(&mut sums);
            next
        })
        .results();
        let is_ragged = [
            contraction.size(Group::M) % tile.m != 0,
            contraction.size(Group::N) % tile.n != 0,
        ];
        let writer = self.epilogue.writer(builder, contraction, &batch, is_ragged);
        let indices = |origin: Value<'c>, thread: Value<'c>, count: i64| {
            let start = index::add(builder, origin, thread);
            let all = (0..count).map(|number| index::add(builder, start, number * SIDE));
            all.collect::<Vec<_>>()
        };
        let (rows, columns) = (indices(row, down, rows), indices(column, across, columns));
        writer.grid(builder, &rows, &columns, &results[2..])
    }
}
