//! The structured attributes of the dialects, as Rust values.
//!
//! Every one has `from_attribute`, which returns `None` for an attribute of another kind, and
//! `to_attribute`. An absent attribute of an op means its default, which the `Default` of the Rust
//! value represents if there is one.

mod access;
mod accuracy;
mod communication;
mod dimension_numbers;
mod encoding;
mod enums;
mod mesh;

pub(crate) use accuracy::RawDotAlgorithm;
pub use accuracy::{DotAlgorithm, ResultAccuracy};
pub use communication::{ChannelHandle, OutputOperandAlias};
pub use dimension_numbers::{
    ConvDimensionNumbers, DotDimensionNumbers, GatherDimensionNumbers, RaggedDotDimensionNumbers,
    ScatterDimensionNumbers,
};
pub use encoding::{TypeExtensions, bounded_tensor_type};
pub use enums::{
    ComparisonDirection, ComparisonType, CustomCallApiVersion, FftType, Precision, RngAlgorithm,
    RngDistribution, Transpose,
};
pub use mesh::MeshAttribute;
