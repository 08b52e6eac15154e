// Reductions and the bodies that they run.

// `numpy.argmax` and `numpy.max` along rows, by one reduction of two operands.
func.func @reduces_pairs() {
  %a = stablehlo.constant {input} dense<[[3.0, 9.0, -1.0, 4.0], [-8.0, -7.0, -9.0, -6.5]]>
    : tensor<2x4xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %low), (%i init: %none) across dimensions = [1]
      : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>)
      -> (tensor<2xf32>, tensor<2xi32>)
    reducer(%x: tensor<f32>, %y: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %0#0, dense<[9.0, -6.5]> : tensor<2xf32>
  check.expect_eq_const %0#1, dense<[1, 3]> : tensor<2xi32>
  return
}

// Sums of bytes in 32 bits, which are not sign-extended.
func.func @sums_may_be_wider_than_their_operands() {
  %x = stablehlo.constant {input} dense<[200, 100, 250, 7]> : tensor<4xui8>
  %zero = stablehlo.constant dense<0> : tensor<ui8>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %2 = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %2 : tensor<ui32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xui8>, tensor<ui8>) -> tensor<3xui32>
  %1 = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %2 = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %2 : tensor<ui32>
  }) {dimensions = array<i64: 0>} : (tensor<4xui8>, tensor<ui8>) -> tensor<ui32>
  check.expect_eq_const %0, dense<[300, 350, 257]> : tensor<3xui32>
  check.expect_eq_const %1, dense<557> : tensor<ui32>
  return
}

// `numpy.gcd.reduce(x, 1)`: a body with a loop and a condition.
func.func @bodies_may_hold_control_flow() {
  %x = stablehlo.constant {input} dense<[[12, 18, -30], [-35, 49, 14]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [1]
    : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %1:2 = stablehlo.while(%p = %a, %q = %b) : tensor<i32>, tensor<i32>
    cond {
      %2 = stablehlo.compare NE, %q, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.remainder %p, %q : tensor<i32>
      stablehlo.return %q, %2 : tensor<i32>, tensor<i32>
    }
    %3 = stablehlo.compare LT, %1#0, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.if"(%3) ({
      %5 = stablehlo.negate %1#0 : tensor<i32>
      stablehlo.return %5 : tensor<i32>
    }, {
      stablehlo.return %1#0 : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }
  check.expect_eq_const %0, dense<[6, 7]> : tensor<2xi32>
  return
}

// The branch of an index that is out of range is the last one.
func.func @bodies_may_choose_among_branches() {
  %x = stablehlo.constant {input} dense<[1, 0, 7, -3]> : tensor<4xi32>
  %0 = "stablehlo.map"(%x) ({
  ^bb0(%i: tensor<i32>):
    %1 = "stablehlo.case"(%i) ({
      %2 = stablehlo.constant dense<10> : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }, {
      %2 = stablehlo.add %i, %i : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }, {
      stablehlo.return %i : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[2, 10, 7, -3]> : tensor<4xi32>
  return
}

// The formula of the specification in numpy, in f32, rounded to f16.
func.func @normalizes_narrow_floats_in_f32() {
  %x = stablehlo.constant {input} dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %scale = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %offset = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf16>
  %0 = stablehlo.convert %x : (tensor<2x2xi32>) -> tensor<2x2xf16>
  %1:3 = "stablehlo.batch_norm_training"(%0, %scale, %offset)
    {epsilon = 0.5 : f32, feature_index = 1 : i64}
    : (tensor<2x2xf16>, tensor<2xf16>, tensor<2xf16>)
    -> (tensor<2x2xf16>, tensor<2xf16>, tensor<2xf16>)
  %2 = stablehlo.convert %1#0 : (tensor<2x2xf16>) -> tensor<2x2xf32>
  %3 = stablehlo.convert %1#1 : (tensor<2xf16>) -> tensor<2xf32>
  %4 = stablehlo.convert %1#2 : (tensor<2xf16>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[[-0.31640625, -2.6328125], [1.31640625, 0.6328125]]>
    : tensor<2x2xf32>
  check.expect_eq_const %3, dense<[2.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %4, dense<1.0> : tensor<2xf32>
  return
}
