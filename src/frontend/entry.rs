//! The entry function of a program, and its inputs and outputs.

use crate::donated_arguments;
use halo_core::ShapePattern;
use halo_ir::{
    Operation, collect_operations,
    ops::{OperationExt, func},
    root_of,
    stablehlo::types::is_token,
    string_attribute, string_value,
};
use halo_runtime::{Error, Program, Signature, Tokens};
use melior::ir::{
    Module,
    attribute::TypeAttribute,
    operation::OperationLike,
    r#type::{FunctionType, TupleType},
};

/// Makes one function public and all others private. Without a name it is
/// `main`, or the only public function.
pub fn select_entry(
    module: &Module,
    program: &Program,
    entry: Option<&str>,
) -> Result<Signature, Error> {
    let functions = collect_operations(root_of(module), |op| op.isa::<func::FuncOp>());
    let name = |op: Operation| {
        op.attribute("sym_name")
            .ok()
            .and_then(string_value)
            .unwrap_or_default()
            .to_owned()
    };
    let public = |op: &&Operation| {
        halo_ir::body_of(**op, 0).is_some()
            && op.attribute("sym_visibility").ok().and_then(string_value) != Some("private")
    };
    let invalid_at = |op: Operation, message: String| {
        let location = halo_ir::diagnostics::file_line_column(op.location());
        let location = location.unwrap_or_else(|| program.name.clone());
        let line = format!("{location}: error: {message}");
        Error::diagnosed(message, vec![line])
    };
    let invalid = |message: String| {
        let line = format!("{}: error: {message}", program.name);
        Error::diagnosed(message, vec![line])
    };
    let chosen = match entry {
        Some(entry) => functions
            .iter()
            .find(|op| name(**op) == entry && halo_ir::body_of(**op, 0).is_some())
            .or_else(|| functions.iter().find(|op| name(**op) == entry))
            .ok_or_else(|| {
                let names = functions.iter().map(|op| name(*op));
                invalid(format!(
                    "there is no function '{entry}'; there are: {}",
                    enumeration(names)
                ))
            })?,
        None => match functions.iter().find(|op| name(**op) == "main") {
            Some(main) => main,
            None => {
                let candidates: Vec<_> = functions.iter().filter(public).collect();
                match candidates.as_slice() {
                    [only] => *only,
                    [] => return Err(invalid("there is no public function to run".into())),
                    several => {
                        let names = several.iter().map(|op| name(**op));
                        return Err(invalid(format!(
                            "there is no function 'main', and several are public: {}; name one \
                             with --entry",
                            enumeration(names)
                        )));
                    }
                }
            }
        },
    };
    expect_entry(module, *chosen).map_err(|message| invalid_at(*chosen, message))?;
    if let Some(r#type) = type_of(*chosen) {
        donated_arguments::choose_results(*chosen, r#type);
    }
    let signature =
        signature(*chosen, name(*chosen)).map_err(|message| invalid_at(*chosen, message))?;
    for function in &functions {
        if function == chosen {
            halo_ir::remove_attribute(*function, "sym_visibility");
        } else {
            let private = string_attribute(halo_ir::context_of(*function), "private");
            halo_ir::set_attribute(*function, "sym_visibility", private);
        }
    }
    Ok(signature)
}

/// The first few of some names, and how many more there are.
fn enumeration(names: impl ExactSizeIterator<Item = String>) -> String {
    const MOST: usize = 10;
    let more = names.len().saturating_sub(MOST);
    let shown: Vec<String> = names.take(MOST).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Fails unless code can be made of a function and found by its name.
fn expect_entry(module: &Module, function: Operation) -> Result<(), String> {
    let name = halo_ir::attribute_of(function, "sym_name").and_then(string_value);
    // Names need not be text.
    let name = name.ok_or("the name of the entry is not valid UTF-8")?;
    if name.contains('\0') {
        return Err(format!("function {name:?} has a zero byte in its name"));
    }
    if halo_ir::body_of(function, 0).is_none() {
        return Err(format!("function '{name}' has no body"));
    }
    let outermost = halo_ir::body_of(root_of(module), 0).map(halo_ir::operations_of);
    if !outermost.unwrap_or_default().contains(&function) {
        return Err(format!(
            "function '{name}' lies in a module within the program; the entry must be in the \
             outermost one"
        ));
    }
    Ok(())
}

/// The function that an earlier choice left public.
pub fn entry_of<'m>(module: &'m Module) -> Result<Operation<'m>, Error> {
    entry_in(root_of(module))
}

/// The function in a module's op that an earlier choice left public.
pub fn entry_in(module: Operation<'_>) -> Result<Operation<'_>, Error> {
    let functions = halo_ir::body_of(module, 0).map(halo_ir::operations_of);
    functions
        .unwrap_or_default()
        .into_iter()
        .find(|op| {
            op.isa::<func::FuncOp>() && halo_ir::attribute_of(*op, "sym_visibility").is_none()
        })
        .ok_or_else(|| Error::internal("a program without an entry"))
}

/// The signature of the function that an earlier choice left public.
pub fn entry_signature(module: &Module) -> Result<Signature, Error> {
    let entry = entry_of(module)?;
    let name = halo_ir::attribute_of(entry, "sym_name").and_then(string_value);
    signature(entry, name.unwrap_or_default().to_owned()).map_err(Error::invalid)
}

fn signature(function: Operation, name: String) -> Result<Signature, String> {
    let r#type = type_of(function).ok_or_else(|| format!("function '{name}' has no type"))?;
    let shapes = |types: Vec<Result<halo_ir::Type, melior::Error>>| {
        let mut shapes = Vec::new();
        for r#type in types {
            passed(r#type.map_err(|error| error.to_string())?, &mut shapes)
                .map_err(|error| format!("function '{name}' takes or returns {error}"))?;
        }
        Ok::<_, String>(shapes)
    };
    let (inputs, results) = (0..r#type.input_count(), 0..r#type.result_count());
    let is_token_at = |r#type: Result<halo_ir::Type, melior::Error>| r#type.is_ok_and(is_token);
    let tokens = Tokens {
        arguments: (inputs.clone().filter(|one| is_token_at(r#type.input(*one)))).collect(),
        results: (results
            .clone()
            .filter(|one| is_token_at(r#type.result(*one))))
        .collect(),
    };
    Ok(Signature {
        inputs: shapes(inputs.map(|index| r#type.input(index)).collect())?,
        outputs: shapes(results.map(|index| r#type.result(index)).collect())?,
        aliases: donated_arguments::aliases(function, r#type)
            .map_err(|message| format!("in function '{name}', {message}"))?,
        name,
        tokens,
    })
}

fn type_of(function: Operation<'_>) -> Option<FunctionType<'_>> {
    let r#type = halo_ir::attribute_of(function, "function_type")?;
    let r#type = halo_ir::attribute_as::<TypeAttribute>(r#type)?;
    halo_ir::type_as::<FunctionType>(r#type.value())
}

/// The tensors by which a value of a type is passed: of a tuple, its elements
/// one after the other; of a token, none.
fn passed(r#type: halo_ir::Type, shapes: &mut Vec<ShapePattern>) -> Result<(), String> {
    if is_token(r#type) {
        return Ok(());
    }
    if let Some(tuple) = halo_ir::type_as::<TupleType>(r#type) {
        return (0..tuple.type_count()).try_for_each(|position| {
            let element = tuple.r#type(position).map_err(|error| error.to_string())?;
            passed(element, shapes)
        });
    }
    // The bound of a size does not matter to callers who pass a value.
    let text = match halo_ir::shape_of(r#type) {
        Some(sizes) if halo_ir::is_tensor(r#type) => {
            let size = |size: &Option<i64>| match size {
                Some(size) => format!("{size}x"),
                None => "?x".to_owned(),
            };
            let sizes: String = sizes.iter().map(size).collect();
            format!("tensor<{sizes}{}>", halo_ir::element_type(r#type))
        }
        _ => r#type.to_string(),
    };
    shapes
        .push((text.parse()).map_err(|error| format!("{text}, which cannot be passed: {error}"))?);
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
        let module = crate::parse(&context, &program).unwrap();
        let signature = select_entry(&module, &program, None).unwrap();
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
