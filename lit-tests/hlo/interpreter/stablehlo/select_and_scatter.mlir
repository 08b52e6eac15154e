// RUN: halo-run --backend=interpreter %s

// Values: loops over the formula in numpy; the first is the example of the specification.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %source0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %init0 = stablehlo.constant dense<0> : tensor<i64>
  %r0 = "stablehlo.select_and_scatter"(%x0, %source0, %init0) ({
    ^bb0(%p0: tensor<i64>, %q0: tensor<i64>):
      %s0 = stablehlo.compare GE, %p0, %q0 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %s0 : tensor<i1>
  }, {
    ^bb0(%p0: tensor<i64>, %q0: tensor<i64>):
      %s0 = stablehlo.add %p0, %q0 : tensor<i64>
      stablehlo.return %s0 : tensor<i64>
  }) {
    window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>,
    padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %r0, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi64>

  %x1 = stablehlo.constant dense<[3.0, 1.0, 4.0, 1.0, 5.0]> : tensor<5xf32>
  %source1 = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %init1 = stablehlo.constant dense<0.5> : tensor<f32>
  %r1 = "stablehlo.select_and_scatter"(%x1, %source1, %init1) ({
    ^bb0(%p1: tensor<f32>, %q1: tensor<f32>):
      %s1 = stablehlo.compare GE, %p1, %q1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s1 : tensor<i1>
  }, {
    ^bb0(%p1: tensor<f32>, %q1: tensor<f32>):
      %s1 = stablehlo.add %p1, %q1 : tensor<f32>
      stablehlo.return %s1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 3>, window_strides = array<i64: 1>,
    padding = dense<[[0, 0]]> : tensor<1x2xi64>
  } : (tensor<5xf32>, tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  check.expect_eq_const %r1, dense<[0.5, 0.5, 30.5, 0.5, 30.5]> : tensor<5xf32>

  %x2 = stablehlo.constant dense<[[1, 2], [4, 3]]> : tensor<2x2xi32>
  %source2 = stablehlo.constant dense<[[7]]> : tensor<1x1xi32>
  %init2 = stablehlo.constant dense<-1> : tensor<i32>
  %r2 = "stablehlo.select_and_scatter"(%x2, %source2, %init2) ({
    ^bb0(%p2: tensor<i32>, %q2: tensor<i32>):
      %s2 = stablehlo.compare GE, %p2, %q2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %s2 : tensor<i1>
  }, {
    ^bb0(%p2: tensor<i32>, %q2: tensor<i32>):
      %s2 = stablehlo.add %p2, %q2 : tensor<i32>
      stablehlo.return %s2 : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x2xi32>, tensor<1x1xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %r2, dense<[[-1, -1], [6, -1]]> : tensor<2x2xi32>

  %x3 = stablehlo.constant dense<[2, 2, 2]> : tensor<3xi32>
  %source3 = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
  %init3 = stablehlo.constant dense<0> : tensor<i32>
  %r3 = "stablehlo.select_and_scatter"(%x3, %source3, %init3) ({
    ^bb0(%p3: tensor<i32>, %q3: tensor<i32>):
      %s3 = stablehlo.compare GE, %p3, %q3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %s3 : tensor<i1>
  }, {
    ^bb0(%p3: tensor<i32>, %q3: tensor<i32>):
      %s3 = stablehlo.add %p3, %q3 : tensor<i32>
      stablehlo.return %s3 : tensor<i32>
  }) {
    window_dimensions = array<i64: 2>, window_strides = array<i64: 1>,
    padding = dense<[[0, 0]]> : tensor<1x2xi64>
  } : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r3, dense<[1, 10, 0]> : tensor<3xi32>
  func.return
}
