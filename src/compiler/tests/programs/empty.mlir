// Tensors without elements. Ops that combine none have bodies that return values from around them:
// no body runs.

func.func @tensors_without_elements() {
  %a = stablehlo.constant {input} dense<> : tensor<0x3xf32>
  %b = stablehlo.constant {input} dense<0.0> : tensor<3x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<0x3xf32>, tensor<3x2xf32>) -> tensor<0x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<> : tensor<0x2xf32>
  check.expect_eq_const %1, dense<0.0> : tensor<3xf32>
  return
}

// A size of zero may stand anywhere.
func.func @tensors_without_elements_behind_the_first_dimension() {
  %a = stablehlo.constant {input} dense<> : tensor<2x0x3xf32>
  %b = stablehlo.constant {input} dense<2.0> : tensor<f32>
  %0 = stablehlo.exponential %a : tensor<2x0x3xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x0x3xf32>) -> tensor<3x2x0xf32>
  %2 = stablehlo.pad %0, %b, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0]
    : (tensor<2x0x3xf32>, tensor<f32>) -> tensor<2x1x3xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<> : tensor<3x2x0xf32>
  check.expect_eq_const %3, dense<2.0> : tensor<2x3xf32>
  check.expect_eq_const %a, dense<> : tensor<2x0x3xf32>
  return
}

// The initial value is the result of a reduction of nothing; the elements of a reduction of some
// are not.
func.func @reductions_of_nothing_are_initial_values() {
  %x = stablehlo.constant {input} dense<> : tensor<0xf32>
  %m = stablehlo.constant {input} dense<> : tensor<2x0xf32>
  %one = stablehlo.constant {input} dense<4.0> : tensor<1xf32>
  %y = stablehlo.constant {input} dense<7.0> : tensor<f32>
  %i = stablehlo.constant {input} dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  %1 = stablehlo.reduce(%m init: %i) across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  %2 = stablehlo.reduce(%m init: %i) across dimensions = [0, 1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  %3 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %c = stablehlo.constant dense<3.0> : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }
  %4 = stablehlo.reduce(%one init: %i) across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  check.expect_eq_const %0, dense<5.0> : tensor<f32>
  check.expect_eq_const %1, dense<5.0> : tensor<2xf32>
  check.expect_eq_const %2, dense<5.0> : tensor<f32>
  check.expect_eq_const %3, dense<5.0> : tensor<f32>
  check.expect_eq_const %4, dense<7.0> : tensor<f32>
  return
}

// Windows of padding alone have elements: those of the padding.
func.func @windows_updates_and_sorts_of_nothing() {
  %x = stablehlo.constant {input} dense<> : tensor<0xf32>
  %t = stablehlo.constant {input} dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = stablehlo.constant {input} dense<7.0> : tensor<f32>
  %i = stablehlo.constant {input} dense<5.0> : tensor<f32>
  %at = stablehlo.constant {input} dense<> : tensor<0x1xi32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{
    window_dimensions = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "stablehlo.scatter"(%t, %at, %x) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<3xf32>, tensor<0x1xi32>, tensor<0xf32>) -> tensor<3xf32>
  %2 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<0xf32>) -> tensor<0xf32>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %y, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<0xf32>) -> tensor<0xf32>
  %4 = "stablehlo.select_and_scatter"(%t, %x, %i) <{window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %ge : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<3xf32>, tensor<0xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<7.0> : tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %2, dense<> : tensor<0xf32>
  check.expect_eq_const %3, dense<> : tensor<0xf32>
  check.expect_eq_const %4, dense<5.0> : tensor<3xf32>
  return
}
