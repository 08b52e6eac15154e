use halo_core::ElementType;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Array(ArrayShape),
    Tuple(Vec<Shape>),
    /// `token[]`
    Token,
    /// `opaque[]`
    Opaque,
    /// `b(f32[2])`: memory that a program names, not a value.
    Buffer(ArrayShape),
}

impl Default for Shape {
    /// The empty tuple.
    fn default() -> Self {
        Shape::Tuple(Vec::new())
    }
}

/// `f32[2,<=10]{1,0}`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayShape {
    pub element_type: ElementType,
    pub dimensions: Vec<Dimension>,
    pub layout: Option<Layout>,
}

/// The size of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// `10`
    Static(i64),
    /// `<=10`: known when the program runs, at most this.
    Bounded(i64),
    /// `?`: known when the program runs.
    Unbounded,
}

/// `{1,0:T(8,128)(2,1)L(2)#(u8)*(u32)E(4)S(1)SC(0:1,2)P(...)M(16)}`
///
/// Fields that are `None` or empty are not written. Defined by `xla/layout.h`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Dimensions, the fastest varying first.
    pub minor_to_major: Vec<i64>,
    /// `T(8,128)(2,1)`
    pub tiles: Vec<Tile>,
    /// `L(2)`
    pub tail_padding_alignment_in_elements: Option<i64>,
    /// `#(u8)`
    pub index_primitive_type: Option<ElementType>,
    /// `*(u32)`
    pub pointer_primitive_type: Option<ElementType>,
    /// `E(4)`
    pub element_size_in_bits: Option<i64>,
    /// `S(1)`
    pub memory_space: Option<i64>,
    /// `SC(0:1,2)`
    pub split_configs: Vec<SplitConfig>,
    /// `P(...)`: the storage of a sparse array.
    pub physical_shape: Option<Box<Shape>>,
    /// `M(16)`
    pub dynamic_shape_metadata_prefix_bytes: Option<i64>,
}

/// Dimensions of a tile; `None` is `*`, which combines dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tile(pub Vec<Option<i64>>);

/// The split of a dimension among memories.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SplitConfig {
    pub dimension: i64,
    pub split_indices: Vec<i64>,
}
