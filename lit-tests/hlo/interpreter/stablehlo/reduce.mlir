// RUN: halo-run --backend=interpreter %s

// Values: numpy sum, max, prod, all; the first is the example of the specification.

func.func @main() {
  %x0 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %zero0 = stablehlo.constant dense<0> : tensor<i64>
  %r0 = stablehlo.reduce(%x0 init: %zero0) applies stablehlo.add across dimensions = [1]
      : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %r0, dense<[15]> : tensor<1xi64>

  %x1 = stablehlo.constant dense<[[1.5, -2.0], [4.0, 0x7FC00000]]> : tensor<2x2xf32>
  %init1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r1 = stablehlo.reduce(%x1 init: %init1) applies stablehlo.maximum across dimensions = [0]
      : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %r1, dense<[4.0, 0x7FC00000]> : tensor<2xf32>

  %x2 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %init2 = stablehlo.constant dense<1> : tensor<i32>
  %r2 = stablehlo.reduce(%x2 init: %init2) applies stablehlo.multiply across dimensions = [0, 1]
      : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r2, dense<720> : tensor<i32>

  %x3 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %init3 = stablehlo.constant dense<true> : tensor<i1>
  %r3 = stablehlo.reduce(%x3 init: %init3) applies stablehlo.and across dimensions = [1]
      : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %r3, dense<[false, true]> : tensor<2xi1>

  %x4 = stablehlo.constant dense<[200, 100]> : tensor<2xui8>
  %init4 = stablehlo.constant dense<0> : tensor<ui8>
  %r4 = stablehlo.reduce(%x4 init: %init4) applies stablehlo.add across dimensions = [0]
      : (tensor<2xui8>, tensor<ui8>) -> tensor<ui8>
  check.expect_eq_const %r4, dense<44> : tensor<ui8>

  %x5 = stablehlo.constant dense<> : tensor<0x2xf64>
  %init5 = stablehlo.constant dense<7.5> : tensor<f64>
  %r5 = stablehlo.reduce(%x5 init: %init5) applies stablehlo.add across dimensions = [0]
      : (tensor<0x2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %r5, dense<[7.5, 7.5]> : tensor<2xf64>

  %x6 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 1.0)]> : tensor<2xcomplex<f32>>
  %init6 = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %r6 = stablehlo.reduce(%x6 init: %init6) applies stablehlo.add across dimensions = [0]
      : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %r6, dense<(3.0, 2.0)> : tensor<complex<f32>>

  %x8 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %init8 = stablehlo.constant dense<5> : tensor<i32>
  %r8 = stablehlo.reduce(%x8 init: %init8) applies stablehlo.add across dimensions = []
      : (tensor<1x2xi32>, tensor<i32>) -> tensor<1x2xi32>
  check.expect_eq_const %r8, dense<[[6, 7]]> : tensor<1x2xi32>

  // Two inputs: numpy.max with numpy.argmax.
  %x9 = stablehlo.constant dense<[[1.0, 5.0, 5.0], [9.0, -3.0, 2.0]]> : tensor<2x3xf32>
  %i9 = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  %lowest9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none9 = stablehlo.constant dense<-1> : tensor<i32>
  %v9, %w9 = stablehlo.reduce(%x9 init: %lowest9), (%i9 init: %none9) across dimensions = [1]
      : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
      reducer(%p9: tensor<f32>, %q9: tensor<f32>) (%j9: tensor<i32>, %k9: tensor<i32>) {
      %more9 = stablehlo.compare GT, %q9, %p9 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s9 = stablehlo.select %more9, %q9, %p9 : tensor<i1>, tensor<f32>
      %t9 = stablehlo.select %more9, %k9, %j9 : tensor<i1>, tensor<i32>
      stablehlo.return %s9, %t9 : tensor<f32>, tensor<i32>
    }
  check.expect_eq_const %v9, dense<[5.0, 9.0]> : tensor<2xf32>
  check.expect_eq_const %w9, dense<[1, 0]> : tensor<2xi32>
  func.return
}
