// RUN: halo-run --backend=interpreter %s

// Values: numpy assignment after the start is clamped into bounds.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %u0 = stablehlo.constant dense<[[-1, -2]]> : tensor<1x2xi32>
  %i0 = stablehlo.constant dense<1> : tensor<i32>
  %j0 = stablehlo.constant dense<1> : tensor<i32>
  %r0 = stablehlo.dynamic_update_slice %x0, %u0, %i0, %j0
      : (tensor<3x3xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<3x3xi32>
  check.expect_eq_const %r0, dense<[[1, 2, 3], [4, -1, -2], [7, 8, 9]]> : tensor<3x3xi32>

  %x1 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %u1 = stablehlo.constant dense<[[-1, -2], [-3, -4]]> : tensor<2x2xi32>
  %i1 = stablehlo.constant dense<9> : tensor<i64>
  %j1 = stablehlo.constant dense<-9> : tensor<i64>
  %r1 = stablehlo.dynamic_update_slice %x1, %u1, %i1, %j1
      : (tensor<3x3xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<3x3xi32>
  check.expect_eq_const %r1, dense<[[1, 2, 3], [-1, -2, 6], [-3, -4, 9]]> : tensor<3x3xi32>

  %x2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %u2 = stablehlo.constant dense<[0.5]> : tensor<1xf32>
  %i2 = stablehlo.constant dense<3> : tensor<ui32>
  %r2 = stablehlo.dynamic_update_slice %x2, %u2, %i2
      : (tensor<4xf32>, tensor<1xf32>, tensor<ui32>) -> tensor<4xf32>
  check.expect_eq_const %r2, dense<[1.0, 2.0, 3.0, 0.5]> : tensor<4xf32>

  %x3 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %u3 = stablehlo.constant dense<[false]> : tensor<1xi1>
  %i3 = stablehlo.constant dense<0> : tensor<i32>
  %r3 = stablehlo.dynamic_update_slice %x3, %u3, %i3
      : (tensor<2xi1>, tensor<1xi1>, tensor<i32>) -> tensor<2xi1>
  check.expect_eq_const %r3, dense<[false, true]> : tensor<2xi1>

  %x4 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %u4 = stablehlo.constant dense<> : tensor<0xi64>
  %i4 = stablehlo.constant dense<1> : tensor<i32>
  %r4 = stablehlo.dynamic_update_slice %x4, %u4, %i4
      : (tensor<3xi64>, tensor<0xi64>, tensor<i32>) -> tensor<3xi64>
  check.expect_eq_const %r4, dense<[1, 2, 3]> : tensor<3xi64>

  %x5 = stablehlo.constant dense<[(0.0, 1.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  %u5 = stablehlo.constant dense<[(5.0, 0.0)]> : tensor<1xcomplex<f32>>
  %i5 = stablehlo.constant dense<1> : tensor<i32>
  %r5 = stablehlo.dynamic_update_slice %x5, %u5, %i5
      : (tensor<2xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r5, dense<[(0.0, 1.0), (5.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
