// RUN: halo-run --backend=interpreter %s

// Within 1e-3, or the tolerance that is given.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, 0x7F800000]> : tensor<2xf32>
  check.expect_almost_eq_const %x0, dense<[1.0005, 0x7F800000]> : tensor<2xf32>

  %x1 = stablehlo.constant dense<[2.25, 2.75]> : tensor<2xf64>
  check.expect_almost_eq_const %x1, dense<[2.0, 3.0]> : tensor<2xf64> {tolerance = 5.0e-1 : f64}
  func.return
}
