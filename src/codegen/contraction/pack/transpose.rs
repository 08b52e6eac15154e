//! Transposes squares in vector registers.
//!
//! Processors interleave two registers within 128-bit lanes by one instruction. Shuffles across
//! lanes take more instructions, and LLVM's selection is slow: 25 ms for a square of 32 by 16. So a
//! few columns are transposed at once, as many as fit in 128 bits. Their rows are loaded and joined
//! with other rows, which results in small adjacent squares. With eight rows:
//!
//! ```text
//! a0 a1 a2 a3   joined with row e   a0 a1 a2 a3 e0 e1 e2 e3   interleaved twice   a0 b0 c0 d0 e0 f0 g0 h0
//! b0 b1 b2 b3                       b0 b1 b2 b3 f0 f1 f2 f3                       a1 b1 c1 d1 e1 f1 g1 h1
//! c0 c1 c2 c3                       c0 c1 c2 c3 g0 g1 g2 g3                       a2 b2 c2 d2 e2 f2 g2 h2
//! d0 d1 d2 d3                       d0 d1 d2 d3 h0 h1 h2 h3                       a3 b3 c3 d3 e3 f3 g3 h3
//! ```

use halo_ir::prelude::*;

/// The size of lanes within which registers are interleaved.
const UNIT_BITS: i64 = 128;

/// The number of columns to transpose together in a square with `rows` rows.
pub fn columns_at_once(rows: i64, element: Type) -> i64 {
    let in_unit = element.bit_width().map_or(rows, |bits| UNIT_BITS / i64::from(bits));
    if in_unit > 0 && rows % in_unit == 0 {
        in_unit
    } else {
        rows
    }
}

/// The columns of `rows` rows, which `load` loads. The number of rows is a multiple of the number
/// of columns, which is a power of two.
pub fn columns<'c>(
    builder: &Builder<'c>,
    (rows, columns): (i64, i64),
    load: impl Fn(i64) -> Value<'c>,
) -> Vec<Value<'c>> {
    let joined = (0..columns).map(|row| {
        let pieces = (row..rows).step_by(columns as usize).map(&load);
        joined(builder, pieces.collect::<_>())
    });
    interleave(builder, joined.collect::<_>())
}

/// Concatenates a power of two of vectors.
fn joined<'c>(builder: &Builder<'c>, mut pieces: Vec<Value<'c>>) -> Value<'c> {
    while pieces.len() > 1 {
        let pairs = pieces.chunks(2).map(|pair| {
            let lanes: Vec<i64> = (0..2 * lanes_of(pair[0]) as i64).collect();
            vector::shuffle(builder, pair[0], pair[1], &lanes)
        });
        pieces = pairs.collect::<_>();
    }
    pieces[0]
}

/// Transposes one or several adjacent squares of n vectors of n lanes. Each round interleaves the
/// vectors of the first half with the second half, which rotates the bits of an element's row and
/// lane by one; log2(n) rounds exchange row and lane.
pub fn interleave<'c>(builder: &Builder<'c>, mut rows: Vec<Value<'c>>) -> Vec<Value<'c>> {
    let edge = rows.len();
    let lanes = rows.first().map_or(0, |row| lanes_of(*row));
    let selected = |half: usize, lane: usize| {
        let (square, place) = (lane - lane % edge, lane % edge);
        (square + half + place / 2 + place % 2 * lanes) as i64
    };
    let masks = [0, edge / 2]
        .map(|half| -> Vec<i64> { (0..lanes).map(|lane| selected(half, lane)).collect() });
    for _ in 0..edge.ilog2() {
        let mut next = Vec::new();
        for number in 0..edge / 2 {
            let (first, second) = (rows[number], rows[number + edge / 2]);
            for mask in &masks {
                next.push(vector::shuffle(builder, first, second, mask));
            }
        }
        rows = next;
    }
    rows
}

fn lanes_of(vector: Value) -> usize {
    vector.ty().element_count().map_or(0, |lanes| lanes as usize)
}
