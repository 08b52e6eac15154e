//! Results that reuse the memory of donated arguments.

use halo_runtime::{Alias, DeviceBuffer, Executable, ExecuteOptions};

/// A step of gradient descent; the third result is the old weights.
const STEP: &str = "func.func @main(%w: tensor<3xf32> {tf.aliasing_output = 1 : i32},
                       %g: tensor<3xf32> {jax.buffer_donor = true})
    -> (tensor<f32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<0.5> : tensor<3xf32>
  %0 = stablehlo.multiply %rate, %g : tensor<3xf32>
  %1 = stablehlo.subtract %w, %0 : tensor<3xf32>
  %2 = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %2, %1, %w : tensor<f32>, tensor<3xf32>, tensor<3xf32>
}";

fn buffers(executable: &dyn Executable) -> Vec<DeviceBuffer> {
    let values = [[1.0, 2.0, 3.0], [2.0, 4.0, -8.0]];
    let literals = values.map(|values| super::f32s(&[3], &values));
    let buffers = literals.iter().map(|literal| executable.device().to_device(literal));
    buffers.collect::<Result<_, _>>().unwrap()
}

fn values(executable: &dyn Executable, buffers: &[DeviceBuffer]) -> Vec<Vec<f32>> {
    let literals = buffers.iter().map(|buffer| executable.device().to_host(buffer).unwrap());
    literals.map(|literal| literal.as_slice::<f32>().unwrap().to_vec()).collect()
}

/// `numpy`: `g.sum()`, `w - 0.5 * g` and `w`.
fn expected() -> Vec<Vec<f32>> {
    vec![vec![-2.0], vec![0.0, 0.0, 7.0], vec![1.0, 2.0, 3.0]]
}

#[test]
fn results_take_the_memory_of_donated_arguments() {
    for (backend, executable) in super::executables(STEP) {
        let executable = &*executable;
        let aliases = [(0, 1), (1, 2)].map(|(input, output)| Alias { input, output });
        assert_eq!(executable.signature().aliases, aliases, "{backend}");

        // Nothing is donated: the arguments keep their values.
        let inputs = buffers(executable);
        let before = values(executable, &inputs);
        let outputs = executable.execute(&ExecuteOptions::default(), &inputs).unwrap();
        assert_eq!(values(executable, &outputs), expected(), "{backend}");
        assert_eq!(values(executable, &inputs), before, "{backend}");

        // One or both are donated: their buffers have the results.
        for donated in [&[0][..], &[1], &[0, 1]] {
            let options = ExecuteOptions {
                donated,
                ..ExecuteOptions::default()
            };
            let inputs = buffers(executable);
            let outputs = executable.execute(&options, &inputs).unwrap();
            assert_eq!(
                values(executable, &outputs),
                expected(),
                "{backend}, {donated:?}"
            );
            for (input, was) in before.iter().enumerate() {
                let now = values(executable, &inputs[input..=input]);
                let result = &expected()[input + 1];
                let wanted = if donated.contains(&input) {
                    result
                } else {
                    was
                };
                assert_eq!(now, std::slice::from_ref(wanted), "{backend}, {donated:?}");
            }
        }
    }
}

#[test]
fn memory_that_is_not_given_away_is_not_overwritten() {
    for (backend, executable) in super::executables(STEP) {
        let inputs = buffers(&*executable);
        let mut outputs = executable.allocate_outputs().unwrap();
        let run = |inputs: &[DeviceBuffer], outputs: &[DeviceBuffer]| {
            let outcome = executable.execute_into(&ExecuteOptions::default(), inputs, outputs);
            outcome.map_err(|error| error.to_string())
        };
        // Donated for another result, or passed twice.
        outputs[1] = inputs[1].clone();
        let shared = "output 1 shares memory with another buffer of the call";
        assert_eq!(run(&inputs, &outputs), Err(shared.to_owned()), "{backend}");
        let twice = [inputs[1].clone(), inputs[1].clone()];
        assert_eq!(run(&twice, &outputs), Err(shared.to_owned()), "{backend}");
        let options = ExecuteOptions {
            donated: &[0, 2],
            ..ExecuteOptions::default()
        };
        let error = executable.execute(&options, &inputs).err().unwrap();
        let message = "input 2 of @main is donated, but 2 were given";
        assert_eq!(error.to_string(), message, "{backend}");
    }
}

#[test]
fn results_that_cannot_take_the_memory_are_named() {
    for (change, message) in [
        (
            "= 7 : i32",
            "argument 0 is to share its memory with result 7, and there are 3 results",
        ),
        (
            "= 0 : i32",
            "argument 0 is to share its memory with result 0, which has another type",
        ),
    ] {
        let code = STEP.replace("= 1 : i32", change);
        for (backend, outcome) in super::outcomes(&code, &[], &super::options()) {
            let error = outcome.unwrap_err();
            assert!(error.contains(message), "{backend}: {error}");
        }
    }
    let twice = STEP.replace("jax.buffer_donor = true", "tf.aliasing_output = 1 : i32");
    for (backend, outcome) in super::outcomes(&twice, &[], &super::options()) {
        let error = outcome.unwrap_err();
        let message = "argument 1 is to share its memory with result 1, as another argument is";
        assert!(error.contains(message), "{backend}: {error}");
    }
}
