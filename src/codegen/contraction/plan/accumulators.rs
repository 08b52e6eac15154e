//! The accumulators of a tile, by the registers of a target.

use super::{BLOCK_ROWS, even_division::ceil_div};
use crate::contraction::isa::Instructions;

/// A product that takes this many nanoseconds of a core runs far longer than its code compiles.
const LARGE_TIME: f64 = 20e6;

/// The rows of tiles in place of eight, most similar first: up to 24 accumulators of two vectors.
const OTHER_ROWS: [i64; 6] = [9, 7, 10, 6, 11, 12];

/// The accumulators of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sums {
    pub vectors: i64,
    /// The rows of a tile for a result with many columns.
    pub rows: i64,
}

impl Sums {
    pub const FOUR: Self = Self {
        vectors: 4,
        rows: 4,
    };
    pub const TWELVE: Self = Self {
        vectors: 12,
        rows: 4,
    };
    pub const SIXTEEN: Self = Self {
        vectors: 16,
        rows: 8,
    };
    pub const TWENTY_FOUR: Self = Self {
        vectors: 24,
        rows: 12,
    };

    /// The accumulators for SVE, whose tiles multiply by element: one register of lhs per row if
    /// rows are along k, otherwise one per four rows. A64FX issues two multiply-adds per cycle with
    /// a latency of nine cycles (A64FX Microarchitecture Manual, "Instruction Attributes"); on
    /// 256-bit SVE, Neoverse V1's latency is four (Arm Neoverse V1 Software Optimization Guide), so
    /// that four rows at a time are enough.
    pub const SVE_ROWS: Self = Self {
        vectors: 18,
        rows: 6,
    };
    pub const SVE_FOUR_ROWS: Self = Self {
        vectors: 16,
        rows: 8,
    };
    pub const SVE_COLUMNS: Self = Self {
        vectors: 24,
        rows: 8,
    };

    /// Whether the register count makes tiles of other shapes as fast.
    fn has_shapes(self) -> bool {
        [Self::SIXTEEN, Self::TWENTY_FOUR].contains(&self)
    }

    /// The maximum rows of a tile, for columns of `needed` vectors: the rows of a three-vector tile
    /// if only that shape has no column remainder, which needs a separate kernel.
    pub fn most_rows(self, needed: i64) -> i64 {
        let leaves_columns = |rows: i64| needed % self.vectors_of(rows, needed) != 0;
        let nearly = is_nearly_multiple(needed, self.vectors / self.rows);
        let three = self.vectors / 3;
        if self.has_shapes() && leaves_columns(self.rows) && !nearly && !leaves_columns(three) {
            three
        } else {
            self.rows
        }
    }

    /// The rows of a tile of at most `most` rows for a result with so many rows. With few rows, and
    /// registers for more of them, rows out of bounds take longer than tiles of another size.
    pub fn rows_of(self, rows: i64, most: i64) -> i64 {
        let usual = rows.min(most);
        if self != Self::SIXTEEN || most != self.rows {
            return usual;
        }
        let computed = |tile: &i64| ceil_div(rows, *tile) * tile;
        let tiles = OTHER_ROWS.into_iter().filter(|tile| *tile <= rows);
        let best = tiles.min_by_key(computed).unwrap_or(usual);
        let saves = 20 * computed(&best) <= 19 * computed(&usual);
        if saves { best } else { usual }
    }

    /// The vectors per row of a tile with `rows` rows, for columns of `needed` vectors. With many
    /// registers, a smaller tile without a column remainder is preferred.
    pub fn vectors_of(self, rows: i64, needed: i64) -> i64 {
        let most = (self.vectors / rows).min(needed).min(8);
        let fewer = most / 2 + 1..=most;
        let mut fewer = fewer.rev().filter(|_| self.has_shapes());
        fewer.find(|fewer| needed % fewer == 0).unwrap_or(most)
    }

    /// The accumulators for a product of `work` multiplications. More accumulators reduce the reads
    /// of operands in large products, but lengthen the code.
    pub fn of(instructions: Instructions, work: i64) -> Self {
        let machine = instructions.machine;
        match (machine.vector_bits, machine.vector_registers) {
            (_, ..16) => Self::FOUR,
            (512, 32..) if work >= machine.multiplications_in(LARGE_TIME) => Self::TWENTY_FOUR,
            (512, 32..) => Self::SIXTEEN,
            _ => Self::TWELVE,
        }
    }
}

/// Returns true if tiles of six rows and two vectors are preferred to tiles of four rows and three
/// vectors, which read more and are a tenth slower if there are many rows. They must compute at most
/// 4 % more rows, and leave no column remainder that the others do not: it is a third of a kernel's
/// code.
pub(super) fn prefers_two_vectors(rows: i64, columns: i64, lanes: i64) -> bool {
    let computed = |tile_rows: i64| ceil_div(rows, tile_rows) * tile_rows;
    let leaves_columns = |vectors: i64| columns % (vectors * lanes) != 0;
    let is_preferred = match [2, 3].map(leaves_columns) {
        [false, true] => true,
        [true, false] => false,
        _ => rows > BLOCK_ROWS,
    };
    is_preferred && 25 * computed(6) <= 26 * computed(4)
}

/// Whether rounding a count up to a multiple adds at most 3 %.
pub(super) fn is_nearly_multiple(count: i64, of: i64) -> bool {
    ceil_div(count, of) * of * 97 <= count * 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_two_vectors_leave_few_columns_and_rows() {
        assert!(prefers_two_vectors(1024, 1024, 8));
        assert!(prefers_two_vectors(64, 512, 8));
        // Both divide the first size, and neither the second.
        assert!(prefers_two_vectors(1024, 768, 8));
        assert!(prefers_two_vectors(1024, 1000, 8));
        assert!(!prefers_two_vectors(66, 1000, 8));
        // Only three vectors divide it.
        assert!(!prefers_two_vectors(1024, 72, 8));
        // Four more rows instead of none.
        assert!(!prefers_two_vectors(32, 1024, 8));
    }

    #[test]
    fn tiles_of_few_rows_have_few_out_of_bounds() {
        let tile = |rows: i64| {
            let tile_rows = Sums::SIXTEEN.rows_of(rows, 8);
            (tile_rows, Sums::SIXTEEN.vectors_of(tile_rows.min(8), 32))
        };
        assert_eq!(tile(17), (9, 2));
        assert_eq!(tile(33), (11, 2));
        assert_eq!(tile(49), (7, 2));
        assert_eq!(tile(11), (11, 2));
        // A multiple of eight, and nearly one.
        assert_eq!(tile(64), (8, 2));
        assert_eq!(tile(63), (8, 2));
        assert_eq!(tile(1000), (8, 2));
        assert_eq!(tile(5), (5, 2));
        // Tiles of three vectors, and of other registers.
        assert_eq!(Sums::SIXTEEN.rows_of(17, 5), 5);
        assert_eq!(Sums::TWELVE.rows_of(17, 4), 4);
    }

    #[test]
    fn tiles_of_three_vectors_leave_no_columns() {
        let shape = |needed: i64| {
            let rows = Sums::SIXTEEN.most_rows(needed);
            (rows, Sums::SIXTEEN.vectors_of(rows, needed))
        };
        assert_eq!(shape(2), (8, 2));
        assert_eq!(shape(3), (5, 3));
        assert_eq!(shape(9), (5, 3));
        // Neither two nor three divides five, and 36 vectors are nearly 35.
        assert_eq!(shape(5), (8, 2));
        assert_eq!(shape(35), (8, 2));
        assert_eq!(Sums::TWENTY_FOUR.most_rows(3), 8);
        // With few rows, registers are free for four vectors; three divides nine.
        assert_eq!(Sums::SIXTEEN.vectors_of(4, 9), 3);
    }
}
