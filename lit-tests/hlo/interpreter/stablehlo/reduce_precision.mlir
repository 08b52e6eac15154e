// RUN: halo-run --backend=interpreter %s

// Values: rounding to even with frexp and rint of Python; subnormal results become 0. The first is the example of the specification.

func.func @main() {
  %x0 = stablehlo.constant dense<[0x7FF0000000000000, 0x7FF8000000000000, 0.0, 1000.0,
                                  1000001.0]> : tensor<5xf64>
  %r0 = stablehlo.reduce_precision %x0, format = e5m10 : tensor<5xf64>
  check.expect_eq_const %r0, dense<[0x7FF0000000000000, 0x7FF8000000000000, 0.0, 1000.0,
                                    0x7FF0000000000000]> : tensor<5xf64>

  %x1 = stablehlo.constant dense<[1.0039062, 3.3e38, 1.0e-10, -0.1]> : tensor<4xf32>
  %r1 = stablehlo.reduce_precision %x1, format = e8m7 : tensor<4xf32>
  check.expect_eq_const %r1, dense<[1.0, 3.2964854e38, 1.0004442e-10, -0.100097656]> : tensor<4xf32>

  %x2 = stablehlo.constant dense<[1.75, -3.0, 300.0, 0.01]> : tensor<4xf32>
  %r2 = stablehlo.reduce_precision %x2, format = e4m2 : tensor<4xf32>
  check.expect_eq_const %r2, dense<[1.75, -3.0, 0x7F800000, 0.0]> : tensor<4xf32>

  %x3 = stablehlo.constant dense<[1.5, 500.0, -2.25]> : tensor<3xbf16>
  %r3 = stablehlo.reduce_precision %x3, format = e5m2 : tensor<3xbf16>
  check.expect_eq_const %r3, dense<[1.5, 512.0, -2.0]> : tensor<3xbf16>

  %x4 = stablehlo.constant dense<[1.031, 6.0e4]> : tensor<2xf16>
  %r4 = stablehlo.reduce_precision %x4, format = e5m3 : tensor<2xf16>
  check.expect_eq_const %r4, dense<[1.0, 6.144e4]> : tensor<2xf16>

  %x5 = stablehlo.constant dense<[1.7, -0.3]> : tensor<2xf32>
  %r5 = stablehlo.reduce_precision %x5, format = e8m23 : tensor<2xf32>
  check.expect_eq_const %r5, dense<[1.7, -0.3]> : tensor<2xf32>

  // The bits of the smallest f32, of which 18 are rounded away, whatever the
  // exponents of the other format are.
  %x6 = stablehlo.constant dense<[0x00000001, 0x00060000]> : tensor<2xf32>
  %r6 = stablehlo.reduce_precision %x6, format = e9m5 : tensor<2xf32>
  check.expect_eq_const %r6, dense<[0.0, 0x00080000]> : tensor<2xf32>
  func.return
}
