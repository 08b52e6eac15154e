//! HLO text as StableHLO programs.
//!
//! | HLO | StableHLO |
//! |---|---|
//! | module | `module @name`, attributes of the module as `mhlo.*` attributes |
//! | entry computation | `func.func @main` |
//! | computation of `call`, `fusion` | private function |
//! | computation of `reduce`, `while`, `conditional`, ... | region |
//! | unused computation | private function |
//! | `f32[2,<=10]`, `f32[?]` | `tensor<2x?xf32, #stablehlo.bounds<?, 10>>`, `tensor<?xf32>` |
//! | `b(f32[2])` | `memref<2xf32>` |
//! | tuple | its elements; `stablehlo.tuple` if an op takes it whole |
//! | opcode without an op of StableHLO or CHLO | `stablehlo.custom_call @"xla.<opcode>"`, its attributes in `backend_config` |
//! | attribute without a counterpart in the op | discardable attribute `mhlo.<name>` |
//! | layout other than the default, shape of a tuple | discardable attribute `xla_shape`, the shape as text |
//! | an instruction that only annotates a value | `stablehlo.convert` to the same type with `mhlo.opcode` |
//! | name, metadata | location, see [`locations`] |
//!
//! XLA's importer is the reference for the semantics. Instead of `mhlo` ops that StableHLO lacks,
//! Halo creates ops that every backend supports: a `bitcast` is a transposition and a reshape that
//! follow from its layouts, an asynchronous instruction of a computation is a call of it,
//! `add-dependency` is a barrier.

mod attribute_names;
mod export;
mod import;
pub mod locations;
mod options;

pub use export::export;
pub use options::{Fusions, ImportOptions};

use halo_backend::Program;
use halo_core::Literal;
use halo_core::Position;
use halo_hlo_text::{Constant, HloModule};
use halo_ir::diagnostics::with_diagnostics;
use halo_ir::fill_module;
use halo_runtime::Error;
use melior::{
    Context,
    ir::{Location, Module},
};
use std::borrow::Cow;

/// Imports a file of HLO text, or the first of several modules in it.
pub(super) fn parse<'c>(
    context: &'c Context,
    program: &Program,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    let parts = parts_of(text_of(program)?);
    let first = parts.into_iter().next().unwrap_or_default();
    part(context, &first, &program.name, options)
}

/// The programs that a file means whose modules are split by `// -----`.
pub(super) fn parse_all<'c>(
    context: &'c Context,
    program: &Program,
    options: &ImportOptions,
) -> Result<Vec<Module<'c>>, Error> {
    let parts = parts_of(text_of(program)?).into_iter();
    parts.map(|text| part(context, &text, &program.name, options)).collect()
}

/// The program that a module means which is a message of protocol buffers.
pub(super) fn parse_proto<'c>(
    context: &'c Context,
    program: &Program,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    let hlo = halo_hlo_text::parse_proto(&program.code);
    let hlo = hlo.map_err(|error| error.in_file(&program.name))?;
    import(context, &hlo, &program.name, options)
}

/// The tensors of the arguments of an `HloSnapshot`.
pub(super) fn recorded_inputs(program: &Program) -> Result<Option<Vec<Literal>>, Error> {
    let snapshot = halo_hlo_text::parse_snapshot(&program.code);
    let snapshot = snapshot.map_err(|error| error.in_file(&program.name))?;
    let Some(snapshot) = snapshot else {
        return Ok(None);
    };
    let mut inputs = Vec::new();
    let mut rest: Vec<Constant> = snapshot.arguments.into_iter().rev().collect();
    while let Some(value) = rest.pop() {
        match value {
            Constant::Array(literal) => inputs.push(literal),
            Constant::Tuple(elements) => rest.extend(elements.into_iter().rev()),
            Constant::Splat { .. } | Constant::Elided => {}
        }
    }
    Ok(Some(inputs))
}

fn part<'c>(
    context: &'c Context,
    text: &str,
    name: &str,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    let hlo = halo_hlo_text::parse(text).map_err(|error| error.in_file(name))?;
    import(context, &hlo, name, options)
}

/// The modules of a file, each after an empty line for each line before it, so that positions are
/// relative to the file.
fn parts_of(text: &str) -> Vec<Cow<'_, str>> {
    let parts = halo_hlo_text::split(text);
    if parts.len() <= 1 {
        return vec![text.into()];
    }
    let parts = parts.into_iter();
    parts
        .map(|(lines, part)| format!("{}{part}", "\n".repeat(lines)).into())
        .collect()
}

fn text_of(program: &Program) -> Result<&str, Error> {
    std::str::from_utf8(&program.code).map_err(|error| {
        let valid = program.code.get(..error.valid_up_to());
        let before = valid.unwrap_or_default().iter();
        let line = before.filter(|byte| **byte == b'\n').count() + 1;
        Error::invalid_at(
            Position::new(&program.name, line, 1),
            "input is not valid UTF-8",
        )
    })
}

/// Imports a module of HLO text as a verified StableHLO program. `name` is the file's, for
/// diagnostics and locations. The dialects must be registered in the context ([`super::context`]).
///
/// # Errors
/// Returns an invalid-input error with a diagnostic `name:line:column: error: ...`.
pub fn import<'c>(
    context: &'c Context,
    hlo: &HloModule,
    name: &str,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    for dialect in ["func", "stablehlo", "chlo", "quant"] {
        context.get_or_load_dialect(dialect);
    }
    let unwrapped = import::unwrapped(hlo);
    let hlo = unwrapped.as_ref().unwrap_or(hlo);
    let mut module = Module::new(Location::new(context, name, 1, 1));
    let source = (hlo, name);
    let built = fill_module(&mut module, &source, |builder, root, (hlo, name)| {
        import::module(builder, root, hlo, name, options)
    });
    built.map_err(Error::internal)?.map_err(|failure| {
        let position = failure.position.unwrap_or_default();
        let (line, column) = (position.line.max(1), position.column.max(1));
        let position = Position::new(name, line as usize, column as usize);
        Error::invalid_at(position, failure.message)
    })?;
    let (valid, mut errors) = with_diagnostics(context, || {
        halo_ir::OperationExt::verify(halo_ir::root_of(&module))
    });
    if !valid {
        let message = format!("{name}: the imported module is not valid");
        for error in &mut errors {
            error.position.get_or_insert_with(|| Position::new(name, 1, 1));
        }
        return Err(Error::diagnosed(message, errors));
    }
    Ok(module)
}
