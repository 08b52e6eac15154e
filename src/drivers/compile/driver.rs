//! The tool, from the command line to the exit code.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

use crate::{
    Stop, Tool, Watch, finish, parse_command_line, print, reproducer::reproducer, written,
};
use halo_backend::object_code::CodeForm;
use halo_backend::{Backend, CompileOptions, Environment, Program, Registry};
use halo_core::file;
use halo_runtime::{Error, Result as RuntimeResult};

use super::cli::Cli;
use super::constants;
use super::objects::{self, Product};

/// The values of `--emit=` for a plan and its text.
const PLAN: &str = "plan";
const LISTING: &str = "listing";

/// Runs the tool and returns its exit code: 0 on success, 1 after an error, which is printed to
/// `err` as one line or as the compiler's diagnostics.
pub fn main(
    tool: Tool,
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let registry = &environment.registry;
    let describe = |command: clap::Command| {
        let help = format!(
            "The backend to compile for: {} [default: the first that supports --emit]",
            registry.backend_names()
        );
        let command = tool.named(command);
        command.mut_arg("backend", |argument| argument.help(help))
    };
    let cli: Cli = match parse_command_line(arguments, describe, out, err) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let watch = Watch::new(cli.timing.timing, cli.pipeline.is_quiet());
    let result = run(&cli, environment, &watch, out);
    watch.report(err);
    finish(tool.name, result, out, err)
}

/// The backend that the command line names, or the first that supports the
/// requested output.
fn backend<'r>(cli: &Cli, registry: &'r Registry) -> RuntimeResult<&'r Backend> {
    let product = Product::of(&cli.emit);
    let makes_plan = matches!(cli.emit.as_str(), PLAN | LISTING);
    let makes = |backend: &&Backend| match (product, makes_plan) {
        (Some(product), _) => {
            let form = backend.compiler.description().code_form;
            form.is_some_and(|form| product.is_of(form))
        }
        (_, true) => backend.compiler.description().makes_plans,
        _ => backend.compiler.phase(&cli.emit).is_ok(),
    };
    let Some(name) = &cli.backend else {
        let maker = registry.backends().iter().find(makes);
        return maker.map_or_else(|| registry.default_backend(), Ok);
    };
    let backend = registry.backend(name)?;
    if (product.is_some() || makes_plan) && !makes(&backend) {
        let product = product.map_or("plans", Product::needs);
        let makers = registry.backends().iter().filter(makes);
        let names: Vec<&str> = makers.map(|backend| backend.name).collect();
        let hint = match names.as_slice() {
            [] => String::new(),
            names => format!("; these do: {}", names.join(", ")),
        };
        let message = format!("backend '{name}' makes no {product}{hint}");
        return Err(Error::invalid(message));
    }
    Ok(backend)
}

fn makes_machine_code(backend: &Backend) -> bool {
    backend.compiler.description().code_form == Some(CodeForm::Object)
}

/// Prints the targets of the named backend, or else of the first one that generates machine code.
fn list_targets(cli: &Cli, registry: &Registry, out: &mut dyn Write) -> Result<(), Stop> {
    let mut backends = registry.backends().iter();
    let backend = match &cli.backend {
        Some(name) => registry.backend(name)?,
        None => match backends.find(|backend| makes_machine_code(backend)) {
            Some(maker) => maker,
            None => registry.default_backend()?,
        },
    };
    let text = backend.compiler.targets(cli.processor.target.as_deref())?;
    print(out, format_args!("{text}"))
}

/// Rejects options that do not apply to the output.
fn check_options(cli: &Cli, backend: &Backend) -> RuntimeResult<()> {
    let companions = [
        ("--header", cli.header.is_some()),
        ("--rust", cli.rust.is_some()),
        ("--name", cli.name.is_some()),
        ("--input-names", cli.input_names.is_some()),
        ("--output-names", cli.output_names.is_some()),
    ];
    let processor = cli.processor.given();
    if let Some(option) = processor.filter(|_| !makes_machine_code(backend)) {
        return Err(Error::invalid(format!(
            "{option} names a processor, and backend '{}' makes no machine code of processors",
            backend.name
        )));
    }
    let companion = companions.into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = companion.filter(|_| Product::of(&cli.emit).is_none()) {
        return Err(Error::invalid(format!(
            "{option} goes with an object file or C: --emit=obj, static, shared or c"
        )));
    }
    Ok(())
}

fn run(
    cli: &Cli,
    environment: &Environment,
    watch: &Watch,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    if cli.list_targets {
        return list_targets(cli, &environment.registry, out);
    }
    // Errors that need no compilation are reported first.
    let backend = backend(cli, &environment.registry)?;
    check_options(cli, backend)?;
    let backend_options = cli.backend_arguments.options();
    backend_options.check(backend.name, backend.compiler.description().options)?;
    let is_plan = cli.emit == PLAN;
    let product = Product::of(&cli.emit);
    let name = product.map(|_| objects::name(cli)).transpose()?;
    if (is_plan || product.is_some_and(|product| !product.is_text())) && cli.output.is_none() {
        let what = if is_plan { "a plan" } else { "machine code" };
        let message = format!("{what} is not text: say where to write it with -o");
        return Err(Error::invalid(message).into());
    }
    let constants_file = constants::path(cli, backend, product)?;
    constants::expect_different_files(cli, constants_file.as_deref())?;
    let options = CompileOptions {
        entry: cli.entry.clone(),
        dump_dir: cli.dump_dir.clone(),
        observers: watch.observers(),
        no_constant_folding: cli.no_constant_folding,
        processor: cli.processor.options(None),
        architecture: cli.gpu_arch.clone(),
        external_constants: cli.has_external_constants(),
        debug_info: cli.debug_info,
        reproducer: reproducer(&cli.file),
        bisection: None,
        backend: backend_options,
        custom_calls: Arc::clone(&environment.custom_calls),
        pipeline_edits: cli.pipeline.edits.clone(),
        print_ir_after: cli.pipeline.print_ir_after.clone(),
        cache: cli.cache.cache()?,
        ..CompileOptions::default()
    };
    if !is_plan && cli.emit != LISTING && product.is_none() {
        backend.compiler.check_phase(&cli.emit, &options)?;
    }
    let program = Program::read(&cli.file)?;
    let in_program = |error: Error| cli.pipeline.locate(error, &program.name, &[]);
    let plan = || backend.compiler.plan(&program, &options).map_err(in_program);
    let bytes = match (product.zip(name), cli.emit.as_str()) {
        (Some((product, name)), _) => {
            let code = backend.compiler.object_code(&program, &name, &options);
            let mut code = code.map_err(in_program)?;
            objects::rename(cli, &mut code)?;
            let bytes = product.bytes(&code, &cli.linker)?;
            objects::write_constants(constants_file.as_deref(), &code)?;
            objects::write_companions(cli, &code)?;
            bytes
        }
        (None, PLAN) => plan()?.to_bytes()?,
        (None, LISTING) => plan()?.to_string().into_bytes(),
        (None, phase) => {
            let text = backend.compiler.compile_to(&program, phase, &options);
            let mut text = text.map_err(in_program)?;
            if cli.has_external_constants() {
                // Text is made without its constants, which are in the object file.
                let code = backend.compiler.object_code(&program, "program", &options);
                let code = code.map_err(in_program)?;
                objects::write_constants(constants_file.as_deref(), &code)?;
            }
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.into_bytes()
        }
    };
    let path = cli.output.as_deref();
    match path.filter(|path| !file::is_standard_stream(path)) {
        Some(path) => Ok(file::write_whole(path, |file| file.write_all(&bytes))?),
        None => written(out.write_all(&bytes)),
    }
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
