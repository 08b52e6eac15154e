// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -0.5, 0.99, 1.0e-5, -1.0, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.asin %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.5235988, -0.5235988, 1.4292569, 1.0e-5, -1.5707964,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.asin %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, -0.5, 0.99, 1.0e-5]> : tensor<4xf64>
  %r2 = chlo.asin %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.5235987755982989, -0.5235987755982989,
                                         1.4292568534704693, 1.0000000000166668e-5]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -0.5, 0.75]> : tensor<3xf16>
  %r3 = chlo.asin %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.5234, -0.5234, 0.848]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -0.5, 0.75]> : tensor<3xbf16>
  %r4 = chlo.asin %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.52344, -0.52344, 0.84766]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %z5 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r5 = chlo.asin %z5 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected5 = stablehlo.constant dense<[(0.50160885, 0.28139606), (-0.60651153, 1.6224941),
                                         (1.3126, -1.7984284)]> : tensor<3xcomplex<f32>>
  check.expect_close %r5, %expected5, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r6 = chlo.asin %z6 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected6 = stablehlo.constant dense<[(0.5016088532755008, 0.2813960562452928),
                                         (-0.6065115181997548, 1.6224941488715938)]> : tensor<2xcomplex<f64>>
  check.expect_close %r6, %expected6 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
