#![doc = include_str!("README.md")]
//!
//! # Items
//!
//! | item | contents |
//! |---|---|
//! | [`Builder`], [`Value`], [`Program`] | programs from typed ops |
//! | [`Type`], [`ElementType`], [`Quantization`] | types of values |
//! | [`Error`], [`ErrorKind`] | the first error of a program, and the call that made it |
//! | [`to_text`] | the text of any module of VHLO, such as an artifact that was read |
//! | [`semantics`] | the rules of the specification: verification and type inference |
//!
//! Ops are methods of [`Value`] under their names in StableHLO, or of [`Builder`] if their operands
//! are lists. `if` and `while` are [`Value::if_else`] and [`Builder::while_loop`].

mod algebra;
mod builder;
mod calls;
mod cases;
mod constants;
mod elements;
mod error;
mod kinds;
mod ops;
mod planned;
mod products;
mod regions;
pub mod semantics;
mod shapes;
mod text;
mod types;

pub use algebra::TriangularSolve;
pub use builder::{Builder, Function, Program, Value};
pub use calls::{Attr, Channel, Collective, CustomCall, OutputOperandAlias};
pub use cases::{
    ComparisonDirection, ComparisonType, CustomCallApiVersion, FftType, Precision, RngAlgorithm,
    RngDistribution, Transpose,
};
pub use constants::{BF16, Element, F16, Operand};
pub use error::{Error, ErrorKind};
pub use halo_vhlo::Version;
pub use ops::ResultAccuracy;
pub use products::{ConvolutionOptions, DotOptions};
pub use regions::{ReduceWindow, ScatterOptions};
pub use semantics::{
    ConvDimensionNumbers, Dim, DotAlgorithm, DotDimensionNumbers, GatherDimensionNumbers,
    ScatterDimensionNumbers,
};
pub use text::{TextError, to_text};
pub use types::{ElementType, Quantization, Type};
