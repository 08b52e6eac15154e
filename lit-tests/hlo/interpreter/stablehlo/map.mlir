// RUN: halo-run --backend=interpreter %s

// Values: the example of the specification, numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %b0 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %r0 = "stablehlo.map"(%a0, %b0) ({
    ^bb0(%p0: tensor<i64>, %q0: tensor<i64>):
      %s0 = stablehlo.multiply %p0, %q0 : tensor<i64>
      stablehlo.return %s0 : tensor<i64>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %r0, dense<[[0, 5], [12, 21]]> : tensor<2x2xi64>

  %a1 = stablehlo.constant dense<[[1.5, -2.0], [0.0, 0x7F800000]]> : tensor<2x2xf32>
  %b1 = stablehlo.constant dense<[[2.0, 2.0], [-0.5, 1.0]]> : tensor<2x2xf32>
  %r1 = "stablehlo.map"(%a1, %b1) ({
    ^bb0(%p1: tensor<f32>, %q1: tensor<f32>):
      %s1 = stablehlo.maximum %p1, %q1 : tensor<f32>
      stablehlo.return %s1 : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r1, dense<[[2.0, 2.0], [0.0, 0x7F800000]]> : tensor<2x2xf32>

  %a2 = stablehlo.constant dense<[4, 9, 0]> : tensor<3xi32>
  %r2 = "stablehlo.map"(%a2) ({
    ^bb0(%p2: tensor<i32>):
      %s2 = stablehlo.convert %p2 : (tensor<i32>) -> tensor<f64>
      %t2 = stablehlo.sqrt %s2 : tensor<f64>
      stablehlo.return %t2 : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xf64>
  check.expect_eq_const %r2, dense<[2.0, 3.0, 0.0]> : tensor<3xf64>
  func.return
}
