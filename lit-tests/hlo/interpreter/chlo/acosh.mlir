// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, 1.5, 10.0, 1.0001, 1.0e30, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.acosh %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.0, 0.9624236, 2.993223, 0.014143191, 69.7707,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  %r1 = chlo.acosh %x1 : tensor<2xf32> -> tensor<2xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>

  %x2 = stablehlo.constant dense<[1.0, 1.5, 10.0, 1.0001]> : tensor<4xf64>
  %r2 = chlo.acosh %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.0, 0.9624236501192069, 2.993222846126381,
                                         0.014142017775251545]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5]> : tensor<1xf32>
  %r3 = chlo.acosh %x3 : tensor<1xf32> -> tensor<1xf32>
  %expected3 = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<1xf32>, tensor<1xf32>

  %x4 = stablehlo.constant dense<[1.0, 1.5, 10.0]> : tensor<3xf16>
  %r4 = chlo.acosh %x4 : tensor<3xf16> -> tensor<3xf16>
  %expected4 = stablehlo.constant dense<[0.0, 0.9624, 2.994]> : tensor<3xf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x5 = stablehlo.constant dense<[1.0, 1.5, 10.0]> : tensor<3xbf16>
  %r5 = chlo.acosh %x5 : tensor<3xbf16> -> tensor<3xbf16>
  %expected5 = stablehlo.constant dense<[0.0, 0.96094, 3.0]> : tensor<3xbf16>
  check.expect_close %r5, %expected5, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r6 = chlo.acosh %z6 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(0.28139606, 1.0691875), (1.6224941, 2.1773078),
                                         (1.7984284, -0.2581963)]> : tensor<3xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = chlo.acosh %z7 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(0.2813960562452928, 1.0691874735193958),
                                         (1.6224941488715938, 2.1773078449946515)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
