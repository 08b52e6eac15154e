//! Converts the bytes of a program to a module with one entry, and back: MLIR's text and bytecode,
//! HLO text and protocol buffers, portable artifacts.

mod boolean_elements;
pub mod custom_partitioning;
mod donated_arguments;
mod entry;
pub mod hlo_text;
mod module_copy;
pub mod portable_artifact;
mod program_format;
mod resources;
pub mod translations;

use entry::keep_module_of_entry;
pub use entry::{entry_in, entry_of, entry_signature, select_entry};
use halo_backend::{CompileOptions, Partitioning, Program};
use halo_core::Literal;
use halo_cost::topology::Topology;
use halo_hlo::{
    context, run_pipeline,
    sharding::{Tiling, analysis::Boundaries},
    transforms::{
        legalize::{
            entry_layouts, hlo_legalize_to_stablehlo, stablehlo_legalize_composite_to_call,
        },
        shapes::shape_legalize_to_stablehlo,
        spmd::{partition, replica_groups, shardy_legalize_to_stablehlo},
    },
};
use halo_ir::{
    diagnostics::{bytecode_of, parse_module, with_diagnostics},
    pipeline,
    pipeline::{Pipeline, pass, upstream},
    prelude::*,
    root_of,
};
use halo_runtime::{Error, Sharding, Shardings, Signature};
use halo_vhlo::Version;
use hlo_text::ImportOptions;
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags},
    },
};
pub use program_format::ProgramFormat;
use std::borrow::Cow;
use std::num::NonZeroUsize;

/// Parses and verifies a program, and chooses its entry.
pub fn load<'c>(
    context: &'c Context,
    program: &Program,
    options: &CompileOptions,
) -> Result<(Module<'c>, Signature), Error> {
    let mut module = parse(context, program)?;
    keep_module_of_entry(&mut module, program, options.entry.as_deref())?;
    if hlo_legalize_to_stablehlo::is_needed(root_of(&module)) {
        let legalize = pipeline![&hlo_legalize_to_stablehlo::PASS];
        run_pipeline(context, &mut module, &legalize)?;
    }
    if shape_legalize_to_stablehlo::is_needed(root_of(&module)) {
        let legalize = pipeline![
            pass(&shape_legalize_to_stablehlo::PASS)
                .option("legalize-constraints", true)
                .option("inline-assuming", true)
        ];
        run_pipeline(context, &mut module, &legalize)?;
    }
    if replica_groups::is_needed(root_of(&module)) {
        let legalize = pipeline![&shardy_legalize_to_stablehlo::PASS];
        run_pipeline(context, &mut module, &legalize)?;
    }
    if let Some(partitioning) = options.partitioning {
        let pipeline = partition(partitioning, options.entry.as_deref());
        run_pipeline(context, &mut module, &pipeline)?;
    }
    if options.entry_layouts {
        let layouts =
            pass(&entry_layouts::PASS).option("entry", options.entry.clone().unwrap_or_default());
        run_pipeline(context, &mut module, &pipeline![layouts])?;
    }
    let signature = select_entry(&mut module, program, options.entry.as_deref())?;
    resources::expect_all(&module)?;
    if let Some(topology) = &options.topology {
        let topology = Topology::parse(&topology.name, &topology.code)?;
        topology.link().mark(root_of(&module));
    }
    if options.no_constant_folding {
        let none = halo_ir::integer_attribute(halo_ir::integer_type(context, 64), 0);
        root_of(&module).set_attribute(halo_ir::ops::halo::FOLD_ELEMENT_LIMIT, none);
    }
    Ok((module, signature))
}

/// Partitions a program on whole tensors into the program of each process.
fn partition(partitioning: Partitioning, entry: Option<&str>) -> Pipeline {
    let partition = pass(&partition::PASS)
        .option("partitions", partitioning.partitions.get() as i64)
        .option("replicas", partitioning.replicas.get() as i64)
        .option("entry", entry.unwrap_or_default().to_owned());
    let mut passes = inline();
    passes.steps.push(partition.into());
    passes
}

/// The passes that must run before shardings are read.
fn inline() -> Pipeline {
    pipeline![
        &stablehlo_legalize_composite_to_call::PASS,
        upstream("inline"),
    ]
}

/// Reads a program, and returns the shardings of its arguments and results among partitions.
///
/// # Errors
/// Returns an invalid-input error with diagnostics, also if its shardings contradict its meshes.
pub fn boundaries(program: &Program, partitions: usize) -> Result<Boundaries, Error> {
    with_boundaries(program, partitions, |_, boundaries| Ok(boundaries))
}

/// Calls a function with the entry of a program, and its [`boundaries`].
fn with_boundaries<T>(
    program: &Program,
    partitions: usize,
    function: impl FnOnce(Operation, Boundaries) -> Result<T, Error>,
) -> Result<T, Error> {
    let context = context();
    let mut module = parse(&context, program)?;
    select_entry(&mut module, program, None)?;
    run_pipeline(&context, &mut module, &inline())?;
    let entry = entry_of(&module)?;
    let boundaries = Boundaries::of(root_of(&module), entry, partitions);
    function(entry, boundaries.map_err(Error::invalid)?)
}

/// Like [`boundaries`], for applications that read and write arguments and results in shards.
///
/// # Errors
/// Returns the errors of [`boundaries`]; also an error for a result that is a partial sum on each
/// partition.
pub fn shardings(program: &Program, partitions: NonZeroUsize) -> Result<Shardings, Error> {
    if partitions.get() == 1 {
        return Ok(Shardings::default());
    }
    with_boundaries(program, partitions.get(), |entry, boundaries| {
        let body = entry.body(0);
        let arguments = body.map(Block::arguments).unwrap_or_default();
        let results = body.and_then(Block::terminator).map(OperationExt::operands);
        Ok(Shardings {
            arguments: shardings_of("argument", &arguments, boundaries.arguments)?,
            results: shardings_of("result", &results.unwrap_or_default(), boundaries.results)?,
        })
    })
}

fn shardings_of(
    what: &str,
    values: &[Value],
    tilings: Vec<Option<Tiling>>,
) -> Result<Vec<Option<Sharding>>, Error> {
    let sharding = |(number, (value, tiling)): (usize, (&Value, Option<Tiling>))| {
        let Some(tiling) = tiling else {
            return Ok(None);
        };
        if !tiling.terms.is_empty() {
            return Err(Error::invalid(format!(
                "{what} {number} is a term of a sum on each partition, which no array is"
            )));
        }
        let sizes = value.ty().static_shape().unwrap_or_default();
        let whole = sizes.into_iter().map(usize::try_from).collect::<Result<_, _>>();
        let whole = whole.map_err(|_| Error::invalid(format!("{what} {number} has no sizes")))?;
        Ok(Some(Sharding {
            whole,
            counts: tiling.counts,
            tiles: tiling.tiles,
        }))
    };
    let pairs = values.iter().zip(tilings).enumerate();
    pairs.map(sharding).collect()
}

/// The program that each process runs, as a portable artifact.
///
/// # Errors
/// Returns an invalid-input error with diagnostics.
pub fn partitioned(program: &Program, partitioning: Partitioning) -> Result<Vec<u8>, Error> {
    let context = context();
    let options = CompileOptions {
        partitioning: Some(partitioning),
        ..CompileOptions::default()
    };
    let (module, _) = load(&context, program, &options)?;
    portable_artifact::serialize(&module, Version::CURRENT)
}

/// Reads and verifies a program of any format.
///
/// # Errors
/// Returns an invalid-input error with diagnostics.
pub fn parse<'c>(context: &'c Context, program: &Program) -> Result<Module<'c>, Error> {
    parse_with(context, program, &ImportOptions::default())
}

/// Like [`parse`], with options for HLO text.
///
/// # Errors
/// Returns an invalid-input error with diagnostics.
pub fn parse_with<'c>(
    context: &'c Context,
    program: &Program,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    parse_as(ProgramFormat::of(&program.code), context, program, options)
}

/// Like [`parse_with`], for a program of known format.
///
/// # Errors
/// Returns an invalid-input error with diagnostics.
pub fn parse_as<'c>(
    format: ProgramFormat,
    context: &'c Context,
    program: &Program,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    match format {
        ProgramFormat::HloText => hlo_text::parse(context, program, options),
        ProgramFormat::HloProto => hlo_text::parse_proto(context, program, options),
        ProgramFormat::Mlir => parse_mlir(context, program),
        ProgramFormat::PortableArtifact => {
            portable_artifact::deserialize(context, &program.code, &program.name)
        }
    }
}

/// The inputs recorded in an `HloSnapshot`: the tensors of its arguments, one after the other.
/// `None` if the program is not a snapshot.
///
/// # Errors
/// Returns an invalid-input error with diagnostics.
pub fn recorded_inputs(program: &Program) -> Result<Option<Vec<Literal>>, Error> {
    match ProgramFormat::of(&program.code) {
        ProgramFormat::HloProto => hlo_text::recorded_inputs(program),
        _ => Ok(None),
    }
}

/// Converts the code of a program, `name`, from another format to MLIR, with its locations; `None`
/// if it is MLIR. HLO text may contain several modules, separated by `// -----`.
///
/// # Errors
/// Returns an invalid-input error with diagnostics.
pub fn to_mlir(name: &str, code: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    let format = ProgramFormat::of(code);
    // The most common case; a context takes time to make.
    if format == ProgramFormat::Mlir {
        let known = with_known_encodings(code).map_err(|error| damaged(name, &error))?;
        if halo_ir::limits::may_hold_older_forms(&known) {
            let program = Program {
                name: name.to_owned(),
                code: known.to_vec(),
            };
            // The next reader reports the error.
            if let Ok(module) = parse_mlir(&context(), &program) {
                return Ok(Some(bytecode_of(&module)));
            }
        }
        return Ok(match known {
            Cow::Borrowed(_) => None,
            Cow::Owned(code) => Some(code),
        });
    }
    let context = context();
    let options = ImportOptions::default();
    let program = Program {
        name: name.to_owned(),
        code: code.to_vec(),
    };
    let modules = match format {
        ProgramFormat::HloText => hlo_text::parse_all(&context, &program, &options)?,
        format => vec![parse_as(format, &context, &program, &options)?],
    };
    if let [only] = modules.as_slice() {
        return Ok(Some(bytecode_of(only)));
    }
    let flags = || OperationPrintingFlags::new().enable_debug_info(true, false);
    let texts: Result<Vec<String>, _> = modules
        .iter()
        .map(|module| OperationLike::to_string_with_flags(&module.as_operation(), flags()))
        .collect();
    let texts = texts.map_err(|error| Error::internal(error.to_string()))?;
    Ok(Some(texts.join("// -----\n").into_bytes()))
}

/// A program of MLIR without encodings of newer versions. Bytecode is validated, since MLIR's
/// reader trusts it.
fn with_known_encodings(code: &[u8]) -> Result<Cow<'_, [u8]>, halo_vhlo::Error> {
    if !halo_ir::limits::is_bytecode(code) {
        return Ok(boolean_elements::pack(code));
    }
    let code = match halo_vhlo::to_known_encodings(code) {
        Some(code) => Cow::Owned(code),
        None => Cow::Borrowed(code),
    };
    halo_vhlo::validate(&code)?;
    Ok(code)
}

/// The error of invalid bytecode.
fn damaged(name: &str, error: &halo_vhlo::Error) -> Error {
    Error::invalid_file(name, format!("invalid bytecode: {error}"))
}

fn parse_mlir<'c>(context: &'c Context, program: &Program) -> Result<Module<'c>, Error> {
    let code =
        with_known_encodings(&program.code).map_err(|error| damaged(&program.name, &error))?;
    // Exporters attach attributes of unregistered dialects, such as `sdy.sharding_rule`; ops must
    // be registered.
    context.set_allow_unregistered_dialects(true);
    let (module, errors) =
        with_diagnostics(context, || parse_module(context, &code, &program.name));
    context.set_allow_unregistered_dialects(false);
    let mut module = module
        .ok_or_else(|| Error::diagnosed(format!("{}: cannot be parsed", program.name), errors))?;
    if shardy_legalize_to_stablehlo::is_needed(root_of(&module)) {
        let legalize = pipeline![&shardy_legalize_to_stablehlo::PASS];
        run_pipeline(context, &mut module, &legalize)?;
    }
    expect_known_operations(context, &module)?;
    resources::embed(&module)?;
    Ok(module)
}

/// Fails at the first unregistered op.
fn expect_known_operations(context: &Context, module: &Module) -> Result<(), Error> {
    let unknown = root_of(module).collect_nested(|op| !context.is_registered_operation(op.name()));
    let Some(op) = unknown.first() else {
        return Ok(());
    };
    let message = format!("unregistered operation '{}'", (*op).name());
    let position = halo_ir::diagnostics::position_of(op.location());
    Err(Error::invalid_at(position, message))
}
