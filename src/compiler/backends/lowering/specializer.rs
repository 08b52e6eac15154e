//! The compilation of a program of dynamic shapes for the shapes that it meets.

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

/// A program, or a part of it that computes sizes, to be compiled for inputs.
pub(super) struct Specializer<T> {
    target: T,
    /// The target that makes quick code, if that is made first.
    quick: Option<T>,
    program: Program,
    options: CompileOptions,
    /// The options for compilations that nobody watches.
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
        // Programs that compute sizes are small, and what is shown of a compilation, or
        // changed in it, concerns optimized code.
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

    /// Makes an executable for inputs: one that the cache has, or a quick one, which the cache
    /// never gets, or a fully optimized one.
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
        // A shape that any process has met before is worth an entry.
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
