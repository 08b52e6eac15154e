// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.isfinite.

func.func @main() {
  %x0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.0, 3.4e38, -1.0e-45]> : tensor<6xf32>
  %r0 = stablehlo.is_finite %x0 : (tensor<6xf32>) -> tensor<6xi1>
  check.expect_eq_const %r0, dense<[false, false, false, true, true, true]> : tensor<6xi1>

  %x1 = stablehlo.constant dense<[0x7FF0000000000000, 1.0e308]> : tensor<2xf64>
  %r1 = stablehlo.is_finite %x1 : (tensor<2xf64>) -> tensor<2xi1>
  check.expect_eq_const %r1, dense<[false, true]> : tensor<2xi1>

  %x2 = stablehlo.constant dense<[6.55e4, 0x7C00]> : tensor<2xf16>
  %r2 = stablehlo.is_finite %x2 : (tensor<2xf16>) -> tensor<2xi1>
  check.expect_eq_const %r2, dense<[true, false]> : tensor<2xi1>

  %x3 = stablehlo.constant dense<[0x7FC0, 1.0]> : tensor<2xbf16>
  %r3 = stablehlo.is_finite %x3 : (tensor<2xbf16>) -> tensor<2xi1>
  check.expect_eq_const %r3, dense<[false, true]> : tensor<2xi1>

  %x4 = stablehlo.constant dense<> : tensor<0xf32>
  %r4 = stablehlo.is_finite %x4 : (tensor<0xf32>) -> tensor<0xi1>
  check.expect_eq_const %r4, dense<> : tensor<0xi1>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[448.0, 0x7F]> : tensor<2xf8E4M3FN>
  %r0 = stablehlo.is_finite %x0 : (tensor<2xf8E4M3FN>) -> tensor<2xi1>
  check.expect_eq_const %r0, dense<[true, false]> : tensor<2xi1>

  %x1 = stablehlo.constant dense<[57344.0, 0x7C, 0x7E]> : tensor<3xf8E5M2>
  %r1 = stablehlo.is_finite %x1 : (tensor<3xf8E5M2>) -> tensor<3xi1>
  check.expect_eq_const %r1, dense<[true, false, false]> : tensor<3xi1>

  %x2 = stablehlo.constant dense<[6.0, 0.0]> : tensor<2xf4E2M1FN>
  %r2 = stablehlo.is_finite %x2 : (tensor<2xf4E2M1FN>) -> tensor<2xi1>
  check.expect_eq_const %r2, dense<[true, true]> : tensor<2xi1>
  func.return
}
