// Programs on which rules have kept other bits, and of rules that no lit file applies to
// values of the interpreter.

func.func @sum_of_one_element(%x: tensor<16x1xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

func.func @sum_of_one_sum(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reshape %0 : (tensor<4xf32>) -> tensor<1x4xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

func.func @sum_of_one_element_from_minus_zero(%x: tensor<16x1xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

func.func @product_of_one_element(%x: tensor<64x1xcomplex<f32>>, %y: tensor<8xf32>) -> (tensor<64xcomplex<f32>>, tensor<8xf32>) {
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [1] : (tensor<64x1xcomplex<f32>>, tensor<complex<f32>>) -> tensor<64xcomplex<f32>>
  %1 = stablehlo.constant dense<1.0> : tensor<f32>
  %2 = stablehlo.reduce(%y init: %1) applies stablehlo.multiply across dimensions = [] : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0, %2 : tensor<64xcomplex<f32>>, tensor<8xf32>
}

// -----

func.func @reduce_of_nothing_to_an_outer_value(%x: tensor<0xf32>, %y: tensor<f32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  return %0 : tensor<f32>
}

// -----

func.func @reduce_to_an_outer_value(%x: tensor<3xf32>, %y: tensor<f32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  return %0 : tensor<f32>
}

// -----

func.func @scatter_to_zeros_is_added(%x: tensor<4xi32>, %i: tensor<3x1xi32>, %u: tensor<3xi32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%zero, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  %1 = stablehlo.add %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

func.func @gather_at_the_last(%x: tensor<5xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<9223372036854775808> : tensor<1xui64>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<1xui64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @slice_at_the_last(%x: tensor<5xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<5xf32>, tensor<ui64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @case_of_the_last(%x: tensor<5xf32>) -> tensor<5xf32> {
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<5xf32>
  }, {
    %1 = stablehlo.negate %x : tensor<5xf32>
    stablehlo.return %1 : tensor<5xf32>
  }) : (tensor<i32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @tuples(%x: tensor<3xf32>, %y: tensor<2xi32>) -> (tensor<3xf32>, tuple<tensor<3xf32>, tensor<2xi32>>) {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<3xf32>, tensor<2xi32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<3xf32>, tensor<2xi32>>) -> tensor<3xf32>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<3xf32>, tensor<2xi32>>) -> tensor<2xi32>
  %3 = stablehlo.tuple %1, %2 : tuple<tensor<3xf32>, tensor<2xi32>>
  return %1, %3 : tensor<3xf32>, tuple<tensor<3xf32>, tensor<2xi32>>
}

func.func @loop_that_is_not_entered(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<3xf32>
  cond {
    %false = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %false : tensor<i1>
  } do {
    %1 = stablehlo.negate %a : tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

func.func @loop_without_uses(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<3xf32>
  cond {
    %false = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %false : tensor<i1>
  } do {
    %1 = stablehlo.negate %a : tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }
  return %x : tensor<3xf32>
}

func.func @dynamic_broadcasts(%x: tensor<3xf32>) -> (tensor<?x?x?xf32>, tensor<3xf32>) {
  %inner = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %outer = stablehlo.constant dense<[2, 5, 3]> : tensor<3xi32>
  %same = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %inner, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %outer, dims = [0, 2] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %2 = "stablehlo.dynamic_broadcast_in_dim"(%x, %same) <{broadcast_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return %1, %2 : tensor<?x?x?xf32>, tensor<3xf32>
}

func.func @dynamic_reshapes(%x: tensor<6xf32>) -> (tensor<2x3xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %flat = stablehlo.constant dense<6> : tensor<1xi32>
  %rows = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %rows : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %1 = stablehlo.dynamic_reshape %x, %rows : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %rows, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.negate %1 : tensor<?x?xf32>
  %4 = stablehlo.dynamic_reshape %3, %rows : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %5 = stablehlo.dynamic_reshape %1, %flat : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %6 = stablehlo.dynamic_reshape %5, %rows : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0, %2, %4, %6 : tensor<2x3xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

func.func @dynamic_slices(%x: tensor<6xf32>, %y: tensor<?xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %start = stablehlo.constant dense<1> : tensor<1xi32>
  %limit = stablehlo.constant dense<4> : tensor<1xi32>
  %stride = stablehlo.constant dense<2> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  %1 = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.add %2, %two : tensor<1xi32>
  %4 = stablehlo.real_dynamic_slice %x, %2, %3, %one : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %0, %4 : tensor<2xf32>, tensor<2xf32>
}

func.func @dynamic_iotas() -> (tensor<3xi8>, tensor<2x?xi8>) {
  %n = stablehlo.constant dense<3> : tensor<1xi32>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<3xi8>
  %1 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<2x?xi8>
  return %0, %1 : tensor<3xi8>, tensor<2x?xi8>
}
