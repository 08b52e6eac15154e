// RUN: halo-run %s --backend=interpreter
// RUN: halo-run %s --backend=cpu
// RUN: halo-opt %s --chlo-legalize-to-stablehlo --shape-legalize-to-stablehlo --stablehlo-legalize-to-linalg | halo-run - --backend=cpu

// Ops that move elements of dynamic shapes, for several sizes each: interpreted, compiled for the sizes, and lowered
// to linalg before the sizes are known. Values: numpy and JAX.

// `x * y`
func.func private @broadcast_product(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = chlo.broadcast_multiply %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// `numpy.broadcast_to(x, shape)`
func.func private @repeat_known_dimension(%x: tensor<?x?xf32>, %s: tensor<3xi32>) -> tensor<?x?x?xf32> {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) {broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// `x.reshape(shape)`
func.func private @any_reshape(%x: tensor<?x4xf32>, %s: tensor<3xi64>) -> tensor<?x?x2xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x2xf32>
  return %0 : tensor<?x?x2xf32>
}

// `x.reshape(2, 6)`
func.func private @reshape_to_static(%x: tensor<?x?xf32>) -> tensor<2x6xf32> {
  %0 = stablehlo.reshape %x : (tensor<?x?xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// `x.reshape(())`
func.func private @reshape_to_scalar(%x: tensor<?x?xf32>) -> tensor<f32> {
  %0 = stablehlo.reshape %x : (tensor<?x?xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// `x.reshape(1, 1)`
func.func private @reshape_from_scalar(%x: tensor<f32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// `x.reshape(b, s, 4, 3).transpose(0, 2, 1, 3)`
func.func private @split_heads(%x: tensor<?x?x12xf32>) -> tensor<?x4x?x3xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x12xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x12xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %sh = stablehlo.concatenate %b1, %s1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<4xi32>
  %0 = stablehlo.dynamic_reshape %x, %sh : (tensor<?x?x12xf32>, tensor<4xi32>) -> tensor<?x?x4x3xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<?x?x4x3xf32>) -> tensor<?x4x?x3xf32>
  return %1 : tensor<?x4x?x3xf32>
}

// `x.reshape(-1, 12)`
func.func private @join_dimensions(%x: tensor<?x?x12xf32>) -> tensor<?x12xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x12xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x12xf32>) -> tensor<i32>
  %m = stablehlo.multiply %s, %b : tensor<i32>
  %b1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<12> : tensor<1xi32>
  %sh = stablehlo.concatenate %b1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %sh : (tensor<?x?x12xf32>, tensor<2xi32>) -> tensor<?x12xf32>
  return %0 : tensor<?x12xf32>
}

// `numpy.broadcast_to(numpy.arange(shape[1]), shape)`
func.func private @count(%s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Values: `jax.lax.pad`.
func.func private @pad_and_crop(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = stablehlo.constant dense<9.0> : tensor<f32>
  %0 = stablehlo.pad %x, %z, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Values: `jax.lax.pad`.
func.func private @pad_by_operands(%x: tensor<?xf32>, %l: tensor<1xi32>, %h: tensor<1xi32>, %i: tensor<1xi32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<9.0> : tensor<f32>
  %0 = stablehlo.dynamic_pad %x, %z, %l, %h, %i : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// `x[1:3, 1:7:2]`
func.func private @part(%x: tensor<?x8xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.slice %x [1:3, 1:7:2] : (tensor<?x8xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// `x[start:limit:stride]`
func.func private @part_by_operands(%x: tensor<?xf32>, %s: tensor<1xi32>, %l: tensor<1xi32>, %t: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Values: `jax.lax.dynamic_slice`.
func.func private @clamped_part(%x: tensor<?x?xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 2] : (tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// Values: `jax.lax.dynamic_update_slice`.
func.func private @update(%x: tensor<?x?xf32>, %u: tensor<?x2xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<?x?xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// `numpy.concatenate([x, y, z], 1)`
func.func private @join(%x: tensor<?x?xf32>, %y: tensor<3x?xf32>, %z: tensor<3x2xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.concatenate %x, %y, %z, dim = 1 : (tensor<?x?xf32>, tensor<3x?xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// `x[::-1, ::-1]`
func.func private @backwards(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// `x.view(numpy.int32)`
func.func private @bits(%x: tensor<?xf64>) -> tensor<?x2xi32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<?xf64>) -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

// `numpy.concatenate([x, zeros])[:n]`
func.func private @cut_or_extend(%x: tensor<?x2xf32>, %n: tensor<i32>) -> tensor<?x2xf32> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<?x2xf32>, tensor<i32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func @main() {
  %broadcast_product0_0 = stablehlo.constant dense<[[-4.0, 2.0, -2.0, 0.0], [4.0, -2.0, 2.0, -3.0], [-2.0, 4.0, -1.0, 0.0]]> : tensor<3x4xf32>
  %broadcast_product0_0d = tensor.cast %broadcast_product0_0 : tensor<3x4xf32> to tensor<?x?xf32>
  %broadcast_product0_1 = stablehlo.constant dense<[[-2.0, -3.0, -1.0, 1.0]]> : tensor<1x4xf32>
  %broadcast_product0_1d = tensor.cast %broadcast_product0_1 : tensor<1x4xf32> to tensor<?x?xf32>
  %broadcast_product0 = call @broadcast_product(%broadcast_product0_0d, %broadcast_product0_1d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %broadcast_product0_r0 = tensor.cast %broadcast_product0 : tensor<?x?xf32> to tensor<3x4xf32>
  check.expect_eq_const %broadcast_product0_r0, dense<[[8.0, -6.0, 2.0, 0.0], [-8.0, 6.0, -2.0, -3.0], [4.0, -12.0, 1.0, 0.0]]> : tensor<3x4xf32>
  %broadcast_product1_0 = stablehlo.constant dense<[[0.0], [2.0], [-1.0]]> : tensor<3x1xf32>
  %broadcast_product1_0d = tensor.cast %broadcast_product1_0 : tensor<3x1xf32> to tensor<?x?xf32>
  %broadcast_product1_1 = stablehlo.constant dense<[[1.0, 2.0, 4.0, -1.0, -4.0], [2.0, 0.0, 3.0, 0.0, -1.0], [-4.0, 0.0, 1.0, 2.0, 3.0]]> : tensor<3x5xf32>
  %broadcast_product1_1d = tensor.cast %broadcast_product1_1 : tensor<3x5xf32> to tensor<?x?xf32>
  %broadcast_product1 = call @broadcast_product(%broadcast_product1_0d, %broadcast_product1_1d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %broadcast_product1_r0 = tensor.cast %broadcast_product1 : tensor<?x?xf32> to tensor<3x5xf32>
  check.expect_eq_const %broadcast_product1_r0, dense<[[0.0, 0.0, 0.0, -0.0, -0.0], [4.0, 0.0, 6.0, 0.0, -2.0], [4.0, -0.0, -1.0, -2.0, -3.0]]> : tensor<3x5xf32>
  %broadcast_product2_0 = stablehlo.constant dense<[[-3.0]]> : tensor<1x1xf32>
  %broadcast_product2_0d = tensor.cast %broadcast_product2_0 : tensor<1x1xf32> to tensor<?x?xf32>
  %broadcast_product2_1 = stablehlo.constant dense<[[1.0, 3.0, -2.0], [-1.0, 3.0, 1.0]]> : tensor<2x3xf32>
  %broadcast_product2_1d = tensor.cast %broadcast_product2_1 : tensor<2x3xf32> to tensor<?x?xf32>
  %broadcast_product2 = call @broadcast_product(%broadcast_product2_0d, %broadcast_product2_1d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %broadcast_product2_r0 = tensor.cast %broadcast_product2 : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %broadcast_product2_r0, dense<[[-3.0, -9.0, 6.0], [3.0, -9.0, -3.0]]> : tensor<2x3xf32>
  %broadcast_product3_0 = stablehlo.constant dense<[[0.0, 2.0, 0.0], [4.0, 2.0, -4.0]]> : tensor<2x3xf32>
  %broadcast_product3_0d = tensor.cast %broadcast_product3_0 : tensor<2x3xf32> to tensor<?x?xf32>
  %broadcast_product3_1 = stablehlo.constant dense<[[-3.0, 0.0, 3.0], [-4.0, 2.0, 2.0]]> : tensor<2x3xf32>
  %broadcast_product3_1d = tensor.cast %broadcast_product3_1 : tensor<2x3xf32> to tensor<?x?xf32>
  %broadcast_product3 = call @broadcast_product(%broadcast_product3_0d, %broadcast_product3_1d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %broadcast_product3_r0 = tensor.cast %broadcast_product3 : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %broadcast_product3_r0, dense<[[-0.0, 0.0, 0.0], [-16.0, 4.0, -8.0]]> : tensor<2x3xf32>
  %repeat_known_dimension0_0 = stablehlo.constant dense<[[3.0, 3.0, -3.0, 0.0]]> : tensor<1x4xf32>
  %repeat_known_dimension0_0d = tensor.cast %repeat_known_dimension0_0 : tensor<1x4xf32> to tensor<?x?xf32>
  %repeat_known_dimension0_1 = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi32>
  %repeat_known_dimension0 = call @repeat_known_dimension(%repeat_known_dimension0_0d, %repeat_known_dimension0_1) : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %repeat_known_dimension0_r0 = tensor.cast %repeat_known_dimension0 : tensor<?x?x?xf32> to tensor<2x3x4xf32>
  check.expect_eq_const %repeat_known_dimension0_r0, dense<[[[3.0, 3.0, -3.0, 0.0], [3.0, 3.0, -3.0, 0.0], [3.0, 3.0, -3.0, 0.0]], [[3.0, 3.0, -3.0, 0.0], [3.0, 3.0, -3.0, 0.0], [3.0, 3.0, -3.0, 0.0]]]> : tensor<2x3x4xf32>
  %any_reshape0_0 = stablehlo.constant dense<[[3.0, -1.0, -3.0, 0.0], [-4.0, -3.0, 3.0, 2.0], [3.0, 3.0, 3.0, -2.0]]> : tensor<3x4xf32>
  %any_reshape0_0d = tensor.cast %any_reshape0_0 : tensor<3x4xf32> to tensor<?x4xf32>
  %any_reshape0_1 = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %any_reshape0 = call @any_reshape(%any_reshape0_0d, %any_reshape0_1) : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x2xf32>
  %any_reshape0_r0 = tensor.cast %any_reshape0 : tensor<?x?x2xf32> to tensor<2x3x2xf32>
  check.expect_eq_const %any_reshape0_r0, dense<[[[3.0, -1.0], [-3.0, 0.0], [-4.0, -3.0]], [[3.0, 2.0], [3.0, 3.0], [3.0, -2.0]]]> : tensor<2x3x2xf32>
  %any_reshape1_0 = stablehlo.constant dense<[[0.0, 1.0, -2.0, 4.0], [-4.0, 3.0, 1.0, -2.0], [2.0, -1.0, 3.0, 4.0], [-2.0, 0.0, -3.0, 2.0], [1.0, 3.0, 3.0, 4.0], [4.0, 4.0, -3.0, -4.0]]> : tensor<6x4xf32>
  %any_reshape1_0d = tensor.cast %any_reshape1_0 : tensor<6x4xf32> to tensor<?x4xf32>
  %any_reshape1_1 = stablehlo.constant dense<[3, 4, 2]> : tensor<3xi64>
  %any_reshape1 = call @any_reshape(%any_reshape1_0d, %any_reshape1_1) : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x2xf32>
  %any_reshape1_r0 = tensor.cast %any_reshape1 : tensor<?x?x2xf32> to tensor<3x4x2xf32>
  check.expect_eq_const %any_reshape1_r0, dense<[[[0.0, 1.0], [-2.0, 4.0], [-4.0, 3.0], [1.0, -2.0]], [[2.0, -1.0], [3.0, 4.0], [-2.0, 0.0], [-3.0, 2.0]], [[1.0, 3.0], [3.0, 4.0], [4.0, 4.0], [-3.0, -4.0]]]> : tensor<3x4x2xf32>
  %any_reshape2_0 = stablehlo.constant dense<[[0.0, -1.0, 4.0, 3.0]]> : tensor<1x4xf32>
  %any_reshape2_0d = tensor.cast %any_reshape2_0 : tensor<1x4xf32> to tensor<?x4xf32>
  %any_reshape2_1 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %any_reshape2 = call @any_reshape(%any_reshape2_0d, %any_reshape2_1) : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x2xf32>
  %any_reshape2_r0 = tensor.cast %any_reshape2 : tensor<?x?x2xf32> to tensor<1x2x2xf32>
  check.expect_eq_const %any_reshape2_r0, dense<[[[0.0, -1.0], [4.0, 3.0]]]> : tensor<1x2x2xf32>
  %reshape_to_static0_0 = stablehlo.constant dense<[[-1.0, 1.0, 1.0, 4.0], [-4.0, 0.0, 2.0, 0.0], [4.0, 4.0, 3.0, 0.0]]> : tensor<3x4xf32>
  %reshape_to_static0_0d = tensor.cast %reshape_to_static0_0 : tensor<3x4xf32> to tensor<?x?xf32>
  %reshape_to_static0 = call @reshape_to_static(%reshape_to_static0_0d) : (tensor<?x?xf32>) -> tensor<2x6xf32>
  check.expect_eq_const %reshape_to_static0, dense<[[-1.0, 1.0, 1.0, 4.0, -4.0, 0.0], [2.0, 0.0, 4.0, 4.0, 3.0, 0.0]]> : tensor<2x6xf32>
  %reshape_to_static1_0 = stablehlo.constant dense<[[3.0], [-4.0], [1.0], [-2.0], [-2.0], [2.0], [2.0], [3.0], [-3.0], [3.0], [3.0], [-2.0]]> : tensor<12x1xf32>
  %reshape_to_static1_0d = tensor.cast %reshape_to_static1_0 : tensor<12x1xf32> to tensor<?x?xf32>
  %reshape_to_static1 = call @reshape_to_static(%reshape_to_static1_0d) : (tensor<?x?xf32>) -> tensor<2x6xf32>
  check.expect_eq_const %reshape_to_static1, dense<[[3.0, -4.0, 1.0, -2.0, -2.0, 2.0], [2.0, 3.0, -3.0, 3.0, 3.0, -2.0]]> : tensor<2x6xf32>
  %reshape_to_scalar0_0 = stablehlo.constant dense<[[-4.0]]> : tensor<1x1xf32>
  %reshape_to_scalar0_0d = tensor.cast %reshape_to_scalar0_0 : tensor<1x1xf32> to tensor<?x?xf32>
  %reshape_to_scalar0 = call @reshape_to_scalar(%reshape_to_scalar0_0d) : (tensor<?x?xf32>) -> tensor<f32>
  check.expect_eq_const %reshape_to_scalar0, dense<-4.0> : tensor<f32>
  %reshape_from_scalar0_0 = stablehlo.constant dense<2.5> : tensor<f32>
  %reshape_from_scalar0_1 = stablehlo.constant dense<1> : tensor<2xi32>
  %reshape_from_scalar0 = call @reshape_from_scalar(%reshape_from_scalar0_0, %reshape_from_scalar0_1) : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %reshape_from_scalar0_r0 = tensor.cast %reshape_from_scalar0 : tensor<?x?xf32> to tensor<1x1xf32>
  check.expect_eq_const %reshape_from_scalar0_r0, dense<[[2.5]]> : tensor<1x1xf32>
  %split_heads0_0 = stablehlo.constant dense<[[[2.0, 3.0, 0.0, -3.0, -3.0, -1.0, 2.0, -2.0, -4.0, 2.0, 2.0, -3.0], [1.0, -1.0, 0.0, -4.0, 1.0, -2.0, 0.0, -1.0, 1.0, -4.0, -1.0, 1.0], [2.0, -1.0, -4.0, 2.0, 0.0, 1.0, -3.0, -1.0, 3.0, 3.0, -2.0, 1.0], [-4.0, 3.0, -2.0, -1.0, 4.0, 0.0, 3.0, -3.0, 2.0, 4.0, -4.0, -2.0], [-3.0, -2.0, -2.0, -4.0, 4.0, -2.0, 4.0, 2.0, -3.0, 2.0, 2.0, -3.0]], [[-3.0, -1.0, -4.0, -1.0, 0.0, 1.0, 1.0, 0.0, -3.0, 1.0, 0.0, 3.0], [2.0, 2.0, 1.0, -1.0, -2.0, 0.0, 1.0, -1.0, -3.0, -4.0, -4.0, -3.0], [-1.0, -2.0, -3.0, -2.0, 2.0, -2.0, 4.0, 1.0, -3.0, 4.0, 3.0, 2.0], [-3.0, 3.0, 2.0, 2.0, 2.0, 1.0, -1.0, 4.0, 4.0, 2.0, -1.0, 0.0], [1.0, -4.0, -4.0, 0.0, 1.0, -3.0, -2.0, -3.0, 4.0, 0.0, -2.0, 3.0]]]> : tensor<2x5x12xf32>
  %split_heads0_0d = tensor.cast %split_heads0_0 : tensor<2x5x12xf32> to tensor<?x?x12xf32>
  %split_heads0 = call @split_heads(%split_heads0_0d) : (tensor<?x?x12xf32>) -> tensor<?x4x?x3xf32>
  %split_heads0_r0 = tensor.cast %split_heads0 : tensor<?x4x?x3xf32> to tensor<2x4x5x3xf32>
  check.expect_eq_const %split_heads0_r0, dense<[[[[2.0, 3.0, 0.0], [1.0, -1.0, 0.0], [2.0, -1.0, -4.0], [-4.0, 3.0, -2.0], [-3.0, -2.0, -2.0]], [[-3.0, -3.0, -1.0], [-4.0, 1.0, -2.0], [2.0, 0.0, 1.0], [-1.0, 4.0, 0.0], [-4.0, 4.0, -2.0]], [[2.0, -2.0, -4.0], [0.0, -1.0, 1.0], [-3.0, -1.0, 3.0], [3.0, -3.0, 2.0], [4.0, 2.0, -3.0]], [[2.0, 2.0, -3.0], [-4.0, -1.0, 1.0], [3.0, -2.0, 1.0], [4.0, -4.0, -2.0], [2.0, 2.0, -3.0]]], [[[-3.0, -1.0, -4.0], [2.0, 2.0, 1.0], [-1.0, -2.0, -3.0], [-3.0, 3.0, 2.0], [1.0, -4.0, -4.0]], [[-1.0, 0.0, 1.0], [-1.0, -2.0, 0.0], [-2.0, 2.0, -2.0], [2.0, 2.0, 1.0], [0.0, 1.0, -3.0]], [[1.0, 0.0, -3.0], [1.0, -1.0, -3.0], [4.0, 1.0, -3.0], [-1.0, 4.0, 4.0], [-2.0, -3.0, 4.0]], [[1.0, 0.0, 3.0], [-4.0, -4.0, -3.0], [4.0, 3.0, 2.0], [2.0, -1.0, 0.0], [0.0, -2.0, 3.0]]]]> : tensor<2x4x5x3xf32>
  %split_heads1_0 = stablehlo.constant dense<[[[4.0, -2.0, 4.0, 2.0, 3.0, 0.0, 4.0, -3.0, -4.0, 4.0, 0.0, -1.0]]]> : tensor<1x1x12xf32>
  %split_heads1_0d = tensor.cast %split_heads1_0 : tensor<1x1x12xf32> to tensor<?x?x12xf32>
  %split_heads1 = call @split_heads(%split_heads1_0d) : (tensor<?x?x12xf32>) -> tensor<?x4x?x3xf32>
  %split_heads1_r0 = tensor.cast %split_heads1 : tensor<?x4x?x3xf32> to tensor<1x4x1x3xf32>
  check.expect_eq_const %split_heads1_r0, dense<[[[[4.0, -2.0, 4.0]], [[2.0, 3.0, 0.0]], [[4.0, -3.0, -4.0]], [[4.0, 0.0, -1.0]]]]> : tensor<1x4x1x3xf32>
  %join_dimensions0_0 = stablehlo.constant dense<[[[2.0, -2.0, 1.0, 3.0, 3.0, -3.0, 4.0, 2.0, 2.0, -3.0, 4.0, -1.0], [4.0, -2.0, -4.0, 3.0, 1.0, -1.0, 4.0, 4.0, -4.0, 1.0, 3.0, 2.0], [1.0, 0.0, 0.0, -2.0, -3.0, -1.0, 2.0, 4.0, 4.0, -3.0, -4.0, 4.0], [2.0, 2.0, 3.0, -1.0, 3.0, 1.0, 1.0, -1.0, -1.0, -1.0, 2.0, 0.0], [-4.0, -4.0, -3.0, 0.0, 1.0, 4.0, 3.0, -2.0, 0.0, 2.0, 3.0, -1.0]], [[2.0, -3.0, 0.0, 4.0, -1.0, -4.0, 3.0, -2.0, -1.0, 4.0, -1.0, -2.0], [-2.0, 3.0, -3.0, 1.0, -2.0, 3.0, 2.0, 1.0, -1.0, -1.0, 4.0, 2.0], [-1.0, -4.0, -3.0, 0.0, 0.0, -1.0, 4.0, 0.0, 3.0, -3.0, -1.0, -2.0], [-3.0, 1.0, -3.0, -1.0, 2.0, 3.0, 1.0, 1.0, -2.0, 3.0, -3.0, 2.0], [-4.0, 1.0, -2.0, -2.0, -1.0, 3.0, 3.0, -2.0, 0.0, -4.0, 4.0, 4.0]]]> : tensor<2x5x12xf32>
  %join_dimensions0_0d = tensor.cast %join_dimensions0_0 : tensor<2x5x12xf32> to tensor<?x?x12xf32>
  %join_dimensions0 = call @join_dimensions(%join_dimensions0_0d) : (tensor<?x?x12xf32>) -> tensor<?x12xf32>
  %join_dimensions0_r0 = tensor.cast %join_dimensions0 : tensor<?x12xf32> to tensor<10x12xf32>
  check.expect_eq_const %join_dimensions0_r0, dense<[[2.0, -2.0, 1.0, 3.0, 3.0, -3.0, 4.0, 2.0, 2.0, -3.0, 4.0, -1.0], [4.0, -2.0, -4.0, 3.0, 1.0, -1.0, 4.0, 4.0, -4.0, 1.0, 3.0, 2.0], [1.0, 0.0, 0.0, -2.0, -3.0, -1.0, 2.0, 4.0, 4.0, -3.0, -4.0, 4.0], [2.0, 2.0, 3.0, -1.0, 3.0, 1.0, 1.0, -1.0, -1.0, -1.0, 2.0, 0.0], [-4.0, -4.0, -3.0, 0.0, 1.0, 4.0, 3.0, -2.0, 0.0, 2.0, 3.0, -1.0], [2.0, -3.0, 0.0, 4.0, -1.0, -4.0, 3.0, -2.0, -1.0, 4.0, -1.0, -2.0], [-2.0, 3.0, -3.0, 1.0, -2.0, 3.0, 2.0, 1.0, -1.0, -1.0, 4.0, 2.0], [-1.0, -4.0, -3.0, 0.0, 0.0, -1.0, 4.0, 0.0, 3.0, -3.0, -1.0, -2.0], [-3.0, 1.0, -3.0, -1.0, 2.0, 3.0, 1.0, 1.0, -2.0, 3.0, -3.0, 2.0], [-4.0, 1.0, -2.0, -2.0, -1.0, 3.0, 3.0, -2.0, 0.0, -4.0, 4.0, 4.0]]> : tensor<10x12xf32>
  %join_dimensions1_0 = stablehlo.constant dense<[[[-1.0, 0.0, 0.0, 2.0, -4.0, 0.0, 3.0, 1.0, 1.0, -4.0, 4.0, -3.0]]]> : tensor<1x1x12xf32>
  %join_dimensions1_0d = tensor.cast %join_dimensions1_0 : tensor<1x1x12xf32> to tensor<?x?x12xf32>
  %join_dimensions1 = call @join_dimensions(%join_dimensions1_0d) : (tensor<?x?x12xf32>) -> tensor<?x12xf32>
  %join_dimensions1_r0 = tensor.cast %join_dimensions1 : tensor<?x12xf32> to tensor<1x12xf32>
  check.expect_eq_const %join_dimensions1_r0, dense<[[-1.0, 0.0, 0.0, 2.0, -4.0, 0.0, 3.0, 1.0, 1.0, -4.0, 4.0, -3.0]]> : tensor<1x12xf32>
  %count0_0 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %count0 = call @count(%count0_0) : (tensor<2xi32>) -> tensor<?x?xf32>
  %count0_r0 = tensor.cast %count0 : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %count0_r0, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %count1_0 = stablehlo.constant dense<[1, 5]> : tensor<2xi32>
  %count1 = call @count(%count1_0) : (tensor<2xi32>) -> tensor<?x?xf32>
  %count1_r0 = tensor.cast %count1 : tensor<?x?xf32> to tensor<1x5xf32>
  check.expect_eq_const %count1_r0, dense<[[0.0, 1.0, 2.0, 3.0, 4.0]]> : tensor<1x5xf32>
  %pad_and_crop0_0 = stablehlo.constant dense<[[-1.0, 2.0, 0.0, 1.0], [1.0, -3.0, -4.0, 4.0], [3.0, -3.0, 2.0, 0.0]]> : tensor<3x4xf32>
  %pad_and_crop0_0d = tensor.cast %pad_and_crop0_0 : tensor<3x4xf32> to tensor<?x?xf32>
  %pad_and_crop0 = call @pad_and_crop(%pad_and_crop0_0d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %pad_and_crop0_r0 = tensor.cast %pad_and_crop0 : tensor<?x?xf32> to tensor<8x3xf32>
  check.expect_eq_const %pad_and_crop0_r0, dense<[[9.0, 9.0, 9.0], [2.0, 0.0, 1.0], [9.0, 9.0, 9.0], [-3.0, -4.0, 4.0], [9.0, 9.0, 9.0], [-3.0, 2.0, 0.0], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0]]> : tensor<8x3xf32>
  %pad_and_crop1_0 = stablehlo.constant dense<[[2.0, -3.0]]> : tensor<1x2xf32>
  %pad_and_crop1_0d = tensor.cast %pad_and_crop1_0 : tensor<1x2xf32> to tensor<?x?xf32>
  %pad_and_crop1 = call @pad_and_crop(%pad_and_crop1_0d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %pad_and_crop1_r0 = tensor.cast %pad_and_crop1 : tensor<?x?xf32> to tensor<4x1xf32>
  check.expect_eq_const %pad_and_crop1_r0, dense<[[9.0], [-3.0], [9.0], [9.0]]> : tensor<4x1xf32>
  %pad_by_operands0_0 = stablehlo.constant dense<[2.0, 2.0, 4.0, -2.0, -1.0]> : tensor<5xf32>
  %pad_by_operands0_0d = tensor.cast %pad_by_operands0_0 : tensor<5xf32> to tensor<?xf32>
  %pad_by_operands0_1 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %pad_by_operands0_2 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %pad_by_operands0_3 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %pad_by_operands0 = call @pad_by_operands(%pad_by_operands0_0d, %pad_by_operands0_1, %pad_by_operands0_2, %pad_by_operands0_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %pad_by_operands0_r0 = tensor.cast %pad_by_operands0 : tensor<?xf32> to tensor<8xf32>
  check.expect_eq_const %pad_by_operands0_r0, dense<[9.0, 2.0, 2.0, 4.0, -2.0, -1.0, 9.0, 9.0]> : tensor<8xf32>
  %pad_by_operands1_0 = stablehlo.constant dense<[-3.0, -4.0, -4.0, 0.0, -3.0]> : tensor<5xf32>
  %pad_by_operands1_0d = tensor.cast %pad_by_operands1_0 : tensor<5xf32> to tensor<?xf32>
  %pad_by_operands1_1 = stablehlo.constant dense<[-1]> : tensor<1xi32>
  %pad_by_operands1_2 = stablehlo.constant dense<[-2]> : tensor<1xi32>
  %pad_by_operands1_3 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %pad_by_operands1 = call @pad_by_operands(%pad_by_operands1_0d, %pad_by_operands1_1, %pad_by_operands1_2, %pad_by_operands1_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %pad_by_operands1_r0 = tensor.cast %pad_by_operands1 : tensor<?xf32> to tensor<6xf32>
  check.expect_eq_const %pad_by_operands1_r0, dense<[9.0, -4.0, 9.0, -4.0, 9.0, 0.0]> : tensor<6xf32>
  %pad_by_operands2_0 = stablehlo.constant dense<[2.0, -3.0, 1.0, 0.0, -2.0]> : tensor<5xf32>
  %pad_by_operands2_0d = tensor.cast %pad_by_operands2_0 : tensor<5xf32> to tensor<?xf32>
  %pad_by_operands2_1 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %pad_by_operands2_2 = stablehlo.constant dense<[-3]> : tensor<1xi32>
  %pad_by_operands2_3 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %pad_by_operands2 = call @pad_by_operands(%pad_by_operands2_0d, %pad_by_operands2_1, %pad_by_operands2_2, %pad_by_operands2_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %pad_by_operands2_r0 = tensor.cast %pad_by_operands2 : tensor<?xf32> to tensor<12xf32>
  check.expect_eq_const %pad_by_operands2_r0, dense<[9.0, 9.0, 2.0, 9.0, 9.0, -3.0, 9.0, 9.0, 1.0, 9.0, 9.0, 0.0]> : tensor<12xf32>
  %pad_by_operands3_0 = stablehlo.constant dense<[0.0, 4.0, 4.0, -2.0, 4.0]> : tensor<5xf32>
  %pad_by_operands3_0d = tensor.cast %pad_by_operands3_0 : tensor<5xf32> to tensor<?xf32>
  %pad_by_operands3_1 = stablehlo.constant dense<[-4]> : tensor<1xi32>
  %pad_by_operands3_2 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %pad_by_operands3_3 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %pad_by_operands3 = call @pad_by_operands(%pad_by_operands3_0d, %pad_by_operands3_1, %pad_by_operands3_2, %pad_by_operands3_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %pad_by_operands3_r0 = tensor.cast %pad_by_operands3 : tensor<?xf32> to tensor<8xf32>
  check.expect_eq_const %pad_by_operands3_r0, dense<[4.0, 9.0, -2.0, 9.0, 4.0, 9.0, 9.0, 9.0]> : tensor<8xf32>
  %pad_by_operands4_0 = stablehlo.constant dense<[-3.0, 3.0, -1.0, 2.0, 1.0]> : tensor<5xf32>
  %pad_by_operands4_0d = tensor.cast %pad_by_operands4_0 : tensor<5xf32> to tensor<?xf32>
  %pad_by_operands4_1 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %pad_by_operands4_2 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %pad_by_operands4_3 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %pad_by_operands4 = call @pad_by_operands(%pad_by_operands4_0d, %pad_by_operands4_1, %pad_by_operands4_2, %pad_by_operands4_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %pad_by_operands4_r0 = tensor.cast %pad_by_operands4 : tensor<?xf32> to tensor<5xf32>
  check.expect_eq_const %pad_by_operands4_r0, dense<[-3.0, 3.0, -1.0, 2.0, 1.0]> : tensor<5xf32>
  %pad_by_operands5_0 = stablehlo.constant dense<[3.0, -1.0, 4.0, 3.0, -4.0]> : tensor<5xf32>
  %pad_by_operands5_0d = tensor.cast %pad_by_operands5_0 : tensor<5xf32> to tensor<?xf32>
  %pad_by_operands5_1 = stablehlo.constant dense<[-9]> : tensor<1xi32>
  %pad_by_operands5_2 = stablehlo.constant dense<[20]> : tensor<1xi32>
  %pad_by_operands5_3 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %pad_by_operands5 = call @pad_by_operands(%pad_by_operands5_0d, %pad_by_operands5_1, %pad_by_operands5_2, %pad_by_operands5_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %pad_by_operands5_r0 = tensor.cast %pad_by_operands5 : tensor<?xf32> to tensor<20xf32>
  check.expect_eq_const %pad_by_operands5_r0, dense<9.0> : tensor<20xf32>
  %part0_0 = stablehlo.constant dense<[[-4.0, -3.0, 1.0, -1.0, -3.0, -4.0, 4.0, 1.0], [-4.0, -2.0, 1.0, -2.0, 2.0, -2.0, 1.0, -4.0], [3.0, 2.0, 0.0, 1.0, -4.0, 1.0, 0.0, -4.0]]> : tensor<3x8xf32>
  %part0_0d = tensor.cast %part0_0 : tensor<3x8xf32> to tensor<?x8xf32>
  %part0 = call @part(%part0_0d) : (tensor<?x8xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %part0, dense<[[-2.0, -2.0, -2.0], [2.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %part1_0 = stablehlo.constant dense<[[-4.0, -1.0, 2.0, 2.0, -3.0, -3.0, -2.0, -1.0], [-3.0, -4.0, -1.0, -4.0, -3.0, -3.0, -1.0, -1.0], [-4.0, 0.0, 4.0, 3.0, -3.0, -2.0, 1.0, -4.0], [1.0, 3.0, 3.0, -4.0, -2.0, -4.0, 0.0, 4.0], [3.0, 2.0, 2.0, -1.0, 4.0, -3.0, -3.0, -1.0]]> : tensor<5x8xf32>
  %part1_0d = tensor.cast %part1_0 : tensor<5x8xf32> to tensor<?x8xf32>
  %part1 = call @part(%part1_0d) : (tensor<?x8xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %part1, dense<[[-4.0, -4.0, -3.0], [0.0, 3.0, -2.0]]> : tensor<2x3xf32>
  %part_by_operands0_0 = stablehlo.constant dense<[0.0, -1.0, 0.0, 3.0, 0.0, -1.0, 1.0]> : tensor<7xf32>
  %part_by_operands0_0d = tensor.cast %part_by_operands0_0 : tensor<7xf32> to tensor<?xf32>
  %part_by_operands0_1 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %part_by_operands0_2 = stablehlo.constant dense<[7]> : tensor<1xi32>
  %part_by_operands0_3 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %part_by_operands0 = call @part_by_operands(%part_by_operands0_0d, %part_by_operands0_1, %part_by_operands0_2, %part_by_operands0_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %part_by_operands0_r0 = tensor.cast %part_by_operands0 : tensor<?xf32> to tensor<7xf32>
  check.expect_eq_const %part_by_operands0_r0, dense<[0.0, -1.0, 0.0, 3.0, 0.0, -1.0, 1.0]> : tensor<7xf32>
  %part_by_operands1_0 = stablehlo.constant dense<[-4.0, 4.0, 4.0, -4.0, 1.0, 4.0, -3.0]> : tensor<7xf32>
  %part_by_operands1_0d = tensor.cast %part_by_operands1_0 : tensor<7xf32> to tensor<?xf32>
  %part_by_operands1_1 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %part_by_operands1_2 = stablehlo.constant dense<[6]> : tensor<1xi32>
  %part_by_operands1_3 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %part_by_operands1 = call @part_by_operands(%part_by_operands1_0d, %part_by_operands1_1, %part_by_operands1_2, %part_by_operands1_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %part_by_operands1_r0 = tensor.cast %part_by_operands1 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %part_by_operands1_r0, dense<[4.0, -4.0, 4.0]> : tensor<3xf32>
  %part_by_operands2_0 = stablehlo.constant dense<[-3.0, -3.0, 4.0, 0.0, 4.0, -4.0, 2.0]> : tensor<7xf32>
  %part_by_operands2_0d = tensor.cast %part_by_operands2_0 : tensor<7xf32> to tensor<?xf32>
  %part_by_operands2_1 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %part_by_operands2_2 = stablehlo.constant dense<[4]> : tensor<1xi32>
  %part_by_operands2_3 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %part_by_operands2 = call @part_by_operands(%part_by_operands2_0d, %part_by_operands2_1, %part_by_operands2_2, %part_by_operands2_3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %part_by_operands2_r0 = tensor.cast %part_by_operands2 : tensor<?xf32> to tensor<1xf32>
  check.expect_eq_const %part_by_operands2_r0, dense<[0.0]> : tensor<1xf32>
  %clamped_part0_0 = stablehlo.constant dense<[[1.0, 0.0, 1.0, -3.0, -4.0, 1.0], [3.0, 4.0, 3.0, 0.0, 4.0, -4.0], [2.0, 0.0, 2.0, 3.0, -3.0, 3.0], [-4.0, 0.0, -4.0, -2.0, 4.0, -1.0], [1.0, 4.0, 4.0, -4.0, -1.0, 4.0]]> : tensor<5x6xf32>
  %clamped_part0_0d = tensor.cast %clamped_part0_0 : tensor<5x6xf32> to tensor<?x?xf32>
  %clamped_part0_1 = stablehlo.constant dense<0> : tensor<i32>
  %clamped_part0_2 = stablehlo.constant dense<1> : tensor<i32>
  %clamped_part0 = call @clamped_part(%clamped_part0_0d, %clamped_part0_1, %clamped_part0_2) : (tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  check.expect_eq_const %clamped_part0, dense<[[0.0, 1.0], [4.0, 3.0]]> : tensor<2x2xf32>
  %clamped_part1_0 = stablehlo.constant dense<[[2.0, -1.0, -4.0, 1.0, -3.0, 4.0], [-2.0, 0.0, 0.0, 0.0, 1.0, 3.0], [0.0, -1.0, -1.0, 3.0, 1.0, 0.0], [4.0, -2.0, 0.0, 4.0, 3.0, 1.0], [-4.0, 1.0, -1.0, 4.0, 1.0, 1.0]]> : tensor<5x6xf32>
  %clamped_part1_0d = tensor.cast %clamped_part1_0 : tensor<5x6xf32> to tensor<?x?xf32>
  %clamped_part1_1 = stablehlo.constant dense<-3> : tensor<i32>
  %clamped_part1_2 = stablehlo.constant dense<100> : tensor<i32>
  %clamped_part1 = call @clamped_part(%clamped_part1_0d, %clamped_part1_1, %clamped_part1_2) : (tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  check.expect_eq_const %clamped_part1, dense<[[-3.0, 4.0], [1.0, 3.0]]> : tensor<2x2xf32>
  %clamped_part2_0 = stablehlo.constant dense<[[1.0, -1.0, -2.0, 0.0, -1.0, 3.0], [4.0, 0.0, 1.0, -3.0, 1.0, -3.0], [-4.0, -3.0, -4.0, 3.0, -3.0, 4.0], [-3.0, 2.0, 4.0, -4.0, -4.0, -2.0], [-1.0, 0.0, -4.0, -4.0, 1.0, -4.0]]> : tensor<5x6xf32>
  %clamped_part2_0d = tensor.cast %clamped_part2_0 : tensor<5x6xf32> to tensor<?x?xf32>
  %clamped_part2_1 = stablehlo.constant dense<4> : tensor<i32>
  %clamped_part2_2 = stablehlo.constant dense<4> : tensor<i32>
  %clamped_part2 = call @clamped_part(%clamped_part2_0d, %clamped_part2_1, %clamped_part2_2) : (tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  check.expect_eq_const %clamped_part2, dense<[[-4.0, -2.0], [1.0, -4.0]]> : tensor<2x2xf32>
  %update0_0 = stablehlo.constant dense<[[-4.0, -1.0, -4.0, -3.0, -4.0, 0.0], [-2.0, 3.0, 1.0, -2.0, 3.0, -3.0], [-2.0, -3.0, -2.0, -1.0, 3.0, -1.0], [2.0, 3.0, -3.0, 2.0, 3.0, -1.0], [3.0, 3.0, -3.0, -3.0, 1.0, -1.0]]> : tensor<5x6xf32>
  %update0_0d = tensor.cast %update0_0 : tensor<5x6xf32> to tensor<?x?xf32>
  %update0_1 = stablehlo.constant dense<[[-3.0, 4.0]]> : tensor<1x2xf32>
  %update0_1d = tensor.cast %update0_1 : tensor<1x2xf32> to tensor<?x2xf32>
  %update0_2 = stablehlo.constant dense<0> : tensor<i32>
  %update0_3 = stablehlo.constant dense<1> : tensor<i32>
  %update0 = call @update(%update0_0d, %update0_1d, %update0_2, %update0_3) : (tensor<?x?xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
  %update0_r0 = tensor.cast %update0 : tensor<?x?xf32> to tensor<5x6xf32>
  check.expect_eq_const %update0_r0, dense<[[-4.0, -3.0, 4.0, -3.0, -4.0, 0.0], [-2.0, 3.0, 1.0, -2.0, 3.0, -3.0], [-2.0, -3.0, -2.0, -1.0, 3.0, -1.0], [2.0, 3.0, -3.0, 2.0, 3.0, -1.0], [3.0, 3.0, -3.0, -3.0, 1.0, -1.0]]> : tensor<5x6xf32>
  %update1_0 = stablehlo.constant dense<[[-2.0, -3.0, 0.0, -1.0, 0.0, -2.0], [0.0, 0.0, 0.0, 4.0, -3.0, -1.0], [3.0, 4.0, -2.0, 4.0, 4.0, -2.0], [0.0, 2.0, -2.0, -3.0, -3.0, 0.0], [0.0, 2.0, -1.0, 0.0, 1.0, 2.0]]> : tensor<5x6xf32>
  %update1_0d = tensor.cast %update1_0 : tensor<5x6xf32> to tensor<?x?xf32>
  %update1_1 = stablehlo.constant dense<[[0.0, -3.0], [-4.0, 0.0], [3.0, 1.0]]> : tensor<3x2xf32>
  %update1_1d = tensor.cast %update1_1 : tensor<3x2xf32> to tensor<?x2xf32>
  %update1_2 = stablehlo.constant dense<-3> : tensor<i32>
  %update1_3 = stablehlo.constant dense<100> : tensor<i32>
  %update1 = call @update(%update1_0d, %update1_1d, %update1_2, %update1_3) : (tensor<?x?xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
  %update1_r0 = tensor.cast %update1 : tensor<?x?xf32> to tensor<5x6xf32>
  check.expect_eq_const %update1_r0, dense<[[-2.0, -3.0, 0.0, -1.0, 0.0, -3.0], [0.0, 0.0, 0.0, 4.0, -4.0, 0.0], [3.0, 4.0, -2.0, 4.0, 3.0, 1.0], [0.0, 2.0, -2.0, -3.0, -3.0, 0.0], [0.0, 2.0, -1.0, 0.0, 1.0, 2.0]]> : tensor<5x6xf32>
  %update2_0 = stablehlo.constant dense<[[-4.0, -4.0, 3.0, -2.0, 3.0, -3.0], [4.0, -3.0, 1.0, 0.0, -3.0, -1.0], [-1.0, -2.0, -1.0, -3.0, 1.0, 4.0], [-1.0, 0.0, 2.0, 4.0, -3.0, -3.0], [-1.0, 4.0, 0.0, -4.0, -1.0, 4.0]]> : tensor<5x6xf32>
  %update2_0d = tensor.cast %update2_0 : tensor<5x6xf32> to tensor<?x?xf32>
  %update2_1 = stablehlo.constant dense<[[-3.0, -2.0], [4.0, -4.0], [2.0, 0.0], [3.0, 4.0], [-1.0, -2.0]]> : tensor<5x2xf32>
  %update2_1d = tensor.cast %update2_1 : tensor<5x2xf32> to tensor<?x2xf32>
  %update2_2 = stablehlo.constant dense<4> : tensor<i32>
  %update2_3 = stablehlo.constant dense<4> : tensor<i32>
  %update2 = call @update(%update2_0d, %update2_1d, %update2_2, %update2_3) : (tensor<?x?xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
  %update2_r0 = tensor.cast %update2 : tensor<?x?xf32> to tensor<5x6xf32>
  check.expect_eq_const %update2_r0, dense<[[-4.0, -4.0, 3.0, -2.0, -3.0, -2.0], [4.0, -3.0, 1.0, 0.0, 4.0, -4.0], [-1.0, -2.0, -1.0, -3.0, 2.0, 0.0], [-1.0, 0.0, 2.0, 4.0, 3.0, 4.0], [-1.0, 4.0, 0.0, -4.0, -1.0, -2.0]]> : tensor<5x6xf32>
  %join0_0 = stablehlo.constant dense<[[4.0, 1.0, 3.0, -4.0], [4.0, -1.0, -3.0, 1.0], [0.0, 2.0, -1.0, -2.0]]> : tensor<3x4xf32>
  %join0_0d = tensor.cast %join0_0 : tensor<3x4xf32> to tensor<?x?xf32>
  %join0_1 = stablehlo.constant dense<[[1.0], [4.0], [-2.0]]> : tensor<3x1xf32>
  %join0_1d = tensor.cast %join0_1 : tensor<3x1xf32> to tensor<3x?xf32>
  %join0_2 = stablehlo.constant dense<[[1.0, -4.0], [-3.0, 0.0], [-4.0, 1.0]]> : tensor<3x2xf32>
  %join0 = call @join(%join0_0d, %join0_1d, %join0_2) : (tensor<?x?xf32>, tensor<3x?xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  %join0_r0 = tensor.cast %join0 : tensor<?x?xf32> to tensor<3x7xf32>
  check.expect_eq_const %join0_r0, dense<[[4.0, 1.0, 3.0, -4.0, 1.0, 1.0, -4.0], [4.0, -1.0, -3.0, 1.0, 4.0, -3.0, 0.0], [0.0, 2.0, -1.0, -2.0, -2.0, -4.0, 1.0]]> : tensor<3x7xf32>
  %join1_0 = stablehlo.constant dense<> : tensor<3x0xf32>
  %join1_0d = tensor.cast %join1_0 : tensor<3x0xf32> to tensor<?x?xf32>
  %join1_1 = stablehlo.constant dense<[[1.0, -1.0], [2.0, 4.0], [4.0, -1.0]]> : tensor<3x2xf32>
  %join1_1d = tensor.cast %join1_1 : tensor<3x2xf32> to tensor<3x?xf32>
  %join1_2 = stablehlo.constant dense<[[1.0, -2.0], [-4.0, 3.0], [-1.0, 0.0]]> : tensor<3x2xf32>
  %join1 = call @join(%join1_0d, %join1_1d, %join1_2) : (tensor<?x?xf32>, tensor<3x?xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  %join1_r0 = tensor.cast %join1 : tensor<?x?xf32> to tensor<3x4xf32>
  check.expect_eq_const %join1_r0, dense<[[1.0, -1.0, 1.0, -2.0], [2.0, 4.0, -4.0, 3.0], [4.0, -1.0, -1.0, 0.0]]> : tensor<3x4xf32>
  %backwards0_0 = stablehlo.constant dense<[[1.0, -1.0, 1.0], [2.0, -1.0, -1.0], [3.0, 2.0, 3.0], [2.0, 4.0, 3.0]]> : tensor<4x3xf32>
  %backwards0_0d = tensor.cast %backwards0_0 : tensor<4x3xf32> to tensor<?x3xf32>
  %backwards0 = call @backwards(%backwards0_0d) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %backwards0_r0 = tensor.cast %backwards0 : tensor<?x3xf32> to tensor<4x3xf32>
  check.expect_eq_const %backwards0_r0, dense<[[3.0, 4.0, 2.0], [3.0, 2.0, 3.0], [-1.0, -1.0, 2.0], [1.0, -1.0, 1.0]]> : tensor<4x3xf32>
  %backwards1_0 = stablehlo.constant dense<[[0.0, 4.0, 2.0]]> : tensor<1x3xf32>
  %backwards1_0d = tensor.cast %backwards1_0 : tensor<1x3xf32> to tensor<?x3xf32>
  %backwards1 = call @backwards(%backwards1_0d) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %backwards1_r0 = tensor.cast %backwards1 : tensor<?x3xf32> to tensor<1x3xf32>
  check.expect_eq_const %backwards1_r0, dense<[[2.0, 4.0, 0.0]]> : tensor<1x3xf32>
  %bits0_0 = stablehlo.constant dense<[-0.6976183740910009, 0.9037517913553875, 0.13722450031243333]> : tensor<3xf64>
  %bits0_0d = tensor.cast %bits0_0 : tensor<3xf64> to tensor<?xf64>
  %bits0 = call @bits(%bits0_0d) : (tensor<?xf64>) -> tensor<?x2xi32>
  %bits0_r0 = tensor.cast %bits0 : tensor<?x2xi32> to tensor<3x2xi32>
  check.expect_eq_const %bits0_r0, dense<[[-994449466, -1075424541], [-529378197, 1072491400], [-1970887990, 1069650066]]> : tensor<3x2xi32>
  %bits1_0 = stablehlo.constant dense<[0.49630397250885694]> : tensor<1xf64>
  %bits1_0d = tensor.cast %bits1_0 : tensor<1xf64> to tensor<?xf64>
  %bits1 = call @bits(%bits1_0d) : (tensor<?xf64>) -> tensor<?x2xi32>
  %bits1_r0 = tensor.cast %bits1 : tensor<?x2xi32> to tensor<1x2xi32>
  check.expect_eq_const %bits1_r0, dense<[[-1129104860, 1071629169]]> : tensor<1x2xi32>
  %cut_or_extend0_0 = stablehlo.constant dense<[[4.0, -1.0], [1.0, -3.0], [-3.0, 4.0], [-1.0, 3.0]]> : tensor<4x2xf32>
  %cut_or_extend0_0d = tensor.cast %cut_or_extend0_0 : tensor<4x2xf32> to tensor<?x2xf32>
  %cut_or_extend0_1 = stablehlo.constant dense<3> : tensor<i32>
  %cut_or_extend0 = call @cut_or_extend(%cut_or_extend0_0d, %cut_or_extend0_1) : (tensor<?x2xf32>, tensor<i32>) -> tensor<?x2xf32>
  %cut_or_extend0_r0 = tensor.cast %cut_or_extend0 : tensor<?x2xf32> to tensor<3x2xf32>
  check.expect_eq_const %cut_or_extend0_r0, dense<[[4.0, -1.0], [1.0, -3.0], [-3.0, 4.0]]> : tensor<3x2xf32>
  %cut_or_extend1_0 = stablehlo.constant dense<[[1.0, -2.0], [-1.0, 1.0]]> : tensor<2x2xf32>
  %cut_or_extend1_0d = tensor.cast %cut_or_extend1_0 : tensor<2x2xf32> to tensor<?x2xf32>
  %cut_or_extend1_1 = stablehlo.constant dense<2> : tensor<i32>
  %cut_or_extend1 = call @cut_or_extend(%cut_or_extend1_0d, %cut_or_extend1_1) : (tensor<?x2xf32>, tensor<i32>) -> tensor<?x2xf32>
  %cut_or_extend1_r0 = tensor.cast %cut_or_extend1 : tensor<?x2xf32> to tensor<2x2xf32>
  check.expect_eq_const %cut_or_extend1_r0, dense<[[1.0, -2.0], [-1.0, 1.0]]> : tensor<2x2xf32>
  return
}
