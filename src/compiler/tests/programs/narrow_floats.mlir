// Arithmetic of floats of a byte, and of bf16 at the ends of its range. Values: NumPy with
// ml_dtypes.

// `-inf` as an initial value, products that are summed in f32, and bits.
func.func @reduces_and_multiplies_narrow_floats() {
  %x = stablehlo.constant dense<[[1.5, -2.0, 0.25, 3.0], [0.5, 1.0, -6.0, 0.125]]> : tensor<2x4xf8E5M2>
  %least = stablehlo.constant dense<0xFC> : tensor<f8E5M2>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0, 1]
    : (tensor<2x4xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
  %1 = stablehlo.convert %0 : (tensor<f8E5M2>) -> tensor<f32>
  %2 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1]
    : (tensor<2x4xf8E5M2>, tensor<2x4xf8E5M2>) -> tensor<2xf8E5M2>
  %3 = stablehlo.convert %2 : (tensor<2xf8E5M2>) -> tensor<2xf32>
  %bytes = stablehlo.constant dense<[0x3C, 0xB8]> : tensor<2xf8E5M2>
  %4 = stablehlo.bitcast_convert %bytes : (tensor<2xf8E5M2>) -> tensor<2x2xi4>
  check.expect_eq_const %1, dense<3.0> : tensor<f32>
  check.expect_eq_const %3, dense<[16.0, 40.0]> : tensor<2xf32>
  check.expect_eq_const %4, dense<[[-4, 3], [-8, -5]]> : tensor<2x2xi4>
  return
}

// Results of bf16 that are subnormal, whatever the instructions of the processor
// do with such numbers; as bits.
func.func @subnormal_bf16_numbers_stay() {
  %x = stablehlo.constant {input} dense<[1.0e-19, -1.2e-38, 3.0e-39, 1.0e-40, 2.0, 1.0e-38]>
    : tensor<6xf32>
  %y = stablehlo.constant {input} dense<[1.0e-19, 0.5, 0.75, -1.0, 1.0e-39, 3.0]> : tensor<6xf32>
  %a = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xbf16>
  %b = stablehlo.convert %y : (tensor<6xf32>) -> tensor<6xbf16>
  %0 = stablehlo.multiply %a, %b : tensor<6xbf16>
  %1 = stablehlo.divide %a, %b : tensor<6xbf16>
  %2 = stablehlo.maximum %a, %b : tensor<6xbf16>
  %3 = stablehlo.negate %a : tensor<6xbf16>
  %4 = stablehlo.abs %a : tensor<6xbf16>
  %5 = stablehlo.sqrt %4 : tensor<6xbf16>
  %zero = stablehlo.subtract %b, %b : tensor<6xbf16>
  %6 = stablehlo.compare GT, %a, %zero : (tensor<6xbf16>, tensor<6xbf16>) -> tensor<6xi1>
  %7 = stablehlo.bitcast_convert %0 : (tensor<6xbf16>) -> tensor<6xui16>
  %8 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  %9 = stablehlo.bitcast_convert %2 : (tensor<6xbf16>) -> tensor<6xui16>
  %10 = stablehlo.bitcast_convert %3 : (tensor<6xbf16>) -> tensor<6xui16>
  %11 = stablehlo.bitcast_convert %5 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %7, dense<[109, 32834, 25, 32769, 22, 292]> : tensor<6xui16>
  check.expect_eq_const %8, dense<[16256, 33027, 44, 32769, 32640, 36]> : tensor<6xui16>
  check.expect_eq_const %9, dense<[8172, 16128, 16192, 1, 16384, 16448]> : tensor<6xui16>
  check.expect_eq_const %10, dense<[40940, 131, 32801, 32769, 49152, 32877]> : tensor<6xui16>
  check.expect_eq_const %11, dense<[12206, 8193, 8066, 7733, 16309, 8172]> : tensor<6xui16>
  check.expect_eq_const %6, dense<[true, false, true, true, true, true]> : tensor<6xi1>
  return
}

// An update that is added to a subnormal number finds it in memory: 0.75 (0x3F40) and
// 1 + 1 (0x4000).
func.func @updates_are_added_to_subnormal_bf16_numbers() {
  %x = stablehlo.constant {input} dense<[1, 16256]> : tensor<2xui16>
  %i = stablehlo.constant {input} dense<[[0], [1]]> : tensor<2x1xi32>
  %u = stablehlo.constant {input} dense<[0.75, 1.0]> : tensor<2xf32>
  %a = stablehlo.bitcast_convert %x : (tensor<2xui16>) -> tensor<2xbf16>
  %b = stablehlo.convert %u : (tensor<2xf32>) -> tensor<2xbf16>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<bf16>, %new: tensor<bf16>):
    %1 = stablehlo.add %old, %new : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<2xbf16>, tensor<2x1xi32>, tensor<2xbf16>) -> tensor<2xbf16>
  %2 = stablehlo.bitcast_convert %0 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %2, dense<[16192, 16384]> : tensor<2xui16>
  return
}
