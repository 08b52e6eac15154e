//! Changes to functions that keep type, attributes and body together.

use crate::program::{Draft, functions, is_constant, symbol_of};
use halo::{
    ir::{
        Attribute, Operation, Type, Value, WalkOrder, add_argument, arguments_of, array_attribute,
        attribute_list, attribute_of, attributes_of, block_argument, blocks_of, body_of,
        context_of, dense_number, dictionary_attribute, erase_argument, float_attribute,
        integer_attribute, is_float, is_index, is_integer, is_tensor, is_unused, location_of_value,
        name_of, operands_of, operation_key, operations_of, owner_of, parent_block,
        parent_operation, region_of, results_of, set_attribute, set_operand,
        stablehlo::types::is_token, symbol_path, terminator_of, type_as, type_attribute, uses_of,
        walk, with_builder,
    },
    melior::ir::{
        ValueLike,
        r#type::{FunctionType, TupleType},
    },
};
use std::collections::HashSet;

/// How many tensors a value of a type is passed as.
fn passed_count(r#type: Type) -> usize {
    if is_token(r#type) {
        return 0;
    }
    match type_as::<TupleType>(r#type) {
        Some(tuple) => (0..tuple.type_count())
            .filter_map(|position| tuple.r#type(position).ok())
            .map(passed_count)
            .sum(),
        None => 1,
    }
}

impl<'m> Draft<'m, '_> {
    /// The function that is run.
    pub fn entry_function(&self) -> Option<Operation<'m>> {
        let name = self.entry.as_deref()?;
        let functions = functions(self.root);
        functions.into_iter().find(|op| symbol_of(*op) == Some(name))
    }

    /// Whether a function may get other arguments and results: its body is one block, and
    /// nothing calls it.
    pub fn is_open(&self, function: Operation<'m>) -> bool {
        let Some(body) = body_of(function, 0) else {
            return false;
        };
        let blocks = region_of(function, 0).map_or(0, |region| blocks_of(region).len());
        let returns = terminator_of(body).is_some_and(|last| name_of(last) == "func.return");
        let name = symbol_of(function).unwrap_or_default();
        name_of(function) == "func.func"
            && blocks == 1
            && returns
            && !self.named.contains(name)
            && (self.entry.is_none() || self.entry.as_deref() == Some(name))
    }

    /// A new argument of an open function.
    pub fn add_argument(&mut self, function: Operation<'m>, value: Value<'m>) -> Option<Value<'m>> {
        let body = body_of(function, 0)?;
        let argument = add_argument(body, value.r#type(), location_of_value(value));
        if let Some(mut attributes) = attribute_of(function, "arg_attrs").map(attribute_list) {
            let context = context_of(function);
            attributes.push(dictionary_attribute(context, &[]));
            set_attribute(function, "arg_attrs", array_attribute(context, &attributes));
        }
        Some(argument)
    }

    /// Removes the arguments of a function that nothing uses.
    pub fn erase_unused_arguments(&mut self, function: Operation<'m>) {
        let Some(body) = body_of(function, 0) else {
            return;
        };
        let is_entry = self.entry.is_some() && self.entry.as_deref() == symbol_of(function);
        let arguments = arguments_of(body);
        let mut attributes = attribute_of(function, "arg_attrs").map(attribute_list);
        for (index, argument) in arguments.iter().enumerate().rev() {
            if !is_unused(*argument) {
                continue;
            }
            if is_entry {
                let before = arguments[..index].iter().map(|other| other.r#type());
                let start: usize = before.map(passed_count).sum();
                let end = start + passed_count(argument.r#type());
                let count = self.given.len();
                self.given.drain(start.min(count)..end.min(count));
            }
            if let Some(attributes) = &mut attributes
                && index < attributes.len()
            {
                attributes.remove(index);
            }
            erase_argument(body, index);
        }
        if let Some(attributes) = attributes {
            let all = array_attribute(context_of(function), &attributes);
            set_attribute(function, "arg_attrs", all);
        }
    }

    /// Gives each open function the type that its body has.
    pub fn update_types(&self) {
        for function in functions(self.root) {
            let Some(body) = body_of(function, 0) else {
                continue;
            };
            if !self.is_open(function) {
                continue;
            }
            let types = |values: Vec<Value<'m>>| -> Vec<Type<'m>> {
                values.into_iter().map(|value| value.r#type()).collect()
            };
            let inputs = types(arguments_of(body));
            let results = types(terminator_of(body).map(operands_of).unwrap_or_default());
            let r#type = FunctionType::new(context_of(function), &inputs, &results);
            set_attribute(function, "function_type", type_attribute(r#type.into()));
        }
    }

    /// Makes a function return other values, each with the number that it had among the
    /// results, if it was one.
    pub fn set_results(
        &mut self,
        function: Operation<'m>,
        values: &[(Value<'m>, Option<usize>)],
    ) -> bool {
        let Some(last) = body_of(function, 0).and_then(terminator_of) else {
            return false;
        };
        let operands: Vec<Value> = values.iter().map(|(value, _)| *value).collect();
        let replaced = with_builder(last, |b| {
            b.op("func.return").operands(&operands).insert()?;
            b.erase(last)
        });
        if replaced.is_err() {
            return false;
        }
        if let Some(old) = attribute_of(function, "res_attrs").map(attribute_list) {
            let none = dictionary_attribute(context_of(function), &[]);
            let of = |(_, number): &(Value, Option<usize>)| {
                let own = number.and_then(|number| old.get(number).copied());
                own.unwrap_or(none)
            };
            let new: Vec<Attribute> = values.iter().map(of).collect();
            let all = array_attribute(context_of(function), &new);
            set_attribute(function, "res_attrs", all);
        }
        true
    }

    /// Lets a function return what some ops compute and nothing uses any more.
    pub fn return_unused(&mut self, function: Operation<'m>, ops: &[Operation<'m>]) -> bool {
        let Some(body) = body_of(function, 0) else {
            return false;
        };
        let Some(last) = terminator_of(body) else {
            return false;
        };
        let mut values: Vec<_> = numbered(operands_of(last));
        let before = values.len();
        for op in ops {
            if parent_block(*op) == Some(body) && !is_constant(*op) {
                let unused = results_of(*op).into_iter().filter(|it| is_unused(*it));
                let unused = unused.filter(|it| !is_token(it.r#type()));
                values.extend(unused.map(|value| (value, None)));
            }
        }
        values.len() == before || self.set_results(function, &values)
    }

    /// The function around an op that may get an argument which the op can use.
    pub fn open_function_around(&self, op: Operation<'m>) -> Option<Operation<'m>> {
        let mut current = parent_operation(op)?;
        loop {
            match name_of(current) {
                "func.func" => return self.is_open(current).then_some(current),
                // Their regions use values from around them.
                "stablehlo.while" | "stablehlo.if" | "stablehlo.case" => {}
                name if name.starts_with("scf.") => {}
                _ => return None,
            }
            current = parent_operation(current)?;
        }
    }

    /// A value that an op can use in the place of another one: a new argument of the entry,
    /// another value of the same type, or zeros.
    pub fn stand_in(&mut self, value: Value<'m>, op: Operation<'m>) -> Option<Value<'m>> {
        if let Some(function) = self.open_function_around(op) {
            return self.add_argument(function, value);
        }
        let r#type = value.r#type();
        let is_other = |other: &Value<'m>| *other != value && other.r#type() == r#type;
        if let Some(found) = operands_of(op).into_iter().find(is_other) {
            return Some(found);
        }
        let mut block = parent_block(op);
        while let Some(current) = block {
            if let Some(found) = arguments_of(current).into_iter().find(is_other) {
                return Some(found);
            }
            let owner = owner_of(current)?;
            let name = name_of(owner);
            let captures = ["stablehlo.while", "stablehlo.if", "stablehlo.case"].contains(&name);
            block = if captures || name.starts_with("scf.") {
                parent_block(owner)
            } else {
                None
            };
        }
        zeros(op, r#type)
    }

    /// Erases an op whose results are not used outside of it.
    pub fn erase(&mut self, op: Operation<'m>) -> bool {
        with_builder(op, |b| b.erase(op)).is_ok()
    }

    /// Erases constants and arguments that nothing uses.
    pub fn sweep(&mut self) {
        let mut unused = Vec::new();
        walk(self.root, WalkOrder::PreOrder, |op| {
            if is_constant(op) && results_of(op).into_iter().all(is_unused) {
                unused.push(op);
            }
        });
        for op in unused {
            self.erase(op);
        }
        for function in functions(self.root) {
            if self.is_open(function) {
                self.erase_unused_arguments(function);
            }
        }
    }

    /// Removes ops. What they compute and others use is replaced; what only they used is
    /// returned by the function, if it is one that may return more.
    pub fn remove(&mut self, ops: &[Operation<'m>]) -> bool {
        let chosen: HashSet<usize> = ops.iter().map(|op| operation_key(*op)).collect();
        let is_chosen = |op: Operation<'m>| {
            let mut current = Some(op);
            while let Some(one) = current {
                if chosen.contains(&operation_key(one)) {
                    return true;
                }
                current = parent_operation(one);
            }
            false
        };
        for function in functions(self.root) {
            if self.is_open(function) && !self.return_without(function, &is_chosen) {
                return false;
            }
        }
        let is_outermost = |op: &Operation<'m>| !parent_operation(*op).is_some_and(is_chosen);
        let outermost: Vec<_> = ops.iter().copied().filter(is_outermost).collect();
        for op in &outermost {
            for result in results_of(*op) {
                let mut users = uses_of(result).into_iter();
                if users.all(|(user, _)| is_chosen(user)) {
                    continue;
                }
                self.return_kept(result, *op, &is_chosen);
                let mut users = uses_of(result).into_iter();
                if users.all(|(user, _)| is_chosen(user)) {
                    continue;
                }
                let Some(value) = self.stand_in(result, *op) else {
                    return false;
                };
                halo::ir::replace_uses(result, value);
            }
        }
        let erased = outermost.iter().rev().all(|op| self.erase(*op));
        self.sweep();
        erased
    }

    /// Lets a region return the last value of a type that it keeps in the place of one that it
    /// does not, since a region cannot return more.
    fn return_kept(
        &self,
        value: Value<'m>,
        op: Operation<'m>,
        is_chosen: &impl Fn(Operation<'m>) -> bool,
    ) {
        let Some(block) = parent_block(op) else {
            return;
        };
        let Some(last) = terminator_of(block) else {
            return;
        };
        let kept = operations_of(block).into_iter().rev();
        let mut kept = kept.filter(|op| *op != last && !is_constant(*op) && !is_chosen(*op));
        let found = kept.find_map(|op| {
            let results = results_of(op).into_iter();
            results.rev().find(|other| other.r#type() == value.r#type())
        });
        let Some(found) = found else {
            return;
        };
        for (index, operand) in operands_of(last).into_iter().enumerate() {
            if operand == value {
                set_operand(last, index, found);
            }
        }
    }

    /// Takes values of chosen ops out of the results of a function, and adds those that only
    /// chosen ops use.
    fn return_without(
        &mut self,
        function: Operation<'m>,
        is_chosen: &impl Fn(Operation<'m>) -> bool,
    ) -> bool {
        let Some(body) = body_of(function, 0) else {
            return false;
        };
        let Some(last) = terminator_of(body) else {
            return false;
        };
        let old = operands_of(last);
        let of_chosen = |value: Value<'m>| match block_argument(value) {
            Some(_) => false,
            None => halo::ir::defining_operation(value).is_some_and(|(op, _)| is_chosen(op)),
        };
        let mut values = numbered(old.clone());
        values.retain(|(value, _)| !of_chosen(*value));
        for op in operations_of(body) {
            if is_constant(op) || is_chosen(op) {
                continue;
            }
            for result in results_of(op) {
                let users = uses_of(result);
                if !users.is_empty()
                    && !is_token(result.r#type())
                    && users.iter().all(|(user, _)| is_chosen(*user))
                {
                    values.push((result, None));
                }
            }
        }
        let is_same = values.len() == old.len()
            && values.iter().zip(&old).all(|((value, _), old)| value == old);
        is_same || self.set_results(function, &values)
    }
}

/// Values with their numbers.
pub fn numbered(values: Vec<Value<'_>>) -> Vec<(Value<'_>, Option<usize>)> {
    let numbered = values.into_iter().enumerate();
    numbered.map(|(number, value)| (value, Some(number))).collect()
}

/// The names that ops refer to.
pub fn named_symbols(root: Operation) -> HashSet<String> {
    let mut names = HashSet::new();
    walk(root, WalkOrder::PreOrder, |op| {
        for (_, attribute) in attributes_of(op) {
            collect_symbols(attribute, &mut names);
        }
    });
    names
}

/// Whether an op refers to a symbol.
pub fn named_in(op: Operation, name: &str) -> bool {
    let mut names = HashSet::new();
    for (_, attribute) in attributes_of(op) {
        collect_symbols(attribute, &mut names);
    }
    names.contains(name)
}

fn collect_symbols(attribute: Attribute, names: &mut HashSet<String>) {
    if let Some(path) = symbol_path(attribute) {
        names.extend(path.first().map(|name| (*name).to_owned()));
    }
    for element in attribute_list(attribute) {
        collect_symbols(element, names);
    }
}

/// Zeros of a type before an op.
fn zeros<'m>(op: Operation<'m>, r#type: Type<'m>) -> Option<Value<'m>> {
    let (name, attribute) = if is_tensor(r#type) {
        ("stablehlo.constant", dense_number(r#type, 0.0)?)
    } else if is_integer(r#type) || is_index(r#type) {
        ("arith.constant", integer_attribute(r#type, 0))
    } else if is_float(r#type) {
        ("arith.constant", float_attribute(r#type, 0.0))
    } else {
        return None;
    };
    with_builder(op, |b| {
        let op = b.op(name).attribute("value", attribute).result(r#type);
        op.value().ok()
    })
}
