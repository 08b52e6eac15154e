// RUN: halo-opt %s --halo-flatten-tuples | FileCheck %s

// CHECK-LABEL: func.func @entry
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<i32>, %[[C:.*]]: tensor<i32> {mhlo.last}) -> (tensor<i32>, tensor<i32>)
// CHECK-NEXT: return %[[B]], %[[C]] : tensor<i32>, tensor<i32>
func.func @entry(
    %t: tuple<tensor<4xf32>, tuple<tensor<i32>>>, %k: !stablehlo.token, %c: tensor<i32> {mhlo.last}
  ) -> (tuple<tensor<i32>, tensor<i32>>, !stablehlo.token) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %k, %0 : !stablehlo.token
  %2 = stablehlo.get_tuple_element %t[1]
    : (tuple<tensor<4xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<i32>>) -> tensor<i32>
  %4 = stablehlo.tuple %3, %c : tuple<tensor<i32>, tensor<i32>>
  return %4, %1 : tuple<tensor<i32>, tensor<i32>>, !stablehlo.token
}

// CHECK-LABEL: func.func @loop
// CHECK: %[[R:.*]] = stablehlo.while(%[[I:.*]] = %arg0) : tensor<i32>
// CHECK: stablehlo.compare NE, %[[I]], %arg0
// CHECK: %[[J:.*]] = stablehlo.custom_call @next(%[[I]])
// CHECK-SAME: operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>]
// CHECK-SAME: (tensor<i32>) -> tensor<i32>
// CHECK-NEXT: stablehlo.return %[[J]] : tensor<i32>
// CHECK: return %[[R]]
func.func @loop(%x: tensor<i32>, %k: !stablehlo.token) -> tensor<i32> {
  %0:2 = stablehlo.while(%t = %k, %i = %x) : !stablehlo.token, tensor<i32>
  cond {
    %c = stablehlo.compare NE, %i, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %1:2 = stablehlo.custom_call @next(%t, %i) {
      operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>],
      result_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]
    } : (!stablehlo.token, tensor<i32>) -> (tensor<i32>, !stablehlo.token)
    stablehlo.return %1#1, %1#0 : !stablehlo.token, tensor<i32>
  }
  return %0#1 : tensor<i32>
}

// CHECK-LABEL: func.func @calls
// CHECK: %[[R:.*]]:2 = call @loops(%arg0) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
// CHECK: %[[V:.*]]:2 = stablehlo.custom_call @pair(%[[R]]#1) : (tensor<i32>) -> (tensor<i32>, tensor<2xi1>)
// CHECK: return %[[V]]#1
func.func @calls(%x: tensor<i32>) -> tensor<2xi1> {
  %k = stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.tuple %x, %k : tuple<tensor<i32>, !stablehlo.token>
  %1:2 = call @loops(%0) : (tuple<tensor<i32>, !stablehlo.token>) -> (tensor<i32>, tuple<tensor<i32>>)
  %2 = stablehlo.get_tuple_element %1#1[0] : (tuple<tensor<i32>>) -> tensor<i32>
  %3 = stablehlo.custom_call @pair(%2) : (tensor<i32>) -> tuple<tensor<i32>, tensor<2xi1>>
  %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<i32>, tensor<2xi1>>) -> tensor<2xi1>
  return %4 : tensor<2xi1>
}

// CHECK: func.func private @loops(tensor<i32>) -> (tensor<i32>, tensor<i32>)
func.func private @loops(tuple<tensor<i32>, !stablehlo.token>) -> (tensor<i32>, tuple<tensor<i32>>)

// The result whose memory an argument shares has another number without tokens, and none as a
// part of a tuple.
// CHECK-LABEL: func.func @donates
// CHECK-SAME: %arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}
// CHECK-SAME: %arg1: tensor<2xf32> {tf.aliasing_output = 3 : i32}
// CHECK-SAME: %arg2: tensor<i32>)
func.func @donates(
    %k: !stablehlo.token, %a: tensor<4xf32> {tf.aliasing_output = 1 : i32},
    %b: tensor<2xf32> {tf.aliasing_output = 3 : i32}, %c: tensor<i32> {tf.aliasing_output = 2 : i32}
  ) -> (!stablehlo.token, tensor<4xf32>, tuple<tensor<i32>, tensor<i32>>, tensor<2xf32>) {
  %0 = stablehlo.tuple %c, %c : tuple<tensor<i32>, tensor<i32>>
  return %k, %a, %0, %b : !stablehlo.token, tensor<4xf32>, tuple<tensor<i32>, tensor<i32>>, tensor<2xf32>
}
