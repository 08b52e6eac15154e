//! The programs of the documentation, in one executable: each links MLIR and LLVM.

/// The program in the documentation of the crate.
mod first_program {
    include!("first_program.rs");

    pub fn run() {
        main().unwrap();
    }
}
mod edited_pipeline;
mod host_function_backend;
mod host_function_backend_tests;

fn main() {
    first_program::run();
    host_function_backend_tests::run();
    edited_pipeline::run().unwrap();
}
