// RUN: halo-run --backend=interpreter %s

// Values: the operands.

func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %r0, %s0 = stablehlo.optimization_barrier %x0, %y0 : tensor<2xi32>, tensor<f32>
  check.expect_eq_const %r0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %s0, dense<0x7FC00000> : tensor<f32>

  %x1 = stablehlo.constant dense<[true]> : tensor<1xi1>
  %r1 = stablehlo.optimization_barrier %x1 : tensor<1xi1>
  check.expect_eq_const %r1, dense<[true]> : tensor<1xi1>
  func.return
}
