//! Compilation of a program: at once if its shapes are static, else for its input shapes.

use super::{
    cached::{entry_of, executable_of_equal_program, executable_of_lowering, executable_of_source},
    tuning::tune,
};
use crate::{
    lowering::{Lowering, flatten, inline, takes_tensors_only},
    pipelines::edits,
    session::{
        Session,
        cache::{Entry, Part, is_watched},
    },
    specialization::{
        self, Inputs, SpecializingExecutable, computed_sizes,
        tiers::{Compilation, Compiled, Tier},
    },
    target::{Purpose, Target},
};
use halo_backend::{CompileOptions, Observers, Program, Specialize};
use halo_ir::edit_module;
use halo_runtime::{Error, Executable, Result};

/// Compiles a program for a target that is not configured yet.
pub(super) fn compile<T: Target>(
    target: &T,
    program: &Program,
    options: &CompileOptions,
) -> Result<Box<dyn Executable>> {
    let target = target.configured(options, Purpose::Run)?;
    compile_part(&target, program, options, (&[], 0))
}

/// Compiles a program that others may enclose, or its size computation of a depth.
fn compile_part<T: Target>(
    target: &T,
    program: &Program,
    options: &CompileOptions,
    (enclosing, depth): (&[String], usize),
) -> Result<Box<dyn Executable>> {
    let (name, asked) = (&program.name, options.entry.as_deref());
    let _span = tracing::debug_span!("compile", program = name, entry = asked, depth).entered();
    let part = Part {
        depth,
        inputs: None,
    };
    let entry = entry_of(target, program, options, part);
    if entry.is_some()
        && target.device().is_ok()
        && let Some(executable) = executable_of_source(target, entry.as_ref())
    {
        return Ok(executable);
    }
    let mut lowering = begin(target, program, options, enclosing)?;
    if options.specialize == Specialize::Never && target.specializes(lowering.module()) {
        return Err(Error::invalid_file(
            name,
            format!(
                "the backend has no code for all shapes, which '--specialize=never' asks for; {} \
                 has dimensions that are not known",
                lowering.signature
            ),
        ));
    }
    keep_sizes(&mut lowering, depth)?;
    let device = target.device()?;
    if !target.specializes(lowering.module()) {
        return executable_of_lowering(target, lowering, (entry, true));
    }
    // Each step leaves fewer ops with computed sizes.
    let has_sizes = !computed_sizes(halo_frontend::entry_of(lowering.module())?).is_empty();
    let sizes = if has_sizes {
        let options = CompileOptions {
            dump_dir: options.dump_dir.as_ref().map(|dir| dir.join("sizes")),
            record: None,
            ..options.clone()
        };
        let sizes = compile_part(target, program, &options, (enclosing, depth + 1))?;
        Some(sizes)
    } else {
        None
    };
    let specializer = Specializer::new(target, program, options, (enclosing, depth));
    Ok(Box::new(SpecializingExecutable::new(
        lowering.module(),
        lowering.signature.clone(),
        device,
        sizes,
        Box::new(move |inputs, compilation| specializer.specialize(inputs, compilation)),
    )))
}

/// Parses a program. The shapes of a program of dynamic shapes are resolved as far as they are
/// known.
///
/// # Errors
/// Returns invalid input with diagnostics.
pub(super) fn begin<'a, T: Target>(
    target: &T,
    program: &'a Program,
    options: &'a CompileOptions,
    enclosing: &'a [String],
) -> Result<Lowering<'a>> {
    let session = Session::new(program, options, enclosing);
    let phases = edits::edited(target.phases(), options)?;
    let of_part = target.clone();
    let mut lowering = Lowering::new(
        session,
        phases,
        Box::new(move |program, options, enclosing| {
            compile_part(&of_part, program, options, (enclosing, 0))
        }),
    )?;
    let is_for_all = target.compiles_all_shapes() && specialization::is_dynamic(lowering.module());
    if is_for_all || target.specializes(lowering.module()) {
        // Constants may determine sizes; the remaining sizes are searched for in one function.
        lowering.run_pipeline(&inline())?;
        if !takes_tensors_only(lowering.module())? {
            lowering.run_pipeline(&flatten())?;
        }
        resolve(&mut lowering, None)?;
    }
    Ok(lowering)
}

/// Slices the program down to its size computation, and repeats on the result `times` times.
fn keep_sizes(lowering: &mut Lowering<'_>, times: usize) -> Result<()> {
    for _ in 0..times {
        let kept = lowering.edit(|_, module| {
            edit_module(module, |module| {
                specialization::keep_sizes(halo_frontend::entry_in(module)?);
                Ok::<_, Error>(())
            })
        });
        kept.map_err(Error::internal)??;
        lowering.signature = halo_frontend::entry_signature(lowering.module())?;
    }
    Ok(())
}

/// Substitutes the known shapes and refines the program.
fn resolve(lowering: &mut Lowering<'_>, inputs: Option<Inputs<'_>>) -> Result<()> {
    let start = lowering.session.begin("shapes");
    lowering.edit(|context, module| specialization::resolve(context, module, inputs))?;
    lowering.signature = halo_frontend::entry_signature(lowering.module())?;
    lowering.finish_phase("shapes", start)
}

/// A program, or its size computation, to be compiled for inputs.
struct Specializer<T> {
    target: T,
    /// The target of the baseline tier, if there is one.
    quick: Option<T>,
    program: Program,
    options: CompileOptions,
    /// The options of background compilations, without observers.
    background_options: CompileOptions,
    enclosing: Vec<String>,
    depth: usize,
}

impl<T: Target> Specializer<T> {
    fn new(
        target: &T,
        program: &Program,
        options: &CompileOptions,
        (enclosing, depth): (&[String], usize),
    ) -> Self {
        // Programs that compute sizes are small; dumps and edited pipelines apply to optimized
        // code.
        let is_tiered = depth == 0 && !options.no_tiered_compilation && !is_watched(options);
        Self {
            target: target.clone(),
            quick: if is_tiered { target.baseline() } else { None },
            program: program.clone(),
            options: options.clone(),
            background_options: CompileOptions {
                observers: Observers::default(),
                ..options.clone()
            },
            enclosing: enclosing.to_vec(),
            depth,
        }
    }

    /// Makes an executable for inputs: from the cache, or baseline code, which is never cached, or
    /// fully optimized code.
    fn specialize(&self, inputs: Inputs<'_>, compilation: Compilation<'_>) -> Result<Compiled> {
        let _span = tracing::debug_span!(
            "specialize",
            program = &*self.program.name,
            arguments = inputs.arguments
        )
        .entered();
        let compiled = self.compiled(inputs, compilation);
        if let Ok(Compiled { tier, .. }) = &compiled {
            let is_waited_for = matches!(compilation, Compilation::FirstMeeting);
            tracing::debug!(?tier, is_waited_for, "program compiled for its inputs");
        }
        compiled
    }

    fn compiled(&self, inputs: Inputs<'_>, compilation: Compilation<'_>) -> Result<Compiled> {
        let (options, cancellation) = match compilation {
            Compilation::FirstMeeting => (&self.options, None),
            Compilation::Background(cancellation) => (&self.background_options, Some(cancellation)),
        };
        let part = Part {
            depth: self.depth,
            inputs: Some(inputs),
        };
        let entry = entry_of(&self.target, &self.program, options, part);
        if let Some(executable) = executable_of_source(&self.target, entry.as_ref()) {
            return Ok(full(executable));
        }
        let quick = self.quick.as_ref().filter(|_| cancellation.is_none());
        // A shape that any process has recorded before is compiled for the cache.
        let quick = quick.filter(|_| !entry.as_ref().is_some_and(Entry::note_meeting));
        let target = quick.unwrap_or(&self.target);
        let mut lowering = begin(target, &self.program, options, &self.enclosing)?;
        lowering.session.cancellation = cancellation;
        keep_sizes(&mut lowering, self.depth)?;
        resolve(&mut lowering, Some(inputs))?;
        let Some(quick) = quick else {
            // The program runs during compilations in the background.
            let measures = cancellation.is_none();
            return executable_of_lowering(target, lowering, (entry, measures)).map(full);
        };
        if let Some(mut entry) = entry
            && let Some(executable) =
                executable_of_equal_program(&self.target, &lowering, &mut entry)
        {
            return Ok(full(executable));
        }
        // Both tiers add in the same order.
        tune(&self.target, &mut lowering, false)?;
        Ok(Compiled {
            executable: quick.executable(lowering)?,
            tier: Tier::Quick,
        })
    }
}

fn full(executable: Box<dyn Executable>) -> Compiled {
    Compiled {
        executable,
        tier: Tier::Full,
    }
}
