//! Several ops at once, from MLIR's syntax.
//!
//! A [`Builder`] makes ops one by one, which is best for ops that depend on the matched IR. Fixed
//! groups of ops are more readable in MLIR's syntax.

use crate::{
    block::BlockExt,
    build_error::BuildError,
    builder::Builder,
    diagnostics::{parse_module, with_diagnostics},
    edit::ValueMap,
    graveyard::expected,
    handles::{Attribute, Block, Operation, Type, Value, root_of},
    operation::OperationExt,
    value::ValueExt,
};
use melior::{Context, ir::Module};
use std::{cell::RefCell, collections::HashMap, fmt::Write, rc::Rc};

/// Builds the ops of a text at the insertion point of a builder, and returns the results of the
/// last one.
///
/// The text is a list of ops in MLIR's syntax, without blocks. A variable stands in it as `$name`:
/// a value as an operand, a type or an attribute wherever the syntax has one. `%name` is a value
/// within the text. The ops have the location of the builder.
///
/// ```
/// use halo_ir::{prelude::*, template};
///
/// let logistic = Pattern::new::<stablehlo::LogisticOp>(|b, op| {
///     let x = op.operand();
///     let ty = x.ty();
///     let result = template!(b, "
///         %one = stablehlo.constant dense<1.0> : $ty
///         %negated = stablehlo.negate $x : $ty
///         %exponential = stablehlo.exponential %negated : $ty
///         %sum = stablehlo.add %one, %exponential : $ty
///         %quotient = stablehlo.divide %one, %sum : $ty
///     ");
///     b.replace(*op, &result);
///     Ok(())
/// });
/// # let _ = logistic;
/// ```
///
/// The names are checked at compile time:
///
/// ```compile_fail,E0425
/// fn negated<'c>(b: &halo_ir::Builder<'c>, x: halo_ir::Value<'c>) {
///     let _ = halo_ir::template!(b, "%0 = arith.negf $y : f32");
/// }
/// ```
///
/// The ops are parsed and verified once per pass run and set of types and attributes, and then
/// cloned.
///
/// # Panics
/// Panics if the text is not a list of valid ops, with its file and line; or if a value cannot be
/// used at the insertion point.
#[macro_export]
macro_rules! template {
    ($builder:expr, $text:literal $(,)?) => {{
        static TEMPLATE: $crate::Template =
            $crate::Template::new($text, ::core::file!(), $crate::line_of!($text));
        TEMPLATE.build($builder, &$crate::captures!($text))
    }};
}

/// A text of [`template!`](crate::template!) and its source location.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    text: &'static str,
    file: &'static str,
    line: u32,
}

/// A variable of a [`Template`].
#[derive(Clone, Copy, Debug)]
pub enum Splice<'c> {
    /// An operand.
    Value(Value<'c>),
    /// A type.
    Type(Type<'c>),
    /// An attribute.
    Attribute(Attribute<'c>),
}

impl<'c> From<Value<'c>> for Splice<'c> {
    fn from(value: Value<'c>) -> Self {
        Self::Value(value)
    }
}

impl<'c> From<Type<'c>> for Splice<'c> {
    fn from(ty: Type<'c>) -> Self {
        Self::Type(ty)
    }
}

impl<'c> From<Attribute<'c>> for Splice<'c> {
    fn from(attribute: Attribute<'c>) -> Self {
        Self::Attribute(attribute)
    }
}

impl Template {
    /// The text that begins at a line of a file.
    pub const fn new(text: &'static str, file: &'static str, line: u32) -> Self {
        Self { text, file, line }
    }

    /// The implementation of [`template!`](crate::template!), with the variables by their names.
    ///
    /// # Panics
    /// As the macro.
    #[track_caller]
    pub fn build<'c>(&self, b: &Builder<'c>, splices: &[(&str, Splice<'c>)]) -> Vec<Value<'c>> {
        expected(self.try_build(b, splices))
    }

    fn try_build<'c>(
        &self,
        b: &Builder<'c>,
        splices: &[(&str, Splice<'c>)],
    ) -> Result<Vec<Value<'c>>, BuildError> {
        let mut parameters = String::new();
        let mut values = Vec::new();
        for (name, splice) in splices {
            if let Splice::Value(value) = splice {
                if let Some(reason) = b.unusable(*value) {
                    return Err(self.invalid(1, format_args!("${name}: {reason}")));
                }
                let separator = if values.is_empty() { "" } else { ", " };
                let ty = value.ty();
                let _ = write!(parameters, "{separator}%${name}: {ty}");
                values.push(*value);
            }
        }
        let body = self.spliced(splices)?;
        // Lines are counted from the begin of the text.
        let code = format!("func.func private @template({parameters}) {{{body}\nfunc.return\n}}\n");
        let module = parsed(b.context(), code, |code| self.parse(b.context(), code))?;
        let Some(body) = self.body(&module).filter(|body| {
            // The copied ops may only refer to the spliced values.
            body.arguments().len() == values.len()
        }) else {
            return Err(self.invalid(1, "it is not a list of ops"));
        };
        let mut map = ValueMap::new();
        for (argument, value) in body.arguments().into_iter().zip(values) {
            map.insert(argument.key(), value);
        }
        let mut operations = body.operations();
        operations.pop();
        let mut results = Vec::new();
        for operation in operations {
            // SAFETY: The op is read while its module is alive; only the copy, whose operands
            // belong to the builder's program, is kept.
            let operation =
                unsafe { std::mem::transmute::<Operation<'_>, Operation<'c>>(operation) };
            let copy = b.clone_op(operation, &mut map);
            copy.visit(&mut |op| op.set_location(b.location()));
            results = copy.results();
        }
        Ok(results)
    }

    /// The only block of the only function.
    fn body<'m>(&self, module: &'m Module) -> Option<Block<'m>> {
        let functions = root_of(module).body(0).map(Block::operations)?;
        let [function] = functions[..] else {
            return None;
        };
        let blocks: Vec<Block> = function.blocks();
        match blocks[..] {
            [body] => Some(body),
            _ => None,
        }
    }

    fn parse<'c>(&self, context: &'c Context, code: &str) -> Result<Module<'c>, BuildError> {
        const NAME: &str = "template";
        let (module, errors) =
            with_diagnostics(context, || parse_module(context, code.as_bytes(), NAME));
        module.ok_or_else(|| {
            let error = errors.first();
            let position = error.and_then(|error| error.position.as_ref()?.line_column);
            let line = position.and_then(|(line, _)| u32::try_from(line).ok());
            let reason = error.map_or("", |error| &error.message);
            self.invalid(line.unwrap_or(1), reason)
        })
    }

    /// The error at a line of the text, which counts from 1.
    fn invalid(&self, line: u32, reason: impl std::fmt::Display) -> BuildError {
        // An error at the end of the text is one line after it.
        let last = u32::try_from(self.text.split('\n').count()).unwrap_or(u32::MAX);
        let line = self.line + line.clamp(1, last) - 1;
        let file = self.file;
        BuildError::because(format!("invalid template at {file}:{line}: {reason}"))
    }

    /// The text with the variables replaced; a value is `%$name`, a name that no other value can
    /// have.
    fn spliced(&self, splices: &[(&str, Splice)]) -> Result<String, BuildError> {
        let mut parts = self.text.split('$');
        let mut done = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
            let (name, rest) = part.split_at(part.find(is_end).unwrap_or(part.len()));
            let found = splices.iter().find(|(other, _)| *other == name);
            let _ = match found {
                Some((_, Splice::Value(_))) => write!(done, "%${name}"),
                Some((_, Splice::Type(ty))) => write!(done, "{ty}"),
                Some((_, Splice::Attribute(attribute))) => write!(done, "{attribute}"),
                None => {
                    let lines = done.split('\n').count();
                    let line = u32::try_from(lines).unwrap_or(u32::MAX);
                    return Err(self.invalid(line, format_args!("there is no '${name}'")));
                }
            };
            done.push_str(rest);
        }
        Ok(done)
    }
}

/// The parsed templates of a pass, by their code.
struct Parsed {
    context: usize,
    modules: HashMap<String, Rc<Module<'static>>>,
}

thread_local! {
    /// The templates of the innermost pass that runs on this thread.
    static PARSED: RefCell<Option<Parsed>> = const { RefCell::new(None) };
}

/// Runs a pass, and keeps parsed templates of its context until its end.
pub(crate) fn keeping<T>(context: &Context, pass: impl FnOnce() -> T) -> T {
    struct Restore(Option<Parsed>);
    impl Drop for Restore {
        fn drop(&mut self) {
            // Modules are freed when the cell is not borrowed.
            drop(PARSED.replace(self.0.take()));
        }
    }
    let _restore = Restore(PARSED.replace(Some(Parsed {
        context: context.to_raw().ptr as usize,
        modules: HashMap::new(),
    })));
    pass()
}

/// The module of a code, which is parsed unless the running pass has done so.
fn parsed<'c>(
    context: &'c Context,
    code: String,
    parse: impl FnOnce(&str) -> Result<Module<'c>, BuildError>,
) -> Result<Rc<Module<'c>>, BuildError> {
    let is_kept = |kept: &&mut Parsed| kept.context == context.to_raw().ptr as usize;
    let found = PARSED.with_borrow_mut(|kept| {
        let kept = kept.as_mut().filter(is_kept)?;
        kept.modules.get(&code).cloned()
    });
    if let Some(found) = found {
        return Ok(found);
    }
    let module = Rc::new(parse(&code)?);
    PARSED.with_borrow_mut(|kept| {
        if let Some(kept) = kept.as_mut().filter(is_kept) {
            // SAFETY: The pass runs in the context, which outlives it; `keeping` frees the
            // module at its end.
            let module = unsafe {
                std::mem::transmute::<Rc<Module<'c>>, Rc<Module<'static>>>(Rc::clone(&module))
            };
            kept.modules.insert(code, module);
        }
    });
    Ok(module)
}
