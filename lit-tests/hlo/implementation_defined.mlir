// What StableHLO's specification leaves to an implementation, as docs/specification.md
// has it. All backends give the same, and so does XLA.
//
// RUN: halo-run --backend=interpreter --no-constant-folding %s
// RUN: halo-run --backend=cpu --no-constant-folding %s
// RUN: halo-run --backend=cuda-emulator --no-constant-folding %s
//
// The folder, too.
// RUN: halo-run --backend=cpu %s

// Values: jax.lax on XLA's backend for CPUs, and ml_dtypes for narrow floats; those of power
// are numpy's division of 1 by a power, toward zero, and those of select_and_scatter follow
// from the windows that have an element.

func.func @main() {
  call @division() : () -> ()
  call @shifts() : () -> ()
  call @conversions() : () -> ()
  call @overflows() : () -> ()
  call @indices() : () -> ()
  call @factorizations() : () -> ()
  call @reductions() : () -> ()
  return
}

// By zero, and the least number by -1.
func.func private @division() {
  %a = stablehlo.constant dense<[7, -7, -2147483648, 0]> : tensor<4xi32>
  %b = stablehlo.constant dense<[0, 0, -1, 0]> : tensor<4xi32>
  %q = stablehlo.divide %a, %b : tensor<4xi32>
  check.expect_eq_const %q, dense<[-1, -1, -2147483648, -1]> : tensor<4xi32>
  %r = stablehlo.remainder %a, %b : tensor<4xi32>
  check.expect_eq_const %r, dense<[7, -7, 0, 0]> : tensor<4xi32>
  %c = stablehlo.constant dense<[7, 0, 255]> : tensor<3xui8>
  %zero = stablehlo.constant dense<0> : tensor<3xui8>
  %uq = stablehlo.divide %c, %zero : tensor<3xui8>
  check.expect_eq_const %uq, dense<255> : tensor<3xui8>
  %ur = stablehlo.remainder %c, %zero : tensor<3xui8>
  check.expect_eq_const %ur, dense<[7, 0, 255]> : tensor<3xui8>
  return
}

// By the width and more, the number of bits taken without a sign.
func.func private @shifts() {
  %x = stablehlo.constant dense<[1, -1, 64, -128]> : tensor<4xi8>
  %n = stablehlo.constant dense<[8, 8, -1, 100]> : tensor<4xi8>
  %l = stablehlo.shift_left %x, %n : tensor<4xi8>
  check.expect_eq_const %l, dense<0> : tensor<4xi8>
  %a = stablehlo.shift_right_arithmetic %x, %n : tensor<4xi8>
  check.expect_eq_const %a, dense<[0, -1, 0, -1]> : tensor<4xi8>
  %r = stablehlo.shift_right_logical %x, %n : tensor<4xi8>
  check.expect_eq_const %r, dense<0> : tensor<4xi8>
  return
}

func.func private @conversions() {
  %f = stablehlo.constant dense<[300.7, -300.7, 0x7FC00000, 0x7F800000, -1.5]> : tensor<5xf32>
  %s = stablehlo.convert %f : (tensor<5xf32>) -> tensor<5xi8>
  check.expect_eq_const %s, dense<[127, -128, 0, 127, -1]> : tensor<5xi8>
  %u = stablehlo.convert %f : (tensor<5xf32>) -> tensor<5xui8>
  check.expect_eq_const %u, dense<[255, 0, 0, 255, 0]> : tensor<5xui8>
  %i = stablehlo.constant dense<[300, -129, 128]> : tensor<3xi32>
  %narrow = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xi8>
  check.expect_eq_const %narrow, dense<[44, 127, -128]> : tensor<3xi8>
  // Halfway between two floats: to the even one.
  %big = stablehlo.constant dense<[16777217, 16777219]> : tensor<2xi32>
  %rounded = stablehlo.convert %big : (tensor<2xi32>) -> tensor<2xf32>
  check.expect_eq_const %rounded, dense<[16777216.0, 16777220.0]> : tensor<2xf32>
  %g = stablehlo.constant dense<[1.00048828125, 70000.0]> : tensor<2xf32>
  %h = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xf16>
  check.expect_eq_const %h, dense<[1.0, 0x7C00]> : tensor<2xf16>
  // A type without infinity.
  %large = stablehlo.constant dense<[500.0, 0x7F800000, 1.0e-9]> : tensor<3xf32>
  %e4 = stablehlo.convert %large : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  %bits = stablehlo.bitcast_convert %e4 : (tensor<3xf8E4M3FN>) -> tensor<3xui8>
  check.expect_eq_const %bits, dense<[127, 127, 0]> : tensor<3xui8>
  return
}

func.func private @overflows() {
  %ends = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %abs = stablehlo.abs %ends : tensor<2xi8>
  check.expect_eq_const %abs, dense<[-128, 127]> : tensor<2xi8>
  %negated = stablehlo.negate %ends : tensor<2xi8>
  check.expect_eq_const %negated, dense<[-128, -127]> : tensor<2xi8>
  %sum = stablehlo.add %ends, %ends : tensor<2xi8>
  check.expect_eq_const %sum, dense<[0, -2]> : tensor<2xi8>
  %base = stablehlo.constant dense<[2, 1, -1]> : tensor<3xi32>
  %exponent = stablehlo.constant dense<[-1, -1, -3]> : tensor<3xi32>
  %power = stablehlo.power %base, %exponent : tensor<3xi32>
  check.expect_eq_const %power, dense<[0, 1, -1]> : tensor<3xi32>
  return
}

// A gather clamps, a scatter leaves out. What is said of indices is not relied on.
func.func private @indices() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<[[-5], [1], [9]]> : tensor<3x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>, indices_are_sorted = true
  }> : (tensor<3xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %j = stablehlo.constant dense<[[-5], [1], [9], [1], [0]]> : tensor<5x1xi32>
  %u = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0]> : tensor<5xf32>
  %1 = "stablehlo.scatter"(%x, %j, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = true, unique_indices = false
  }> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %sum = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) : (tensor<3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<3xf32>
  check.expect_eq_const %1, dense<[51.0, 62.0, 3.0]> : tensor<3xf32>
  // Equal elements keep their order, whatever is_stable says.
  %k = stablehlo.constant dense<5.0> : tensor<3xf32>
  %ids = stablehlo.iota dim = 0 : tensor<3xi32>
  %2:2 = "stablehlo.sort"(%k, %ids) <{dimension = 0 : i64, is_stable = false}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>, %l1: tensor<i32>, %r1: tensor<i32>):
      %less = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
  }) : (tensor<3xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %2#1, dense<[0, 1, 2]> : tensor<3xi32>
  return
}

func.func private @factorizations() {
  // The upper triangle is not read, and is zero in the result.
  %a = stablehlo.constant dense<[[4.0, 7.0], [2.0, 2.0]]> : tensor<2x2xf32>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  check.expect_eq_const %l, dense<[[2.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  // Not positive definite.
  %b = stablehlo.constant dense<[[-4.0, 2.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %n = stablehlo.cholesky %b, lower = true : tensor<2x2xf32>
  %is = stablehlo.compare NE, %n, %n : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  check.expect_eq_const %is, dense<true> : tensor<2x2xi1>
  // Singular.
  %t = stablehlo.constant dense<[[0.0, 9.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%t, %ones) <{
    left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %x, dense<[[0x7F800000], [0xFF800000]]> : tensor<2x1xf32>
  return
}

func.func private @reductions() {
  // Windows of padding alone select nothing: 10 and 40 go nowhere.
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{
    window_dimensions = array<i64: 1>, window_strides = array<i64: 1>,
    padding = dense<[[1, 1]]> : tensor<1x2xi64>
  }> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) : (tensor<2xf32>, tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[20.0, 30.0]> : tensor<2xf32>
  // The initial value of 1 is in a sum once.
  %ones = stablehlo.constant dense<1> : tensor<5000xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %sum = stablehlo.reduce(%ones init: %one) applies stablehlo.add across dimensions = [0]
      : (tensor<5000xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %sum, dense<5001> : tensor<i32>
  // Beyond the range to its end; NaN to the zero point, as a conversion to integers has it.
  %f = stablehlo.constant dense<[1000.0, 0x7FC00000]> : tensor<2xf32>
  %q = stablehlo.uniform_quantize %f : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %d = stablehlo.uniform_dequantize %q : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
  check.expect_eq_const %d, dense<[63.5, 0.0]> : tensor<2xf32>
  return
}
