//! The names that most passes use, for `use halo_ir::prelude::*`.
//!
//! | names | what they are for |
//! |---|---|
//! | [`Operation`], [`Value`], [`Type`] and the like | handles |
//! | [`Op`], [`OperationExt`], [`ValueExt`], [`ValueLike`], [`OperationLike`] | the traits of handles |
//! | [`PassDeclaration`], [`pass_options`] and the like | passes |
//! | [`Builder`], [`Pattern`] and the like | changes of IR |
//! | [`operands_of`], [`body_of`] and the like | the structure of IR |
//! | [`element_type`], [`is_float`] and the like | types and attributes |
//! | [`arith`], [`stablehlo`] and the like | the ops of the dialects that most passes know |
//!
//! A name that a file declares or imports by itself is not that of the prelude there.

pub use crate::{
    Attribute, Block, Operation, Type, Value,
    ops::{Op, OperationExt, ValueExt},
};
pub use melior::{
    Context,
    ir::{AffineMap, ValueLike, operation::OperationLike},
};

pub use crate::{
    pass::{PassDeclaration, PassFailure, PassInvocation, emit_error},
    pass_options,
};

pub use crate::{
    BuildError, Builder, Pattern, RewriteError, RewriteResult, ValueMap, clone_operation, mapped,
    move_before, no_match, replace_uses, set_attribute, set_operand, set_type, with_builder,
};

pub use crate::{
    arguments_of, attribute_of, block_argument, blocks_of, body_of, collect_operations, context_of,
    defining_operation, has_one_use, indexing_maps, is_inside, is_structured, is_unused, name_of,
    operands_of, operation_key, operations_of, owner_of, parent_block, parent_operation,
    result_types_of, results_of, terminator_of, uses_of, value_key, visit,
};

pub use crate::{
    FloatKind, bits_of, complex_element, element_count, element_type, float_kind,
    has_identity_layout, integer_type, integer_width, is_complex, is_float, is_index, is_integer,
    is_memref, is_tensor, is_unsigned, memref_type, shape_of, static_shape_of, strides_of,
    tensor_type, vector_type, with_element_type,
};

pub use crate::{
    array_attribute, attribute_list, attribute_type, integer_attribute, integer_attribute_value,
    stablehlo::attributes::ComparisonDirection, string_attribute, string_value, unit_attribute,
};

pub use crate::ops::{
    arith::{self, CmpFPredicate, CmpIPredicate},
    builtin, chlo, func, gpu,
    linalg::{self, IteratorType},
    memref, scf, stablehlo, tensor, vector,
};

// Files that have another `Op`, such as that of the semantics of HLO, call its functions, too.
#[doc(hidden)]
pub use crate::ops::Op as _;
