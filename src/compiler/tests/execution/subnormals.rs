//! Results near zero: exact by default, and zero if the program may flush them.

use super::compile;
use halo_backend::CompileOptions;
use halo_runtime::host::CAN_FLUSH;
use std::num::NonZeroUsize;

/// Products of small numbers, in a loop that is distributed over threads.
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
            assert!(results(Some("flush"), threads).iter().all(|value| *value == 0.0));
        }
        // The mode of the threads has been restored.
        assert!(results(None, threads).iter().all(|value| *value == exact));
    }
}

/// The instructions for products of bf16 flush subnormal factors, products and differences to zero.
#[test]
fn products_of_bf16_are_exact_near_zero() {
    let two = |exponent: i32| 2.0_f64.powi(exponent) as f32;
    let cases: [(&str, [f32; 2], f32); 4] = [
        ("products", [two(-70); 2], two(-72)),
        ("factors of lhs", [two(-130); 2], two(30)),
        ("factors of rhs", [two(30); 2], two(-130)),
        ("differences", [two(-60) + two(-67), -two(-60)], two(-60)),
    ];
    let code =
        "func.func @main(%a: tensor<24x64xf32>, %b: tensor<64x48xf32>) -> tensor<24x48xf32> {
      %0 = stablehlo.convert %a : (tensor<24x64xf32>) -> tensor<24x64xbf16>
      %1 = stablehlo.convert %b : (tensor<64x48xf32>) -> tensor<64x48xbf16>
      %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]
        : (tensor<24x64xbf16>, tensor<64x48xbf16>) -> tensor<24x48xf32>
      return %2 : tensor<24x48xf32>
    }";
    let mut executables = compile::executables_with_products(code);
    executables.extend(compile::executables_with_outer_products(code));
    executables.push(("cpu", super::cpu_executable(code, &super::options())));
    for (name, lhs, rhs) in cases {
        // Two nonzero products for each sum, and one large number that is multiplied by zero.
        let mut a = vec![0.0; 24 * 64];
        for row in 0..24 {
            a[row * 64 + row] = lhs[0];
            a[row * 64 + row + 7] = lhs[1];
        }
        a[23 * 64 + 63] = 3.0;
        let mut b = vec![rhs; 64 * 48];
        b[63 * 48..].fill(0.0);
        let inputs = [super::f32s(&[24, 64], &a), super::f32s(&[64, 48], &b)];
        let expected = (f64::from(lhs[0]) + f64::from(lhs[1])) * f64::from(rhs);
        assert!(expected as f32 != 0.0);
        for (processor, executable) in &executables {
            let results = executable.run(&inputs).unwrap();
            for value in results[0].as_slice::<f32>().unwrap() {
                assert_eq!(*value, expected as f32, "{name} on {processor}");
            }
        }
    }
}
