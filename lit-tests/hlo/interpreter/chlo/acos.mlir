// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -0.5, 0.99, 1.0e-5, -0.999, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.acos %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[1.0471976, 2.0943952, 0.14153941, 1.5707864,
                                         3.0968678, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  %r1 = chlo.acos %x1 : tensor<2xf32> -> tensor<2xf32>
  %expected1 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>

  %x2 = stablehlo.constant dense<[0.5, -0.5, 0.99, 1.0e-5]> : tensor<4xf64>
  %r2 = chlo.acos %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[1.0471975511965979, 2.0943951023931957,
                                         0.1415394733244273, 1.5707863267948965]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %r3 = chlo.acos %x3 : tensor<1xf32> -> tensor<1xf32>
  %expected3 = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<1xf32>, tensor<1xf32>

  %x4 = stablehlo.constant dense<[0.5, -0.5, 0.75]> : tensor<3xf16>
  %r4 = chlo.acos %x4 : tensor<3xf16> -> tensor<3xf16>
  %expected4 = stablehlo.constant dense<[1.047, 2.094, 0.7227]> : tensor<3xf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x5 = stablehlo.constant dense<[0.5, -0.5, 0.75]> : tensor<3xbf16>
  %r5 = chlo.acos %x5 : tensor<3xbf16> -> tensor<3xbf16>
  %expected5 = stablehlo.constant dense<[1.0469, 2.0938, 0.72266]> : tensor<3xbf16>
  check.expect_close %r5, %expected5, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r6 = chlo.acos %z6 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(1.0691875, -0.28139606), (2.1773078, -1.6224941),
                                         (0.2581963, 1.7984284)]> : tensor<3xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = chlo.acos %z7 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(1.0691874735193958, -0.2813960562452928),
                                         (2.1773078449946515, -1.6224941488715938)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
