//! The ops of a group, and the relation of their loops to operands and results.

use crate::fusion::{dimension, position_of};
use halo_ir::prelude::*;

/// The kind of an op in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fusion) enum Kind {
    Fill,
    Generic,
    /// A reshape that only adds or removes dimensions of size 1 along the common loops.
    Reshape,
}

impl Kind {
    /// The kind of an op, if it can be in a group.
    pub fn of(op: Operation) -> Option<Self> {
        let values = op.operands().into_iter().chain(op.results());
        let are_static = values
            .filter(|value| value.ty().is_tensor())
            .all(|value| value.ty().static_shape().is_some());
        if !are_static || op.results().is_empty() {
            return None;
        }
        if op.isa::<linalg::FillOp>() {
            Some(Self::Fill)
        } else if op.isa::<linalg::GenericOp>() {
            is_loop_of_elements(op).then_some(Self::Generic)
        } else if op.isa::<tensor::ExpandShapeOp>() || op.isa::<tensor::CollapseShapeOp>() {
            Some(Self::Reshape)
        } else {
            None
        }
    }
}

/// Returns true if loops directly index each operand of a generic op, and it is not a contraction:
/// each element of an operand contributes to only one reduction.
fn is_loop_of_elements(op: Operation) -> bool {
    let Some(maps) = op.indexing_maps() else {
        return false;
    };
    let Some(generic) = op.cast::<linalg::GenericOp>() else {
        return false;
    };
    let kinds = generic.iterator_types();
    let parallel = (0..kinds.len()).filter(|dim| kinds[*dim] == IteratorType::Parallel);
    let reduces = kinds.iter().any(|kind| *kind != IteratorType::Parallel);
    let inputs = generic.inputs().len();
    maps.iter().all(is_plain)
        && !(reduces
            && maps[..inputs].iter().any(|map| {
                map.result_count() > 0
                    && parallel.clone().any(|dim| position_of(map, dim).is_none())
            }))
}

/// Returns true if a generic op has reduction loops.
pub(in crate::fusion) fn reduces(op: Operation) -> bool {
    let generic = op.cast::<linalg::GenericOp>();
    generic.is_some_and(|generic| {
        generic.iterator_types().iter().any(|kind| *kind != IteratorType::Parallel)
    })
}

/// Returns true if all results of a map are dimensions, each at most once, or constants.
pub(in crate::fusion) fn is_plain(map: &AffineMap) -> bool {
    let mut seen = Vec::new();
    (0..map.result_count()).all(|position| match dimension(map, position) {
        Some(dim) if seen.contains(&dim) => false,
        Some(dim) => {
            seen.push(dim);
            true
        }
        None => map.result(position).is_ok_and(|index| index.is_constant()),
    })
}

/// The parallel loop that indexes a dimension of a result; for a reshape, the dimension.
pub(super) fn loop_at(op: Operation, kind: Kind, result: usize, position: usize) -> Option<usize> {
    if kind == Kind::Reshape {
        return Some(position);
    }
    let maps = op.indexing_maps()?;
    let first = maps.len().checked_sub(op.results().len())?;
    let dim = dimension(maps.get(first + result)?, position)?;
    let is_parallel = op
        .cast::<linalg::GenericOp>()
        .is_none_or(|generic| generic.iterator_types().get(dim) == Some(&IteratorType::Parallel));
    is_parallel.then_some(dim)
}

/// An op of a group.
#[derive(Clone, Debug)]
pub(super) struct Member<'c> {
    pub op: Operation<'c>,
    pub kind: Kind,
    /// The loops of the op that are common to the group, in the order of the group; for a reshape,
    /// the dimensions of its result.
    pub loops: Vec<usize>,
}

impl<'c> Member<'c> {
    /// An op whose results are all indexed by each common loop.
    pub fn new(op: Operation<'c>, kind: Kind, loops: Vec<usize>) -> Option<Self> {
        let member = Self { op, kind, loops };
        let results = op.results().len();
        let has_all = |positions: Vec<Option<usize>>| positions.iter().all(Option::is_some);
        let fits = match kind {
            Kind::Reshape => has_all(member.operand_positions(0)),
            _ => (0..results).all(|result| has_all(member.result_positions(result))),
        };
        fits.then_some(member)
    }

    /// The root of a group, with all loops that index its first result.
    pub fn root(op: Operation<'c>) -> Option<Self> {
        let kind = Kind::of(op).filter(|kind| *kind == Kind::Generic)?;
        let shape = op.results().first()?.ty().static_shape()?;
        let loops = (0..shape.len()).filter_map(|position| loop_at(op, kind, 0, position));
        let loops: Vec<usize> = loops.collect();
        (!loops.is_empty()).then(|| Self::new(op, kind, loops))?
    }

    /// The sizes of the common loops.
    pub fn sizes(&self) -> Vec<i64> {
        let shape = self
            .op
            .results()
            .first()
            .and_then(|result| result.ty().static_shape())
            .unwrap_or_default();
        let positions = self.result_positions(0).into_iter().flatten();
        positions.map(|position| shape[position]).collect()
    }

    /// The dimensions of an operand that the common loops index.
    pub fn operand_positions(&self, operand: usize) -> Vec<Option<usize>> {
        if self.kind == Kind::Reshape {
            return self.loops.iter().map(|dim| self.source_of(*dim)).collect();
        }
        let maps = self.op.indexing_maps().unwrap_or_default();
        let position = |dim: &usize| position_of(maps.get(operand)?, *dim);
        self.loops.iter().map(position).collect()
    }

    /// The dimensions of a result that the common loops index.
    pub fn result_positions(&self, result: usize) -> Vec<Option<usize>> {
        if self.kind == Kind::Reshape {
            return self.loops.iter().copied().map(Some).collect();
        }
        let maps = self.op.indexing_maps().unwrap_or_default();
        let first = maps.len().saturating_sub(self.op.results().len());
        self.operand_positions(first + result)
    }

    /// The dimension of a reshape's operand for a dimension of its result, if they have the same
    /// size.
    fn source_of(&self, dim: usize) -> Option<usize> {
        let shape = |value: &Value| value.ty().static_shape();
        let (source, result) = (
            shape(self.op.operands().first()?)?,
            shape(self.op.results().first()?)?,
        );
        let groups = self.reassociation()?;
        let expands = result.len() > source.len();
        let has = |group: &Vec<i64>, dim: usize| group.contains(&(dim as i64));
        let (position, size) = if expands {
            // An expansion.

            let position = groups.iter().position(|group| has(group, dim))?;
            (position, *source.get(position)?)
        } else {
            // A collapse.

            let group = groups.get(dim)?;
            let size = *result.get(dim)?;
            let mut parts = group.iter().map(|part| *part as usize);
            (parts.find(|part| source.get(*part) == Some(&size))?, size)
        };
        (result.get(dim) == Some(&size)).then_some(position)
    }

    /// The dimensions of the expanded shape of a reshape for each dimension of the collapsed one.
    pub fn reassociation(&self) -> Option<Vec<Vec<i64>>> {
        let expand = self.op.cast::<tensor::ExpandShapeOp>();
        let collapse = self.op.cast::<tensor::CollapseShapeOp>();
        expand
            .map(tensor::ExpandShapeOp::reassociation)
            .or(collapse.map(tensor::CollapseShapeOp::reassociation))
    }

    /// The shape of a value with one element along some dimensions.
    pub fn tile_shape(value: Value, positions: &[Option<usize>]) -> Vec<i64> {
        let mut shape = value.ty().static_shape().unwrap_or_default();
        for position in positions.iter().flatten() {
            shape[*position] = 1;
        }
        shape
    }

    /// Returns true if an iteration of the group reads strided elements of an operand, which
    /// vectors cannot load.
    pub fn reads_columns(&self) -> bool {
        let values = self.op.operands().into_iter().enumerate();
        let mut tensors = values.filter(|(_, value)| value.ty().is_tensor());
        tensors.any(|(number, value)| {
            let shape = value.ty().static_shape().unwrap_or_default();
            let tile = Self::tile_shape(value, &self.operand_positions(number));
            let innermost = shape.iter().rposition(|size| *size > 1);
            innermost.is_some_and(|dim| tile[dim] == 1) && tile.iter().any(|size| *size > 1)
        })
    }

    /// The bytes of its results in one iteration.
    pub fn tile_bytes(&self) -> u64 {
        let results = self.op.results().into_iter().enumerate();
        results.fold(0, |bytes: u64, (number, result)| {
            let elements = Self::tile_shape(result, &self.result_positions(number))
                .into_iter()
                .fold(1_u64, |elements, size| {
                    elements.saturating_mul(u64::try_from(size).unwrap_or(0))
                });
            let bits = result.ty().element_type().bit_width().unwrap_or(64);
            bytes.saturating_add(elements.saturating_mul(u64::from(bits.div_ceil(8))))
        })
    }

    /// The number of elements of its results.
    pub fn elements(&self) -> i64 {
        let results = self.op.results().into_iter();
        results.fold(0_i64, |elements, result| {
            let shape = result.ty().static_shape().unwrap_or_default();
            elements.saturating_add(shape.into_iter().fold(1, i64::saturating_mul))
        })
    }

    /// The number of executions of its body per iteration of the group.
    pub fn iterations(&self) -> i64 {
        let values = self.op.operands();
        let tiles = values.iter().enumerate().map(|(number, value)| {
            Self::tile_shape(*value, &self.operand_positions(number))
                .into_iter()
                .fold(1, i64::saturating_mul)
        });
        tiles.max().unwrap_or(0)
    }
}
