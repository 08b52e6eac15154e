// RUN: halo-opt %s --stablehlo-legalize-quant-to-math --chlo-legalize-to-stablehlo -o %t.mlir
// RUN: halo-run --backend=interpreter %t.mlir
// RUN: halo-opt %s --stablehlo-legalize-quant-to-math=products=floats --chlo-legalize-to-stablehlo -o %t.mlir
// RUN: halo-run --backend=interpreter %t.mlir
// RUN: halo-run --backend=cpu --no-constant-folding %s
// RUN: halo-run --backend=interpreter %s

// Products of quantized tensors, as integers and as the numbers that they stand
// for: the expected integers are NumPy's, by the formula of the specification.

func.func @main() {
  // A zero point of the left operand.
  %a0 = "stablehlo.constant"() <{value = dense<[[113, 32, 47, 101, 20], [70, 85, -71, -114, -52], [-56, 95, 105, -127, -1]]> : tensor<3x5xi8>}> : () -> tensor<3x5x!quant.uniform<i8:f32, 0.05:3>>
  %b0 = "stablehlo.constant"() <{value = dense<[[82, -94, 76, -97], [-8, 81, -50, -40], [-57, 56, -63, 125], [-14, -6, 1, 21], [14, 2, 126, 78]]> : tensor<5x4xi8>}> : () -> tensor<5x4x!quant.uniform<i8:f32, 0.02>>
  %r0 = stablehlo.dot_general %a0, %b0, contracting_dims = [1] x [0] : (tensor<3x5x!quant.uniform<i8:f32, 0.05:3>>, tensor<5x4x!quant.uniform<i8:f32, 0.02>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.75:-5>>
  %r0_s = stablehlo.bitcast_convert %r0 : (tensor<3x4x!quant.uniform<i8:f32, 0.75:-5>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0_s, dense<[[2, -13, 4, -9], [8, -9, -7, -39], [-18, 21, -27, 11]]> : tensor<3x4xi8>
  // Scales of each column, and the sums as they are.
  %a1 = "stablehlo.constant"() <{value = dense<[[[74, 51, 31, -41, 125], [-9, -73, 88, -87, 91], [28, -99, -117, -15, -119]], [[-92, 3, 120, -9, 78], [106, 82, 33, -16, 3], [-60, -1, -31, -65, 126]]]> : tensor<2x3x5xi8>}> : () -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5:-7>>
  %b1 = "stablehlo.constant"() <{value = dense<[[[-124, -103, -78], [120, 49, 97], [-76, 56, -33], [-3, -127, 30], [84, 42, -88]], [[9, -59, 119], [97, -80, 2], [112, 89, 53], [36, -117, 62], [-7, -104, -65]]]> : tensor<2x5x3xi8>}> : () -> tensor<2x5x3x!quant.uniform<i8:f32:2, {0.5, 0.25, 2.0}>>
  %r1 = stablehlo.dot_general %a1, %b1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x5x!quant.uniform<i8:f32, 0.5:-7>>, tensor<2x5x3x!quant.uniform<i8:f32:2, {0.5, 0.25, 2.0}>>) -> tensor<2x3x3x!quant.uniform<i32:f32:2, {0.25, 0.125, 1.0}>>
  %r1_s = stablehlo.bitcast_convert %r1 : (tensor<2x3x3x!quant.uniform<i32:f32:2, {0.25, 0.125, 1.0}>>) -> tensor<2x3x3xi32>
  check.expect_eq_const %r1_s, dense<[[[5218, 6489, -14582], [-6420, 16568, -20405], [-16404, -17961, 1592]], [[13762, 6912, -9013], [13736, -10214, 14537], [-5602, -6535, -19808]]]> : tensor<2x3x3xi32>
  // The batch is the second dimension of the left operand, and the last of the right one.
  %a2 = "stablehlo.constant"() <{value = dense<[[[74, 51, 31, -41, 125], [-92, 3, 120, -9, 78]], [[-9, -73, 88, -87, 91], [106, 82, 33, -16, 3]], [[28, -99, -117, -15, -119], [-60, -1, -31, -65, 126]]]> : tensor<3x2x5xi8>}> : () -> tensor<3x2x5x!quant.uniform<i8:f32, 0.5:-7>>
  %b2 = "stablehlo.constant"() <{value = dense<[[[-124, 9], [-103, -59], [-78, 119]], [[120, 97], [49, -80], [97, 2]], [[-76, 112], [56, 89], [-33, 53]], [[-3, 36], [-127, -117], [30, 62]], [[84, -7], [42, -104], [-88, -65]]]> : tensor<5x3x2xi8>}> : () -> tensor<5x3x2x!quant.uniform<i8:f32, 0.25>>
  %r2 = stablehlo.dot_general %a2, %b2, batching_dims = [1] x [2], contracting_dims = [2] x [0] : (tensor<3x2x5x!quant.uniform<i8:f32, 0.5:-7>>, tensor<5x3x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x3x!quant.uniform<i8:f32, 8.0:1>>
  %r2_s = stablehlo.bitcast_convert %r2 : (tensor<2x3x3x!quant.uniform<i8:f32, 8.0:1>>) -> tensor<2x3x3xi8>
  check.expect_eq_const %r2_s, dense<[[[83, 102, -128], [-99, 127, -128], [-128, -128, 26]], [[127, 109, -128], [127, -128, 127], [-87, -101, -128]]]> : tensor<2x3x3xi8>
  // Unsigned integers, with zero points of both operands.
  %a3 = "stablehlo.constant"() <{value = dense<[[138, 186, 129, 156, 223, 175], [92, 164, 153, 27, 15, 169]]> : tensor<2x6xui8>}> : () -> tensor<2x6x!quant.uniform<u8:f32, 0.1:128>>
  %b3 = "stablehlo.constant"() <{value = dense<[[99, 153, 82], [57, 38, 97], [208, 102, 97], [147, 250, 100], [151, 112, 154], [114, 163, 140]]> : tensor<6x3xui8>}> : () -> tensor<6x3x!quant.uniform<u8:f32, 0.2:100>>
  %r3 = stablehlo.dot %a3, %b3 : (tensor<2x6x!quant.uniform<u8:f32, 0.1:128>>, tensor<6x3x!quant.uniform<u8:f32, 0.2:100>>) -> tensor<2x3x!quant.uniform<u8:f32, 4.0:120>>
  %r3_s = stablehlo.bitcast_convert %r3 : (tensor<2x3x!quant.uniform<u8:f32, 4.0:120>>) -> tensor<2x3xui8>
  check.expect_eq_const %r3_s, dense<[[142, 146, 153], [76, 30, 100]]> : tensor<2x3xui8>
  // Groups of features, padding and gaps, which are zero points.
  %x4 = "stablehlo.constant"() <{value = dense<[[[[45, 116], [-90, 15], [-16, -37], [-67, -115]], [[-25, 83], [-104, -25], [119, 115], [-73, -127]], [[43, -125], [-52, -1], [95, -105], [41, 8]], [[-95, 88], [88, -5], [113, 27], [103, 117]]]]> : tensor<1x4x4x2xi8>}> : () -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05:-9>>
  %k4 = "stablehlo.constant"() <{value = dense<[[[[18, -56, -90, 16]], [[-78, 64, 109, -65]]], [[[13, -115, -81, -31]], [[98, 120, 36, 21]]], [[[18, -112, -32, 123]], [[-23, -73, -66, 54]]]]> : tensor<3x2x1x4xi8>}> : () -> tensor<3x2x1x4x!quant.uniform<i8:f32:3, {0.1, 0.2, 0.05, 0.4}>>
  %r4 = stablehlo.convolution(%x4, %k4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [0, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05:-9>>, tensor<3x2x1x4x!quant.uniform<i8:f32:3, {0.1, 0.2, 0.05, 0.4}>>) -> tensor<1x7x7x4x!quant.uniform<i8:f32, 1.5:2>>
  %r4_s = stablehlo.bitcast_convert %r4 : (tensor<1x7x7x4x!quant.uniform<i8:f32, 1.5:2>>) -> tensor<1x7x7x4xi8>
  check.expect_eq_const %r4_s, dense<[[[[4, -39, -15, -50], [-24, -63, 3, 9], [-2, 64, -1, -8], [0, -4, 0, -6], [2, 7, 6, 14], [-17, -44, -4, -28], [-1, 46, 16, 46]], [[4, -6, -22, 127], [30, 14, 8, -30], [-9, 103, -1, -19], [-6, -63, -17, 116], [9, -91, 0, 127], [22, 8, -4, 9], [-5, 71, 24, -128]], [[1, 14, -10, -36], [-29, -74, 1, -2], [-2, 75, 4, 9], [44, 104, 9, 37], [8, -96, -15, -49], [-19, -49, -5, -31], [-1, 51, 18, 51]], [[4, -31, -6, -128], [30, -18, -2, 22], [-6, 70, 4, 12], [-39, 6, 35, -128], [16, -123, -11, -128], [15, -50, -21, 117], [1, -11, 19, 5]], [[4, -38, 18, 50], [-12, -32, 2, 4], [0, 35, 1, -1], [36, 85, -4, -25], [7, -78, 15, 42], [18, 42, 3, 7], [4, -36, 0, -5]], [[0, 47, 14, 127], [6, -64, 3, -2], [5, -54, 1, 10], [-34, -13, -19, 111], [16, -128, 14, 41], [-20, -31, -9, 78], [12, -100, -7, 127]], [[-2, 68, -11, -38], [34, 80, 2, 3], [6, -72, 1, 0], [42, 100, 4, 12], [7, -92, -3, -13], [39, 92, 10, 37], [7, -84, -15, -50]]]]> : tensor<1x7x7x4xi8>
  // A zero point of the kernel.
  %k5 = "stablehlo.constant"() <{value = dense<[[[[-119, 120, 96], [17, -9, 66]], [[12, -6, -46], [-14, 64, -114]]], [[[-122, 56, -33], [77, -121, 104]], [[-97, -22, 119], [-101, 40, 58]]]]> : tensor<2x2x2x3xi8>}> : () -> tensor<2x2x2x3x!quant.uniform<i8:f32, 0.1:4>>
  %r5 = stablehlo.convolution(%x4, %k5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 0], [0, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05:-9>>, tensor<2x2x2x3x!quant.uniform<i8:f32, 0.1:4>>) -> tensor<1x2x2x3x!quant.uniform<i8:f32, 1.5:2>>
  %r5_s = stablehlo.bitcast_convert %r5 : (tensor<1x2x2x3x!quant.uniform<i8:f32, 1.5:2>>) -> tensor<1x2x2x3xi8>
  check.expect_eq_const %r5_s, dense<[[[[-55, -35, 106], [-22, -27, 28]], [[15, -49, 42], [-88, 52, 64]]]]> : tensor<1x2x2x3xi8>
  // Sums are held within the storage; the larger one is the larger integer.
  %a6 = "stablehlo.constant"() <{value = dense<[-19, -108, 6, -18, 95, 46, -40, -114, 23]> : tensor<9xi8>}> : () -> tensor<9x!quant.uniform<i8:f32, 0.25:-3>>
  %b6 = "stablehlo.constant"() <{value = dense<[-57, 47, 93, -38, 103, 4, 7, 67, 74]> : tensor<9xi8>}> : () -> tensor<9x!quant.uniform<i8:f32, 0.25:-3>>
  %r6 = stablehlo.add %a6, %b6 : tensor<9x!quant.uniform<i8:f32, 0.25:-3>>
  %r6_s = stablehlo.bitcast_convert %r6 : (tensor<9x!quant.uniform<i8:f32, 0.25:-3>>) -> tensor<9xi8>
  check.expect_eq_const %r6_s, dense<[-73, -58, 102, -53, 127, 53, -30, -44, 100]> : tensor<9xi8>
  %r7 = stablehlo.maximum %a6, %b6 : tensor<9x!quant.uniform<i8:f32, 0.25:-3>>
  %r7_s = stablehlo.bitcast_convert %r7 : (tensor<9x!quant.uniform<i8:f32, 0.25:-3>>) -> tensor<9xi8>
  check.expect_eq_const %r7_s, dense<[-19, 47, 93, -18, 103, 46, 7, 67, 74]> : tensor<9xi8>
  %r8 = stablehlo.clamp %a6, %b6, %a6 : tensor<9x!quant.uniform<i8:f32, 0.25:-3>>
  %r8_s = stablehlo.bitcast_convert %r8 : (tensor<9x!quant.uniform<i8:f32, 0.25:-3>>) -> tensor<9xi8>
  check.expect_eq_const %r8_s, dense<[-19, -108, 6, -18, 95, 46, -40, -114, 23]> : tensor<9xi8>
  %a9 = "stablehlo.constant"() <{value = dense<[2147483647, -2147483648, 7, -8]> : tensor<4xi32>}> : () -> tensor<4x!quant.uniform<i32:f32, 0.25>>
  %b9 = "stablehlo.constant"() <{value = dense<[1, -1, 5, 3]> : tensor<4xi32>}> : () -> tensor<4x!quant.uniform<i32:f32, 0.25>>
  %r9 = stablehlo.add %a9, %b9 : tensor<4x!quant.uniform<i32:f32, 0.25>>
  %r9_s = stablehlo.bitcast_convert %r9 : (tensor<4x!quant.uniform<i32:f32, 0.25>>) -> tensor<4xi32>
  check.expect_eq_const %r9_s, dense<[2147483647, -2147483648, 12, -5]> : tensor<4xi32>
  // Four bits.
  %a10 = "stablehlo.constant"() <{value = dense<[[6, 7, -6], [-2, 6, -4]]> : tensor<2x3xi4>}> : () -> tensor<2x3x!quant.uniform<i4:f32, 0.5:2>>
  %b10 = "stablehlo.constant"() <{value = dense<[[-7, 1], [4, 4], [5, 2]]> : tensor<3x2xi4>}> : () -> tensor<3x2x!quant.uniform<i4:f32, 0.5>>
  %r10 = stablehlo.dot_general %a10, %b10, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i4:f32, 0.5:2>>, tensor<3x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i4:f32, 4.0:1>>
  %r10_s = stablehlo.bitcast_convert %r10 : (tensor<2x2x!quant.uniform<i4:f32, 4.0:1>>) -> tensor<2x2xi4>
  check.expect_eq_const %r10_s, dense<[[-2, 2], [2, 1]]> : tensor<2x2xi4>
  // The sum of the stored integers, 1612900, is not a value of f16.
  %a11 = "stablehlo.constant"() <{value = dense<127> : tensor<1x100xi8>}> : () -> tensor<1x100x!quant.uniform<i8:f16, 0.5>>
  %b11 = "stablehlo.constant"() <{value = dense<127> : tensor<100x1xi8>}> : () -> tensor<100x1x!quant.uniform<i8:f16, 0.0078125>>
  %r11 = stablehlo.dot_general %a11, %b11, contracting_dims = [1] x [0] : (tensor<1x100x!quant.uniform<i8:f16, 0.5>>, tensor<100x1x!quant.uniform<i8:f16, 0.0078125>>) -> tensor<1x1x!quant.uniform<i8:f16, 64.0:-3>>
  %r11_s = stablehlo.bitcast_convert %r11 : (tensor<1x1x!quant.uniform<i8:f16, 64.0:-3>>) -> tensor<1x1xi8>
  check.expect_eq_const %r11_s, dense<[[95]]> : tensor<1x1xi8>
  return
}
