/// The groups of a collective, in the spelling of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicaGroups {
    /// `{{0,1},{2,3}}`, also `{}` for all.
    List(Vec<Vec<i64>>),
    /// `[2,4]<=[8]`, `[2,4]<=[4,2]T(1,0)`
    Iota(IotaTileAssignment),
    /// Groups by the axes of a mesh: `mesh['a'=2,'b'=4] {a,b:(1)2}`, verbatim.
    Mesh(String),
}

/// `[2,4]<=[4,2]T(1,0)`: the numbers 0, 1, ... in the second shape, transposed,
/// read in the first shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IotaTileAssignment {
    pub dimensions: Vec<i64>,
    pub reshape_dimensions: Vec<i64>,
    /// Empty without `T(...)`, which means the identity.
    pub transpose_permutation: Vec<i64>,
}

/// The distribution of values over devices.
#[derive(Clone, Debug, PartialEq)]
pub enum Sharding {
    /// The contents of one sharding's braces: `replicated`, `maximal device=0`, `devices=[2,1]0,1
    /// last_tile_dim_replicate`, ...
    Single {
        kind: OpShardingType,
        /// `last_tile_dims={...}`, `metadata={...}`, `shard_as 3`, ... in their
        /// order, as they are written.
        suffix: Vec<String>,
    },
    /// `{{...}, {...}}`: of a tuple's elements.
    Tuple(Vec<Sharding>),
    /// A sharding over the axes of a mesh (`mesh[...], [{a},{b}]`), verbatim with its braces.
    Named(String),
}

/// The kind of a sharding.
#[derive(Clone, Debug, PartialEq)]
pub enum OpShardingType {
    Replicated,
    Manual,
    Unknown,
    Unreduced,
    /// `maximal device=0`
    Maximal(i64),
    /// `devices=[2,1]0,1`
    Tiled(TileAssignment),
}

/// The assignment of tiles to devices.
#[derive(Clone, Debug, PartialEq)]
pub struct TileAssignment {
    pub dimensions: Vec<i64>,
    pub devices: DeviceList,
}

/// The devices of the tiles, in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub enum DeviceList {
    List(Vec<i64>),
    /// `<=[4,2]T(1,0)`
    Iota {
        reshape_dimensions: Vec<i64>,
        transpose_permutation: Vec<i64>,
    },
}
