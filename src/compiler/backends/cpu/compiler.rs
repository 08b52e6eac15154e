//! The phases of the CPU backend, one after the other.

use crate::{
    backends::lowering::{self, Lowering, Target},
    pipelines::{
        Phase,
        cpu::{Parameters, phases},
    },
};
use halo_codegen::cpu::lower_to_runtime_abi::ENTRY_SUFFIX;
use halo_core::Literal;
use halo_llvm::{jit::LoadedObject, target::TargetDescription};
use halo_runtime::{
    CompileOptions, Compiler, Device, Error, Executable, PhaseDescription, Program, Result,
    host::{HostCode, HostExecutable, HostPlatform, abi::EntryPoint},
};
use inkwell::targets::FileType;
use std::{
    sync::{Arc, LazyLock},
    time::Instant,
};

/// Compiles for the processor that it runs on, or for another one up to its
/// assembly.
pub(super) struct CpuCompiler;

static DESCRIPTIONS: LazyLock<Vec<PhaseDescription>> = LazyLock::new(|| {
    let mut all = lowering::descriptions(&phases(&Parameters::REFERENCE));
    all.push(PhaseDescription {
        name: "llvm-ir".into(),
        summary: "LLVM IR after LLVM's optimizer".into(),
    });
    all.push(PhaseDescription {
        name: "asm".into(),
        summary: "The assembly of the machine code".into(),
    });
    all
});

/// The processor that code is made for.
#[derive(Clone)]
struct CpuTarget(TargetDescription);

type CpuLowering<'c, 'a> = Lowering<'c, 'a, CpuTarget>;

impl Target for CpuTarget {
    fn device(&self) -> Result<Device> {
        Ok(HostPlatform::device())
    }

    fn executable(&self, mut lowering: CpuLowering<'_, '_>) -> Result<Box<dyn Executable>> {
        for phase in self.phases() {
            lowering.run(&phase)?;
        }
        let Emitted::Object(object) = self.emit(&mut lowering, Emission::Object)? else {
            return Err(Error::internal("LLVM made text in place of an object"));
        };
        let start = Instant::now();
        let loaded = LoadedObject::load(object.as_slice(), &[])?;
        let name = format!("{}{ENTRY_SUFFIX}", lowering.signature.name);
        let address = loaded.address(&name)?;
        lowering.report("load", start.elapsed());
        let code = HostCode {
            // SAFETY: The function at this address was made by
            // `--halo-lower-to-runtime-abi`, with this signature.
            entry: unsafe { std::mem::transmute::<usize, EntryPoint>(address) },
            signature: lowering.signature.clone(),
            arena_size: lowering.metadata.arena_size,
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
}

impl CpuTarget {
    fn phases(&self) -> Vec<Phase> {
        phases(&Parameters {
            vector_bits: self.0.vector_bits(),
        })
    }

    fn emit(&self, lowering: &mut CpuLowering<'_, '_>, kind: Emission) -> Result<Emitted> {
        let start = Instant::now();
        let context = inkwell::context::Context::create();
        let module = halo_llvm::translate(halo_ir::root_of(&lowering.module), &context)?;
        let machine = self.0.machine()?;
        halo_llvm::optimize(&module, &machine, &self.0)?;
        lowering.report("llvm-ir", start.elapsed());
        lowering.finish_step(("llvm-ir", "ll"), || module.print_to_string().to_string())?;
        let start = Instant::now();
        let emitted = match kind {
            Emission::LlvmIr => Emitted::Text(module.print_to_string().to_string()),
            Emission::Assembly => {
                let buffer = halo_llvm::emit(&module, &machine, FileType::Assembly)?;
                Emitted::Text(String::from_utf8_lossy(buffer.as_slice()).into_owned())
            }
            Emission::Object => {
                if lowering.options.dump_dir.is_some() {
                    let buffer = halo_llvm::emit(&module, &machine, FileType::Assembly)?;
                    let text = || String::from_utf8_lossy(buffer.as_slice()).into_owned();
                    lowering.finish_step(("asm", "s"), text)?;
                }
                Emitted::Object(halo_llvm::emit(&module, &machine, FileType::Object)?)
            }
        };
        lowering.report("asm", start.elapsed());
        Ok(emitted)
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

impl Compiler for CpuCompiler {
    fn phases(&self) -> &[PhaseDescription] {
        &DESCRIPTIONS
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        let target = TargetDescription::of(&options.processor)?;
        target.check_runs_here()?;
        lowering::compile(&CpuTarget(target), program, options)
    }

    fn recorded_inputs(&self, program: &Program) -> Result<Option<Vec<Literal>>> {
        halo_frontend::recorded_inputs(program)
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        let last = &self.phase(phase)?.name;
        let context = crate::context();
        let target = CpuTarget(TargetDescription::of(&options.processor)?);
        let mut lowering = Lowering::new(target.clone(), &context, program, options, &[])?;
        if let Some(text) = lowering.run_to(&target.phases(), last)? {
            return Ok(text);
        }
        let kind = if last == "llvm-ir" {
            Emission::LlvmIr
        } else {
            Emission::Assembly
        };
        match target.emit(&mut lowering, kind)? {
            Emitted::Text(text) => Ok(text),
            Emitted::Object(_) => Err(Error::internal("LLVM made an object in place of text")),
        }
    }
}
