// Programs of PyTorch and TensorFlow, which compute sizes by ops of arith, shape and tensor.

// `torch.relu(x @ w + b)`, as torch-mlir exports it. Values: numpy.
func.func private @dense_layer(%x: tensor<?x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>)
    -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : i64
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot %x, %w : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %1 = arith.index_cast %n : index to i64
  %shape = tensor.from_elements %1, %c2 : tensor<2xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %b, %shape, dims = [1]
    : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  %3 = stablehlo.add %0, %2 : tensor<?x2xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = []
    : (tensor<f32>, tensor<2xi64>) -> tensor<?x2xf32>
  %5 = stablehlo.maximum %3, %4 : tensor<?x2xf32>
  return %5 : tensor<?x2xf32>
}

func.func @dense_layer_of_two_rows() {
  %x = stablehlo.constant {input} dense<[[1.0, 2.0, 3.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %w = stablehlo.constant {input} dense<[[1.0, -1.0], [2.0, 0.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %b = stablehlo.constant {input} dense<[0.5, -1.5]> : tensor<2xf32>
  %rows = tensor.cast %x : tensor<2x3xf32> to tensor<?x3xf32>
  %0 = call @dense_layer(%rows, %w, %b)
    : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %1 = tensor.cast %0 : tensor<?x2xf32> to tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[5.5, 0.5], [0.0, 0.5]]> : tensor<2x2xf32>
  return
}

func.func @dense_layer_of_one_row() {
  %x = stablehlo.constant {input} dense<[[4.0, -2.0, 1.0]]> : tensor<1x3xf32>
  %w = stablehlo.constant {input} dense<[[1.0, -1.0], [2.0, 0.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %b = stablehlo.constant {input} dense<[0.5, -1.5]> : tensor<2xf32>
  %rows = tensor.cast %x : tensor<1x3xf32> to tensor<?x3xf32>
  %0 = call @dense_layer(%rows, %w, %b)
    : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %1 = tensor.cast %0 : tensor<?x2xf32> to tensor<1x2xf32>
  check.expect_eq_const %1, dense<[[0.5, 0.0]]> : tensor<1x2xf32>
  return
}

// A sum with broadcasting, as TensorFlow writes it: the constraint holds for both calls.
func.func private @broadcast_sum(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %3 = shape.assuming %2 -> (tensor<?x?xf32>) {
    %4 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %5 = stablehlo.dynamic_broadcast_in_dim %a, %4, dims = [0, 1]
      : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %6 = stablehlo.dynamic_broadcast_in_dim %b, %4, dims = [1]
      : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %7 = stablehlo.add %5, %6 : tensor<?x?xf32>
    shape.assuming_yield %7 : tensor<?x?xf32>
  }
  return %3 : tensor<?x?xf32>
}

func.func @sum_of_rows() {
  %a = stablehlo.constant {input} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant {input} dense<[10.0, 20.0]> : tensor<2xf32>
  %0 = tensor.cast %a : tensor<2x2xf32> to tensor<?x?xf32>
  %1 = tensor.cast %b : tensor<2xf32> to tensor<?xf32>
  %2 = call @broadcast_sum(%0, %1) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %3 = tensor.cast %2 : tensor<?x?xf32> to tensor<2x2xf32>
  check.expect_eq_const %3, dense<[[11.0, 22.0], [13.0, 24.0]]> : tensor<2x2xf32>
  return
}

func.func @sum_of_columns() {
  %a = stablehlo.constant {input} dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  %b = stablehlo.constant {input} dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %0 = tensor.cast %a : tensor<2x1xf32> to tensor<?x?xf32>
  %1 = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %2 = call @broadcast_sum(%0, %1) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %3 = tensor.cast %2 : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %3, dense<[[11.0, 21.0, 31.0], [13.0, 23.0, 33.0]]> : tensor<2x3xf32>
  return
}

// `x.flatten()` and `numpy.full(-(-x.size // 4), 2.0)`: sizes as values of the shape dialect, and
// rounded divisions.
func.func private @flatten(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant dense<2.0> : tensor<f32>
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %n = shape.num_elements %s : !shape.shape -> !shape.size
  %i = shape.size_to_index %n : !shape.size
  %shape = tensor.from_elements %i : tensor<1xindex>
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %blocks = arith.ceildivsi %i, %c4 : index
  %some = arith.cmpi sgt, %blocks, %c0 : index
  %count = arith.select %some, %blocks, %c4 : index
  %counts = tensor.from_elements %count : tensor<1xindex>
  %1 = stablehlo.dynamic_broadcast_in_dim %two, %counts, dims = []
    : (tensor<f32>, tensor<1xindex>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

func.func @six_elements() {
  %a = stablehlo.constant {input} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32>
  %1:2 = call @flatten(%0) : (tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  %2 = tensor.cast %1#0 : tensor<?xf32> to tensor<6xf32>
  %3 = tensor.cast %1#1 : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %2, dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  check.expect_eq_const %3, dense<[2.0, 2.0]> : tensor<2xf32>
  return
}

func.func @four_elements() {
  %a = stablehlo.constant {input} dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %0 = tensor.cast %a : tensor<4x1xf32> to tensor<?x?xf32>
  %1:2 = call @flatten(%0) : (tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  %2 = tensor.cast %1#0 : tensor<?xf32> to tensor<4xf32>
  %3 = tensor.cast %1#1 : tensor<?xf32> to tensor<1xf32>
  check.expect_eq_const %2, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  check.expect_eq_const %3, dense<2.0> : tensor<1xf32>
  return
}
