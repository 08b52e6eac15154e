//! Small register tiles: shorter code for the same sums.
//!
//! Half of the code of a contraction loads, multiplies and stores the registers of a tile, and
//! LLVM's time grows with it. A tile of four rows and one vector is a quarter of the largest tile,
//! and runs at most a third longer. Block sizes in elements do not change, so the order of
//! additions does not depend on the tile.

use super::{Tile, Tiling};
use crate::loops::prelude::LHS;

/// The maximum number of rows of a small tile.
const ROWS: i64 = 4;

impl Tiling {
    /// The same blocks in small register tiles, if the order of additions does not depend on the
    /// tile.
    #[must_use]
    pub fn with_small_tiles(self) -> Self {
        let tile = self.tile;
        let small = small(tile);
        let lines = |tile: Tile| self.shape.lines(tile.rows).is_some();
        // Groups and matrix tiles have another accumulator layout, and blocks may be lines of an
        // image.
        if self.group.is_some() || self.matrix_tiles.is_some() || lines(tile) != lines(small) {
            return self;
        }
        let (fewer_rows, fewer_columns) = (tile.rows / small.rows, tile.columns / small.columns);
        let fewer_shared = match self.shared() {
            Some(LHS) => fewer_rows,
            _ => fewer_columns,
        };
        Self {
            tile: small,
            block_rows: self.block_rows * fewer_rows,
            block_columns: self.block_columns * fewer_columns,
            shared_panels: self.shared_panels * fewer_shared,
            ..self
        }
    }
}

/// A tile that divides another one.
fn small(tile: Tile) -> Tile {
    let rows = (1..=tile.rows.min(ROWS)).rev().find(|rows| tile.rows % rows == 0);
    Tile {
        rows: rows.unwrap_or(1),
        vectors: 1,
        lanes: tile.lanes,
        columns: tile.lanes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tiles_divide_large_ones() {
        for (rows, vectors, expected) in [(8, 2, 4), (6, 2, 3), (7, 1, 1), (4, 3, 4), (1, 8, 1)] {
            let tile = Tile {
                rows,
                vectors,
                lanes: 16,
                columns: vectors * 16,
            };
            let small = small(tile);
            assert_eq!((small.rows, small.vectors), (expected, 1), "{tile:?}");
            assert_eq!(small.columns, 16);
        }
    }
}
