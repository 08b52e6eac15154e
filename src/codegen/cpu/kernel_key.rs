//! Keys that identify equal kernels and other functions before they are created.

use crate::loops::captures::Captures;
use halo_ir::prelude::*;
use melior::ir::{AttributeLike, TypeLike};

use std::collections::HashMap;

/// The key of a kernel. Kernels with equal keys are equal.
#[derive(PartialEq, Eq, Hash)]
pub struct KernelKey {
    /// Numbers of values, and the addresses of names, types and attributes,
    /// which are unique in a context.
    words: Vec<usize>,
}

impl KernelKey {
    /// The key of a loop's kernel, given its captures and which of them are
    /// `noalias`. The upper bound of the loop is not part of the kernel.
    pub fn of(outlined: Operation, captures: &Captures, overlap_free: &[bool]) -> Self {
        let mut words = Words::of_values(captures);
        words.all.extend(overlap_free.iter().map(|free| usize::from(*free)));
        for cloned in &captures.cloned {
            words.operation(*cloned, None);
        }
        words.operation(outlined, Some(1));
        Self { words: words.all }
    }

    /// The key of a function that contains ops with captured values.
    pub fn of_all(operations: &[Operation], captures: &Captures) -> Self {
        let mut words = Words::of_values(captures);
        for operation in captures.cloned.iter().chain(operations) {
            words.operation(*operation, None);
        }
        Self { words: words.all }
    }
}

#[derive(Default)]
struct Words {
    all: Vec<usize>,
    /// The numbers of the visited values, by key.
    numbers: HashMap<usize, usize>,
}

impl Words {
    fn of_values(captures: &Captures) -> Self {
        let mut words = Self::default();
        for value in &captures.values {
            words.define(*value);
        }
        words
    }

    fn define(&mut self, value: Value) {
        self.ty(value.ty());
        let next = self.numbers.len();
        self.numbers.insert(value.key(), next);
    }

    fn ty(&mut self, ty: Type) {
        self.all.push(ty.to_raw().ptr as usize);
    }

    fn operation(&mut self, operation: Operation, skipped: Option<usize>) {
        self.all.push(operation.name().as_ptr() as usize);
        let attributes = operation.attributes();
        self.all.push(attributes.len());
        for (name, attribute) in attributes {
            self.all.push(name.as_ptr() as usize);
            self.all.push(attribute.to_raw().ptr as usize);
        }
        let operands = operation.operands();
        self.all.push(operands.len());
        for (number, operand) in operands.into_iter().enumerate() {
            // Unknown values are identified by their keys.
            let key = operand.key();
            let word = self.numbers.get(&key).copied().unwrap_or(key);
            self.all.extend((skipped != Some(number)).then_some(word));
        }
        let results = operation.results();
        self.all.push(results.len());
        for result in results {
            self.define(result);
        }
        for region in operation.regions() {
            let blocks = region.blocks();
            self.all.push(blocks.len());
            for block in blocks {
                let arguments = block.arguments();
                self.all.push(arguments.len());
                for argument in arguments {
                    self.define(argument);
                }
                let operations = block.operations();
                self.all.push(operations.len());
                for nested in operations {
                    self.operation(nested, None);
                }
            }
        }
    }
}
