//! The numbers of the format: magic number, versions, sections, masks and limits.

/// The magic number of a file.
pub(super) const MAGIC: &[u8] = b"ML\xefR";

/// The newest supported version of the format.
pub(super) const NEWEST: u64 = 6;

/// The versions of the format that introduced a feature.
pub(super) mod since {
    /// Dialects may have versions.
    pub const DIALECT_VERSIONS: u64 = 1;
    /// Isolated regions are in separate sections.
    pub const LAZY_LOADING: u64 = 2;
    /// Use-list orders may be stored.
    pub const USE_LIST_ORDER: u64 = 3;
    /// Arguments of blocks need not have a location, and the names of ops are
    /// counted.
    pub const ELIDED_LOCATIONS: u64 = 4;
    /// Attributes that an op defines are in a separate section.
    pub const PROPERTIES: u64 = 5;
}

/// The numbers of the sections.
pub(super) mod section {
    pub const STRINGS: u8 = 0;
    pub const DIALECTS: u8 = 1;
    pub const ATTRIBUTES: u8 = 2;
    pub const OFFSETS: u8 = 3;
    pub const IR: u8 = 4;
    pub const RESOURCES: u8 = 5;
    pub const RESOURCE_OFFSETS: u8 = 6;
    pub const DIALECT_VERSIONS: u8 = 7;
    pub const PROPERTIES: u8 = 8;
    /// The number of section kinds.
    pub const COUNT: usize = 9;
}

/// The parts of an op, as bits of its mask.
pub(super) mod mask {
    pub const ATTRIBUTES: u8 = 1;
    pub const RESULTS: u8 = 2;
    pub const OPERANDS: u8 = 4;
    pub const SUCCESSORS: u8 = 8;
    pub const REGIONS: u8 = 16;
    pub const USE_LIST_ORDERS: u8 = 32;
    pub const PROPERTIES: u8 = 64;
}

/// The maximum nesting of regions.
pub(super) const MAX_REGION_NESTING: usize = 500;

/// The maximum nesting of attributes and types.
pub(super) const MAX_NESTING: usize = 500;

/// The maximum number of parts of an attribute or type, with shared parts counted at each
/// occurrence.
pub(super) const MAX_PARTS: u64 = 1 << 20;
