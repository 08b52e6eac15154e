//! The entry function of a program, and its inputs and outputs.

use crate::donated_arguments;
use halo_backend::Program;
use halo_core::Position;
use halo_core::ShapePattern;
use halo_ir::{edit_module, prelude::*, root_of, stablehlo::types::is_token};
use halo_runtime::{Error, Signature, Tokens};
use melior::ir::{
    Module,
    attribute::TypeAttribute,
    r#type::{FunctionType, TupleType},
};

/// Makes one function public and all others private: the named one, by default `main` or the only
/// public function.
pub fn select_entry(
    module: &mut Module,
    program: &Program,
    entry: Option<&str>,
) -> Result<Signature, Error> {
    keep_module_of_entry(module, program, entry)?;
    let chosen = chosen_function(module, program, entry)?;
    expect_entry(module, chosen).map_err(|message| invalid_at(program, chosen, message))?;
    if let Some(ty) = type_of(chosen) {
        donated_arguments::choose_results(chosen, ty);
    }
    let signature = signature(chosen, symbol_of(chosen));
    let signature = signature.map_err(|message| invalid_at(program, chosen, message))?;
    for function in functions_of(module) {
        if function == chosen {
            function.remove_attribute("sym_visibility");
        } else {
            let private = string_attribute(function.context(), "private");
            function.set_attribute("sym_visibility", private);
        }
    }
    Ok(signature)
}

/// Replaces the program by the module of the entry, if that is nested in another one. Symbols are
/// resolved in the nearest module, so there are no references out of it.
///
/// # Errors
/// Returns an invalid-input error if no entry, or more than one, can be chosen.
pub fn keep_module_of_entry(
    module: &mut Module,
    program: &Program,
    entry: Option<&str>,
) -> Result<(), Error> {
    let chosen = chosen_function(module, program, entry)?;
    if chosen.parent() == Some(root_of(module)) {
        return Ok(());
    }
    let position = functions_of(module).iter().position(|op| *op == chosen);
    let hoisted = edit_module(module, |root| {
        let mut functions = root.collect_nested(|op| op.isa::<func::FuncOp>()).into_iter();
        let inner = functions
            .nth(position.unwrap_or_default())
            .and_then(Operation::parent)
            .filter(|inner| inner.isa::<builtin::ModuleOp>());
        inner.map_or(Ok(()), |inner| replace_by_body(root, inner))
    });
    hoisted
        .and_then(|result| result)
        .map_err(|error| invalid_at(program, root_of(module), error.to_string()))
}

/// Moves the ops and attributes of a nested module to the outermost one, after erasing the old
/// ones. The name stays.
fn replace_by_body(root: Operation, inner: Operation) -> Result<(), BuildError> {
    let outer = root.body(0).map(Block::operations).unwrap_or_default();
    let Some(first) = outer.first().copied() else {
        return Ok(());
    };
    for operation in inner.body(0).map(Block::operations).unwrap_or_default() {
        operation.move_before(first);
    }
    for (name, attribute) in inner.attributes() {
        if name != "sym_name" {
            root.set_attribute(name, attribute);
        }
    }
    for operation in outer.into_iter().rev() {
        with_builder(operation, |b| b.erase(operation));
    }
    Ok(())
}

fn functions_of<'m>(module: &'m Module) -> Vec<Operation<'m>> {
    root_of(module).collect_nested(|op| op.isa::<func::FuncOp>())
}

fn symbol_of(op: Operation) -> String {
    let name = op.attribute("sym_name").and_then(Attribute::string_value);
    name.unwrap_or_default().to_owned()
}

fn invalid(program: &Program, message: String) -> Error {
    Error::invalid_file(&program.name, message)
}

fn invalid_at(program: &Program, op: Operation, message: String) -> Error {
    let position = halo_ir::diagnostics::position_of(op.location());
    let position = position.unwrap_or_else(|| Position::of_file(&program.name));
    Error::invalid_at(position, message)
}

/// The function of a name, by default `main` or else the only public function, in any module of the
/// program. The outermost module comes first.
pub fn chosen_function<'m>(
    module: &'m Module,
    program: &Program,
    entry: Option<&str>,
) -> Result<Operation<'m>, Error> {
    let functions = functions_of(module);
    let name = entry.unwrap_or("main");
    let mut named: Vec<Operation> =
        functions.iter().copied().filter(|op| symbol_of(*op) == name).collect();
    let preferences: [&dyn Fn(&Operation) -> bool; 2] = [&|op| op.body(0).is_some(), &|op| {
        op.parent() == Some(root_of(module))
    }];
    for is_preferred in preferences {
        if named.iter().any(is_preferred) {
            named.retain(is_preferred);
        }
    }
    match (&named[..], entry) {
        ([only], _) => return Ok(*only),
        ([], None) => {}
        ([], Some(entry)) => {
            let names = enumeration(functions.iter().map(|op| symbol_of(*op)));
            let message = format!("there is no function '{entry}'; there are: {names}");
            return Err(invalid(program, message));
        }
        ([_, second, ..], _) => {
            let modules = named.iter().map(|op| {
                let module = op.parent().map(symbol_of).unwrap_or_default();
                if module.is_empty() {
                    "a module without a name".to_owned()
                } else {
                    format!("@{module}")
                }
            });
            let message = format!(
                "expected one function '{name}' as the entry, got {}, in these modules: {}",
                named.len(),
                enumeration(modules)
            );
            return Err(invalid_at(program, *second, message));
        }
    }
    let is_public = |op: &&Operation| {
        let visibility = op.attribute("sym_visibility").and_then(Attribute::string_value);
        op.body(0).is_some() && visibility != Some("private")
    };
    let candidates: Vec<_> = functions.iter().filter(is_public).collect();
    match candidates.as_slice() {
        [only] => Ok(**only),
        [] => Err(invalid(
            program,
            "there is no public function to run".into(),
        )),
        several => {
            let names = enumeration(several.iter().map(|op| symbol_of(**op)));
            let message = format!(
                "there is no function 'main', and several are public: {names}; name one with \
                 --entry"
            );
            Err(invalid(program, message))
        }
    }
}

/// The first few of some names, and the number of the others.
fn enumeration(names: impl ExactSizeIterator<Item = String>) -> String {
    const MOST: usize = 10;
    let more = names.len().saturating_sub(MOST);
    let shown: Vec<String> = names.take(MOST).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Fails unless a function can be compiled and found by its name.
fn expect_entry(module: &Module, function: Operation) -> Result<(), String> {
    let name = function.attribute("sym_name").and_then(Attribute::string_value);
    // Names need not be UTF-8.
    let name = name.ok_or("the name of the entry is not valid UTF-8")?;
    if name.contains('\0') {
        return Err(format!("function {name:?} has a zero byte in its name"));
    }
    if function.body(0).is_none() {
        return Err(format!("function '{name}' has no body"));
    }
    let outermost = root_of(module).body(0).map(Block::operations);
    if !outermost.unwrap_or_default().contains(&function) {
        return Err(format!(
            "function '{name}' is in an op that is no module; expected the entry in a module"
        ));
    }
    Ok(())
}

/// The entry, which `select_entry` left public.
pub fn entry_of<'m>(module: &'m Module) -> Result<Operation<'m>, Error> {
    entry_in(root_of(module))
}

/// The entry in a module's op, which `select_entry` left public.
pub fn entry_in(module: Operation<'_>) -> Result<Operation<'_>, Error> {
    let functions = module.body(0).map(Block::operations);
    functions
        .unwrap_or_default()
        .into_iter()
        .find(|op| op.isa::<func::FuncOp>() && op.attribute("sym_visibility").is_none())
        .ok_or_else(|| Error::internal("a program without an entry"))
}

/// The signature of the entry, which `select_entry` left public.
pub fn entry_signature(module: &Module) -> Result<Signature, Error> {
    let entry = entry_of(module)?;
    let name = entry.attribute("sym_name").and_then(Attribute::string_value);
    signature(entry, name.unwrap_or_default().to_owned()).map_err(Error::invalid)
}

fn signature(function: Operation, name: String) -> Result<Signature, String> {
    let ty = type_of(function).ok_or_else(|| format!("function '{name}' has no type"))?;
    let shapes = |types: Vec<Result<halo_ir::Type, melior::Error>>| {
        let mut shapes = Vec::new();
        for ty in types {
            passed(ty.map_err(|error| error.to_string())?, &mut shapes)
                .map_err(|error| format!("function '{name}' takes or returns {error}"))?;
        }
        Ok::<_, String>(shapes)
    };
    let (inputs, results) = (0..ty.input_count(), 0..ty.result_count());
    let is_token_at = |ty: Result<halo_ir::Type, melior::Error>| ty.is_ok_and(is_token);
    let tokens = Tokens {
        arguments: (inputs.clone().filter(|one| is_token_at(ty.input(*one)))).collect(),
        results: (results.clone().filter(|one| is_token_at(ty.result(*one)))).collect(),
    };
    Ok(Signature {
        inputs: shapes(inputs.map(|index| ty.input(index)).collect())?,
        outputs: shapes(results.map(|index| ty.result(index)).collect())?,
        aliases: donated_arguments::aliases(function, ty)
            .map_err(|message| format!("in function '{name}', {message}"))?,
        name,
        tokens,
    })
}

fn type_of(function: Operation<'_>) -> Option<FunctionType<'_>> {
    let ty = function.attribute("function_type")?;
    let ty = ty.cast::<TypeAttribute>()?;
    ty.value().cast::<FunctionType>()
}

/// The tensors by which a value of a type is passed: the elements of a tuple one after the other;
/// none for a token.
fn passed(ty: halo_ir::Type, shapes: &mut Vec<ShapePattern>) -> Result<(), String> {
    if is_token(ty) {
        return Ok(());
    }
    if let Some(tuple) = ty.cast::<TupleType>() {
        return (0..tuple.type_count()).try_for_each(|position| {
            let element = tuple.r#type(position).map_err(|error| error.to_string())?;
            passed(element, shapes)
        });
    }
    // The bound of a size is irrelevant to callers that pass a value.
    let text = match ty.shape() {
        Some(sizes) if ty.is_tensor() => {
            let size = |size: &Option<i64>| match size {
                Some(size) => format!("{size}x"),
                None => "?x".to_owned(),
            };
            let sizes: String = sizes.iter().map(size).collect();
            format!("tensor<{sizes}{}>", ty.element_type())
        }
        _ => ty.to_string(),
    };
    shapes.push(
        text.parse()
            .map_err(|error| format!("{text}, which cannot be passed: {error}"))?,
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_runtime::Alias;

    #[test]
    fn nothing_is_passed_for_a_token() {
        let code = "func.func @main(
              %t: !stablehlo.token, %a: tensor<2xf32>, %b: tensor<2xf32> {tf.aliasing_output = 3 : i32})
            -> (tensor<i1>, !stablehlo.token, !stablehlo.token, tensor<2xf32>) {
          %c = stablehlo.constant dense<true> : tensor<i1>
          return %c, %t, %t, %b : tensor<i1>, !stablehlo.token, !stablehlo.token, tensor<2xf32>
        }";
        let program = Program {
            name: "test.mlir".to_owned(),
            code: code.into(),
        };
        let context = crate::context();
        let mut module = crate::parse(&context, &program).unwrap();
        let signature = select_entry(&mut module, &program, None).unwrap();
        assert_eq!((signature.inputs.len(), signature.outputs.len()), (2, 2));
        assert_eq!(
            signature.aliases,
            [Alias {
                input: 1,
                output: 1
            }]
        );
        let tokens = Tokens {
            arguments: vec![0],
            results: vec![1, 2],
        };
        assert_eq!(signature.tokens, tokens);
    }
}
