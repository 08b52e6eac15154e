// RUN: halo-run --backend=interpreter %s

// Values: numpy indexing after the start is clamped into bounds.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %i0 = stablehlo.constant dense<1> : tensor<i32>
  %j0 = stablehlo.constant dense<2> : tensor<i32>
  %r0 = stablehlo.dynamic_slice %x0, %i0, %j0, sizes = [2, 2]
      : (tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %r0, dense<[[7, 8], [11, 12]]> : tensor<2x2xi32>

  %x1 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %i1 = stablehlo.constant dense<7> : tensor<i64>
  %j1 = stablehlo.constant dense<-5> : tensor<i64>
  %r1 = stablehlo.dynamic_slice %x1, %i1, %j1, sizes = [2, 3]
      : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x3xi32>
  check.expect_eq_const %r1, dense<[[5, 6, 7], [9, 10, 11]]> : tensor<2x3xi32>

  %x2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %i2 = stablehlo.constant dense<4> : tensor<ui8>
  %r2 = stablehlo.dynamic_slice %x2, %i2, sizes = [3]
      : (tensor<5xf32>, tensor<ui8>) -> tensor<3xf32>
  check.expect_eq_const %r2, dense<[3.0, 4.0, 5.0]> : tensor<3xf32>

  %x3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i3 = stablehlo.constant dense<1> : tensor<i32>
  %r3 = stablehlo.dynamic_slice %x3, %i3, sizes = [1] : (tensor<2xi1>, tensor<i32>) -> tensor<1xi1>
  check.expect_eq_const %r3, dense<[false]> : tensor<1xi1>

  %x4 = stablehlo.constant dense<[(0.0, 1.0), (0.0, 2.0), (3.0, 0.0)]> : tensor<3xcomplex<f32>>
  %i4 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %r4 = stablehlo.dynamic_slice %x4, %i4, sizes = [2]
      : (tensor<3xcomplex<f32>>, tensor<i64>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r4, dense<[(0.0, 1.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>

  %x5 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %i5 = stablehlo.constant dense<1> : tensor<i32>
  %r5 = stablehlo.dynamic_slice %x5, %i5, sizes = [0]
      : (tensor<2xf64>, tensor<i32>) -> tensor<0xf64>
  check.expect_eq_const %r5, dense<> : tensor<0xf64>
  func.return
}
