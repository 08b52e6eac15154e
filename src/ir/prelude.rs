//! The names that most passes use, for `use halo_ir::prelude::*`.
//!
//! | names | purpose |
//! |---|---|
//! | [`Operation`], [`Value`], [`Type`] and the like | handles |
//! | [`OperationExt`], [`ValueExt`], [`TypeExt`] and the like | their methods |
//! | [`Op`] | typed ops |
//! | [`PassDeclaration`], [`pass_options`] and the like | passes |
//! | [`Builder`], [`Pattern`] and the like | changes of IR |
//! | [`tensor_type`], [`string_attribute`] and the like | types and attributes |
//! | [`arith`], [`stablehlo`] and the like | the ops of the dialects that most passes use |
//!
//! A name that a file declares or imports itself shadows the prelude's.

pub use crate::{
    Attribute, AttributeExt, Block, BlockExt, LocationExt, Operation, OperationExt, RegionExt,
    Type, TypeExt, Value, ValueExt, ValuesExt, ops::Op,
};
pub use melior::{Context, ir::AffineMap};

pub use crate::{
    pass::{PassDeclaration, PassFailure, PassInvocation, emit_error},
    pass_options,
};

pub use crate::{
    BuildError, Builder, Pattern, RewriteError, RewriteResult, ValueMap, WalkOrder, WalkResult,
    apply_greedily, bug, mapped, no_match, with_builder,
};

pub use crate::{
    FloatKind, array_attribute, integer_attribute, integer_type, memref_type,
    stablehlo::attributes::ComparisonDirection, string_attribute, tensor_type, unit_attribute,
    vector_type,
};

pub use crate::ops::{
    arith::{self, CmpFPredicate, CmpIPredicate},
    builtin, chlo, func, gpu, index,
    linalg::{self, IteratorType},
    memref, scf,
    sizes::{self, Shape, Size},
    stablehlo, structured, tensor, vector,
};

// Files with another `Op`, such as the one of HLO's semantics, call its functions, too.
#[doc(hidden)]
pub use crate::ops::Op as _;
