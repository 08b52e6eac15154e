//! The ops of a group, and what their loops say of operands and results.

use crate::fusion::{dimension, position_of};
use halo_ir::prelude::*;

/// What an op of a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fusion) enum Kind {
    Fill,
    Generic,
    /// A reshape that adds dimensions of size 1 or removes them, as far as the common
    /// loops go.
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

/// Whether a generic op reads each operand at elements that loops index directly, and is
/// no contraction: no reduction reads an element for several of its results.
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

/// Whether a generic op has loops that its results do not.
pub(in crate::fusion) fn reduces(op: Operation) -> bool {
    let generic = op.cast::<linalg::GenericOp>();
    generic.is_some_and(|generic| {
        generic.iterator_types().iter().any(|kind| *kind != IteratorType::Parallel)
    })
}

/// Whether all results of a map are dimensions, each at most once, or constants.
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

/// The loop of an op that a dimension of one of its results is; of a reshape the
/// dimension itself.
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
    /// The loops of the op that are common to the group, in the order of the group's; of a
    /// reshape the dimensions of its result.
    pub loops: Vec<usize>,
}

impl<'c> Member<'c> {
    /// An op whose results all have an element for each common loop.
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

    /// The last op of a group: all loops that its results have an element for.
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

    /// The dimension of a reshape's operand that one of its result is, with others of
    /// size 1.
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
            // One dimension becomes several.

            let position = groups.iter().position(|group| has(group, dim))?;
            (position, *source.get(position)?)
        } else {
            // Several become one.

            let group = groups.get(dim)?;
            let size = *result.get(dim)?;
            let mut parts = group.iter().map(|part| *part as usize);
            (parts.find(|part| source.get(*part) == Some(&size))?, size)
        };
        (result.get(dim) == Some(&size)).then_some(position)
    }

    /// Which dimensions of the larger shape of a reshape make one of the smaller one.
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

    /// Whether an iteration of the group reads several elements of an operand that are a
    /// row apart, which vectors cannot load.
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

    /// The bytes that its results take for one iteration.
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

    /// How often its body runs for one iteration of the group.
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
