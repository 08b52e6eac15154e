// Results that are other results, arguments, or have the type of an argument.

// Both results are one value: each has its own memory.
func.func @returns_a_value_twice() {
  %a = stablehlo.constant {input} dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.negate %a : tensor<2xf32>
  check.expect_eq_const %0, dense<[-1.0, -2.0]> : tensor<2xf32>
  check.expect_eq_const %0, dense<[-1.0, -2.0]> : tensor<2xf32>
  check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// TensorFlow's `top_k` and `sort` end with a `set_dimension_size` to a
// constant that the type already has.
func.func @set_sizes_may_be_those_of_types() {
  %x = stablehlo.constant {input} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %three, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}
