//! The innermost part of a matrix product: a tile of C in vector registers.
//!
//! A tile is `rows` by `vectors` vectors. For each k the kernel loads one row
//! of B into `vectors` registers, broadcasts one element of A after the other,
//! and multiplies and adds. Each accumulator is a value of its own that the loop
//! over k carries, so that LLVM keeps it in a register.

use crate::loops::{
    contraction::{Contraction, Factor},
    emit::{self, Emitted},
    loop_nest::Access,
};
use halo_ir::ops::{
    arith::{self, CmpIPredicate},
    memref, scf, vector,
};
use halo_ir::{Builder, FloatKind, Type, Value, element_type, float_kind, is_float, vector_type};
use melior::ir::ValueLike;

/// The shape of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub rows: i64,
    pub vectors: i64,
    pub lanes: i64,
    /// The columns that count, which at the edge of C are fewer than the tile
    /// has.
    pub columns: i64,
}

impl Tile {
    /// The mask of a vector that sticks out at the edge of C.
    fn mask<'c>(&self, builder: &Builder<'c>, vector: i64) -> Emitted<Option<Value<'c>>> {
        let left = self.columns - vector * self.lanes;
        if left >= self.lanes {
            return Ok(None);
        }
        constant_mask(builder, left.max(0), self.lanes).map(Some)
    }
}

/// The mask of the first `count` lanes.
pub fn constant_mask<'c>(builder: &Builder<'c>, count: i64, lanes: i64) -> Emitted<Value<'c>> {
    let i1 = halo_ir::integer_type(builder.context(), 1);
    vector::constant_mask(builder, &[count], vector_type(&[lanes], i1))
}

/// A vector of zeros.
pub fn zero_vector<'c>(builder: &Builder<'c>, element: Type<'c>, lanes: i64) -> Emitted<Value<'c>> {
    arith::constant(builder, vector_type(&[lanes], element), 0)
}

/// A value or vector of A or B in the type of the sums.
pub fn convert<'c>(
    builder: &Builder<'c>,
    factor: &Factor<'c>,
    value: Value<'c>,
    accumulator: Type<'c>,
    lanes: Option<i64>,
) -> Emitted<Value<'c>> {
    let Some(extension) = factor.conversion else {
        return Ok(value);
    };
    let r#type = lanes.map_or(accumulator, |lanes| vector_type(&[lanes], accumulator));
    extension.build(builder, value, r#type)
}

/// `vector.load`, masked where the vector sticks out.
pub fn load_vector<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
    lanes: i64,
    mask: Option<Value<'c>>,
) -> Emitted<Value<'c>> {
    let element = element_type(memref.r#type());
    let r#type = vector_type(&[lanes], element);
    let Some(mask) = mask else {
        return vector::load(builder, memref, indices, r#type);
    };
    let zero = zero_vector(builder, element, lanes)?;
    vector::maskedload(builder, memref, indices, mask, zero, r#type)
}

/// `vector.store`, masked where the vector sticks out.
pub fn store_vector<'c>(
    builder: &Builder<'c>,
    value: Value<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
    mask: Option<Value<'c>>,
) -> Emitted<()> {
    match mask {
        None => vector::store(builder, value, memref, indices).map(drop),
        Some(mask) => vector::maskedstore(builder, memref, indices, mask, value).map(drop),
    }
}

/// Where the kernel finds A and B.
pub enum Source<'c> {
    /// Packed: `[panel.., k, lane]`, with the panel's indices and the k at
    /// which the packed range begins.
    Packed {
        memref: Value<'c>,
        panel: Vec<Value<'c>>,
        first_k: Option<Value<'c>>,
    },
    /// As it is, at the tile's place.
    Direct,
}

/// One tile.
pub struct MicroKernel<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    pub tile: Tile,
    /// The loop indices of the nest; those of the batch are read.
    pub ivs: &'a [Value<'c>],
    /// The row and the column of the tile.
    pub row: Value<'c>,
    pub column: Value<'c>,
    pub a: Source<'c>,
    pub b: Source<'c>,
}

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators after a range of k, row by row.
    pub fn accumulate(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
    ) -> Emitted<Vec<Value<'c>>> {
        let Tile {
            rows,
            vectors,
            lanes,
            ..
        } = self.tile;
        let zero = zero_vector(builder, self.contraction.accumulator, lanes)?;
        let initial = vec![zero; (rows * vectors) as usize];
        let rows_of_a = self.rows_of_a(builder)?;
        let step = emit::index(builder, 1)?;
        emit::for_loop(
            builder,
            (lower, upper, step),
            &initial,
            |builder, k, carried| {
                let mut of_b = Vec::new();
                for vector in 0..vectors {
                    of_b.push(self.load_b(builder, k, vector)?);
                }
                let mut next = Vec::new();
                for (number, row) in rows_of_a.iter().enumerate() {
                    let element = self.load_a(builder, k, number as i64, *row)?;
                    let r#type = vector_type(&[lanes], self.contraction.accumulator);
                    let spread = vector::broadcast(builder, element, r#type)?;
                    for (vector, of_b) in of_b.iter().enumerate() {
                        let sum = carried[number * vectors as usize + vector];
                        next.push(multiply_add(builder, spread, *of_b, sum)?);
                    }
                }
                Ok(next)
            },
        )
    }

    /// The row of A for each row of the tile. At the lower edge the last row
    /// stands in for those that are not there; what comes of it is not stored.
    fn rows_of_a(&self, builder: &Builder<'c>) -> Emitted<Vec<Value<'c>>> {
        (0..self.tile.rows)
            .map(|number| row_of(builder, self.contraction, self.row, number, self.tile.rows))
            .collect()
    }

    fn load_a(
        &self,
        builder: &Builder<'c>,
        k: Value<'c>,
        number: i64,
        row: Value<'c>,
    ) -> Emitted<Value<'c>> {
        match &self.a {
            Source::Packed {
                memref,
                panel,
                first_k,
            } => {
                let mut indices = panel.clone();
                indices.push(relative(builder, k, *first_k)?);
                indices.push(emit::index(builder, number)?);
                memref::load(builder, *memref, &indices)
            }
            Source::Direct => {
                let mut ivs = self.ivs.to_vec();
                ivs[self.contraction.k] = k;
                if let Some(m) = self.contraction.m {
                    ivs[m] = row;
                }
                let factor = &self.contraction.a;
                let value = factor.access.load(builder, &ivs)?;
                convert(builder, factor, value, self.contraction.accumulator, None)
            }
        }
    }

    fn load_b(&self, builder: &Builder<'c>, k: Value<'c>, vector: i64) -> Emitted<Value<'c>> {
        let lanes = self.tile.lanes;
        let offset = emit::index(builder, vector * lanes)?;
        match &self.b {
            Source::Packed {
                memref,
                panel,
                first_k,
            } => {
                let mut indices = panel.clone();
                indices.push(relative(builder, k, *first_k)?);
                indices.push(offset);
                load_vector(builder, *memref, &indices, lanes, None)
            }
            Source::Direct => {
                let mut ivs = self.ivs.to_vec();
                ivs[self.contraction.k] = k;
                ivs[self.contraction.n] = emit::add(builder, self.column, offset)?;
                let factor = &self.contraction.b;
                let indices = factor.access.indices_at(builder, &ivs)?;
                let mask = self.tile.mask(builder, vector)?;
                let value = load_vector(builder, factor.access.value, &indices, lanes, mask)?;
                let accumulator = self.contraction.accumulator;
                convert(builder, factor, value, accumulator, Some(lanes))
            }
        }
    }

    /// Adds the accumulators to C, or stores them where `overwrite` says so.
    pub fn write_back(
        &self,
        builder: &Builder<'c>,
        accumulators: &[Value<'c>],
        overwrite: bool,
    ) -> Emitted<()> {
        let rows = self.contraction.rows();
        for number in 0..self.tile.rows {
            let offset = emit::index(builder, number)?;
            let row = emit::add(builder, self.row, offset)?;
            let vectors = self.tile.vectors as usize;
            let first = number as usize * vectors;
            let values = &accumulators[first..first + vectors];
            if rows % self.tile.rows == 0 || number == 0 {
                self.write_row(builder, row, values, overwrite)?;
                continue;
            }
            let limit = emit::index(builder, rows)?;
            let inside = arith::cmpi(builder, CmpIPredicate::Slt, row, limit)?;
            scf::if_(builder, inside, |builder| {
                self.write_row(builder, row, values, overwrite)
            })?;
        }
        Ok(())
    }

    fn write_row(
        &self,
        builder: &Builder<'c>,
        row: Value<'c>,
        values: &[Value<'c>],
        overwrite: bool,
    ) -> Emitted<()> {
        let c: &Access<'c> = &self.contraction.c;
        let mut ivs = self.ivs.to_vec();
        if let Some(m) = self.contraction.m {
            ivs[m] = row;
        }
        for (number, value) in values.iter().enumerate() {
            let number = number as i64;
            let offset = emit::index(builder, number * self.tile.lanes)?;
            ivs[self.contraction.n] = emit::add(builder, self.column, offset)?;
            let indices = c.indices_at(builder, &ivs)?;
            let mask = self.tile.mask(builder, number)?;
            let mut result = *value;
            let wide = result.r#type();
            if !overwrite {
                let mut present = load_vector(builder, c.value, &indices, self.tile.lanes, mask)?;
                if self.contraction.is_promoted() {
                    present = arith::extf(builder, present, wide)?;
                }
                result = match is_float(self.contraction.accumulator) {
                    true => arith::addf(builder, present, result)?,
                    false => arith::addi(builder, present, result)?,
                };
            }
            if self.contraction.is_promoted() {
                let narrow = vector_type(&[self.tile.lanes], element_type(c.value.r#type()));
                result = arith::truncf(builder, result, narrow)?;
            }
            store_vector(builder, result, c.value, &indices, mask)?;
        }
        Ok(())
    }
}

fn relative<'c>(
    builder: &Builder<'c>,
    k: Value<'c>,
    first: Option<Value<'c>>,
) -> Emitted<Value<'c>> {
    first.map_or(Ok(k), |first| emit::sub(builder, k, first))
}

/// The row of a tile's row, kept within C where the tile may stick out.
pub fn row_of<'c>(
    builder: &Builder<'c>,
    contraction: &Contraction<'c>,
    first: Value<'c>,
    number: i64,
    tile_rows: i64,
) -> Emitted<Value<'c>> {
    let offset = emit::index(builder, number)?;
    let row = emit::add(builder, first, offset)?;
    if contraction.rows() % tile_rows == 0 || number == 0 {
        return Ok(row);
    }
    let last = emit::index(builder, contraction.rows() - 1)?;
    arith::minsi(builder, row, last)
}

/// `lhs * rhs + sum`
pub fn multiply_add<'c>(
    builder: &Builder<'c>,
    lhs: Value<'c>,
    rhs: Value<'c>,
    sum: Value<'c>,
) -> Emitted<Value<'c>> {
    let r#type = sum.r#type();
    if matches!(
        float_kind(element_type(r#type)),
        Some(FloatKind::F32 | FloatKind::F64)
    ) {
        return vector::fma(builder, lhs, rhs, sum);
    }
    let product = arith::muli(builder, lhs, rhs)?;
    arith::addi(builder, sum, product)
}
