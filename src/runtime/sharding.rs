//! How the arguments and results of a program are divided among its partitions.
//!
//! The compiler says it in numbers, so that an application which reads and writes arrays in
//! parts needs nothing of the attributes that a program has.
//!
//! Tiles have one size. Where a dimension does not divide, the last ones have padding behind the
//! elements that there are. A program reads any padding, and returns any: who gives it an
//! argument pads the part that a partition has, and who takes a result cuts the padding off.
//!
//! ```text
//! 5 columns in 4 tiles of 2:   0 1   2 3   4 .   . .
//! ```

/// How an array is divided into tiles of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
    /// The sizes of the array.
    pub whole: Vec<usize>,
    /// Into how many tiles each dimension is divided.
    pub counts: Vec<usize>,
    /// For each partition, the number of its tile along each dimension.
    pub tiles: Vec<Vec<usize>>,
}

/// The part of an array that a partition has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The sizes of the array.
    pub whole: Vec<usize>,
    pub start: Vec<usize>,
    /// Of the elements that there are; 0 where the tile is padding alone.
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
    /// The part of a partition.
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

    /// The first partition that has the tile of another one.
    pub fn first_owner(&self, partition: usize) -> usize {
        let tile = self.tiles.get(partition);
        let owner = self.tiles.iter().position(|one| Some(one) == tile);
        owner.unwrap_or(partition)
    }
}

/// For each argument and each result of an entry as it is written, tokens among them, how it
/// is divided; `None` for one that every partition has as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shardings {
    pub arguments: Vec<Option<Sharding>>,
    pub results: Vec<Option<Sharding>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 elements for 4 partitions, as the documentation of the module shows them.
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
