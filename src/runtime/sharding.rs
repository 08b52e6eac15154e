//! How the arguments and results of a program are divided among its partitions.
//!
//! The compiler says it in numbers, so that an application which reads and writes arrays in
//! parts needs nothing of the attributes that a program has.

/// How an array is divided into tiles of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
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
    pub sizes: Vec<usize>,
}

impl Shard {
    /// All of an array.
    pub fn all(sizes: &[usize]) -> Self {
        Self {
            whole: sizes.to_vec(),
            start: vec![0; sizes.len()],
            sizes: sizes.to_vec(),
        }
    }

    pub fn is_all(&self) -> bool {
        self.whole == self.sizes
    }
}

impl Sharding {
    /// The part of a partition, whose tile has these sizes.
    ///
    /// ```
    /// use halo_runtime::Sharding;
    ///
    /// let columns = Sharding { counts: vec![1, 2], tiles: vec![vec![0, 0], vec![0, 1]] };
    /// let shard = columns.shard(&[4, 3], 1);
    /// assert_eq!((shard.whole, shard.start), (vec![4, 6], vec![0, 3]));
    /// ```
    pub fn shard(&self, sizes: &[usize], partition: usize) -> Shard {
        let tile = self.tiles.get(partition).map_or(&[][..], Vec::as_slice);
        let along = |numbers: &[usize]| -> Vec<usize> {
            sizes
                .iter()
                .zip(numbers)
                .map(|(size, number)| size * number)
                .collect()
        };
        Shard {
            whole: along(&self.counts),
            start: along(tile),
            sizes: sizes.to_vec(),
        }
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
