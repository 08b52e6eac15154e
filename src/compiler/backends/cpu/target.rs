//! The processor as a target: its phases, and what LLVM makes of the last one.

use crate::{
    backends::lowering::{Lowering, Target},
    pipelines::{
        Phase,
        cpu::{Parameters, phases},
    },
};
use halo_codegen::cpu::{dot_product::DotProducts, lower_to_runtime_abi::ENTRY_SUFFIX};
use halo_ir::{Operation, attribute_of, body_of, operations_of, string_value};
use halo_llvm::{jit::LoadedObject, target::TargetDescription};
use halo_runtime::{
    BackendOption, CompileOptions, Device, Error, Executable, Result,
    host::{CAN_FLUSH, HostCode, HostExecutable, HostPlatform, abi::EntryPoint},
};
use inkwell::targets::FileType;
use std::sync::Arc;

/// The processor that code is made for: the one that this runs on, or another one up to
/// its assembly. None is looked at before a compilation.
#[derive(Clone, Default)]
pub(super) struct CpuTarget(Option<TargetDescription>);

/// What arithmetic makes of numbers near zero.
const SUBNORMALS: BackendOption = BackendOption {
    name: "subnormals",
    summary: "What arithmetic makes of subnormal numbers: what is exact, or zero",
    values: &["exact", FLUSH],
};
const FLUSH: &str = "flush";

type CpuLowering<'a> = Lowering<'a, CpuTarget>;

impl Target for CpuTarget {
    fn phases(&self) -> Vec<Phase> {
        let parameters = match &self.0 {
            Some(processor) => Parameters {
                vector_bits: processor.vector_bits(),
                dot_products: match processor.has_bf16_dot_products() {
                    true => DotProducts::Avx512Bf16,
                    false => DotProducts::None,
                },
            },
            None => Parameters::REFERENCE,
        };
        phases(&parameters)
    }

    fn options(&self) -> &'static [BackendOption] {
        &[SUBNORMALS]
    }

    fn configured(&self, options: &CompileOptions) -> Result<Self> {
        if options.backend.get(&SUBNORMALS) == FLUSH && !CAN_FLUSH {
            return Err(Error::invalid(
                "this processor has no mode in which subnormal numbers are zero",
            ));
        }
        Ok(Self(Some(TargetDescription::of(&options.processor)?)))
    }

    fn artifacts(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("llvm-ir", "LLVM IR after LLVM's optimizer"),
            ("asm", "The assembly of the machine code"),
        ]
    }

    fn device(&self) -> Result<Device> {
        self.processor()?.check_runs_here()?;
        Ok(HostPlatform::device())
    }

    fn executable(&self, mut lowering: CpuLowering<'_>) -> Result<Box<dyn Executable>> {
        lowering.run_phases()?;
        let name = format!("{}{ENTRY_SUFFIX}", lowering.signature.name);
        expect_function(lowering.operation(), &name)?;
        let Emitted::Object(object) = self.emit(&mut lowering, Emission::Object)? else {
            return Err(Error::internal("LLVM made text in place of an object"));
        };
        let start = lowering.begin("load");
        let loaded = LoadedObject::load(object.as_slice(), &[])?;
        let address = loaded.address(&name)?;
        lowering.report("load", start.elapsed());
        let code = HostCode {
            // SAFETY: The function at this address was made by
            // `--halo-lower-to-runtime-abi`, with this signature.
            entry: unsafe { std::mem::transmute::<usize, EntryPoint>(address) },
            signature: lowering.signature.clone(),
            arena_size: lowering.metadata.arena_size,
            flush_subnormals: lowering.options.backend.get(&SUBNORMALS) == FLUSH,
            arena_largest: std::mem::take(&mut lowering.metadata.arena_largest),
            custom_calls: std::mem::take(&mut lowering.metadata.custom_calls),
            keep_alive: Arc::new(loaded),
        };
        let registry = lowering.registry(&code.custom_calls)?;
        // SAFETY: The code keeps to the interface that the pass above lowers to;
        // signature, arena and call sites are those it was compiled with.
        let executable =
            unsafe { HostExecutable::new(code, lowering.options.thread_count(), &registry)? };
        Ok(Box::new(executable))
    }

    fn artifact(&self, lowering: &mut CpuLowering<'_>, name: &str) -> Result<String> {
        let kind = match name {
            "llvm-ir" => Emission::LlvmIr,
            _ => Emission::Assembly,
        };
        match self.emit(lowering, kind)? {
            Emitted::Text(text) => Ok(text),
            Emitted::Object(_) => Err(Error::internal("LLVM made an object in place of text")),
        }
    }
}

impl CpuTarget {
    fn processor(&self) -> Result<&TargetDescription> {
        let processor = self.0.as_ref();
        processor.ok_or_else(|| Error::internal("the processor is not chosen"))
    }

    fn emit(&self, lowering: &mut CpuLowering<'_>, kind: Emission) -> Result<Emitted> {
        let start = lowering.begin("llvm-ir");
        let context = inkwell::context::Context::create();
        let module = halo_llvm::translate(lowering.operation(), &context)?;
        let processor = self.processor()?;
        let machine = processor.machine()?;
        halo_llvm::optimize(&module, &machine, processor)?;
        lowering.report("llvm-ir", start.elapsed());
        lowering.finish_step(("llvm-ir", "ll"), |_| module.print_to_string().to_string())?;
        let start = lowering.begin("asm");
        let emitted = match kind {
            Emission::LlvmIr => Emitted::Text(module.print_to_string().to_string()),
            Emission::Assembly => {
                let buffer = halo_llvm::emit(&module, &machine, FileType::Assembly)?;
                Emitted::Text(String::from_utf8_lossy(buffer.as_slice()).into_owned())
            }
            Emission::Object => {
                if lowering.options.dump_dir.is_some() {
                    let buffer = halo_llvm::emit(&module, &machine, FileType::Assembly)?;
                    let text = |_: &CpuLowering<'_>| {
                        String::from_utf8_lossy(buffer.as_slice()).into_owned()
                    };
                    lowering.finish_step(("asm", "s"), text)?;
                }
                Emitted::Object(halo_llvm::emit(&module, &machine, FileType::Object)?)
            }
        };
        lowering.report("asm", start.elapsed());
        Ok(emitted)
    }
}

/// Fails if a module has no function of a name, as after passes that were inserted,
/// replaced or removed.
fn expect_function(module: Operation, name: &str) -> Result<()> {
    let functions = body_of(module, 0).map(operations_of).unwrap_or_default();
    let mut names = functions
        .into_iter()
        .filter_map(|function| attribute_of(function, "sym_name").and_then(string_value));
    match names.any(|other| other == name) {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "the phases have left no function '{name}' that can be run"
        ))),
    }
}

/// The output of LLVM.
enum Emission {
    LlvmIr,
    Assembly,
    Object,
}

enum Emitted {
    Text(String),
    Object(inkwell::memory_buffer::MemoryBuffer<'static>),
}
