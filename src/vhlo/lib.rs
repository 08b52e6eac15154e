//! Portable artifacts of StableHLO.
//!
//! An artifact is a program in a format with long-term compatibility: MLIR's bytecode, of ops of
//! the VHLO dialect. VHLO is StableHLO with a version number on each op; a changed op gets a new
//! number. Reading an artifact of any version upgrades its ops to the newest versions
//! ([`Module::upgrade`]), and writing downgrades them. Frameworks exchange programs as such
//! artifacts (`jax.export`, PJRT).
//!
//! The crate does not depend on MLIR. It has its own reader and writer of bytes, since artifacts
//! come from anywhere and MLIR's reader trusts them. The formats are defined by the StableHLO
//! documents on compatibility and VHLO.

pub mod attribute;
mod bytecode;
mod error;
mod legality;
mod module;
pub mod ops;
pub mod stablehlo;
mod steps;
#[cfg(test)]
mod tests;
pub mod types;
mod version;

pub use attribute::{Attribute, AttributeId};
pub use bytecode::{is_portable_artifact, read, to_known_encodings, validate};
pub use error::Error;
pub use module::{Arena, Block, Module, OpKind, Operation, Region, ShardyOp, ValueId};
pub use types::{Type, TypeId};
pub use version::Version;

/// Writes a module for a version of VHLO.
///
/// # Errors
/// Returns an error if the version is not between [`Version::MINIMUM`] and [`Version::CURRENT`], or
/// has no form of something in the module.
pub fn write(module: &Module, target: Version) -> Result<Vec<u8>, Error> {
    if target < Version::MINIMUM || target.of_dialect() > Version::CURRENT {
        return Err(Error::VersionRange(target));
    }
    let mut module = module.clone();
    module.downgrade(target)?;
    bytecode::encode_module(&mut module, target)
}
