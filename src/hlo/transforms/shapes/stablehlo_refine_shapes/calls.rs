//! Functions that are specialized for the arguments of their calls.

use super::{
    Refinement,
    effects::is_pure_function,
    values::{constant_of, refine_values},
};
use halo_ir::{prelude::*, type_attribute};
use melior::ir::{attribute::FlatSymbolRefAttribute, r#type::FunctionType};
use std::collections::{HashMap, HashSet};

/// The specialized copies of functions.
pub struct Specializations<'c> {
    module: Operation<'c>,
    functions: HashMap<String, Operation<'c>>,
    /// By name, argument types and constant arguments.
    made: HashMap<String, Specialization<'c>>,
    /// The copies, each with the name of its original.
    copies: Vec<(Operation<'c>, String)>,
}

enum Specialization<'c> {
    /// It is being refined, so a call of it is recursive.
    Pending,
    Done {
        name: String,
        results: Vec<Type<'c>>,
        /// The results that are constants.
        constants: Vec<Option<Attribute<'c>>>,
        /// Set if it has no effects.
        pure: bool,
    },
}

/// The arguments of a call.
struct Argument<'c> {
    ty: Type<'c>,
    constant: Option<Attribute<'c>>,
    /// Set if the function contains the constant instead of an argument.
    dropped: bool,
}

/// The entries of a list for arguments that are kept.
fn kept<T>(list: Vec<T>, arguments: &[Argument]) -> Vec<T> {
    list.into_iter()
        .zip(arguments)
        .filter(|(_, argument)| !argument.dropped)
        .map(|(entry, _)| entry)
        .collect()
}

/// The per-argument attributes of functions and calls.
const ARGUMENT_ATTRIBUTES: &str = "arg_attrs";

/// Drops the attributes of dropped arguments.
fn drop_argument_attributes(op: Operation, arguments: &[Argument]) {
    if let Some(list) = op.attribute(ARGUMENT_ATTRIBUTES) {
        let list = kept(list.array_elements(), arguments);
        op.set_attribute(ARGUMENT_ATTRIBUTES, array_attribute(op.context(), &list));
    }
}

impl<'c> Specializations<'c> {
    pub fn new(module: Operation<'c>) -> Self {
        let functions = module
            .body(0)
            .map(Block::operations)
            .unwrap_or_default()
            .into_iter()
            .filter(|op| op.isa::<func::FuncOp>())
            .map(|op| (name_of_function(op).to_owned(), op))
            .collect();
        Self {
            module,
            functions,
            made: HashMap::new(),
            copies: Vec::new(),
        }
    }

    /// Copies a function before the original, with the arguments given.
    fn copy(&mut self, original: Operation<'c>, arguments: &[Argument<'c>]) -> Operation<'c> {
        let name = name_of_function(original).to_owned();
        let context = original.context();
        let unique = (0..)
            .map(|number| format!("{name}_{number}"))
            .find(|candidate| !self.functions.contains_key(candidate))
            .unwrap_or_else(|| name.clone());
        let copy = with_builder(original, |b| b.copy(original));
        copy.set_attribute("sym_name", string_attribute(context, &unique));
        copy.set_attribute("sym_visibility", string_attribute(context, "private"));
        if let Some(body) = copy.body(0) {
            for (value, argument) in body.arguments().into_iter().zip(arguments) {
                value.set_type(argument.ty);
                let first = body.operations().first().copied();
                let (Some(constant), Some(first)) = (argument.constant, first) else {
                    continue;
                };
                let constant = with_builder(first, |b| super::stablehlo::constant(b, constant));
                value.replace_uses_with(constant);
            }
            for (index, argument) in arguments.iter().enumerate().rev() {
                if argument.dropped {
                    body.erase_argument(index);
                }
            }
            drop_argument_attributes(copy, arguments);
        }
        self.functions.insert(unique, copy);
        self.copies.push((copy, name));
        copy
    }

    /// Removes functions without references, and gives their names to their first copies. A public
    /// function is removed if it has one copy, which is its refinement; with several, it is kept.
    pub fn finish(mut self) {
        let replaced: HashMap<String, Operation> = self
            .functions
            .iter()
            .filter(|(_, function)| !is_private(**function))
            .filter_map(|(name, function)| match &self.copies_of(name)[..] {
                [copy] => Some((name.clone(), (*function, *copy))),
                _ => None,
            })
            .map(|(name, (function, copy))| {
                copy_visibility(function, copy);
                (name, copy)
            })
            .collect();
        loop {
            let used = symbols_used(self.module);
            let unused: Vec<String> = self
                .functions
                .iter()
                .filter(|(name, _)| !used.contains(*name))
                .filter(|(name, function)| {
                    replaced.contains_key(*name)
                        || is_private(**function) && self.is_involved(name, **function)
                })
                .map(|(name, _)| name.clone())
                .collect();
            if unused.is_empty() {
                break;
            }
            for name in unused {
                if let Some(function) = self.functions.remove(&name) {
                    self.copies.retain(|(copy, _)| *copy != function);
                    with_builder(function, |b| b.erase(function));
                }
            }
        }
        // Functions with references other than calls are unchanged.
        for (name, copy) in replaced {
            if self.functions.contains_key(&name) {
                let private = string_attribute(copy.context(), "private");
                copy.set_attribute("sym_visibility", private);
            }
        }
        let mut named = HashSet::new();
        for (copy, original) in &self.copies {
            if !self.functions.contains_key(original) && named.insert(original) {
                rename(self.module, *copy, original);
            }
        }
    }

    fn copies_of(&self, original: &str) -> Vec<Operation<'c>> {
        self.copies
            .iter()
            .filter(|(_, name)| name == original)
            .map(|(copy, _)| *copy)
            .collect()
    }

    /// Returns true if a function is a copy or has copies.
    fn is_involved(&self, name: &str, function: Operation) -> bool {
        self.copies.iter().any(|(copy, original)| *copy == function || original == name)
    }
}

fn is_private(function: Operation) -> bool {
    let function = function.cast::<func::FuncOp>();
    function.is_some_and(|function| function.sym_visibility() == Some("private"))
}

fn copy_visibility(from: Operation, to: Operation) {
    match from.attribute("sym_visibility") {
        Some(visibility) => to.set_attribute("sym_visibility", visibility),
        None => to.remove_attribute("sym_visibility"),
    }
}

impl<'c> Refinement<'c> {
    /// Redirects a call to a function that is specialized for its arguments. `symbol` is the
    /// attribute that names the function.
    pub fn call(&mut self, call: Operation<'c>, symbol: &str) -> Result<(), PassFailure> {
        let callee = call.attribute(symbol).and_then(symbol_name);
        let Some(original) = callee
            .and_then(|name| self.calls.functions.get(name))
            .copied()
            .filter(|function| function.blocks().len() == 1)
        else {
            return Ok(());
        };
        // All operands of a composite are part of its semantics.
        let is_call = symbol == "callee";
        let arguments: Vec<Argument> = call
            .operands()
            .into_iter()
            .map(|value| {
                let ty = value.ty();
                let constant = constant_of(value).filter(|_| is_shape_like(ty));
                let is_scalar = ty.static_shape().is_some_and(|shape| shape.is_empty());
                Argument {
                    ty,
                    constant,
                    dropped: is_call && is_scalar && constant.is_some(),
                }
            })
            .collect();
        let key = key_of(callee.unwrap_or_default(), &arguments, is_call);
        match self.calls.made.get(&key) {
            Some(Specialization::Done { .. }) => {}
            Some(Specialization::Pending) => {
                return Err(PassFailure::at(
                    call,
                    format!(
                        "Function {} is being refined recursively",
                        callee.unwrap_or_default()
                    ),
                ));
            }
            None => {
                self.calls.made.insert(key.clone(), Specialization::Pending);
                let copy = self.calls.copy(original, &arguments);
                let results = self.function(copy)?;
                let name = name_of_function(copy).to_owned();
                let done = Specialization::Done {
                    name,
                    results,
                    constants: returned_constants(copy),
                    pure: is_pure_function(copy, &self.calls.functions),
                };
                self.calls.made.insert(key.clone(), done);
            }
        }
        let Some(Specialization::Done {
            name,
            results,
            constants,
            pure,
        }) = self.calls.made.get(&key)
        else {
            return Ok(());
        };
        let call = without_dropped(call, &arguments);
        let symbol_value = FlatSymbolRefAttribute::new(call.context(), name);
        call.set_attribute(symbol, symbol_value.into());
        refine_values(&call.results(), results);
        for (result, constant) in call.results().into_iter().zip(constants) {
            if let Some(constant) = constant.filter(|_| !result.is_unused()) {
                let value = with_builder(call, |b| super::stablehlo::constant(b, constant));
                super::values::replace_refined(result, value);
            }
        }
        if is_call && *pure && call.results().into_iter().all(Value::is_unused) {
            with_builder(call, |b| b.erase(call));
        }
        Ok(())
    }
}

/// The call without operands for dropped arguments.
fn without_dropped<'c>(call: Operation<'c>, arguments: &[Argument]) -> Operation<'c> {
    if arguments.iter().all(|argument| !argument.dropped) {
        return call;
    }
    drop_argument_attributes(call, arguments);
    with_builder(call, |b| {
        let operands = kept(call.operands(), arguments);
        let new = b.rebuild(call, call.name(), &operands, &call.result_types());
        b.replace(call, &new.results());
        new
    })
}

/// The constants that a refined function returns.
fn returned_constants(function: Operation<'_>) -> Vec<Option<Attribute<'_>>> {
    function
        .body(0)
        .and_then(Block::terminator)
        .map(Operation::operands)
        .unwrap_or_default()
        .into_iter()
        .map(|value| constant_of(value).filter(|_| is_shape_like(value.ty())))
        .collect()
}

/// Returns true if a value may be part of a shape computation: a few integers.
fn is_shape_like(ty: Type) -> bool {
    ty.element_type().is_integer()
        && ty.static_shape().is_some_and(|shape| shape.iter().product::<i64>() <= 64)
}

fn key_of(name: &str, arguments: &[Argument], is_call: bool) -> String {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| match argument.constant {
            Some(constant) => constant.to_string(),
            None => argument.ty.to_string(),
        })
        .collect();
    let kind = if is_call { "call" } else { "composite" };
    format!("{kind} {name}({})", arguments.join(", "))
}

/// The symbol name of a function.
pub fn name_of_function(function: Operation<'_>) -> &str {
    let function = function.cast::<func::FuncOp>();
    function.map_or("", func::FuncOp::sym_name)
}

fn symbol_name<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    attribute.symbol_value()
}

/// The declared types of a function's results.
pub fn function_results(function: Operation<'_>) -> Vec<Type<'_>> {
    (function.cast::<func::FuncOp>())
        .and_then(|function| function.function_type().cast::<FunctionType>())
        .map(|ty| (0..ty.result_count()).filter_map(|index| ty.result(index).ok()).collect())
        .unwrap_or_default()
}

/// Declares the types of a function.
pub fn set_function_type<'c>(
    function: Operation<'c>,
    arguments: &[Type<'c>],
    results: &[Type<'c>],
) {
    let ty = FunctionType::new(function.context(), arguments, results);
    function.set_attribute("function_type", type_attribute(ty.into()));
}

/// The attributes with symbol references to functions.
const SYMBOLS: &[&str] = &["callee", "decomposition"];

/// All symbol names that ops of a module refer to.
fn symbols_used(module: Operation) -> HashSet<String> {
    let mut used = HashSet::new();
    for operation in module.collect_nested(|_| true) {
        for symbol in SYMBOLS {
            used.extend(operation.attribute(symbol).and_then(symbol_name).map(str::to_owned));
        }
        if let Some(call) = operation.cast::<stablehlo::CustomCallOp>() {
            used.extend(call.called_computations().into_iter().map(str::to_owned));
        }
    }
    used
}

/// Renames a function, also in its calls.
fn rename(module: Operation, function: Operation, name: &str) {
    let context = function.context();
    let old = name_of_function(function).to_owned();
    function.set_attribute("sym_name", string_attribute(context, name));
    for operation in module.collect_nested(|_| true) {
        for symbol in SYMBOLS {
            if operation.attribute(symbol).and_then(symbol_name) == Some(old.as_str()) {
                let value = FlatSymbolRefAttribute::new(context, name);
                operation.set_attribute(symbol, value.into());
            }
        }
    }
}
