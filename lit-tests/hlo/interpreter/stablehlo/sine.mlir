// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -2.0, 3.0, 100.0, 1.0e-20, 0x7FC00000]> : tensor<6xf32>
  %r0 = stablehlo.sine %x0 : tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.47942555, -0.9092974, 0.14112, -0.50636566, 1.0e-20,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = stablehlo.sine %x1 : tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, -2.0, 3.0, 100.0]> : tensor<4xf64>
  %r2 = stablehlo.sine %x2 : tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.479425538604203, -0.9092974268256817,
                                         0.1411200080598672, -0.5063656411097588]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -2.0, 3.0]> : tensor<3xf16>
  %r3 = stablehlo.sine %x3 : tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.4795, -0.909, 0.1411]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 1 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -2.0, 3.0]> : tensor<3xbf16>
  %r4 = stablehlo.sine %x4 : tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.47852, -0.91016, 0.1416]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r5 = stablehlo.sine %x5 : tensor<2x0xf32>
  check.expect_eq_const %r5, dense<> : tensor<2x0xf32>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r6 = stablehlo.sine %z6 : tensor<3xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(0.4944858, 0.22168817), (-3.7527714, 0.25655395),
                                         (0.18270572, 0.8140874)]> : tensor<3xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = stablehlo.sine %z7 : tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(0.494485780933195, 0.22168816414957482),
                                         (-3.752771340479298, 0.2565539560904818)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E4M3FN>
  %r0 = stablehlo.sine %x0 : tensor<3xf8E4M3FN>
  %expected0 = stablehlo.constant dense<[0.46875, 0.8125, 0.9375]> : tensor<3xf8E4M3FN>
  check.expect_close %r0, %expected0, max_ulp_difference = 1
      : tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>

  %x1 = stablehlo.constant dense<[0.25, 1.5, 3.0]> : tensor<3xf8E5M2>
  %r1 = stablehlo.sine %x1 : tensor<3xf8E5M2>
  %expected1 = stablehlo.constant dense<[0.25, 1.0, 0.15625]> : tensor<3xf8E5M2>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<3xf8E5M2>, tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-124, -112, -100, -77]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>
  %y = stablehlo.sine %q
      : (tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>
  %r = stablehlo.bitcast_convert %y : (tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-60, -51, -48, -65]> : tensor<4xi8>
  func.return
}
