// Complex functions at infinities, NaN and the ends of the range. Annex G of the C standard has
// the special values, mpmath the others.

func.func @an_infinite_part_is_an_infinite_size() {
  %z = stablehlo.constant dense<[(0x7F800000, 0x7FC00000), (0x7FC00000, 0xFF800000), (3.0e38, 0.0)]>
    : tensor<3xcomplex<f32>>
  %w = stablehlo.constant dense<[(3.0e-310, 4.0e-310), (3.0e300, 4.0e300)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.abs %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %1 = stablehlo.abs %w : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %0, dense<[0x7F800000, 0x7F800000, 3.0e38]> : tensor<3xf32>
  check.expect_eq_const %1, dense<[5.0e-310, 5.0e300]> : tensor<2xf64>
  return
}

func.func @quotients_keep_the_range() {
  %a = stablehlo.constant dense<[(1.0e300, 1.0e300), (1.0e-300, 0.0), (5.0, 1.0)]> : tensor<3xcomplex<f64>>
  %b = stablehlo.constant dense<[(1.0e300, 1.0e300), (1.0e-300, 0.0), (0x7FF0000000000000, 1.0)]>
    : tensor<3xcomplex<f64>>
  %0 = stablehlo.divide %a, %b : tensor<3xcomplex<f64>>
  %c = stablehlo.constant dense<[(0.0, 0.0), (100.0, 0.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.logistic %c : tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  check.expect_eq_const %1, dense<[(0.5, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// `(x - y) + y` and `(x + y) - y` are not `x` where `y` is large. Values: NumPy.
func.func @nothing_cancels() {
  %x = stablehlo.constant dense<(1.0, 7.0)> : tensor<complex<f32>>
  %y = stablehlo.constant dense<(1.0e10, 7.0e10)> : tensor<complex<f32>>
  %0 = stablehlo.subtract %x, %y : tensor<complex<f32>>
  %1 = stablehlo.add %0, %y : tensor<complex<f32>>
  %2 = stablehlo.add %x, %y : tensor<complex<f32>>
  %3 = stablehlo.subtract %2, %y : tensor<complex<f32>>
  check.expect_eq_const %1, dense<(0.0, 0.0)> : tensor<complex<f32>>
  check.expect_eq_const %3, dense<(0.0, 0.0)> : tensor<complex<f32>>
  return
}

// Values: XLA's.
func.func @powers_of_one_and_of_infinity() {
  %a = stablehlo.constant dense<[(1.0, 0.0), (1.0, -0.0), (0x7F800000, 0.0), (0x7F800000, 0.0), (2.0, 0.0)]>
    : tensor<5xcomplex<f32>>
  %b = stablehlo.constant dense<[(0x7F800000, 0.0), (0x7FC00000, 0.0), (2.0, 0.0), (-1.0, 0.0), (2.0, 0.0)]>
    : tensor<5xcomplex<f32>>
  %0 = stablehlo.power %a, %b : tensor<5xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 0.0), (1.0, 0.0), (0x7F800000, 0.0), (0.0, 0.0), (4.0,
      0.0)]> : tensor<5xcomplex<f32>>
  return
}

// A product that is computed as one of real numbers. The elements are small integers, so that sums
// are exact in any order.
func.func @large_products_are_exact() {
  %seven = stablehlo.constant dense<7.0> : tensor<40x48xf32>
  %five = stablehlo.constant dense<5.0> : tensor<40x48xf32>
  %rows = stablehlo.iota dim = 0 : tensor<40x48xf32>
  %columns = stablehlo.iota dim = 1 : tensor<40x48xf32>
  %mixed = stablehlo.add %rows, %columns : tensor<40x48xf32>
  %product = stablehlo.multiply %rows, %columns : tensor<40x48xf32>
  %a = stablehlo.remainder %product, %seven : tensor<40x48xf32>
  %b = stablehlo.remainder %mixed, %five : tensor<40x48xf32>
  %c = stablehlo.negate %b : tensor<40x48xf32>
  %d = stablehlo.subtract %a, %rows : tensor<40x48xf32>
  %lhs = stablehlo.complex %a, %b : tensor<40x48xcomplex<f32>>
  %rhs = stablehlo.complex %c, %d : tensor<40x48xcomplex<f32>>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [1]
    : (tensor<40x48xcomplex<f32>>, tensor<40x48xcomplex<f32>>) -> tensor<40x40xcomplex<f32>>
  %ac = stablehlo.dot_general %a, %c, contracting_dims = [1] x [1]
    : (tensor<40x48xf32>, tensor<40x48xf32>) -> tensor<40x40xf32>
  %bd = stablehlo.dot_general %b, %d, contracting_dims = [1] x [1]
    : (tensor<40x48xf32>, tensor<40x48xf32>) -> tensor<40x40xf32>
  %ad = stablehlo.dot_general %a, %d, contracting_dims = [1] x [1]
    : (tensor<40x48xf32>, tensor<40x48xf32>) -> tensor<40x40xf32>
  %bc = stablehlo.dot_general %b, %c, contracting_dims = [1] x [1]
    : (tensor<40x48xf32>, tensor<40x48xf32>) -> tensor<40x40xf32>
  %real = stablehlo.subtract %ac, %bd : tensor<40x40xf32>
  %imaginary = stablehlo.add %ad, %bc : tensor<40x40xf32>
  %expected = stablehlo.complex %real, %imaginary : tensor<40x40xcomplex<f32>>
  check.expect_eq %0, %expected : tensor<40x40xcomplex<f32>>
  return
}
