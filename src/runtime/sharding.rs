//! The shardings of the arguments and results of a program.
//!
//! The compiler computes it as numbers, so that an application that reads and writes arrays in
//! shards does not need to interpret the attributes of a program.
//!
//! Tiles have one size. If they do not divide a dimension, the last tiles are padded at the end.
//! Programs ignore the contents of padding in arguments, and leave it undefined in results: the
//! caller pads arguments and cuts results.
//!
//! ```text
//! 5 columns in 4 tiles of 2:   0 1   2 3   4 .   . .
//! ```

/// The division of an array into tiles of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
    /// The sizes of the array.
    pub whole: Vec<usize>,
    /// The number of tiles along each dimension.
    pub counts: Vec<usize>,
    /// For each partition, the index of its tile along each dimension.
    pub tiles: Vec<Vec<usize>>,
}

/// The part of an array that a partition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The sizes of the array.
    pub whole: Vec<usize>,
    pub start: Vec<usize>,
    /// Sizes without padding; 0 if the tile contains padding only.
    pub sizes: Vec<usize>,
    /// The sizes of the tile, padding included.
    pub tile: Vec<usize>,
}

impl Shard {
    /// All of an array.
    pub fn all(sizes: &[usize]) -> Self {
        Self {
            whole: sizes.to_vec(),
            start: vec![0; sizes.len()],
            sizes: sizes.to_vec(),
            tile: sizes.to_vec(),
        }
    }

    pub fn is_all(&self) -> bool {
        self.whole == self.sizes
    }

    pub fn is_padded(&self) -> bool {
        self.tile != self.sizes
    }
}

impl Sharding {
    /// The shard of a partition.
    ///
    /// ```
    /// use halo_runtime::Sharding;
    ///
    /// let columns = Sharding {
    ///     whole: vec![4, 5],
    ///     counts: vec![1, 2],
    ///     tiles: vec![vec![0, 0], vec![0, 1]],
    /// };
    /// let shard = columns.shard(1);
    /// assert_eq!((shard.start, shard.sizes), (vec![0, 3], vec![4, 2]));
    /// assert_eq!(shard.tile, [4, 3]);
    /// ```
    pub fn shard(&self, partition: usize) -> Shard {
        let own = self.tiles.get(partition).map_or(&[][..], Vec::as_slice);
        let mut shard = Shard::all(&self.whole);
        let numbers = own.iter().zip(&self.counts).enumerate();
        for (dimension, (number, count)) in numbers.take(self.whole.len()) {
            let whole = self.whole[dimension];
            let tile = whole.div_ceil((*count).max(1));
            let start = (tile * number).min(whole);
            shard.tile[dimension] = tile;
            shard.start[dimension] = start;
            shard.sizes[dimension] = tile.min(whole - start);
        }
        shard
    }

    /// The first partition with the same tile.
    pub fn first_owner(&self, partition: usize) -> usize {
        let tile = self.tiles.get(partition);
        let owner = self.tiles.iter().position(|one| Some(one) == tile);
        owner.unwrap_or(partition)
    }
}

/// The sharding of each argument and each result of an entry in the source, tokens included; `None`
/// for values that every partition holds whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shardings {
    pub arguments: Vec<Option<Sharding>>,
    pub results: Vec<Option<Sharding>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 elements for 4 partitions, as in the documentation of the module.
    #[test]
    fn the_last_tiles_are_padded() {
        let line = Sharding {
            whole: vec![5],
            counts: vec![4],
            tiles: (0..4).map(|tile| vec![tile]).collect(),
        };
        let own = |partition| {
            let shard = line.shard(partition);
            assert_eq!((&shard.whole[..], &shard.tile[..]), (&[5][..], &[2][..]));
            assert_eq!(shard.is_padded(), partition > 1);
            (shard.start[0], shard.sizes[0])
        };
        assert_eq!([0, 1, 2, 3].map(own), [(0, 2), (2, 2), (4, 1), (5, 0)]);
    }
}
