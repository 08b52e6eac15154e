//! Products by measured plans: the same integers, and the same sums of floats up to their order.

use halo_backend::{CompilationCache, CompileOptions, compilation_cache::DEFAULT_LIMIT};
use halo_core::{Literal, Rule, compare, compare::Tolerance, random::Generator};
use std::{sync::Arc, time::Duration};

const PROGRAM: &str = "
func.func @main(%x: tensor<70x300xf32>, %w: tensor<300x90xf32>, %i: tensor<70x300xi8>, %j: tensor<300x90xi8>)
    -> (tensor<70x90xf32>, tensor<70x90xi32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<70x300xf32>, tensor<300x90xf32>) -> tensor<70x90xf32>
  %1 = stablehlo.tanh %0 : tensor<70x90xf32>
  %2 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0]
    : (tensor<70x300xi8>, tensor<300x90xi8>) -> tensor<70x90xi32>
  return %1, %2 : tensor<70x90xf32>, tensor<70x90xi32>
}";

#[test]
fn plans_change_only_the_order_of_sums() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Arc::new(CompilationCache::new(
        directory.path().join("cache"),
        DEFAULT_LIMIT,
    ));
    let run = |options: &CompileOptions| {
        let executable = super::cpu_executable(PROGRAM, options);
        let mut generator = Generator::new(1);
        let inputs = executable.signature().inputs.iter();
        let inputs = inputs.map(|input| generator.literal(&input.to_shape().unwrap()).unwrap());
        executable.run(&inputs.collect::<Vec<Literal>>()).unwrap()
    };
    let of_model = run(&super::options());
    let tuned = |millis| CompileOptions {
        tuning: Some(Duration::from_millis(millis)),
        cache: Some(Arc::clone(&cache)),
        ..super::options()
    };
    let rule = Rule::new(Tolerance::Close {
        relative: 1e-5,
        absolute: 1e-5,
    });
    // Without time, with little, with enough, and from the cache.
    for millis in [0, 50, 20_000, 0] {
        let results = run(&tuned(millis));
        assert!(
            compare(&results[0], &of_model[0], rule).unwrap().passed(),
            "{millis} ms"
        );
        assert_eq!(results[1], of_model[1], "{millis} ms");
    }
}
