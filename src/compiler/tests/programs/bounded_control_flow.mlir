// Loops and conditionals on tensors of bounded size, which grow and shrink while they run. Values:
// lists in Python.

!stack = tensor<?xi32, #stablehlo.bounds<8>>
!list = tensor<?xf32, #stablehlo.bounds<5>>
!tail = tensor<?xf32, #stablehlo.bounds<4>>
!part = tensor<?xi32, #stablehlo.bounds<4>>
!row = tensor<?xi32, #stablehlo.bounds<3>>

// `s = []; for i in range(k): s.append(i)`, and the sum and length of it.
func.func private @push(%k: tensor<i32>) -> (!stack, tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<8xi32>
  %empty = stablehlo.set_dimension_size %none, %zero, dim = 0 : (tensor<8xi32>, tensor<i32>) -> !stack
  %0:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, !stack
  cond {
    %more = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %n = stablehlo.get_dimension_size %s, dim = 0 : (!stack) -> tensor<i32>
    %next = stablehlo.add %n, %one : tensor<i32>
    %grown = stablehlo.set_dimension_size %s, %next, dim = 0 : (!stack, tensor<i32>) -> !stack
    %element = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %pushed = stablehlo.dynamic_update_slice %grown, %element, %n : (!stack, tensor<1xi32>, tensor<i32>) -> !stack
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %pushed : tensor<i32>, !stack
  }
  %sum = stablehlo.reduce(%0#1 init: %zero) applies stablehlo.add across dimensions = [0] : (!stack, tensor<i32>) -> tensor<i32>
  %size = stablehlo.get_dimension_size %0#1, dim = 0 : (!stack) -> tensor<i32>
  return %0#1, %sum, %size : !stack, tensor<i32>, tensor<i32>
}

func.func @a_loop_pushes_elements() {
  %k = stablehlo.constant {input} dense<4> : tensor<i32>
  %0:3 = call @push(%k) : (tensor<i32>) -> (!stack, tensor<i32>, tensor<i32>)
  %1 = tensor.cast %0#0 : !stack to tensor<4xi32>
  check.expect_eq_const %1, dense<[0, 1, 2, 3]> : tensor<4xi32>
  check.expect_eq_const %0#1, dense<6> : tensor<i32>
  check.expect_eq_const %0#2, dense<4> : tensor<i32>
  return
}

func.func @a_loop_pushes_no_element() {
  %k = stablehlo.constant {input} dense<0> : tensor<i32>
  %0:3 = call @push(%k) : (tensor<i32>) -> (!stack, tensor<i32>, tensor<i32>)
  %1 = tensor.cast %0#0 : !stack to tensor<0xi32>
  check.expect_eq_const %1, dense<> : tensor<0xi32>
  check.expect_eq_const %0#1, dense<0> : tensor<i32>
  check.expect_eq_const %0#2, dense<0> : tensor<i32>
  return
}

// `while len(x) > 2: x = x[1:]`, and `sorted(x)[::-1]` of what is left.
func.func private @pop(%x: !list) -> (!list, !list) {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.while(%a = %x) : !list
  cond {
    %n = stablehlo.get_dimension_size %a, dim = 0 : (!list) -> tensor<i32>
    %more = stablehlo.compare GT, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %tail = stablehlo.slice %a [1:5] : (!list) -> !tail
    %same = stablehlo.pad %tail, %zero, low = [0], high = [1], interior = [0] : (!tail, tensor<f32>) -> !list
    %n = stablehlo.get_dimension_size %tail, dim = 0 : (!tail) -> tensor<i32>
    %next = stablehlo.set_dimension_size %same, %n, dim = 0 : (!list, tensor<i32>) -> !list
    stablehlo.return %next : !list
  }
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %first = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %first : tensor<i1>
  }) : (!list) -> !list
  return %0, %1 : !list, !list
}

func.func @a_loop_pops_elements() {
  %x0 = stablehlo.constant {input} dense<[4.0, 3.0, 1.0, 2.0]> : tensor<4xf32>
  %x = tensor.cast %x0 : tensor<4xf32> to !list
  %0:2 = call @pop(%x) : (!list) -> (!list, !list)
  %1 = tensor.cast %0#0 : !list to tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = tensor.cast %0#1 : !list to tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 1.0]> : tensor<2xf32>
  return
}

func.func @a_loop_pops_no_element() {
  %x0 = stablehlo.constant {input} dense<7.0> : tensor<1xf32>
  %x = tensor.cast %x0 : tensor<1xf32> to !list
  %0:2 = call @pop(%x) : (!list) -> (!list, !list)
  %1 = tensor.cast %0#0 : !list to tensor<1xf32>
  check.expect_eq_const %1, dense<7.0> : tensor<1xf32>
  %2 = tensor.cast %0#1 : !list to tensor<1xf32>
  check.expect_eq_const %2, dense<7.0> : tensor<1xf32>
  return
}

// `x[:1] if k == 0 else x[:3] if k == 1 else y`, and its size.
func.func private @parts(%k: tensor<i32>, %x: tensor<4xi32>, %y: !part) -> (!part, tensor<i32>) {
  %0 = "stablehlo.case"(%k) ({
    %one = stablehlo.constant dense<1> : tensor<i32>
    %a = stablehlo.set_dimension_size %x, %one, dim = 0 : (tensor<4xi32>, tensor<i32>) -> !part
    stablehlo.return %a : !part
  }, {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %a = stablehlo.set_dimension_size %x, %three, dim = 0 : (tensor<4xi32>, tensor<i32>) -> !part
    stablehlo.return %a : !part
  }, {
    stablehlo.return %y : !part
  }) : (tensor<i32>) -> !part
  %n = stablehlo.get_dimension_size %0, dim = 0 : (!part) -> tensor<i32>
  return %0, %n : !part, tensor<i32>
}

func.func @the_first_branch_returns_one_element() {
  %k = stablehlo.constant {input} dense<0> : tensor<i32>
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y0 = stablehlo.constant {input} dense<[5, 6]> : tensor<2xi32>
  %y = tensor.cast %y0 : tensor<2xi32> to !part
  %0:2 = call @parts(%k, %x, %y) : (tensor<i32>, tensor<4xi32>, !part) -> (!part, tensor<i32>)
  %1 = tensor.cast %0#0 : !part to tensor<1xi32>
  check.expect_eq_const %1, dense<1> : tensor<1xi32>
  check.expect_eq_const %0#1, dense<1> : tensor<i32>
  return
}

func.func @the_second_branch_returns_three_elements() {
  %k = stablehlo.constant {input} dense<1> : tensor<i32>
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y0 = stablehlo.constant {input} dense<[5, 6]> : tensor<2xi32>
  %y = tensor.cast %y0 : tensor<2xi32> to !part
  %0:2 = call @parts(%k, %x, %y) : (tensor<i32>, tensor<4xi32>, !part) -> (!part, tensor<i32>)
  %1 = tensor.cast %0#0 : !part to tensor<3xi32>
  check.expect_eq_const %1, dense<[1, 2, 3]> : tensor<3xi32>
  check.expect_eq_const %0#1, dense<3> : tensor<i32>
  return
}

func.func @the_last_branch_returns_an_argument() {
  %k = stablehlo.constant {input} dense<2> : tensor<i32>
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y0 = stablehlo.constant {input} dense<[5, 6]> : tensor<2xi32>
  %y = tensor.cast %y0 : tensor<2xi32> to !part
  %0:2 = call @parts(%k, %x, %y) : (tensor<i32>, tensor<4xi32>, !part) -> (!part, tensor<i32>)
  %1 = tensor.cast %0#0 : !part to tensor<2xi32>
  check.expect_eq_const %1, dense<[5, 6]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<2> : tensor<i32>
  return
}

// `numpy.arange(1 if p else 3)`: the types of the branches have no bound.
func.func private @ranges(%p: tensor<i1>) -> tensor<?xi32> {
  %0 = "stablehlo.if"(%p) ({
    %n = stablehlo.constant dense<1> : tensor<1xi32>
    %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %a : tensor<?xi32>
  }, {
    %n = stablehlo.constant dense<3> : tensor<1xi32>
    %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %a : tensor<?xi32>
  }) : (tensor<i1>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @a_branch_makes_one_element() {
  %p = stablehlo.constant {input} dense<true> : tensor<i1>
  %0 = call @ranges(%p) : (tensor<i1>) -> tensor<?xi32>
  %1 = tensor.cast %0 : tensor<?xi32> to tensor<1xi32>
  check.expect_eq_const %1, dense<0> : tensor<1xi32>
  return
}

func.func @a_branch_makes_three_elements() {
  %p = stablehlo.constant {input} dense<false> : tensor<i1>
  %0 = call @ranges(%p) : (tensor<i1>) -> tensor<?xi32>
  %1 = tensor.cast %0 : tensor<?xi32> to tensor<3xi32>
  check.expect_eq_const %1, dense<[0, 1, 2]> : tensor<3xi32>
  return
}

// Two values of different sizes are swapped, and one calls a function that reverses it and adds
// `x[:i].sum()`, whose size is that of no value that the loop carries.
func.func @loops_carry_several_sizes() {
  %k = stablehlo.constant {input} dense<3> : tensor<i32>
  %x0 = stablehlo.constant {input} dense<[1, 2]> : tensor<2xi32>
  %x = tensor.cast %x0 : tensor<2xi32> to !row
  %y0 = stablehlo.constant {input} dense<[3, 4, 5]> : tensor<3xi32>
  %y = tensor.cast %y0 : tensor<3xi32> to !row
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, !row, !row
  cond {
    %more = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %c = func.call @f(%a, %j) : (!row, tensor<i32>) -> !row
    stablehlo.return %j, %b, %c : tensor<i32>, !row, !row
  }
  %1 = tensor.cast %0#1 : !row to tensor<3xi32>
  check.expect_eq_const %1, dense<[16, 15, 14]> : tensor<3xi32>
  %2 = tensor.cast %0#2 : !row to tensor<2xi32>
  check.expect_eq_const %2, dense<[113, 114]> : tensor<2xi32>
  return
}

func.func private @f(%a: !row, %i: tensor<i32>) -> !row {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %whole = stablehlo.constant dense<[1, 10, 100]> : tensor<3xi32>
  %part = stablehlo.set_dimension_size %whole, %i, dim = 0 : (tensor<3xi32>, tensor<i32>) -> !row
  %sum = stablehlo.reduce(%part init: %zero) applies stablehlo.add across dimensions = [0] : (!row, tensor<i32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (!row) -> tensor<i32>
  %size = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sums = stablehlo.dynamic_broadcast_in_dim %sum, %size, dims = [] : (tensor<i32>, tensor<1xi32>) -> !row
  %back = stablehlo.reverse %a, dims = [0] : !row
  %0 = stablehlo.add %back, %sums : !row
  return %0 : !row
}
