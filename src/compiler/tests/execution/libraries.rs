//! Random numbers, and the interface of handlers of custom calls. `programs/lapack.mlir` has the
//! results of LAPACK calls.

use super::{options, outcomes, run};
use halo_backend::CompileOptions;
use halo_core::Literal;
use halo_runtime::{CustomCallRegistry, custom_call::c_interface::HaloCustomCall};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Checks bounds, mean and variance, and that each run returns other numbers.
#[test]
fn rng_draws_from_its_distribution() {
    let code = "func.func @main() -> (tensor<10000xf32>, tensor<10000xf32>, tensor<10000xi32>) {
        %a = stablehlo.constant dense<2.0> : tensor<f32>
        %b = stablehlo.constant dense<4.0> : tensor<f32>
        %i = stablehlo.constant dense<-2> : tensor<i32>
        %j = stablehlo.constant dense<3> : tensor<i32>
        %n = stablehlo.constant dense<10000> : tensor<1xi64>
        %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<10000xf32>
        %1 = stablehlo.rng %a, %b, %n, distribution = NORMAL
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<10000xf32>
        %2 = stablehlo.rng %i, %j, %n, distribution = UNIFORM
          : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<10000xi32>
        return %0, %1, %2 : tensor<10000xf32>, tensor<10000xf32>, tensor<10000xi32>
      }";
    for outputs in run(code, &[]) {
        let moments = |output: &Literal| {
            let values: Vec<f64> = (0..10000).map(|i| output.get_f64(i)).collect();
            let mean = values.iter().sum::<f64>() / 1e4;
            let squares = values.iter().map(|value| (value - mean).powi(2));
            (mean, squares.sum::<f64>() / 1e4)
        };
        let (mean, variance) = moments(&outputs[0]);
        assert!((mean - 3.0).abs() < 0.03 && (variance - 1.0 / 3.0).abs() < 0.03);
        assert!((0..10000).all(|i| (2.0..4.0).contains(&outputs[0].get_f64(i))));
        let (mean, variance) = moments(&outputs[1]);
        assert!((mean - 2.0).abs() < 0.2 && (variance - 16.0).abs() < 1.0);
        let (mean, variance) = moments(&outputs[2]);
        assert!(mean.abs() < 0.1 && (variance - 2.0).abs() < 0.2);
        assert!((0..10000).all(|i| (-2..3).contains(&outputs[2].get_i128(i))));
    }
}

/// A loop ends if its condition depends on a call that failed.
#[test]
fn a_failed_call_ends_the_program() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let mut handlers = CustomCallRegistry::default();
    handlers.register("test.fail", move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Err("no".to_owned())
    });
    let options = CompileOptions {
        custom_calls: Arc::new(handlers),
        ..options()
    };
    let code = "func.func @main(%a: tensor<i1>) -> tensor<i1> {
        %0 = stablehlo.while(%go = %a) : tensor<i1> cond {
          stablehlo.return %go : tensor<i1>
        } do {
          %1 = stablehlo.custom_call @test.fail() : () -> tensor<i1>
          %2 = stablehlo.or %1, %go : tensor<i1>
          stablehlo.return %2 : tensor<i1>
        }
        return %0 : tensor<i1>
      }";
    let inputs = [Literal::from_bools(&[], &[true]).unwrap()];
    let outcomes = outcomes(code, &inputs, &options);
    assert_eq!(calls.load(Ordering::Relaxed), outcomes.len());
    for (backend, outcome) in outcomes {
        let error = outcome.unwrap_err();
        assert_eq!(error, "test.mlir:5:16: error: @test.fail: no", "{backend}");
    }
}

/// A C function gets the elements in the layout that the call requests.
#[test]
fn functions_of_c_see_layouts_and_attributes() {
    unsafe extern "C" fn weigh(call: *const HaloCustomCall) -> i32 {
        // SAFETY: the program below gives one operand of 6 f32, one result of
        // as many, and one attribute.
        unsafe {
            let call = &*call;
            let from = std::slice::from_raw_parts((*call.operands).data.cast::<f32>(), 6);
            let to = std::slice::from_raw_parts_mut((*call.results).data.cast::<f32>(), 6);
            let weight = (*call.attributes).number as f32;
            for (index, (to, from)) in to.iter_mut().zip(from).enumerate() {
                *to = from * weight + index as f32;
            }
        }
        0
    }
    let mut handlers = CustomCallRegistry::default();
    // SAFETY: the function follows the interface and needs no data.
    unsafe { handlers.register_c("test.weigh", weigh, std::ptr::null_mut()) };
    let options = CompileOptions {
        custom_calls: Arc::new(handlers),
        ..options()
    };
    let code = "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
        %0 = stablehlo.custom_call @test.weigh(%a) {api_version = 4 : i32,
            backend_config = {weight = 1.0e+02 : f32},
            operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
            result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
          : (tensor<2x3xf32>) -> tensor<2x3xf32>
        return %0 : tensor<2x3xf32>
      }";
    let inputs = [Literal::from_slice(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap()];
    for (backend, outcome) in outcomes(code, &inputs, &options) {
        let outputs = outcome.unwrap_or_else(|error| panic!("{backend}: {error}"));
        let expected = [100.0, 202.0, 304.0, 401.0, 503.0, 605.0];
        assert_eq!(outputs[0].as_slice::<f32>().unwrap(), expected, "{backend}");
    }
}

#[test]
fn unknown_operations_are_refused() {
    let code = "func.func @main(%a: tensor<f32>) -> tensor<f32> {
        %0 = \"other.reshard\"(%a) : (tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }";
    for (_, outcome) in outcomes(code, &[], &options()) {
        assert_eq!(
            outcome.unwrap_err(),
            "test.mlir:2:14: error: unregistered operation 'other.reshard'"
        );
    }
}

/// Invalid arguments of a handler are reported at the call.
#[test]
fn binding_reports_at_the_call() {
    let code = "func.func @main(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>) {
        %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}}
          : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
        return %0#0, %0#1 : tensor<2x2xf32>, tensor<i32>
      }";
    for (_, outcome) in outcomes(code, &[Literal::scalar(0.0_f64)], &options()).into_iter().take(1)
    {
        let error = outcome.unwrap_err();
        assert!(
            error
                .ends_with("@lapack_dpotrf_ffi: the operand is not of the type that the name says"),
            "{error}"
        );
    }
}
