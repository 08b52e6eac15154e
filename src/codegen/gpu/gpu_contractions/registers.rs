//! Contractions by multiply-add: for types that tensor cores do not support,
//! and for exact f32.
//!
//! As on tensor cores ([`super::tensor_core`]), tiles of lhs and rhs are copied to workgroup memory
//! ahead of their use. The threads of a block form a square of 16 by 16. Each holds every 16th run
//! of rows and of columns of the tile of the result, so that adjacent threads read adjacent runs. A
//! run is a vector if the operand is contiguous along m or n; else it is one element, and vectors
//! along k are read.

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

/// Elements of a vector in workgroup memory that a thread reads.
const VECTOR: i64 = 4;

/// The rows or columns of the tile that a thread holds.
#[derive(Clone, Copy)]
struct Share<'c> {
    /// The position of the thread along the side of the square.
    thread: Value<'c>,
    count: i64,
    /// Adjacent elements.
    run: i64,
}

impl<'c> Share<'c> {
    fn of(thread: Value<'c>, size: i64, staging: &Staging<'c>) -> Self {
        let count = size / SIDE;
        let run = if staging.along_k {
            1
        } else {
            VECTOR.min(count).min(staging.chunk)
        };
        Self { thread, count, run }
    }

    /// The first elements of the runs.
    fn runs(&self, builder: &Builder<'c>) -> Vec<Value<'c>> {
        let first = index::mul(builder, self.thread, self.run);
        let runs = (0..self.count / self.run).map(|run| run * SIDE * self.run);
        runs.map(|start| index::add(builder, first, start)).collect()
    }

    /// All elements.
    fn elements(&self, builder: &Builder<'c>) -> Vec<Value<'c>> {
        let runs = self.runs(builder).into_iter();
        let all = runs
            .flat_map(|first| (0..self.run).map(move |number| index::add(builder, first, number)));
        all.collect()
    }

    /// The elements of a slot at the indices of `depth` steps along k, one list for each step.
    fn load(
        &self,
        builder: &Builder<'c>,
        (staging, target, slot): (&Staging<'c>, Value<'c>, Value<'c>),
        (k, depth): (i64, i64),
    ) -> Vec<Vec<Value<'c>>> {
        let mut steps = vec![Vec::new(); depth as usize];
        let load = |row: Value<'c>, column: Value<'c>, count: i64| {
            let at = staging.tile_index(builder, row, column);
            let at = index::add(builder, slot, at);
            let loaded = vector::load_elements(builder, target, at, count);
            (0..count).map(move |number| match count {
                1 => loaded,
                _ => vector::extract(builder, loaded, &[], &[number]),
            })
        };
        for first in self.runs(builder) {
            if staging.along_k {
                let values = load(first, index::constant(builder, k), depth);
                steps.iter_mut().zip(values).for_each(|(step, value)| step.push(value));
                continue;
            }
            for (k, step) in (k..).zip(&mut steps) {
                step.extend(load(index::constant(builder, k), first, self.run));
            }
        }
        steps
    }
}

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
        let shares = [
            Share::of(down, tile.m, &stagings[LHS]),
            Share::of(across, tile.n, &stagings[RHS]),
        ];
        let zero = vector::zeros(builder, contraction.accumulator, 1);
        let mut carried = vec![
            index::constant(builder, 0),
            index::constant(builder, tile.stages - 1),
        ];
        carried.resize(2 + (shares[LHS].count * shares[RHS].count) as usize, zero);
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
            let depth = VECTOR.min(stagings[LHS].chunk).min(stagings[RHS].chunk);
            for k in (0..tile.k).step_by(depth as usize) {
                let [lhs, rhs] = [LHS, RHS].map(|operand| {
                    let (staging, _, (_, target)) = &parts[operand];
                    let slot = index::mul(builder, carried[0], staging.elements());
                    shares[operand].load(builder, (staging, *target, slot), (k, depth))
                });
                for (lhs, rhs) in lhs.iter().zip(&rhs) {
                    let pairs = lhs.iter().flat_map(|lhs| rhs.iter().map(move |rhs| [*lhs, *rhs]));
                    for (sum, pair) in sums.iter_mut().zip(pairs) {
                        *sum = multiply_add(builder, contraction, pair, *sum);
                    }
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
        let indices = |origin: Value<'c>, share: &Share<'c>| {
            let all = share.elements(builder).into_iter();
            all.map(|element| index::add(builder, origin, element)).collect::<Vec<_>>()
        };
        let (rows, columns) = (indices(row, &shares[LHS]), indices(column, &shares[RHS]));
        writer.grid(builder, &rows, &columns, shares[RHS].run, &results[2..])
    }
}
