//! A phase: a named pipeline, and its division into parts that run together.

use halo_ir::pipeline::{Pipeline, ScheduledPass, Step};
use std::borrow::Cow;

/// A named part of a lowering.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The name, for `--compile-to=`.
    pub name: Cow<'static, str>,
    /// The module after the phase.
    pub summary: Cow<'static, str>,
    /// The passes, for the body of a module.
    pub pipeline: Pipeline,
    /// The names of passes that an edit added. Each runs separately, so that the program is
    /// verified and dumped after it.
    pub added: Vec<String>,
    /// The names of passes after which the program is printed.
    pub printed: Vec<String>,
}

/// Passes of a phase that run together.
#[derive(Clone, Debug)]
pub struct Part {
    /// The passes.
    pub pipeline: Pipeline,
    /// The name of the pass, if it runs separately.
    pub alone: Option<String>,
}

impl Phase {
    /// A phase of passes.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
        pipeline: Pipeline,
    ) -> Self {
        Self {
            name: name.into(),
            summary: summary.into(),
            pipeline,
            added: Vec::new(),
            printed: Vec::new(),
        }
    }

    /// Records the names of passes that an edit added.
    pub(super) fn note(&mut self, passes: &Pipeline) {
        for_each_pass(passes, &mut |pass| self.added.push(pass.name().to_owned()));
    }

    /// The passes in order, one per part.
    pub fn passes(&self) -> Vec<Part> {
        parts(&self.pipeline, &|_| true)
    }

    /// The passes in order, split before and after each that runs separately.
    pub fn parts(&self) -> Vec<Part> {
        parts(&self.pipeline, &|pass| {
            let lists = [&self.added, &self.printed];
            lists.iter().any(|list| list.iter().any(|name| name == pass.name()))
        })
    }
}

fn parts(pipeline: &Pipeline, is_alone: &dyn Fn(&ScheduledPass) -> bool) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    let mut add = |step: Step, alone: Option<String>| match (all.last_mut(), &alone) {
        (Some(last), None) if last.alone.is_none() => last.pipeline.push(step),
        _ => all.push(Part {
            pipeline: Pipeline { steps: vec![step] },
            alone,
        }),
    };
    for step in &pipeline.steps {
        match step {
            Step::Pass(pass) => {
                let alone = is_alone(pass).then(|| pass.name().to_owned());
                add(step.clone(), alone);
            }
            Step::Nested { anchor, pipeline } => {
                for part in parts(pipeline, is_alone) {
                    let nested = Step::Nested {
                        anchor: anchor.clone(),
                        pipeline: part.pipeline,
                    };
                    add(nested, part.alone);
                }
            }
        }
    }
    all
}

/// Calls a function with each pass of a pipeline, nested ones too.
pub(super) fn for_each_pass<'p>(
    pipeline: &'p Pipeline,
    function: &mut impl FnMut(&'p ScheduledPass),
) {
    for step in &pipeline.steps {
        match step {
            Step::Pass(pass) => function(pass),
            Step::Nested { pipeline, .. } => for_each_pass(pipeline, function),
        }
    }
}
