//! Constants whose elements are stored outside the program text.
//!
//! MLIR stores the elements of large constants in resources, which not all readers of constants
//! support. They are converted right after parsing:
//!
//! ```mlir
//! %0 = stablehlo.constant dense_resource<values> : tensor<2xf32>
//! // becomes
//! %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
//! ```
//!
//! Elided elements (`dense_resource<__elided__>`) stay until a pass needs them.

use halo_core::Diagnostic;
use halo_core::Literal;
use halo_hlo::literals;
use halo_ir::{diagnostics::position_of, prelude::*, root_of};
use halo_runtime::Error;
use melior::ir::Module;

/// The constants of a module whose elements are resources.
fn constants<'m>(module: &'m Module) -> impl Iterator<Item = (Operation<'m>, Attribute<'m>)> {
    let constants = root_of(module).collect_nested(|op| op.isa::<stablehlo::ConstantOp>());
    constants.into_iter().filter_map(|op| {
        let value = op.attribute("value")?;
        value.is_dense_resource().then_some((op, value))
    })
}

/// Replaces resources with known elements by constants.
pub(super) fn embed(module: &Module) -> Result<(), Error> {
    for (constant, value) in constants(module) {
        let Some(data) = value.dense_resource_data() else {
            continue;
        };
        let dense = literals::shape_of(value.ty()).and_then(|shape| {
            let literal = Literal::from_bytes(shape, data).map_err(|error| error.to_string())?;
            literals::attribute_of(&literal, value.ty())
        });
        let dense = dense.map_err(|message| failed(constant, &message))?;
        constant.set_attribute("value", dense);
    }
    Ok(())
}

/// Fails if elements are missing.
pub(super) fn expect_all(module: &Module) -> Result<(), Error> {
    match constants(module).next() {
        Some((constant, _)) => Err(failed(constant, "its elements were left out")),
        None => Ok(()),
    }
}

fn failed(constant: Operation, message: &str) -> Error {
    let message = format!("'{}' op {message}", constant.name());
    Diagnostic::new(position_of(constant.location()), message).into()
}
