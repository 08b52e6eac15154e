// RUN: halo-run --backend=interpreter %s

// Values: numpy.where with its broadcasting.

func.func @main() {
  %p0 = stablehlo.constant dense<true> : tensor<i1>
  %t0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %e0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %r0 = chlo.broadcast_select %p0, %t0, %e0
      : (tensor<i1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r0, dense<[1, 2]> : tensor<2xi32>

  %p1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %t1 = stablehlo.constant dense<[[1.5, 2.5], [3.5, 4.5]]> : tensor<2x2xf32>
  %e1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r1 = chlo.broadcast_select %p1, %t1, %e1
      : (tensor<2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %r1, dense<[[1.5, 0.0], [3.5, 0.0]]> : tensor<2x2xf32>

  %p2 = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %t2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %e2 = stablehlo.constant dense<[-1, -2, -3]> : tensor<3xi64>
  %r2 = chlo.broadcast_select %p2, %t2, %e2
      : (tensor<2x1xi1>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %r2, dense<[[1, 2, 3], [-1, -2, -3]]> : tensor<2x3xi64>
  func.return
}
