//! Functions of the host, for ops that the accelerator lacks: Halo's backend `cpu` compiles them.

use halo::{
    compiler::{self, error_at},
    core::Literal,
    ir::{diagnostics::bytecode_of, fill_module},
    melior::ir::{Location, Module},
    prelude::*,
    runtime::{CompileOptions, Executable, ExecuteOptions, Process, Program, Registry, Result},
};
use std::{collections::HashSet, fmt, sync::Arc};

/// Consecutive ops of a program, as a function of the values that they use.
#[derive(Default)]
pub struct Group<'c> {
    ops: Vec<Operation<'c>>,
    /// The ops, and the ops in their regions.
    nested: HashSet<usize>,
}

/// A function of the host.
#[derive(Clone)]
pub struct Function {
    /// The names of its ops.
    name: String,
    executable: Arc<dyn Executable>,
}

impl<'c> Group<'c> {
    pub fn push(&mut self, op: Operation<'c>) {
        op.visit(&mut |op| {
            self.nested.insert(op.key());
        });
        self.ops.push(op);
    }

    pub fn first(&self) -> Option<Operation<'c>> {
        self.ops.first().copied()
    }

    /// The values from outside of the group that it uses: `is_outside` says which are.
    pub fn operands(&self, is_outside: impl Fn(Value) -> bool) -> Vec<Value<'c>> {
        let (mut operands, mut seen) = (Vec::new(), HashSet::new());
        for op in &self.ops {
            op.visit(&mut |op| {
                let used = op.operands().into_iter();
                operands
                    .extend(used.filter(|value| is_outside(*value) && seen.insert(value.key())));
            });
        }
        operands
    }

    /// The results of the ops that other ops use.
    pub fn results(&self) -> Vec<Value<'c>> {
        let is_inside = |user: &Operation| self.nested.contains(&user.key());
        let results = self.ops.iter().flat_map(|op| op.results());
        results.filter(|value| !value.users().iter().all(is_inside)).collect()
    }

    /// Compiles the group for the processor of the host.
    ///
    /// # Errors
    /// Returns the errors of the backend `cpu`.
    pub fn compile(
        &self,
        operands: &[Value<'c>],
        results: &[Value<'c>],
        options: &CompileOptions,
    ) -> Result<Function> {
        let Some(first) = self.first() else {
            return Err(halo::runtime::Error::internal("a function without ops"));
        };
        let mut module = Module::new(Location::unknown(first.context()));
        let data = (&self.ops, operands, results);
        fill_module(
            &mut module,
            &data,
            |builder, _, (ops, operands, results)| {
                func::func(
                    builder,
                    "main",
                    &operands.types(),
                    &results.types(),
                    |builder, arguments| {
                        let operands = operands.iter().map(|operand| operand.key());
                        let mut map: ValueMap = operands.zip(arguments.iter().copied()).collect();
                        for op in *ops {
                            builder.clone_op(*op, &mut map);
                        }
                        results.iter().map(|result| mapped(&map, *result)).collect::<Vec<_>>()
                    },
                );
            },
        )
        .map_err(|error| error_at(first, error.to_string()))?;
        let program = Program {
            name: "host".to_owned(),
            code: bytecode_of(&module),
        };
        let options = CompileOptions {
            custom_calls: Arc::clone(&options.custom_calls),
            ..CompileOptions::default()
        };
        let mut registry = Registry::new();
        compiler::backends::register(&mut registry);
        let compiler = &registry.backend("cpu")?.compiler;
        let names: Vec<&str> = self.ops.iter().map(|op| op.name()).collect();
        Ok(Function {
            name: names.join(" "),
            executable: Arc::from(compiler.compile(&program, &options)?),
        })
    }
}

impl Function {
    /// # Errors
    /// Returns the errors of the backend `cpu`.
    pub fn call(&self, process: &Arc<Process>, operands: &[Literal]) -> Result<Vec<Literal>> {
        let options = ExecuteOptions {
            process: Some(process),
            ..ExecuteOptions::default()
        };
        self.executable.run_with(&options, operands)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}
