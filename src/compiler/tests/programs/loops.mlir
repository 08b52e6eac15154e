// Loops and the values that they carry. Expected values are worked out by hand from the loops that
// are written above the programs.

// Two carried values are swapped; the tenth and eleventh Fibonacci numbers.
func.func @loops_carry_values_that_change_places() {
  %n = stablehlo.constant {input} dense<10> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %zero, %b = %one)
      : tensor<i32>, tensor<i32>, tensor<i32> cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1, %b, %2 : tensor<i32>, tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %0#1, dense<55> : tensor<i32>
  check.expect_eq_const %0#2, dense<89> : tensor<i32>
  return
}

// Carried values are dropped, joined or hoisted if a loop does not use or
// change them: `n` iterations of `a, b, x = b, a + x, x`.
func.func @loops_carry_values_that_never_change() {
  %n = stablehlo.constant {input} dense<3> : tensor<i32>
  %x = stablehlo.constant {input} dense<[1, 10]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:6 = stablehlo.while(%i = %zero, %m = %n, %a = %x, %b = %x, %c = %x, %last = %x)
      : tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  cond {
    %1 = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %a, %c : tensor<2xi32>
    stablehlo.return %1, %m, %b, %2, %c, %2
      : tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  check.expect_eq_const %0#2, dense<[2, 20]> : tensor<2xi32>
  check.expect_eq_const %0#3, dense<[3, 30]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<3> : tensor<i32>
  check.expect_eq_const %0#5, dense<[3, 30]> : tensor<2xi32>
  return
}

// `for i in 0..2 { for j in 1..4 { t[j] += t[j - 1] } }`
func.func @two_loops_update_one_table() {
  %t = stablehlo.constant {input} dense<1> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %t) : tensor<i32>, tensor<4xi32> cond {
    %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%j = %one, %b = %a) : tensor<i32>, tensor<4xi32> cond {
      %2 = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.subtract %j, %one : tensor<i32>
      %3 = stablehlo.dynamic_slice %b, %2, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
      %4 = stablehlo.dynamic_slice %b, %j, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
      %5 = stablehlo.add %3, %4 : tensor<1xi32>
      %6 = stablehlo.dynamic_update_slice %b, %5, %j : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
      %7 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %7, %6 : tensor<i32>, tensor<4xi32>
    }
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %1#1 : tensor<i32>, tensor<4xi32>
  }
  check.expect_eq_const %0#1, dense<[1, 3, 6, 10]> : tensor<4xi32>
  return
}

// `for i in 0..2 { let u = t; for j in 0..3 { t[j] = u[j] + u[j + 1] } }`: the
// inner loop reads the table as the outer one carries it.
func.func @an_inner_loop_reads_what_the_outer_one_carries() {
  %t = stablehlo.constant {input} dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %t) : tensor<i32>, tensor<4xi32> cond {
    %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%j = %zero, %b = %a) : tensor<i32>, tensor<4xi32> cond {
      %2 = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.add %j, %one : tensor<i32>
      %3 = stablehlo.dynamic_slice %a, %j, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
      %4 = stablehlo.dynamic_slice %a, %2, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
      %5 = stablehlo.add %3, %4 : tensor<1xi32>
      %6 = stablehlo.dynamic_update_slice %b, %5, %j : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
      stablehlo.return %2, %6 : tensor<i32>, tensor<4xi32>
    }
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %1#1 : tensor<i32>, tensor<4xi32>
  }
  check.expect_eq_const %0#1, dense<[8, 12, 11, 4]> : tensor<4xi32>
  return
}

// `for i in 0..3 { i times: (a, b, c) = (c, a, b); (a, b) = (b, a) }`
func.func @an_inner_loop_rotates_what_the_outer_one_swaps() {
  %x = stablehlo.constant {input} dense<1> : tensor<2xi32>
  %y = stablehlo.constant {input} dense<2> : tensor<2xi32>
  %z = stablehlo.constant {input} dense<3> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %z)
      : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32> cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:4 = stablehlo.while(%j = %zero, %d = %a, %e = %b, %f = %c)
        : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32> cond {
      %2 = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %2, %f, %d, %e : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
    }
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %1#2, %1#1, %1#3 : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  check.expect_eq_const %0#1, dense<1> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<3> : tensor<2xi32>
  check.expect_eq_const %0#3, dense<2> : tensor<2xi32>
  return
}

// `for i in 0..4 { k = n[3 - i]; x = [x, x * r[3 - i], reversed(x)][k] }`: where
// the slices begin and which branch is taken is computed where the loop runs.
func.func @a_loop_chooses_by_an_element_of_a_table() {
  %x = stablehlo.constant {input} dense<[1.0, 2.0]> : tensor<2xf32>
  %n = stablehlo.constant {input} dense<[0, 2, 1, 1]> : tensor<4xi32>
  %r = stablehlo.constant {input} dense<[[2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0]]>
    : tensor<4x2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xf32> cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.subtract %three, %i : tensor<i32>
    %2 = stablehlo.dynamic_slice %n, %1, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
    %4 = stablehlo.dynamic_slice %r, %1, %zero, sizes = [1, 2] : (tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x2xf32>) -> tensor<2xf32>
    %6 = "stablehlo.case"(%3) ({
      stablehlo.return %a : tensor<2xf32>
    }, {
      %7 = stablehlo.multiply %a, %5 : tensor<2xf32>
      stablehlo.return %7 : tensor<2xf32>
    }, {
      %7 = stablehlo.reverse %a, dims = [0] : tensor<2xf32>
      stablehlo.return %7 : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>
    %8 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %8, %6 : tensor<i32>, tensor<2xf32>
  }
  check.expect_eq_const %0#1, dense<[126.0, 48.0]> : tensor<2xf32>
  return
}

// `for i in 0..3 { s = 2 * s + 1; last = s; all[i] = s }`, where `s` and `last` start
// from the same zeros: the state is stored in three places.
func.func @a_state_is_carried_and_collected() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %start = stablehlo.constant dense<0> : tensor<2xi32>
  %none = stablehlo.constant dense<0> : tensor<3x2xi32>
  %0:4 = stablehlo.while(%i = %zero, %s = %start, %last = %start, %all = %none)
      : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<3x2xi32> cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %s, %s : tensor<2xi32>
    %2 = stablehlo.add %1, %ones : tensor<2xi32>
    %3 = stablehlo.reshape %2 : (tensor<2xi32>) -> tensor<1x2xi32>
    %4 = stablehlo.dynamic_update_slice %all, %3, %i, %zero
        : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<3x2xi32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %2, %2, %4
        : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<3x2xi32>
  }
  check.expect_eq_const %0#1, dense<7> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<7> : tensor<2xi32>
  check.expect_eq_const %0#3, dense<[[1, 1], [3, 3], [7, 7]]> : tensor<3x2xi32>
  return
}

// `for i in range(4): x = [2 * x, -x, x + i][min(i, 2)]`: the branch is chosen by the number of
// the iteration. 2 * [1, 2, 5] less itself reversed is [-8, 0, 8], and 2 + ... + 39 is 779.
func.func @numbers_of_iterations_choose_branches() {
  %x = stablehlo.constant {input} dense<[1, 2, 5]> : tensor<3xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %k = stablehlo.constant dense<40> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
  cond {
    %p = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c = "stablehlo.case"(%i) ({
      %b = stablehlo.add %a, %a : tensor<3xi32>
      stablehlo.return %b : tensor<3xi32>
    }, {
      %r = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %b = stablehlo.subtract %a, %r : tensor<3xi32>
      stablehlo.return %b : tensor<3xi32>
    }, {
      %s = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %b = stablehlo.add %a, %s : tensor<3xi32>
      stablehlo.return %b : tensor<3xi32>
    }) : (tensor<i32>) -> tensor<3xi32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %c : tensor<i32>, tensor<3xi32>
  }
  check.expect_eq_const %0#1, dense<[771, 779, 787]> : tensor<3xi32>
  return
}

// The loop has one iteration, after which only stores and loads of scalars are left.
func.func @a_branch_selects_a_carried_scalar() {
  %other = stablehlo.constant {input} dense<7> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %one) : tensor<i32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %is_less = stablehlo.compare LT, %x, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = "stablehlo.if"(%is_less) ({
      stablehlo.return %other : tensor<i32>
    }, {
      stablehlo.return %x : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %v : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %r#1, dense<1> : tensor<i32>
  return
}

// Scalars of several types leave a loop: 5 times `not`, `250 + 3` modulo 256, `1 * 2` and
// `1.5 + 0.25`.
func.func @scalars_of_all_types_leave_a_loop() {
  %n = stablehlo.constant {input} dense<5> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %false = stablehlo.constant {input} dense<false> : tensor<i1>
  %byte = stablehlo.constant {input} dense<250> : tensor<ui8>
  %three = stablehlo.constant dense<3> : tensor<ui8>
  %half = stablehlo.constant {input} dense<1.0> : tensor<bf16>
  %two = stablehlo.constant dense<2.0> : tensor<bf16>
  %double = stablehlo.constant {input} dense<1.5> : tensor<f64>
  %quarter = stablehlo.constant dense<0.25> : tensor<f64>
  %0:5 = stablehlo.while(%i = %zero, %a = %false, %b = %byte, %c = %half, %d = %double)
      : tensor<i64>, tensor<i1>, tensor<ui8>, tensor<bf16>, tensor<f64>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i64>
    %2 = stablehlo.not %a : tensor<i1>
    %3 = stablehlo.add %b, %three : tensor<ui8>
    %4 = stablehlo.multiply %c, %two : tensor<bf16>
    %5 = stablehlo.add %d, %quarter : tensor<f64>
    stablehlo.return %1, %2, %3, %4, %5
      : tensor<i64>, tensor<i1>, tensor<ui8>, tensor<bf16>, tensor<f64>
  }
  check.expect_eq_const %0#0, dense<5> : tensor<i64>
  check.expect_eq_const %0#1, dense<true> : tensor<i1>
  check.expect_eq_const %0#2, dense<9> : tensor<ui8>
  check.expect_eq_const %0#3, dense<32.0> : tensor<bf16>
  check.expect_eq_const %0#4, dense<2.75> : tensor<f64>
  return
}
