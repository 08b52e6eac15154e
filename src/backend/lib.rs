//! The interface between compilers and their users.
//!
//! A [`Compiler`] turns a [`Program`] into an executable of `halo-runtime`, or into [`ObjectCode`].
//! A [`Backend`] is a compiler with the platform that its executables run on, and a [`Registry`]
//! finds backends by name: tools and applications access them only through it.
//!
//! The crate depends neither on MLIR nor on LLVM. An application that only runs compiled programs
//! does not need it.

pub mod backend;
mod backend_options;
pub mod background;
#[doc(hidden)]
pub mod bisection;
pub mod compilation_cache;
pub mod compiler;
mod environment;
mod guard;
pub mod object_code;
pub mod observer;
pub mod pipeline_edit;
pub mod prediction;

pub use backend::{Backend, Registry};
pub use backend_options::{BackendOption, BackendOptions};
pub use compilation_cache::CompilationCache;
pub use compiler::{
    CompileOptions, Compiler, CompilerDescription, Partitioning, PhaseDescription,
    ProcessorOptions, Program, RecordSink, ReproducerOptions, Specialize,
};
pub use environment::Environment;
pub use object_code::ObjectCode;
pub use observer::{CacheEntry, CompileEvent, CompileObserver, Observers};
pub use pipeline_edit::{EditAction, PipelineEdit};
