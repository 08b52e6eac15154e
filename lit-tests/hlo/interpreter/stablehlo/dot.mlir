// RUN: halo-run --backend=interpreter %s

// Values: numpy.dot.

func.func @main() {
  %a0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %r0 = stablehlo.dot %a0, %b0 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r0, dense<[[19, 22], [43, 50]]> : tensor<2x2xi32>

  %a1 = stablehlo.constant dense<[1.5, -2.0, 3.0]> : tensor<3xf32>
  %b1 = stablehlo.constant dense<[2.0, 0.5, 1.0]> : tensor<3xf32>
  %r1 = stablehlo.dot %a1, %b1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  check.expect_eq_const %r1, dense<5.0> : tensor<f32>

  %a2 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf64>
  %b2 = stablehlo.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf64>
  %r2 = stablehlo.dot %a2, %b2 : (tensor<1x3xf64>, tensor<3xf64>) -> tensor<1xf64>
  check.expect_eq_const %r2, dense<[-2.0]> : tensor<1xf64>

  %a3 = stablehlo.constant dense<[[200, 100]]> : tensor<1x2xui8>
  %b3 = stablehlo.constant dense<[[2], [1]]> : tensor<2x1xui8>
  %r3 = stablehlo.dot %a3, %b3 : (tensor<1x2xui8>, tensor<2x1xui8>) -> tensor<1x1xui8>
  check.expect_eq_const %r3, dense<[[244]]> : tensor<1x1xui8>

  %a4 = stablehlo.constant dense<[(1.0, 1.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  %b4 = stablehlo.constant dense<[(0.0, 1.0), (3.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r4 = stablehlo.dot %a4, %b4
      : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %r4, dense<(-1.0, 7.0)> : tensor<complex<f32>>

  %a5 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  %b5 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xbf16>
  %r5 = stablehlo.dot %a5, %b5 : (tensor<2x2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %r5, dense<[-1.0, -1.0]> : tensor<2xbf16>

  %a6 = stablehlo.constant dense<> : tensor<2x0xf32>
  %b6 = stablehlo.constant dense<> : tensor<0x2xf32>
  %r6 = stablehlo.dot %a6, %b6 : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r6, dense<0.0> : tensor<2x2xf32>

  // A wider result.
  %a7 = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %b7 = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %r7 = stablehlo.dot %a7, %b7 : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %r7, dense<20000> : tensor<i32>
  func.return
}
