//! The CPU target: its phases, and code generation by LLVM.

use super::{products, stored::StoredCode};
use crate::{
    Stored,
    lowering::Lowering,
    pipelines::{
        Phase,
        cpu::{Parameters, phases},
    },
    target::{Artifact, ObjectGenerator, Purpose, Target},
};
use halo_backend::{
    BackendOption, CacheEntry, CompileOptions, Specialize,
    background::Cancellation,
    object_code::{
        CodeForm, entry_symbol,
        runner::{self, Runner},
        sizes_symbol,
    },
};
use halo_codegen::cpu::{
    lower_to_runtime_abi::{ENTRY_SUFFIX, SIZES_SUFFIX},
    task_functions::TASK_SUFFIX,
};
use halo_core::machine::Machine;
use halo_ir::{
    ops::halo::{KERNEL, kernel_of_symbol},
    pass::Verification,
    prelude::*,
};
use halo_llvm::{
    Effort,
    compile::{self, Compilation, Object, compile},
    float16_conversions,
    jit::LoadedObject,
    kernel_cache::compile_cached,
    partition::Functions,
    target::{LentMachine, TargetDescription},
    target_list,
};
use halo_runtime::{
    Device, Error, Executable, Result,
    host::{
        CAN_FLUSH, HostCode, HostExecutable, HostPlatform, PlannedSizes,
        abi::{EntryPoint, SizesPoint},
    },
};
use inkwell::{
    context::Context as LlvmContext,
    module::{Linkage, Module},
    targets::FileType,
    values::FunctionValue,
};
use std::{num::NonZeroUsize, sync::Arc};

/// The processor that code is compiled for: this machine's, or another one. It is detected at the
/// first compilation.
#[derive(Clone, Default)]
pub(super) struct CpuTarget {
    processor: Option<(TargetDescription, Machine)>,
    effort: Effort,
    /// The runner of programs, if they do not run in this process.
    runner: Option<Runner>,
    /// Whether the code is for object files.
    is_for_objects: bool,
    /// Whether code of dynamic shape is for all shapes.
    is_for_all_shapes: bool,
}

impl CpuTarget {
    /// Returns true if the code runs in another process.
    fn runs_elsewhere(&self) -> bool {
        self.is_for_objects || self.runner.is_some()
    }

    /// Returns true if code may use AMX tiles. A process must request them from the system, which
    /// this process and object files for Linux do.
    fn has_matrix_tiles(&self, processor: &TargetDescription) -> bool {
        self.runner.is_none() && (!self.is_for_objects || processor.triple.contains(LINUX))
    }
}

/// How much the compiler optimizes. Results are the same, bit for bit.
const OPTIMIZATION: BackendOption = BackendOption {
    name: "optimization",
    summary: "Code that runs fast, or code that is compiled fast",
    values: &["full", QUICK],
};
const QUICK: &str = "quick";

/// The treatment of subnormal numbers in arithmetic.
const SUBNORMALS: BackendOption = BackendOption {
    name: "subnormals",
    summary: "What arithmetic makes of subnormal numbers: what is exact, or zero",
    values: &["exact", FLUSH],
};
const FLUSH: &str = "flush";

/// The SVE register length that code assumes. The values are clang's, whose option is
/// `-msve-vector-bits=`.
const SVE_BITS: BackendOption = BackendOption {
    name: "sve-vector-bits",
    summary: "The length of the registers of SVE: the processor's if it is known, any, or bits",
    values: &["processor", SCALABLE, "256", "512"],
};
/// The same in SME's streaming mode: `-msve-streaming-vector-bits=`.
const STREAMING_BITS: BackendOption = BackendOption {
    name: "sve-streaming-vector-bits",
    summary: "The length of vectors in SME's streaming mode: the processor's if it is known, any, \
              or bits",
    values: &["processor", SCALABLE, "128", "256", "512"],
};
const SCALABLE: &str = "scalable";

/// The infix of Linux triples.
const LINUX: &str = "-linux";

/// The names of the artifacts.
const LLVM_IR: &str = "llvm-ir";
const ASSEMBLY: &str = "asm";

impl Target for CpuTarget {
    fn phases(&self) -> Vec<Phase> {
        let parameters = match &self.processor {
            Some((processor, machine)) => {
                let has_tiles = self.has_matrix_tiles(processor);
                Parameters {
                    machine: *machine,
                    bf16_products: products::of_bf16(processor, has_tiles),
                    integer_products: products::of_integers(processor, has_tiles),
                    requests_tiles: self.is_for_objects,
                    outer_products: products::outer(processor),
                    checks_lengths: self.runs_elsewhere(),
                    is_for_linux: processor.triple.contains(LINUX),
                    is_quick: self.effort == Effort::Quick,
                }
            }
            None => Parameters::REFERENCE,
        };
        phases(&parameters)
    }

    fn options(&self) -> &'static [BackendOption] {
        &[OPTIMIZATION, SUBNORMALS, SVE_BITS, STREAMING_BITS]
    }

    fn configured(&self, options: &CompileOptions, purpose: Purpose) -> Result<Self> {
        if options.backend.get(&SUBNORMALS) == FLUSH && !CAN_FLUSH {
            return Err(Error::invalid(
                "this processor has no mode in which subnormal numbers are zero",
            ));
        }
        let mut processor = TargetDescription::of(&options.processor)?;
        let bits = options.backend.get(&SVE_BITS);
        if bits == SCALABLE || bits.parse::<u32>().is_ok() {
            processor = processor.with_sve_bits(bits.parse().ok())?;
        }
        let bits = options.backend.get(&STREAMING_BITS);
        if bits == SCALABLE || bits.parse::<u32>().is_ok() {
            processor = processor.with_streaming_bits(bits.parse().ok())?;
        }
        let machine = processor.model()?;
        Ok(Self {
            processor: Some((processor, machine)),
            effort: match options.backend.get(&OPTIMIZATION) {
                QUICK => Effort::Quick,
                _ => Effort::Full,
            },
            runner: options.processor.runner.clone(),
            is_for_objects: purpose == Purpose::Object,
            is_for_all_shapes: options.specialize == Specialize::Never
                || purpose == Purpose::Object,
        })
    }

    fn compiles_all_shapes(&self) -> bool {
        self.is_for_all_shapes
    }

    fn warm_up(&self, options: &CompileOptions) -> Result<()> {
        compile::warm_up(self.processor()?, options.thread_count())
    }

    /// Smaller register tiles and fewer LLVM passes.
    fn baseline(&self) -> Option<Self> {
        let is_full = self.effort == Effort::Full;
        (is_full && self.runner.is_none()).then(|| Self {
            effort: Effort::Quick,
            ..self.clone()
        })
    }

    fn artifacts(&self) -> &'static [Artifact<Self>] {
        &[
            Artifact {
                name: LLVM_IR,
                summary: "LLVM IR after LLVM's optimizer",
                text: |target, lowering| target.text(lowering, LLVM_IR),
            },
            Artifact {
                name: ASSEMBLY,
                summary: "The assembly of the machine code",
                text: |target, lowering| target.text(lowering, ASSEMBLY),
            },
        ]
    }

    fn device(&self) -> Result<Device> {
        if self.runner.is_none() {
            self.processor()?.check_runs_here()?;
        }
        Ok(HostPlatform::device())
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        if let Some(runner) = &self.runner {
            return self.executable_of_runner(lowering, runner);
        }
        let name = lower_to_entry(&mut lowering)?;
        let objects = self.compiled_objects(&mut lowering)?;
        let start = lowering.session.begin("load");
        let code: Vec<&[u8]> = objects.iter().map(|object| &object.code[..]).collect();
        let (entry, keep_alive) = load(code.iter().copied(), &name)?;
        let sizes = match lowering.metadata.size_checks.take() {
            Some(messages) => Some(PlannedSizes {
                function: sizes_point(&keep_alive, &lowering.signature.name)?,
                messages,
                elements: std::mem::take(&mut lowering.metadata.size_elements),
            }),
            None => None,
        };
        let time = start.elapsed();
        lowering.session.report("load", time);
        lowering.session.record(|record| record.times.loading = time.as_secs_f64());
        let host = HostCode {
            entry,
            signature: lowering.signature.clone(),
            sizes,
            arena_size: lowering.metadata.arena_size,
            flush_subnormals: lowering.session.options.backend.get(&SUBNORMALS) == FLUSH,
            arena_largest: std::mem::take(&mut lowering.metadata.arena_largest),
            custom_calls: std::mem::take(&mut lowering.metadata.custom_calls),
            keep_alive,
        };
        lowering.session.store(|| StoredCode::of(&host, &objects))?;
        let registry = lowering.registry(&host.custom_calls)?;
        // SAFETY: The code follows the interface that the pass above lowers to; signature, arena
        // and call sites belong to it.
        let executable = unsafe {
            HostExecutable::new(host, lowering.session.options.thread_count(), &registry)?
        };
        Ok(Box::new(executable))
    }

    fn cache_identity(&self) -> Option<String> {
        // Baseline code is not cached; code for a runner is an object file.
        let is_kept = self.effort == Effort::Full && self.runner.is_none();
        let (processor, _) = self.processor.as_ref().filter(|_| is_kept)?;
        Some(format!("{processor:?}"))
    }

    fn restored(&self, stored: Stored, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        let of_code = StoredCode::from_bytes(&stored.code)?;
        let objects = of_code.objects(options.cache.as_deref())?;
        let name = format!("{}{ENTRY_SUFFIX}", of_code.signature.name);
        let (entry, keep_alive) = load(objects.iter().map(Vec::as_slice), &name)?;
        let sizes = match of_code.sizes {
            Some((messages, elements)) => Some(PlannedSizes {
                function: sizes_point(&keep_alive, &of_code.signature.name)?,
                messages,
                elements,
            }),
            None => None,
        };
        let code = HostCode {
            entry,
            signature: of_code.signature,
            sizes,
            arena_size: of_code.arena_size,
            flush_subnormals: of_code.flush_subnormals,
            arena_largest: stored.arena_largest,
            custom_calls: stored.custom_calls,
            keep_alive,
        };
        // SAFETY: This entry was stored by `executable`. The cache returns it unchanged, its key
        // contains the processor and this build, and only the user can write to it.
        let executable =
            unsafe { HostExecutable::new(code, options.thread_count(), &options.custom_calls)? };
        Ok(Box::new(executable))
    }

    fn objects(&self) -> Option<&dyn ObjectGenerator> {
        Some(self)
    }
}

impl ObjectGenerator for CpuTarget {
    fn form(&self) -> CodeForm {
        CodeForm::Object
    }

    fn targets(&self, triple: Option<&str>) -> Result<String> {
        target_list::text(triple)
    }

    fn object(&self, lowering: &mut Lowering<'_>, symbol: &str) -> Result<Vec<u8>> {
        if lowering.session.options.backend.get(&SUBNORMALS) == FLUSH {
            return Err(Error::invalid(format!(
                "option '{}={FLUSH}' is for programs that halo-run runs: an object file computes \
                 in the mode of its caller",
                SUBNORMALS.name
            )));
        }
        let name = lower_to_entry(lowering)?;
        let start = lowering.session.begin("machine-code");
        let context = LlvmContext::create();
        let (module, machine) = self.optimized(lowering, &context, |module, processor| {
            float16_conversions::add(module, processor)?;
            keep_one_symbol(module, &name, symbol)
        })?;
        lowering
            .session
            .dump((LLVM_IR, "ll"), || module.print_to_string().to_string())?;
        let object = halo_llvm::emit(&module, &machine, FileType::Object)?;
        lowering.session.report("machine-code", start.elapsed());
        Ok(object)
    }

    fn description(&self, options: &CompileOptions) -> String {
        let processor = self.processor.as_ref();
        let (triple, cpu) = processor.map_or(("", ""), |(it, _)| (&it.triple, &it.cpu));
        let features = options.processor.features.as_deref().unwrap_or_default();
        let sve_bits = processor.and_then(|(_, machine)| machine.sve_bits);
        let sve_bits = sve_bits.map_or(String::new(), |bits| format!("SVE of {bits} bits"));
        let streaming_bits = processor.and_then(|(_, machine)| machine.streaming_bits);
        let of_sme = |bits| format!("SME of {bits} bits");
        let streaming_bits = streaming_bits.map_or(String::new(), of_sme);
        let parts = [triple, cpu, features, &sve_bits, &streaming_bits].into_iter();
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }
}

impl CpuTarget {
    fn processor(&self) -> Result<&TargetDescription> {
        let processor = self.processor.as_ref().map(|(processor, _)| processor);
        processor.ok_or_else(|| Error::internal("the processor is not chosen"))
    }

    /// An executable whose code runs in another process.
    fn executable_of_runner(
        &self,
        mut lowering: Lowering<'_>,
        runner: &Runner,
    ) -> Result<Box<dyn Executable>> {
        let object = self.object(&mut lowering, &entry_symbol(runner::NAME))?;
        let code = lowering.take_object_code(runner::NAME, (CodeForm::Object, object));
        let registry = lowering.registry(&code.custom_calls)?;
        runner.executable(code, &registry)
    }

    /// The object files of the program.
    fn compiled_objects(&self, lowering: &mut Lowering<'_>) -> Result<Vec<Object>> {
        if lowering.session.options.dump_dir.is_some() {
            self.text(lowering, ASSEMBLY)?;
        }
        let start = lowering.session.begin("machine-code");
        let functions = Functions::of(lowering.operation(), kernel_of);
        let observers = &lowering.session.options.observers;
        let started = |count| observers.kernels_found(count);
        let recorder = lowering.session.recorder();
        let cancellation = lowering.session.cancellation();
        let threads = match cancellation {
            Some(_) => NonZeroUsize::MIN,
            None => lowering.session.options.thread_count(),
        };
        let compilation = Compilation {
            target: self.processor()?,
            effort: self.effort,
            threads,
            proceed: &|| cancellation.map_or(Ok(()), Cancellation::check),
            finished: &|object| {
                observers.kernel_finished(&object.name, object.time);
                if let Some(recorder) = recorder {
                    let seconds = object.time.as_secs_f64();
                    recorder.record().add_code(&object.name, seconds);
                }
            },
        };
        let objects = match lowering.session.cache() {
            Some(cache) => {
                let looked_up = |hit| observers.cache_lookup(CacheEntry::Kernel, hit);
                compile_cached(functions, &compilation, cache, (&looked_up, &started))?
            }
            None => {
                let partitions = functions.partitions();
                started(partitions.len());
                compile(&partitions, &compilation)?
            }
        };
        let time = start.elapsed();
        lowering.session.report("machine-code", time);
        lowering.session.record(|record| {
            record.target = self.description(lowering.session.options);
            record.times.machine_code = time.as_secs_f64();
            record.code_bytes = Some(objects.iter().map(Object::code_bytes).sum());
            for (name, bytes) in objects.iter().flat_map(Object::functions) {
                record.add_code_size(&name, bytes);
            }
        });
        Ok(objects)
    }

    /// The whole program as one LLVM module, optimized after an edit.
    fn optimized<'l>(
        &self,
        lowering: &Lowering<'_>,
        context: &'l LlvmContext,
        change: impl FnOnce(&Module<'l>, &TargetDescription) -> Result<()>,
    ) -> Result<(Module<'l>, LentMachine)> {
        let module = halo_llvm::translate(lowering.operation(), context)?;
        let processor = self.processor()?;
        change(&module, processor)?;
        let machine = processor.machine()?;
        halo_llvm::optimize(&module, &machine, processor, self.effort)?;
        Ok((module, machine))
    }

    /// LLVM IR or assembly of the whole program, for reading, with the functions of
    /// [`compiled_objects`](Self::compiled_objects).
    fn text(&self, lowering: &mut Lowering<'_>, name: &str) -> Result<String> {
        let start = lowering.session.begin(LLVM_IR);
        let context = LlvmContext::create();
        let (module, machine) = self.optimized(lowering, &context, |_, _| Ok(()))?;
        lowering.session.report(LLVM_IR, start.elapsed());
        let llvm_ir = || module.print_to_string().to_string();
        lowering.session.dump((LLVM_IR, "ll"), llvm_ir)?;
        if name == LLVM_IR {
            return Ok(llvm_ir());
        }
        let start = lowering.session.begin(ASSEMBLY);
        let assembly = halo_llvm::emit(&module, &machine, FileType::Assembly)?;
        let assembly = String::from_utf8_lossy(&assembly).into_owned();
        lowering.session.report(ASSEMBLY, start.elapsed());
        lowering.session.dump((ASSEMBLY, "s"), || assembly.clone())?;
        Ok(assembly)
    }
}

/// The kernel that a function implements, is a part of, or calls as a task.
fn kernel_of(function: Operation) -> Option<String> {
    let name = function.attribute("sym_name").and_then(Attribute::string_value)?;
    match function.attribute(KERNEL) {
        Some(_) => Some(kernel_of_symbol(name).to_owned()),
        None => name.strip_suffix(TASK_SUFFIX).map(str::to_owned),
    }
}

/// Runs the phases, and returns the name of the entry function.
fn lower_to_entry(lowering: &mut Lowering<'_>) -> Result<String> {
    lowering.run_phases_with(Verification::Later)?;
    let name = format!("{}{ENTRY_SUFFIX}", lowering.signature.name);
    lowering.function(&name)?;
    Ok(name)
}

/// Renames the functions that applications call, and hides all others from the linker.
fn keep_one_symbol(module: &Module, name: &str, symbol: &str) -> Result<()> {
    let has_code = |function: &FunctionValue| function.count_basic_blocks() != 0;
    for function in module.get_functions().filter(has_code) {
        function.set_linkage(Linkage::Internal);
    }
    let function = module.get_function(name);
    let function = function.ok_or_else(|| Error::internal("the entry was not translated"))?;
    function.set_linkage(Linkage::External);
    function.as_global_value().set_name(symbol);
    let plans = format!("{}{SIZES_SUFFIX}", name.trim_end_matches(ENTRY_SUFFIX));
    if let Some(function) = module.get_function(&plans) {
        function.set_linkage(Linkage::External);
        function.as_global_value().set_name(&sizes_symbol(symbol));
    }
    Ok(())
}

/// Links the objects of a program, and finds its entry, which `--halo-lower-to-runtime-abi`
/// created.
fn load<'a>(
    objects: impl IntoIterator<Item = &'a [u8]>,
    name: &str,
) -> Result<(EntryPoint, Arc<LoadedObject>)> {
    let loaded = LoadedObject::load(objects, &[])?;
    let address = loaded.address(name)?;
    // SAFETY: That pass created the function at this address.
    let entry = unsafe { std::mem::transmute::<usize, EntryPoint>(address) };
    Ok((entry, Arc::new(loaded)))
}

/// The function that plans the sizes of a program of dynamic shape.
fn sizes_point(code: &LoadedObject, name: &str) -> Result<SizesPoint> {
    let address = code.address(&format!("{name}{SIZES_SUFFIX}"))?;
    // SAFETY: As in `load`.
    Ok(unsafe { std::mem::transmute::<usize, SizesPoint>(address) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_backend::{Compiler, Program};
    use halo_llvm::partition::CALLERS;

    /// Kernels in two modules, some of which have loops for LLVM's vectorizer.
    const PROGRAM: &str = "
func.func @main(%x: tensor<40x50xf32>, %y: tensor<50x60xf32>, %z: tensor<40x60xf64>)
    -> (tensor<60xf32>, tensor<40x40xf64>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<40x50xf32>, tensor<50x60xf32>) -> tensor<40x60xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.maximum across dimensions = [0]
    : (tensor<40x60xf32>, tensor<f32>) -> tensor<60xf32>
  %2 = stablehlo.dot_general %z, %z, contracting_dims = [1] x [1]
    : (tensor<40x60xf64>, tensor<40x60xf64>) -> tensor<40x40xf64>
  return %1, %2 : tensor<60xf32>, tensor<40x40xf64>
}";

    fn program(code: &str) -> Program {
        Program {
            name: "program.mlir".into(),
            code: code.as_bytes().to_vec(),
        }
    }

    fn compiler() -> impl Compiler {
        crate::TargetCompiler::new(CpuTarget::default())
    }

    /// The names and object files of the program's modules, for a processor.
    fn objects(threads: usize) -> Vec<(String, Vec<u8>)> {
        let options = CompileOptions {
            processor: halo_backend::ProcessorOptions {
                triple: Some("x86_64-unknown-linux-gnu".into()),
                cpu: Some("x86-64-v3".into()),
                ..halo_backend::ProcessorOptions::default()
            },
            ..CompileOptions::default()
        };
        let lowered = (compiler().compile_to(&program(PROGRAM), "llvm", &options)).unwrap();
        let context = crate::context();
        let module = halo_frontend::parse(&context, &program(&lowered)).unwrap();
        let target = TargetDescription::of(&options.processor).unwrap();
        let parts = Functions::of(halo_ir::root_of(&module), kernel_of).partitions();
        let compilation = Compilation {
            target: &target,
            effort: Effort::Full,
            threads: NonZeroUsize::new(threads).unwrap(),
            proceed: &|| Ok(()),
            finished: &|_| {},
        };
        let objects = compile(&parts, &compilation).unwrap();
        let parts = objects.into_iter();
        parts.map(|object| (object.name, object.code)).collect()
    }

    #[test]
    fn code_does_not_depend_on_earlier_programs() {
        let (program, options) = (program(PROGRAM), CompileOptions::default());
        let code = || compiler().compile_to(&program, "llvm", &options).unwrap();
        let first = code();
        // There are fewer pooled contexts.
        for _ in 0..10 {
            compiler().warm_up(&options).unwrap();
            assert_eq!(code(), first);
        }
    }

    /// The cache keys of the kernels of a module.
    fn kernel_names(module: &str) -> Vec<Option<String>> {
        let context = crate::context();
        let module = halo_frontend::parse(&context, &program(module)).unwrap();
        let functions = Functions::of(halo_ir::root_of(&module), kernel_of);
        functions.shared_names()
    }

    /// A kernel that reads constants and has a loop.
    const KERNEL: &str = r#"
llvm.mlir.global internal constant @first(dense<[1.0, 2.0]> : tensor<2xf32>) : !llvm.array<2 x f32>
llvm.mlir.global internal constant @second(dense<[3.0, 4.0]> : tensor<2xf32>) : !llvm.array<2 x f32>
llvm.func @outside(!llvm.ptr)
llvm.func internal @main_kernel_0(%x: !llvm.ptr, %n: i64) attributes {halo.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.mlir.addressof @first : !llvm.ptr
  %b = llvm.mlir.addressof @second : !llvm.ptr
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  llvm.call @outside(%a) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^end:
  llvm.call @outside(%b) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @main_kernel_0__task(%x: !llvm.ptr, %n: i64) {
  llvm.call @main_kernel_0(%x, %n) : (!llvm.ptr, i64) -> ()
  llvm.return
}
"#;

    #[test]
    fn kernels_in_the_cache_are_named_by_their_contents() {
        let names = kernel_names(KERNEL);
        let [Some(name)] = &names[..] else {
            panic!("{names:?}");
        };
        assert!(name.starts_with("kernel_"), "{name}");
        let renamed = KERNEL
            .replace("main_kernel_0", "step_kernel_17")
            .replace("@first", "@constant_5")
            .replace("%next", "%i1")
            .replace("^body", "^bb7");
        assert_eq!(kernel_names(&renamed), names);
        let changes = [
            ("2.0]", "2.5]"),
            ("@outside", "@elsewhere"),
            ("\"slt\"", "\"ult\""),
            ("^body, ^end", "^end, ^body"),
            ("(%a)", "(%b)"),
            ("llvm.add %i, %one", "llvm.add %one, %i"),
            ("{halo.kernel}", "{halo.kernel, halo.vectorized}"),
            ("%n: i64) attributes", "%n: i64 {llvm.noundef}) attributes"),
        ];
        for (from, to) in changes {
            let changed = KERNEL.replace(from, to);
            assert_ne!(changed, KERNEL, "{from}");
            assert_ne!(kernel_names(&changed), names, "{to}");
        }
    }

    #[test]
    fn objects_do_not_depend_on_the_number_of_threads() {
        let alone = objects(1);
        let names: Vec<&str> = alone.iter().map(|(name, _)| &name[..]).collect();
        assert!(names.len() >= 2, "{names:?}");
        assert!(
            names.iter().any(|name| name.ends_with(CALLERS)),
            "{names:?}"
        );
        assert!(alone.iter().all(|(_, code)| code.starts_with(b"\x7fELF")));
        for threads in [2, 8] {
            assert_eq!(objects(threads), alone, "{threads} threads");
        }
    }
}
