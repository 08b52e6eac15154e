//! The static semantics of StableHLO ops: verification and type inference.
//!
//! The functions implement the constraints of the StableHLO specification, one file for each family
//! of ops; each names its section and constraints, `(C1)` and so on. They read a program by the
//! traits [`Op`] and [`Ty`], which the builder of this crate and the compiler's representation of
//! programs implement. The kinds of operands and attributes, which ODS defines, are checked before.
//!
//! A function that infers verifies operands, attributes and regions, and
//! returns the types of the results, or only their shapes if the program
//! chooses the elements. Verification compares these with the declared types;
//! builders use them; shape refinement writes the more specific ones into the
//! program.
//!
//! Dynamic dimensions are compatible with any size, bounded ones with sizes within the bound.
//! Quantized element types are compatible if they have the same storage and expressed types,
//! because scales may differ.
//!
//! Rules only inspect types and small attributes, never the elements of a tensor, and build text
//! only for messages. The only constants that they read are computed shapes.
//!
//! Constraints that upstream's verifier does not check are checked only if a violating program has
//! no meaning: `docs/verification.md` lists them.

mod body;
mod communication;
mod control_flow;
mod convolution;
mod dims;
mod dot;
mod dynamic;
mod einsum;
mod elementwise;
mod gather_scatter;
mod inferred;
mod linear_algebra;
mod op;
mod prelude;
mod quantization;
mod reduction;
mod rules;
mod shape;
mod slicing;
mod tensor;
mod ty;
mod window;

pub use body::Body;
pub use communication::{refine_all_gather, refine_reduce_scatter};
pub use dims::{Dim, ShapeText};
pub use dot::{DotAlgorithm, Product, dot_algorithm, precision_config};
pub use inferred::{Inference, Inferred, most_specific, one, refine_type};
pub use op::{
    ChannelHandle, ConvDimensionNumbers, DotDimensionNumbers, GatherDimensionNumbers, Op,
    ScatterDimensionNumbers, expect_at_least, expect_dimensions, expect_size, expect_unique,
    required,
};
pub use rules::{Check, Infer, Rule, rule_of};
pub use shape::refine_reshape;
pub use tensor::{Subject, Tensor, VerifyResult, elements_agree, expect_same_type, types_agree};
pub use ty::{Quantized, Ty};
pub use window::{Scan, Window, WindowDim};

/// Returns the error of a type that no value may have.
pub(crate) fn verify_type<T: Ty>(subject: Subject, ty: T) -> VerifyResult {
    tensor::expect_countable(subject, ty)?;
    quantization::expect_wellformed(subject, ty)
}

/// Returns the error of an invalid op, which has a rule or none.
pub fn verify<O: Op>(op: O, rule: Option<Rule<O>>) -> VerifyResult {
    let values = [op.operands(), op.results()].concat();
    for (subject, ty) in &values {
        tensor::expect_countable(*subject, *ty)?;
    }
    let Some(rule) = rule else {
        return Ok(());
    };
    for (subject, ty) in values {
        quantization::expect_wellformed(subject, ty)?;
    }
    if let Some(infer) = rule.infer {
        inferred::expect_results(op, &infer(op)?)?;
    }
    match rule.check {
        Some(check) => check(op),
        None => Ok(()),
    }
}
