// RUN: halo-run --backend=interpreter %s

// Values: numpy.broadcast_to.

func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r0 = stablehlo.broadcast %x0, sizes = [2] : (tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>

  %x1 = stablehlo.constant dense<[[1.5, -0.0]]> : tensor<1x2xf32>
  %r1 = stablehlo.broadcast %x1, sizes = [2, 2] : (tensor<1x2xf32>) -> tensor<2x2x1x2xf32>
  check.expect_eq_const %r1, dense<[[[[1.5, -0.0]], [[1.5, -0.0]]],
                                    [[[1.5, -0.0]], [[1.5, -0.0]]]]> : tensor<2x2x1x2xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xui32>
  check.expect_eq_const %bits1, dense<[[[[1069547520, 2147483648]], [[1069547520, 2147483648]]],
                                       [[[1069547520, 2147483648]], [[1069547520, 2147483648]]]]> : tensor<2x2x1x2xui32>

  %x2 = stablehlo.constant dense<7> : tensor<ui8>
  %r2 = stablehlo.broadcast %x2, sizes = [3] : (tensor<ui8>) -> tensor<3xui8>
  check.expect_eq_const %r2, dense<[7, 7, 7]> : tensor<3xui8>

  %x3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r3 = stablehlo.broadcast %x3, sizes = [] : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r3, dense<[true, false]> : tensor<2xi1>

  %x4 = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %r4 = stablehlo.broadcast %x4, sizes = [2] : (tensor<1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_eq_const %r4, dense<[[(1.0, 2.0)], [(1.0, 2.0)]]> : tensor<2x1xcomplex<f32>>

  %x5 = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf64>
  %r5 = stablehlo.broadcast %x5, sizes = [0] : (tensor<2xf64>) -> tensor<0x2xf64>
  check.expect_eq_const %r5, dense<> : tensor<0x2xf64>
  func.return
}
