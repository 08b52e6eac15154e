//! Contexts that are reused for later programs.
//!
//! A context with its dialects, and pipelines with the patterns of their passes, take longer to
//! make than a program of a few ops takes to compile. A [`ContextPool`] lends them out. Memory that
//! MLIR does not free before the end of a context, such as constants and the names of values, is
//! bounded: a context that has had many programs, or large ones, is not lent again, nor is one that
//! lacks a dialect or a pass that was registered later.
//!
//! ```
//! use halo_ir::{OwnedModule, context_pool::ContextPool};
//! use melior::{Context, ir::{Location, Module}};
//!
//! static CONTEXTS: ContextPool = ContextPool::new(Context::new);
//!
//! let address = || {
//!     let module = OwnedModule::in_context_of(&CONTEXTS, 100, |context| {
//!         Ok::<_, String>(Module::new(Location::unknown(context)))
//!     });
//!     module.unwrap().context().to_raw().ptr
//! };
//! assert_eq!(address(), address());
//! ```

use crate::{dialect, pass};
use melior::Context;
use mlir_sys::MlirContext;
use std::{
    ops::Deref,
    sync::{Mutex, PoisonError},
};

/// The maximum number of programs of a context.
const MOST_PROGRAMS: usize = 16;

/// The maximum size of all programs of a context in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The maximum number of idle contexts.
const MOST_WAITING: usize = 8;

unsafe extern "C" {
    fn haloKeepPipelines(context: MlirContext);
    fn haloDropPipelines(context: MlirContext);
}

/// Contexts that wait for the next program.
pub struct ContextPool {
    make: fn() -> Context,
    waiting: Mutex<Vec<Kept>>,
}

/// A context with its pipelines, which are dropped before it.
struct Kept {
    context: Box<Context>,
    programs: usize,
    bytes: usize,
    registrations: usize,
}

// SAFETY: No handle of an idle context exists, since the uses of a lent context end before it is
// returned.
unsafe impl Send for Kept {}

impl Kept {
    fn new(make: fn() -> Context) -> Self {
        // Counted first, since the context may lack items that are registered meanwhile.
        let registrations = registrations();
        let context = Box::new(make());
        // SAFETY: The context is valid, and pipelines are dropped before it is.
        unsafe { haloKeepPipelines(context.to_raw()) }
        Self {
            context,
            programs: 0,
            bytes: 0,
            registrations,
        }
    }

    fn is_usable(&self, registrations: usize) -> bool {
        self.programs < MOST_PROGRAMS
            && self.bytes < MOST_BYTES
            && self.registrations == registrations
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: The context is valid, and no pipeline of it runs.
        unsafe { haloDropPipelines(self.context.to_raw()) }
    }
}

/// The number of registered dialects and passes.
fn registrations() -> usize {
    dialect::registered().len() + pass::registered().len()
}

impl ContextPool {
    /// An empty pool, whose contexts a function makes.
    pub const fn new(make: fn() -> Context) -> Self {
        Self {
            make,
            waiting: Mutex::new(Vec::new()),
        }
    }

    /// A context for a program of a size in bytes.
    pub(crate) fn lend(&'static self, bytes: usize) -> LentContext {
        let registrations = registrations();
        let waiting = {
            let mut all = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|kept| kept.is_usable(registrations));
            all.pop()
        };
        let mut kept = waiting.unwrap_or_else(|| Kept::new(self.make));
        kept.programs += 1;
        kept.bytes = kept.bytes.saturating_add(bytes);
        LentContext {
            kept: Some(kept),
            pool: self,
        }
    }
}

/// A context that is returned to its pool.
pub(crate) struct LentContext {
    /// Present until the drop.
    kept: Option<Kept>,
    pool: &'static ContextPool,
}

impl Deref for LentContext {
    type Target = Context;

    fn deref(&self) -> &Context {
        match &self.kept {
            Some(kept) => &kept.context,
            None => unreachable!("a lent context is there until it is dropped"),
        }
    }
}

impl Drop for LentContext {
    fn drop(&mut self) {
        let Some(kept) = self.kept.take() else {
            return;
        };
        if !kept.is_usable(registrations()) {
            return;
        }
        // An interpreter uses several threads, a compilation one.
        kept.context.enable_multi_threading(false);
        let waiting = self.pool.waiting.lock();
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MOST_WAITING {
            waiting.push(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owned_module::OwnedModule;
    use melior::ir::{Location, Module};

    fn module(pool: &'static ContextPool, bytes: usize) -> OwnedModule {
        let made = OwnedModule::in_context_of(pool, bytes, |context| {
            Ok::<_, String>(Module::new(Location::unknown(context)))
        });
        made.unwrap()
    }

    fn waiting(pool: &ContextPool) -> usize {
        pool.waiting.lock().unwrap().len()
    }

    #[test]
    fn modules_at_a_time_have_contexts_of_their_own() {
        static POOL: ContextPool = ContextPool::new(Context::new);
        let (one, two) = (module(&POOL, 1), module(&POOL, 1));
        assert_ne!(one.context().to_raw().ptr, two.context().to_raw().ptr);
        drop((one, two));
        assert_eq!(waiting(&POOL), 2);
    }

    #[test]
    fn a_context_ends_after_so_many_programs() {
        static POOL: ContextPool = ContextPool::new(Context::new);
        for number in 1..=MOST_PROGRAMS {
            drop(module(&POOL, 1));
            assert_eq!(waiting(&POOL), usize::from(number < MOST_PROGRAMS));
        }
    }

    #[test]
    fn a_context_ends_after_so_many_bytes() {
        static POOL: ContextPool = ContextPool::new(Context::new);
        drop(module(&POOL, MOST_BYTES / 2));
        assert_eq!(waiting(&POOL), 1);
        drop(module(&POOL, MOST_BYTES / 2));
        assert_eq!(waiting(&POOL), 0);
    }

    #[test]
    fn no_more_contexts_wait_than_are_of_use() {
        static POOL: ContextPool = ContextPool::new(Context::new);
        let modules: Vec<OwnedModule> = (0..=MOST_WAITING).map(|_| module(&POOL, 1)).collect();
        drop(modules);
        assert_eq!(waiting(&POOL), MOST_WAITING);
    }
}
