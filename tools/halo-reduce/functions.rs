//! Changes to functions that keep type, attributes and body consistent.

use crate::program::{Draft, functions, is_constant, symbol_of};
use halo::{
    ir::{
        dense_number, dictionary_attribute, float_attribute, stablehlo::types::is_token,
        type_attribute,
    },
    melior::ir::r#type::{FunctionType, TupleType},
    prelude::*,
};
use std::collections::HashSet;

/// The number of tensors that a value of a type is passed as.
fn passed_count(ty: Type) -> usize {
    if is_token(ty) {
        return 0;
    }
    match ty.cast::<TupleType>() {
        Some(tuple) => (0..tuple.type_count())
            .filter_map(|position| tuple.r#type(position).ok())
            .map(passed_count)
            .sum(),
        None => 1,
    }
}

impl<'m> Draft<'m, '_> {
    /// The entry function.
    pub fn entry_function(&self) -> Option<Operation<'m>> {
        let name = self.entry.as_deref()?;
        let functions = functions(self.root);
        functions.into_iter().find(|op| symbol_of(*op) == Some(name))
    }

    /// Returns true if a function may get other arguments and results: its body is one block, and
    /// it has no callers.
    pub fn is_open(&self, function: Operation<'m>) -> bool {
        let Some(body) = function.body(0) else {
            return false;
        };
        let blocks = function.region(0).map_or(0, |region| region.blocks().len());
        let returns = body.terminator().is_some_and(|last| last.name() == "func.return");
        let name = symbol_of(function).unwrap_or_default();
        function.name() == "func.func"
            && blocks == 1
            && returns
            && !self.named.contains(name)
            && (self.entry.is_none() || self.entry.as_deref() == Some(name))
    }

    /// Adds an argument to an open function.
    pub fn add_argument(&mut self, function: Operation<'m>, value: Value<'m>) -> Option<Value<'m>> {
        let body = function.body(0)?;
        let argument = body.add_argument(value.ty(), value.location());
        if let Some(mut attributes) = function.attribute("arg_attrs").map(Attribute::array_elements)
        {
            let context = function.context();
            attributes.push(dictionary_attribute(context, &[]));
            function.set_attribute("arg_attrs", array_attribute(context, &attributes));
        }
        Some(argument)
    }

    /// Removes the unused arguments of a function.
    pub fn erase_unused_arguments(&mut self, function: Operation<'m>) {
        let Some(body) = function.body(0) else {
            return;
        };
        let is_entry = self.entry.is_some() && self.entry.as_deref() == symbol_of(function);
        let arguments = body.arguments();
        let mut attributes = function.attribute("arg_attrs").map(Attribute::array_elements);
        for (index, argument) in arguments.iter().enumerate().rev() {
            if !argument.is_unused() {
                continue;
            }
            if is_entry {
                let before = arguments[..index].iter().map(|other| other.ty());
                let start: usize = before.map(passed_count).sum();
                let end = start + passed_count(argument.ty());
                let count = self.given.len();
                self.given.drain(start.min(count)..end.min(count));
            }
            if let Some(attributes) = &mut attributes
                && index < attributes.len()
            {
                attributes.remove(index);
            }
            body.erase_argument(index);
        }
        if let Some(attributes) = attributes {
            let all = array_attribute(function.context(), &attributes);
            function.set_attribute("arg_attrs", all);
        }
    }

    /// Updates the type of each open function from its body.
    pub fn update_types(&self) {
        for function in functions(self.root) {
            let Some(body) = function.body(0) else {
                continue;
            };
            if !self.is_open(function) {
                continue;
            }
            let types = |values: Vec<Value<'m>>| -> Vec<Type<'m>> {
                values.into_iter().map(|value| value.ty()).collect()
            };
            let inputs = types(body.arguments());
            let results = types(body.terminator().map(Operation::operands).unwrap_or_default());
            let ty = FunctionType::new(function.context(), &inputs, &results);
            function.set_attribute("function_type", type_attribute(ty.into()));
        }
    }

    /// Makes a function return other values, each with its previous result index, if it had one.
    pub fn set_results(
        &mut self,
        function: Operation<'m>,
        values: &[(Value<'m>, Option<usize>)],
    ) -> bool {
        let Some(last) = function.body(0).and_then(Block::terminator) else {
            return false;
        };
        let operands: Vec<Value> = values.iter().map(|(value, _)| *value).collect();
        let replaced = with_builder(last, |b| {
            b.op("func.return").operands(&operands).try_insert()?;
            b.try_erase(last)
        });
        if replaced.is_err() {
            return false;
        }
        if let Some(old) = function.attribute("res_attrs").map(Attribute::array_elements) {
            let none = dictionary_attribute(function.context(), &[]);
            let of = |(_, number): &(Value, Option<usize>)| {
                let own = number.and_then(|number| old.get(number).copied());
                own.unwrap_or(none)
            };
            let new: Vec<Attribute> = values.iter().map(of).collect();
            let all = array_attribute(function.context(), &new);
            function.set_attribute("res_attrs", all);
        }
        true
    }

    /// Adds the unused results of some ops to the results of the function.
    pub fn return_unused(&mut self, function: Operation<'m>, ops: &[Operation<'m>]) -> bool {
        let Some(body) = function.body(0) else {
            return false;
        };
        let Some(last) = body.terminator() else {
            return false;
        };
        let mut values: Vec<_> = numbered(last.operands());
        let before = values.len();
        for op in ops {
            if op.block() == Some(body) && !is_constant(*op) {
                let unused = op.results().into_iter().filter(|it| it.is_unused());
                let unused = unused.filter(|it| !is_token(it.ty()));
                values.extend(unused.map(|value| (value, None)));
            }
        }
        values.len() == before || self.set_results(function, &values)
    }

    /// The open function around an op, if the op can use its arguments.
    pub fn open_function_around(&self, op: Operation<'m>) -> Option<Operation<'m>> {
        let mut current = op.parent()?;
        loop {
            match current.name() {
                "func.func" => return self.is_open(current).then_some(current),
                // Their regions capture values.
                "stablehlo.while" | "stablehlo.if" | "stablehlo.case" => {}
                name if name.starts_with("scf.") => {}
                _ => return None,
            }
            current = current.parent()?;
        }
    }

    /// A replacement of a value for an op: a new argument of the entry, another value of the same
    /// type, or zeros.
    pub fn stand_in(&mut self, value: Value<'m>, op: Operation<'m>) -> Option<Value<'m>> {
        if let Some(function) = self.open_function_around(op) {
            return self.add_argument(function, value);
        }
        let ty = value.ty();
        let is_other = |other: &Value<'m>| *other != value && other.ty() == ty;
        if let Some(found) = op.operands().into_iter().find(is_other) {
            return Some(found);
        }
        let mut block = op.block();
        while let Some(current) = block {
            if let Some(found) = current.arguments().into_iter().find(is_other) {
                return Some(found);
            }
            let owner = current.parent()?;
            let name = owner.name();
            let captures = ["stablehlo.while", "stablehlo.if", "stablehlo.case"].contains(&name);
            block = if captures || name.starts_with("scf.") {
                owner.block()
            } else {
                None
            };
        }
        zeros(op, ty)
    }

    /// Erases an op whose results have no uses outside of it.
    pub fn erase(&mut self, op: Operation<'m>) -> bool {
        with_builder(op, |b| b.try_erase(op)).is_ok()
    }

    /// Erases unused constants and arguments.
    pub fn sweep(&mut self) {
        let mut unused = Vec::new();
        self.root.walk(WalkOrder::PreOrder, |op| {
            if is_constant(op) && op.results().into_iter().all(Value::is_unused) {
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

    /// Removes ops. Their results with other users are replaced; values that only they used become
    /// results of the function, if it is open.
    pub fn remove(&mut self, ops: &[Operation<'m>]) -> bool {
        let chosen: HashSet<usize> = ops.iter().map(|op| op.key()).collect();
        let is_chosen = |op: Operation<'m>| {
            let mut current = Some(op);
            while let Some(one) = current {
                if chosen.contains(&one.key()) {
                    return true;
                }
                current = one.parent();
            }
            false
        };
        for function in functions(self.root) {
            if self.is_open(function) && !self.return_without(function, &is_chosen) {
                return false;
            }
        }
        let is_outermost = |op: &Operation<'m>| !op.parent().is_some_and(is_chosen);
        let outermost: Vec<_> = ops.iter().copied().filter(is_outermost).collect();
        for op in &outermost {
            for result in op.results() {
                let mut users = result.uses().into_iter();
                if users.all(|(user, _)| is_chosen(user)) {
                    continue;
                }
                self.return_kept(result, *op, &is_chosen);
                let mut users = result.uses().into_iter();
                if users.all(|(user, _)| is_chosen(user)) {
                    continue;
                }
                let Some(value) = self.stand_in(result, *op) else {
                    return false;
                };
                result.replace_uses_with(value);
            }
        }
        let erased = outermost.iter().rev().all(|op| self.erase(*op));
        self.sweep();
        erased
    }

    /// Makes a region return the last kept value of a type instead of a removed one, because a
    /// region cannot return more values.
    fn return_kept(
        &self,
        value: Value<'m>,
        op: Operation<'m>,
        is_chosen: &impl Fn(Operation<'m>) -> bool,
    ) {
        let Some(block) = op.block() else {
            return;
        };
        let Some(last) = block.terminator() else {
            return;
        };
        let kept = block.operations().into_iter().rev();
        let mut kept = kept.filter(|op| *op != last && !is_constant(*op) && !is_chosen(*op));
        let found = kept.find_map(|op| {
            let results = op.results().into_iter();
            results.rev().find(|other| other.ty() == value.ty())
        });
        let Some(found) = found else {
            return;
        };
        for (index, operand) in last.operands().into_iter().enumerate() {
            if operand == value {
                last.set_operand(index, found);
            }
        }
    }

    /// Removes values of chosen ops from the results of a function, and adds values that only
    /// chosen ops use.
    fn return_without(
        &mut self,
        function: Operation<'m>,
        is_chosen: &impl Fn(Operation<'m>) -> bool,
    ) -> bool {
        let Some(body) = function.body(0) else {
            return false;
        };
        let Some(last) = body.terminator() else {
            return false;
        };
        let old = last.operands();
        let of_chosen = |value: Value<'m>| match value.as_block_argument() {
            Some(_) => false,
            None => value.defining_op().is_some_and(is_chosen),
        };
        let mut values = numbered(old.clone());
        values.retain(|(value, _)| !of_chosen(*value));
        for op in body.operations() {
            if is_constant(op) || is_chosen(op) {
                continue;
            }
            for result in op.results() {
                let users = result.uses();
                if !users.is_empty()
                    && !is_token(result.ty())
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

/// Values with their indices.
pub fn numbered(values: Vec<Value<'_>>) -> Vec<(Value<'_>, Option<usize>)> {
    let numbered = values.into_iter().enumerate();
    numbered.map(|(number, value)| (value, Some(number))).collect()
}

/// The symbol names that ops refer to.
pub fn named_symbols(root: Operation) -> HashSet<String> {
    let mut names = HashSet::new();
    root.walk(WalkOrder::PreOrder, |op| {
        for (_, attribute) in op.attributes() {
            collect_symbols(attribute, &mut names);
        }
    });
    names
}

/// Returns true if an op refers to a symbol.
pub fn named_in(op: Operation, name: &str) -> bool {
    let mut names = HashSet::new();
    for (_, attribute) in op.attributes() {
        collect_symbols(attribute, &mut names);
    }
    names.contains(name)
}

fn collect_symbols(attribute: Attribute, names: &mut HashSet<String>) {
    if let Some(path) = attribute.symbol_path() {
        names.extend(path.first().map(|name| (*name).to_owned()));
    }
    for element in attribute.array_elements() {
        collect_symbols(element, names);
    }
}

/// Creates zeros of a type before an op.
fn zeros<'m>(op: Operation<'m>, ty: Type<'m>) -> Option<Value<'m>> {
    let (name, attribute) = if ty.is_tensor() {
        ("stablehlo.constant", dense_number(ty, 0.0)?)
    } else if ty.is_integer() || ty.is_index() {
        ("arith.constant", integer_attribute(ty, 0))
    } else if ty.is_float() {
        ("arith.constant", float_attribute(ty, 0.0))
    } else {
        return None;
    };
    with_builder(op, |b| {
        let op = b.op(name).attribute("value", attribute).result(ty).try_insert();
        op.ok()?.results().first().copied()
    })
}
