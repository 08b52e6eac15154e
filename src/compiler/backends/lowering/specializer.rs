//! Compilation of a program of dynamic shapes for its input shapes.

use super::{
    Lowering, Target,
    cached::{
        Entry, Part, executable_of_equal_program, executable_of_lowering, executable_of_source,
        is_watched,
    },
};
use crate::backends::specialization::{
    Inputs,
    tiers::{Compilation, Compiled, Tier},
};
use halo_runtime::{CompileOptions, Executable, Observers, Program, Result};

/// A program, or its size computation, to be compiled for inputs.
pub(super) struct Specializer<T> {
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
    pub fn new(
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
            quick: if is_tiered { target.quick() } else { None },
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
    pub fn specialize(&self, inputs: Inputs<'_>, compilation: Compilation<'_>) -> Result<Compiled> {
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
        let entry = Entry::of(&self.target, &self.program, options, part);
        if let Some(executable) = executable_of_source(&self.target, entry.as_ref()) {
            return Ok(full(executable));
        }
        let quick = self.quick.as_ref().filter(|_| cancellation.is_none());
        // A shape that any process has recorded before is compiled for the cache.
        let quick = quick.filter(|_| !entry.as_ref().is_some_and(Entry::note_meeting));
        let target = quick.unwrap_or(&self.target);
        let mut lowering = Lowering::new(target, &self.program, options, &self.enclosing)?;
        lowering.cancellation = cancellation;
        lowering.keep_sizes(self.depth)?;
        lowering.resolve(Some(inputs))?;
        let Some(quick) = quick else {
            return executable_of_lowering(target, lowering, entry).map(full);
        };
        if let Some(mut entry) = entry
            && let Some(executable) =
                executable_of_equal_program(&self.target, &lowering, &mut entry)
        {
            return Ok(full(executable));
        }
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
