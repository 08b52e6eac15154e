//! Typed ops: for each op a Rust type and a builder, generated from ODS.
//!
//! The build script dumps the TableGen records of the dialects in `src/ir/build/typed_ops.rs`,
//! Halo's and upstream's, and `halo-ods` generates a module for each. A misspelled op or operand
//! does not compile.
//!
//! # Reading
//!
//! ```ignore
//! if let Some(dot) = op.cast::<stablehlo::DotGeneralOp>() {
//!     let numbers = dot.dot_dimension_numbers();    // a DotDimensionNumbers
//!     let precision = dot.precision_config();       // an Option<Vec<Precision>>
//!     let (lhs, result) = (dot.lhs(), dot.result()); // values
//! }
//! if op.isa::<func::ReturnOp>() { /* ... */ }
//! let zero = value.defined_by::<arith::ConstantOp>();
//! ```
//!
//! A type such as [`arith::AddFOp`] is a handle, named after the C++ class. Its methods have the
//! names of ODS in Rust's spelling (`lowerBound` is `lower_bound`, a keyword gets a `_` after it):
//!
//! | part | type |
//! |---|---|
//! | operand, result | `Value`; `Option<Value>` if optional; `Vec<Value>` if variadic |
//! | region, successor | `RegionRef`, `Block`; a `Vec` if variadic |
//! | attribute | its Rust value (see [`codec`]), else `Attribute` |
//! | optional attribute | an `Option`; with a default, the value |
//!
//! `set_NAME` and `remove_NAME` change attributes. Accessors read ops that satisfy their
//! definition, as all verified ops do: for any other op, a missing part or one of another kind is a
//! panic with the names of the op and the part. Passes and patterns make a diagnostic of it. A
//! string that is not UTF-8 is such a part, too; if one may come from a user, read it by
//! [`crate::OperationExt::attribute`].
//!
//! # Building
//!
//! ```ignore
//! let sum = arith::addf(b, x, y);                      // the value
//! let less = arith::cmpi(b, CmpIPredicate::Slt, i, n);
//! let half = arith::constant(b, ty, 0.5);
//! let next = memref::LoadOp::build(b, buffer, &[i]).nontemporal(true).value();
//! let alloc = memref::AllocOp::build(b, &[], &[], ty).alignment(64).value();
//! ```
//!
//! Each op has a function of its name. It takes, in the order of ODS, the required parts of the op:
//! operands (of a variadic group as a slice) and attributes; then the types of results unless they
//! are inferred; then successors and regions. It inserts the op, and returns its result if the op
//! has exactly one result, else the op.
//!
//! Methods of [`Build`], which `OpType::build` starts with the same arguments, add optional parts;
//! `insert` ends it with the op, `value` with the first result, `into_spec` with an untyped
//! specification, for code that creates one of several ops. `maybe` adds a part that is an
//! `Option`. Only this code writes segment sizes.
//!
//! An op that replaces another one copies its attributes by [`Build::attributes_of`] or, if it is
//! of another type, by [`Build::discardable_attributes_of`].
//!
//! Result types are inferred by MLIR; [`Build::result_types`] overrides them, as for a result that
//! is more static than the operands imply.
//!
//! Some ops with regions, such as [`scf::for_`], [`scf::if_else`], [`scf::while_`],
//! [`scf::parallel`], [`linalg::generic`], [`func::func`], [`gpu::launch`], [`stablehlo::reduce`]
//! and [`stablehlo::while_`], take a closure for each region in place of the region itself. No
//! other function does: there is one way to create each op. A closure returns the operands of the
//! terminator, or a `Result` of them; the function returns the op, or a `Result` of it
//! ([`Outcome`](crate::Outcome)).
//!
//! A function that creates an op returns no error. Invalid parts end the pass with an internal
//! error that names the op and the source location. [`Build::try_insert`] is for parts that come
//! from a user.
#[doc(hidden)]
pub mod access;
mod build;
pub mod codec;
pub(crate) mod definition;
pub mod index;
pub mod sizes;
pub mod structured;

pub use build::Build;
pub use codec::{Codec, Enumeration};
pub use definition::{Arity, Group, Groups, OPERAND_SEGMENT_SIZES, Op, OpInfo, Sizing};

use crate::{
    builder::Builder,
    handles::{Type, Value},
};

/// Creates an op of one operand and a result of its type.
pub type UnaryFn = for<'c> fn(&Builder<'c>, Value<'c>) -> Value<'c>;
/// Creates an op of two operands and a result of their type.
pub type BinaryFn = for<'c> fn(&Builder<'c>, Value<'c>, Value<'c>) -> Value<'c>;
/// Creates an op that converts its operand to another type.
pub type ConversionFn = for<'c> fn(&Builder<'c>, Value<'c>, Type<'c>) -> Value<'c>;

macro_rules! generated {
    ($file:literal) => {
        #[allow(clippy::all, dead_code, unused_imports, rustdoc::all, missing_docs)]
        mod generated {
            use crate::{
                attributes::AttributeExt,
                build_error::BuildError,
                builder::Builder,
                handles::{Attribute, Block, Operation, Type, Value},
                operation::OperationExt,
                ops::{
                    Build, Enumeration, access, codec,
                    definition::{Arity, Group, Groups, Op, OpInfo, Sizing},
                },
                region::Region,
                value::ValueExt,
            };
            use melior::ir::{AffineMap, RegionRef};

            include!(concat!(env!("OUT_DIR"), "/ops/", $file, ".rs"));
        }
        pub use generated::*;
    };
}
use generated;

macro_rules! dialects {
    (
        written: $($(#[$doc:meta])* $written:ident)+;
        generated: $($generated:ident $file:literal)+
    ) => {
        $($(#[$doc])* pub mod $written;)+

        $(
            #[doc = concat!("The ops of `", $file, "`.")]
            pub mod $generated {
                super::generated! { $file }
            }
        )+

        /// The ODS records of all ops with a type here.
        pub fn all() -> impl Iterator<Item = &'static OpInfo> {
            [$($written::ALL,)+ $($generated::ALL),+]
                .into_iter()
                .flatten()
                .copied()
        }
    };
}

dialects! {
    written:
        arith
        complex
        func
        gpu
        halo
        linalg
        memref
        scf
        stablehlo
        vector;
    generated:
        affine "affine"
        amx "amx"
        bufferization "bufferization"
        builtin "builtin"
        cf "cf"
        check "check"
        chlo "chlo"
        emitc "emitc"
        interpreter "interpreter"
        llvm "llvm"
        math "math"
        mhlo "mhlo"
        nvgpu "nvgpu"
        nvvm "nvvm"
        quant "quant"
        sdy "sdy"
        shape "shape"
        tensor "tensor"
        ub "ub"
}
