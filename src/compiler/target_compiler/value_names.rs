//! The names of a program's inputs and outputs.
//!
//! The name of an argument comes from its location (`loc("x")`, which JAX writes) or from the text
//! of the program (`%x`), the name of a result from its attribute `jax.result_info`.

use halo_backend::Program;
use halo_ir::{Location, LocationKind, prelude::*};
use halo_runtime::Signature;

/// The names of inputs and outputs in the order of the signature, if the program has names.
pub struct ValueNames {
    pub inputs: Vec<Option<String>>,
    pub outputs: Vec<Option<String>>,
}

impl ValueNames {
    /// The names of a parsed entry.
    pub fn of(entry: Operation, signature: &Signature, program: &Program) -> Self {
        let text = std::str::from_utf8(&program.code).unwrap_or_default();
        let arguments = entry.body(0).map(Block::arguments);
        let arguments = arguments.unwrap_or_default().into_iter();
        let names = arguments.map(|value| name_of_location(value.location(), text));
        let results = entry.attribute("res_attrs").map(Attribute::array_elements);
        let infos = results.unwrap_or_default().into_iter().map(|attributes| {
            let info =
                attributes.dictionary_entry("jax.result_info").and_then(Attribute::string_value);
            info.map(str::to_owned)
        });
        let tokens = &signature.tokens;
        Self {
            inputs: without(names.collect(), &tokens.arguments, signature.inputs.len()),
            outputs: without(infos.collect(), &tokens.results, signature.outputs.len()),
        }
    }
}

/// The names without tokens; none if their number differs from `expected`, as for an entry that
/// takes tuples.
fn without(names: Vec<Option<String>>, tokens: &[usize], expected: usize) -> Vec<Option<String>> {
    let kept = names.into_iter().enumerate();
    let kept = kept.filter(|(index, _)| !tokens.contains(index));
    let kept: Vec<Option<String>> = kept.map(|(_, name)| name).collect();
    if kept.len() == expected {
        kept
    } else {
        vec![None; expected]
    }
}

fn name_of_location(location: Location, text: &str) -> Option<String> {
    match location.kind() {
        LocationKind::Name { name, .. } => Some(name.into_owned()),
        LocationKind::File { line, column, .. } => name_in_text(text, line, column),
        kind => {
            let mut parts = kind.parts().into_iter();
            parts.find_map(|part| name_of_location(part, text))
        }
    }
}

/// The name of the value at a position, unless it is a number.
fn name_in_text(text: &str, line: i64, column: i64) -> Option<String> {
    let line = text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    let rest = line.get(usize::try_from(column).ok()?.checked_sub(1)?..)?;
    let rest = rest.strip_prefix('%')?;
    let end = rest.find(|next: char| !(next.is_ascii_alphanumeric() || "_$.-".contains(next)));
    let name = &rest[..end.unwrap_or(rest.len())];
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    (!is_number).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_backend::CompileOptions;

    fn names(code: &str) -> (Vec<Option<String>>, Vec<Option<String>>) {
        let program = Program {
            name: "program.mlir".into(),
            code: code.as_bytes().to_vec(),
        };
        let context = crate::context();
        let options = CompileOptions::default();
        let (module, signature) = halo_frontend::load(&context, &program, &options).unwrap();
        let entry = halo_frontend::entry_of(&module).unwrap();
        let names = ValueNames::of(entry, &signature, &program);
        (names.inputs, names.outputs)
    }

    #[test]
    fn names_are_those_of_the_text() {
        let (inputs, outputs) = names(
            "func.func @main(%x: tensor<2xf32>, %0: tensor<2xf32>,\n\
             %layer.1: tensor<f32> loc(\"params['w']\")) -> (tensor<2xf32> \
             {jax.result_info = \"result.loss\"}, tensor<f32>) {\n\
             return %x, %layer.1 : tensor<2xf32>, tensor<f32>\n}",
        );
        let name = |text: &str| Some(text.to_owned());
        assert_eq!(inputs, [name("x"), None, name("params['w']")]);
        assert_eq!(outputs, [name("result.loss"), None]);
    }

    #[test]
    fn tokens_have_no_names() {
        let (inputs, outputs) = names(
            "func.func @main(%t: !stablehlo.token, %x: tensor<2xf32>)\n\
             -> (!stablehlo.token, tensor<2xf32>) {\n\
             return %t, %x : !stablehlo.token, tensor<2xf32>\n}",
        );
        assert_eq!((inputs, outputs), (vec![Some("x".to_owned())], vec![None]));
    }
}
