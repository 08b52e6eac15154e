//! Runs the lit tests of this folder, and those that templates generate.

use halo_lit_tests::{TABLE, generated_tests, root};
use std::process::ExitCode;

/// The tests that run in a build with the feature `rocm`: `make test-rocm`.
const ROCM: [&str; 2] = ["codegen/gpu/amd_assembly.mlir", "tools/rocm.sh"];

fn main() -> ExitCode {
    let generated = generated_tests().and_then(|tests| {
        let tests = tests.into_iter().map(|test| {
            Ok(halo_lit::GeneratedTest {
                text: test.text()?,
                origin: format!(
                    "made of lit-tests/{}, with the same lines, for '{}' in lit-tests/{TABLE}",
                    test.template, test.op
                ),
                file: test.file,
            })
        });
        tests.collect::<Result<Vec<_>, String>>()
    });
    let ignored = ROCM.iter().filter(|_| cfg!(not(feature = "rocm")));
    match generated {
        Ok(generated) => (halo_lit::Suite::new(root()).generated(generated))
            .ignored(ignored.copied())
            .run(),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
