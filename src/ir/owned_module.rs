//! A module together with its context, as one value.
//!
//! A module borrows the context that it was made in, so a function cannot return both. An
//! executable that interprets a program, or a thread that takes one over, needs both in one value.
//!
//! ```
//! use halo_ir::{OperationExt, OwnedModule};
//! use melior::{Context, ir::{Location, Module}};
//!
//! let mut owned = OwnedModule::new(Context::new(), |context| {
//!     Ok::<_, String>(Module::new(Location::unknown(context)))
//! })
//! .unwrap();
//! owned.edit(|context, module| *module = Module::new(Location::unknown(context)));
//! let moved = std::thread::spawn(move || {
//!     let operation = owned.operation();
//!     assert_eq!(operation.collect_nested(|_| true).len(), 0);
//!     operation.name().to_owned()
//! });
//! assert_eq!(moved.join().unwrap(), "builtin.module");
//! ```

use crate::{
    context_pool::{ContextPool, LentContext},
    handles::{Operation, root_of},
};
use melior::{Context, ir::Module};

/// A module with its context.
pub struct OwnedModule {
    /// Dropped before the context.
    module: Module<'static>,
    context: Owner,
}

/// The owner of the context, at an address that does not change.
enum Owner {
    Own(Box<Context>),
    Lent(LentContext),
}

impl Owner {
    fn context(&self) -> &Context {
        match self {
            Self::Own(context) => context,
            Self::Lent(context) => context,
        }
    }
}

// SAFETY: The value owns the context and everything in it, and handles borrow the value, so one
// thread at a time uses them.
unsafe impl Send for OwnedModule {}

impl OwnedModule {
    /// Makes a module in a context, to which no other handles exist.
    ///
    /// # Errors
    /// Returns the errors of the function.
    pub fn new<E>(
        context: Context,
        make: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, E>,
    ) -> Result<Self, E> {
        Self::with(Owner::Own(Box::new(context)), make)
    }

    /// Makes a module from text of a size in bytes in a context of a pool, to which it is returned
    /// when the module is dropped.
    ///
    /// # Errors
    /// Returns the errors of the function.
    pub fn in_context_of<E>(
        pool: &'static ContextPool,
        bytes: usize,
        make: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, E>,
    ) -> Result<Self, E> {
        Self::with(Owner::Lent(pool.lend(bytes)), make)
    }

    fn with<E>(
        context: Owner,
        make: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, E>,
    ) -> Result<Self, E> {
        let module = make(context.context())?;
        // SAFETY: The context is kept together with the module, does not move, and is dropped after
        // it. The module is never returned with this lifetime.
        let module = unsafe { std::mem::transmute::<Module<'_>, Module<'static>>(module) };
        Ok(Self { module, context })
    }

    /// The context.
    pub fn context(&self) -> &Context {
        self.context.context()
    }

    /// The module.
    pub fn module(&self) -> &Module<'_> {
        &self.module
    }

    /// The module's op.
    pub fn operation(&self) -> Operation<'_> {
        root_of(&self.module)
    }

    /// Runs a function that may change the module, or replace it by another one of this context.
    pub fn edit<T>(
        &mut self,
        function: impl for<'c> FnOnce(&'c Context, &mut Module<'c>) -> T,
    ) -> T {
        // SAFETY: The function takes any lifetime, so a module that it stores there lives in this
        // context, or in one that lives longer.
        let module = unsafe { &mut *(&raw mut self.module).cast::<Module<'_>>() };
        function(self.context.context(), module)
    }
}
