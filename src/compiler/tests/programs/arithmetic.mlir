// Elementwise arithmetic of integers and floats.

func.func @adds() {
  %a = stablehlo.constant {input} dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = stablehlo.constant {input} dense<[0.5, 0.25, -3.0]> : tensor<3xf32>
  %0 = stablehlo.add %a, %b : tensor<3xf32>
  check.expect_eq_const %0, dense<[1.5, 2.25, 0.0]> : tensor<3xf32>
  return
}

// XLA's values where the specification leaves them open.
func.func @integer_division_never_traps() {
  %a = stablehlo.constant {input} dense<[7, -2147483648, -7]> : tensor<3xi32>
  %b = stablehlo.constant {input} dense<[0, -1, 2]> : tensor<3xi32>
  %0 = stablehlo.divide %a, %b : tensor<3xi32>
  %1 = stablehlo.remainder %a, %b : tensor<3xi32>
  check.expect_eq_const %0, dense<[-1, -2147483648, -3]> : tensor<3xi32>
  check.expect_eq_const %1, dense<[7, 0, -1]> : tensor<3xi32>
  return
}

func.func @shifts_by_the_width_shift_everything_out() {
  %a = stablehlo.constant {input} dense<-4> : tensor<2xi8>
  %b = stablehlo.constant {input} dense<[1, 8]> : tensor<2xi8>
  %0 = stablehlo.shift_left %a, %b : tensor<2xi8>
  %1 = stablehlo.shift_right_logical %a, %b : tensor<2xi8>
  %2 = stablehlo.shift_right_arithmetic %a, %b : tensor<2xi8>
  check.expect_eq_const %0, dense<[-8, 0]> : tensor<2xi8>
  check.expect_eq_const %1, dense<[126, 0]> : tensor<2xi8>
  check.expect_eq_const %2, dense<[-2, -1]> : tensor<2xi8>
  return
}

// `numpy.arctan2` of zeros that are known when the program is compiled.
func.func @folds_the_angle_of_nothing() {
  %y = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %x = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf32>
  %0 = stablehlo.atan2 %y, %x : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %1 = stablehlo.atan2 %zero, %zero : tensor<f64>
  check.expect_eq_const %0, dense<[0.0, -0.0, 3.1415927, -3.1415927]> : tensor<4xf32>
  check.expect_eq_const %1, dense<0.0> : tensor<f64>
  return
}

// Numbers by `numpy.fmod`. The quotient of the first pair has 2098 digits.
func.func @remainders_are_exact() {
  %a = stablehlo.constant dense<[1.7976931348623157e308, -1.0e300, 5.5, -5.5, 1.0,
      0x7FF0000000000000, 3.0, -0.0]> : tensor<8xf64>
  %b = stablehlo.constant dense<[4.9406564584124654e-324, 3.0, -2.0,
      0x7FF0000000000000, 0.0, 2.0, 0x7FF8000000000000, 1.0]> : tensor<8xf64>
  %0 = stablehlo.remainder %a, %b : tensor<8xf64>
  %c = stablehlo.constant dense<[3.0e38, 1.0e10, -7.25, 1.0e-45, 0.3, 16777216.0]> : tensor<6xf32>
  %d = stablehlo.constant dense<[0.1, 0.3, 2.0, 2.0, 0.1, 3.0]> : tensor<6xf32>
  %1 = stablehlo.remainder %c, %d : tensor<6xf32>
  check.expect_eq_const %0, dense<[0.0, -0.0, 1.5, -5.5, 0x7FF8000000000000, 0x7FF8000000000000,
      0x7FF8000000000000, -0.0]> : tensor<8xf64>
  check.expect_eq_const %1, dense<[0.07959481, 0.2357173, -1.25, 1.0e-45, 7.450581e-9, 1.0]>
    : tensor<6xf32>
  return
}
