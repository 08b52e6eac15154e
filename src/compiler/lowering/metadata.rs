//! The properties of a compiled program that the runtime needs in addition to its code.

use super::Lowering;
use crate::call_sites::of_attribute;
use halo_backend::{
    ObjectCode,
    object_code::{CodeForm, external_constants::ExternalConstants},
};
use halo_codegen::bufferize::externalize_constants;
use halo_ir::{
    ops::{
        arith::constant_index,
        halo::{
            ARENA_BYTES, ARENA_LARGEST, CALL_SITES, CONSTANTS, ENTRY, PlanSizesOp, SIZE_ELEMENTS,
        },
    },
    prelude::*,
};
use halo_runtime::{CustomCallSite, Error, Result, host::SizeElement};
use std::borrow::Cow;

/// The properties of a compiled program that the runtime needs in addition to its code.
#[derive(Default)]
pub struct Metadata {
    /// Bytes of the arena.
    pub arena_size: usize,
    /// Whether the sizes of a run decide its size.
    pub arena_varies: bool,
    /// The location of its largest buffer.
    pub arena_largest: String,
    /// The call sites, indexed by the numbers in generated code.
    pub custom_calls: Vec<CustomCallSite>,
    /// The messages of the checks of sizes, for a program of dynamic shape.
    pub size_checks: Option<Vec<String>>,
    /// The elements of inputs that sizes depend on.
    pub size_elements: Vec<SizeElement>,
    /// The externalized constants.
    pub constants: Option<ExternalConstants>,
}

/// The planned sizes of an entry.
fn planned_sizes(function: Operation<'_>) -> Option<PlanSizesOp<'_>> {
    let mut ops = function.body(0)?.operations().into_iter();
    ops.find_map(|op| op.cast::<PlanSizesOp>())
}

/// The elements of inputs that the sizes of an entry depend on.
fn size_elements(function: Operation<'_>) -> Vec<SizeElement> {
    let listed = function.attribute(SIZE_ELEMENTS).and_then(Attribute::i64_array_value);
    let listed = listed.unwrap_or_default();
    let (pairs, _) = listed.as_chunks::<2>();
    let elements = pairs.iter().map(|[input, position]| SizeElement {
        input: *input as usize,
        position: *position as usize,
    });
    elements.collect()
}

impl Lowering<'_> {
    /// Reads attributes as soon as they exist.
    pub(super) fn read_metadata(&mut self) -> Result<()> {
        let module = self.module.operation();
        let functions = module.body(0).map(Block::operations).unwrap_or_default();
        for function in functions {
            if let Some(plan) = planned_sizes(function) {
                let messages = plan.messages().into_iter();
                self.metadata.size_checks = Some(messages.map(str::to_owned).collect());
                self.metadata.size_elements = size_elements(function);
                let arena = plan.sizes().last().copied();
                self.metadata.arena_varies = arena.and_then(constant_index).is_none();
            }
            if function.has_attribute(ENTRY)
                && let Some(bytes) =
                    function.attribute(ARENA_BYTES).and_then(Attribute::integer_value)
            {
                self.metadata.arena_size = usize::try_from(bytes).unwrap_or(0);
                let largest = function.attribute(ARENA_LARGEST).and_then(Attribute::string_value);
                self.metadata.arena_largest = largest.unwrap_or_default().to_owned();
            }
        }
        if let Some(sites) = module.attribute(CALL_SITES) {
            let sites = sites.array_elements().into_iter();
            self.metadata.custom_calls = sites.map(of_attribute).collect::<Result<_>>()?;
        }
        if let Some(data) = module.attribute(CONSTANTS).and_then(Attribute::dense_data) {
            if !self.session.options.external_constants {
                return Err(Error::invalid(format!(
                    "pass '{}' is for object files: halo-compile --constants=external",
                    externalize_constants::PASS.argument
                )));
            }
            // A splat is stored as one element.
            let count = data.ty.element_count().unwrap_or(0);
            let bytes = if data.splat {
                Cow::Owned(data.bytes.repeat(usize::try_from(count).unwrap_or(0)))
            } else {
                Cow::Borrowed(data.bytes)
            };
            self.metadata.constants = Some(ExternalConstants::new(&bytes, &self.signature));
            // Dumps of later phases need not contain them.
            module.remove_attribute(CONSTANTS);
        }
        Ok(())
    }

    /// The code of the program, without names of inputs and outputs.
    pub fn take_object_code(
        &mut self,
        name: &str,
        (form, code): (CodeForm, Vec<u8>),
    ) -> ObjectCode {
        ObjectCode {
            name: name.to_owned(),
            signature: self.signature.clone(),
            input_names: Vec::new(),
            output_names: Vec::new(),
            target: String::new(),
            size_checks: self.metadata.size_checks.take(),
            size_elements: std::mem::take(&mut self.metadata.size_elements),
            arena_size: self.metadata.arena_size,
            arena_varies: self.metadata.arena_varies,
            custom_calls: std::mem::take(&mut self.metadata.custom_calls),
            constants: self.metadata.constants.take(),
            form,
            code,
        }
    }
}
