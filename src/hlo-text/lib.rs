//! HLO text, in XLA's syntax: `HloModule name, ...`, and the equivalent protocol buffers.
//!
//! The crate holds the syntax tree ([`HloModule`], [`HloComputation`], [`HloInstruction`]), a
//! parser and a printer. It does not depend on MLIR: the compiler's front end defines the meaning
//! of a module as a StableHLO program.

pub mod ast;
mod detect;
mod element_type;
mod error;
mod mesh;
mod parser;
mod printer;
mod proto;
mod split;
mod validity;

pub use ast::*;
pub use detect::is_hlo_text;
pub use element_type::{element_type_name, element_type_of_name};
pub use error::ParseError;
pub use mesh::{AxisRef, DeviceOrder, DimensionSharding, Mesh, MeshGroups, NamedSharding, SubAxis};
pub use parser::{parse, parse_shape, parse_value};
pub use printer::{PrintOptions, ProgramShapes};
pub use proto::{HloSnapshot, is_hlo_proto, parse_proto, parse_snapshot};
pub use split::split;
