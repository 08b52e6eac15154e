// Programs whose shapes are known when they run.

!indices = tensor<?xi32, #stablehlo.bounds<6>>
!kept = tensor<?xf32, #stablehlo.bounds<6>>
!places = tensor<?x1xi32, #stablehlo.bounds<6, ?>>

// `x[start:limit].sum()`: nothing in the types says that sizes are dynamic.
func.func private @sum_of_slice(%x: tensor<5xi32>, %start: tensor<1xi32>, %limit: tensor<1xi32>)
    -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %one
    : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

func.func @slices_of_some_elements() {
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %start = stablehlo.constant {input} dense<1> : tensor<1xi32>
  %limit = stablehlo.constant {input} dense<4> : tensor<1xi32>
  %0 = call @sum_of_slice(%x, %start, %limit)
    : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
  check.expect_eq_const %0, dense<9> : tensor<i32>
  return
}

func.func @slices_of_all_elements() {
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %start = stablehlo.constant {input} dense<0> : tensor<1xi32>
  %limit = stablehlo.constant {input} dense<5> : tensor<1xi32>
  %0 = call @sum_of_slice(%x, %start, %limit)
    : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
  check.expect_eq_const %0, dense<15> : tensor<i32>
  return
}

func.func @slices_of_no_elements() {
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %start = stablehlo.constant {input} dense<2> : tensor<1xi32>
  %limit = stablehlo.constant {input} dense<2> : tensor<1xi32>
  %0 = call @sum_of_slice(%x, %start, %limit)
    : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
  check.expect_eq_const %0, dense<0> : tensor<i32>
  return
}

// `x[x > 0]` and its sum, as TensorFlow writes `boolean_mask`: the size is a sum of comparisons of
// floats, and a bound is all that types say.
func.func private @positive(%x: tensor<6xf32>) -> (!kept, !places, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %kept = stablehlo.compare GT, %x, %zeros : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %ones = stablehlo.convert %kept : (tensor<6xi1>) -> tensor<6xi32>
  %count = stablehlo.reduce(%ones init: %none) applies stablehlo.add across dimensions = [0]
    : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
  %number = stablehlo.iota dim = 0 : tensor<6xi32>
  %not = stablehlo.not %kept : tensor<6xi1>
  %order:2 = "stablehlo.sort"(%not, %number) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<6xi1>, tensor<6xi32>) -> (tensor<6xi1>, tensor<6xi32>)
  %column = stablehlo.reshape %order#1 : (tensor<6xi32>) -> tensor<6x1xi32>
  %where = stablehlo.set_dimension_size %column, %count, dim = 0 : (tensor<6x1xi32>, tensor<i32>) -> !places
  %index = stablehlo.reshape %where : (!places) -> !indices
  %mask = "stablehlo.gather"(%x, %index) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      indices_are_sorted = false, slice_sizes = array<i64: 1>}>
    : (tensor<6xf32>, !indices) -> !kept
  %added = stablehlo.add %mask, %zeros : (!kept, tensor<6xf32>) -> !kept
  %sum = stablehlo.reduce(%added init: %zero) applies stablehlo.add across dimensions = [0]
    : (!kept, tensor<f32>) -> tensor<f32>
  return %mask, %where, %sum : !kept, !places, tensor<f32>
}

func.func @three_positive_numbers() {
  %x = stablehlo.constant {input} dense<[1.0, -2.0, 3.0, -4.0, -5.0, 6.0]> : tensor<6xf32>
  %0:3 = call @positive(%x) : (tensor<6xf32>) -> (!kept, !places, tensor<f32>)
  %1 = tensor.cast %0#0 : !kept to tensor<3xf32>
  check.expect_eq_const %1, dense<[1.0, 3.0, 6.0]> : tensor<3xf32>
  %2 = tensor.cast %0#1 : !places to tensor<3x1xi32>
  check.expect_eq_const %2, dense<[[0], [2], [5]]> : tensor<3x1xi32>
  check.expect_eq_const %0#2, dense<10.0> : tensor<f32>
  return
}

func.func @one_positive_number() {
  %x = stablehlo.constant {input} dense<[-1.0, -2.0, -3.0, -4.0, 5.0, -6.0]> : tensor<6xf32>
  %0:3 = call @positive(%x) : (tensor<6xf32>) -> (!kept, !places, tensor<f32>)
  %1 = tensor.cast %0#0 : !kept to tensor<1xf32>
  check.expect_eq_const %1, dense<5.0> : tensor<1xf32>
  %2 = tensor.cast %0#1 : !places to tensor<1x1xi32>
  check.expect_eq_const %2, dense<4> : tensor<1x1xi32>
  check.expect_eq_const %0#2, dense<5.0> : tensor<f32>
  return
}

// `numpy.ones(int(x[x > 0].sum()))`: a size that is computed from a value whose
// size is computed.
func.func private @ones(%x: tensor<6xf32>) -> tensor<?xf32> {
  %positive:3 = call @positive(%x) : (tensor<6xf32>) -> (!kept, !places, tensor<f32>)
  %total = stablehlo.convert %positive#2 : (tensor<f32>) -> tensor<i32>
  %sizes = stablehlo.reshape %total : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %one, %sizes, dims = []
    : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @two_ones() {
  %x = stablehlo.constant {input} dense<[1.0, -2.0, 0.5, -4.0, -5.0, 0.75]> : tensor<6xf32>
  %0 = call @ones(%x) : (tensor<6xf32>) -> tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %1, dense<1.0> : tensor<2xf32>
  return
}

func.func @four_ones() {
  %x = stablehlo.constant {input} dense<[-1.0, -2.0, -3.0, 4.0, -5.0, -6.0]> : tensor<6xf32>
  %0 = call @ones(%x) : (tensor<6xf32>) -> tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  check.expect_eq_const %1, dense<1.0> : tensor<4xf32>
  return
}

// Custom calls by which JAX exports dynamic forms of ops: `numpy.cumsum(x)`, the
// largest and the least of all elements but one, and the shape of random bits.
func.func private @exported(%x: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %less = stablehlo.subtract %n, %one : tensor<i32>
  %size = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %none = stablehlo.constant dense<0> : tensor<1x1xi32>
  %low = stablehlo.reshape %less : (tensor<i32>) -> tensor<1x1xi32>
  %padding = stablehlo.concatenate %low, %none, dim = 1 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %ones, %ones, %ones, %padding)
    {api_version = 2 : i32, called_computations = [@sum]}
    : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %less)
    : (tensor<?xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  %number = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %many = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %nowhere = stablehlo.constant dense<-1> : tensor<i32>
  %fewer = stablehlo.reshape %less : (tensor<i32>) -> tensor<1xi32>
  %2:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %number, %many, %nowhere, %less, %fewer, %fewer) {
    called_computations = [@less], indices_of_shape_operands = dense<[5, 6]> : tensor<2xi64>,
    mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32,
      reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64}}
    : (tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  %state = stablehlo.constant dense<7> : tensor<2xui64>
  %3:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %size)
    {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}
    : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %4 = stablehlo.get_dimension_size %3#1, dim = 0 : (tensor<?xui32>) -> tensor<i32>
  return %0, %1#0, %1#1, %2#0, %2#1, %4
    : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>
}

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

func.func @custom_calls_stand_for_ops_on_three_elements() {
  %x0 = stablehlo.constant {input} dense<[2.0, -1.0, 4.0]> : tensor<3xf32>
  %x = tensor.cast %x0 : tensor<3xf32> to tensor<?xf32>
  %0:6 = call @exported(%x) : (tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>)
  %1 = tensor.cast %0#0 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %1, dense<[2.0, 1.0, 5.0]> : tensor<3xf32>
  %2 = tensor.cast %0#1 : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %2, dense<[4.0, 2.0]> : tensor<2xf32>
  %3 = tensor.cast %0#2 : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %3, dense<[2, 0]> : tensor<2xi32>
  %4 = tensor.cast %0#3 : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %4, dense<[-1.0, 2.0]> : tensor<2xf32>
  %5 = tensor.cast %0#4 : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %5, dense<[1, 0]> : tensor<2xi32>
  check.expect_eq_const %0#5, dense<3> : tensor<i32>
  return
}

func.func @custom_calls_stand_for_ops_on_four_elements() {
  %x0 = stablehlo.constant {input} dense<[1.0, 2.0, 3.0, 0.0]> : tensor<4xf32>
  %x = tensor.cast %x0 : tensor<4xf32> to tensor<?xf32>
  %0:6 = call @exported(%x) : (tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>)
  %1 = tensor.cast %0#0 : tensor<?xf32> to tensor<4xf32>
  check.expect_eq_const %1, dense<[1.0, 3.0, 6.0, 6.0]> : tensor<4xf32>
  %2 = tensor.cast %0#1 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %2, dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %3 = tensor.cast %0#2 : tensor<?xi32> to tensor<3xi32>
  check.expect_eq_const %3, dense<[2, 1, 0]> : tensor<3xi32>
  %4 = tensor.cast %0#3 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %4, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %5 = tensor.cast %0#4 : tensor<?xi32> to tensor<3xi32>
  check.expect_eq_const %5, dense<[3, 0, 1]> : tensor<3xi32>
  check.expect_eq_const %0#5, dense<4> : tensor<i32>
  return
}

// numpy.cumsum(x, 0) + 1, for any shape.
func.func @scans_of_any_shape() {
  %x0 = stablehlo.constant {input} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %x = tensor.cast %x0 : tensor<2x3xf32> to tensor<?x?xf32>
  %init0 = stablehlo.constant {input} dense<1.0> : tensor<3xf32>
  %init = tensor.cast %init0 : tensor<3xf32> to tensor<?xf32>
  %0:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%e: tensor<?xf32>, %carry: tensor<?xf32>):
    %s = stablehlo.add %e, %carry : tensor<?xf32>
    stablehlo.return %s, %s : tensor<?xf32>, tensor<?xf32>
  } : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  %1 = tensor.cast %0#0 : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[2.0, 3.0, 4.0], [6.0, 8.0, 10.0]]> : tensor<2x3xf32>
  %2 = tensor.cast %0#1 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %2, dense<[6.0, 8.0, 10.0]> : tensor<3xf32>
  return
}

// The size is known at run time only.
func.func private @reduce(%x: tensor<?xf32>, %y: tensor<f32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  return %0 : tensor<f32>
}

func.func @reductions_of_nothing_are_initial_values() {
  %x0 = stablehlo.constant {input} dense<> : tensor<0xf32>
  %x = tensor.cast %x0 : tensor<0xf32> to tensor<?xf32>
  %y = stablehlo.constant {input} dense<7.0> : tensor<f32>
  %i = stablehlo.constant {input} dense<5.0> : tensor<f32>
  %0 = call @reduce(%x, %y, %i) : (tensor<?xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %0, dense<5.0> : tensor<f32>
  return
}

func.func @reductions_of_two_elements_are_combined() {
  %x0 = stablehlo.constant {input} dense<[1.0, 2.0]> : tensor<2xf32>
  %x = tensor.cast %x0 : tensor<2xf32> to tensor<?xf32>
  %y = stablehlo.constant {input} dense<7.0> : tensor<f32>
  %i = stablehlo.constant {input} dense<5.0> : tensor<f32>
  %0 = call @reduce(%x, %y, %i) : (tensor<?xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %0, dense<7.0> : tensor<f32>
  return
}
