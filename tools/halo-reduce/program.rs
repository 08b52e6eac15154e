//! The program under reduction, and copies to change.

use crate::{execution::Candidate, functions::named_symbols};
use halo::{
    core::panics,
    ir::{diagnostics::with_diagnostics, edit_module, root_of},
    melior::{Context, ir::Module},
    prelude::*,
    runtime::{Error, Program as Source},
};
use std::collections::HashSet;

/// A program with its inputs.
pub struct Program<'c> {
    context: &'c Context,
    module: Module<'c>,
    /// The function to run, if the compiler does not find it.
    pub entry: Option<String>,
    /// The indices of the command line's values that are the first inputs.
    pub given: Vec<usize>,
}

/// A copy that is being changed.
pub struct Draft<'m, 'p> {
    pub root: Operation<'m>,
    pub entry: &'p mut Option<String>,
    pub given: &'p mut Vec<usize>,
    /// The referenced symbols.
    pub named: HashSet<String>,
}

/// The size of a program, for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The ops of functions, without terminators.
    pub ops: usize,
    pub functions: usize,
}

impl<'c> Program<'c> {
    /// Parses a program.
    ///
    /// # Errors
    /// Returns invalid input with diagnostics.
    pub fn read(context: &'c Context, source: &Source) -> Result<Self, Error> {
        Ok(Self {
            context,
            module: halo::frontend::parse(context, source)?,
            entry: None,
            given: Vec::new(),
        })
    }

    /// The module.
    pub fn module(&self) -> &Module<'c> {
        &self.module
    }

    /// Makes the entry function public, and all others private.
    ///
    /// # Errors
    /// Returns invalid input with diagnostics if there is no such function.
    pub fn select_entry(&mut self, source: &Source, name: Option<&str>) -> Result<(), Error> {
        let signature = halo::frontend::select_entry(&mut self.module, source, name)?;
        self.entry = Some(signature.name);
        Ok(())
    }

    /// A program from text, with the entry and inputs of this one.
    pub fn with_code(&self, code: Vec<u8>) -> Option<Self> {
        let source = Source {
            name: "candidate.mlir".to_owned(),
            code,
        };
        let program = Self::read(self.context, &source).ok()?;
        Some(Self {
            entry: self.entry.clone(),
            given: self.given.clone(),
            ..program
        })
    }

    /// A copy after a change; `None` if the change does not apply or the program becomes invalid.
    pub fn changed(&self, change: impl for<'m> FnOnce(&mut Draft<'m, '_>) -> bool) -> Option<Self> {
        let mut copy = Module::from_operation((*self.module.as_operation()).clone())?;
        let (mut entry, mut given) = (self.entry.clone(), self.given.clone());
        let applied = with_diagnostics(self.context, || {
            let edited = panics::catch(|| {
                edit_module(&mut copy, |root| {
                    let mut draft = Draft {
                        root,
                        entry: &mut entry,
                        given: &mut given,
                        named: named_symbols(root),
                    };
                    let is_changed = change(&mut draft);
                    draft.update_types();
                    is_changed
                })
            });
            matches!(edited, Ok(Ok(true))) && copy.as_operation().verify()
        });
        applied.0.then_some(Self {
            context: self.context,
            module: copy,
            entry,
            given,
        })
    }

    /// The text, without locations and names of values.
    pub fn text(&self) -> Vec<u8> {
        self.module.as_operation().to_string().into_bytes()
    }

    /// The candidate to send to a worker.
    pub fn candidate(&self, code: Vec<u8>) -> Candidate {
        Candidate {
            code,
            entry: self.entry.clone(),
            given: self.given.clone(),
        }
    }

    /// The size of the program.
    pub fn size(&self) -> Size {
        let root = root_of(&self.module);
        let functions = functions(root).len();
        Size {
            ops: inner_operations(root).len(),
            functions,
        }
    }

    /// The bytes of all values that it computes, for static sizes.
    pub fn value_bytes(&self) -> u64 {
        let mut bytes = 0_u64;
        for op in inner_operations(root_of(&self.module)) {
            for ty in op.result_types() {
                let count = ty.element_count().unwrap_or(1);
                bytes = bytes.saturating_add(u64::try_from(count).unwrap_or(0) * 4);
            }
        }
        bytes
    }
}

/// The functions with a body (`func.func` only).
pub fn functions(root: Operation<'_>) -> Vec<Operation<'_>> {
    root.collect_nested(|op| op.isa::<func::FuncOp>() && op.body(0).is_some())
}

/// The symbol name of an op.
pub fn symbol_of<'m>(op: Operation<'m>) -> Option<&'m str> {
    op.attribute("sym_name")?.string_value()
}

/// The ops inside of symbols, outer ones first, without terminators.
pub fn inner_operations(root: Operation<'_>) -> Vec<Operation<'_>> {
    let mut found = Vec::new();
    for symbol in root.body(0).map(Block::operations).unwrap_or_default() {
        found.extend(symbol.collect_nested(|op| !ends_block(op)));
    }
    found
}

/// The types of all values, including arguments.
pub fn value_types(root: Operation<'_>) -> Vec<Type<'_>> {
    let mut ops = inner_operations(root);
    ops.extend(functions(root));
    let mut types = Vec::new();
    for op in ops {
        types.extend(op.result_types());
        let arguments = op.blocks().into_iter().flat_map(Block::arguments);
        types.extend(arguments.map(|argument| argument.ty()));
    }
    types
}

/// Returns true if an op is a terminator: the last op of its block, without results.
pub fn ends_block(op: Operation) -> bool {
    let Some(block) = op.block() else {
        return true;
    };
    let is_of_module = block.parent().is_some_and(|owner| owner.block().is_none());
    op.result_count() == 0 && !is_of_module && op.next_in_block().is_none()
}

/// Returns true if an op is a constant, which costs nothing to keep.
pub fn is_constant(op: Operation) -> bool {
    op.operand_count() == 0 && op.result_count() == 1 && op.name().ends_with(".constant")
}
