// RUN: halo-run --backend=interpreter %s

// Windows that reach further than numbers of 64 bits: the first element of each lies
// in the padding.

func.func @main() {
  %x12 = stablehlo.constant dense<[[[5.0], [7.0]]]> : tensor<1x2x1xf32>
  %k12 = stablehlo.constant dense<[[[3.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %r12 = stablehlo.convolution(%x12, %k12)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[9223372036854775807, 0]], rhs_dilate = [9223372036854775807]}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %r12, dense<[[[10.0], [14.0]]]> : tensor<1x2x1xf32>

  %x8 = stablehlo.constant dense<[5, 7]> : tensor<2xi32>
  %zero8 = stablehlo.constant dense<0> : tensor<i32>
  %r8 = "stablehlo.reduce_window"(%x8, %zero8) ({
    ^bb0(%p8: tensor<i32>, %q8: tensor<i32>):
      %c8 = stablehlo.add %p8, %q8 : tensor<i32>
      stablehlo.return %c8 : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_dilations = array<i64: 9223372036854775807>,
      padding = dense<[[9223372036854775807, 0]]> : tensor<1x2xi64>}
      : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r8, dense<[5, 7]> : tensor<2xi32>
  func.return
}
