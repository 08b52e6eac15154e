//! Halo's dialects, and all that a pass over MLIR is written with.
//!
//! `dialects/` declares the StableHLO, CHLO, check, interpreter, mhlo and sdy dialects in TableGen,
//! one ODS file per family of ops, with their syntax in C++. This crate compiles both and is their
//! safe Rust interface:
//!
//! | module | purpose |
//! |---|---|
//! | the root | handles, values and types; [`Builder`]; attributes; edits in place |
//! | [`prelude`] | the names that most passes use |
//! | [`pass`], [`rewrite`] | passes and rewrite patterns in Rust |
//! | [`conversion`] | conversion between dialects, with a conversion of types |
//! | [`OperationExt`], [`ValueExt`], [`TypeExt`], ... | the properties of ops, values, blocks, types and attributes, as methods |
//! | [`SymbolTable`], [`Dominance`] | symbols and the order of ops |
//! | [`mod@pipeline`] | passes in their order, as data |
//! | [`stablehlo`] | StableHLO's attributes and types as Rust values |
//! | [`ops`] | typed ops |
//! | [`dialect`] | dialects that are declared in Rust |
//! | [`semantics`] | the hooks that define the semantics of the ops |
//! | [`diagnostics`], [`limits`] | parsing, with located errors |
//! | [`translate`] | translations from and to other formats |
//!
//! `halo::examples` has programs by task. Items for Halo's own crates only, such as the drivers of
//! tools and bindings of C++ interfaces of MLIR and LLVM, are not documented here.
//!
//! melior separates the lifetime of the context from the lifetime of a borrow of an op. Inside a
//! pass both are the run of the pass, so the names here unify them: [`Operation`], [`Value`] and
//! [`Block`] are copyable handles.
//!
//! # Safety
//!
//! Safe code that calls the functions of this crate reads no freed memory and violates no assertion
//! of MLIR, whatever its mistake:
//!
//! | mistake | outcome |
//! |---|---|
//! | a handle to an erased op, block or value is read | it reads the erased IR |
//! | a builder gets a part of another context, an erased part, wrong numbers or kinds of parts, or an erased insertion point | panic, which the pass reports; [`BuildError`] of `try_insert` |
//! | an op is erased that has uses, was erased, or that a pass runs on | panic, which the pass reports; [`BuildError`] of `try_erase` |
//! | a function without an error result fails | panic, which the pass reports |
//! | IR uses erased IR when the pass ends | the pass fails |
//! | an op lacks a required attribute | panic, which the pass reports |
//! | a pass, a pattern, a lowering, a hook or another callback panics | the pass fails |
//! | a lowering returns values of other numbers or types | the pass fails |
//! | patterns rewrite without end | the pass fails |
//! | an analysis, a symbol table or a dominance is out of date | its results are; it reads no freed memory |
//! | a verifier, a folder or a fusion rule changes IR | panic |
//!
//! A pass runs in one thread, so that one on functions may read other functions:
//! [`pass::run_pipeline`] and `halo-opt` ensure this, and in a context that has several threads
//! enabled a pass fails. An op has all attributes that its definition requires, as upstream's
//! folders, which run before any verifier, assume.
//!
//! melior's own functions do not belong to this crate. Its accessors are safe on Halo's handles.
//! The following are unsound, though they are not `unsafe`: all of `RewriterBase`, `IrRewriter` and
//! `OperationMutLike`; `BlockLike::{append_operation, insert_operation, insert_operation_after,
//! insert_operation_before, insert_argument}`; `RegionLike::{append_block, insert_block_after,
//! insert_block_before}` and `OperationBuilder` with parts of an op or a block that was erased or
//! is of another context; dropping a melior `Operation`, `Block` or `Region` while there are
//! handles into it; `PassManager::run` and the greedy drivers; `Attribute` and `Type` constructors
//! with kinds of elements that MLIR rejects; `ValueLike::set_type` with a type of another context
//! and `OperationLike::is_before_in_block` with an op of another block. The facade `halo` does not
//! export them. Of its exports, one is unsound: accessors of a `Location` of another kind
//! ([`LocationExt::kind`] checks this).
//!
//! Two mistakes remain undetected in a pass: operands whose types an op does not take, and
//! attributes that do not fit each other, until the verifier detects them; and hooks of
//! [`semantics`], which threads call concurrently if upstream's passes run in several, must not
//! access IR outside their op.

mod attributes;
mod block;
#[doc(hidden)]
pub mod bufferize;
mod build_error;
mod builder;
mod cast;
#[doc(hidden)]
pub mod cleanup;
pub mod context_pool;
pub mod conversion;
#[doc(hidden)]
pub mod debug_info;
pub mod diagnostics;
pub mod dialect;
mod discardable;
mod dominance;
#[doc(hidden)]
pub mod driver;
mod edit;
mod elements;
#[doc(hidden)]
pub mod emitc;
#[doc(hidden)]
pub mod fusion;
mod graveyard;
mod handles;
mod hook_panics;
#[doc(hidden)]
pub mod language_server;
pub mod limits;
#[doc(hidden)]
pub mod llvm_conversion;
mod location;
mod op_documentation;
mod operation;
pub mod ops;
#[doc(hidden)]
pub mod opt;
mod outcome;
mod owned_module;
pub mod pass;
pub mod pipeline;
pub mod prelude;
mod region;
mod registration;
#[doc(hidden)]
pub mod reproducer;
pub mod rewrite;
pub mod semantics;
pub mod stablehlo;
#[doc(hidden)]
pub mod subtarget;
mod symbols;
mod template;
pub mod translate;
mod types;
pub mod untrusted;
#[doc(hidden)]
pub mod upstream;
mod validity;
mod value;
mod walk;

pub use attributes::{
    AttributeExt, DenseData, affine_map_attribute, array_attribute, bool_attribute,
    dense_attribute, float_attribute, i64_array_attribute, integer_attribute, splat_attribute,
    string_attribute, type_attribute, unit_attribute,
};
pub use block::{BlockExt, RegionExt};
pub use build_error::BuildError;
pub use builder::{Builder, OpSpec};
#[doc(hidden)]
pub use cast::{AttributeKind, TypeKind};
pub use discardable::dictionary_attribute;
pub use dominance::Dominance;
pub use edit::{ValueMap, edit_module, fill_module, mapped, with_builder, with_operations_in};
pub use elements::{dense_empty, dense_from_floats, dense_from_integers, dense_number};
pub use graveyard::bug;
#[doc(hidden)]
pub use halo_macros::{captures, line_of};
pub use handles::{Attribute, Block, Location, Operation, Type, Value, root_of};

pub use location::{LocationExt, LocationKind, fused_location};
#[doc(hidden)]
pub use op_documentation::{OpDocumentation, op_documentation};
pub use operation::OperationExt;
pub use outcome::Outcome;
pub use owned_module::OwnedModule;
pub use region::Region;
pub use registration::register_dialects;
pub use rewrite::{
    Pattern, RewriteError, RewriteResult, apply_greedily, apply_in_place, apply_patterns_once,
    apply_without_folding, no_match,
};
pub use symbols::{SymbolNames, SymbolTable};
pub use template::{Splice, Template};
pub use types::{
    FloatKind, TypeExt, complex_type, integer_type, memref_type, tensor_type, unranked_tensor_type,
    vector_type,
};
pub use value::{ValueExt, ValuesExt};
pub use walk::{WalkOrder, WalkResult};
