//! The tiles of each tensor of the program, in all layouts that were needed.
//!
//! Ops are rewritten to tiles in place, one after the other, so a result becomes a tile when its op
//! is visited. This records the original tensor, with its tiles in other layouts that users needed:
//! each is created once per region.

use super::reshard::{self, Way};
use super::tiles::Tiler;
use crate::sharding::grid::{Grid, Layout};
use halo_ir::{prelude::*, splat_attribute};
use std::collections::HashMap;

/// A tensor of the original program.
struct Tensor<'c> {
    sizes: Vec<i64>,
    /// The bytes of an element, rounded up.
    bytes: i64,
    tiles: Vec<(Layout, Value<'c>)>,
    /// The element of a splat.
    splat: Option<Attribute<'c>>,
    /// Transposed tensors: dimension `i` of this one is dimension `order[i]` of the other.
    transposed: Vec<(usize, Vec<i64>)>,
}

/// The tensors.
#[derive(Default)]
pub struct Tensors<'c> {
    all: Vec<Tensor<'c>>,
    /// The tensor and the layout of a value of the program.
    by_value: HashMap<usize, (usize, Layout)>,
    /// The tensors that got tiles, in order.
    log: Vec<usize>,
}

impl<'c> Tensors<'c> {
    /// Adds the original tensor of a value.
    pub fn add(&mut self, value: Value<'c>, sizes: &[i64], layout: Layout, tile: Value<'c>) {
        let bits = tile.ty().element_type().bit_width().unwrap_or(32);
        self.by_value.insert(value.key(), (self.all.len(), layout.clone()));
        self.all.push(Tensor {
            sizes: sizes.to_vec(),
            bytes: i64::from(bits.div_ceil(8)),
            tiles: vec![(layout, tile)],
            splat: None,
            transposed: Vec::new(),
        });
    }

    /// Records that a value is a transposition of another one, so that tiles can be shared.
    pub fn relate(&mut self, value: Value<'c>, source: Value<'c>, order: &[i64]) {
        let of = |value: Value| self.by_value.get(&value.key()).map(|(tensor, _)| *tensor);
        let (Some(tensor), Some(source)) = (of(value), of(source)) else {
            return;
        };
        let place = |dimension: i64| order.iter().position(|own| *own == dimension);
        let back = (0..order.len() as i64).filter_map(place);
        let back = back.map(|place| place as i64).collect();
        self.all[tensor].transposed.push((source, order.to_vec()));
        self.all[source].transposed.push((tensor, back));
    }

    /// A tile of a transposed tensor that, after transposition, has a layout.
    fn transposed_tile(&self, tensor: usize, to: &Layout) -> Option<(Value<'c>, &[i64])> {
        let others = self.all[tensor].transposed.iter();
        let mut found = others.filter_map(|(other, order)| {
            let mut layout = to.clone();
            for (dimension, axes) in order.iter().zip(&to.dims) {
                layout.dims[*dimension as usize].clone_from(axes);
            }
            let tiles = self.all[*other].tiles.iter();
            let mut own = tiles.filter(|(known, _)| *known == layout);
            own.next().map(|(_, tile)| (*tile, order.as_slice()))
        });
        found.next()
    }

    /// The element of a splat, if it is known.
    pub fn splat(&self, value: Value<'c>) -> Option<Attribute<'c>> {
        self.of(value).and_then(|(tensor, _)| tensor.splat)
    }

    /// Adds a splat tensor, if it is one.
    pub fn add_splat(&mut self, value: Value<'c>, sizes: &[i64], splat: Option<Attribute<'c>>) {
        self.add(value, sizes, Layout::whole(sizes.len()), value);
        if let Some(tensor) = self.all.last_mut() {
            tensor.splat = splat;
        }
    }

    /// Makes a value an alias of another one, in a layout of its tiles.
    pub fn add_alias(&mut self, value: Value<'c>, other: Value<'c>, layout: Layout) {
        if let Some((tensor, _)) = self.by_value.get(&other.key()) {
            self.by_value.insert(value.key(), (*tensor, layout));
        }
    }

    pub fn contains(&self, value: Value<'c>) -> bool {
        self.by_value.contains_key(&value.key())
    }

    fn of(&self, value: Value<'c>) -> Option<(&Tensor<'c>, &Layout)> {
        let (tensor, layout) = self.by_value.get(&value.key())?;
        Some((&self.all[*tensor], layout))
    }

    /// The sizes of a value's tensor.
    pub fn sizes(&self, value: Value<'c>) -> Option<&[i64]> {
        self.of(value).map(|(tensor, _)| tensor.sizes.as_slice())
    }

    /// The bytes of an element.
    pub fn bytes(&self, value: Value<'c>) -> i64 {
        self.of(value).map_or(4, |(tensor, _)| tensor.bytes)
    }

    /// The layout of a value.
    pub fn layout(&self, value: Value<'c>) -> Option<&Layout> {
        self.of(value).map(|(_, layout)| layout)
    }

    /// The cheapest resharding to a layout, and the tile that it starts from.
    fn way(&self, grid: &Grid, value: Value<'c>, to: &Layout) -> Option<(Way, usize)> {
        let (tensor, own) = self.of(value)?;
        if tensor.splat.is_some() {
            return Some((Way::default(), 0));
        }
        let ways = tensor.tiles.iter().enumerate().map(|(number, (from, _))| {
            let way = reshard::plan(grid, &tensor.sizes, tensor.bytes, from, to);
            let is_other = from != own;
            ((way.bytes, way.steps.len(), is_other), way, number)
        });
        let cheapest = ways.min_by_key(|(cost, _, _)| *cost);
        cheapest.map(|(_, way, number)| (way, number))
    }

    /// The bytes that a partition receives for the tile of a layout.
    pub fn cost(&self, grid: &Grid, value: Value<'c>, to: &Layout) -> i64 {
        let bytes = self.way(grid, value, to).map_or(0, |(way, _)| way.bytes);
        let known = self.by_value.get(&value.key()).filter(|_| bytes > 0);
        match known.and_then(|(tensor, _)| self.transposed_tile(*tensor, to)) {
            Some(_) => 0,
            None => bytes,
        }
    }

    /// The tile of a tensor in a layout.
    ///
    /// # Errors
    /// Returns an error if an op cannot be created.
    pub fn tile(
        &mut self,
        b: &Builder<'c>,
        tiler: &Tiler,
        grid: &Grid,
        value: Value<'c>,
        to: &Layout,
    ) -> RewriteResult<Value<'c>> {
        let Some((way, start)) = self.way(grid, value, to) else {
            return Ok(value);
        };
        let (number, _) = self.by_value[&value.key()];
        let known = self.transposed_tile(number, to).filter(|_| way.bytes > 0);
        if let Some((tile, order)) = known {
            let tile = stablehlo::transpose(b, tile, order);
            self.all[number].tiles.push((to.clone(), tile));
            self.log.push(number);
            return Ok(tile);
        }
        let tensor = &mut self.all[number];
        if let Some((_, tile)) = tensor.tiles.iter().find(|(layout, _)| layout == to) {
            return Ok(*tile);
        }
        if let Some(splat) = tensor.splat {
            let sizes = reshard::tile_sizes(grid, &tensor.sizes, to);
            let ty = tensor_type(&sizes, value.ty().element_type());
            let tile = stablehlo::constant(b, splat_attribute(ty, splat));
            tensor.tiles.push((to.clone(), tile));
            self.log.push(number);
            return Ok(tile);
        }
        let (mut layout, mut tile) = tensor.tiles[start].clone();
        for step in &way.steps {
            (tile, layout) = reshard::make(b, tiler, grid, &tensor.sizes, (tile, &layout), step)?;
            tensor.tiles.push((layout.clone(), tile));
            self.log.push(number);
        }
        Ok(tile)
    }

    /// Marks the beginning of a region.
    pub fn enter(&self) -> usize {
        self.log.len()
    }

    /// Forgets the tiles created in a region.
    pub fn leave(&mut self, beginning: usize) {
        for tensor in self.log.drain(beginning..).rev() {
            self.all[tensor].tiles.pop();
        }
    }
}
