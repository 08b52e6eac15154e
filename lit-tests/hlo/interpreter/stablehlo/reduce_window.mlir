// RUN: halo-run --backend=interpreter %s

// Values: loops over the formula in numpy; the first is the example of the specification.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %init0 = stablehlo.constant dense<0> : tensor<i64>
  %r0 = "stablehlo.reduce_window"(%x0, %init0) ({
    ^bb0(%p0: tensor<i64>, %q0: tensor<i64>):
      %s0 = stablehlo.add %p0, %q0 : tensor<i64>
      stablehlo.return %s0 : tensor<i64>
  }) {
    window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>,
    base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>,
    padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %r0, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>

  %x1 = stablehlo.constant dense<[1.0, 5.0, 2.0, 4.0]> : tensor<4xf32>
  %init1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r1 = "stablehlo.reduce_window"(%x1, %init1) ({
    ^bb0(%p1: tensor<f32>, %q1: tensor<f32>):
      %s1 = stablehlo.maximum %p1, %q1 : tensor<f32>
      stablehlo.return %s1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 2>, window_strides = array<i64: 1>,
    base_dilations = array<i64: 1>, window_dilations = array<i64: 1>,
    padding = dense<[[0, 0]]> : tensor<1x2xi64>
  } : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %r1, dense<[5.0, 5.0, 4.0]> : tensor<3xf32>

  %x2 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %init2 = stablehlo.constant dense<0> : tensor<i32>
  %r2 = "stablehlo.reduce_window"(%x2, %init2) ({
    ^bb0(%p2: tensor<i32>, %q2: tensor<i32>):
      %s2 = stablehlo.add %p2, %q2 : tensor<i32>
      stablehlo.return %s2 : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>,
    base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>,
    padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>
  } : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %r2, dense<[[3, 3], [12, 9]]> : tensor<2x2xi32>

  %x3 = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %init3 = stablehlo.constant dense<1> : tensor<i32>
  %r3 = "stablehlo.reduce_window"(%x3, %init3) ({
    ^bb0(%p3: tensor<i32>, %q3: tensor<i32>):
      %s3 = stablehlo.multiply %p3, %q3 : tensor<i32>
      stablehlo.return %s3 : tensor<i32>
  }) {
    window_dimensions = array<i64: 3>, window_strides = array<i64: 2>,
    base_dilations = array<i64: 1>, window_dilations = array<i64: 2>,
    padding = dense<[[2, 2]]> : tensor<1x2xi64>
  } : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r3, dense<[3, 15, 15]> : tensor<3xi32>

  %x4 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %init4 = stablehlo.constant dense<0.0> : tensor<f64>
  %r4 = "stablehlo.reduce_window"(%x4, %init4) ({
    ^bb0(%p4: tensor<f64>, %q4: tensor<f64>):
      %s4 = stablehlo.add %p4, %q4 : tensor<f64>
      stablehlo.return %s4 : tensor<f64>
  }) {
    window_dimensions = array<i64: 2>, window_strides = array<i64: 1>,
    base_dilations = array<i64: 1>, window_dilations = array<i64: 1>,
    padding = dense<[[-1, 0]]> : tensor<1x2xi64>
  } : (tensor<4xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %r4, dense<[5.0, 7.0]> : tensor<2xf64>

  %x5 = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %init5 = stablehlo.constant dense<9> : tensor<i32>
  %r5 = "stablehlo.reduce_window"(%x5, %init5) ({
    ^bb0(%p5: tensor<i32>, %q5: tensor<i32>):
      %s5 = stablehlo.minimum %p5, %q5 : tensor<i32>
      stablehlo.return %s5 : tensor<i32>
  }) {
    window_dimensions = array<i64: 2>, window_strides = array<i64: 1>,
    base_dilations = array<i64: 3>, window_dilations = array<i64: 1>,
    padding = dense<[[0, 0]]> : tensor<1x2xi64>
  } : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r5, dense<[3, 9, 1]> : tensor<3xi32>

  %x6 = stablehlo.constant dense<> : tensor<0xf32>
  %init6 = stablehlo.constant dense<0.0> : tensor<f32>
  %r6 = "stablehlo.reduce_window"(%x6, %init6) ({
    ^bb0(%p6: tensor<f32>, %q6: tensor<f32>):
      %s6 = stablehlo.add %p6, %q6 : tensor<f32>
      stablehlo.return %s6 : tensor<f32>
  }) {
    window_dimensions = array<i64: 2>, window_strides = array<i64: 1>,
    base_dilations = array<i64: 1>, window_dilations = array<i64: 1>,
    padding = dense<[[1, 2]]> : tensor<1x2xi64>
  } : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %r6, dense<[0.0, 0.0]> : tensor<2xf32>

  // Two inputs.
  %x7 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y7 = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %zero7 = stablehlo.constant dense<0> : tensor<i32>
  %one7 = stablehlo.constant dense<1.0> : tensor<f32>
  %r7, %s7 = "stablehlo.reduce_window"(%x7, %y7, %zero7, %one7) ({
    ^bb0(%p7: tensor<i32>, %q7: tensor<f32>, %u7: tensor<i32>, %v7: tensor<f32>):
      %c7 = stablehlo.add %p7, %u7 : tensor<i32>
      %d7 = stablehlo.multiply %q7, %v7 : tensor<f32>
      stablehlo.return %c7, %d7 : tensor<i32>, tensor<f32>
  }) {window_dimensions = array<i64: 2>}
      : (tensor<3xi32>, tensor<3xf32>, tensor<i32>, tensor<f32>) -> (tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %r7, dense<[3, 5]> : tensor<2xi32>
  check.expect_eq_const %s7, dense<[20.0, 30.0]> : tensor<2xf32>
  func.return
}
