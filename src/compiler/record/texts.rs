//! The program as text, function by function and line by line.

use super::{CompilationRecord, FunctionText};
use halo_ir::prelude::*;
use halo_runtime::{Error, Result};
use melior::ir::operation::OperationLike;
use melior::ir::operation::OperationPrintingFlags;
use std::collections::HashMap;

/// Larger constants are printed as `dense_resource<__elided__>`.
const MOST_ELEMENTS: usize = 16;

/// The lines and functions of a record, by content.
#[derive(Default)]
pub struct Texts {
    lines: HashMap<String, u32>,
    functions: HashMap<FunctionText, u32>,
}

impl Texts {
    /// Adds the functions of a module to a record and returns their indices. Ops outside of
    /// functions are the first one, without a name.
    ///
    /// # Errors
    /// Returns an internal error if the module cannot be printed.
    pub fn functions(
        &mut self,
        record: &mut CompilationRecord,
        module: Operation,
    ) -> Result<Vec<u32>> {
        let mut outside = FunctionText::default();
        let mut functions = Vec::new();
        for op in symbols(module) {
            let name = function_name(op);
            let lines = self.lines_of(record, op)?;
            match name {
                Some(name) => functions.push(FunctionText { name, lines }),
                None => outside.lines.extend(lines),
            }
        }
        let all = [outside].into_iter().chain(functions);
        Ok(all.map(|text| self.function(record, text)).collect())
    }

    fn lines_of(&mut self, record: &mut CompilationRecord, op: Operation) -> Result<Vec<u32>> {
        let flags = OperationPrintingFlags::new()
            .use_local_scope()
            .elide_large_elements_attributes(MOST_ELEMENTS);
        let text = op
            .to_string_with_flags(flags)
            .map_err(|error| Error::internal(format!("the program cannot be printed: {error}")))?;
        Ok(text.lines().map(|line| self.line(record, line)).collect())
    }

    fn line(&mut self, record: &mut CompilationRecord, text: &str) -> u32 {
        if let Some(number) = self.lines.get(text) {
            return *number;
        }
        let number = record.lines.len() as u32;
        record.lines.push(text.to_owned());
        self.lines.insert(text.to_owned(), number);
        number
    }

    fn function(&mut self, record: &mut CompilationRecord, text: FunctionText) -> u32 {
        *self.functions.entry(text).or_insert_with_key(|text| {
            record.functions.push(text.clone());
            (record.functions.len() - 1) as u32
        })
    }
}

/// The ops of a module, and of the device modules in it.
fn symbols(module: Operation<'_>) -> Vec<Operation<'_>> {
    let ops = module.body(0).map(Block::operations).unwrap_or_default();
    let ops = ops.into_iter().flat_map(|op| {
        if op.name() == "gpu.module" {
            symbols(op)
        } else {
            vec![op]
        }
    });
    ops.collect()
}

/// The name of a function op of any dialect.
fn function_name(op: Operation) -> Option<String> {
    let is_function = op.name().ends_with("func");
    let name = op.attribute("sym_name").filter(|_| is_function);
    name.and_then(Attribute::string_value).map(str::to_owned)
}

/// The number of ops in a module.
pub fn op_count(module: Operation) -> u32 {
    let ops = module.collect_nested(|op| op.name() != "builtin.module");
    u32::try_from(ops.len()).unwrap_or(u32::MAX)
}
