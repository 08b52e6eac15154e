//! `--halo-outline-streaming-regions`: outlines regions that run in SME's streaming mode.
//!
//! LLVM handles the mode per function: it selects instructions by the mode of the function, and
//! saves the registers that a mode change clobbers in the prologue. So a region becomes a function
//! of its captures:
//!
//! ```mlir
//! func.func private @kernel(%begin: index, %end: index, %x: memref<64x16xf32>) {
//!   // ... packing
//!   scf.execute_region no_inline {
//!     // ... outer products of %x
//!     scf.yield
//!   } {arm_locally_streaming}
//!   return
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func private @kernel(%begin: index, %end: index, %x: memref<64x16xf32>) {
//!   // ... packing
//!   call @kernel_streaming_0(%x) : (memref<64x16xf32>) -> ()
//!   return
//! }
//! func.func private @kernel_streaming_0(%x: memref<64x16xf32>)
//!     attributes {arm_locally_streaming, halo.vectorized, no_unwind} {
//!   // ... outer products of %x
//!   return
//! }
//! ```
//!
//! The function has no loop for LLVM's vectorizer. It does not unwind: otherwise LLVM would call a
//! function of compiler-rt for the vector length, for debug information.

use crate::{contraction::isa::sme::STREAMING, loops::captures::Captures};
use halo_ir::{SymbolNames, ops::halo, prelude::*};
use melior::ir::r#type::FunctionType;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-outline-streaming-regions",
    "Make functions of the regions that run in SME's streaming mode",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["func"]);

/// The attribute of functions that do not unwind.
const NO_UNWIND: &str = "no_unwind";

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let functions = module.body(0).map(Block::operations).unwrap_or_default();
    let mut names = SymbolNames::of(module);
    for function in functions {
        let Some(name) = function.attribute("sym_name").and_then(Attribute::string_value) else {
            continue;
        };
        let prefix = format!("{name}_streaming_");
        for region in function.collect_nested(is_streaming_region) {
            outline(function, region, &names.fresh(&prefix));
        }
    }
    Ok(())
}

fn is_streaming_region(operation: Operation) -> bool {
    operation.isa::<scf::ExecuteRegionOp>() && operation.has_attribute(STREAMING)
}

/// Outlines a region of a function.
fn outline<'c>(function: Operation<'c>, region: Operation<'c>, name: &str) {
    let mut operations = region.body(0).map(Block::operations).unwrap_or_default();
    operations.pop();
    let captures = Captures::of_all(&[region])
        .unwrap_or_else(|| bug("a value from around a region is no argument"));
    with_builder(function, |builder| {
        builder.set_after(function);
        let builder = builder.at(region.location());
        let context = builder.context();
        let body = captures.function_body(&builder, &operations, &[]);
        let signature = FunctionType::new(context, &captures.types(), &[]);
        let unit = unit_attribute(context);
        func::FuncOp::build(&builder, name, signature.into(), body)
            .sym_visibility("private")
            .attribute(STREAMING, unit)
            .attribute(halo::VECTORIZED, unit)
            .attribute(NO_UNWIND, unit)
            .insert();
    });
    with_builder(region, |builder| {
        func::call(builder, name, &captures.values, &[]);
        builder.erase(region)
    })
}
