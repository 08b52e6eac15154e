//! Halo is a compiler for HLO programs, and a framework for such compilers. This crate re-exports
//! all of it, with the main functions of its tools for crates that extend them.
//!
//! | module | contents |
//! |---|---|
//! | [`core`] | element types, shapes, literals, `.npy` files |
//! | [`ir`] | handles of ops and values, builders, patterns, passes, diagnostics |
//! | [`cost`] | costs of programs on machines |
//! | [`hlo`] | semantics, folding, the interpreter, passes from HLO to HLO |
//! | [`frontend`] | programs of any format to a module, and back |
//! | [`codegen`] | passes from HLO to linalg, loops, vectors and kernels |
//! | [`llvm`] | the LLVM dialect to object files, and into this process |
//! | [`compiler`] | phases, backends, the registry of all passes |
//! | [`runtime`] | platforms, executables, plans, and the interface of compilers: backends, options, object code |
//! | [`distributed`] | processes on several machines, by MPI or TCP |
//! | [`hlo_text`], [`vhlo`] | HLO text and portable artifacts without MLIR |
//! | [`pjrt`] | a client of PJRT plug-ins |
//! | [`Plugin`] | extensions of a crate: passes, pipelines, backends, custom calls, translations |
//! | [`opt`], [`run`], [`mod@compile`], [`translate`] | the tools, with a plug-in |
//! | [`prelude`] | the names that most passes use, for `use halo::prelude::*` |
//! | [`examples`] | programs by task |
//! | [`melior`] | MLIR's objects, as far as safe code cannot crash with them |
//!
//! An application that only runs compiled programs depends only on `halo-runtime`, without MLIR and
//! LLVM.
//!
//! # Features
//!
//! An application that compiles programs itself depends on the crate with `default-features =
//! false`. The cargo features:
//!
//! | feature | adds | by default |
//! |---|---|---|
//! | `cli` | the tools: [`opt`], [`run`], [`mod@compile`], [`translate`] | yes |
//! | `mpi` | [`distributed`]; the library of MPI is loaded at run time | yes |
//! | `gpu-emulator` | the backend `cuda-emulator`, which runs the kernels of GPUs on the processor | |
//! | `rocm` | the backend `rocm`, for GPUs of AMD | |
//!
//! # A first program
//!
//! A program is parsed, a pipeline of passes runs over it, and the backend `cpu`
//! compiles it and executes it:
//!
//! ```
#![doc = include_str!("tests/first_program.rs")]
//! ```
//!
//! # A pass of your own
//!
//! A [`PassDeclaration`](ir::pass::PassDeclaration) has the name, the summary, the options and the
//! function of a pass. With it, a [`Plugin`] makes an opt-like tool of three lines.
//! `docs/first_pass.md` explains both, `examples/out-of-tree` has more.
//!
//! # A backend of your own
//!
//! A device is a [`Target`](compiler::Target): its phases, and a function that makes an
//! executable of the module after them, such as a
//! [`HostFunctionExecutable`](runtime::host::HostFunctionExecutable). The following backend
//! evaluates programs of f32; `docs/backends.md` explains it:
//!
//! ```
#![doc = include_str!("tests/host_function_backend.rs")]
//! ```
//!
//! The pipeline of another backend is changed by
//! [`Edits`](compiler::pipelines::Edits):
//!
//! ```
#![doc = include_str!("tests/edited_pipeline.rs")]
//! ```

#[cfg(feature = "cli")]
pub mod compile;
#[cfg(doc)]
pub mod examples;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod explain;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod language_server;
#[cfg(feature = "cli")]
pub mod opt;
#[cfg(feature = "cli")]
mod passes;
mod plugin;
#[cfg(feature = "cli")]
pub mod run;
mod shared_object;
#[cfg(feature = "cli")]
mod tool;
#[cfg(feature = "cli")]
pub mod translate;

pub use plugin::{NamedPipeline, Plugin, PluginError};
pub use shared_object::{BUILD, LoadError};

pub use halo_codegen as codegen;
pub use halo_compiler as compiler;
pub use halo_core as core;
pub use halo_cost as cost;
#[cfg(feature = "mpi")]
pub use halo_distributed as distributed;
pub use halo_frontend as frontend;
#[cfg(feature = "gpu-emulator")]
pub use halo_gpu_emulator as gpu_emulator;
pub use halo_hlo as hlo;
pub use halo_hlo_text as hlo_text;
pub use halo_ir as ir;
pub use halo_ir::prelude;
pub use halo_llvm as llvm;
pub use halo_pjrt_api as pjrt;
pub use halo_vhlo as vhlo;

/// `halo-runtime`, the crate that applications ship, and `halo-backend`, the interface between
/// compilers and their users.
pub mod runtime {
    pub use halo_backend::*;
    pub use halo_runtime::*;
}

/// melior, MLIR's bindings, in the version that [`ir`] uses: contexts, modules, and accessors of
/// IR.
///
/// IR is created and changed by [`ir`], whose functions check their arguments. melior's do not, so
/// the following are not exported: `OperationLike`, `OperationMutLike`, `ValueLike`, `BlockLike`,
/// `RegionLike`, `OperationBuilder`, owned ops, blocks and regions, rewriters, drivers of patterns,
/// pass managers, and the types and attributes whose constructors take an element that MLIR may
/// reject.
pub mod melior {
    pub use melior::{Context, ContextRef, StringRef};

    /// Registries of dialects.
    pub mod dialect {
        pub use melior::dialect::DialectRegistry;
    }

    /// Handles.
    pub mod ir {
        pub use melior::ir::{
            AffineExpr, AffineMap, Attribute, AttributeLike, BlockRef, Identifier, Location,
            Module, OperationRef, RegionRef, Type, TypeLike, Value,
        };

        /// Types that contain any other types.
        pub mod r#type {
            pub use melior::ir::r#type::{FunctionType, TupleType};
        }
    }
}
