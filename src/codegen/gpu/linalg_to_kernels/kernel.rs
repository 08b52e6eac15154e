//! A loop nest that becomes a kernel.

use super::epilogue::Epilogue;
use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// A loop nest with static extents.
pub(super) struct Kernel<'c> {
    pub(super) nest: LoopNest<'c>,
    pub(super) combiners: Vec<Option<Combiner<'c>>>,
    /// The epilogue on its only output, a reduction.
    pub(super) epilogue: Option<Epilogue<'c>>,
}

impl<'c> Kernel<'c> {
    /// Stores an element of a reduced output.
    pub(super) fn store(
        &self,
        builder: &Builder<'c>,
        output: usize,
        ivs: &[Value<'c>],
        value: Value<'c>,
    ) {
        let access = &self.nest.outputs()[output];
        match &self.epilogue {
            None => access.store(builder, ivs, value),
            Some(epilogue) => epilogue.emit(builder, access, ivs, value),
        }
    }

    pub(super) fn size(&self, dim: usize) -> i64 {
        self.nest.dims[dim].extent.estimate()
    }

    pub(super) fn sizes(&self, dims: &[usize]) -> Vec<i64> {
        dims.iter().map(|dim| self.size(*dim)).collect()
    }

    pub(super) fn product(&self, dims: &[usize]) -> i64 {
        dims.iter().map(|dim| self.size(*dim)).product()
    }

    pub(super) fn dims(&self, reduction: bool) -> Vec<usize> {
        (0..self.nest.dims.len())
            .filter(|dim| self.nest.dims[*dim].reduction == reduction)
            .collect()
    }
}

/// The parallel dimensions. The last one is the dimension along which most operands are contiguous,
/// with priority for outputs.
pub(super) fn output_order(kernel: &Kernel) -> Vec<usize> {
    let nest = &kernel.nest;
    let mut dims = kernel.dims(false);
    let contiguous = |dim: &usize| {
        let outputs = nest.outputs().iter();
        let inputs = nest.inputs().iter();
        (
            outputs.filter(|access| access.stride(*dim) == 1).count(),
            inputs.filter(|access| access.stride(*dim) == 1).count(),
        )
    };
    let stride = |dim: usize| nest.outputs().first().map_or(0, |access| access.stride(dim));
    dims.sort_by_key(|dim| std::cmp::Reverse(stride(*dim)));
    if let Some(best) = dims.iter().copied().max_by_key(contiguous)
        && contiguous(&best) > (0, 0)
    {
        dims.retain(|dim| *dim != best);
        dims.push(best);
    }
    dims
}
