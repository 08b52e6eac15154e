//! `--hlo-test-broadcast`: the operands of a test op, broadcast as NumPy does it.
//!
//! For tests of [`numpy_broadcast`], with the syntax of StableHLO's pass of this name.
//!
//! ```mlir
//! %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<f32>, tensor<2xf32>) -> !stablehlo.token
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2xf32>
//! %1 = stablehlo.custom_call @numpy_broadcasted(%0, %b) : (tensor<2xf32>, tensor<2xf32>) -> !stablehlo.token
//! ```

use halo_hlo::transforms::shapes::numpy_broadcast::{self, Mismatch};
use halo_ir::prelude::*;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "hlo-test-broadcast",
    "Broadcast the operands of hlo_test_broadcast.numpy_broadcast, for tests",
    run,
)
.dependent_dialects(&["stablehlo"])
.source(include_str!("hlo_test_broadcast.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let tests = pass
        .operation()
        .collect_nested(|op| op.name() == "hlo_test_broadcast.numpy_broadcast");
    let mut result = Ok(());
    for test in tests {
        if let Err(Mismatch { value, message }) = replace(test) {
            let location = value.map_or(test.location(), Value::location);
            emit_error(location, &message);
            result = Err(PassFailure);
        }
    }
    result
}

fn replace<'c>(test: Operation<'c>) -> Result<(), Mismatch<'c>> {
    with_builder(test, |b| {
        let values = numpy_broadcast::broadcast(b, &test.operands())?;
        let types = test.result_types();
        let call = stablehlo::custom_call(b, &values, "numpy_broadcasted", &types);
        b.replace(test, &call.results());
        Ok(())
    })
}
