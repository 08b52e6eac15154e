// RUN: halo-run --backend=interpreter %s

// Values: what is written, through another op.

func.func @main() {
  %x0 = chlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %r0 = stablehlo.reshape %x0 : (tensor<2xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %r0, dense<[[1.5], [-2.0]]> : tensor<2x1xf32>

  %x1 = chlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %r1 = stablehlo.reshape %x1 : (tensor<1x2xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %r1, dense<[[1], [2]]> : tensor<2x1xi32>

  %x2 = chlo.constant dense<[true, false]> : tensor<2xi1>
  %r2 = stablehlo.reshape %x2 : (tensor<2xi1>) -> tensor<2x1xi1>
  check.expect_eq_const %r2, dense<[[true], [false]]> : tensor<2x1xi1>
  func.return
}
