// RUN: halo-run --backend=interpreter %s

// Values: numpy with its broadcasting.

func.func @main() {
  %a0 = stablehlo.constant dense<[[1], [5]]> : tensor<2x1xi32>
  %b0 = stablehlo.constant dense<[0, 3, 5]> : tensor<3xi32>
  %r0 = chlo.broadcast_compare %a0, %b0 {comparison_direction = #chlo<comparison_direction LT>}
      : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  check.expect_eq_const %r0, dense<[[false, true, true], [false, false, false]]> : tensor<2x3xi1>

  %a1 = stablehlo.constant dense<[1.0, 0x7FC00000, -0.0]> : tensor<3xf32>
  %b1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r1 = chlo.broadcast_compare %a1, %b1 {comparison_direction = #chlo<comparison_direction EQ>}
      : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %r1, dense<[false, false, true]> : tensor<3xi1>

  %a2 = stablehlo.constant dense<7> : tensor<ui8>
  %b2 = stablehlo.constant dense<[[6, 7, 255]]> : tensor<1x3xui8>
  %r2 = chlo.broadcast_compare %a2, %b2 {comparison_direction = #chlo<comparison_direction GE>}
      : (tensor<ui8>, tensor<1x3xui8>) -> tensor<1x3xi1>
  check.expect_eq_const %r2, dense<[[true, true, false]]> : tensor<1x3xi1>

  %a3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %b3 = stablehlo.constant dense<true> : tensor<i1>
  %r3 = chlo.broadcast_compare %a3, %b3 {comparison_direction = #chlo<comparison_direction NE>}
      : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %r3, dense<[false, true]> : tensor<2xi1>
  func.return
}
