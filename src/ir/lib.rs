//! Halo's dialects, and all that a pass over MLIR is written with.
//!
//! `dialects/` declares the StableHLO, CHLO, check, interpreter, mhlo and sdy dialects
//! in TableGen, one ODS file a family of ops, with their syntax in C++. This crate
//! compiles both and is their safe Rust face:
//!
//! | module | what it is for |
//! |---|---|
//! | the root | handles, values and types; [`Builder`]; attributes; edits in place |
//! | [`prelude`] | the names that most passes use |
//! | [`pass`], [`rewrite`] | passes and rewrite patterns in Rust |
//! | [`conversion`] | conversion between dialects, with a conversion of types |
//! | [`walk`], [`SymbolTable`], [`Dominance`] | questions to the structure of a program |
//! | [`mod@pipeline`] | passes in their order, as data |
//! | [`stablehlo`] | StableHLO's attributes and types as Rust values |
//! | [`ops`] | typed ops |
//! | [`dialect`] | dialects that are declared in Rust |
//! | [`semantics`] | the hooks by which the ops get their meaning |
//! | [`diagnostics`], [`limits`] | parsing, with errors that tell where they are |
//! | [`translate`] | translations from and to other formats |
//!
//! `halo::examples` has programs by task. What only Halo's own crates use, such as the
//! drivers of tools and what MLIR and LLVM have only in C++, is not documented here.
//!
//! melior separates the lifetime of the context from the lifetime of a borrow
//! of an op. Inside a pass both are the pass's run, so the names here tie them
//! together: [`Operation`], [`Value`] and [`Block`] are copyable handles.
//!
//! # Safety
//!
//! Safe code that calls the functions of this crate reads no freed memory and trips no
//! assertion of MLIR, whatever it does wrong:
//!
//! | mistake | outcome |
//! |---|---|
//! | a handle to an erased op, block or value is read | it reads what was erased |
//! | a builder gets a part of another context, a part that was erased, wrong numbers or kinds of parts, or an insertion point that was erased | [`BuildError`] |
//! | an op is erased that has uses, was erased, or that a pass runs on | [`BuildError`] |
//! | a function that returns no error is misused | panic, which the pass reports |
//! | IR uses what was erased when the pass ends | the pass fails |
//! | an op lacks an attribute that it must have | [`BuildError`], or panic where it is taken away |
//! | a pass, a pattern, a lowering, a hook or another callback panics | the pass fails |
//! | a lowering returns values of other numbers or types | the pass fails |
//! | patterns rewrite without end | the pass fails |
//! | an analysis, a symbol table or a dominance is out of date | its answers are; it reads nothing that was freed |
//! | a verifier, a folder or a fusion rule changes IR | [`BuildError`] or panic |
//!
//! A pass runs in one thread, so that one on functions may look at other functions:
//! [`pass::run_pipeline`] and `halo-opt` see to it, and in a context that has several
//! threads enabled a pass fails. An op lacks no attribute that its definition demands, so
//! that upstream's folders, which run before any verifier, find what they take for granted.
//!
//! melior's own functions are not of this crate. Those that read are safe on our handles.
//! These are not, though they are not `unsafe`: all of `RewriterBase`, `IrRewriter` and
//! `OperationMutLike`; `BlockLike::{append_operation, insert_operation,
//! insert_operation_after, insert_operation_before, insert_argument}`;
//! `RegionLike::{append_block, insert_block_after, insert_block_before}` and
//! `OperationBuilder` with parts of an op or a block that was erased or is of another
//! context; dropping a melior `Operation`, `Block` or `Region` while there are handles
//! into it; `PassManager::run` and the greedy drivers; `Attribute` and `Type`
//! constructors with kinds of elements that MLIR rejects. The facade `halo` does not
//! export them. Of what it exports, three are left: `ValueLike::set_type` with a type of
//! another context, `OperationLike::is_before_in_block` with an op of another block, and
//! accessors of a `Location` of another kind ([`set_type`], [`is_before`] and
//! [`location_kind`] check this).
//!
//! Two mistakes are left to the pass: operands whose types an op does not take, and
//! attributes that do not fit each other, until the verifier sees them; and hooks of
//! [`semantics`], which threads call at the same time where upstream's passes run in
//! several, must not look around their op.

mod attributes;
#[doc(hidden)]
pub mod bufferize;
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
mod hook_panics;
mod inspect;
#[doc(hidden)]
pub mod language_server;
pub mod limits;
mod linalg;
#[doc(hidden)]
pub mod llvm_conversion;
mod location;
mod op_documentation;
pub mod ops;
#[doc(hidden)]
pub mod opt;
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
mod untrusted;
#[doc(hidden)]
pub mod upstream;
mod validity;
mod walk;

pub use attributes::{
    DenseData, affine_map_attribute, affine_map_value, array_attribute, attribute_list,
    attribute_type, bool_attribute, complex_value, dense_attribute, dense_data, dense_elements_as,
    dense_resource_data, dense_splat, dictionary_entry, float_attribute, float_attribute_value,
    i32_array_value, i64_array_attribute, i64_array_value, index_attribute, integer_attribute,
    integer_attribute_value, is_dense_resource, is_unit, splat_attribute, string_attribute,
    string_value, symbol_path, symbol_value, type_attribute, unit_attribute,
};
pub use builder::{BuildError, Builder, OpSpec};
#[doc(hidden)]
pub use cast::{AttributeKind, TypeKind, attribute_as, type_as};
pub use discardable::{
    attributes_of, dictionary_attribute, dictionary_entries, discardable_attributes,
    merge_discardable,
};
pub use dominance::Dominance;
pub use edit::{
    ValueMap, add_argument, add_block_behind, attribute_of, clone_body, clone_operation,
    edit_module, erase_argument, fill_module, is_before, is_inside, mapped, move_before, owner_of,
    parent_block, parent_operation, remove_attribute, replace_uses, set_attribute, set_operand,
    set_type, split_after, take_region, terminator_of, try_set_attribute, with_builder,
    with_operations_in,
};
pub use elements::{
    dense_empty, dense_from_floats, dense_from_integers, dense_i64s, dense_integers, dense_number,
    dense_reshape, element_count, is_dense, is_splat, splat_integer, splat_number,
};
#[doc(hidden)]
pub use halo_macros::{captures, line_of};
pub use inspect::{encoding_of, number_bits};
pub use linalg::{indexing_maps, is_structured};
pub use location::{
    LocationKind, fused_location, location_kind, location_of_value, set_argument_location,
    set_location, without_ranges,
};
#[doc(hidden)]
pub use op_documentation::{OpDocumentation, op_documentation};
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
    FloatKind, bits_of, complex_element, complex_type, element_type, float_kind,
    has_identity_layout, index_type, integer_type, integer_width, is_complex, is_float, is_index,
    is_integer, is_memref, is_signless, is_tensor, is_unsigned, map_elements, memref_type,
    quantized, shape_of, static_shape_of, strides_of, tensor_type, unranked_tensor_type,
    unsigned_to_signless, vector_type, vector_type_with_element, with_element_type,
    with_integers_signless, without_memory_space,
};
pub(crate) use untrusted::null_attribute;
pub use untrusted::{
    bool_array_attribute, bool_array_value, bytes_attribute, bytes_value, checked_complex_type,
    checked_dense, checked_memref_type, checked_number, checked_tensor_type, checked_unranked_type,
};
pub use walk::{
    WalkOrder, WalkResult, collect_operations, enclosing, users_of, users_of_results, visit, walk,
};

use melior::{
    Context, ContextRef,
    ir::{BlockRef, OperationRef, RegionRef, operation::OperationLike},
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

/// A handle to an op that is valid while the pass runs and the op exists.
pub type Operation<'c> = OperationRef<'c, 'c>;
/// A handle to a value that is valid while the pass runs and the value exists.
pub type Value<'c> = melior::ir::Value<'c, 'c>;
/// A handle to a block that is valid while the pass runs and the block exists.
pub type Block<'c> = BlockRef<'c, 'c>;
/// A type of the context.
pub type Type<'c> = melior::ir::Type<'c>;
/// An attribute of the context.
pub type Attribute<'c> = melior::ir::Attribute<'c>;
/// A location of the context.
pub type Location<'c> = melior::ir::Location<'c>;

/// The context that owns an op.
pub fn context_of<'c>(operation: Operation<'c>) -> &'c Context {
    // SAFETY: The handle is valid, and the context outlives it.
    unsafe { context_from_raw(mlir_sys::mlirOperationGetContext(operation.to_raw())) }
}

/// The context of a handle of the C interface.
///
/// melior lends a context only as long as the handle that it was asked for by,
/// so one handle is kept for each address of a context.
///
/// # Safety
///
/// The context must be valid for `'c`.
pub(crate) unsafe fn context_from_raw<'c>(raw: mlir_sys::MlirContext) -> &'c Context {
    /// A handle that all threads read.
    struct Kept(&'static ContextRef<'static>);
    // SAFETY: The handle is the address of the context, and is never changed.
    unsafe impl Send for Kept {}

    static KEPT: Mutex<BTreeMap<usize, Kept>> = Mutex::new(BTreeMap::new());
    thread_local! {
        static CONTEXTS: RefCell<HashMap<usize, &'static ContextRef<'static>>> = RefCell::default();
    }
    let key = raw.ptr as usize;
    let handle = CONTEXTS.with_borrow_mut(|contexts| {
        *contexts.entry(key).or_insert_with(|| {
            let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            let handle = kept.entry(key).or_insert_with(|| {
                // SAFETY: The handle is used only while the context is valid.
                Kept(Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) })))
            });
            handle.0
        })
    });
    // SAFETY: As above.
    unsafe { handle.to_ref() }
}

/// The module's op.
pub fn root_of<'m>(module: &'m melior::ir::Module) -> Operation<'m> {
    // SAFETY: The op lives as long as the module.
    unsafe { OperationRef::from_raw(module.as_operation().to_raw()) }
}

/// The name of an op, such as `stablehlo.add`; empty where it is not UTF-8.
pub fn name_of<'c>(operation: Operation<'c>) -> &'c str {
    // SAFETY: Names are interned by the context, which outlives the handle.
    let bytes: &'c [u8] = unsafe {
        let name = mlir_sys::mlirIdentifierStr(mlir_sys::mlirOperationGetName(operation.to_raw()));
        std::slice::from_raw_parts(name.data.cast(), name.length)
    };
    // Passes ask for names more often than for anything else, and the check for ASCII takes a
    // small part of the one for UTF-8.
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        unsafe { std::str::from_utf8_unchecked(bytes) }
    } else {
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// The operands of an op.
pub fn operands_of<'c>(operation: Operation<'c>) -> Vec<Value<'c>> {
    operation.operands().collect()
}

/// The results of an op.
pub fn results_of<'c>(operation: Operation<'c>) -> Vec<Value<'c>> {
    operation.results().map(Into::into).collect()
}

/// The types of the results of an op.
pub fn result_types_of<'c>(operation: Operation<'c>) -> Vec<Type<'c>> {
    use melior::ir::ValueLike;
    operation.results().map(|result| result.r#type()).collect()
}

/// The arguments of a block.
pub fn arguments_of<'c>(block: Block<'c>) -> Vec<Value<'c>> {
    use melior::ir::BlockLike;
    (0..block.argument_count())
        .filter_map(|index| block.argument(index).ok())
        .map(Into::into)
        .collect()
}

/// The ops of a block, in order.
pub fn operations_of<'c>(block: Block<'c>) -> Vec<Operation<'c>> {
    use melior::ir::BlockLike;
    let mut operations = Vec::new();
    let mut next = block.first_operation();
    while let Some(operation) = next {
        operations.push(operation);
        next = operation.next_in_block();
    }
    operations
}

/// The blocks of a region, in order.
pub fn blocks_of<'c>(region: melior::ir::RegionRef<'c, 'c>) -> Vec<Block<'c>> {
    use melior::ir::{BlockLike, RegionLike};
    let mut blocks = Vec::new();
    let mut next = region.first_block();
    while let Some(block) = next {
        blocks.push(block);
        next = block.next_in_region();
    }
    blocks
}

/// The first block of a region of an op, or `None` where the region is absent
/// or empty.
pub fn body_of<'c>(operation: Operation<'c>, region: usize) -> Option<Block<'c>> {
    use melior::ir::RegionLike;
    region_of(operation, region)?.first_block()
}

/// A region of an op, or `None` where it has fewer.
pub fn region_of<'c>(operation: Operation<'c>, number: usize) -> Option<RegionRef<'c, 'c>> {
    (number < operation.region_count()).then(|| operation.region(number).ok())?
}

/// The op that defines a value, and the number of the result; `None` for a
/// block argument.
pub fn defining_operation<'c>(value: Value<'c>) -> Option<(Operation<'c>, usize)> {
    use melior::ir::{ValueLike, operation::OperationResult};
    if !value.is_operation_result() {
        return None;
    }
    let result = OperationResult::try_from(value).ok()?;
    let number = result.result_number();
    // SAFETY: The value is a result, so its owner is a live op of the same
    // context.
    let owner = unsafe { OperationRef::from_raw(mlir_sys::mlirOpResultGetOwner(value.to_raw())) };
    Some((owner, number))
}

/// The block and the number of a block argument; `None` for a result.
pub fn block_argument<'c>(value: Value<'c>) -> Option<(Block<'c>, usize)> {
    use melior::ir::ValueLike;
    if !value.is_block_argument() {
        return None;
    }
    // SAFETY: The value was just seen to be a block argument.
    unsafe {
        let raw = value.to_raw();
        Some((
            BlockRef::from_raw(mlir_sys::mlirBlockArgumentGetOwner(raw)),
            mlir_sys::mlirBlockArgumentGetArgNumber(raw) as usize,
        ))
    }
}

/// The ops that use a value, each with the number of the operand.
pub fn uses_of<'c>(value: Value<'c>) -> Vec<(Operation<'c>, usize)> {
    use melior::ir::ValueLike;
    let mut uses = Vec::new();
    // SAFETY: The use list is walked without change; owners are live ops.
    unsafe {
        let mut raw = mlir_sys::mlirValueGetFirstUse(value.to_raw());
        while !raw.ptr.is_null() {
            uses.push((
                OperationRef::from_raw(mlir_sys::mlirOpOperandGetOwner(raw)),
                mlir_sys::mlirOpOperandGetOperandNumber(raw) as usize,
            ));
            raw = mlir_sys::mlirOpOperandGetNextUse(raw);
        }
    }
    uses
}

/// Whether nothing uses a value.
pub fn is_unused(value: Value) -> bool {
    use melior::ir::ValueLike;
    // SAFETY: The value is valid.
    unsafe { mlir_sys::mlirValueGetFirstUse(value.to_raw()).ptr.is_null() }
}

/// Whether a value has one use. It looks at two at most, however many there are.
pub fn has_one_use(value: Value) -> bool {
    use melior::ir::ValueLike;
    // SAFETY: The value is valid, and its uses are read without change.
    unsafe {
        let first = mlir_sys::mlirValueGetFirstUse(value.to_raw());
        !first.ptr.is_null() && mlir_sys::mlirOpOperandGetNextUse(first).ptr.is_null()
    }
}

/// Whether a value has so many uses, or more. It looks at no more than these.
///
/// ```
/// use halo_ir::{Value, has_n_uses_or_more};
///
/// /// Whether several ops, or operands of one, read a value.
/// fn is_shared(value: Value) -> bool {
///     has_n_uses_or_more(value, 2)
/// }
/// ```
pub fn has_n_uses_or_more(value: Value, count: usize) -> bool {
    use melior::ir::ValueLike;
    // SAFETY: The value is valid, and its uses are read without change.
    unsafe {
        let mut next = mlir_sys::mlirValueGetFirstUse(value.to_raw());
        for _ in 1..count {
            if next.ptr.is_null() {
                return false;
            }
            next = mlir_sys::mlirOpOperandGetNextUse(next);
        }
        count == 0 || !next.ptr.is_null()
    }
}

/// An identity for a value that can key a map.
pub fn value_key(value: Value) -> usize {
    use melior::ir::ValueLike;
    value.to_raw().ptr as usize
}

/// An identity for an op that can key a map.
pub fn operation_key(operation: Operation) -> usize {
    operation.to_raw().ptr as usize
}
