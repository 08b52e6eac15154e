//! From StableHLO to HLO text's syntax tree.
//!
//! ```mlir
//! func.func public @main(%x: tensor<4xf32>) -> tensor<f32> {
//!   %zero = stablehlo.constant dense<0.0> : tensor<f32>
//!   %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add
//!       across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
//!   return %sum : tensor<f32>
//! }
//! ```
//! becomes
//! ```text
//! region_0 {
//!   Arg_0 = f32[] parameter(0)
//!   Arg_1 = f32[] parameter(1)
//!   ROOT add = f32[] add(Arg_0, Arg_1)
//! }
//!
//! ENTRY main {
//!   Arg_0.1 = f32[4]{0} parameter(0)
//!   constant = f32[] constant(0)
//!   ROOT reduce = f32[] reduce(Arg_0.1, constant), dimensions={0}, to_apply=region_0
//! }
//! ```
//!
//! A function becomes a computation, and so does a region; values that a region captures become a
//! part of its argument. Several results become a tuple. An op without a direct counterpart in HLO
//! becomes several instructions.

mod attributes;
mod calls;
mod collectives;
mod computation;
mod control_flow;
mod custom_call;
mod data_movement;
mod elementwise;
mod exporter;
mod failure;
mod host;
mod module_attributes;
mod names;
mod operation;
mod preparation;
mod products;
mod reductions;
mod regions;
mod types;

use computation::ComputationBuilder;
use exporter::Exporter;
use failure::failure;
use halo_hlo_text::{HloModule, Value};
use halo_ir::{prelude::*, root_of};
use halo_runtime::Error;
use melior::ir::Module;

use names::Names;
use std::collections::HashMap;

/// Exports a StableHLO program, whose entry is the function `main`, or else the only public one.
///
/// # Errors
/// Returns an invalid-input error if the program has an op that HLO cannot represent, or calls
/// itself.
pub fn export(module: &Module) -> Result<HloModule, Error> {
    let prepared = preparation::prepare(module)?;
    Exporter::new(&prepared)?.run()
}

impl<'c> Exporter<'c> {
    fn new(module: &'c Module) -> Result<Self, Error> {
        let root = root_of(module);
        let mut functions = HashMap::new();
        for op in root.body(0).map(Block::operations).unwrap_or_default() {
            match op.name() {
                func::FuncOp::NAME => {
                    functions.insert(symbol_of(op), op);
                }
                // The meshes that shardings name are kept with the module's
                // attributes.
                name if name.starts_with("sdy.") => {}
                _ => return Err(failure(op, "has no equivalent in HLO text")),
            }
        }
        let entry = entry_of(root, &functions)?;
        Ok(Self {
            root,
            functions,
            entry,
            names: Names::default(),
            exported: HashMap::new(),
            computations: Vec::new(),
            stack_frames: attributes::StackFrameTable::default(),
            file: attributes::file_of(root),
        })
    }

    fn run(mut self) -> Result<HloModule, Error> {
        for function in self.callees_first()? {
            self.function(function)?;
        }
        let entry = self.exported.get(self.entry);
        let entry = entry.and_then(|name| {
            let mut computations = self.computations.iter();
            computations.position(|computation| computation.name == *name)
        });
        let mut module = HloModule {
            name: module_name(self.root),
            attributes: module_attributes::of_module(self.root, self.functions[self.entry])?,
            stack_frames: self.stack_frames.into_frames(),
            computations: self.computations,
            entry: entry.unwrap_or_default(),
        };
        let entry = self.functions[self.entry];
        module_attributes::add_entry_layout(&mut module, self.root, entry);
        Ok(module)
    }

    /// The functions in post-order of calls; the entry comes last.
    fn callees_first(&self) -> Result<Vec<&'c str>, Error> {
        let mut names: Vec<&str> = self.functions.keys().copied().collect();
        names.sort_unstable();
        names.retain(|name| *name != self.entry);
        names.push(self.entry);
        let mut order = Vec::new();
        let mut done: HashMap<&str, bool> = HashMap::new();
        for start in names {
            // A name and its callees that are still to be visited.
            let mut path = vec![(start, self.callees(start))];
            if done.contains_key(start) {
                continue;
            }
            done.insert(start, false);
            while let Some((name, callees)) = path.last_mut() {
                let name = *name;
                match callees.pop() {
                    None => {
                        done.insert(name, true);
                        order.push(name);
                        path.pop();
                    }
                    Some(callee) => match done.get(callee) {
                        Some(true) => {}
                        Some(false) => {
                            let op = self.functions[callee];
                            let message = format!("'{callee}' calls itself, which HLO cannot");
                            return Err(failure(op, message));
                        }
                        None => {
                            done.insert(callee, false);
                            path.push((callee, self.callees(callee)));
                        }
                    },
                }
            }
        }
        Ok(order)
    }

    /// The functions that a function names.
    fn callees(&self, name: &str) -> Vec<&'c str> {
        let Some(function) = self.functions.get(name) else {
            return Vec::new();
        };
        let mut callees = Vec::new();
        for op in function.collect_nested(|_| true) {
            callees.extend(calls::callees(op));
        }
        callees.retain(|callee| self.functions.contains_key(callee));
        callees
    }

    fn function(&mut self, symbol: &'c str) -> Result<(), Error> {
        let function = self.functions[symbol];
        // The decomposition of a composite that the import created is not
        // exported.
        let marked = function.attribute("mhlo.opcode").and_then(Attribute::string_value);
        if marked == Some("scatter") {
            return Ok(());
        }
        let Some(body) = function.body(0) else {
            return Err(failure(function, "has no body"));
        };
        let name = self.names.unique(symbol);
        let arguments = module_attributes::arguments(function)?;
        let mut builder = ComputationBuilder::new(self);
        builder.parameters(function, body, &arguments)?;
        let mut computation = builder.finish(name.clone(), body)?;
        module_attributes::of_results(function, &mut computation);
        if let Some(thread) =
            function.attribute("execution_thread").and_then(Attribute::string_value)
        {
            let thread = Value::String(thread.to_owned());
            computation.attributes.push("execution_thread", thread);
        }
        self.computations.push(computation);
        self.exported.insert(symbol, name);
        Ok(())
    }
}

fn symbol_of<'c>(op: Operation<'c>) -> &'c str {
    let name = op.attribute("sym_name").and_then(Attribute::string_value);
    name.unwrap_or_default()
}

fn module_name(root: Operation) -> String {
    let name = root.attribute("sym_name").and_then(Attribute::string_value);
    match name {
        Some(name) if !name.is_empty() => names::sanitized(name),
        _ => "main".to_owned(),
    }
}

fn entry_of<'c>(
    root: Operation<'c>,
    functions: &HashMap<&'c str, Operation<'c>>,
) -> Result<&'c str, Error> {
    if let Some((name, _)) = functions.get_key_value("main") {
        return Ok(name);
    }
    let visibility =
        |op: Operation<'c>| op.attribute("sym_visibility").and_then(Attribute::string_value);
    let public: Vec<&str> = functions
        .iter()
        .filter(|(_, op)| visibility(**op) != Some("private"))
        .map(|(name, _)| *name)
        .collect();
    match public.as_slice() {
        [only] => Ok(only),
        _ => Err(failure(
            root,
            "has no function 'main' and not exactly one public function, so that it is not known \
             what is the entry",
        )),
    }
}
