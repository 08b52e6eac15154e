// Conversions between types, and reinterpretation of bits. Values: NumPy with ml_dtypes.

func.func @floats_saturate_as_integers() {
  %a = stablehlo.constant {input} dense<[1.75, -1.75, 300.0, -300.0, 0x7FC00000]> : tensor<5xf32>
  %0 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xi8>
  %1 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xui8>
  check.expect_eq_const %0, dense<[1, -1, 127, -128, 0]> : tensor<5xi8>
  check.expect_eq_const %1, dense<[1, 0, 255, 0, 0]> : tensor<5xui8>
  return
}

// `numpy.arange(4, dtype=uint32).view(uint8)`, and back.
func.func @reinterprets_bits_between_widths() {
  %a = stablehlo.constant {input} dense<[0x04030201, 0xFFFE0000]> : tensor<2xui32>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xui32>) -> tensor<2x4xui8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x4xui8>) -> tensor<2xui32>
  check.expect_eq_const %0, dense<[[1, 2, 3, 4], [0, 0, 254, 255]]> : tensor<2x4xui8>
  check.expect_eq_const %1, dense<[0x04030201, 0xFFFE0000]> : tensor<2xui32>
  return
}

// Values a hair from the middle of two neighbours, which f32 cannot tell from
// it: rounding by way of f32 would go to the even one. 1.0625 + 2^-40, 1.1875 - 2^-40, 17 + 2^-45
// and 2^-10 + 2^-50.
func.func @rounds_wide_numbers_once() {
  %x = stablehlo.constant {input} dense<[1.0625000000009095, 1.1874999999990905, 17.00000000000003,
      0.0009765625000008882]> : tensor<4xf64>
  %0 = stablehlo.convert %x : (tensor<4xf64>) -> tensor<4xf8E4M3FN>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4xf8E4M3FN>) -> tensor<4xui8>
  check.expect_eq_const %1, dense<[57, 57, 89, 1]> : tensor<4xui8>
  return
}

// `numpy.float64` to `float16` and `int64` to `bfloat16` round once as well: 1 + 2^-11 + 2^-40,
// 2^40 + 2^32 + 1.
func.func @rounds_to_half_precision_once() {
  %x = stablehlo.constant {input} dense<[1.0004882812509095, 65519.999999]> : tensor<2xf64>
  %n = stablehlo.constant {input} dense<[1103806595073, -1103806595072]> : tensor<2xi64>
  %0 = stablehlo.convert %x : (tensor<2xf64>) -> tensor<2xf16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xf16>) -> tensor<2xui16>
  %2 = stablehlo.convert %n : (tensor<2xi64>) -> tensor<2xbf16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %1, dense<[15361, 31743]> : tensor<2xui16>
  check.expect_eq_const %3, dense<[21377, 54144]> : tensor<2xui16>
  return
}

// The nearest bf16 of an f32 and of an f64, which is rounded once: 1 + 2^-8 is
// half way between two of them, and 2^-40 decides.
func.func @conversions_to_bf16_round_once() {
  %x = stablehlo.constant {input} dense<[1.0e-39, -3.3e-40, 4.6e-41, 1.00390625, 1.01171875,
      0x7F800000]> : tensor<6xf32>
  %y = stablehlo.constant {input} dense<[1.0039062500009095, 1.0039062499990905, 1.0e-39, 4.6e-41,
      -1.0e-40, 3.0e38]> : tensor<6xf64>
  %0 = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xbf16>
  %1 = stablehlo.convert %y : (tensor<6xf64>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %0 : (tensor<6xbf16>) -> tensor<6xui16>
  %3 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[11, 32772, 1, 16256, 16258, 32640]> : tensor<6xui16>
  check.expect_eq_const %3, dense<[16257, 16256, 11, 1, 32769, 32610]> : tensor<6xui16>
  return
}
