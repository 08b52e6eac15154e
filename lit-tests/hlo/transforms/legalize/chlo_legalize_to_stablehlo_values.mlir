// RUN: halo-opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: halo-opt %s --chlo-legalize-to-stablehlo | halo-run -
// RUN: halo-opt %s --chlo-legalize-to-stablehlo | halo-run --backend=interpreter -

// Values of the decompositions. Expected ones are mpmath's, rounded from 400
// bits; special ones are those of IEEE 754 and C, and poles are as in SciPy, but
// for that of digamma at zero, which is NaN as in JAX.

// CHECK-NOT: chlo.

func.func @main() {
  func.call @acos_f32() : () -> ()
  func.call @asin_f32() : () -> ()
  func.call @atan_f32() : () -> ()
  func.call @acosh_f32() : () -> ()
  func.call @asinh_f32() : () -> ()
  func.call @atanh_f32() : () -> ()
  func.call @cosh_f32() : () -> ()
  func.call @sinh_f32() : () -> ()
  func.call @tan_f32() : () -> ()
  func.call @bessel_i1e_f32() : () -> ()
  func.call @digamma_f32() : () -> ()
  func.call @erf_f32() : () -> ()
  func.call @erfc_f32() : () -> ()
  func.call @erf_inv_f32() : () -> ()
  func.call @lgamma_f32() : () -> ()
  func.call @zeta_f32() : () -> ()
  func.call @polygamma_f32() : () -> ()
  func.call @next_after_f32() : () -> ()
  func.call @acos_f64() : () -> ()
  func.call @asin_f64() : () -> ()
  func.call @atan_f64() : () -> ()
  func.call @acosh_f64() : () -> ()
  func.call @asinh_f64() : () -> ()
  func.call @atanh_f64() : () -> ()
  func.call @cosh_f64() : () -> ()
  func.call @sinh_f64() : () -> ()
  func.call @tan_f64() : () -> ()
  func.call @bessel_i1e_f64() : () -> ()
  func.call @digamma_f64() : () -> ()
  func.call @erf_f64() : () -> ()
  func.call @erfc_f64() : () -> ()
  func.call @erf_inv_f64() : () -> ()
  func.call @lgamma_f64() : () -> ()
  func.call @zeta_f64() : () -> ()
  func.call @polygamma_f64() : () -> ()
  func.call @next_after_f64() : () -> ()
  func.call @asin_f16() : () -> ()
  func.call @erf_f16() : () -> ()
  func.call @lgamma_f16() : () -> ()
  func.call @sinh_f16() : () -> ()
  return
}

func.func private @acos_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -5.0e-1, 9.9999994e-1, 1.25, 1.0e-45]> : tensor<12xf32>
  %0 = chlo.acos %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7FC00000, 0x7FC00000, 0x7FC00000, 1.5707964, 1.5707964, 0.0,
      3.1415927, 1.0471976, 2.0943952, 3.4526698e-4, 0x7FC00000, 1.5707964]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @asin_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -7.5e-1, 9.9999994e-1, -1.25, -1.0e-45]> : tensor<12xf32>
  %0 = chlo.asin %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 0.0, 1.5707964,
      -1.5707964, 5.235988e-1, -8.480621e-1, 1.570451, 0x7FC00000, -1.0e-45]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @atan_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, 1.0e10, 3.4028235e38, 1.0e-45, -3.0]> : tensor<12xf32>
  %0 = chlo.atan %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      1.5707964, -1.5707964, 0x7FC00000, 0.0, 0.0, 7.853982e-1,
      -7.853982e-1, 4.636476e-1, 1.5707964, 1.5707964, 1.0e-45, -1.2490457]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @acosh_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      1.0000001, 1.5, 1.0e1, 5.0e-1, -1.0, 3.4028235e38]> : tensor<12xf32>
  %0 = chlo.acosh %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0,
      4.8828125e-4, 9.624236e-1, 2.993223, 0x7FC00000, 0x7FC00000, 8.9415985e1]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @asinh_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, 1.0e10, 3.4028235e38, -3.4028235e38, 1.0e-45]> : tensor<12xf32>
  %0 = chlo.asinh %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, 0.0, 8.813736e-1,
      -8.813736e-1, 4.812118e-1, 2.3718998e1, 8.9415985e1, -8.9415985e1, 1.0e-45]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @atanh_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -7.5e-1, 9.9999994e-1, 1.5, -1.0e-45]> : tensor<12xf32>
  %0 = chlo.atanh %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 0.0, 0x7F800000,
      0xFF800000, 5.4930615e-1, -9.7295505e-1, 8.66434, 0x7FC00000, -1.0e-45]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @cosh_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -1.0e1, 1.1754944e-38, 2.0e1, 1.0e3]> : tensor<12xf32>
  %0 = chlo.cosh %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7F800000, 0x7F800000, 0x7FC00000, 1.0, 1.0, 1.5430807,
      1.5430807, 1.127626, 1.1013233e4, 1.0, 2.425826e8, 0x7F800000]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 8 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @sinh_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -1.0e1, 1.0e-45, 2.0e1, 1.0e3]> : tensor<12xf32>
  %0 = chlo.sinh %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, 0.0, 1.1752012,
      -1.1752012, 5.210953e-1, -1.1013232e4, 1.0e-45, 2.425826e8, 0x7F800000]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 8 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @tan_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -1.0e1, 1.0e-45, 1.0e2, 3.140625]> : tensor<12xf32>
  %0 = chlo.tan %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 0.0, 1.5574077,
      -1.5574077, 5.463025e-1, -6.4836085e-1, 1.0e-45, -5.8721393e-1, -9.676539e-4]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @bessel_i1e_f32() {
  %x = stablehlo.constant dense<[
      0x7FC00000, 0.0, -0.0, 1.0, -1.0, 5.0e-1,
      8.0, -8.5, 1.0e2, 1.0e-45, 1.0e10, 1.0e-10]> : tensor<12xf32>
  %0 = chlo.bessel_i1e %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7FC00000, 0.0, 0.0, 2.0791042e-1, -2.0791042e-1, 1.564208e-1,
      1.3414249e-1, -1.3054936e-1, 3.9744154e-2, 0.0, 3.989423e-6, 5.0e-11]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 9 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @digamma_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -1.0, -2.0,
      1.0, 5.0e-1, 2.0, -7.5e-1, 1.0e2, 1.0e-10]> : tensor<12xf32>
  %0 = chlo.digamma %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000,
      -5.772157e-1, -1.96351, 4.2278433e-1, -2.8941202, 4.600162, -1.0e10]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 12 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @erf_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -2.5, 5.0, 1.0e-45, 1.0e-10]> : tensor<12xf32>
  %0 = chlo.erf %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      1.0, -1.0, 0x7FC00000, 0.0, 0.0, 8.427008e-1,
      -8.427008e-1, 5.204999e-1, -9.99593e-1, 1.0, 1.0e-45, 1.1283792e-10]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @erfc_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -2.5, 5.0, 9.0, 1.0e1]> : tensor<12xf32>
  %0 = chlo.erfc %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0.0, 2.0, 0x7FC00000, 1.0, 1.0, 1.572992e-1,
      1.8427008, 4.7950011e-1, 1.999593, 1.5374598e-12, 4.1370317e-37, 1.0e-45]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @erf_inv_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      -1.0, 5.0e-1, -7.5e-1, 9.6875e-1, 1.5, 1.0e-10]> : tensor<12xf32>
  %0 = chlo.erf_inv %x : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 0.0, 0x7F800000,
      0xFF800000, 4.7693628e-1, -8.134198e-1, 1.5230194, 0x7FC00000, 8.862269e-11]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @lgamma_f32() {
  %x = stablehlo.constant dense<[
      0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0,
      2.0, 5.0e-1, -1.0, -5.0e-1, 1.0e-45, 1.0e2,
      1.0e10]> : tensor<13xf32>
  %0 = chlo.lgamma %x : tensor<13xf32> -> tensor<13xf32>
  %expected = stablehlo.constant dense<[
      0x7F800000, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7F800000, 0.0,
      0.0, 5.723649e-1, 0x7F800000, 1.2655121, 1.0327893e2, 3.5913422e2,
      2.2025852e11]> : tensor<13xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<13xf32>, tensor<13xf32>
  return
}

func.func private @zeta_f32() {
  %x = stablehlo.constant dense<[
      2.0, 3.0, 5.0, 1.0, 5.0e-1, 2.0,
      2.0, 3.0, 4.0, 0x7FC00000, 2.0e1, 4.0]> : tensor<12xf32>
  %y = stablehlo.constant dense<[
      1.0, 5.0e-1, 1.0e1, 2.0, 1.0, 0.0,
      -1.0, -1.0, 1.0e2, 1.0, 3.0, -5.0e-1]> : tensor<12xf32>
  %0 = chlo.zeta %x, %y : tensor<12xf32>, tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      1.644934, 8.414398, 3.04138e-5, 0x7F800000, 0x7FC00000, 0x7F800000,
      0x7F800000, 0x7FC00000, 3.3836668e-7, 0x7FC00000, 2.8771746e-10, 3.2234848e1]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 5 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @polygamma_f32() {
  %x = stablehlo.constant dense<[
      0.0, 1.0, 2.0, 3.0, 1.0, 5.0e-1,
      -1.0, 5.0, 0.0, 1.0, 1.0e1, 0x7FC00000]> : tensor<12xf32>
  %y = stablehlo.constant dense<[
      1.0, 1.0, 1.0, 5.0e-1, 1.0e1, 1.0,
      1.0, 3.0, 5.0e-1, 0.0, 2.0, 1.0]> : tensor<12xf32>
  %0 = chlo.polygamma %x, %y : tensor<12xf32>, tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      -5.772157e-1, 1.644934, -2.4041138, 9.740909e1, 1.0516634e-1, 0x7FC00000,
      0x7FC00000, 2.0616744e-1, -1.96351, 0x7F800000, -1.7933116e3, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 64 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func private @next_after_f32() {
  %x = stablehlo.constant dense<[
      0.0, 0.0, -0.0, 1.0, 1.0, -1.0,
      3.4028235e38, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0e-45, 1.1754944e-38,
      2.0, 0.0]> : tensor<14xf32>
  %y = stablehlo.constant dense<[
      1.0, -1.0, 0.0, 2.0, -1.0, 0.0,
      0x7F800000, 0.0, 0.0, 1.0, -1.0, 0.0,
      2.0, -0.0]> : tensor<14xf32>
  %0 = chlo.next_after %x, %y : tensor<14xf32>, tensor<14xf32> -> tensor<14xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, -1.0e-45, 0.0, 1.0000001, 9.9999994e-1, -9.9999994e-1,
      0x7F800000, 3.4028235e38, -3.4028235e38, 0x7FC00000, 0.0, 1.1754942e-38,
      2.0, -0.0]> : tensor<14xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<14xf32>, tensor<14xf32>
  return
}

func.func private @acos_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -0.5, 0.9999999999999999, 1.25, 5.0e-324]> : tensor<12xf64>
  %0 = chlo.acos %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 1.5707963267948966, 1.5707963267948966, 0.0,
      3.141592653589793, 1.0471975511965979, 2.0943951023931957, 1.4901161193847656e-8, 0x7FF8000000000000, 1.5707963267948966]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @asin_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -0.75, 0.9999999999999999, -1.25, -5.0e-324]> : tensor<12xf64>
  %0 = chlo.asin %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0.0, 1.5707963267948966,
      -1.5707963267948966, 0.5235987755982989, -0.848062078981481, 1.5707963118937354, 0x7FF8000000000000, -5.0e-324]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @atan_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, 10000000000.0, 1.7976931348623157e308, 5.0e-324, -3.0]> : tensor<12xf64>
  %0 = chlo.atan %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      1.5707963267948966, -1.5707963267948966, 0x7FF8000000000000, 0.0, 0.0, 0.7853981633974483,
      -0.7853981633974483, 0.4636476090008061, 1.5707963266948965, 1.5707963267948966, 5.0e-324, -1.2490457723982544]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @acosh_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      1.0000000000000002, 1.5, 10.0, 0.5, -1.0, 1.7976931348623157e308]> : tensor<12xf64>
  %0 = chlo.acosh %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0,
      2.1073424255447014e-8, 0.9624236501192069, 2.993222846126381, 0x7FF8000000000000, 0x7FF8000000000000, 710.475860073944]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @asinh_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, 10000000000.0, 1.7976931348623157e308, -1.7976931348623157e308, 5.0e-324]> : tensor<12xf64>
  %0 = chlo.asinh %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, 0.0, 0.881373587019543,
      -0.881373587019543, 0.48121182505960347, 23.7189981105004, 710.475860073944, -710.475860073944, 5.0e-324]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @atanh_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -0.75, 0.9999999999999999, 1.5, -5.0e-324]> : tensor<12xf64>
  %0 = chlo.atanh %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0.0, 0x7FF0000000000000,
      0xFFF0000000000000, 0.5493061443340549, -0.9729550745276566, 18.714973875118524, 0x7FF8000000000000, -5.0e-324]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @cosh_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -10.0, 2.2250738585072014e-308, 20.0, 1000.0]> : tensor<12xf64>
  %0 = chlo.cosh %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 1.0, 1.0, 1.5430806348152437,
      1.5430806348152437, 1.1276259652063807, 11013.232920103323, 1.0, 242582597.70489514, 0x7FF0000000000000]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 16 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @sinh_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -10.0, 5.0e-324, 20.0, 1000.0]> : tensor<12xf64>
  %0 = chlo.sinh %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, 0.0, 1.1752011936438014,
      -1.1752011936438014, 0.5210953054937474, -11013.232874703393, 5.0e-324, 242582597.70489514, 0x7FF0000000000000]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 16 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @tan_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -10.0, 5.0e-324, 100.0, 3.140625]> : tensor<12xf64>
  %0 = chlo.tan %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0.0, 1.5574077246549023,
      -1.5574077246549023, 0.5463024898437905, -0.6483608274590866, 5.0e-324, -0.5872139151569291, -0.0009676538918152837]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @bessel_i1e_f64() {
  %x = stablehlo.constant dense<[
      0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 0.5,
      8.0, -8.5, 100.0, 5.0e-324, 10000000000.0, 1.0e-10]> : tensor<12xf64>
  %0 = chlo.bessel_i1e %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF8000000000000, 0.0, 0.0, 0.20791041534970844, -0.20791041534970844, 0.1564208031848717,
      0.13414249329269817, -0.13054935509459586, 0.03974415302513025, 0.0, 3.989422803864723e-6, 4.9999999995e-11]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 8 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @digamma_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -1.0, -2.0,
      1.0, 0.5, 2.0, -0.75, 100.0, 1.0e-10]> : tensor<12xf64>
  %0 = chlo.digamma %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000,
      -0.5772156649015329, -1.9635100260214235, 0.42278433509846713, -2.894120200042932, 4.600161852738087, -10000000000.577215]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 12 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @erf_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -2.5, 5.0, 5.0e-324, 1.0e-10]> : tensor<12xf64>
  %0 = chlo.erf %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      1.0, -1.0, 0x7FF8000000000000, 0.0, 0.0, 0.8427007929497149,
      -0.8427007929497149, 0.5204998778130465, -0.999593047982555, 0.9999999999984626, 5.0e-324, 1.1283791670955126e-10]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @erfc_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -2.5, 5.0, 9.0, 10.0]> : tensor<12xf64>
  %0 = chlo.erfc %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0.0, 2.0, 0x7FF8000000000000, 1.0, 1.0, 0.15729920705028513,
      1.8427007929497148, 0.4795001221869535, 1.999593047982555, 1.537459794428035e-12, 4.13703174651381e-37, 2.088487583762545e-45]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @erf_inv_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      -1.0, 0.5, -0.75, 0.96875, 1.5, 1.0e-10]> : tensor<12xf64>
  %0 = chlo.erf_inv %x : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0.0, 0x7FF0000000000000,
      0xFFF0000000000000, 0.4769362762044699, -0.8134198475976185, 1.523019401996956, 0x7FF8000000000000, 8.862269254527581e-11]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @lgamma_f64() {
  %x = stablehlo.constant dense<[
      0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0,
      2.0, 0.5, -1.0, -0.5, 5.0e-324, 100.0,
      10000000000.0]> : tensor<13xf64>
  %0 = chlo.lgamma %x : tensor<13xf64> -> tensor<13xf64>
  %expected = stablehlo.constant dense<[
      0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0.0,
      0.0, 0.5723649429247001, 0x7FF0000000000000, 1.2655121234846454, 744.4400719213812, 359.1342053695754,
      220258509288.81058]> : tensor<13xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<13xf64>, tensor<13xf64>
  return
}

func.func private @zeta_f64() {
  %x = stablehlo.constant dense<[
      2.0, 3.0, 5.0, 1.0, 0.5, 2.0,
      2.0, 3.0, 4.0, 0x7FF8000000000000, 20.0, 4.0]> : tensor<12xf64>
  %y = stablehlo.constant dense<[
      1.0, 0.5, 10.0, 2.0, 1.0, 0.0,
      -1.0, -1.0, 100.0, 1.0, 3.0, -0.5]> : tensor<12xf64>
  %0 = chlo.zeta %x, %y : tensor<12xf64>, tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      1.6449340668482264, 8.41439832211716, 3.0413798676470278e-5, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000,
      0x7FF0000000000000, 0x7FF8000000000000, 3.383666650002222e-7, 0x7FF8000000000000, 2.8771746654611316e-10, 32.234848505667074]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 5 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @polygamma_f64() {
  %x = stablehlo.constant dense<[
      0.0, 1.0, 2.0, 3.0, 1.0, 0.5,
      -1.0, 5.0, 0.0, 1.0, 10.0, 0x7FF8000000000000]> : tensor<12xf64>
  %y = stablehlo.constant dense<[
      1.0, 1.0, 1.0, 0.5, 10.0, 1.0,
      1.0, 3.0, 0.5, 0.0, 2.0, 1.0]> : tensor<12xf64>
  %0 = chlo.polygamma %x, %y : tensor<12xf64>, tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      -0.5772156649015329, 1.6449340668482264, -2.4041138063191885, 97.40909103400244, 0.10516633568168575, 0x7FF8000000000000,
      0x7FF8000000000000, 0.20616743813389676, -1.9635100260214235, 0x7FF0000000000000, -1793.311606628713, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 64 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func private @next_after_f64() {
  %x = stablehlo.constant dense<[
      0.0, 0.0, -0.0, 1.0, 1.0, -1.0,
      1.7976931348623157e308, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 5.0e-324, 2.2250738585072014e-308,
      2.0, 0.0]> : tensor<14xf64>
  %y = stablehlo.constant dense<[
      1.0, -1.0, 0.0, 2.0, -1.0, 0.0,
      0x7FF0000000000000, 0.0, 0.0, 1.0, -1.0, 0.0,
      2.0, -0.0]> : tensor<14xf64>
  %0 = chlo.next_after %x, %y : tensor<14xf64>, tensor<14xf64> -> tensor<14xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, -5.0e-324, 0.0, 1.0000000000000002, 0.9999999999999999, -0.9999999999999999,
      0x7FF0000000000000, 1.7976931348623157e308, -1.7976931348623157e308, 0x7FF8000000000000, 0.0, 2.225073858507201e-308,
      2.0, -0.0]> : tensor<14xf64>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<14xf64>, tensor<14xf64>
  return
}

func.func private @asin_f16() {
  %x = stablehlo.constant dense<[
      0x7C00, 0xFC00, 0x7E00, 0.0, 5.0e-1, -7.5e-1,
      9.995e-1, 3.0, 6.0e-8]> : tensor<9xf16>
  %0 = chlo.asin %x : tensor<9xf16> -> tensor<9xf16>
  %expected = stablehlo.constant dense<[
      0x7E00, 0x7E00, 0x7E00, 0.0, 5.234e-1, -8.48e-1,
      1.539, 0x7E00, 6.0e-8]> : tensor<9xf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<9xf16>, tensor<9xf16>
  return
}

func.func private @erf_f16() {
  %x = stablehlo.constant dense<[
      0x7C00, 0xFC00, 0x7E00, 0.0, 5.0e-1, -7.5e-1,
      9.995e-1, 3.0, 6.0e-8]> : tensor<9xf16>
  %0 = chlo.erf %x : tensor<9xf16> -> tensor<9xf16>
  %expected = stablehlo.constant dense<[
      1.0, -1.0, 0x7E00, 0.0, 5.205e-1, -7.11e-1,
      8.423e-1, 1.0, 6.0e-8]> : tensor<9xf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<9xf16>, tensor<9xf16>
  return
}

func.func private @lgamma_f16() {
  %x = stablehlo.constant dense<[
      0x7C00, 0xFC00, 0x7E00, 0.0, 5.0e-1, -7.5e-1,
      9.995e-1, 3.0, 6.0e-8]> : tensor<9xf16>
  %0 = chlo.lgamma %x : tensor<9xf16> -> tensor<9xf16>
  %expected = stablehlo.constant dense<[
      0x7C00, 0x7C00, 0x7E00, 0x7C00, 5.723e-1, 1.576,
      2.82e-4, 6.934e-1, 1.664e1]> : tensor<9xf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<9xf16>, tensor<9xf16>
  return
}

func.func private @sinh_f16() {
  %x = stablehlo.constant dense<[
      0x7C00, 0xFC00, 0x7E00, 0.0, 5.0e-1, -7.5e-1,
      9.995e-1, 3.0, 6.0e-8]> : tensor<9xf16>
  %0 = chlo.sinh %x : tensor<9xf16> -> tensor<9xf16>
  %expected = stablehlo.constant dense<[
      0x7C00, 0xFC00, 0x7E00, 0.0, 5.21e-1, -8.223e-1,
      1.175, 1.0016e1, 6.0e-8]> : tensor<9xf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<9xf16>, tensor<9xf16>
  return
}
