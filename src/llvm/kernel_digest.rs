//! A hash of a kernel, stable between processes: of its functions and of the symbols that they
//! refer to, without names that do not affect the code.
//!
//! ```mlir
//! llvm.mlir.global internal constant @__constant_2xf32_7(dense<[1.0, 2.0]> : tensor<2xf32>)
//! llvm.func internal @main_kernel_3(%x: !llvm.ptr) attributes {halo.kernel} {
//!   %0 = llvm.mlir.addressof @__constant_2xf32_7 : !llvm.ptr
//!   ...
//! ```
//!
//! is hashed with the numbers 0 and 1 for the names `@main_kernel_3` and `@__constant_2xf32_7`,
//! with numbers for values, and without locations. External functions, such as `@memcpy`, keep
//! their names.

use halo_ir::prelude::*;
use melior::ir::RegionRef;
use melior::ir::{AttributeLike, TypeLike};
use std::collections::HashMap;

/// A hash of the text of an attribute or a type.
type Text = [u8; blake3::OUT_LEN];

/// The hashed attributes and types, by their addresses, which are unique in a context: each is
/// printed once for all kernels of a program.
#[derive(Default)]
pub(crate) struct Texts(HashMap<usize, Option<Text>>);

impl Texts {
    fn of_type(&mut self, ty: Type) -> Option<Text> {
        let address = ty.to_raw().ptr as usize;
        self.of(address, || ty.to_string())
    }

    fn of_attribute(&mut self, attribute: Attribute) -> Option<Text> {
        let address = attribute.to_raw().ptr as usize;
        self.of(address, || attribute.to_string())
    }

    fn of(&mut self, address: usize, text: impl FnOnce() -> String) -> Option<Text> {
        *self.0.entry(address).or_insert_with(|| {
            let text = text();
            // Such an attribute differs from others by its address only.
            let is_distinct = text.contains("distinct[");
            (!is_distinct).then(|| *blake3::hash(text.as_bytes()).as_bytes())
        })
    }
}

/// The hash of functions and globals, some of which have numbers in place of their names. `None` if
/// something in them has no textual form.
pub(crate) fn digest<'c>(
    operations: impl Iterator<Item = Operation<'c>>,
    numbers: &HashMap<&str, usize>,
    texts: &mut Texts,
) -> Option<blake3::Hash> {
    let mut digest = Digest {
        hasher: blake3::Hasher::new(),
        numbers,
        texts,
        values: HashMap::new(),
        blocks: HashMap::new(),
    };
    for operation in operations {
        digest.operation(operation)?;
    }
    Some(digest.hasher.finalize())
}

struct Digest<'a> {
    hasher: blake3::Hasher,
    numbers: &'a HashMap<&'a str, usize>,
    texts: &'a mut Texts,
    /// The numbers of values and of blocks, by their addresses.
    values: HashMap<usize, usize>,
    blocks: HashMap<usize, usize>,
}

impl Digest<'_> {
    fn number(&mut self, number: usize) {
        self.hasher.update(&(number as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.hasher.update(text.as_bytes());
    }

    fn operation(&mut self, operation: Operation) -> Option<()> {
        self.text(operation.name());
        let attributes = operation.attributes();
        self.number(attributes.len());
        for (name, attribute) in attributes {
            self.text(name);
            self.attribute(attribute)?;
        }
        let operands = operation.operands();
        self.number(operands.len());
        for operand in operands {
            // A value that is defined in a later block gets its number here.
            let next = self.values.len();
            let number = *self.values.entry(operand.key()).or_insert(next);
            self.number(number);
        }
        let results = operation.results();
        self.number(results.len());
        for result in results {
            self.define(result)?;
        }
        self.number(operation.successors().len());
        for block in operation.successors() {
            let number = self.block(block.to_raw().ptr as usize);
            self.number(number);
        }
        self.number(operation.region_count());
        operation.regions().into_iter().try_for_each(|region| self.region(region))
    }

    fn attribute(&mut self, attribute: Attribute) -> Option<()> {
        let symbol = attribute.string_value().or_else(|| attribute.symbol_value());
        if let Some(number) = symbol.and_then(|symbol| self.numbers.get(symbol)) {
            self.text("symbol");
            self.number(*number);
            return Some(());
        }
        let text = self.texts.of_attribute(attribute)?;
        self.hasher.update(&text);
        Some(())
    }

    fn define(&mut self, value: Value) -> Option<()> {
        let next = self.values.len();
        let number = *self.values.entry(value.key()).or_insert(next);
        self.number(number);
        let ty = self.texts.of_type(value.ty())?;
        self.hasher.update(&ty);
        Some(())
    }

    fn block(&mut self, address: usize) -> usize {
        let next = self.blocks.len();
        *self.blocks.entry(address).or_insert(next)
    }

    fn region(&mut self, region: RegionRef) -> Option<()> {
        let blocks = region.blocks();
        self.number(blocks.len());
        for block in blocks {
            let number = self.block(block.to_raw().ptr as usize);
            self.number(number);
            let arguments = block.arguments();
            self.number(arguments.len());
            for argument in arguments {
                self.define(argument)?;
            }
            let operations = block.operations();
            self.number(operations.len());
            for operation in operations {
                self.operation(operation)?;
            }
        }
        Some(())
    }
}
