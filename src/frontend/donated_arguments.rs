//! Donated arguments of an entry, which share their memory with a result.
//!
//! JAX writes `tf.aliasing_output = 1 : i32` on an argument that shares its memory with result 1,
//! and `jax.buffer_donor = true` on one that may share it with any result. The first remaining
//! result of the same type is chosen for the latter, so that later passes handle one form only:
//!
//! ```mlir
//! func.func @main(%w: tensor<4xf32> {jax.buffer_donor = true}, %x: tensor<4xf32>) -> tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4xf32>) -> tensor<4xf32>
//! ```
//!
//! Tensors of dynamic shape share no memory, since the sizes of the result are unknown at this
//! point. Nor do the arguments of an entry with tuples, which are passed element by element.

use halo_hlo::donated_arguments::{ALIASING_OUTPUT, named_result, shared_results};
use halo_hlo::sharding::{SHARDING, op_sharding::OP_SHARDING};
use halo_ir::{prelude::*, stablehlo::types::is_token};
use halo_runtime::Alias;
use melior::ir::{Identifier, attribute::DictionaryAttribute, r#type::FunctionType};

/// Allows an argument to share its memory with any result.
const BUFFER_DONOR: &str = "jax.buffer_donor";

/// Chooses a result for each argument that may share its memory with any.
pub fn choose_results(function: Operation, ty: FunctionType) {
    let Some(attributes) = function.attribute("arg_attrs").map(Attribute::array_elements) else {
        return;
    };
    let mut taken: Vec<usize> = attributes.iter().filter_map(|own| named_result(*own)).collect();
    let context = function.context();
    let mut donates = false;
    let chosen = attributes.into_iter().enumerate().map(|(argument, own)| {
        let Some(dictionary) = own
            .dictionary_entry(BUFFER_DONOR)
            .and_then(|_| DictionaryAttribute::try_from(own).ok())
        else {
            return own;
        };
        donates = true;
        let mut entries: Vec<(Identifier, Attribute)> = (0..dictionary.len())
            .filter_map(|position| dictionary.element(position).ok())
            .filter(|(name, _)| name.as_string_ref().as_str() != Ok(BUFFER_DONOR))
            .collect();
        let result = (0..ty.result_count())
            .find(|result| !taken.contains(result) && can_share(ty, argument, *result));
        if let Some(result) = result.filter(|_| named_result(own).is_none()) {
            taken.push(result);
            let number = integer_attribute(integer_type(context, 32), result as i64);
            entries.push((Identifier::new(context, ALIASING_OUTPUT), number));
        }
        DictionaryAttribute::new(context, &entries).into()
    });
    let chosen: Vec<Attribute> = chosen.collect();
    if donates {
        function.set_attribute("arg_attrs", array_attribute(context, &chosen));
    }
}

/// The pairs of arguments and results that share memory.
///
/// # Errors
/// Returns an error message if the result of an argument does not exist, has another type, or
/// shares the memory of another argument already.
pub fn aliases(function: Operation, ty: FunctionType) -> Result<Vec<Alias>, String> {
    let mut aliases: Vec<Alias> = Vec::new();
    if !passes_tensors(ty) {
        return Ok(aliases);
    }
    for (input, output) in shared_results(function).into_iter().enumerate() {
        let Some(output) = output else {
            continue;
        };
        let shared = |what: &str| {
            format!("argument {input} is to share its memory with result {output}, {what}")
        };
        if output >= ty.result_count() {
            return Err(shared(&format!(
                "and there are {} results",
                ty.result_count()
            )));
        }
        let (argument, result) = (ty.input(input), ty.result(output));
        if argument.as_ref().ok() != result.as_ref().ok() {
            // Their tiles may have the same type: `--halo-partition` decides.
            if is_divided(function, "arg_attrs", input) || is_divided(function, "res_attrs", output)
            {
                continue;
            }
            return Err(shared("which has another type"));
        }
        let alias = Alias {
            input: passed_before(input, |position| ty.input(position)),
            output: passed_before(output, |position| ty.result(position)),
        };
        if aliases.iter().any(|other| other.output == alias.output) {
            return Err(shared("as another argument is"));
        }
        if can_share(ty, input, output) {
            aliases.push(alias);
        }
    }
    Ok(aliases)
}

/// Returns true if an argument or a result has a sharding.
fn is_divided(function: Operation, attributes: &str, number: usize) -> bool {
    let attributes = function.attribute(attributes).map(Attribute::array_elements);
    let own = attributes.and_then(|all| all.get(number).copied());
    own.is_some_and(|own| {
        [SHARDING, OP_SHARDING]
            .into_iter()
            .any(|name| own.dictionary_entry(name).is_some())
    })
}

fn can_share(ty: FunctionType, argument: usize, result: usize) -> bool {
    let (argument, result) = (ty.input(argument), ty.result(result));
    let is_static = |ty: &Type| ty.is_tensor() && ty.static_shape().is_some();
    passes_tensors(ty)
        && argument.as_ref().is_ok_and(is_static)
        && argument.as_ref().ok() == result.as_ref().ok()
}

/// The number of values that are passed before the one at a position; tokens are not passed.
fn passed_before<'c>(
    position: usize,
    at: impl Fn(usize) -> Result<Type<'c>, melior::Error>,
) -> usize {
    let is_passed = |position: &usize| !at(*position).is_ok_and(is_token);
    (0..position).filter(is_passed).count()
}

/// Returns true if arguments and results other than tokens are passed one by one.
fn passes_tensors(ty: FunctionType) -> bool {
    let inputs = (0..ty.input_count()).map(|position| ty.input(position));
    let results = (0..ty.result_count()).map(|position| ty.result(position));
    inputs
        .chain(results)
        .all(|passed| passed.is_ok_and(|passed| is_token(passed) || passed.is_tensor()))
}
