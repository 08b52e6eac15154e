//! Results near zero: exact by default, and zero if the program may flush them.

use halo_runtime::{CompileOptions, host::CAN_FLUSH};
use std::num::NonZeroUsize;

/// Products of small numbers, in a loop that threads share.
const PROGRAM: &str = "func.func @main(%x: tensor<4000000xf32>) -> tensor<4000000xf32> {
  %scale = stablehlo.constant dense<1.0e-3> : tensor<4000000xf32>
  %0 = stablehlo.multiply %x, %scale : tensor<4000000xf32>
  return %0 : tensor<4000000xf32>
}";

fn results(choice: Option<&str>, threads: usize) -> Vec<f32> {
    let mut options = CompileOptions {
        threads: NonZeroUsize::new(threads),
        ..super::options()
    };
    if let Some(choice) = choice {
        options.backend.set("subnormals", choice);
    }
    let executable = super::cpu_executable(PROGRAM, &options);
    let input = super::f32s(&[4_000_000], &vec![1.0e-36; 4_000_000]);
    let results = executable.run(&[input]).unwrap();
    results[0].as_slice::<f32>().unwrap().to_vec()
}

#[test]
fn subnormal_results_are_exact_unless_they_may_be_zero() {
    let exact = 1.0e-36_f32 * 1.0e-3;
    assert!(exact > 0.0 && exact < f32::MIN_POSITIVE);
    for threads in [1, 3] {
        for choice in [None, Some("exact")] {
            assert!(results(choice, threads).iter().all(|value| *value == exact));
        }
        if CAN_FLUSH {
            assert!(
                results(Some("flush"), threads)
                    .iter()
                    .all(|value| *value == 0.0)
            );
        }
        // Nothing of it is left in the threads.
        assert!(results(None, threads).iter().all(|value| *value == exact));
    }
}
