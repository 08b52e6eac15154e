//! Several ops at once, from MLIR's syntax.
//!
//! A [`Builder`] makes ops one by one, which is best for ops that depend on what is
//! found. Fixed groups of ops read better in the syntax that the tests show.

use crate::{
    Attribute, Block, BuildError, Builder, Operation, Type, Value, ValueMap, arguments_of,
    blocks_of, body_of, clone_operation,
    diagnostics::{parse_module, with_diagnostics},
    operations_of, results_of, root_of, set_location, value_key, visit,
};
use melior::ir::{ValueLike, operation::OperationLike};
use std::fmt::Write;

/// What is put into a [`template`] in the place of a name.
#[derive(Clone, Copy, Debug)]
pub enum Splice<'c> {
    /// A value, for `%name`.
    Value(Value<'c>),
    /// A type, for `$name`.
    Type(Type<'c>),
    /// An attribute, for `$name`.
    Attribute(Attribute<'c>),
}

impl<'c> From<Value<'c>> for Splice<'c> {
    fn from(value: Value<'c>) -> Self {
        Self::Value(value)
    }
}

impl<'c> From<Type<'c>> for Splice<'c> {
    fn from(r#type: Type<'c>) -> Self {
        Self::Type(r#type)
    }
}

impl<'c> From<Attribute<'c>> for Splice<'c> {
    fn from(attribute: Attribute<'c>) -> Self {
        Self::Attribute(attribute)
    }
}

/// Builds the ops of a text, which are a list without blocks of their own, at the insertion point, and returns the results of the last
/// one. Each name of a value stands for it in the text as `%name`, each name of a type or
/// an attribute as `$name`. The ops are parsed, verified and then copied, and have the
/// location of the builder.
///
/// ```
/// use halo_ir::{Pattern, ops::{Op, stablehlo}, template};
/// use melior::ir::ValueLike;
///
/// let softplus = Pattern::new::<stablehlo::LogisticOp>(|b, op| {
///     let x = op.operand();
///     let text = "
///         %one = stablehlo.constant dense<1.0> : $type
///         %negated = stablehlo.negate %x : $type
///         %exponential = stablehlo.exponential %negated : $type
///         %sum = stablehlo.add %one, %exponential : $type
///         %quotient = stablehlo.divide %one, %sum : $type";
///     let values = template(b, text, &[("x", x.into()), ("type", x.r#type().into())])?;
///     b.replace(op.operation(), &values)?;
///     Ok(())
/// });
/// # let _ = softplus;
/// ```
///
/// # Errors
/// Where the text is not a list of valid ops, or a value cannot be used at the insertion
/// point.
pub fn template<'c>(
    b: &Builder<'c>,
    text: &str,
    splices: &[(&str, Splice<'c>)],
) -> Result<Vec<Value<'c>>, BuildError> {
    let mut parameters = String::new();
    let mut values = Vec::new();
    for (name, splice) in splices {
        if let Splice::Value(value) = splice {
            let separator = if values.is_empty() { "" } else { ", " };
            let r#type = value.r#type();
            let _ = write!(parameters, "{separator}%{name}: {type}");
            values.push(*value);
        }
    }
    let body = spliced(text, splices)?;
    let code = format!("func.func private @template({parameters}) {{\n{body}\nfunc.return\n}}\n");
    let (module, errors) = with_diagnostics(b.context(), || {
        parse_module(b.context(), code.as_bytes(), "template")
    });
    let Some(module) = module else {
        let reason = errors.first().map_or("it cannot be parsed", String::as_str);
        return Err(BuildError::because(format!("invalid template: {reason}")));
    };
    let functions = body_of(root_of(&module), 0).map(operations_of);
    let blocks: Vec<Block> = match functions.as_deref() {
        Some([function]) => function.regions().flat_map(blocks_of).collect(),
        _ => Vec::new(),
    };
    // What is copied may refer to nothing but the values that are spliced in.
    let body = match blocks[..] {
        [body] if arguments_of(body).len() == values.len() => body,
        _ => {
            return Err(BuildError::because(
                "invalid template: it is not a list of ops",
            ));
        }
    };
    let mut map = ValueMap::new();
    for (argument, value) in arguments_of(body).into_iter().zip(values) {
        if let Some(reason) = b.unusable(value) {
            return Err(BuildError::because(format!("invalid template: {reason}")));
        }
        map.insert(value_key(argument), value);
    }
    let mut operations = operations_of(body);
    operations.pop();
    let mut results = Vec::new();
    for operation in operations {
        // SAFETY: The op is read while its module is alive; only the copy, whose operands
        // are those of the builder's program, is kept.
        let operation = unsafe { std::mem::transmute::<Operation<'_>, Operation<'c>>(operation) };
        let copy = clone_operation(b, operation, &mut map);
        visit(copy, &mut |op| set_location(op, b.location()));
        results = results_of(copy);
    }
    Ok(results)
}

/// A text with types and attributes in the places of their names.
fn spliced(text: &str, splices: &[(&str, Splice)]) -> Result<String, BuildError> {
    let mut parts = text.split('$');
    let mut done = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
        let (name, rest) = part.split_at(part.find(is_end).unwrap_or(part.len()));
        let found = splices.iter().find(|(other, _)| *other == name);
        let _ = match found {
            Some((_, Splice::Type(r#type))) => write!(done, "{type}"),
            Some((_, Splice::Attribute(attribute))) => write!(done, "{attribute}"),
            _ => {
                return Err(BuildError::because(format!(
                    "invalid template: '${name}' is neither a type nor an attribute"
                )));
            }
        };
        done.push_str(rest);
    }
    Ok(done)
}
