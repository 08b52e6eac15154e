//! `--halo-flatten-tuples`: replaces tuples by tensors and removes tokens.
//!
//! Compiled code only has buffers. A tuple is replaced by its elements everywhere: in loops,
//! conditionals, calls, and the signature of the entry. Tokens are removed, because ops with
//! effects keep their order anyway, and so are ops that only join tokens.
//!
//! ```mlir
//! func.func @main(%t: tuple<tensor<4xf32>, tensor<i32>>, %k: !stablehlo.token)
//!     -> (tensor<i32>, !stablehlo.token) {
//!   %0 = stablehlo.after_all %k : !stablehlo.token
//!   %1 = stablehlo.get_tuple_element %t[1]
//!          : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
//!   return %1, %0 : tensor<i32>, !stablehlo.token
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%a: tensor<4xf32>, %b: tensor<i32>) -> tensor<i32> {
//!   return %b : tensor<i32>
//! }
//! ```

use crate::donated_arguments::{ALIASING_OUTPUT, named_result};
use halo_ir::{dictionary_attribute, prelude::*, stablehlo::types::is_token};
use melior::ir::r#type::{FunctionType, TupleType};
use std::collections::HashMap;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-flatten-tuples",
    "Replace tuples by their elements, and remove tokens",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let mut flattening = Flattening::default();
    let flattened = flattening.regions(module);
    if let Err((location, message)) = flattened {
        emit_error(location, &message);
        return Err(PassFailure);
    }
    with_builder(module, |b| {
        // Users come after the definitions of their operands.
        let replaced = flattening.replaced.into_iter().rev();
        replaced.for_each(|op| b.erase(op))
    });
    for (block, count) in flattening.blocks {
        for number in (0..count).rev() {
            block.erase_argument(number);
        }
    }
    Ok(())
}

/// Returns true if values of a type are replaced.
fn is_flattened(ty: Type) -> bool {
    is_token(ty) || ty.cast::<TupleType>().is_some()
}

/// The tensor types that replace a type.
fn flat_types<'c>(ty: Type<'c>) -> Vec<Type<'c>> {
    if is_token(ty) {
        return Vec::new();
    }
    match ty.cast::<TupleType>() {
        Some(tuple) => elements(tuple).into_iter().flat_map(flat_types).collect(),
        None => vec![ty],
    }
}

fn elements<'c>(tuple: TupleType<'c>) -> Vec<Type<'c>> {
    let positions = 0..tuple.type_count();
    positions.filter_map(|it| tuple.r#type(it).ok()).collect()
}

#[derive(Default)]
struct Flattening<'c> {
    /// The replacements of tuples and tokens.
    values: HashMap<usize, Vec<Value<'c>>>,
    /// Replaced ops.
    replaced: Vec<Operation<'c>>,
    /// Blocks with this many old arguments before the new ones.
    blocks: Vec<(Block<'c>, usize)>,
}

impl<'c> Flattening<'c> {
    fn regions(&mut self, op: Operation<'c>) -> Result<(), (halo_ir::Location<'c>, String)> {
        for block in op.blocks() {
            for nested in block.operations() {
                self.operation(nested)?;
            }
        }
        Ok(())
    }

    fn operation(&mut self, op: Operation<'c>) -> Result<(), (halo_ir::Location<'c>, String)> {
        let location = op.location();
        with_builder(op, |b| self.flatten(b, op))
            .map_err(|error| {
                let name = op.name();
                (
                    location,
                    format!("'{name}' op cannot be flattened: {error}"),
                )
            })
            .and_then(|kept| match kept {
                Some(kept) => self.regions(kept),
                None => Ok(()),
            })
    }

    /// Returns the op that replaces it.
    fn flatten(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
    ) -> RewriteResult<Option<Operation<'c>>> {
        let name = op.name();
        match name {
            stablehlo::TupleOp::NAME => {
                let parts = self.flat(&op.operands())?;
                self.replace(op, vec![parts]);
                return Ok(None);
            }
            stablehlo::GetTupleElementOp::NAME => {
                let element = self.element(stablehlo::GetTupleElementOp::from_unchecked(op))?;
                self.replace(op, vec![element]);
                return Ok(None);
            }
            stablehlo::AfterAllOp::NAME | stablehlo::CreateTokenOp::NAME => {
                self.replace(op, vec![Vec::new()]);
                return Ok(None);
            }
            func::FuncOp::NAME => self.function(op)?,
            _ => {}
        }
        let operands = op.operands();
        let changes = (operands.iter().map(|operand| operand.ty()))
            .chain(op.result_types())
            .any(is_flattened);
        if !changes {
            for block in op.blocks() {
                self.arguments(block);
            }
            return Ok(Some(op));
        }
        let results: Vec<Type> = op.result_types().into_iter().flat_map(flat_types).collect();
        let mut spec = b.op(name).operands(&self.flat(&operands)?).results(&results);
        for (key, attribute) in op.attributes() {
            match key {
                // It has no information that the results lack.
                "output_operand_aliases" => {}
                "operand_layouts" => {
                    let types = operands.iter().map(|operand| operand.ty());
                    spec = spec.attribute(key, without_tokens(b, attribute, types.collect()));
                }
                "result_layouts" => {
                    let mut types = op.result_types();
                    if let [only] = types[..]
                        && let Some(tuple) = only.cast::<TupleType>()
                    {
                        types = elements(tuple);
                    }
                    spec = spec.attribute(key, without_tokens(b, attribute, types));
                }
                _ => spec = spec.attribute(key, attribute),
            }
        }
        let old = op.result_types();
        for number in 0..op.region_count() {
            let region = op.take_region(number).ok_or_else(|| no_match("a region is absent"))?;
            spec = spec.region(region);
        }
        let new = spec.insert();
        for block in new.blocks() {
            self.arguments(block);
        }
        let mut values = new.results().into_iter();
        let parts = old.into_iter().map(|ty| {
            let count = flat_types(ty).len();
            values.by_ref().take(count).collect()
        });
        let parts = parts.collect();
        self.replace(op, parts);
        Ok(Some(new))
    }

    /// Records the replacements of the results of an op.
    fn replace(&mut self, op: Operation<'c>, parts: Vec<Vec<Value<'c>>>) {
        for (result, parts) in op.results().into_iter().zip(parts) {
            self.stand_for(result, parts);
        }
        self.replaced.push(op);
    }

    fn stand_for(&mut self, value: Value<'c>, parts: Vec<Value<'c>>) {
        match parts[..] {
            [part] if !is_flattened(value.ty()) => value.replace_uses_with(part),
            _ => {
                self.values.insert(value.key(), parts);
            }
        }
    }

    /// The tensors that replace values.
    fn flat(&self, values: &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>> {
        let mut parts = Vec::new();
        for value in values {
            if !is_flattened(value.ty()) {
                parts.push(*value);
                continue;
            }
            let known = self.values.get(&value.key());
            parts.extend(known.ok_or_else(|| {
                RewriteError::Invalid(format!("a value of type {} is unknown", value.ty()))
            })?);
        }
        Ok(parts)
    }

    fn element(&self, op: stablehlo::GetTupleElementOp<'c>) -> RewriteResult<Vec<Value<'c>>> {
        let tuple = op.operand();
        let types = tuple
            .ty()
            .cast::<TupleType>()
            .ok_or_else(|| no_match("the operand is no tuple"))?;
        let index =
            usize::try_from(op.index()).map_err(|_| no_match("the index is out of range"))?;
        let types = elements(types);
        let count =
            |types: &[Type<'c>]| -> usize { types.iter().map(|ty| flat_types(*ty).len()).sum() };
        let own = types.get(index..=index).ok_or_else(|| no_match("the index is out of range"))?;
        let parts = self.flat(&[tuple])?;
        let (first, size) = (count(&types[..index]), count(own));
        let parts = parts.get(first..first + size);
        Ok(parts.ok_or_else(|| no_match("the index is out of range"))?.to_vec())
    }

    /// Adds tensor arguments to a block after its arguments, which are erased at the end.
    fn arguments(&mut self, block: Block<'c>) {
        let old = block.arguments();
        if !old.iter().any(|argument| is_flattened(argument.ty())) {
            return;
        }
        let location = block.parent().map(|owner| owner.location());
        let Some(location) = location else {
            return;
        };
        for argument in &old {
            let types = flat_types(argument.ty());
            let parts = types.into_iter().map(|ty| block.add_argument(ty, location)).collect();
            self.stand_for(*argument, parts);
        }
        self.blocks.push((block, old.len()));
    }

    /// Changes the type of a function, and the attributes of its arguments and
    /// results.
    fn function(&mut self, op: Operation<'c>) -> RewriteResult {
        let function = func::FuncOp::from_unchecked(op);
        let ty = function
            .function_type()
            .cast::<FunctionType>()
            .ok_or_else(|| no_match("its type is no function type"))?;
        let inputs = (0..ty.input_count()).map(|it| ty.input(it));
        let inputs: Vec<Type> = inputs.filter_map(Result::ok).collect();
        let results = (0..ty.result_count()).map(|it| ty.result(it));
        let results: Vec<Type> = results.filter_map(Result::ok).collect();
        if !inputs.iter().chain(&results).any(|it| is_flattened(*it)) {
            return Ok(());
        }
        let context = op.context();
        let none = dictionary_attribute(context, &[]);
        for (name, types) in [("arg_attrs", &inputs), ("res_attrs", &results)] {
            let Some(attributes) = op.attribute(name).map(Attribute::array_elements) else {
                continue;
            };
            let flat = attributes.into_iter().zip(types).flat_map(|(own, ty)| {
                let own = if is_flattened(*ty) {
                    none
                } else {
                    with_flat_result(context, own, &results)
                };
                vec![own; flat_types(*ty).len()]
            });
            let flat: Vec<Attribute> = flat.collect();
            op.set_attribute(name, array_attribute(context, &flat));
        }
        let flat = |types: Vec<Type<'c>>| -> Vec<Type<'c>> {
            types.into_iter().flat_map(flat_types).collect()
        };
        let new = FunctionType::new(context, &flat(inputs), &flat(results));
        function.set_function_type(new.into());
        Ok(())
    }
}

/// The attributes of an argument; an alias names its result by the index among the flattened ones.
fn with_flat_result<'c>(
    context: &'c Context,
    own: Attribute<'c>,
    results: &[Type<'c>],
) -> Attribute<'c> {
    let Some(number) = named_result(own) else {
        return own;
    };
    let mut entries = own.dictionary_entries();
    entries.retain(|(name, _)| *name != ALIASING_OUTPUT);
    if results.get(number).is_some_and(|result| !is_flattened(*result)) {
        let before = results[..number].iter();
        let flat: usize = before.map(|result| flat_types(*result).len()).sum();
        let flat = integer_attribute(integer_type(context, 32), flat as i64);
        entries.push((ALIASING_OUTPUT, flat));
    }
    dictionary_attribute(context, &entries)
}

/// The layouts of values that are not tokens.
fn without_tokens<'c>(
    b: &Builder<'c>,
    layouts: Attribute<'c>,
    types: Vec<Type<'c>>,
) -> Attribute<'c> {
    let layouts = layouts.array_elements().into_iter().zip(types);
    let kept = layouts.filter(|(_, ty)| !is_token(*ty));
    let kept: Vec<Attribute> = kept.map(|(layout, _)| layout).collect();
    array_attribute(b.context(), &kept)
}
