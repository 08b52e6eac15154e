// RUN: halo-opt %s --split-input-file --while-loop-unroller | FileCheck %s

// Two iterations; a constant is known in each.

// CHECK-LABEL: func.func @rounds
//   CHECK-NOT:   stablehlo.while
//       CHECK:   %[[FIRST:.*]] = stablehlo.xor %arg0, %arg1
//       CHECK:   %[[SECOND:.*]] = stablehlo.xor %[[FIRST]], %arg1
//       CHECK:   return %[[SECOND]]
func.func @rounds(%a: tensor<8xui32>, %b: tensor<8xui32>) -> tensor<8xui32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8xui32>
    cond {
      %two = stablehlo.constant dense<2> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.xor %x, %b : tensor<8xui32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<8xui32>
    }
  return %0#1 : tensor<8xui32>
}

// -----

// None at all.

// CHECK-LABEL: func.func @none
//       CHECK:   return %arg0
func.func @none(%a: tensor<8xf32>) -> tensor<8xf32> {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %three, %x = %a) : tensor<i32>, tensor<8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.negate %x : tensor<8xf32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<8xf32>
    }
  return %0#1 : tensor<8xf32>
}

// -----

// Too many iterations, and an op that is more than a formula for each element.

// CHECK-LABEL: func.func @long
// CHECK-COUNT-2: stablehlo.while
func.func @long(%a: tensor<8x8xf32>, %limit: tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.negate %x : tensor<8x8xf32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<8x8xf32>
    }
  %3:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dot %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<8x8xf32>
    }
  return %0#1, %3#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Counters of unsigned types, downwards, and in steps; one that wraps does not count.

// CHECK-LABEL: func.func @unsigned
//       CHECK:   stablehlo.while
//   CHECK-NOT:   stablehlo.while
//       CHECK:   %[[FIRST:.*]] = stablehlo.negate %arg0
//       CHECK:   %[[SECOND:.*]] = stablehlo.negate %[[FIRST]]
//   CHECK-NOT:   stablehlo.negate
//       CHECK:   stablehlo.while
//       CHECK:   return
func.func @unsigned(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<ui8>
  %one = stablehlo.constant dense<1> : tensor<ui8>
  %bound = stablehlo.constant dense<200> : tensor<ui8>
  %most = stablehlo.constant dense<255> : tensor<ui8>
  %many:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<ui8>, tensor<8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %bound : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.negate %x : tensor<8xf32>
      %2 = stablehlo.add %i, %one : tensor<ui8>
      stablehlo.return %2, %1 : tensor<ui8>, tensor<8xf32>
    }
  %two:2 = stablehlo.while(%i = %most, %x = %a) : tensor<ui8>, tensor<8xf32>
    cond {
      %step = stablehlo.constant dense<253> : tensor<ui8>
      %1 = stablehlo.compare LT, %step, %i : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.negate %x : tensor<8xf32>
      %2 = stablehlo.subtract %i, %one : tensor<ui8>
      stablehlo.return %2, %1 : tensor<ui8>, tensor<8xf32>
    }
  %wrapped:2 = stablehlo.while(%i = %bound, %x = %a) : tensor<ui8>, tensor<8xf32>
    cond {
      %1 = stablehlo.compare GE, %i, %bound : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %step = stablehlo.constant dense<50> : tensor<ui8>
      %1 = stablehlo.negate %x : tensor<8xf32>
      %2 = stablehlo.add %i, %step : tensor<ui8>
      stablehlo.return %2, %1 : tensor<ui8>, tensor<8xf32>
    }
  return %many#1, %two#1, %wrapped#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
