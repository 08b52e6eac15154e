//! From the bytes of a program to a module with one entry.

mod boolean_elements;
mod form;
pub mod hlo_text;
pub mod portable_artifact;
mod resources;

pub use form::Form;
use halo_core::{Literal, ShapePattern};
use halo_hlo::folding::ELEMENT_LIMIT;
use halo_hlo::transforms::hlo_legalize_to_stablehlo;
use halo_ir::{Operation, collect_operations, name_of, string_attribute, string_value};
use halo_ir::{
    diagnostics::{parse_module, with_diagnostics},
    opt::register_everything,
    stablehlo::types::is_token,
};
use halo_runtime::{CompileOptions, Error, Program, Signature};
use hlo_text::ImportOptions;
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        Module, OperationRef,
        attribute::TypeAttribute,
        operation::{OperationLike, OperationPrintingFlags},
        r#type::{FunctionType, TupleType},
    },
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use std::borrow::Cow;

/// A context that knows every dialect and pass.
pub fn context() -> Context {
    crate::register_passes();
    let registry = DialectRegistry::new();
    register_everything(&registry);
    Context::new_with_registry(&registry, false)
}

/// Parses and verifies a program, and chooses its entry.
pub fn load<'c>(
    context: &'c Context,
    program: &Program,
    options: &CompileOptions,
) -> Result<(Module<'c>, Signature), Error> {
    let mut module = parse(context, program)?;
    if hlo_legalize_to_stablehlo::is_needed(root_of(&module)) {
        let argument = hlo_legalize_to_stablehlo::PASS.argument;
        run_pipeline(context, &mut module, argument)?;
    }
    let signature = select_entry(&module, program, options.entry.as_deref())?;
    resources::expect_all(&module)?;
    if options.no_constant_folding {
        let none = halo_ir::integer_attribute(halo_ir::integer_type(context, 64), 0);
        halo_ir::set_attribute(root_of(&module), ELEMENT_LIMIT, none);
    }
    Ok((module, signature))
}

/// Reads and verifies a program of any form.
///
/// # Errors
/// Invalid input with diagnostics.
pub fn parse<'c>(context: &'c Context, program: &Program) -> Result<Module<'c>, Error> {
    parse_with(context, program, &ImportOptions::default())
}

/// As [`parse`], with options for HLO text.
///
/// # Errors
/// Invalid input with diagnostics.
pub fn parse_with<'c>(
    context: &'c Context,
    program: &Program,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    parse_as(Form::of(&program.code), context, program, options)
}

/// As [`parse_with`], for a program that is known to be of a form.
///
/// # Errors
/// Invalid input with diagnostics.
pub fn parse_as<'c>(
    form: Form,
    context: &'c Context,
    program: &Program,
    options: &ImportOptions,
) -> Result<Module<'c>, Error> {
    match form {
        Form::HloText => hlo_text::parse(context, program, options),
        Form::HloProto => hlo_text::parse_proto(context, program, options),
        Form::Mlir => parse_mlir(context, program),
        Form::PortableArtifact => {
            portable_artifact::deserialize(context, &program.code, &program.name)
        }
    }
}

/// The values that a program was recorded with, as an `HloSnapshot` has them:
/// the tensors of its arguments, one after the other. None where it is no
/// record.
///
/// # Errors
/// Invalid input with diagnostics.
pub fn recorded_inputs(program: &Program) -> Result<Option<Vec<Literal>>, Error> {
    match Form::of(&program.code) {
        Form::HloProto => hlo_text::recorded_inputs(program),
        _ => Ok(None),
    }
}

/// What the code of a program, `name`, of another form than MLIR's is in MLIR,
/// with its locations; `None` for MLIR as it is read. Of HLO text it may be several modules, split by `// -----`.
///
/// # Errors
/// Invalid input with diagnostics.
pub fn to_mlir(name: &str, code: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    let form = Form::of(code);
    // Most inputs are; a context takes time to make.
    if form == Form::Mlir {
        let known = in_known_forms(code).map_err(|error| damaged(name, &error))?;
        if halo_ir::limits::may_hold_older_forms(&known) {
            let program = Program {
                name: name.to_owned(),
                code: known.to_vec(),
            };
            // Whoever reads it next says what is wrong with it.
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
    let modules = match form {
        Form::HloText => hlo_text::parse_all(&context, &program, &options)?,
        form => vec![parse_as(form, &context, &program, &options)?],
    };
    if let [only] = modules.as_slice() {
        return Ok(Some(bytecode_of(only)));
    }
    let flags = || OperationPrintingFlags::new().enable_debug_info(true, false);
    let texts: Result<Vec<String>, _> = modules
        .iter()
        .map(|module| module.as_operation().to_string_with_flags(flags()))
        .collect();
    let texts = texts.map_err(|error| Error::internal(error.to_string()))?;
    Ok(Some(texts.join("// -----\n").into_bytes()))
}

/// A program of MLIR without what only newer versions of it write. Bytecode is
/// validated, since MLIR's reader trusts it.
fn in_known_forms(code: &[u8]) -> Result<Cow<'_, [u8]>, halo_vhlo::Error> {
    if !halo_ir::limits::is_bytecode(code) {
        return Ok(boolean_elements::pack(code));
    }
    let code = match halo_vhlo::spell_out_newer_types(code) {
        Some(code) => Cow::Owned(code),
        None => Cow::Borrowed(code),
    };
    halo_vhlo::validate(&code)?;
    Ok(code)
}

/// Bytecode that is not valid.
fn damaged(name: &str, error: &halo_vhlo::Error) -> Error {
    let message = format!("invalid bytecode: {error}");
    let line = format!("{name}: error: {message}");
    Error::diagnosed(message, vec![line])
}

fn parse_mlir<'c>(context: &'c Context, program: &Program) -> Result<Module<'c>, Error> {
    let code = in_known_forms(&program.code).map_err(|error| damaged(&program.name, &error))?;
    // Exporters attach attributes of dialects that are theirs, such as
    // `sdy.sharding_rule`; ops must be known.
    context.set_allow_unregistered_dialects(true);
    let (module, errors) =
        with_diagnostics(context, || parse_module(context, &code, &program.name));
    context.set_allow_unregistered_dialects(false);
    let module = module
        .ok_or_else(|| Error::diagnosed(format!("{}: cannot be parsed", program.name), errors))?;
    expect_known_operations(context, &module)?;
    resources::embed(&module)?;
    Ok(module)
}

/// The module's op.
pub fn root_of<'m>(module: &'m Module) -> Operation<'m> {
    // SAFETY: The op lives as long as the module.
    unsafe { OperationRef::from_raw(module.as_operation().to_raw()) }
}

/// Fails at the first op that no dialect has.
fn expect_known_operations(context: &Context, module: &Module) -> Result<(), Error> {
    let unknown = collect_operations(root_of(module), |op| {
        !context.is_registered_operation(name_of(op))
    });
    let Some(op) = unknown.first() else {
        return Ok(());
    };
    let message = format!("unregistered operation '{}'", name_of(*op));
    let place = halo_ir::diagnostics::place(op.location());
    let place = place.map(|place| format!("{place}: error: {message}"));
    Err(Error::diagnosed(message, place.into_iter().collect()))
}

/// The program as text.
pub fn text_of(module: &Module) -> String {
    module.as_operation().to_string()
}

/// The program as bytecode.
pub fn bytecode_of(module: &Module) -> Vec<u8> {
    halo_ir::diagnostics::bytecode_of(module)
}

/// Runs a pipeline, given for the body of the module.
pub fn run_pipeline(context: &Context, module: &mut Module, pipeline: &str) -> Result<(), Error> {
    let (result, errors) = with_diagnostics(context, || {
        let manager = PassManager::new(context);
        manager.enable_verifier(cfg!(debug_assertions));
        let text = format!("builtin.module({pipeline})");
        parse_pass_pipeline(manager.as_operation_pass_manager(), &text)?;
        manager.run(module)
    });
    result.map_err(|error| {
        if errors.is_empty() {
            Error::internal(error.to_string())
        } else {
            Error::diagnosed(error.to_string(), errors)
        }
    })
}

/// Whether a program is valid.
///
/// # Errors
/// What is wrong with it.
pub fn verify(context: &Context, module: &Module) -> Result<(), Error> {
    match with_diagnostics(context, || module.as_operation().verify()) {
        (true, _) => Ok(()),
        (false, errors) => Err(Error::diagnosed("the program is not valid", errors)),
    }
}

/// A copy of a module that went through a pipeline.
fn copy_after<'c>(module: &Module<'c>, pipeline: &str) -> Result<Module<'c>, Error> {
    let copy = Module::from_operation((*module.as_operation()).clone());
    let mut copy = copy.ok_or_else(|| Error::internal("a module that is none"))?;
    if !pipeline.is_empty() {
        run_pipeline(halo_ir::context_of(root_of(module)), &mut copy, pipeline)?;
    }
    Ok(copy)
}

/// Makes one function public and all others private. Without a name it is
/// `main`, or the only public function.
pub fn select_entry(
    module: &Module,
    program: &Program,
    entry: Option<&str>,
) -> Result<Signature, Error> {
    let functions = collect_operations(root_of(module), |op| name_of(op) == "func.func");
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
        let place = halo_ir::diagnostics::place(op.location());
        let place = place.unwrap_or_else(|| program.name.clone());
        let line = format!("{place}: error: {message}");
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
    let functions = halo_ir::body_of(root_of(module), 0).map(halo_ir::operations_of);
    functions
        .unwrap_or_default()
        .into_iter()
        .find(|op| {
            name_of(*op) == "func.func" && halo_ir::attribute_of(*op, "sym_visibility").is_none()
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
    let r#type = function
        .attribute("function_type")
        .ok()
        .and_then(|attribute| TypeAttribute::try_from(attribute).ok())
        .and_then(|attribute| FunctionType::try_from(attribute.value()).ok())
        .ok_or_else(|| format!("function '{name}' has no type"))?;
    let shapes = |types: Vec<Result<halo_ir::Type, melior::Error>>| {
        let mut shapes = Vec::new();
        for r#type in types {
            passed(r#type.map_err(|error| error.to_string())?, &mut shapes)
                .map_err(|error| format!("function '{name}' takes or returns {error}"))?;
        }
        Ok::<_, String>(shapes)
    };
    let (inputs, results) = (0..r#type.input_count(), 0..r#type.result_count());
    Ok(Signature {
        inputs: shapes(inputs.map(|index| r#type.input(index)).collect())?,
        outputs: shapes(results.map(|index| r#type.result(index)).collect())?,
        name,
    })
}

/// The tensors by which a value of a type is passed: of a tuple, its elements
/// one after the other; of a token, none.
fn passed(r#type: halo_ir::Type, shapes: &mut Vec<ShapePattern>) -> Result<(), String> {
    if is_token(r#type) {
        return Ok(());
    }
    if let Ok(tuple) = TupleType::try_from(r#type) {
        return (0..tuple.type_count()).try_for_each(|position| {
            let element = tuple.r#type(position).map_err(|error| error.to_string())?;
            passed(element, shapes)
        });
    }
    // What bounds a size is of no matter to those who pass a value of it.
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
