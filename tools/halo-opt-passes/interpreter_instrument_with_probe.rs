//! `--interpreter-instrument-with-probe`: a probe after every op with tensor
//! results.
//!
//! The interpreter records the values at probes, so that one run shows every
//! value of a program, and two runs, or two compilers, can be compared op by
//! op. Probes are numbered in the order of the program, inner ops before the
//! ones around them. With `useDebugInfo` the name in an op's location is the
//! name of its probes. Constants are not probed, nor are tensors of elements
//! that StableHLO does not define.
//!
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<2xi32> loc("sum")
//! return %0 : tensor<2xi32>
//! ```
//!
//! becomes, for `useDebugInfo=true`,
//!
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<2xi32>
//! %1 = interpreter.probe %0, probe_id = "sum.1" : tensor<2xi32>
//! return %1 : tensor<2xi32>
//! ```

use halo_ir::{
    LocationKind,
    ops::{Op as _, interpreter},
    prelude::*,
};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Name probes after the locations of their ops
        #[name = "useDebugInfo"]
        use_debug_info: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "interpreter-instrument-with-probe",
    "Insert a probe of the interpreter after every op with tensor results",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["interpreter"])
.options::<Options>()
.source(include_str!("interpreter_instrument_with_probe.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let use_debug_info = pass.options::<Options>().use_debug_info;
    let mut number = 0;
    let mut probed = Vec::new();
    collect(pass.operation(), &mut probed);
    for op in probed {
        for result in op.results() {
            if !is_probed(result.ty()) {
                continue;
            }
            number += 1;
            let name = name_of_location(op).filter(|_| use_debug_info);
            let id = match name {
                Some(name) => format!("{name}.{number}"),
                None => format!("probe{number}"),
            };
            probe(op, result, &id).map_err(|message| {
                emit_error(op.location(), &message);
                PassFailure
            })?;
        }
    }
    Ok(())
}

/// The ops with results below an op, inner ones first.
fn collect<'c>(op: Operation<'c>, probed: &mut Vec<Operation<'c>>) {
    for nested in op.blocks().into_iter().flat_map(Block::operations) {
        collect(nested, probed);
        let is_left_out = matches!(
            nested.name(),
            stablehlo::ConstantOp::NAME | interpreter::ProbeOp::NAME
        );
        if nested.result_count() > 0 && !is_left_out {
            probed.push(nested);
        }
    }
}

/// Returns true if a value of this type is probed.
fn is_probed(ty: Type) -> bool {
    let element = ty.element_type();
    ty.is_tensor()
        && (element.is_float()
            || element.is_integer() && !element.is_index()
            || element.complex_element().is_some()
            || element.is_quantized())
}

/// The name in an op's location, up to the `@` after which frameworks add details.
fn name_of_location(op: Operation) -> Option<String> {
    match op.location().kind() {
        LocationKind::Name { name, .. } => Some(name.split('@').next()?.to_owned()),
        _ => None,
    }
}

/// Inserts a probe after a value, between it and all other uses.
fn probe<'c>(op: Operation<'c>, value: Value<'c>, id: &str) -> Result<(), String> {
    with_builder(op, |b| {
        b.set_after(op);
        let probe = interpreter::ProbeOp::build(b, value, id).insert();
        value.replace_uses_with(probe.result());
        probe.set_operand(0, value);
        Ok(())
    })
}
