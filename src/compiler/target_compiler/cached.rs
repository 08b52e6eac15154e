//! Executables and plans that come from the cache, if it has them.

use super::tuning::tune;
use crate::{
    lowering::Lowering,
    session::cache::{Entry, Part, Stored},
    target::{PlanGenerator, Target},
};
use halo_backend::{CacheEntry, CompileOptions, Program};
use halo_runtime::{Executable, Plan, Result};
use std::time::Instant;

/// The cache entry of an executable of a target, if it may be cached.
pub(super) fn entry_of<'a, T: Target>(
    target: &T,
    program: &Program,
    options: &'a CompileOptions,
    part: Part<'_>,
) -> Option<Entry<'a>> {
    let identity = (std::any::type_name::<T>(), target.cache_identity());
    Entry::of(identity, program, options, part)
}

/// The cached executable for the same source, if any.
pub(super) fn executable_of_source<T: Target>(
    target: &T,
    entry: Option<&Entry<'_>>,
) -> Option<Box<dyn Executable>> {
    let start = Instant::now();
    let entry = entry?;
    let stored = entry.of_source()?;
    restored(target, stored, entry.options(), ("program", start))
}

/// The executable of a program of static shapes: from the cache for an equal program, or a new one,
/// which is stored; with `measures`, by plans that are measured, if the options request that.
///
/// # Errors
/// Returns the errors of [`Target::executable`].
pub(super) fn executable_of_lowering<'a, T: Target>(
    target: &T,
    mut lowering: Lowering<'a>,
    (entry, measures): (Option<Entry<'a>>, bool),
) -> Result<Box<dyn Executable>> {
    if let Some(mut entry) = entry {
        if let Some(executable) = executable_of_equal_program(target, &lowering, &mut entry) {
            return Ok(executable);
        }
        lowering.session.entry = Some(entry);
    }
    tune(target, &mut lowering, measures)?;
    target.executable(lowering)
}

/// The cached executable of an equal program, if any.
pub(super) fn executable_of_equal_program<T: Target>(
    target: &T,
    lowering: &Lowering<'_>,
    entry: &mut Entry<'_>,
) -> Option<Box<dyn Executable>> {
    let start = Instant::now();
    let options = entry.options();
    if let Some(stored) = entry.of_canonical(lowering.module(), &lowering.signature)
        && let Some(executable) = restored(target, stored, options, ("equal program", start))
    {
        return Some(executable);
    }
    not_found(options, start);
    None
}

/// The cached plan for the same source, if any.
pub(super) fn plan_of_source(entry: Option<&Entry<'_>>) -> Option<Plan> {
    let start = Instant::now();
    let entry = entry?;
    let plan = entry.of_source()?.into_plan().ok()?;
    found(entry.options(), "program", start);
    Some(plan)
}

/// The plan of a program of static shapes: from the cache for an equal program, or a new one, which
/// is stored.
///
/// # Errors
/// Returns the errors of [`PlanGenerator::plan`].
pub(super) fn plan_of_lowering(
    plans: &dyn PlanGenerator,
    lowering: &mut Lowering<'_>,
    entry: Option<Entry<'_>>,
) -> Result<Plan> {
    let Some(mut entry) = entry else {
        return plans.plan(lowering);
    };
    let start = Instant::now();
    let stored = entry.of_canonical(lowering.module(), &lowering.signature);
    if let Some(plan) = stored.and_then(|stored| stored.into_plan().ok()) {
        found(lowering.session.options, "equal program", start);
        return Ok(plan);
    }
    not_found(lowering.session.options, start);
    let plan = plans.plan(lowering)?;
    entry.store(Stored::of_plan(&plan)?);
    Ok(plan)
}

/// Restores an executable from its entry. On failure the program is compiled, which reports the
/// error.
fn restored<T: Target>(
    target: &T,
    stored: Stored,
    options: &CompileOptions,
    (what, start): (&str, Instant),
) -> Option<Box<dyn Executable>> {
    let executable = target.restored(stored, options).ok()?;
    found(options, what, start);
    Some(executable)
}

/// Reports a cache hit to the observers.
fn found(options: &CompileOptions, what: &str, start: Instant) {
    let observers = &options.observers;
    observers.phase_finished(&format!("cache ({what} found)"), start.elapsed());
    observers.cache_lookup(CacheEntry::Program, true);
}

fn not_found(options: &CompileOptions, start: Instant) {
    let observers = &options.observers;
    observers.phase_finished("cache (not found)", start.elapsed());
    observers.cache_lookup(CacheEntry::Program, false);
}
