//! The collectives that exchange tiles. Each has a separate channel.

use super::tiles::Tiler;
use crate::sharding::rules::Combiner;
use halo_ir::{Region, prelude::*};
use melior::ir::attribute::DenseElementsAttribute;

/// The sizes of a tile.
pub fn sizes<'c>(value: Value<'c>) -> RewriteResult<Vec<i64>> {
    value.ty().static_shape().ok_or_else(|| no_match("no static sizes"))
}

impl Tiler {
    /// Concatenates the tiles of a group along a dimension.
    pub fn all_gather<'c>(
        &self,
        b: &Builder<'c>,
        tile: Value<'c>,
        dimension: usize,
        groups: &[Vec<usize>],
    ) -> RewriteResult<Value<'c>> {
        let mut all = sizes(tile)?;
        all[dimension] *= groups.first().map_or(1, Vec::len) as i64;
        let result = tensor_type(&all, tile.ty().element_type());
        let groups = self.replica_groups(b, groups);
        let gather = stablehlo::AllGatherOp::build(b, &[tile], dimension as i64, groups, &[result])
            .channel_handle(&self.channel())
            .use_global_device_ids(true)
            .insert();
        Ok(gather.results()[0])
    }

    /// Sends each member of a group its part along one dimension, and concatenates the received
    /// parts along another one.
    pub fn all_to_all<'c>(
        &self,
        b: &Builder<'c>,
        tile: Value<'c>,
        (split, join): (usize, usize),
        groups: &[Vec<usize>],
    ) -> RewriteResult<Value<'c>> {
        let count = groups.first().map_or(1, Vec::len) as i64;
        let mut all = sizes(tile)?;
        all[split] /= count;
        all[join] *= count;
        let result = tensor_type(&all, tile.ty().element_type());
        let groups = self.partition_groups(b, groups);
        let (split, join) = (split as i64, join as i64);
        let exchange = stablehlo::AllToAllOp::build(b, &[tile], split, join, count, groups)
            .channel_handle(&self.channel())
            .result_types(&[result])
            .insert();
        Ok(exchange.results()[0])
    }

    /// Sends tiles between partitions. Partitions without a sender get zeros.
    pub fn permute<'c>(
        &self,
        b: &Builder<'c>,
        tile: Value<'c>,
        pairs: &[(usize, usize)],
    ) -> Value<'c> {
        let pairs: Vec<Vec<usize>> = pairs.iter().map(|(from, to)| vec![*from, *to]).collect();
        let pairs = self.partition_groups(b, &pairs);
        let permute = stablehlo::CollectivePermuteOp::build(b, tile, pairs)
            .channel_handle(&self.channel())
            .result_types(&[tile.ty()]);
        permute.value()
    }

    /// Combines the partial results of a group.
    pub fn all_reduce<'c>(
        &self,
        b: &Builder<'c>,
        term: Value<'c>,
        combiner: Combiner,
        groups: &[Vec<usize>],
    ) -> RewriteResult<Value<'c>> {
        let groups = self.replica_groups(b, groups);
        let body = combination(b, term, combiner)?;
        let reduce = stablehlo::AllReduceOp::build(b, &[term], groups, body)
            .channel_handle(&self.channel())
            .use_global_device_ids(true)
            .result_types(&[term.ty()])
            .insert();
        Ok(reduce.results()[0])
    }

    /// Combines the partial results of a group; each member gets its part along a dimension.
    pub fn reduce_scatter<'c>(
        &self,
        b: &Builder<'c>,
        term: Value<'c>,
        combiner: Combiner,
        dimension: usize,
        groups: &[Vec<usize>],
    ) -> RewriteResult<Value<'c>> {
        let mut own = sizes(term)?;
        own[dimension] /= groups.first().map_or(1, Vec::len) as i64;
        let result = tensor_type(&own, term.ty().element_type());
        let groups = self.replica_groups(b, groups);
        let body = combination(b, term, combiner)?;
        let dimension = dimension as i64;
        let reduce = stablehlo::ReduceScatterOp::build(b, term, dimension, groups, result, body)
            .channel_handle(&self.channel())
            .use_global_device_ids(true)
            .insert();
        Ok(reduce.result())
    }

    /// Groups of partitions, equal in each replica.
    fn partition_groups<'c>(&self, b: &Builder<'c>, groups: &[Vec<usize>]) -> Attribute<'c> {
        let numbers: Vec<i64> = groups.iter().flatten().map(|one| *one as i64).collect();
        let size = groups.first().map_or(2, Vec::len) as i64;
        let ty = tensor_type(&[groups.len() as i64, size], integer_type(b.context(), 64));
        DenseElementsAttribute::i64_values(ty, &numbers).into()
    }
}

/// The op that combines two partial results.
pub fn op_name(combiner: Combiner) -> RewriteResult<&'static str> {
    let name = combiner.op_name();
    name.ok_or_else(|| no_match("terms are combined by a body"))
}

/// The body that combines two partial results.
fn combination<'c>(
    b: &Builder<'c>,
    term: Value<'c>,
    combiner: Combiner,
) -> RewriteResult<Region<'c>> {
    let scalar = tensor_type(&[], term.ty().element_type());
    stablehlo::region(b, &[scalar, scalar], |b, arguments| {
        Ok::<_, RewriteError>(vec![b.value(op_name(combiner)?, arguments, scalar)])
    })
}
