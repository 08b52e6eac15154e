// RUN: halo-opt %s --stablehlo-aggressive-simplification=fold-op-element-limit=4 | FileCheck %s

// CHECK-LABEL: func.func @constants_go_right
// CHECK: stablehlo.compare GT, %arg0, %{{.*}}, SIGNED
// CHECK: stablehlo.compare LE, %arg0, %{{.*}}, SIGNED
// CHECK: stablehlo.compare NE, %arg0, %{{.*}}, SIGNED
func.func @constants_go_right(%x: tensor<i64>) -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %c = stablehlo.constant dense<7> : tensor<i64>
  %0 = stablehlo.compare LT, %c, %x, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %1 = stablehlo.compare GE, %c, %x, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %2 = stablehlo.compare NE, %c, %x, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
  return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func @same_operands
// CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<2xi1>
// CHECK-DAG: %[[FALSE:.*]] = stablehlo.constant dense<false> : tensor<2xi1>
// CHECK-DAG: %[[FLOAT:.*]] = stablehlo.compare EQ, %arg1, %arg1
// CHECK: return %[[TRUE]], %[[TRUE]], %[[FALSE]], %[[FALSE]], %[[FLOAT]]
func.func @same_operands(%x: tensor<2xui8>, %f: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %0 = stablehlo.compare EQ, %x, %x, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %1 = stablehlo.compare LE, %x, %x : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %2 = stablehlo.compare LT, %x, %x, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %3 = stablehlo.compare NE, %x, %x, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %4 = stablehlo.compare EQ, %f, %f, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1, %2, %3, %4 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @booleans
// CHECK: %[[NOT:.*]] = stablehlo.not %arg0 : tensor<i1>
// CHECK: return %arg0, %arg0, %[[NOT]], %[[NOT_TOO:.*]] : tensor<i1>
func.func @booleans(%p: tensor<i1>) -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.compare NE, %p, %false, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %1 = stablehlo.compare EQ, %p, %true, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %2 = stablehlo.compare EQ, %p, %false, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %3 = stablehlo.compare NE, %true, %p, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0, %1, %2, %3 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func @choices
// CHECK-SAME: %[[P:.*]]: tensor<2xi1>, %[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>, %[[S:.*]]: tensor<1xi1>
// CHECK-DAG: %[[MIXED:.*]] = stablehlo.constant dense<[1, 20, 3, 40]> : tensor<4xi32>
// CHECK-DAG: %[[SWAPPED:.*]] = stablehlo.select %[[P]], %[[B]], %[[A]]
// CHECK-DAG: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[S]], dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
// CHECK-DAG: %[[SWAPPED_TOO:.*]] = stablehlo.select %[[WIDE]], %[[B]], %[[A]]
// CHECK: return %[[A]], %[[A]], %[[B]], %[[MIXED]], %[[SWAPPED]], %[[SWAPPED_TOO]]
func.func @choices(%p: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf32>, %s: tensor<1xi1>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<2xi1>
  %which = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %small = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %large = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %0 = stablehlo.select %p, %a, %a : tensor<2xi1>, tensor<2xf32>
  %1 = stablehlo.select %true, %a, %b : tensor<i1>, tensor<2xf32>
  %2 = stablehlo.select %false, %a, %b : tensor<2xi1>, tensor<2xf32>
  %3 = stablehlo.select %which, %small, %large : tensor<4xi1>, tensor<4xi32>
  %4 = stablehlo.not %p : tensor<2xi1>
  %5 = stablehlo.select %4, %a, %b : tensor<2xi1>, tensor<2xf32>
  %6 = stablehlo.not %s : tensor<1xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
  %8 = stablehlo.select %7, %a, %b : tensor<2xi1>, tensor<2xf32>
  return %0, %1, %2, %3, %5, %8 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>
}

// Five elements are more than the limit.
// CHECK-LABEL: func.func @limit
// CHECK: stablehlo.select
func.func @limit() -> tensor<5xi32> {
  %which = stablehlo.constant dense<[true, false, true, false, true]> : tensor<5xi1>
  %small = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %large = stablehlo.constant dense<[10, 20, 30, 40, 50]> : tensor<5xi32>
  %0 = stablehlo.select %which, %small, %large : tensor<5xi1>, tensor<5xi32>
  return %0 : tensor<5xi32>
}
