//! Passes that a bisection disables: optimizations after the enabled part of the pipeline.

use crate::pipelines::{Phase, optional};
use halo_backend::bisection::{Bisection, Found, FoundApplication, FoundPass};
use halo_ir::{
    pipeline::{Pipeline, Step},
    rewrite::fuel::{self, Application},
};
use std::{collections::HashMap, sync::Arc};

/// The next pass of a bisected compilation.
pub struct Bisected {
    bisection: Arc<Bisection>,
    passes: Vec<FoundPass>,
    next: usize,
}

impl Bisected {
    /// The passes of phases, of which the bisection disables some.
    pub fn new(bisection: &Arc<Bisection>, phases: &[Phase]) -> Self {
        let passes = describe(phases, bisection.cleans_up);
        bisection.note(|found| {
            *found = Found {
                passes: passes.clone(),
                ..Found::default()
            }
        });
        Self {
            bisection: Arc::clone(bisection),
            passes,
            next: 0,
        }
    }

    /// The place of the next pass.
    pub fn place(&self) -> &str {
        self.passes.get(self.next).map_or("", |pass| &pass.place)
    }

    /// Runs the next pass, unless it is disabled.
    pub fn run<E>(&mut self, run: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let (index, enabled) = (self.next, self.bisection.passes);
        self.next += 1;
        let is_optional = self.passes.get(index).is_some_and(|pass| pass.is_optional);
        if is_optional && index >= enabled {
            return Ok(());
        }
        self.bisection.note(|found| found.running = Some(index));
        if index + 1 != enabled {
            return run();
        }
        match self.bisection.applications {
            0 => Ok(()),
            limit => {
                let bisection = Arc::clone(&self.bisection);
                let attempted = move |application: &Application| {
                    bisection.note(|found| found.last = Some(described(application.clone())));
                };
                let (result, applications) = fuel::limited(limit, attempted, run);
                self.bisection.note(|found| {
                    found.applications = applications.count;
                    found.last = applications.last.map(described);
                });
                result
            }
        }
    }
}

fn described(application: Application) -> FoundApplication {
    let Application {
        pattern,
        op,
        location,
        before,
        after,
    } = application;
    FoundApplication {
        pattern,
        op,
        location,
        before,
        after,
    }
}

/// All passes, in the order of [`Phase::passes`].
fn describe(phases: &[Phase], cleans_up: bool) -> Vec<FoundPass> {
    let mut all = Vec::new();
    for phase in phases {
        let names: Vec<String> =
            phase.passes().iter().map(|part| name(&part.pipeline).to_owned()).collect();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            let number = seen.entry(name).or_default();
            *number += 1;
            let is_only = names.iter().filter(|other| *other == name).count() == 1;
            // Only backends have named phases.
            let phase_name = format!("{}/", phase.name);
            let phase_name = phase_name.trim_start_matches('/');
            let place = if is_only {
                format!("{phase_name}{name}")
            } else {
                format!("{phase_name}{name}#{number}")
            };
            all.push(FoundPass {
                place,
                is_optional: phase.added.contains(name)
                    || optional::has(optional::OPTIONAL, name)
                    || !cleans_up && optional::has(optional::CLEANUP, name),
            });
        }
    }
    all
}

/// The name of the only pass of a pipeline.
fn name(pipeline: &Pipeline) -> &str {
    match pipeline.steps.first() {
        Some(Step::Pass(pass)) => pass.name(),
        Some(Step::Nested { pipeline, .. }) => name(pipeline),
        None => "",
    }
}
