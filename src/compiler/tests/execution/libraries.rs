//! The results of handlers: the LAPACK calls of JAX, random numbers, and the
//! interface of handlers itself.
//!
//! Factors are those of scipy.linalg.lapack; where signs are open, products are
//! compared.

use super::{options, outcomes, run};
use halo_core::{Complex, Literal};
use halo_runtime::{CompileOptions, CustomCallRegistry, custom_call::c_interface::HaloCustomCall};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Runs a program on every backend, and compares its results, as complex
/// numbers, with the expected ones.
#[track_caller]
fn near(code: &str, inputs: &[Literal], expected: &[&[Complex<f64>]]) {
    for outputs in run(code, inputs) {
        assert_eq!(outputs.len(), expected.len());
        for (output, expected) in outputs.iter().zip(expected) {
            assert_eq!(output.element_count(), expected.len());
            for (position, expected) in expected.iter().enumerate() {
                let actual = output.get_complex(position);
                assert!(
                    (actual - expected).norm() < 1e-6 || (actual.is_nan() && expected.is_nan()),
                    "{output:?} at {position}: {actual}, not {expected}",
                    output = output.display(Default::default()).to_string(),
                );
            }
        }
    }
}

fn reals(values: &[f64]) -> Vec<Complex<f64>> {
    values
        .iter()
        .map(|value| Complex::new(*value, 0.0))
        .collect()
}

fn f64s(dims: &[usize], values: &[f64]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// As HLO text has every call of several results.
#[test]
fn calls_may_take_and_give_tuples() {
    near(
        "func.func @main(%a: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>) {
           %0 = stablehlo.tuple %a : tuple<tensor<2x2xf64>>
           %1 = stablehlo.custom_call @lapack_dpotrf_ffi(%0) {
               mhlo.backend_config = {uplo = 76 : ui8},
               has_side_effect = true}
             : (tuple<tensor<2x2xf64>>) -> tuple<tensor<2x2xf64>, tensor<i32>>
           %2 = stablehlo.get_tuple_element %1[0]
             : (tuple<tensor<2x2xf64>, tensor<i32>>) -> tensor<2x2xf64>
           %3 = stablehlo.get_tuple_element %1[1]
             : (tuple<tensor<2x2xf64>, tensor<i32>>) -> tensor<i32>
           return %2, %3 : tensor<2x2xf64>, tensor<i32>
         }",
        &[f64s(&[2, 2], &[4.0, 7.0, 2.0, 5.0])],
        &[&reals(&[2.0, 7.0, 1.0, 2.0]), &reals(&[0.0])],
    );
}

#[test]
fn potrf_leaves_the_other_triangle_and_tells_the_minor() {
    near(
        "func.func @main(%a: tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xi32>) {
           %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {
               mhlo.backend_config = {uplo = 76 : ui8},
               operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>],
               result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]}
             : (tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xi32>)
           %1 = stablehlo.slice %0#0 [0:1, 0:2, 0:2]
             : (tensor<2x2x2xf64>) -> tensor<1x2x2xf64>
           %2 = stablehlo.concatenate %1, %1, dim = 0
             : (tensor<1x2x2xf64>, tensor<1x2x2xf64>) -> tensor<2x2x2xf64>
           return %2, %0#1 : tensor<2x2x2xf64>, tensor<2xi32>
         }",
        &[f64s(&[2, 2, 2], &[4.0, 7.0, 2.0, 5.0, 1.0, 2.0, 2.0, 1.0])],
        &[
            &reals(&[2.0, 7.0, 1.0, 2.0, 2.0, 7.0, 1.0, 2.0]),
            &reals(&[0.0, 2.0]),
        ],
    );
}

/// scipy.linalg.blas.dtrsm of [[2, 9], [1, 4]] and [[2, 4, 6], [5, 10, 23]], and of the
/// transpose from the right. The layouts of LAPACK are not made, since the handler takes any.
#[test]
fn trsm_solves_from_both_sides() {
    let layout = "dense<[0, 1]> : tensor<2xindex>";
    for (side, uplo, trans, b, x) in [
        (
            "76",
            "76",
            "78",
            [2.0, 4.0, 6.0, 5.0, 10.0, 23.0],
            [1.0, 2.0, 3.0, 1.0, 2.0, 5.0],
        ),
        (
            "76",
            "85",
            "84",
            [2.0, 4.0, 6.0, 13.0, 26.0, 47.0],
            [1.0, 2.0, 3.0, 1.0, 2.0, 5.0],
        ),
        (
            "82",
            "76",
            "84",
            [2.0, 5.0, 4.0, 10.0, 6.0, 23.0],
            [1.0, 1.0, 2.0, 2.0, 3.0, 5.0],
        ),
    ] {
        let dims = if side == "76" { [2, 3] } else { [3, 2] };
        let r#type = format!("tensor<{}x{}xf64>", dims[0], dims[1]);
        let code = format!(
            "func.func @main(%a: tensor<2x2xf64>, %b: {type}) -> {type} {{
               %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {{
                   mhlo.backend_config = {{diag = 78 : ui8, side = {side} : ui8,
                                          trans_x = {trans} : ui8, uplo = {uplo} : ui8}},
                   operand_layouts = [{layout}, {layout}], result_layouts = [{layout}]}}
                 : (tensor<2x2xf64>, {type}) -> {type}
               return %0 : {type}
             }}"
        );
        let inputs = [f64s(&[2, 2], &[2.0, 9.0, 1.0, 4.0]), f64s(&dims, &b)];
        near(&code, &inputs, &[&reals(&x)]);
    }
}

#[test]
fn getrf_counts_pivots_from_one() {
    near(
        "func.func @main(%a: tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xi32>, tensor<i32>) {
           %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {mhlo.backend_config = {},
               operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
               result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>,
                                 dense<> : tensor<0xindex>]}
             : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xi32>, tensor<i32>)
           return %0#0, %0#1, %0#2 : tensor<3x2xf64>, tensor<2xi32>, tensor<i32>
         }",
        &[f64s(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])],
        &[
            &reals(&[5.0, 6.0, 0.2, 0.8, 0.6, 0.5]),
            &reals(&[2.0 + 1.0, 2.0 + 1.0]),
            &reals(&[0.0]),
        ],
    );
}

/// A singular matrix keeps a pivot of 0, whose number LAPACK reports.
/// Attributes of JAX for another dialect are ignored.
#[test]
fn getrf_of_a_singular_matrix() {
    near(
        "func.func @main(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>) {
           %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {},
               sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=2, j=2}>}
             : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)
           return %0#0, %0#2 : tensor<2x2xf32>, tensor<i32>
         }",
        &[Literal::from_slice(&[2, 2], &[1.0_f32, 2.0, 1.0, 2.0]).unwrap()],
        &[&reals(&[1.0, 2.0, 1.0, 0.0]), &reals(&[2.0])],
    );
}

#[test]
fn geqrf_has_the_form_of_lapack_and_ungqr_reads_it() {
    let c = Complex::<f64>::new;
    near(
        "func.func @main(%a: tensor<2x2xcomplex<f64>>)
             -> (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) {
           %0:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a) {mhlo.backend_config = {},
               operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
               result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
             : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>)
           %1 = stablehlo.custom_call @lapack_zungqr_ffi(%0#0, %0#1) {mhlo.backend_config = {},
               operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>],
               result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
             : (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
           %mask = stablehlo.constant dense<[[true, true], [false, true]]> : tensor<2x2xi1>
           %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<2x2xcomplex<f64>>
           %r = stablehlo.select %mask, %0#0, %zero : tensor<2x2xi1>, tensor<2x2xcomplex<f64>>
           %2 = stablehlo.dot_general %1, %r, contracting_dims = [1] x [0]
             : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
           return %0#0, %0#1, %2
             : tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>
         }",
        &[Literal::from_slice(
            &[2, 2],
            &[c(1.0, 1.0), c(2.0, 0.0), c(0.0, 1.0), c(1.0, 0.0)],
        )
        .unwrap()],
        &[
            &[
                c(-1.73205081, 0.0),
                c(-1.15470054, 1.73205081),
                c(0.11814603, 0.32278096),
                c(-0.81649658, 0.0),
            ],
            &[c(1.57735027, 0.57735027), c(1.08354186, -0.99650427)],
            &[c(1.0, 1.0), c(2.0, 0.0), c(0.0, 1.0), c(1.0, 0.0)],
        ],
    );
}

/// v diag(w) v^T is the matrix, of which the lower triangle is read.
#[test]
fn syevd_ascends() {
    near(
        "func.func @main(%a: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2x2xf32>) {
           %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {
               mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8},
               operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
               result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>,
                                 dense<> : tensor<0xindex>]}
             : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
           %1 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
           %2 = stablehlo.multiply %0#0, %1 : tensor<2x2xf32>
           %3 = stablehlo.dot_general %2, %0#0, contracting_dims = [1] x [1]
             : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
           return %0#1, %3 : tensor<2xf32>, tensor<2x2xf32>
         }",
        &[Literal::from_slice(&[2, 2], &[2.0_f32, 9.0, 1.0, 2.0]).unwrap()],
        &[&reals(&[1.0, 3.0]), &reals(&[2.0, 1.0, 1.0, 2.0])],
    );
}

/// u diag(s) v^H is the matrix, and all of u is orthogonal.
#[test]
fn gesdd_descends() {
    near(
        "func.func @main(%a: tensor<3x2xf64>)
             -> (tensor<2xf64>, tensor<3x2xf64>, tensor<3x3xf64>) {
           %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {
               mhlo.backend_config = {mode = 65 : ui8},
               operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
               result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>,
                                 dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>,
                                 dense<> : tensor<0xindex>]}
             : (tensor<3x2xf64>)
               -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x3xf64>, tensor<2x2xf64>, tensor<i32>)
           %u = stablehlo.slice %0#2 [0:3, 0:2] : (tensor<3x3xf64>) -> tensor<3x2xf64>
           %1 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf64>) -> tensor<3x2xf64>
           %2 = stablehlo.multiply %u, %1 : tensor<3x2xf64>
           %3 = stablehlo.dot_general %2, %0#3, contracting_dims = [1] x [0]
             : (tensor<3x2xf64>, tensor<2x2xf64>) -> tensor<3x2xf64>
           %4 = stablehlo.dot_general %0#2, %0#2, contracting_dims = [0] x [0]
             : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
           return %0#1, %3, %4 : tensor<2xf64>, tensor<3x2xf64>, tensor<3x3xf64>
         }",
        &[f64s(&[3, 2], &[3.0, 0.0, 4.0, 5.0, 0.0, 0.0])],
        &[
            &reals(&[6.7082039324993685, 2.23606797749979]),
            &reals(&[3.0, 0.0, 4.0, 5.0, 0.0, 0.0]),
            &reals(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
        ],
    );
}

/// The eigenvalues of a turn are a pair of conjugates; a v is v diag(w).
#[test]
fn geev_gives_pairs() {
    let zero = reals(&[0.0; 4]);
    near(
        "func.func @main(%a: tensor<2x2xf64>)
             -> (tensor<2xf64>, tensor<2xf64>, tensor<2x2xcomplex<f64>>) {
           %0:5 = stablehlo.custom_call @lapack_dgeev_ffi(%a) {
               mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8},
               operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
               result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>,
                                 dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>,
                                 dense<> : tensor<0xindex>]}
             : (tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2x2xcomplex<f64>>,
                                     tensor<2x2xcomplex<f64>>, tensor<i32>)
           %1 = stablehlo.complex %0#0, %0#1 : tensor<2xcomplex<f64>>
           %2 = stablehlo.broadcast_in_dim %1, dims = [1]
             : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
           %3 = stablehlo.multiply %0#3, %2 : tensor<2x2xcomplex<f64>>
           %4 = stablehlo.convert %a : (tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
           %5 = stablehlo.dot_general %4, %0#3, contracting_dims = [1] x [0]
             : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
           %6 = stablehlo.subtract %5, %3 : tensor<2x2xcomplex<f64>>
           return %0#0, %0#1, %6 : tensor<2xf64>, tensor<2xf64>, tensor<2x2xcomplex<f64>>
         }",
        &[f64s(&[2, 2], &[0.0, -2.0, 2.0, 0.0])],
        &[&reals(&[0.0, 0.0]), &reals(&[2.0, -2.0]), &zero],
    );
}

/// x op(a) = b with the upper triangle, transposed: numpy.linalg.solve.
#[test]
fn trsm_from_the_right() {
    near(
        "func.func @main(%a: tensor<2x2xf64>, %b: tensor<1x2xf64>) -> tensor<1x2xf64> {
           %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config =
               {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8},
               operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>],
               result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
             : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
           return %0 : tensor<1x2xf64>
         }",
        &[
            f64s(&[2, 2], &[2.0, 1.0, 9.0, 4.0]),
            f64s(&[1, 2], &[4.0, 8.0]),
        ],
        // x [[2, 0], [1, 4]] = [4, 8]
        &[&reals(&[1.0, 2.0])],
    );
}

/// Bounds, mean and variance, and other numbers each time.
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

/// A loop whose condition hangs on a result that never comes is left.
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

/// A function of C sees the elements in the order that the call asks for.
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
    // SAFETY: the function keeps to the interface and needs no data.
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
    for (_, outcome) in outcomes(code, &[f64s(&[], &[0.0])], &options())
        .into_iter()
        .take(1)
    {
        let error = outcome.unwrap_err();
        assert!(
            error
                .ends_with("@lapack_dpotrf_ffi: the operand is not of the type that the name says"),
            "{error}"
        );
    }
}
