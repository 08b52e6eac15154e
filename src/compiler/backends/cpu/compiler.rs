//! The phases of the CPU backend, one after the other.

use crate::{
    backends::specialization::{self, SpecializingExecutable, is_dynamic},
    codegen::{
        buffer_assignment::{ARENA_BYTES, ARENA_LARGEST, ENTRY},
        runtime_abi::ENTRY_SUFFIX,
    },
    conversion::stablehlo_to_linalg::{
        CUSTOM_CALL_ATTRIBUTES, CUSTOM_CALL_CONFIG, CUSTOM_CALL_OPERAND_LAYOUTS,
        CUSTOM_CALL_OPERAND_TYPES, CUSTOM_CALL_PREFIX, CUSTOM_CALL_RESULT_LAYOUTS,
        CUSTOM_CALL_RESULT_TYPES, CUSTOM_CALL_TARGET,
    },
    custom_calls, frontend,
    ir::{self, Operation, collect_operations, name_of, string_value},
    native::{
        jit::LoadedObject,
        llvm::{self, TargetDescription},
    },
    pipelines::{Phase, cpu::PHASES},
};
use halo_core::Shape;
use halo_dialects::diagnostics::place;
use halo_runtime::{
    CompileOptions, Compiler, CustomCallRegistry, CustomCallSite, Error, Executable,
    PhaseDescription, Program, Result, Signature,
    communication::run_parallel::{self, Executables, Programs, RUN_PARALLEL},
    host::{HostCode, HostExecutable, HostPlatform, abi::EntryPoint},
};
use inkwell::targets::FileType;
use melior::{
    Context,
    ir::{Module, attribute::TypeAttribute, operation::OperationLike},
};
use std::{
    path::Path,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

/// Compiles for the processor that it runs on.
pub(super) struct CpuCompiler;

/// What makes one function of a program.
const INLINE: &str = "stablehlo-legalize-composite-to-call,inline,symbol-dce";

static DESCRIPTIONS: LazyLock<Vec<PhaseDescription>> = LazyLock::new(|| {
    let describe = |name, summary| PhaseDescription { name, summary };
    let mut all = vec![describe("input", "The program as it was read")];
    all.extend(
        PHASES
            .iter()
            .map(|phase| describe(phase.name, phase.summary)),
    );
    all.push(describe("llvm-ir", "LLVM IR after LLVM's optimizer"));
    all.push(describe("asm", "The assembly of the machine code"));
    all
});

/// What the runtime must know of a compiled program beside its code.
#[derive(Default)]
struct Metadata {
    arena_size: usize,
    arena_largest: String,
    custom_calls: Vec<CustomCallSite>,
}

/// The phases before LLVM IR, run in order on one module.
struct Lowering<'c, 'a> {
    context: &'c Context,
    module: Module<'c>,
    signature: Signature,
    metadata: Metadata,
    target: TargetDescription,
    program: &'a Program,
    options: &'a CompileOptions,
    /// The programs that run this one by `interpreter.run_parallel`.
    enclosing: &'a [String],
    number: usize,
}

impl<'c, 'a> Lowering<'c, 'a> {
    fn new(
        context: &'c Context,
        program: &'a Program,
        options: &'a CompileOptions,
        enclosing: &'a [String],
    ) -> Result<Self> {
        let start = Instant::now();
        let (module, signature) = frontend::load(context, program, options)?;
        let mut lowering = Self {
            context,
            module,
            signature,
            metadata: Metadata::default(),
            target: TargetDescription::host(),
            program,
            options,
            enclosing,
            number: 0,
        };
        lowering.finish_phase("input", start.elapsed())?;
        if is_dynamic(&lowering.module) {
            // Sizes may follow from constants alone; and those that do not are
            // looked for in one function.
            frontend::run_pipeline(context, &mut lowering.module, INLINE)?;
            lowering.resolve(None)?;
        }
        Ok(lowering)
    }

    fn run(&mut self, phase: &Phase) -> Result<()> {
        let start = Instant::now();
        let pipeline = phase.pipeline(self.target.vector_bits());
        frontend::run_pipeline(self.context, &mut self.module, &pipeline)?;
        self.read_metadata()?;
        self.finish_phase(phase.name, start.elapsed())
    }

    fn finish_phase(&mut self, name: &str, time: Duration) -> Result<()> {
        report(self.options, name, time);
        if let Some(folder) = &self.options.dump_dir {
            let text = self.module.as_operation().to_string();
            dump(folder, self.number, name, "mlir", &text)?;
        }
        self.number += 1;
        Ok(())
    }

    /// Attributes and declarations that later phases drop are read as soon as
    /// they are there.
    fn read_metadata(&mut self) -> Result<()> {
        let mut sites = Vec::new();
        for function in collect_operations(frontend::root_of(&self.module), |op| {
            name_of(op) == "func.func"
        }) {
            if function.has_attribute(ENTRY)
                && let Some(bytes) = function
                    .attribute(ARENA_BYTES)
                    .ok()
                    .and_then(ir::integer_attribute_value)
            {
                self.metadata.arena_size = usize::try_from(bytes).unwrap_or(0);
                let largest = function
                    .attribute(ARENA_LARGEST)
                    .ok()
                    .and_then(string_value);
                self.metadata.arena_largest = largest.unwrap_or_default().to_owned();
            }
            if function.has_attribute(CUSTOM_CALL_TARGET) {
                sites.push(custom_call_site(function)?);
            }
        }
        if self.metadata.custom_calls.is_empty() && !sites.is_empty() {
            sites.sort_by_key(|(number, _)| *number);
            self.metadata.custom_calls = sites.into_iter().map(|(_, site)| site).collect();
        }
        Ok(())
    }

    /// Runs all phases, and loads the code.
    fn executable(mut self) -> Result<Box<dyn Executable>> {
        for phase in PHASES {
            self.run(phase)?;
        }
        let Emitted::Object(object) = self.emit(Emission::Object)? else {
            return Err(Error::internal("LLVM made text in place of an object"));
        };
        let start = Instant::now();
        let loaded = LoadedObject::load(object.as_slice())?;
        let name = format!("{}{ENTRY_SUFFIX}", self.signature.name);
        let address = loaded.address(&name)?;
        report(self.options, "load", start.elapsed());
        let code = HostCode {
            // SAFETY: The function at this address was made by
            // `--halo-lower-to-runtime-abi`, with this signature.
            entry: unsafe { std::mem::transmute::<usize, EntryPoint>(address) },
            signature: self.signature.clone(),
            arena_size: self.metadata.arena_size,
            arena_largest: std::mem::take(&mut self.metadata.arena_largest),
            custom_calls: std::mem::take(&mut self.metadata.custom_calls),
            keep_alive: Arc::new(loaded),
        };
        let registry = self.registry(&code.custom_calls)?;
        // SAFETY: The code keeps to the interface that the pass above lowers to;
        // signature, arena and call sites are those it was compiled with.
        let executable =
            unsafe { HostExecutable::new(code, self.options.thread_count(), &registry)? };
        Ok(Box::new(executable))
    }

    /// What the custom calls of the program may name: with the programs that it
    /// runs side by side, if it does, each compiled as a program of its own.
    fn registry(&self, sites: &[CustomCallSite]) -> Result<Arc<CustomCallRegistry>> {
        let sites = sites.iter().filter(|site| site.target == RUN_PARALLEL);
        let mut executables = Executables::new();
        for site in sites {
            let programs: Programs = site.backend_config.parse().map_err(Error::internal)?;
            for name in programs.names() {
                if !executables.contains_key(name) {
                    let executable = Arc::from(self.compile_part(name, &site.location)?);
                    executables.insert(name.to_owned(), executable);
                }
            }
        }
        if executables.is_empty() {
            return Ok(Arc::clone(&self.options.custom_calls));
        }
        let mut registry = (*self.options.custom_calls).clone();
        registry.register(RUN_PARALLEL, run_parallel::handler(executables));
        Ok(Arc::new(registry))
    }

    fn compile_part(&self, name: &str, location: &str) -> Result<Box<dyn Executable>> {
        let mut enclosing = self.enclosing.to_vec();
        enclosing.push(self.signature.name.clone());
        if enclosing.iter().any(|outer| outer == name) {
            let message = format!("'interpreter.run_parallel' op runs '{name}' inside of itself");
            let place = format!("{location}: error: {message}");
            return Err(Error::diagnosed(message, vec![place]));
        }
        let options = CompileOptions {
            entry: Some(name.to_owned()),
            dump_dir: self.options.dump_dir.as_ref().map(|dir| dir.join(name)),
            ..self.options.clone()
        };
        compile(self.program, &options, &enclosing)
    }

    /// Puts all shapes that are known into the program.
    fn resolve(&mut self, arguments: Option<&str>) -> Result<()> {
        let start = Instant::now();
        specialization::resolve(self.context, &mut self.module, arguments)?;
        self.signature = frontend::entry_signature(&self.module)?;
        self.finish_phase("shapes", start.elapsed())
    }

    fn emit(&mut self, kind: Emission) -> Result<Emitted> {
        let start = Instant::now();
        let context = inkwell::context::Context::create();
        let module = llvm::translate(&self.module, &context)?;
        let machine = self.target.machine()?;
        llvm::optimize(&module, &machine, &self.target)?;
        report(self.options, "llvm-ir", start.elapsed());
        if let Some(folder) = &self.options.dump_dir {
            let text = module.print_to_string().to_string();
            dump(folder, self.number, "llvm-ir", "ll", &text)?;
        }
        self.number += 1;
        let start = Instant::now();
        let emitted = match kind {
            Emission::LlvmIr => Emitted::Text(module.print_to_string().to_string()),
            Emission::Assembly => {
                let buffer = llvm::emit(&module, &machine, FileType::Assembly)?;
                Emitted::Text(String::from_utf8_lossy(buffer.as_slice()).into_owned())
            }
            Emission::Object => {
                if let Some(folder) = &self.options.dump_dir {
                    let buffer = llvm::emit(&module, &machine, FileType::Assembly)?;
                    let text = String::from_utf8_lossy(buffer.as_slice());
                    dump(folder, self.number, "asm", "s", &text)?;
                }
                Emitted::Object(llvm::emit(&module, &machine, FileType::Object)?)
            }
        };
        report(self.options, "asm", start.elapsed());
        Ok(emitted)
    }
}

/// Compiles a program, which others may run.
fn compile(
    program: &Program,
    options: &CompileOptions,
    enclosing: &[String],
) -> Result<Box<dyn Executable>> {
    let context = frontend::context();
    let lowering = Lowering::new(&context, program, options, enclosing)?;
    if !is_dynamic(&lowering.module) {
        return lowering.executable();
    }
    let (program, options) = (program.clone(), options.clone());
    let enclosing = enclosing.to_vec();
    let specialize = move |arguments: &str| {
        let context = frontend::context();
        let mut lowering = Lowering::new(&context, &program, &options, &enclosing)?;
        lowering.resolve(Some(arguments))?;
        lowering.executable()
    };
    Ok(Box::new(SpecializingExecutable::new(
        &lowering.module,
        lowering.signature,
        HostPlatform::device(),
        Box::new(specialize),
    )))
}

/// What is wanted of LLVM.
enum Emission {
    LlvmIr,
    Assembly,
    Object,
}

enum Emitted {
    Text(String),
    Object(inkwell::memory_buffer::MemoryBuffer<'static>),
}

impl Compiler for CpuCompiler {
    fn phases(&self) -> &[PhaseDescription] {
        &DESCRIPTIONS
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        compile(program, options, &[])
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        let last = self.phase(phase)?.name;
        let context = frontend::context();
        let mut lowering = Lowering::new(&context, program, options, &[])?;
        if last == "input" {
            return Ok(lowering.module.as_operation().to_string());
        }
        for phase in PHASES {
            lowering.run(phase)?;
            if phase.name == last {
                return Ok(lowering.module.as_operation().to_string());
            }
        }
        let kind = if last == "llvm-ir" {
            Emission::LlvmIr
        } else {
            Emission::Assembly
        };
        match lowering.emit(kind)? {
            Emitted::Text(text) => Ok(text),
            Emitted::Object(_) => Err(Error::internal("LLVM made an object in place of text")),
        }
    }
}
/// The call site that a declaration stands for, with its number.
fn custom_call_site(declaration: Operation) -> Result<(usize, CustomCallSite)> {
    let text = |name: &str| {
        declaration
            .attribute(name)
            .ok()
            .and_then(string_value)
            .unwrap_or_default()
    };
    let number = text("sym_name")
        .strip_prefix(CUSTOM_CALL_PREFIX)
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| Error::internal("a custom call has no number"))?;
    let shapes = |name: &str| {
        declaration
            .attribute(name)
            .map(ir::attribute_list)
            .unwrap_or_default()
            .into_iter()
            .filter_map(|attribute| TypeAttribute::try_from(attribute).ok())
            .map(|attribute| attribute.value().to_string().parse())
            .collect::<Result<Vec<Shape>, _>>()
    };
    let operands = shapes(CUSTOM_CALL_OPERAND_TYPES)?;
    let results = shapes(CUSTOM_CALL_RESULT_TYPES)?;
    let layouts = |name: &str, shapes: &[Shape]| {
        let attribute = ir::attribute_of(declaration, name);
        custom_calls::layouts(attribute, shapes.iter().map(Shape::rank)).map_err(Error::internal)
    };
    let attributes = ir::attribute_of(declaration, CUSTOM_CALL_ATTRIBUTES);
    let attributes = attributes.map(ir::dictionary_entries).unwrap_or_default();
    let site = CustomCallSite {
        operand_layouts: layouts(CUSTOM_CALL_OPERAND_LAYOUTS, &operands)?,
        result_layouts: layouts(CUSTOM_CALL_RESULT_LAYOUTS, &results)?,
        backend_config: text(CUSTOM_CALL_CONFIG).to_owned(),
        attributes: custom_calls::plain_attributes(attributes),
        location: place(declaration.location()).unwrap_or_default(),
        ..CustomCallSite::new(text(CUSTOM_CALL_TARGET), operands, results)
    };
    Ok((number, site))
}

fn report(options: &CompileOptions, phase: &str, time: Duration) {
    if options.timing {
        eprintln!("{:>9.3} ms  {phase}", time.as_secs_f64() * 1e3);
    }
}

/// Writes a dump, whole or not at all.
fn dump(folder: &Path, number: usize, phase: &str, extension: &str, text: &str) -> Result<()> {
    let path = folder.join(format!("{number:02}-{phase}.{extension}"));
    let write = || {
        std::fs::create_dir_all(folder)?;
        let file = tempfile::NamedTempFile::new_in(folder)?;
        std::fs::write(file.path(), text)?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok::<_, std::io::Error>(())
    };
    write().map_err(|error| {
        let message = format!("{}: error: {error}", path.display());
        Error::diagnosed(message.clone(), vec![message])
    })
}
