//! Element types, shapes, layouts and literals of HLO programs.
//!
//! Both the compiler and the runtime that applications ship use these array values. The crate
//! depends on neither MLIR nor any device: a [`Literal`] is plain host memory with a [`Shape`], and
//! its text is MLIR's only so that a value reads the same in a diagnostic, in a program and on a
//! terminal.

pub mod buffer;
pub mod compare;
mod decimal;
pub mod diagnostic;
pub mod element_type;
mod error;
pub mod file;
pub mod float_format;
pub mod identifiers;
pub mod layout;
pub mod literal;
pub mod machine;
pub mod native;
pub mod nearest;
pub mod npy;
pub mod panics;
mod parse;
pub mod print;
pub mod random;
pub mod scalar;
pub mod shape;
pub mod shape_pattern;
pub mod standard_output;

pub use buffer::AlignedBuffer;
pub use compare::{Comparison, Rule, compare};
pub use diagnostic::{Diagnostic, Note, Position};
pub use element_type::ElementType;
pub use error::{Error, Result};
pub use float_format::FloatFormat;
pub use layout::Layout;
pub use literal::Literal;
pub use native::NativeType;
pub use print::PrintOptions;
pub use scalar::Scalar;
pub use shape::Shape;
pub use shape_pattern::ShapePattern;

pub use half::{bf16, f16};
pub use num_complex::Complex;
