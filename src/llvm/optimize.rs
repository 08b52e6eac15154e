//! LLVM's passes on the functions of a module.
//!
//! The input is in SSA form, inlined and canonical, and its matrix products are unrolled, so half
//! of the passes of level 3 have nothing to do and take most of the time of compilation. The
//! remaining passes depend on the function:
//!
//! | function | passes |
//! |---|---|
//! | `optnone`: it calls kernels | none |
//! | `"halo-vectorized"`: its loops are vectorized already | passes that remove redundant work |
//! | any other | these, and passes that vectorize loops |
//!
//! [Baseline](Effort::Quick) code gets only the passes that vectorize loops, because scalar
//! loops take about ten times as long. No pass changes the order of operations on floats, so
//! results are the same bit for bit.

use super::{
    streaming_mode::{add_length, is_streaming},
    target::TargetDescription,
};
use halo_ir::ops::halo::VECTORIZED_IN_LLVM;
use halo_runtime::Error;
use inkwell::{
    attributes::{Attribute, AttributeLoc},
    context::ContextRef,
    module::Module,
    passes::PassBuilderOptions,
    targets::TargetMachine,
    values::{FastMathFlags, FunctionValue},
};

/// The optimization effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Optimizations for code that runs a few times.
    Quick,
    /// All optimizations.
    #[default]
    Full,
}

/// The passes on functions whose loops LLVM vectorizes.
///
/// Without loop unrolling: unrolling a short inner loop would make the outer loop be vectorized,
/// with strided accesses.
const VECTORIZING: &str = "early-cse<memssa>,simplifycfg,\
     instcombine<max-iterations=1;no-verify-fixpoint>,\
     loop-mssa(loop-rotate<header-duplication>,licm<allowspeculation>),\
     simplifycfg,loop(loop-idiom,loop-deletion),gvn<>,\
     loop-vectorize,\
     instcombine<max-iterations=1;no-verify-fixpoint>,\
     loop-mssa(licm<allowspeculation>),\
     simplifycfg<switch-range-to-icmp;switch-to-arithmetic;\
     sink-common-insts;hoist-common-insts>,\
     early-cse";

/// The passes on functions that are vectorized already: passes that simplify blocks or find equal
/// loads have no effect after MLIR.
const VECTORIZED: &str = "instcombine<max-iterations=1;no-verify-fixpoint>,\
     loop-mssa(loop-rotate<header-duplication>,licm<allowspeculation>),\
     early-cse<memssa>";

/// The passes on functions of the baseline tier whose loops LLVM vectorizes, with an interleave
/// count of 1. Functions that reassociate sums of floats get [`VECTORIZING`]: the order depends on
/// the vectors, and must be the same in both tiers.
const QUICKLY_VECTORIZING: &str =
    "loop(loop-rotate),loop-vectorize<interleave-forced-only>,early-cse";

/// Optimizes a module for a target.
///
/// # Errors
/// Returns an internal error if LLVM fails.
pub fn optimize(
    module: &Module,
    machine: &TargetMachine,
    target: &TargetDescription,
    effort: Effort,
) -> Result<(), Error> {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    add_length(module)?;
    let context = module.get_context();
    let kind = target.kind()?;
    let vector_bits = kind.machine.vector_bits.to_string();
    let attributes = [
        ("target-cpu", target.cpu.as_str()),
        ("target-features", target.features.as_str()),
        ("prefer-vector-width", vector_bits.as_str()),
    ]
    .map(|(key, value)| context.create_string_attribute(key, value));
    let of_bits = |bits: u32| sve_length(context, bits);
    let sve_length = kind.sve_bits.map(of_bits);
    let streaming_length = target.tile_bits().map(of_bits);
    for function in module.get_functions() {
        if function.count_basic_blocks() == 0 {
            continue;
        }
        for attribute in attributes {
            function.add_attribute(AttributeLoc::Function, attribute);
        }
        let length = if is_streaming(function) {
            streaming_length
        } else {
            sve_length
        };
        if let Some(attribute) = length {
            function.add_attribute(AttributeLoc::Function, attribute);
        }
        let Some(passes) = passes(function, effort) else {
            continue;
        };
        function
            .run_passes(passes, machine, PassBuilderOptions::create())
            .map_err(|error| Error::internal(format!("LLVM: {}", error.to_string())))?;
    }
    Ok(())
}

/// `vscale_range(n,n)`: LLVM selects SVE instructions for fixed-length vectors if functions have
/// this attribute for the length, in units of 128 bits.
fn sve_length(context: ContextRef, bits: u32) -> Attribute {
    let kind = Attribute::get_named_enum_kind_id("vscale_range");
    let units = u64::from(bits / 128);
    context.create_enum_attribute(kind, units << 32 | units)
}

fn passes(function: FunctionValue, effort: Effort) -> Option<&'static str> {
    let place = AttributeLoc::Function;
    let optnone = Attribute::get_named_enum_kind_id("optnone");
    if function.get_enum_attribute(place, optnone).is_some() {
        return None;
    }
    let is_vectorized = function.get_string_attribute(place, VECTORIZED_IN_LLVM).is_some();
    match (effort, is_vectorized) {
        (Effort::Quick, true) => None,
        (Effort::Quick, false) if !reassociates(function) => Some(QUICKLY_VECTORIZING),
        (Effort::Quick, false) => Some(VECTORIZING),
        (Effort::Full, true) => Some(VECTORIZED),
        (Effort::Full, false) => Some(VECTORIZING),
    }
}

/// Returns true if LLVM may reassociate sums of floats in a function.
fn reassociates(function: FunctionValue) -> bool {
    let instructions = function.get_basic_block_iter().flat_map(|block| {
        std::iter::successors(block.get_first_instruction(), |last| {
            last.get_next_instruction()
        })
    });
    let mut flags = instructions.filter_map(|instruction| instruction.get_fast_math_flags().ok());
    flags.any(|flags| flags.contains(FastMathFlags::AllowReassoc))
}
