//! The kernels of the CUDA backend, as far as they can be tested without a GPU.
//!
//! `models/` has small versions of the benchmark programs. Each one is run by the emulator and
//! compared with the interpreter (`functional`), and assembled by NVIDIA's assembler if available
//! (`assembles`). Some are tested for the kernel strategies for which they were written
//! (`strategies`). `limits/` has programs whose launches, memory and loops are limited (`limits`).

mod assembles;
mod functional;
mod limits;
mod models;
mod ptxas;
mod strategies;

use halo_backend::{Backend, CompileOptions, Program, Registry};
use halo_compiler::backends;
use halo_runtime::{Plan, Result};
use std::{
    io::Write,
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// The backend of this name.
fn backend(name: &str) -> Backend {
    let mut registry = Registry::new();
    backends::register(&mut registry);
    registry.backend(name).unwrap().clone()
}

/// The CUDA backend's plan of a program for an architecture.
fn plan(program: &Program, architecture: &str) -> Result<Plan> {
    let options = CompileOptions {
        architecture: Some(architecture.to_owned()),
        ..CompileOptions::default()
    };
    backend("cuda").compiler.plan(program, &options)
}

/// Prints the skipped parts of a test to standard error, also if it passes.
fn tell(line: &str) {
    // A closed standard error must not fail the test.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Calls a function for each item, on all threads of the machine, and fails
/// with the error of any of them.
fn for_each<T: Sync>(items: &[T], work: impl Fn(&T) -> std::result::Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut errors = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            errors.extend(work(item).err());
        }
        errors
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let errors: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let errors = workers.into_iter().map(|worker| worker.join().unwrap());
        errors.flatten().collect()
    });
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}
