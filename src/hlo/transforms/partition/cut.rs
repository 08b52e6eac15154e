//! The tile that a partition has of a tensor, without gathering the tensor where that is not
//! needed.

use super::{
    elementwise, tile_type,
    tiles::{self, Tiler},
};
use crate::{sharding::Tiling, transforms::stablehlo_ops as emit};
use halo_ir::ops::{OperationExt, stablehlo};
use halo_ir::{
    BuildError, Builder, Operation, Value, attribute_of, defining_operation, is_unused, name_of,
    operands_of, results_of, value_key, with_builder,
};
use melior::ir::ValueLike;
use std::collections::{HashMap, HashSet};

/// A tensor that was made of its tiles.
struct Gathered<'c> {
    full: Value<'c>,
    tile: Value<'c>,
    tiling: Tiling,
}

/// The tensors that were made of their tiles, and the tiles that were computed.
#[derive(Default)]
pub struct GatheredTensors<'c> {
    /// In the order in which they were made.
    all: Vec<Gathered<'c>>,
    by_value: HashMap<usize, usize>,
    /// Ops whose results may be used no more, since their tiles are computed.
    replaced: Vec<Operation<'c>>,
}

impl<'c> GatheredTensors<'c> {
    pub fn add(&mut self, full: Value<'c>, tile: Value<'c>, tiling: Tiling) {
        self.by_value.insert(value_key(full), self.all.len());
        self.all.push(Gathered { full, tile, tiling });
    }

    /// The tile of a tensor that is known by this tiling.
    fn tile(&self, full: Value<'c>, tiling: &Tiling) -> Option<Value<'c>> {
        let known = &self.all[*self.by_value.get(&value_key(full))?];
        (known.tiling == *tiling).then_some(known.tile)
    }

    /// Erases what computes and gathers tensors that nobody uses.
    ///
    /// # Errors
    /// If a builder cannot erase an op.
    pub fn erase_unused(&self) -> Result<(), BuildError> {
        // Several tiles may have been computed of one op.
        let mut erased = HashSet::new();
        for op in self.replaced.iter().rev() {
            let result = results_of(*op)[0];
            if is_unused(result) && erased.insert(value_key(result)) {
                with_builder(*op, |b| b.erase(*op))?;
            }
        }
        for Gathered { full, tile, .. } in self.all.iter().rev() {
            if let Some((op, _)) = defining_operation(*full) {
                with_builder(op, |b| tiles::erase_gather(b, *full, *tile))?;
            }
        }
        Ok(())
    }
}

/// The tile that this partition has of a tensor: the one that the tensor was gathered of, ops on
/// tiles for what is computed element by element, or a slice.
///
/// # Errors
/// A message if the tensor does not divide.
pub fn cut<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    gathered: &mut GatheredTensors<'c>,
    full: Value<'c>,
    tiling: &Tiling,
) -> Result<Value<'c>, String> {
    if tiling.is_whole() {
        return Ok(full);
    }
    if !tiling.terms.is_empty() {
        // What is computed of terms is no term.
        return match gathered.tile(full, tiling) {
            Some(term) => Ok(term),
            None => {
                let tile = cut(b, tiler, gathered, full, &tiling.without_terms())?;
                let term = tiler.term(b, tile, tiling);
                term.map_err(|error| error.to_string())
            }
        };
    }
    let order = elementwise_before(gathered, full, tiling);
    let mut cuts = Cuts {
        b,
        tiler,
        gathered,
        tiling,
        made: HashMap::new(),
    };
    for op in &order {
        cuts.operation(*op)?;
    }
    let tile = cuts.value(full)?;
    gathered.replaced.extend(order);
    Ok(tile)
}

/// The ops that compute a value element by element of values whose tiles are known, or are cut;
/// each one behind those that it uses.
fn elementwise_before<'c>(
    gathered: &GatheredTensors<'c>,
    full: Value<'c>,
    tiling: &Tiling,
) -> Vec<Operation<'c>> {
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    // A value, and whether its operands were pushed before.
    let mut stack = vec![(full, false)];
    while let Some((value, is_done)) = stack.pop() {
        if gathered.tile(value, tiling).is_some() {
            continue;
        }
        let Some(op) = elementwise::definition(value) else {
            continue;
        };
        if is_done {
            order.push(op);
        } else if seen.insert(value_key(value)) {
            stack.push((value, true));
            stack.extend(operands_of(op).into_iter().map(|operand| (operand, false)));
        }
    }
    order
}

struct Cuts<'a, 'c> {
    b: &'a Builder<'c>,
    tiler: &'a Tiler,
    gathered: &'a GatheredTensors<'c>,
    tiling: &'a Tiling,
    made: HashMap<usize, Value<'c>>,
}

impl<'c> Cuts<'_, 'c> {
    /// Makes an op on tiles.
    fn operation(&mut self, op: Operation<'c>) -> Result<(), String> {
        let operands = operands_of(op).into_iter();
        let operands = operands
            .map(|operand| match elementwise::is_scalar(operand) {
                true => Ok(operand),
                false => self.value(operand),
            })
            .collect::<Result<Vec<Value>, String>>()?;
        let result = results_of(op)[0];
        let tile = tile_type(result.r#type(), self.tiling)?;
        let made = emit::rebuild(self.b, op, name_of(op), &operands, &[tile]);
        let made = made.map_err(|error| error.to_string())?;
        self.made.insert(value_key(result), results_of(made)[0]);
        Ok(())
    }

    /// The tile of a value.
    fn value(&mut self, full: Value<'c>) -> Result<Value<'c>, String> {
        if let Some(made) = self.made.get(&value_key(full)) {
            return Ok(*made);
        }
        if let Some(tile) = self.gathered.tile(full, self.tiling) {
            return Ok(tile);
        }
        let r#type = tile_type(full.r#type(), self.tiling)?;
        let tile = match splat(full) {
            Some(Splat::Constant(value)) => {
                let value = halo_ir::splat_attribute(r#type, value);
                stablehlo::constant(self.b, value).map_err(|error| error.to_string())
            }
            Some(Splat::Broadcast(scalar)) => {
                stablehlo::broadcast_in_dim(self.b, scalar, &[], r#type)
                    .map_err(|error| error.to_string())
            }
            None => {
                let tile = self.tiler.cut(self.b, full, r#type, self.tiling);
                tile.map_err(|error| error.to_string())
            }
        }?;
        self.made.insert(value_key(full), tile);
        Ok(tile)
    }
}

/// A tensor that is the same number everywhere.
enum Splat<'c> {
    Constant(halo_ir::Attribute<'c>),
    Broadcast(Value<'c>),
}

fn splat(value: Value<'_>) -> Option<Splat<'_>> {
    let (op, _) = defining_operation(value)?;
    if op.isa::<stablehlo::ConstantOp>() {
        return halo_ir::dense_splat(attribute_of(op, "value")?).map(Splat::Constant);
    }
    let broadcast = op.cast::<stablehlo::BroadcastInDimOp>()?;
    let scalar = broadcast.operand();
    elementwise::is_scalar(scalar).then_some(Splat::Broadcast(scalar))
}
