// RUN: halo-opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: halo-opt %s --chlo-legalize-to-stablehlo | halo-run -
// RUN: halo-opt %s --chlo-legalize-to-stablehlo | halo-run --backend=interpreter -

// Values of the decompositions that are programs. Expected ones are NumPy's.

// CHECK-NOT: chlo.

func.func @main() {
  func.call @mulhi_i8() : () -> ()
  func.call @mulhi_ui8() : () -> ()
  func.call @mulhi_i16() : () -> ()
  func.call @mulhi_ui16() : () -> ()
  func.call @mulhi_i32() : () -> ()
  func.call @mulhi_ui32() : () -> ()
  func.call @mulhi_i64() : () -> ()
  func.call @mulhi_ui64() : () -> ()
  func.call @scan_reverse_maximum() : () -> ()
  func.call @ragged_rows() : () -> ()
  func.call @ragged_rows_of_batches() : () -> ()
  func.call @ragged_contraction() : () -> ()
  func.call @ragged_batches() : () -> ()
  func.call @broadcast_both() : () -> ()
  return
}

func.func private @mulhi_i8() {
  %a = stablehlo.constant dense<[-128, 127, 0, 1, 42, 64, -64, 126]> : tensor<8xi8>
  %b = stablehlo.constant dense<[127, 127, 127, -128, 5, 64, 18, -127]> : tensor<8xi8>
  %0 = chlo.mulhi %a, %b : tensor<8xi8>, tensor<8xi8> -> tensor<8xi8>
  check.expect_eq_const %0, dense<[-64, 63, 0, -1, 0, 16, -5, -63]> : tensor<8xi8>
  return
}

func.func private @mulhi_ui8() {
  %a = stablehlo.constant dense<[0, 255, 0, 1, 85, 128, 0, 254]> : tensor<8xui8>
  %b = stablehlo.constant dense<[255, 255, 255, 0, 5, 128, 36, 1]> : tensor<8xui8>
  %0 = chlo.mulhi %a, %b : tensor<8xui8>, tensor<8xui8> -> tensor<8xui8>
  check.expect_eq_const %0, dense<[0, 254, 0, 0, 1, 64, 0, 0]> : tensor<8xui8>
  return
}

func.func private @mulhi_i16() {
  %a = stablehlo.constant dense<[-32768, 32767, 0, 1, 10922, 16384, -16384, 32766]> : tensor<8xi16>
  %b = stablehlo.constant dense<[32767, 32767, 32767, -32768, 5, 16384, 4681, -32767]> : tensor<8xi16>
  %0 = chlo.mulhi %a, %b : tensor<8xi16>, tensor<8xi16> -> tensor<8xi16>
  check.expect_eq_const %0, dense<[-16384, 16383, 0, -1, 0, 4096, -1171, -16383]> : tensor<8xi16>
  return
}

func.func private @mulhi_ui16() {
  %a = stablehlo.constant dense<[0, 65535, 0, 1, 21845, 32768, 0, 65534]> : tensor<8xui16>
  %b = stablehlo.constant dense<[65535, 65535, 65535, 0, 5, 32768, 9362, 1]> : tensor<8xui16>
  %0 = chlo.mulhi %a, %b : tensor<8xui16>, tensor<8xui16> -> tensor<8xui16>
  check.expect_eq_const %0, dense<[0, 65534, 0, 0, 1, 16384, 0, 0]> : tensor<8xui16>
  return
}

func.func private @mulhi_i32() {
  %a = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 715827882, 1073741824, -1073741824, 2147483646]> : tensor<8xi32>
  %b = stablehlo.constant dense<[2147483647, 2147483647, 2147483647, -2147483648, 5, 1073741824, 306783378, -2147483647]> : tensor<8xi32>
  %0 = chlo.mulhi %a, %b : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  check.expect_eq_const %0, dense<[-1073741824, 1073741823, 0, -1, 0, 268435456, -76695845, -1073741823]> : tensor<8xi32>
  return
}

func.func private @mulhi_ui32() {
  %a = stablehlo.constant dense<[0, 4294967295, 0, 1, 1431655765, 2147483648, 0, 4294967294]> : tensor<8xui32>
  %b = stablehlo.constant dense<[4294967295, 4294967295, 4294967295, 0, 5, 2147483648, 613566756, 1]> : tensor<8xui32>
  %0 = chlo.mulhi %a, %b : tensor<8xui32>, tensor<8xui32> -> tensor<8xui32>
  check.expect_eq_const %0, dense<[0, 4294967294, 0, 0, 1, 1073741824, 0, 0]> : tensor<8xui32>
  return
}

func.func private @mulhi_i64() {
  %a = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 3074457345618258602, 4611686018427387904, -4611686018427387904, 9223372036854775806]> : tensor<8xi64>
  %b = stablehlo.constant dense<[9223372036854775807, 9223372036854775807, 9223372036854775807, -9223372036854775808, 5, 4611686018427387904, 1317624576693539401, -9223372036854775807]> : tensor<8xi64>
  %0 = chlo.mulhi %a, %b : tensor<8xi64>, tensor<8xi64> -> tensor<8xi64>
  check.expect_eq_const %0, dense<[-4611686018427387904, 4611686018427387903, 0, -1, 0, 1152921504606846976, -329406144173384851, -4611686018427387903]> : tensor<8xi64>
  return
}

func.func private @mulhi_ui64() {
  %a = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 6148914691236517205, 9223372036854775808, 0, 18446744073709551614]> : tensor<8xui64>
  %b = stablehlo.constant dense<[18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 5, 9223372036854775808, 2635249153387078802, 1]> : tensor<8xui64>
  %0 = chlo.mulhi %a, %b : tensor<8xui64>, tensor<8xui64> -> tensor<8xui64>
  check.expect_eq_const %0, dense<[0, 18446744073709551614, 0, 0, 1, 4611686018427387904, 0, 0]> : tensor<8xui64>
  return
}

func.func private @scan_reverse_maximum() {
  %x = stablehlo.constant dense<[[8, 2, 3, 7, 1], [4, 6, -5, -9, -4]]> : tensor<2x5xi32>
  %least = stablehlo.constant dense<-100> : tensor<2xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:3 = chlo.scan(%x) inits(%least, %zero) dimension=1 attributes {is_reverse = true} {
  ^bb0(%entry: tensor<2xi32>, %most: tensor<2xi32>, %count: tensor<f32>):
    %next = stablehlo.maximum %entry, %most : tensor<2xi32>
    %counted = stablehlo.add %count, %one : tensor<f32>
    stablehlo.return %next, %next, %counted : tensor<2xi32>, tensor<2xi32>, tensor<f32>
  } : (tensor<2x5xi32>, tensor<2xi32>, tensor<f32>) -> (tensor<2x5xi32>, tensor<2xi32>, tensor<f32>)
  check.expect_eq_const %0#0, dense<[[8, 7, 7, 7, 1], [6, 6, -4, -4, -4]]> : tensor<2x5xi32>
  check.expect_eq_const %0#1, dense<[8, 6]> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<5.0> : tensor<f32>
  return
}

func.func private @ragged_rows() {
  %lhs = stablehlo.constant dense<[[-2, 3], [4, -4], [0, 3], [-3, 3], [-3, 0]]> : tensor<5x2xi32>
  %rhs = stablehlo.constant dense<[[[3, -2], [-1, -2]], [[2, -2], [4, 0]], [[0, 0], [1, 0]]]> : tensor<3x2x2xi32>
  %sizes = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [],
    lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<5x2xi32>, tensor<3x2x2xi32>, tensor<3xi64>) -> tensor<5x2xi32>
  check.expect_eq_const %0, dense<[[-9, -2], [16, 0], [3, 0], [3, 0], [0, 0]]> : tensor<5x2xi32>
  return
}

func.func private @ragged_rows_of_batches() {
  %lhs = stablehlo.constant dense<[[[0, 4], [3, 3], [2, 1], [-1, 4]], [[0, -3], [3, -3], [3, 1], [-3, -4]]]> : tensor<2x4x2xi32>
  %rhs = stablehlo.constant dense<[[[[0, -4, -3], [0, 4, 0]], [[3, 4, 3], [1, -1, 0]]], [[[-2, 0, -1], [-2, 4, -4]], [[-4, -3, 4], [2, 3, -3]]]]> : tensor<2x2x2x3xi32>
  %sizes = stablehlo.constant dense<[[1, 3], [3, 1]]> : tensor<2x2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
    lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x4x2xi32>, tensor<2x2x2x3xi32>, tensor<2x2xi64>) -> tensor<2x4x3xi32>
  check.expect_eq_const %0, dense<[[[0, 16, 0], [-12, 12, -15], [-6, 4, -6], [-6, 16, -15]], [[-3, 3, 0], [6, 15, 9], [10, 11, 9], [4, -3, 0]]]> : tensor<2x4x3xi32>
  return
}

func.func private @ragged_contraction() {
  %lhs = stablehlo.constant dense<[[[2, -1, 0, -4, 1], [3, 1, -3, 0, -2]], [[4, 3, -3, 0, 4], [3, 2, 1, -4, 2]]]> : tensor<2x2x5xi32>
  %rhs = stablehlo.constant dense<[[[0, -4], [-2, 0], [2, 0], [1, 3], [2, -1]], [[1, 1], [-4, -4], [1, -1], [1, -2], [-2, -3]]]> : tensor<2x5x2xi32>
  %sizes = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [2], rhs_group_dimensions = []>} : (tensor<2x2x5xi32>, tensor<2x5x2xi32>, tensor<2xi64>) -> tensor<2x2x2x2xi32>
  check.expect_eq_const %0, dense<[[[[2, -8], [-2, -12]], [[-8, -8], [-5, -5]]], [[[-4, -12], [-6, 0]], [[-3, 3], [-3, 7]]]]> : tensor<2x2x2x2xi32>
  return
}

func.func private @ragged_batches() {
  %lhs = stablehlo.constant dense<[[[2, -1, 0, -4, 1], [3, 1, -3, 0, -2]], [[4, 3, -3, 0, 4], [3, 2, 1, -4, 2]]]> : tensor<2x2x5xi32>
  %rhs = stablehlo.constant dense<[[[0, -4], [-2, 0], [2, 0], [1, 3], [2, -1]], [[1, 1], [-4, -4], [1, -1], [1, -2], [-2, -3]]]> : tensor<2x5x2xi32>
  %sizes = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<2x2x5xi32>, tensor<2x5x2xi32>, tensor<2xi64>) -> tensor<2x2x2xi32>
  check.expect_eq_const %0, dense<[[[0, -21], [-12, -10]], [[-19, -17], [-12, -4]]]> : tensor<2x2x2xi32>
  return
}

func.func private @broadcast_both() {
  %a = stablehlo.constant dense<[[-3], [5], [-2]]> : tensor<3x1xi32>
  %b = stablehlo.constant dense<[-3, 1, 8, -2]> : tensor<4xi32>
  %0 = chlo.broadcast_multiply %a, %b : (tensor<3x1xi32>, tensor<4xi32>) -> tensor<3x4xi32>
  check.expect_eq_const %0, dense<[[9, -3, -24, 6], [-15, 5, 40, -10], [6, -2, -16, 4]]> : tensor<3x4xi32>
  return
}
