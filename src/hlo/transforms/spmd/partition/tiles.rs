//! Gathers tensors from tiles, and slices tensors to tiles, for arbitrary tilings.

use crate::sharding::{Reduction, Tiling};
use halo_ir::{prelude::*, stablehlo::attributes::ChannelHandle};
use melior::ir::attribute::DenseElementsAttribute;
use std::cell::Cell;

/// Creates the ops. Each collective has a separate channel.
pub struct Tiler {
    pub(super) partitions: usize,
    replicas: usize,
    next_channel: Cell<i64>,
}

impl Tiler {
    pub fn new(module: Operation, partitions: usize, replicas: usize) -> Self {
        let channel = |op: Operation| {
            let handle = op.attribute("channel_handle")?;
            Some(ChannelHandle::from_attribute(handle)?.handle)
        };
        let used = module.collect_nested(|op| channel(op).is_some());
        let last = used.into_iter().filter_map(channel).max();
        Self {
            partitions,
            replicas,
            next_channel: Cell::new(last.unwrap_or(0).max(0) + 1),
        }
    }

    /// Gathers a tensor from its tiles, of which this process has one. The tiles of the partitions
    /// are gathered along a new dimension, which is reshaped to the grid of tiles, and transposed
    /// next to the dimensions that they divide. Padding of the last tiles is removed.
    pub fn gather<'c>(
        &self,
        b: &Builder<'c>,
        tile: Value<'c>,
        full: Type<'c>,
        tiling: &Tiling,
    ) -> RewriteResult<Value<'c>> {
        let tile = if tiling.terms.is_empty() {
            tile
        } else {
            self.sum(b, tile, tiling)
        };
        if tiling.tile_count() == 1 {
            return Ok(tile);
        }
        let element = full.element_type();
        let sizes = tile.ty().static_shape().ok_or_else(|| no_match("no static sizes"))?;
        let count = tiling.tile_count() as i64;
        let counts: Vec<i64> = tiling.counts.iter().map(|count| *count as i64).collect();
        let behind = |first: &[i64]| tensor_type(&[first, &sizes].concat(), element);
        let one = stablehlo::reshape(b, tile, behind(&[1]));
        let channel = self.channel();
        let groups = self.groups(b, tiling);
        let all = stablehlo::AllGatherOp::build(b, &[one], 0, groups, &[behind(&[count])])
            .channel_handle(&channel)
            .use_global_device_ids(true)
            .insert();
        let grid = stablehlo::reshape(b, all.results()[0], behind(&counts));
        let rank = sizes.len() as i64;
        let beside: Vec<i64> = (0..rank).flat_map(|own| [own, rank + own]).collect();
        let grid = if counts.iter().skip(1).all(|count| *count == 1) {
            // They are already in order.
            grid
        } else {
            stablehlo::transpose(b, grid, &beside)
        };
        let padded: Vec<i64> =
            sizes.iter().zip(&counts).map(|(size, count)| size * count).collect();
        let whole = stablehlo::reshape(b, grid, tensor_type(&padded, element));
        let own = full.static_shape().ok_or_else(|| no_match("no static sizes"))?;
        if own == padded {
            return Ok(whole);
        }
        let (starts, strides) = (vec![0; own.len()], vec![1; own.len()]);
        Ok(stablehlo::slice(b, whole, &starts, &own, &strides))
    }

    /// The sum of the partial sums of a tile, or their maximum or minimum.
    pub(super) fn sum<'c>(&self, b: &Builder<'c>, term: Value<'c>, tiling: &Tiling) -> Value<'c> {
        let ty = term.ty();
        let scalar = tensor_type(&[], ty.element_type());
        let add = stablehlo::region(b, &[scalar, scalar], |b, arguments| {
            let (one, other) = (arguments[0], arguments[1]);
            vec![match tiling.reduction {
                Reduction::Sum => stablehlo::add(b, one, other),
                Reduction::Max => stablehlo::MaxOp::build(b, one, other).value(),
                Reduction::Min => stablehlo::MinOp::build(b, one, other).value(),
            }]
        });
        let groups = self.replica_groups(b, &tiling.sums());
        let sum = stablehlo::AllReduceOp::build(b, &[term], groups, add)
            .channel_handle(&self.channel())
            .use_global_device_ids(true)
            .result_types(&[ty])
            .insert();
        sum.results()[0]
    }

    /// This process's partial sum of a tile: the first one is the tile, and all others are zero.
    /// Partial maxima and minima are all equal.
    pub fn term<'c>(
        &self,
        b: &Builder<'c>,
        tile: Value<'c>,
        tiling: &Tiling,
    ) -> RewriteResult<Value<'c>> {
        if tiling.reduction != Reduction::Sum {
            return Ok(tile);
        }
        let terms: Vec<i64> = tiling.terms.iter().map(|term| *term as i64).collect();
        let own = self.own_number(b, Self::partition(b), &terms)?;
        let first = stablehlo::integers(b, own.ty(), &[0])?;
        let is_first = stablehlo::CompareOp::build(b, own, first, ComparisonDirection::Eq);
        let zero = stablehlo::number(b, tile.ty(), 0.0)?;
        Ok(stablehlo::select(b, is_first.value(), tile, zero))
    }

    /// The partition id of this process.
    pub(super) fn partition<'c>(b: &Builder<'c>) -> Value<'c> {
        let number = stablehlo::partition_id(b);
        stablehlo::convert_elements(b, number, integer_type(b.context(), 64))
    }

    /// This process's element of a list with one number per partition.
    pub(super) fn own_number<'c>(
        &self,
        b: &Builder<'c>,
        partition: Value<'c>,
        numbers: &[i64],
    ) -> RewriteResult<Value<'c>> {
        let number = integer_type(b.context(), 64);
        let table = tensor_type(&[self.partitions as i64], number);
        let all = stablehlo::integers(b, table, numbers)?;
        let own = stablehlo::dynamic_slice(b, all, &[partition], &[1]);
        Ok(stablehlo::reshape(b, own, tensor_type(&[], number)))
    }

    pub(super) fn channel(&self) -> ChannelHandle {
        ChannelHandle {
            handle: self.next_channel.replace(self.next_channel.get() + 1),
            channel_type: 1,
        }
    }

    /// Broadcasts the value of one partition to its replica.
    pub fn broadcast<'c>(
        &self,
        b: &Builder<'c>,
        value: Value<'c>,
        partition: usize,
    ) -> RewriteResult<Value<'c>> {
        let others = (0..self.partitions).filter(|other| *other != partition);
        let group: Vec<i64> = [partition].into_iter().chain(others).map(|one| one as i64).collect();
        let ty = tensor_type(&[1, group.len() as i64], integer_type(b.context(), 64));
        let groups = DenseElementsAttribute::i64_values(ty, &group).into();
        let broadcast = stablehlo::CollectiveBroadcastOp::build(b, &[value], groups)
            .channel_handle(&self.channel())
            .result_types(&[value.ty()])
            .insert();
        Ok(broadcast.results()[0])
    }

    /// Groups of processes that together have all tiles, in the order of tiles.
    fn groups<'c>(&self, b: &Builder<'c>, tiling: &Tiling) -> Attribute<'c> {
        let owners = tiling.owners();
        let copies = self.partitions / owners.len();
        let group = |copy: usize| owners.iter().map(|owners| owners[copy]).collect();
        self.replica_groups(b, &(0..copies).map(group).collect::<Vec<Vec<usize>>>())
    }

    /// Groups of partitions as groups of processes, in each replica.
    pub(super) fn replica_groups<'c>(
        &self,
        b: &Builder<'c>,
        groups: &[Vec<usize>],
    ) -> Attribute<'c> {
        let process = |replica: usize, partition: &usize| replica * self.partitions + partition;
        let numbers: Vec<i64> = (0..self.replicas)
            .flat_map(|replica| {
                let all = groups.iter().flatten();
                all.map(move |partition| process(replica, partition) as i64)
            })
            .collect();
        let rows = (self.replicas * groups.len()) as i64;
        let size = groups.first().map_or(0, Vec::len) as i64;
        let ty = tensor_type(&[rows, size], integer_type(b.context(), 64));
        DenseElementsAttribute::i64_values(ty, &numbers).into()
    }

    /// This process's tile of a tensor.
    pub fn cut<'c>(
        &self,
        b: &Builder<'c>,
        full: Value<'c>,
        tile: Type<'c>,
        tiling: &Tiling,
    ) -> RewriteResult<Value<'c>> {
        let sizes = tile.static_shape().ok_or_else(|| no_match("no static sizes"))?;
        let scalar = tensor_type(&[], integer_type(b.context(), 64));
        let full = self.padded(b, full, &sizes, tiling)?;
        let partition = Self::partition(b);
        let mut starts = Vec::with_capacity(sizes.len());
        for (dimension, size) in sizes.iter().enumerate() {
            if tiling.counts[dimension] == 1 {
                starts.push(stablehlo::integers(b, scalar, &[0])?);
                continue;
            }
            let tiles = tiling.tiles.iter();
            let all: Vec<i64> = tiles.map(|own| own[dimension] as i64 * size).collect();
            starts.push(self.own_number(b, partition, &all)?);
        }
        Ok(stablehlo::dynamic_slice(b, full, &starts, &sizes))
    }

    /// A tensor with the padding of its last tiles.
    fn padded<'c>(
        &self,
        b: &Builder<'c>,
        full: Value<'c>,
        tile: &[i64],
        tiling: &Tiling,
    ) -> RewriteResult<Value<'c>> {
        let own = full.ty().static_shape().ok_or_else(|| no_match("no static sizes"))?;
        let tiles = tile.iter().zip(&tiling.counts);
        let missing: Vec<i64> =
            tiles.zip(&own).map(|((tile, count), own)| tile * *count as i64 - own).collect();
        if missing.iter().all(|missing| *missing == 0) {
            return Ok(full);
        }
        let none = vec![0; own.len()];
        let zero = stablehlo::number(b, tensor_type(&[], full.ty().element_type()), 0.0)?;
        Ok(stablehlo::pad(b, full, zero, &none, &missing, &none))
    }
}
