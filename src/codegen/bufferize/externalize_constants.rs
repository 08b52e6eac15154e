//! `--halo-externalize-constants`: moves the large constants of entry functions out of the program,
//! which gets their address.
//!
//! The weights of a model are most of an object file, which a linker copies and an application
//! loads as a whole. In a separate file, they are memory-mapped on demand and shared among
//! processes. The pass collects their bytes in the module attribute `halo.constants`, from which
//! the file is written. It gives the entry an argument for their memory: the last one, until
//! `--halo-buffer-assignment` adds the arena.
//!
//! ```mlir
//! memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
//! func.func @main(%in: memref<4xf32>) attributes {halo.entry} {
//!   %w = memref.get_global @w : memref<4xf32>
//!   ...
//! }
//! ```
//!
//! becomes, with `min-bytes=16`,
//!
//! ```mlir
//! module attributes {halo.constants = dense<[0, 0, -128, 63, ...]> : tensor<16xi8>}
//! func.func @main(%in: memref<4xf32>, %constants: memref<16xi8>) attributes {halo.entry} {
//!   %c0 = arith.constant 0 : index
//!   %w = memref.view %constants[%c0][] : memref<16xi8> to memref<4xf32>
//!   ...
//! }
//! ```
//!
//! Each constant begins at a multiple of 64. Constants of less than a page stay in the program,
//! where they take less space and LLVM can fold their elements. Constants that functions other than
//! the entry read, or whose elements are not whole bytes, stay too. Booleans are bytes of 0 and 1,
//! as in all memory.

use super::buffer_assignment::ALIGNMENT;
use crate::{function::append_argument, loops::prelude::*};
use halo_ir::{
    dense_attribute,
    ops::halo::{CONSTANTS, ENTRY},
    prelude::*,
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The minimal size of externalized constants in bytes
        #[range(1..=i64::MAX)]
        min_bytes: usize = 4096,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-externalize-constants",
    "Give entry functions the address of their large constants",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["arith", "halo", "memref"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let least = pass.options::<Options>().min_bytes;
    externalize(module, least);
    Ok(())
}

fn externalize(module: Operation<'_>, least: usize) {
    let top = module.body(0).map(Block::operations).unwrap_or_default();
    let entries: Vec<Operation> = top
        .iter()
        .copied()
        .filter(|op| op.isa::<func::FuncOp>() && op.has_attribute(ENTRY))
        .filter(|op| op.body(0).is_some())
        .collect();
    let references = module.collect_nested(|op| op.isa::<memref::GetGlobalOp>());
    let references: Vec<memref::GetGlobalOp> = references
        .into_iter()
        .filter_map(|op| op.cast::<memref::GetGlobalOp>())
        .collect();
    let (mut of_entries, mut of_others) = (HashSet::new(), HashSet::new());
    for reference in &references {
        let function = reference.operation().enclosing::<func::FuncOp>();
        if function.is_some_and(|function| entries.contains(&function.operation())) {
            of_entries.insert(reference.name())
        } else {
            of_others.insert(reference.name())
        };
    }
    let is_taken = |name: &str| of_entries.contains(name) && !of_others.contains(name);
    let mut bytes = Vec::new();
    let mut offsets: HashMap<&str, i64> = HashMap::new();
    let mut taken = Vec::new();
    for global in top.iter().filter_map(|op| op.cast::<memref::GlobalOp>()) {
        let name = global.sym_name();
        let is_large = size_in_bytes(global.type_()).is_some_and(|size| size >= least as u64);
        if !is_large || !global.constant() || !is_taken(name) {
            continue;
        }
        if let Some(elements) = elements(global) {
            bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
            offsets.insert(name, bytes.len() as i64);
            bytes.extend_from_slice(&elements);
            taken.push(global);
        }
    }
    let context = module.context();
    let byte = integer_type(context, 8);
    let dims = [bytes.len() as i64];
    let contents = dense_attribute(tensor_type(&dims, byte), &bytes)
        .unwrap_or_else(|| bug("the constants are no attribute"));
    for entry in entries {
        let Some(argument) = append_argument(entry, memref_type(&dims, byte)) else {
            continue;
        };
        replace_references(entry, argument, &offsets);
    }
    for global in taken {
        with_builder(global.operation(), |builder| {
            builder.erase(global.operation())
        });
    }
    module.set_attribute(CONSTANTS, contents);
}

/// Replaces references to external constants by views of the argument. The views are at the
/// beginning of the entry, so that they dominate all uses.
fn replace_references<'c>(entry: Operation<'c>, argument: Value<'c>, offsets: &HashMap<&str, i64>) {
    let first = entry.body(0).map(Block::operations).unwrap_or_default();
    let Some(first) = first.first().copied() else {
        return;
    };
    let mut views: HashMap<&str, Value<'c>> = HashMap::new();
    let references = entry.collect_nested(|op| op.isa::<memref::GetGlobalOp>());
    let references = references.into_iter().filter_map(|op| op.cast::<memref::GetGlobalOp>());
    let references: Vec<memref::GetGlobalOp<'c>> = references.collect();
    for reference in &references {
        let name = reference.name();
        let Some(offset) = offsets.get(name) else {
            continue;
        };
        if !views.contains_key(name) {
            let view = with_builder(first, |builder| {
                let builder = builder.at(reference.location());
                let offset = index::constant(&builder, *offset);
                memref::view(&builder, argument, offset, &[], reference.result().ty())
            });
            views.insert(name, view);
        }
    }
    for reference in &references {
        if let Some(view) = views.get(reference.name()) {
            with_builder(reference.operation(), |builder| {
                builder.replace(reference.operation(), &[*view])
            });
        }
    }
}

/// The bytes of a constant in memory, if its elements are available and are whole bytes.
fn elements(global: memref::GlobalOp<'_>) -> Option<Cow<'_, [u8]>> {
    let size = size_in_bytes(global.type_())? as usize;
    let element = global.type_().element_type();
    let bits = element.complex_element().unwrap_or(element).bit_width()?;
    let value = global.initial_value()?;
    let (bytes, splat) = match value.dense_data() {
        Some(data) => (data.bytes, data.splat),
        None => (value.dense_resource_data().filter(|_| bits != 1)?, false),
    };
    let stored = match bits {
        1 => {
            let count = if splat { 1 } else { size };
            let bit = |index: usize| Some(bytes.get(index / 8)? >> (index % 8) & 1);
            Cow::Owned((0..count).map(bit).collect::<Option<Vec<u8>>>()?)
        }
        _ if bits.is_multiple_of(8) => Cow::Borrowed(bytes),
        _ => return None,
    };
    let all = if splat && !stored.is_empty() {
        Cow::Owned(stored.repeat(size / stored.len()))
    } else {
        stored
    };
    (all.len() == size).then_some(all)
}
