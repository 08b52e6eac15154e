// Integers of two and four bits, which wrap at their own width.

func.func @narrow_integers_wrap_and_keep_their_signs() {
  %a = stablehlo.constant dense<[7, -8, -3, 5]> : tensor<4xi4>
  %b = stablehlo.constant dense<[1, -1, 2, 4]> : tensor<4xi4>
  %0 = stablehlo.add %a, %b : tensor<4xi4>
  %1 = stablehlo.divide %a, %b : tensor<4xi4>
  %2 = stablehlo.shift_right_logical %a, %b : tensor<4xi4>
  %3 = stablehlo.popcnt %a : tensor<4xi4>
  %4 = stablehlo.convert %0 : (tensor<4xi4>) -> tensor<4xi32>
  %5 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
    : (tensor<4xi4>, tensor<4xi4>) -> tensor<i4>
  check.expect_eq_const %0, dense<[-8, 7, -1, -7]> : tensor<4xi4>
  check.expect_eq_const %1, dense<[7, -8, -1, 1]> : tensor<4xi4>
  check.expect_eq_const %2, dense<[3, 0, 3, 0]> : tensor<4xi4>
  check.expect_eq_const %3, dense<[3, 1, 3, 2]> : tensor<4xi4>
  check.expect_eq_const %4, dense<[-8, 7, -1, -7]> : tensor<4xi32>
  check.expect_eq_const %5, dense<-3> : tensor<i4>
  return
}

func.func @unsigned_narrow_integers_and_their_bits() {
  %a = stablehlo.constant dense<[3, 2, 1]> : tensor<3xui2>
  %b = stablehlo.constant dense<[2, 3, 1]> : tensor<3xui2>
  %0 = stablehlo.multiply %a, %b : tensor<3xui2>
  %1 = stablehlo.count_leading_zeros %a : tensor<3xui2>
  %2 = stablehlo.convert %a : (tensor<3xui2>) -> tensor<3xf32>
  %c = stablehlo.constant dense<[13, 10]> : tensor<2xui4>
  %3 = stablehlo.bitcast_convert %c : (tensor<2xui4>) -> tensor<ui8>
  %4 = stablehlo.iota dim = 0 : tensor<6xui2>
  check.expect_eq_const %0, dense<[2, 2, 1]> : tensor<3xui2>
  check.expect_eq_const %1, dense<[0, 0, 1]> : tensor<3xui2>
  check.expect_eq_const %2, dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  check.expect_eq_const %3, dense<173> : tensor<ui8>
  check.expect_eq_const %4, dense<[0, 1, 2, 3, 0, 1]> : tensor<6xui2>
  return
}
