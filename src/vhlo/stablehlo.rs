//! The correspondence of VHLO and StableHLO: defaults and encodings of attributes.

mod defaults;
mod encodings;
mod maker;

pub use defaults::{Default, defaults, left_out_together};
pub use encodings::{Encoding, Structure, encoding, structures};
pub use maker::AttributeMaker;
